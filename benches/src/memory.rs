//! What the owned memory costs: opening it, writing an intent down, noting what was recalled.
//!
//! A bare write and fsync of one page stands beside, since the disk decides.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use inwit_model::{Actor, Intent, Op, OpLog as _, ReceiptId, SafeName, Settled, Sha256, Taint};
use inwit_store::memory::{Audit as _, PassageKey, RecallEvent, Signals as _};
use inwit_store_sqlite::SqliteMemory;
use jiff::Timestamp;

use crate::Outcome;
use crate::measure::Times;

/// Changes written down before anything is measured.
const CHANGES: usize = 2_000;

/// Rows of the table.
pub fn measure() -> Outcome<Vec<(&'static str, String)>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("memory.db");
    let mut rows = Vec::new();

    let mut file = std::fs::File::create(folder.path().join("bare"))?;
    let bare = Times::of(200, |_| file.write_all(&[7; 4096]).and_then(|()| file.sync_data()));
    rows.push(("a page written and fsynced, bare, p50 / p95", both(&bare)));

    let memory = SqliteMemory::open(&path)?;
    let line = "- Ana: rye bread from the corner again.\n".repeat(4);
    let intents = Times::of(CHANGES, |run| one(&memory, run, &line));
    rows.push(("intent of an appended entry with its audit row, p50 / p95", both(&intents)));
    rows.push(("the same, a second", format!("{:.0}", 1e3 / intents.ms(50))));
    let recalls = Times::of(500, |run| memory.record(&events(run)));
    rows.push(("ten recall events recorded, p50 / p95", both(&recalls)));
    let verified = Times::of(5, |_| memory.audit_verify());
    rows.push(("audit verified, 2,000 rows", format!("{:.1} ms", verified.ms(50))));
    drop(memory);

    let opened = Times::of(200, |_| SqliteMemory::open(&path).map(drop));
    rows.push(("memory opened and closed, p50 / p95", both(&opened)));
    let commands = Times::of(200, |run| -> Outcome<()> {
        one(&SqliteMemory::open(&path)?, CHANGES + run, &line)?;
        Ok(())
    });
    rows.push(("opened, one intent, settled, closed, p50 / p95", both(&commands)));
    let recalling = Times::of(200, |run| SqliteMemory::open(&path)?.record(&events(run)));
    rows.push(("opened, ten recall events, closed, p50 / p95", both(&recalling)));
    let sizes = ["memory.db", "memory.db-wal"].map(|name| length(&folder.path().join(name)));
    rows.push((
        "memory.db and its log, 2,200 appends",
        format!("{:.1} + {:.1} MB", sizes[0] as f64 / 1e6, sizes[1] as f64 / 1e6),
    ));
    Ok(rows)
}

fn both(times: &Times) -> String {
    format!("{:.2} / {:.2} ms", times.ms(50), times.ms(95))
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |found| found.len())
}

fn one(memory: &SqliteMemory, run: usize, line: &str) -> Outcome<()> {
    let op = memory.intent(&intent(run, line)?)?;
    Ok(memory.settle(op, Settled::Done)?)
}

/// The entry of run `run` in one journal; hashes stand in for contents.
fn intent(run: usize, line: &str) -> Outcome<Intent> {
    let mut random = [0; 10];
    random[2..].copy_from_slice(&(run as u64).to_be_bytes());
    let state = |run: usize| Sha256::of(&run.to_be_bytes());
    Ok(Intent {
        receipt: ReceiptId::new(Timestamp::UNIX_EPOCH, random),
        at: Timestamp::UNIX_EPOCH,
        name: SafeName::parse("memory/2026-11-21.md")?,
        op: Op::Append(Arc::from(format!("{run} {line}").into_bytes())),
        before: None,
        stood_since: None,
        base: (run > 0).then(|| state(run - 1)),
        result: Some(state(run)),
        temp: String::new(),
        actor: Actor::Agent,
        taint: Taint::Agent,
        session: None,
        proposal: None,
        undoes: None,
        reason: String::new(),
    })
}

fn events(run: usize) -> Vec<RecallEvent> {
    let event = |hit: usize| {
        Some(RecallEvent {
            passage: PassageKey {
                path: SafeName::parse("memory/2026-11-21.md").ok()?,
                text: Sha256::of(&(run * 7 % 50 + hit).to_be_bytes()),
            },
            query: Sha256::of(&run.to_be_bytes()),
            score: 0.5,
            at: Timestamp::UNIX_EPOCH,
            session: None,
        })
    };
    (0..10).filter_map(event).collect()
}
