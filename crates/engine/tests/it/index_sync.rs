//! A search never serves stale text: it looks at the files first, whatever happened to them.

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use inwit_engine::{Agent, AgentPorts, Bounds, Search};
use inwit_model::{Clock, Files, Scope};
use inwit_store::{Index as _, IndexUpdate, KnownSet, SetKey};
use inwit_store_sqlite::SqliteIndex;
use inwit_testkit::{FakeClock, Shelf, fixture, parts, room, story};
use inwit_workspace::FsFiles;

const NOTES: &str = "
//- MEMORY.md
- Likes rye bread.
//- memory/2026-11-20.md
- Bought a chest.
";

/// Proves W21.
#[test]
fn what_was_edited_is_found_and_what_was_overwritten_is_not() {
    story(NOTES)
        .search(Scope::Main, "bread")
        .finds("rye")
        .write("MEMORY.md", "- Likes spelt bread.\n")
        .search(Scope::Main, "bread")
        .finds_first("spelt")
        .hides("rye")
        .search(Scope::Main, "rye")
        .finds_nothing()
        .end();
}

#[test]
fn a_removed_file_is_forgotten_and_a_renamed_one_is_found_under_its_new_name() {
    story(NOTES)
        .search(Scope::Main, "chest")
        .finds_at(&["memory/2026-11-20.md#L1"])
        .rename("memory/2026-11-20.md", "memory/2026-11-19.md")
        .search(Scope::Main, "chest")
        .finds_at(&["memory/2026-11-19.md#L1"])
        .remove("memory/2026-11-19.md")
        .search(Scope::Main, "chest")
        .finds_nothing()
        .counts("chest", 0)
        .end();
}

#[test]
fn two_files_that_change_names_are_told_apart() {
    story("//- memory/a.md\n- apple\n//- memory/b.md\n- quince\n")
        .search(Scope::Main, "apple")
        .finds_at(&["memory/a.md#L1"])
        .rename("memory/a.md", "memory/c.md")
        .rename("memory/b.md", "memory/a.md")
        .rename("memory/c.md", "memory/b.md")
        .search(Scope::Main, "apple")
        .finds_at(&["memory/b.md#L1"])
        .search(Scope::Main, "quince")
        .finds_at(&["memory/a.md#L1"])
        .end();
}

#[test]
fn a_file_that_cannot_be_read_is_told_to_its_owner_and_not_answered_from() {
    story(NOTES)
        .search(Scope::Main, "bread")
        .finds("rye")
        .spoil("MEMORY.md")
        .write("MEMORY.md", "- Likes spelt bread.\n")
        .search(Scope::Main, "bread")
        .finds_nothing()
        .notices(&["files_unread"])
        .mend("MEMORY.md")
        .search(Scope::Main, "bread")
        .finds("spelt")
        .notices(&[])
        .end();
}

#[test]
fn a_room_is_told_of_its_own_file_that_cannot_be_read_and_of_no_other() {
    story("//- MEMORY.md\n- x\n//- rooms/kitchen.md\n- Bread on Fridays.\n")
        .spoil("MEMORY.md")
        .search(room("kitchen"), "bread")
        .finds("Bread")
        .notices(&[])
        .spoil("rooms/kitchen.md")
        .search(room("kitchen"), "bread")
        .finds_nothing()
        .notices(&["files_unread"])
        .end();
}

#[test]
fn line_ends_change_neither_places_nor_words() {
    let text = "# Food\n\n- Likes rye bread,\n  with caraway.\n- Dislikes coriander.\n";
    story("//- SOUL.md\nAda\n")
        .write("MEMORY.md", text)
        .search(Scope::Main, "caraway bread")
        .first_at("MEMORY.md#L3-L4")
        .write("MEMORY.md", text.replace('\n', "\r\n"))
        .search(Scope::Main, "caraway bread")
        .first_at("MEMORY.md#L3-L4")
        .finds("Likes rye bread,")
        .write("MEMORY.md", format!("\u{feff}{text}"))
        .search(Scope::Main, "food caraway")
        .first_at("MEMORY.md#L3-L4")
        .end();
}

#[test]
fn bytes_that_are_no_text_do_not_stop_a_search() {
    story(NOTES)
        .write("memory/2026-11-21.md", b"- rye \xff\xfe loaf\n- \0 and more\n")
        .write("memory/2026-11-18.md", [0xff, 0xfe, b'r', 0, b'y', 0, b'e', 0])
        .write("HEARTBEAT.md", "")
        .search(Scope::Main, "loaf")
        .finds("rye")
        .search(Scope::Main, "bread")
        .finds("rye")
        .notices(&[])
        .end();
}

/// A file on a disk whose time of change a test sets.
struct Disk {
    folder: tempfile::TempDir,
    clock: Arc<FakeClock>,
    agent: Agent,
}

const SECOND: u64 = 1_800_000_000;

impl Disk {
    fn with(text: &str, changed: Duration, now: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let files: Arc<dyn Files> = Arc::new(FsFiles::open(folder.path()).expect("open"));
        let clock = Arc::new(FakeClock::at(now));
        let agent = Agent::new(AgentPorts { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..parts(files) });
        fixture::put(folder.path(), "MEMORY.md", b"");
        let disk = Self { folder, clock, agent };
        disk.overwrite(text, changed);
        disk
    }

    /// Writes into the same file, as an editor that truncates does, and sets its time of change.
    fn overwrite(&self, text: &str, changed: Duration) {
        let path = self.folder.path().join("MEMORY.md");
        let mut file = File::options().write(true).truncate(true).open(path).expect("open");
        file.write_all(text.as_bytes()).expect("written");
        file.set_modified(SystemTime::UNIX_EPOCH + changed).expect("a time");
    }

    fn finds(&self, word: &str) -> bool {
        let search = Search {
            query: word,
            scope: &Scope::Main,
            limit: 10,
            budget_chars: None,
            bounds: Bounds::default(),
        };
        !self.agent.notes.search(&search).expect("an answer").hits.is_empty()
    }
}

#[test]
fn an_edit_of_the_same_size_in_the_same_second_is_found() {
    // A disk that counts seconds: 2027-01-15T08:00:00Z.
    let second = Duration::from_secs(SECOND);
    let disk = Disk::with("- rye\n", second, "2027-01-15T08:00:01Z");
    assert!(disk.finds("rye"));
    disk.overwrite("- oat\n", second);
    assert!(disk.finds("oat") && !disk.finds("rye"));
    disk.overwrite("- nut\n", second);
    disk.clock.set("2027-01-15T09:00:00Z");
    assert!(disk.finds("nut") && !disk.finds("oat"), "also when the next search comes an hour later");
}

#[test]
fn an_edit_of_the_same_size_within_a_clock_tick_is_found() {
    let tick = Duration::from_secs(SECOND) + Duration::from_millis(123);
    let disk = Disk::with("- rye\n", tick, "2027-01-15T08:00:00.150Z");
    assert!(disk.finds("rye"));
    disk.overwrite("- oat\n", tick);
    assert!(disk.finds("oat") && !disk.finds("rye"));
}

#[test]
fn a_time_of_change_in_the_past_or_the_future_does_not_hide_an_edit() {
    let disk = Disk::with("- rye\n", Duration::ZERO, "2027-01-15T08:00:00Z");
    assert!(disk.finds("rye"));
    disk.overwrite("- spelt\n", Duration::ZERO);
    assert!(disk.finds("spelt") && !disk.finds("rye"), "1970, of another size");
    let future = Duration::from_secs(SECOND * 2);
    disk.overwrite("- emmer\n", future);
    assert!(disk.finds("emmer"));
    disk.overwrite("- wheat\n", future);
    assert!(disk.finds("wheat") && !disk.finds("emmer"), "2084, of the same size");
}

/// A program that writes into the same file, keeps its size and sets its old time back (`touch -r`,
/// `rsync --inplace -t`) leaves size, time and inode as they were; the time of the inode's change tells.
#[test]
fn an_edit_whose_time_was_set_back_is_found() {
    let second = Duration::from_secs(SECOND);
    let disk = Disk::with("- rye\n", second, "2027-01-15T09:00:00Z");
    assert!(disk.finds("rye"));
    disk.overwrite("- oat\n", second);
    assert!(disk.finds("oat"));
}

/// What an older look found clean is looked at again beside what changed, and never skipped because its bytes stayed.
#[test]
fn a_file_that_an_older_look_found_clean_is_looked_at_again() {
    const OLDER: u64 = 8;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("index.db");
    let open = || SqliteIndex::open(&path).expect("an index").0;
    let shelf: Arc<dyn Files> =
        Arc::new(Shelf::of("//- MEMORY.md\n- Likes rye bread.\n//- notes/a.md\n- Bread.\n"));
    let asked = || {
        let agent = Agent::new(AgentPorts { index: Box::new(open()), ..parts(Arc::clone(&shelf)) });
        let search = Search {
            query: "bread",
            scope: &Scope::Main,
            limit: 5,
            budget_chars: None,
            bounds: Bounds::default(),
        };
        assert_eq!(agent.notes.search(&search).expect("an answer").hits.len(), 2);
        open().known(&SetKey::of(&Scope::Main)).expect("known")
    };
    let first = asked();
    let looks = |known: &KnownSet| known.files.iter().map(|file| file.clean_by).collect::<Vec<_>>();
    let relooked = first.files.iter().map(|file| (file.name.clone(), OLDER)).collect();
    let older = IndexUpdate { relooked, ..IndexUpdate::default() };
    open().apply(&SetKey::of(&Scope::Main), first.generation, older).expect("applied");
    assert_eq!(looks(&open().known(&SetKey::of(&Scope::Main)).expect("known")), [OLDER, OLDER]);
    assert_eq!(looks(&asked()), looks(&first));
}
