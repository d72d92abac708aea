//! Writing with the power cut before every call, every call failing, and an editor between any two.
//!
//! After each of them somebody opens the workspace again and lets it recover. Then a file is a version
//! that was whole, what a receipt was given for is there, the log agrees with the files, and nothing hidden
//! is left (I1–I4, I6 of the reliability plan; I5, the chain of the audit rows, is the store's).

use std::sync::Arc;

use inwit_model::{FileError, Op, Settled};
use inwit_testkit::crash::deed::{self, Deed, LIVED_IN, carry_out, deeds, wholeness, writer};
use inwit_testkit::crash::{After, Edit};
use inwit_testkit::{CrashDisk, crash_at_each_step, fail_at_each_step};
use inwit_workspace::{Applied, LockGuard, WriteLock, Writer};

#[track_caller]
fn recovered(after: &After) {
    deed::recovered(after).unwrap_or_else(|broken| panic!("{broken}"));
}

#[track_caller]
fn is_whole(after: &After, deed: &Deed) {
    wholeness(after, deed).unwrap_or_else(|broken| panic!("{broken}"));
}

/// Proves I2, I7.
#[test]
fn wherever_the_power_is_cut_a_write_is_whole_or_never_was() {
    for deed in deeds() {
        for without_exchange in [false, true] {
            let sweep = crash_at_each_step(|disk| carry_out(disk, &deed)).holding(LIVED_IN).seeds(12);
            let sweep = if without_exchange { sweep.without_exchange() } else { sweep };
            let calls = sweep.then(|after| is_whole(after, &deed));
            assert!(calls > 8, "{}: {calls} calls", deed.file);
        }
    }
}

/// Proves X2, I7.
#[test]
fn whichever_call_fails_the_error_is_said_and_nothing_shows() {
    for deed in deeds() {
        let calls = fail_at_each_step(|disk| carry_out(disk, &deed)).holding(LIVED_IN).then(|after| {
            let held = after.disk().tree().get(deed.file).cloned();
            let was_told = after.acknowledged(deed.file).is_some();
            let expected = if was_told {
                deed.after().map(|bytes| bytes.to_vec())
            } else {
                deed.before.map(<[u8]>::to_vec)
            };
            assert!(held == expected, "{}: told {was_told}", after.case());
            is_whole(after, &deed);
        });
        assert!(calls > 8, "{}: {calls} calls", deed.file);
    }
}

/// A power cut while a power cut is put right.
#[test]
fn recovery_that_is_cut_anywhere_goes_on_where_it_was() {
    for deed in deeds() {
        for stop in (0..CALLS_MAX).step_by(3) {
            let deeds_and_recovery = |disk: &CrashDisk| {
                // Killed at a call, with the disk still on: what was done shows, and nobody settled it.
                disk.kill_after(stop);
                let _ = carry_out(disk, &deed);
                disk.revive();
                if let Ok(files) = disk.files() {
                    let _ = writer(Arc::new(files), Arc::new(disk.log()), 8).recover();
                }
            };
            let calls = crash_at_each_step(deeds_and_recovery).holding(LIVED_IN).seeds(3);
            assert!(calls.then(|after| is_whole(after, &deed)) > 3);
        }
    }
}

/// A lock whose holder before died.
struct AfterDeath;

struct Mourning;

impl LockGuard for Mourning {
    fn follows_a_death(&self) -> bool {
        true
    }
}

impl WriteLock for AfterDeath {
    fn take(&self) -> Result<Box<dyn LockGuard + '_>, FileError> {
        Ok(Box::new(Mourning))
    }
}

/// A writer that is killed before its intent is written leaves a file of which no log tells.
///
/// Proves I2, I7.
#[test]
fn the_write_after_a_death_leaves_nothing_hidden() {
    for deed in deeds() {
        let calls = crash_at_each_step(|disk| carry_out(disk, &deed)).holding(LIVED_IN).seeds(6);
        let calls = calls.then(|after| {
            let (files, log) = (Arc::new(after.reopened()), Arc::new(after.disk().log()));
            let writer = Writer { lock: Arc::new(AfterDeath), ..writer(files, log, 8) };
            let next = deed::put(&writer, "TOOLS.md", Op::Put(Arc::from(*b"- A lamp.\n")), None);
            assert!(matches!(next, Ok(Applied::Written { .. })), "{}: {next:?}", after.case());
            let tree = after.disk().tree();
            let hidden: Vec<&String> = tree.keys().filter(|path| path.contains(".~inwit-")).collect();
            assert!(hidden.is_empty(), "{}: {}: {hidden:?}", deed.file, after.case());
        });
        assert!(calls > 8, "{}: {calls} calls", deed.file);
    }
}

/// More calls than any deed makes.
const CALLS_MAX: usize = 40;

const EDITED: &[u8] = b"- Likes rye bread.\n- By hand.\n";

/// Proves I7, R72.
#[test]
fn an_editor_that_saves_between_any_two_calls_loses_nothing() {
    for deed in deeds() {
        let file = deed.file.to_owned();
        for edit in [Edit::Rename(file.clone(), EDITED.to_vec()), Edit::InPlace(file, EDITED.to_vec())] {
            let calls =
                crash_at_each_step(|disk| carry_out(disk, &deed)).holding(LIVED_IN).meeting(&edit, |after| {
                    recovered(after);
                    let tree = after.disk().tree();
                    let is_there = tree.values().any(|bytes| contains(bytes, EDITED));
                    assert!(is_there, "{} {}: the edit is gone: {:?}", after.case(), deed.file, tree.keys());
                });
            assert!(calls > 8, "{}: {calls} calls", deed.file);
        }
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Proves I7.
#[test]
fn an_edit_is_there_wherever_it_comes_and_wherever_the_power_is_cut_then() {
    for deed in deeds() {
        let edit = Edit::Rename(deed.file.to_owned(), EDITED.to_vec());
        let met = std::cell::Cell::new(0);
        for at in 0..CALLS_MAX {
            let sweep = crash_at_each_step(|disk| carry_out(disk, &deed)).holding(LIVED_IN).seeds(2);
            sweep.edited(at, &edit).then(|after| {
                if after.edits() == 1 {
                    met.set(met.get() + 1);
                    recovered(after);
                    let tree = after.disk().tree();
                    let is_there = tree.values().any(|bytes| contains(bytes, EDITED));
                    assert!(is_there, "edit {at}, {}: {}: gone: {:?}", after.case(), deed.file, tree.keys());
                }
            });
        }
        assert!(met.get() > 100, "{}: {}", deed.file, met.get());
    }
}

/// One save just before the names change places and one just after: both are there.
#[test]
fn of_two_edits_at_once_one_lies_beside() {
    let deed = &deeds()[0];
    let (first, second) = (b"- First by hand.\n", b"- Second by hand.\n");
    let edit = |bytes: &[u8]| Edit::Rename(deed.file.to_owned(), bytes.to_vec());
    let beside = std::cell::Cell::new(0);
    for (at, gap) in (0..CALLS_MAX).flat_map(|at| (1..6).map(move |gap| (at, gap))) {
        let sweep = crash_at_each_step(|disk| carry_out(disk, deed)).holding(LIVED_IN);
        sweep.edited(at, &edit(first)).edited(at + gap, &edit(second)).once(|after| {
            let case = after.case();
            recovered(after);
            let tree = after.disk().tree();
            let is_there = |bytes: &[u8]| tree.values().any(|held| held == bytes);
            assert!(after.edits() < 2 || is_there(second), "{case}");
            if tree.keys().any(|path| path.contains(".conflict-20261121T120000Z")) {
                beside.set(beside.get() + 1);
                assert!(is_there(first) && is_there(second), "{case}");
            }
        });
    }
    assert!(beside.get() > 0, "no two met in the one place where both must be kept");
}

/// The one window that a file system without an exchange of names leaves: between the last look and the
/// rename. It is told in `fs_files::replace`, and this counts it.
#[test]
fn without_an_exchange_an_edit_is_lost_in_one_window_only() {
    let deed = &deeds()[0];
    let edit = Edit::Rename(deed.file.to_owned(), EDITED.to_vec());
    let lost = std::cell::Cell::new(0);
    let sweep = crash_at_each_step(|disk| carry_out(disk, deed)).holding(LIVED_IN).without_exchange();
    sweep.meeting(&edit, |after| {
        recovered(after);
        let is_there = after.disk().tree().values().any(|bytes| bytes == EDITED);
        lost.set(lost.get() + u32::from(!is_there));
    });
    assert_eq!(lost.get(), 1, "between the last look and the rename");
}

/// Proves I2.
#[test]
fn a_write_that_met_an_editor_is_handed_back_or_stands_before_the_edit() {
    let deed = deeds().remove(0);
    let edit = Edit::Rename(deed.file.to_owned(), EDITED.to_vec());
    crash_at_each_step(|disk| carry_out(disk, &deed)).holding(LIVED_IN).meeting(&edit, |after| {
        recovered(after);
        let case = after.case();
        let tree = after.disk().tree();
        assert_eq!(tree.len(), 4, "{case}: no copy beside was needed: {:?}", tree.keys());
        let was_told = after.acknowledged(deed.file).is_some();
        assert!(tree[deed.file] == EDITED, "{case}: told {was_told}");
        let done = after.disk().log().rows().iter().filter(|(_, how)| *how == Some(Settled::Done)).count();
        assert_eq!(done, usize::from(was_told), "{case}: the log tells what the writer was told");
    });
}
