//! Many commits at once, several writers at once, and what a writer that was killed leaves.

use std::sync::Arc;
use std::time::Instant;

use inwit_model::Code;
use inwit_workspace::History;
use inwit_workspace::history::{Commit, LogFilter, Rev};

use crate::name;
use crate::past::{Past, commit, past};
use crate::put;

fn many(label: &str, count: usize) -> Vec<Commit> {
    let one = |at: usize| {
        let file = format!("memory/{label}-{}.md", at % 30);
        let mut commit = commit("2026-11-21T12:00:00Z", &file, Some(&format!("{label} {at}\n").repeat(20)));
        commit.subject = format!("{label} {at}");
        commit
    };
    (0..count).map(one).collect()
}

fn subjects(past: &Past, label: &str) -> Vec<String> {
    let all = past.log().into_iter().rev().map(|one| one.subject);
    all.filter(|subject| subject.starts_with(label)).collect()
}

#[test]
fn a_thousand_receipts_are_a_thousand_commits_in_their_order() {
    let Some(past) = past() else { return };
    let batch = many("r", 1_000);
    let began = Instant::now();
    let oids = past.history.commit(&batch).expect("committed");
    let flushed = began.elapsed();
    let log = past.log();
    let told = began.elapsed() - flushed;
    report(&format!("1,000 commits in {flushed:?}, their log in {told:?}"));
    assert_eq!(log.len(), 1_001);
    let newest_last: Vec<_> = log.iter().rev().skip(1).map(|one| one.oid).collect();
    assert_eq!(newest_last, oids);
    assert_eq!(subjects(&past, "r"), batch.iter().map(|one| one.subject.clone()).collect::<Vec<_>>());
    past.is_whole();
}

/// A figure for who reads along; how fast a machine is decides no test.
#[expect(clippy::print_stderr, reason = "a figure that nobody sees was not measured")]
fn report(figure: &str) {
    eprintln!("measured: {figure}");
}

#[test]
fn a_change_of_nothing_is_a_commit_all_the_same() {
    let Some(past) = past() else { return };
    past.keeps("2026-11-21T12:00:00Z", "MEMORY.md", "x\n");
    past.keeps("2026-11-21T13:00:00Z", "MEMORY.md", "x\n");
    let nothing = Commit { changes: Vec::new(), ..commit("2026-11-21T14:00:00Z", "MEMORY.md", None) };
    past.history.commit(&[nothing]).expect("committed");
    assert_eq!(past.log().len(), 4);
    let changed = LogFilter { name: Some(name("MEMORY.md")), ..LogFilter::newest(9) };
    assert_eq!(past.history.log(&changed).expect("a log").len(), 1);
}

#[test]
fn writers_at_the_same_time_lose_no_commit() {
    let Some(past) = past() else { return };
    let (writers, flushes, each) = (4, 6, 5);
    std::thread::scope(|scope| {
        for writer in 0..writers {
            let history = History::open(&past.git_dir()).expect("ours").expect("there");
            scope.spawn(move || {
                for flush in 0..flushes {
                    history.commit(&many(&format!("w{writer} f{flush} c"), each)).expect("committed");
                }
            });
        }
    });
    for writer in 0..writers {
        let label = format!("w{writer}");
        let wanted: Vec<String> = (0..flushes)
            .flat_map(|flush| (0..each).map(move |at| format!("w{writer} f{flush} c {at}")))
            .collect();
        assert_eq!(subjects(&past, &label), wanted);
    }
    past.is_whole();
}

#[test]
fn commits_of_a_person_between_our_flushes_and_during_them_stay() {
    let Some(past) = past() else { return };
    let persons = 30;
    std::thread::scope(|scope| {
        let person = scope.spawn(|| {
            let mut made = 0;
            while made < persons {
                let tip = past.git(&["rev-parse", "main"]);
                let subject = format!("ana {made}");
                let new = past.git(&["commit-tree", "-p", &tip, "-m", &subject, &format!("{tip}^{{tree}}")]);
                let moved = past.try_git(&["update-ref", "refs/heads/main", &new, &tip]);
                made += usize::from(moved.status.success());
            }
        });
        let mut flush = 0;
        while !person.is_finished() || flush < 10 {
            past.history.commit(&many(&format!("inwit {flush}"), 2)).expect("committed");
            flush += 1;
        }
        person.join().expect("the person is done");
        assert_eq!(subjects(&past, "inwit").len(), flush * 2);
    });
    assert_eq!(subjects(&past, "ana"), (0..persons).map(|at| format!("ana {at}")).collect::<Vec<_>>());
    let ana = past.log().into_iter().find(|one| one.subject == "ana 3").expect("told");
    assert_eq!((ana.actor.as_str(), ana.receipt), ("Ana", None));
    past.is_whole();
}

#[test]
fn what_a_killed_git_left_stands_in_nobodys_way() {
    let Some(past) = past() else { return };
    past.keeps("2026-11-21T12:00:00Z", "MEMORY.md", "x\n");
    for left in
        ["refs/heads/main.lock", "HEAD.lock", "index.lock", "fast_import_crash_1", "objects/pack/tmp_pack_x"]
    {
        put(&past.git_dir(), left, b"left");
    }
    put(&past.git_dir(), "HEAD", b"0123456789abcdef0123456789abcdef01234567\n");
    past.keeps("2026-11-21T13:00:00Z", "MEMORY.md", "y\n");
    put(&past.git_dir(), "HEAD", b"ref: refs/heads/main\n");
    past.keeps("2026-11-21T14:00:00Z", "MEMORY.md", "z\n");
    assert_eq!(past.shows(&Rev::Tip, "MEMORY.md").as_deref(), Some("z\n"));
    for gone in ["refs/heads/main.lock", "HEAD.lock", "fast_import_crash_1", "objects/pack/tmp_pack_x"] {
        assert!(!past.git_dir().join(gone).exists(), "{gone}");
    }
    past.is_whole();
}

#[test]
fn a_history_whose_branch_is_gone_says_so_and_begins_no_second_one() {
    let Some(past) = past() else { return };
    past.git(&["update-ref", "-d", "refs/heads/main"]);
    let error = past.history.commit(&many("r", 1)).expect_err("refused");
    assert_eq!(error.code(), Code::HistoryFailed);
    assert!(error.to_string().contains("`main`"), "{error}");
    assert_eq!(past.git(&["for-each-ref"]), "");
}

#[test]
fn many_small_flushes_are_joined_and_nothing_is_lost() {
    let Some(past) = past() else { return };
    for at in 0..40 {
        past.keeps("2026-11-21T12:00:00Z", "MEMORY.md", &format!("{at}\n"));
    }
    let before = past.log();
    assert!(past.history.pack().expect("packed"));
    assert!(!past.history.pack().expect("nothing to do"));
    assert_eq!(past.log(), before);
    past.is_whole();
}

#[test]
fn two_founders_make_one_history() {
    let Some(past) = past() else { return };
    let place = past.folder.path().join("new.git");
    let draft = past.folder.path().join("new.git.inwit-draft");
    put(&draft, "HEAD", b"left by a crash");
    let place = &Arc::new(place);
    let tips: Vec<_> = std::thread::scope(|scope| {
        let found = move |at: i64| {
            let moment = jiff::Timestamp::from_second(at).expect("a moment");
            History::open_or_init(place, moment).expect("a history").tip().expect("a tip")
        };
        let founders: Vec<_> = (0..4).map(|at| scope.spawn(move || found(at))).collect();
        founders.into_iter().map(|founder| founder.join().expect("founded")).collect()
    });
    assert!(tips.iter().all(|tip| *tip == tips[0]), "{tips:?}");
    assert!(!draft.exists());
    let left = std::fs::read_dir(past.folder.path()).expect("listed").flatten();
    assert_eq!(left.filter(|entry| entry.file_name().to_string_lossy().contains("draft")).count(), 0);
}

/// The git of an inwit that was killed lives on for a moment and takes away the lock it made.
#[test]
fn a_git_that_outlived_its_inwit_disturbs_no_new_draft() {
    let Some(past) = past() else { return };
    let place = past.folder.path().join("new.git");
    let stop = std::sync::atomic::AtomicBool::new(false);
    let old = past.folder.path().join("new.git.inwit-draft");
    let moment = jiff::Timestamp::from_second(1).expect("a moment");
    let founded = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let _ = std::fs::create_dir_all(old.join("objects"));
                let _ = std::fs::create_dir(old.join("config.lock"));
                let _ = std::fs::remove_dir(old.join("config.lock"));
            }
        });
        let founded = (0..20).all(|_| {
            let made = History::open_or_init(&place, moment).is_ok();
            std::fs::remove_dir_all(&place).is_ok() && made
        });
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        founded
    });
    assert!(founded);
}
