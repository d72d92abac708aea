//! Tests of the simulated disk: each wrong recipe is caught by its own fault.

use std::path::Path;

use inwit_workspace::Syscalls;

use super::{After, CrashDisk, crash_at_each_step, fail_at_each_step};

const TEXT: &[u8] = &[b'x'; 2_000];

/// Writes `SOUL.md` by steps that a recipe may omit.
fn write(disk: &CrashDisk, sync: bool, publish: bool, sync_dir: bool) -> Option<()> {
    let root = disk.open_root(Path::new("/")).ok()?;
    let name: &[u8] = if publish { b".~inwit-0.tmp" } else { b"SOUL.md" };
    let mut file = disk.create_new(&root, name).ok()?;
    let mut rest = TEXT;
    while !rest.is_empty() {
        rest = &rest[disk.write(&mut file, rest).ok()?..];
    }
    if sync {
        disk.sync(&file).ok()?;
    }
    if publish {
        disk.publish(&root, name, b"SOUL.md").ok()?;
    }
    if sync_dir {
        disk.sync_dir(&root).ok()?;
    }
    disk.acknowledge("SOUL.md", TEXT);
    Some(())
}

fn whole(after: &After) {
    after.whole_or_absent([("SOUL.md", TEXT)]).keeps_what_was_acknowledged().nothing_changed();
}

#[test]
fn the_whole_recipe_holds() {
    let steps = crash_at_each_step(|disk| write(disk, true, true, true))
        .holding("//- USER.md\nAna\n")
        .then(|after| whole(after.no_stranger_but_temporary(&["SOUL.md"])));
    assert!(steps >= 6, "{steps} calls");
}

#[test]
#[should_panic(expected = "neither whole nor absent")]
fn writing_in_place_is_caught() {
    crash_at_each_step(|disk| write(disk, true, false, true)).then(whole);
}

#[test]
#[should_panic(expected = "neither whole nor absent")]
fn a_name_before_the_bytes_are_synced_is_caught() {
    crash_at_each_step(|disk| write(disk, false, true, true)).then(whole);
}

#[test]
#[should_panic(expected = "was acknowledged")]
fn a_name_that_was_not_synced_is_caught() {
    crash_at_each_step(|disk| write(disk, true, true, false)).then(whole);
}

#[test]
#[should_panic(expected = "should not be there")]
fn a_temporary_file_left_by_an_error_is_caught() {
    fail_at_each_step(|disk| write(disk, true, true, true)).then(|after| {
        after.no_temporary_file(&["SOUL.md"]);
    });
}

#[test]
fn a_sync_that_failed_is_not_made_good_by_another_one() {
    let twice = |disk: &CrashDisk| -> Option<()> {
        let root = disk.open_root(Path::new("/")).ok()?;
        let mut file = disk.create_new(&root, b"SOUL.md").ok()?;
        while disk.tree()["SOUL.md"].len() < TEXT.len() {
            disk.write(&mut file, &TEXT[disk.tree()["SOUL.md"].len()..]).ok()?;
        }
        disk.sync(&file).or_else(|_| disk.sync(&file)).ok()?;
        disk.sync_dir(&root).ok()
    };
    let lied = std::cell::Cell::new(0);
    fail_at_each_step(twice).then(|after| {
        let left = after.disk().after_power_loss(&mut crate::Chance::of(0)).tree();
        let zeros = left.get("SOUL.md").is_some_and(|bytes| bytes.len() == TEXT.len() && bytes != TEXT);
        lied.set(lied.get() + u32::from(zeros));
    });
    assert!(lied.get() >= 3, "each of the three faults, at the first sync");
}

#[test]
fn one_seed_leaves_one_disk() {
    let disk = CrashDisk::holding(&crate::fixture::files("//- USER.md\nAna\n"), 3, super::Plan::default());
    write(&disk, false, true, false).expect("written");
    let left = |seed| disk.after_power_loss(&mut crate::Chance::of(seed)).tree();
    assert!((0..50).all(|seed| left(seed) == left(seed)));
    let distinct: std::collections::BTreeSet<_> = (0..50).map(left).collect();
    assert!(distinct.len() > 5, "{}", distinct.len());
    assert!(distinct.iter().all(|tree| tree["USER.md"] == b"Ana\n"));
}

/// Writes new bytes beside `USER.md` and exchanges the two.
fn exchange(disk: &CrashDisk, sync_dir: bool) -> Option<()> {
    let root = disk.open_root(Path::new("/")).ok()?;
    let mut file = disk.create_new(&root, b".~inwit-0.tmp").ok()?;
    let mut rest = TEXT;
    while !rest.is_empty() {
        rest = &rest[disk.write(&mut file, rest).ok()?..];
    }
    disk.sync(&file).ok()?;
    disk.exchange(&root, b".~inwit-0.tmp", b"USER.md").ok()?;
    if sync_dir {
        disk.sync_dir(&root).ok()?;
    }
    disk.acknowledge("USER.md", TEXT);
    Some(())
}

#[test]
fn an_exchange_is_whole_and_lasts_once_the_folder_is_synced() {
    crash_at_each_step(|disk| exchange(disk, true)).holding("//- USER.md\nAna\n").then(|after| {
        let tree = after.keeps_what_was_acknowledged().disk().tree();
        assert!(tree["USER.md"] == b"Ana\n" || tree["USER.md"] == TEXT, "{}", after.case());
    });
}

#[test]
#[should_panic(expected = "was acknowledged")]
fn an_exchange_that_was_not_synced_is_caught() {
    crash_at_each_step(|disk| exchange(disk, false)).holding("//- USER.md\nAna\n").then(|after| {
        after.keeps_what_was_acknowledged();
    });
}

#[test]
fn an_append_may_be_torn_after_any_of_its_bytes() {
    let append = |disk: &CrashDisk| -> Option<()> {
        let root = disk.open_root(Path::new("/")).ok()?;
        let mut file = disk.open_append(&root, b"USER.md").ok()?;
        disk.write(&mut file, b"bakes").map(|_| ()).ok()
    };
    let lengths = std::cell::RefCell::new(std::collections::BTreeSet::new());
    crash_at_each_step(append).holding("//- USER.md\nAna\n").then(|after| {
        let bytes = after.disk().tree()["USER.md"].clone();
        assert!(bytes.starts_with(b"Ana\n"), "{}: what was synced is whole", after.case());
        lengths.borrow_mut().insert(bytes.len());
    });
    assert_eq!(lengths.into_inner().into_iter().collect::<Vec<_>>(), [4, 5, 6, 7, 8, 9]);
}

#[test]
fn an_edit_comes_before_its_call_and_is_safe() {
    let edit = super::Edit::Rename("USER.md".into(), b"Juno\n".to_vec());
    let calls = crash_at_each_step(|disk| exchange(disk, true)).holding("//- USER.md\nAna\n").meeting(
        &edit,
        |after| {
            let left = after.disk().after_power_loss(&mut crate::Chance::of(1)).tree();
            let told = after.acknowledged("USER.md").is_some();
            assert!(told && left.values().any(|bytes| bytes == b"Juno\n"), "{}", after.case());
        },
    );
    assert!(calls >= 5, "{calls}");
}
