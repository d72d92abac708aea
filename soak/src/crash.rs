//! A write that the power cut off is whole or never was, on every disk such a cut may leave (I1–I4).
//!
//! The deeds, the disk and what must hold are the testkit's, and the workspace's own tests sweep them in
//! small; here each cut leaves many more disks. The log of intents is on the same disk.

use std::cell::RefCell;

use inwit_testkit::crash::deed::{LIVED_IN, carry_out, deeds, wholeness};
use inwit_testkit::crash_at_each_step;

use crate::{Plan, Report};

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let (mut cuts, mut disks) = (0, 0_u64);
    // The sweep counts its own seeds from 0; a campaign by another seed begins elsewhere.
    for deed in deeds() {
        for without_exchange in [false, true] {
            let broken = RefCell::new(Vec::new());
            let looked_at = std::cell::Cell::new(0_u64);
            let sweep = crash_at_each_step(|disk| carry_out(disk, &deed)).holding(LIVED_IN);
            let sweep = sweep.seeds(u64::from(plan.cases)).beginning_at(plan.seed);
            let sweep = if without_exchange { sweep.without_exchange() } else { sweep };
            cuts += sweep.then(|after| {
                looked_at.set(looked_at.get() + 1);
                broken.borrow_mut().extend(wholeness(after, &deed).err());
            });
            disks += looked_at.get();
            broken.into_inner().into_iter().for_each(|what| report.broke(format!("{}: {what}", deed.file)));
        }
    }
    report.figure("kinds of change", deeds().len());
    report.figure("with and without an exchange of names, calls cut", cuts);
    report.figure("different disks checked", inwit_engine::core::fit::grouped(disks as usize));
    report
}
