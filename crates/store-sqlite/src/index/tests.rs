//! What any index keeps to, and what this one does beside other threads and processes.

use super::*;

#[test]
fn the_index_keeps_the_contract_in_memory_and_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (claim, chapter)) in inwit_store::contract::chapters().iter().enumerate() {
        println_claim(claim);
        chapter(&SqliteIndex::in_memory().unwrap());
        chapter(&SqliteIndex::open(&folder.path().join(format!("{at}.db"))).unwrap().0);
    }
}

#[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
fn println_claim(claim: &str) {
    println!("{claim}");
}

#[test]
fn a_reader_keeps_its_state_while_another_process_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    let set = SetKey::of(&inwit_model::Scope::Main);
    let file = inwit_store::contract::file;
    let writer = SqliteIndex::open(&path).unwrap().0;
    let mut generation = 0;
    let mut add = |name: &str| {
        let files = vec![file(name, &["bread"])];
        generation = writer.apply(&set, generation, IndexUpdate { files, ..IndexUpdate::default() }).unwrap();
    };
    add("a.md");
    let reader = SqliteIndex::open(&path).unwrap().0;
    let snapshot = reader.snapshot(&set).unwrap();
    (0..20).for_each(|at| add(&format!("b{at}.md")));
    assert_eq!(snapshot.postings("bread").unwrap().len(), 1);
    drop(snapshot);
    assert_eq!(reader.snapshot(&set).unwrap().postings("bread").unwrap().len(), 21);
}

#[test]
fn threads_hold_snapshots_at_the_same_time_while_another_one_writes() {
    let folder = tempfile::tempdir().unwrap();
    let index = SqliteIndex::open(&folder.path().join("index.db")).unwrap().0;
    let set = SetKey::of(&inwit_model::Scope::Main);
    let add = |name: &str, generation| {
        let files = vec![inwit_store::contract::file(name, &["bread"])];
        index.apply(&set, generation, IndexUpdate { files, ..IndexUpdate::default() }).unwrap()
    };
    let mut generation = add("a.md", 0);
    let held = std::sync::Barrier::new(3);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let snapshot = index.snapshot(&set).unwrap();
                held.wait();
                held.wait();
                assert_eq!(snapshot.postings("bread").unwrap().len(), 1);
            });
        }
        held.wait();
        generation = add("b.md", generation);
        held.wait();
    });
    assert_eq!(index.snapshot(&set).unwrap().postings("bread").unwrap().len(), 2);
}

#[test]
fn no_more_connections_are_opened_than_are_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let index = SqliteIndex::open(&folder.path().join("index.db")).unwrap().0;
    let set = SetKey::of(&inwit_model::Scope::Main);
    let held: Vec<_> = (0..CONNECTIONS_MAX).map(|_| index.snapshot(&set).unwrap()).collect();
    let (asks, asked) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let index = &index;
        scope.spawn(move || {
            let snapshot = index.snapshot(&SetKey::of(&inwit_model::Scope::Main)).unwrap();
            asks.send(snapshot.corpus().len()).unwrap();
        });
        assert!(asked.try_recv().is_err(), "all connections are taken");
        drop(held);
        assert_eq!(asked.recv().unwrap(), 0);
    });
}

#[test]
fn a_file_that_another_process_put_there_is_followed_by_every_thread() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    let set = SetKey::of(&inwit_model::Scope::Main);
    let update = |name: &str| IndexUpdate {
        files: vec![inwit_store::contract::file(name, &["bread"])],
        ..IndexUpdate::default()
    };
    let index = SqliteIndex::open(&path).unwrap().0;
    index.apply(&set, 0, update("old.md")).unwrap();
    assert_eq!(index.known(&set).unwrap().files.len(), 1);
    let held = index.snapshot(&set).unwrap();
    database::remove_in_turn(&path).unwrap();
    SqliteIndex::open(&path).unwrap().0.apply(&set, 0, update("new.md")).unwrap();
    for _ in 0..2 {
        assert_eq!(index.known(&set).unwrap().files[0].name.as_str(), "new.md");
    }
    drop(held);
    assert_eq!(index.snapshot(&set).unwrap().corpus().files[0].name.as_str(), "new.md");
}

/// What is known is kept from one question to the next, and no longer than it holds.
#[test]
fn what_is_known_follows_every_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    let set = SetKey::of(&inwit_model::Scope::Main);
    let handles = [0, 1].map(|_| SqliteIndex::open(&path).unwrap().0);
    for at in 0..6 {
        let known = handles.each_ref().map(|handle| handle.known(&set).unwrap());
        assert_eq!(known[0], known[1]);
        assert_eq!(known[0].files.len(), at);
        let files = vec![inwit_store::contract::file(&format!("m{at}.md"), &["bread"])];
        let update = IndexUpdate { files, ..IndexUpdate::default() };
        handles[at % 2].apply(&set, known[0].generation, update).unwrap();
    }
    let name = SafeName::parse("m0.md").unwrap();
    let update = IndexUpdate { restamped: vec![(name.clone(), None)], ..IndexUpdate::default() };
    handles[0].apply(&set, 6, update).unwrap();
    for handle in &handles {
        assert_eq!(handle.known(&set).unwrap().find(&name).unwrap().stamp, None);
    }
}

#[test]
fn clearing_a_damaged_index_makes_it_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    let set = SetKey::of(&inwit_model::Scope::Main);
    let files: Vec<_> =
        (0..400).map(|at| inwit_store::contract::file(&format!("m_{at}.md"), &["bread"])).collect();
    SqliteIndex::open(&path)
        .unwrap()
        .0
        .apply(&set, 0, IndexUpdate { files, ..IndexUpdate::default() })
        .unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let length = bytes.len();
    bytes[4096..length].fill(0x5a);
    #[expect(clippy::disallowed_methods, reason = "the test damages a file")]
    std::fs::write(&path, bytes).unwrap();
    let index = SqliteIndex::open(&path).unwrap().0;
    assert!(matches!(index.known(&set), Err(IndexError::Damaged(_))));
    index.clear().unwrap();
    assert!(index.known(&set).unwrap().files.is_empty());
}
