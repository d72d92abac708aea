//! Somebody who saves the same file all the time loses nothing to us (W15).
//!
//! An editor saves by giving a new file the name, every millisecond or two, while the agent's owner has
//! things remembered in that file. It saves by an exchange of names, so it sees what each save replaced:
//! where that was not its own last save, the last one must be in a receipt of actor `external`, or lie
//! beside in a file of its own, unless a later save of the same editor replaced it after all.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use inwit_engine::notes::remember::Entry;
use inwit_engine::{Outcome, WriteContext};
use inwit_gate::Author;
use inwit_model::{Actor, Code, Sha256};
use inwit_store::memory::ReceiptFilter;
use inwit_testkit::Chance;
use inwit_workspace::{RealStopwatch, Stopwatch as _};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::{Home, Place, Plan, Report};

const FILE: &str = "MEMORY.md";
const TEMP: &str = "edited.tmp";

/// Between two saves at least, in microseconds; at most twice as long.
const PAUSE_US: u64 = 1_000;

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let home = Home::fast("personal", "//- SOUL.md\nI am Ada.\n");
    let place = &home.place;
    let over = AtomicBool::new(false);
    let (saved, written, late) = std::thread::scope(|scope| {
        let editor = scope.spawn(|| Editor::new(place, plan.seed).save_until(&over));
        let (written, late) = write(place, plan.cases, &mut report);
        over.store(true, Ordering::Release);
        (editor.join().expect("the editor ends"), written, late)
    });
    let safe = safe(place);
    let is_lost = |hash: &Sha256| !safe.contains(hash) && !saved.replaced.contains(hash);
    let lost: Vec<&(u64, Sha256)> = saved.disturbed.iter().filter(|(_, hash)| is_lost(hash)).collect();
    for (number, _) in &lost {
        report.broke(format!("save {number} is gone without a trace"));
    }
    report.figure("applied", written);
    report.figure("refused as stale", late);
    report.figure("human saves", saved.count);
    report.figure("coinciding with a write of inwit", saved.disturbed.len());
    report.figure("human saves lost", lost.len());
    report
}

/// Has things remembered while the editor saves; answers how many were written and how many came late.
fn write(place: &Place, cases: u32, report: &mut Report) -> (u32, u32) {
    let agent = place.open().agent;
    let (mut written, mut late) = (0, 0);
    for case in 0..cases {
        let text = format!("thing {case} that the owner said");
        let entry = Entry { text: &text, section: "Facts" };
        match agent.notes.remember(None, &entry, &WriteContext::of(Author::owner(&inwit_testkit::owner()))) {
            Ok(Outcome::Applied { .. }) => written += 1,
            Err(error) if error.code == Code::Stale => late += 1,
            other => report.broke(format!("write {case}: {other:?}")),
        }
    }
    (written, late)
}

/// Who saves without asking.
struct Editor {
    folder: std::path::PathBuf,
    chance: Chance,
}

/// What an editor did.
#[derive(Default)]
struct Saved {
    count: u64,
    /// Saves that no later save replaced.
    disturbed: Vec<(u64, Sha256)>,
    /// What the saves replaced: bytes that the editor itself took out of the file.
    replaced: BTreeSet<Sha256>,
}

impl Editor {
    fn new(place: &Place, seed: u64) -> Self {
        Self { folder: place.workspace(), chance: Chance::of(seed) }
    }

    fn save_until(mut self, over: &AtomicBool) -> Saved {
        let mut saved = Saved::default();
        let mut last: Option<(u64, Sha256)> = None;
        while !over.load(Ordering::Acquire) {
            saved.count += 1;
            let (hash, replaced) = self.save(saved.count);
            saved.disturbed.extend(last.filter(|last| replaced != Some(last.1)));
            saved.replaced.extend(replaced);
            last = Some((saved.count, hash));
            let longer = self.chance.below(PAUSE_US as usize) as u64;
            RealStopwatch.wait(Duration::from_micros(PAUSE_US + longer));
        }
        saved.disturbed.extend(last);
        saved
    }

    /// Saves; answers with the hash of what was saved and of what that replaced.
    fn save(&self, number: u64) -> (Sha256, Option<Sha256>) {
        let text = format!("# MEMORY\n\n## Facts\n\n- save {number} by hand\n");
        inwit_testkit::fixture::put(&self.folder, TEMP, text.as_bytes());
        let [temp, file] = [TEMP, FILE].map(|name| self.folder.join(name));
        let replaced = match renameat_with(CWD, &temp, CWD, &file, RenameFlags::EXCHANGE) {
            Ok(()) => {
                let replaced = std::fs::read(&temp).expect("what was replaced");
                std::fs::remove_file(&temp).expect("let go");
                Some(Sha256::of(&replaced))
            }
            Err(_) => {
                std::fs::rename(&temp, &file).expect("saved for the first time");
                None
            }
        };
        (Sha256::of(text.as_bytes()), replaced)
    }
}

/// The hash of everything that can be brought back: external receipts, and every file that lies there.
fn safe(place: &Place) -> BTreeSet<Sha256> {
    let memory = place.memory();
    let filter = ReceiptFilter { limit: usize::MAX >> 1, ..ReceiptFilter::default() };
    let receipts = memory.receipts(&filter).expect("receipts are read");
    let external = receipts.iter().filter(|receipt| receipt.actor == Actor::External);
    let kept = external.filter_map(|receipt| receipt.result).filter(|hash| {
        memory.kept(hash).is_ok_and(|bytes| bytes.is_some_and(|bytes| Sha256::of(&bytes) == *hash))
    });
    kept.chain(files(&place.workspace())).collect()
}

fn files(folder: &Path) -> Vec<Sha256> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| std::fs::read(entry.path()).ok()).map(|bytes| Sha256::of(&bytes)).collect()
}
