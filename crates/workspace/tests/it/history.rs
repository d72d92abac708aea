//! What a history keeps and gives back: bytes, moments, sessions, and who wrote a line.

use std::sync::Arc;

use inwit_model::Code;
use inwit_workspace::history::{Author, Commit, History, LogFilter, Rev, trailer};

use crate::name;
use crate::past::{FOUNDED, commit, has_git, moment, names, past};

/// Proves X55.
#[test]
fn bytes_come_back_exactly_from_every_state() {
    let Some(past) = past() else { return };
    let states: Vec<Vec<u8>> = vec![
        b"\xef\xbb\xbfI am Ada.\r\nI bake.\r\n".to_vec(),
        b"no last line end".to_vec(),
        b"\xff\xfe\x00broken\n".to_vec(),
        b"".to_vec(),
        b"from main\ndone\ncommit refs/heads/main\n".to_vec(),
        vec![b'x'; 3_000_000],
    ];
    let commits = states.iter().map(|bytes| Commit {
        changes: vec![(name("memory/notes of Ana.md"), Some(Arc::from(bytes.as_slice())))],
        ..commit("2026-11-21T12:00:00Z", "SOUL.md", None)
    });
    let oids = past.history.commit(&commits.collect::<Vec<_>>()).expect("committed");
    for (oid, bytes) in oids.iter().zip(&states) {
        let shown = past.history.show(&Rev::Commit(*oid), &name("memory/notes of Ana.md")).expect("shown");
        assert!(shown.as_ref() == Some(bytes), "{oid}");
    }
    assert_eq!(past.history.show(&Rev::Tip, &name("memory")).expect("a folder is no file"), None);
    assert_eq!(past.history.show(&Rev::Tip, &name("SOUL.md")).expect("absent"), None);
    past.is_whole();
}

#[test]
fn a_file_that_went_is_gone_from_then_on_and_an_archive_keeps_its_name() {
    let Some(past) = past() else { return };
    let born = past.keeps("2026-11-21T12:00:00Z", "BOOTSTRAP.md", "Who are you?\n");
    let archive = "BOOTSTRAP.md.done.20261121T130000Z";
    let mut renamed = commit("2026-11-21T13:00:00Z", "BOOTSTRAP.md", None);
    renamed.changes.push((name(archive), Some(Arc::from(b"Who are you?\n".as_slice()))));
    // What never stood may be removed: an import can begin with it.
    renamed.changes.push((name("USER.md"), None));
    past.history.commit(&[renamed]).expect("committed");
    assert_eq!(names(&past.history.names(&Rev::Commit(born)).expect("names")), ["BOOTSTRAP.md"]);
    assert_eq!(names(&past.history.names(&Rev::Tip).expect("names")), [archive]);
    assert_eq!(past.shows(&Rev::Tip, "BOOTSTRAP.md"), None);
    assert_eq!(names(&past.log()[0].names), ["BOOTSTRAP.md", archive]);
}

#[test]
fn the_log_is_newest_first_and_begins_with_the_founding() {
    let Some(past) = past() else { return };
    let mut told = commit("2026-11-21T12:00:00.123456789Z", "MEMORY.md", Some("- Rye.\n"));
    told.body = "Two snippets:\n  - rye\n\n  - spelt".to_owned();
    told.trailers.extend([(trailer::PROPOSAL, "prop-7".to_owned()), (trailer::TAINT, "web".to_owned())]);
    past.history.commit(&[told.clone()]).expect("committed");
    let log = past.log();
    let subjects: Vec<&str> = log.iter().map(|one| one.subject.as_str()).collect();
    assert_eq!(subjects, ["write MEMORY.md", "workspace init"]);
    assert_eq!((log[0].at, &log[0].body, log[0].actor.as_str()), (told.at, &told.body, "agent"));
    assert_eq!(log[0].receipt.as_deref(), Some("rcpt-2026-11-21T12:00:00.123456789Z"));
    assert_eq!(log[0].session.as_deref(), Some("sess-2026-11-21"));
    assert_eq!((log[0].proposal.as_deref(), log[0].taint.as_deref()), (Some("prop-7"), Some("web")));
    assert_eq!((log[1].at, log[1].actor.as_str()), (moment(FOUNDED), "inwit"));
    assert!(log[1].names.is_empty() && log[1].receipt.is_none());
}

#[test]
fn the_log_answers_by_file_session_and_receipt() {
    let Some(past) = past() else { return };
    for day in 10..20 {
        past.keeps(&format!("2026-11-{day}T12:00:00Z"), "MEMORY.md", &format!("{day}\n"));
        past.keeps(&format!("2026-11-{day}T13:00:00Z"), &format!("memory/2026-11-{day}.md"), "x\n");
    }
    // A value that only begins alike, and a body that claims the line, are other commits.
    let mut liar = commit("2026-11-20T12:00:00Z", "USER.md", Some("y\n"));
    liar.trailers = vec![(trailer::SESSION, "sess-2026-11-1".to_owned())];
    liar.body = "Inwit-Session: sess-2026-11-12\nInwit-Receipt: rcpt-2026-11-12T12:00:00Z".to_owned();
    past.history.commit(&[liar]).expect("committed");
    let log = |filter: LogFilter| {
        let log = past.history.log(&filter).expect("a log");
        log.into_iter().map(|one| one.at.to_string()).collect::<Vec<_>>()
    };
    let newest = |limit| LogFilter::newest(limit);
    assert_eq!(log(newest(1)), ["2026-11-20T12:00:00Z"]);
    assert_eq!(log(newest(0)), Vec::<String>::new());
    let of_file = log(LogFilter { name: Some(name("MEMORY.md")), ..newest(3) });
    assert_eq!(of_file, ["2026-11-19T12:00:00Z", "2026-11-18T12:00:00Z", "2026-11-17T12:00:00Z"]);
    let of_session = log(LogFilter { session: Some("sess-2026-11-12".to_owned()), ..newest(9) });
    assert_eq!(of_session, ["2026-11-12T13:00:00Z", "2026-11-12T12:00:00Z"]);
    let receipt = Some("rcpt-2026-11-12T12:00:00Z".to_owned());
    assert_eq!(log(LogFilter { receipt, ..newest(9) }), ["2026-11-12T12:00:00Z"]);
    let both = LogFilter { session: Some("sess-2026-11-12".to_owned()), ..newest(9) };
    let both = LogFilter { name: Some(name("memory/2026-11-12.md")), ..both };
    assert_eq!(log(both), ["2026-11-12T13:00:00Z"]);
    assert_eq!(log(LogFilter { name: Some(name("AGENTS.md")), ..newest(9) }), Vec::<String>::new());
}

/// Proves X55.
#[test]
fn a_moment_finds_the_state_that_it_saw() {
    let Some(past) = past() else { return };
    let first = past.keeps("2026-11-21T12:00:00.250Z", "MEMORY.md", "1\n");
    let second = past.keeps("2026-11-21T12:00:00.750Z", "MEMORY.md", "2\n");
    let at = |text: &str| past.history.at(moment(text)).expect("asked");
    assert_eq!(at("2026-10-31T23:59:59Z"), None);
    assert_eq!(at("1950-01-01T00:00:00Z"), None);
    assert_ne!(at("2026-11-21T12:00:00.249Z"), Some(first));
    assert_eq!(at("2026-11-21T12:00:00.250Z"), Some(first));
    assert_eq!(at("2026-11-21T12:00:00.749Z"), Some(first));
    assert_eq!(at("2026-11-21T12:00:00.750Z"), Some(second));
    assert_eq!(at("9999-01-01T00:00:00Z"), Some(second));
}

#[test]
fn moments_that_git_does_not_know_are_kept() {
    let Some(past) = past() else { return };
    let moments = ["-009999-01-02T01:59:59Z", "1969-12-31T23:59:59.5Z", "9999-12-30T22:00:00.999999999Z"];
    let commits: Vec<Commit> = moments.iter().map(|at| commit(at, "MEMORY.md", Some(at))).collect();
    let oids = past.history.commit(&commits).expect("committed");
    let log = past.log();
    let told: Vec<_> = log.iter().rev().skip(1).map(|one| one.at).collect();
    assert_eq!(told, moments.map(moment));
    assert_eq!(past.history.at(moment("1969-12-31T23:59:59.6Z")).expect("asked"), Some(oids[1]));
    past.is_whole();
}

/// Proves X55.
#[test]
fn blame_names_the_change_that_brought_each_line() {
    let Some(past) = past() else { return };
    past.keeps("2026-11-21T12:00:00Z", "MEMORY.md", "a\r\nb\r\nc");
    past.keeps("2026-11-21T13:00:00Z", "MEMORY.md", "new\r\na\r\nb\r\nc");
    let mut third = commit("2026-11-21T14:00:00Z", "MEMORY.md", Some("new\r\na\r\nB\r\nc"));
    third.actor = "ana".to_owned();
    third.trailers.push((trailer::PROPOSAL, "prop-1".to_owned()));
    let third = past.history.commit(&[third]).expect("committed")[0];
    let blame = |lines| past.history.blame(&name("MEMORY.md"), lines).expect("blamed");
    let all = blame(None);
    let hours: Vec<(usize, &str, i8)> = all
        .iter()
        .map(|one| (one.line, one.text.as_str(), one.at.to_zoned(jiff::tz::TimeZone::UTC).hour()))
        .collect();
    assert_eq!(hours, [(1, "new", 13), (2, "a", 12), (3, "B", 14), (4, "c", 12)]);
    assert_eq!((all[2].oid, all[2].actor.as_str()), (third, "ana"));
    assert_eq!(all[2].proposal.as_deref(), Some("prop-1"));
    assert_eq!(all[3].receipt.as_deref(), Some("rcpt-2026-11-21T12:00:00Z"));
    assert_eq!(all[3].session.as_deref(), Some("sess-2026-11-21"));
    assert_eq!(blame(Some(2..=3)), all[1..3]);
    assert_eq!(blame(Some(0..=99)), all);
    assert!(blame(Some(5..=9)).is_empty());
    assert!(past.history.blame(&name("USER.md"), None).expect("no such file").is_empty());
}

#[test]
fn a_difference_is_of_one_file_or_of_all() {
    let Some(past) = past() else { return };
    let first = past.keeps("2026-11-21T12:00:00Z", "MEMORY.md", "- Rye.\n");
    past.keeps("2026-11-21T13:00:00Z", "USER.md", "Ana\n");
    past.keeps("2026-11-21T14:00:00Z", "MEMORY.md", "- Spelt.\n");
    let (from, to) = (Rev::Commit(first), Rev::Tip);
    let memory = "--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1 +1 @@\n-- Rye.\n+- Spelt.\n";
    let user = "--- /dev/null\n+++ b/USER.md\n@@ -0,0 +1 @@\n+Ana\n";
    let diff = |file: Option<&str>| past.history.diff(&from, &to, file.map(name).as_ref()).expect("a diff");
    assert_eq!(diff(Some("MEMORY.md")), memory);
    assert_eq!(diff(None), format!("{memory}{user}"));
    assert_eq!(past.history.diff(&to, &to, None).expect("a diff"), "");
    assert_eq!(diff(Some("SOUL.md")), "");
}

#[test]
fn a_commit_is_found_by_its_first_digits_and_by_nothing_else() {
    let Some(past) = past() else { return };
    let oid = past.keeps("2026-11-21T12:00:00Z", "MEMORY.md", "x\n");
    let short = Rev::parse(&oid.short()).expect("digits");
    assert_eq!(past.shows(&short, "MEMORY.md").as_deref(), Some("x\n"));
    let code = |rev: &str| {
        let rev = Rev::parse(rev).expect("digits");
        past.history.show(&rev, &name("MEMORY.md")).expect_err("refused").code()
    };
    assert_eq!(code("0123456789abcdef0123456789abcdef01234567"), Code::RevisionUnknown);
    // A tree is no commit, and a branch is not found by its name.
    assert_eq!(code(&past.git(&["rev-parse", "main^{tree}"])), Code::RevisionUnknown);
    past.git(&["branch", "beef", "main"]);
    assert_eq!(code("beef"), Code::RevisionUnknown);
}

/// Proves X55.
#[test]
fn a_profile_may_put_its_own_name_on_commits_and_the_actor_stays() {
    if !has_git() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join(".git");
    let fixed = Author::Fixed { name: "agent".to_owned(), email: "agent@localhost".to_owned() };
    let history = History::open_or_init(&place, moment(FOUNDED)).expect("made").signed_by(fixed);
    history.commit(&[commit("2026-11-21T12:00:00Z", "MEMORY.md", Some("x\n"))]).expect("committed");
    let raw = crate::past::git(&place, &["log", "-1", "--format=%an <%ae> %cn <%ce>"]);
    let raw = String::from_utf8(raw.stdout).expect("text");
    assert_eq!(raw.trim(), "agent <agent@localhost> agent <agent@localhost>");
    assert_eq!(history.log(&LogFilter::newest(1)).expect("a log")[0].actor, "agent");
    assert!(History::open(&place).expect("ours").is_some());
}

#[test]
fn a_history_that_was_not_made_yet_is_none_and_an_empty_flush_makes_nothing() {
    let Some(past) = past() else { return };
    assert!(History::open(&past.folder.path().join("other.git")).expect("looked").is_none());
    assert_eq!(past.history.commit(&[]).expect("nothing"), []);
    let again = History::open_or_init(&past.git_dir(), moment("2027-01-01T00:00:00Z")).expect("opened");
    assert_eq!(again.tip().expect("a tip"), past.history.tip().expect("a tip"));
    assert_eq!(past.log().len(), 1);
}
