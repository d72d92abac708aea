//! Histories of facts: corrected, forgotten, brought back, under a clock that jumps; asked about at every moment.

use inwit_store::memory::contract::histories::walk;
use inwit_store_sqlite::SqliteMemory;

use crate::{Plan, Report};

/// Runs the campaign: each case is one history in a memory of its own.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let mut answers = 0;
    for case in 0..u64::from(plan.cases) {
        let memory = SqliteMemory::in_memory().expect("a memory");
        match walk(&memory, plan.seed.wrapping_add(case)) {
            Ok(asked) => answers += asked,
            Err(wrong) => report.broke(wrong),
        }
    }
    report.figure("answers compared", answers);
    report
}
