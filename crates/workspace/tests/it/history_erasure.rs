//! A history without words that are forgotten: other names, the same story, and no object of before.

use std::sync::Arc;

use inwit_model::SafeName;
use inwit_workspace::history::{Commit, History, LogFilter, Rev, trailer};

const WORD: &[u8] = b"zorblax";

/// Lines that hold the word become `[gone]`.
fn without(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let holds = text.contains("zorblax");
    let line = |line: &str| if line.contains("zorblax") { "[gone]\n".to_owned() } else { line.to_owned() };
    holds.then(|| text.split_inclusive('\n').map(line).collect::<String>().into_bytes())
}

fn name(text: &str) -> SafeName {
    SafeName::parse(text).expect("a name")
}

fn commit(number: usize, file: &str, text: &str, body: &str) -> Commit {
    let bytes: Arc<[u8]> = text.as_bytes().into();
    Commit {
        subject: format!("put {file}"),
        body: body.to_owned(),
        at: format!("2026-11-21T14:03:0{number}.123456789Z").parse().expect("a moment"),
        actor: "agent".to_owned(),
        trailers: vec![(trailer::RECEIPT, format!("rcpt-{number}"))],
        changes: vec![(name(file), Some(bytes))],
    }
}

fn telling(folder: &std::path::Path) -> Option<History> {
    if !inwit_testkit::has_git() {
        return None;
    }
    let founded = "2026-11-01T00:00:00Z".parse().expect("a moment");
    let history = History::open_or_init(&folder.join("history.git"), founded).expect("a history");
    history
        .commit(&[
            commit(1, "USER.md", "- Ana\n", ""),
            commit(2, "MEMORY.md", "- rye\n- the zorblax\n", "the zorblax, said Ana"),
            commit(3, "MEMORY.md", "- rye\n", ""),
        ])
        .expect("committed");
    Some(history)
}

fn stands(history: &History) -> usize {
    let mut found = 0;
    history
        .each_object(&mut |_, bytes| found += usize::from(bytes.windows(WORD.len()).any(|part| part == WORD)))
        .expect("looked through");
    found
}

/// Proves X10.
#[test]
fn a_rewritten_history_tells_the_same_without_the_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(history) = telling(folder.path()) else { return };
    let before = history.log(&LogFilter::newest(9)).expect("a log");
    assert!(stands(&history) >= 2);
    assert_eq!(history.holding(&without).expect("counted").commits, 1);
    let held = history.rewrite(&without).expect("rewritten");
    assert_eq!((held.commits, held.objects), (1, 2));
    assert_eq!(stands(&history), 0, "neither reachable nor left behind");
    assert_eq!(history.holding(&without).expect("counted").commits, 0);
    let after = history.log(&LogFilter::newest(9)).expect("a log");
    let told = |log: &[inwit_workspace::history::Logged]| -> Vec<_> {
        log.iter()
            .map(|one| {
                (one.at, one.subject.clone(), one.actor.clone(), one.receipt.clone(), one.names.clone())
            })
            .collect()
    };
    assert_eq!(told(&before), told(&after));
    assert_eq!(after[1].body, "[gone]");
    let renamed = history.renames().expect("names");
    let expected: Vec<(String, String)> = before
        .iter()
        .zip(&after)
        .filter(|(old, new)| old.oid != new.oid)
        .map(|(old, new)| (old.oid.to_string(), new.oid.to_string()))
        .rev()
        .collect();
    assert_eq!(renamed, expected);
    assert_eq!(renamed.len(), 2, "what came before the words has its name still");
    let shown = history.show(&Rev::Commit(after[1].oid), &name("MEMORY.md")).expect("shown");
    assert_eq!(shown.as_deref(), Some(b"- rye\n[gone]\n".as_slice()));
    history.renamed().expect("taken up");
    assert_eq!(history.renames().expect("names"), []);
    // It goes on.
    history.commit(&[commit(4, "MEMORY.md", "- rye\n- oat\n", "")]).expect("committed");
    assert_eq!(history.log(&LogFilter::newest(9)).expect("a log").len(), before.len() + 1);
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("listed").flatten().collect();
    assert_eq!(left.len(), 1, "nothing lies beside it");
}

/// A commit that died half-way leaves objects that no commit reaches: they are looked through, and go with the old history.
#[test]
fn what_no_commit_reaches_is_looked_through_and_goes_when_history_is_rewritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(history) = telling(folder.path()) else { return };
    let before = stands(&history);
    let git_dir = folder.path().join("history.git");
    let head = std::fs::read_to_string(git_dir.join("HEAD")).expect("a head");
    let branch = head.trim().strip_prefix("ref: ").expect("a branch");
    let tip = std::fs::read_to_string(git_dir.join(branch)).expect("a tip");
    history.commit(&[commit(4, "MEMORY.md", "- the zorblax again\n", "")]).expect("committed");
    inwit_testkit::fixture::put(&git_dir, branch, tip.as_bytes());
    assert_eq!(history.log(&LogFilter::newest(9)).expect("a log").len(), 4, "no commit reaches it");
    assert_eq!(stands(&history), before + 1);
    history.rewrite(&without).expect("rewritten");
    assert_eq!(stands(&history), 0);
}

#[test]
fn half_a_new_history_is_cleared_away_and_the_old_one_stands() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(history) = telling(folder.path()) else { return };
    // As a process that was killed leaves it.
    let draft = folder.path().join("history.git.inwit-draft");
    inwit_testkit::fixture::put(&draft, "objects/pack/tmp_pack_x", WORD);
    assert_eq!(history.log(&LogFilter::newest(9)).expect("a log").len(), 4);
    history.rewrite(&without).expect("rewritten");
    assert!(!draft.exists());
    assert_eq!(stands(&history), 0);
}

/// Who looks at a history with git may stand on a branch of their own.
#[test]
fn a_rewritten_history_stands_on_the_branch_of_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(history) = telling(folder.path()) else { return };
    let head = "ref: refs/heads/notes\n";
    inwit_testkit::fixture::put(&folder.path().join("history.git"), "HEAD", head.as_bytes());
    history.rewrite(&without).expect("rewritten");
    let after = std::fs::read_to_string(folder.path().join("history.git/HEAD"));
    assert_eq!(after.expect("a head"), head);
}

/// A history of which git cannot read all is not rewritten into half of it.
#[test]
fn a_history_that_cannot_be_read_to_its_end_is_not_rewritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(history) = telling(folder.path()) else { return };
    let git_dir = folder.path().join("history.git");
    let head = std::fs::read_to_string(git_dir.join("HEAD")).expect("a head");
    let branch = head.trim().strip_prefix("ref: ").expect("a branch");
    // A commit that is nowhere.
    inwit_testkit::fixture::put(&git_dir, branch, format!("{}\n", "1".repeat(40)).as_bytes());
    let before = stands(&history);
    assert!(history.holding(&without).is_err());
    assert!(history.rewrite(&without).is_err());
    assert_eq!(stands(&history), before, "the old one stands");
}

/// A writer that is at work is waited for: its commit would be lost with the old history.
#[test]
fn a_history_that_is_written_to_is_not_rewritten_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(before) = telling(folder.path()) else { return };
    let git_dir = folder.path().join("history.git");
    let founded = "2026-11-01T00:00:00Z".parse().expect("a moment");
    let hasty = History::open_or_init_within(&git_dir, founded, std::time::Duration::ZERO).expect("opened");
    let writer = std::fs::File::options().write(true).open(git_dir.join("inwit.lock")).expect("a lock");
    writer.try_lock().expect("nobody has it");
    let refused = hasty.rewrite(&without).expect_err("somebody writes");
    assert_eq!(refused.code(), inwit_model::Code::Locked);
    assert!(stands(&before) >= 2);
    drop(writer);
    hasty.rewrite(&without).expect("rewritten");
}
