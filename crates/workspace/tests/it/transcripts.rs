//! Transcripts on a disk: begun once, only ever longer, whole after any stop, and read in bounded memory.

use std::ops::ControlFlow;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inwit_model::limit::TRANSCRIPT_LINE_BYTES_MAX;
use inwit_model::{Code, Scope, SessionId};
use inwit_testkit::{fixture, room};
use inwit_workspace::Transcripts;
use inwit_workspace::transcripts::{Record, Redaction, Role, Said, SessionHeader};
use jiff::Timestamp;
use tempfile::TempDir;

const DAY_S: i64 = 86_400;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_795_269_780 + second).expect("a moment")
}

fn id(text: &str) -> SessionId {
    SessionId::parse(text).expect("an id")
}

fn header(session: &str) -> SessionHeader {
    SessionHeader::new(&id(session), at(0), "kate", "cli", Scope::Main)
}

fn said(second: i64, content: &str) -> Record {
    Record::Said(Said {
        timestamp: at(second),
        role: Role::User,
        content: content.to_owned(),
        message_id: None,
        source_plugin: "cli".into(),
        sender_id: None,
    })
}

fn open(folder: &TempDir) -> (Transcripts, PathBuf) {
    let path = folder.path().join("transcripts");
    (Transcripts::open_or_make(&path).expect("opened"), path)
}

/// What was said in a session, and how many lines were passed over.
fn heard(transcripts: &Transcripts, session: &str) -> (Vec<String>, u64) {
    let mut contents = Vec::new();
    let scan = transcripts.read(&id(session), 0, &mut |record, _| {
        if let Record::Said(said) = record {
            contents.push(said.content);
        }
        ControlFlow::Continue(())
    });
    let scan = scan.expect("read");
    assert_eq!(scan.entries, contents.len() as u64);
    (contents, scan.skips.total())
}

fn recent(transcripts: &Transcripts, session: &str, limit: usize) -> Vec<String> {
    let mut content = |record| match record {
        Record::Said(said) => Some(said.content),
        Record::Compaction { .. } => None,
    };
    transcripts.recent(&id(session), limit, &mut content).expect("read").0
}

/// Proves N16, N18, X53.
#[test]
fn a_session_is_one_file_of_json_lines_that_only_grows_however_many_days_it_lasts() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    let mut before = Vec::new();
    for day in 0..5 {
        transcripts.append(&header("s1"), &[said(day * DAY_S, "bread")]).expect("appended");
        // Each run of the program opens the folder anew.
        let (_, _) = open(&folder);
        let now = std::fs::read(path.join("s1.jsonl")).expect("there");
        assert!(now.starts_with(&before) && now.len() > before.len());
        before = now;
    }
    let names: Vec<_> =
        std::fs::read_dir(&path).expect("a folder").map(|one| one.expect("one").file_name()).collect();
    assert_eq!(names, ["s1.jsonl"]);
    let text = String::from_utf8(before).expect("UTF-8");
    assert_eq!(text.lines().count(), 6);
    for line in text.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).expect("JSON").is_object());
    }
}

#[test]
fn eight_that_begin_one_session_at_once_make_one_header_and_lose_no_entry() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, path) = open(&folder);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let path = &path;
            scope.spawn(move || {
                let transcripts = Transcripts::open_or_make(path).expect("opened");
                for turn in 0..20 {
                    let content = format!("{writer}-{turn} {}", "x".repeat(writer * 9_000));
                    transcripts.append(&header("s1"), &[said(turn, &content)]).expect("appended");
                }
            });
        }
    });
    let transcripts = Transcripts::open(&path).expect("opened");
    let (contents, skipped) = heard(&transcripts, "s1");
    assert_eq!((contents.len(), skipped), (160, 0));
    let text = std::fs::read_to_string(path.join("s1.jsonl")).expect("text");
    assert_eq!(text.matches("\"type\":\"session\"").count(), 1);
    assert!(text.starts_with("{\"type\":\"session\""));
    // Of each writer, its turns stand in its order.
    for writer in 0..8 {
        let own: Vec<&String> =
            contents.iter().filter(|one| one.starts_with(&format!("{writer}-"))).collect();
        let expected = |turn: usize| format!("{writer}-{turn} ");
        assert!(own.iter().enumerate().all(|(turn, one)| one.starts_with(&expected(turn))));
    }
}

#[test]
fn a_write_that_stopped_at_any_byte_loses_only_its_own_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    transcripts.append(&header("s1"), &[said(0, "one"), said(1, "two\n🍞")]).expect("appended");
    let whole = std::fs::read(path.join("s1.jsonl")).expect("there");
    let ends: Vec<usize> =
        whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    for cut in 1..=whole.len() {
        fixture::put(&path, "s1.jsonl", &whole[..cut]);
        let kept = ends.iter().filter(|end| **end <= cut).count();
        let is_torn = kept == 0 || ends[kept - 1] != cut;
        let done = transcripts.append(&header("s1"), &[said(2, "three")]).expect("appended");
        assert_eq!((done.repaired, done.begun), (is_torn, kept == 0), "cut at {cut}");
        let now = std::fs::read(path.join("s1.jsonl")).expect("there");
        assert!(now.starts_with(&whole[..cut]), "cut at {cut}: what stood there still stands");
        assert_eq!(now.len() as u64, done.bytes);
        // Where only the line end is missing, the append itself gives it.
        let is_saved = kept > 0 && ends.contains(&(cut + 1));
        let entries = (kept + usize::from(is_saved)).saturating_sub(1);
        let mut expected = vec!["one".to_owned(), "two\n🍞".to_owned()];
        expected.truncate(entries);
        expected.push("three".to_owned());
        let skipped = u64::from(is_torn && !is_saved);
        let (contents, passed_over) = heard(&transcripts, "s1");
        assert_eq!((&contents, passed_over), (&expected, skipped), "cut at {cut}");
        assert_eq!(recent(&transcripts, "s1", 9), contents, "cut at {cut}");
        assert!(transcripts.header(&id("s1")).expect("read").is_some(), "cut at {cut}");
    }
}

#[test]
fn reading_reports_what_it_passes_over_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    transcripts.append(&header("s1"), &[said(0, "one")]).expect("appended");
    let mut bytes = std::fs::read(path.join("s1.jsonl")).expect("there");
    bytes.extend(b"{\"type\":\"reaction\",\"emoji\":\"x\"}\nnot json\n\xff\n");
    bytes.extend(vec![b'x'; TRANSCRIPT_LINE_BYTES_MAX + 1]);
    bytes.extend(b"\n{\"type\":\"entry\",\"time");
    fixture::put(&path, "s1.jsonl", &bytes);
    let scan = transcripts.read(&id("s1"), 0, &mut |_, _| ControlFlow::Continue(())).expect("read");
    assert_eq!((scan.entries, scan.skips.unknown, scan.skips.bad, scan.skips.too_long), (1, 1, 3, 1));
    assert_eq!(scan.consumed, bytes.len() as u64 - 21, "the torn line is not consumed");
    assert_eq!(recent(&transcripts, "s1", 9), ["one"]);
    assert_eq!(std::fs::read(path.join("s1.jsonl")).expect("there"), bytes);
}

#[test]
fn of_a_transcript_larger_than_any_memory_only_the_end_is_read_for_what_is_recent() {
    const GAP_BYTES: u64 = 1 << 40;
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    transcripts.append(&header("s1"), &[said(0, "long ago")]).expect("appended");
    let file = std::fs::OpenOptions::new().write(true).open(path.join("s1.jsonl")).expect("opened");
    // A hole costs no space on the disk, but reading it whole would take this test hours.
    file.write_all_at(b"\n", GAP_BYTES).expect("written");
    transcripts.append(&header("s1"), &[said(1, "one"), said(2, "two"), said(3, "three")]).expect("appended");
    assert_eq!(recent(&transcripts, "s1", 2), ["two", "three"]);
    assert!(transcripts.header(&id("s1")).expect("read").is_some());
}

#[test]
fn transcripts_are_for_the_owner_only_and_lead_nowhere_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    transcripts.append(&header("s1"), &[said(0, "one")]).expect("appended");
    let mode = |path: &Path| path.metadata().expect("there").permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(&path.join("s1.jsonl"))), (0o700, 0o600));
    let outside = folder.path().join("outside.jsonl");
    fixture::put(folder.path(), "outside.jsonl", b"mine\n");
    symlink(&outside, path.join("link.jsonl")).expect("a link");
    let absent = folder.path().join("absent.jsonl");
    symlink(&absent, path.join("dangling.jsonl")).expect("a link");
    rustix_fifo(&path.join("pipe.jsonl"));
    fixture::put(&path, "notes.txt", b"x");
    fixture::put(&path, "..odd.jsonl", b"x");
    for name in ["link", "dangling", "pipe"] {
        let refused = transcripts.append(&header(name), &[said(0, "x")]).expect_err("refused");
        assert_eq!(refused.code, Code::WriteFailed, "{name}");
        assert_eq!(transcripts.header(&id(name)).expect_err("refused").code, Code::FileUnreadable, "{name}");
    }
    assert_eq!(std::fs::read(&outside).expect("there"), b"mine\n");
    assert!(!absent.exists(), "nothing was made behind a link");
    let listed: Vec<_> = transcripts.sessions().expect("listed").into_iter().map(|file| file.id).collect();
    assert_eq!(listed, [id("s1")]);
    // Nor is a file written that has another name elsewhere.
    std::fs::hard_link(&outside, path.join("hard.jsonl")).expect("a hard link");
    let refused = transcripts.append(&header("hard"), &[said(0, "x")]).expect_err("refused");
    assert_eq!(refused.code, Code::WriteFailed);
    assert_eq!(std::fs::read(&outside).expect("there"), b"mine\n");
    // A folder that is a link is none of ours.
    symlink(&path, folder.path().join("elsewhere")).expect("a link");
    assert!(Transcripts::open(&folder.path().join("elsewhere")).is_err());
    assert!(Transcripts::open_or_make(&folder.path().join("elsewhere")).is_err());
}

fn rustix_fifo(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
}

#[test]
fn a_long_entry_is_written_whole_and_one_over_the_limit_is_refused_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    let long = "é".repeat(200_000);
    transcripts.append(&header("s1"), &[said(0, &long)]).expect("appended");
    assert_eq!(heard(&transcripts, "s1"), (vec![long], 0));
    let before = std::fs::read(path.join("s1.jsonl")).expect("there");
    let over = format!("canary{}", "x".repeat(TRANSCRIPT_LINE_BYTES_MAX));
    for session in ["s1", "s2"] {
        let records = [said(1, "short"), said(2, &over)];
        let refused = transcripts.append(&header(session), &records).expect_err("refused");
        assert_eq!(refused.code, Code::EntryTooLarge);
        assert!(refused.message.starts_with("entry 2 ") && !refused.message.contains("canary"));
    }
    assert_eq!(std::fs::read(path.join("s1.jsonl")).expect("there"), before);
    assert!(!path.join("s2.jsonl").exists(), "not even the header of a new one");
}

#[test]
fn an_id_is_used_by_one_session_of_one_agent_in_one_scope() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    let kitchen = SessionHeader { scope: room("kitchen"), ..header("s1") };
    transcripts.append(&kitchen, &[said(0, "bread")]).expect("appended");
    let before = std::fs::read(path.join("s1.jsonl")).expect("there");
    let refused =
        |header: &SessionHeader| transcripts.append(header, &[said(1, "private")]).expect_err("refused");
    for other in [
        header("s1"),
        SessionHeader { scope: room("garden"), ..kitchen.clone() },
        SessionHeader { agent_id: "bruno".into(), ..kitchen.clone() },
    ] {
        assert_eq!(refused(&other).code, Code::SessionClash, "{other:?}");
    }
    // On a disk that does not tell letters apart, the header does.
    std::fs::rename(path.join("s1.jsonl"), path.join("S1.jsonl")).expect("renamed");
    assert_eq!(refused(&SessionHeader { id: "S1".into(), ..kitchen.clone() }).code, Code::SessionClash);
    assert_eq!(std::fs::read(path.join("S1.jsonl")).expect("there"), before);
    fixture::put(
        &path,
        "s3.jsonl",
        b"{\"type\":\"entry\",\"timestamp\":\"2026-11-21T14:03:00Z\",\"role\":\"user\",\"content\":\"x\"}\n",
    );
    assert_eq!(refused(&header("s3")).code, Code::SessionClash, "whose it is cannot be told");
    assert_eq!(refused(&SessionHeader { id: "../s".into(), ..kitchen }).code, Code::SessionIdBad);
}

#[test]
fn what_is_taken_out_never_reaches_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("transcripts");
    let rules = Redaction::parse(None, "ticket=TCK-[0-9]+").expect("rules");
    let transcripts = Transcripts::open_or_make(&path).expect("opened").redacting(rules);
    transcripts.append(&header("s1"), &[said(0, "TCK-77 in /home/ana/x")]).expect("appended");
    assert_eq!(heard(&transcripts, "s1").0, ["[REDACTED:ticket] in [REDACTED:home_path]/x"]);
    let bytes = std::fs::read_to_string(path.join("s1.jsonl")).expect("there");
    assert!(!bytes.contains("TCK-77") && !bytes.contains("ana"));
}

/// A reply says a password again, and no label stands beside it there.
#[test]
fn a_value_that_one_message_gives_away_is_taken_out_of_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("transcripts");
    let rules = Redaction::parse(Some(Arc::new(inwit_gate::secrets::redact_transcript)), "").expect("rules");
    let transcripts = Transcripts::open_or_make(&path).expect("opened").redacting(rules);
    let (asked, replied) = ("The database password is kV9#qLm2xT.", "Noted: kV9#qLm2xT works on staging.");
    transcripts.append(&header("s1"), &[said(0, asked), said(1, replied)]).expect("appended");
    let heard = heard(&transcripts, "s1").0;
    assert!(
        heard[1].starts_with("Noted: [REDACTED:") && heard[1].ends_with("works on staging."),
        "{heard:?}"
    );
    assert!(!heard.concat().contains("kV9"), "{heard:?}");
}

#[test]
fn what_was_written_last_is_listed_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    for (age_s, session) in [(30, "b"), (10, "c"), (20, "a"), (20, "A1")] {
        transcripts.append(&header(session), &[said(0, "x")]).expect("appended");
        let file = std::fs::File::open(path.join(format!("{session}.jsonl"))).expect("opened");
        let written = std::time::UNIX_EPOCH + std::time::Duration::from_secs(2_000_000_000 - age_s);
        file.set_modified(written).expect("set");
    }
    fixture::put(&path, "empty.jsonl", b"");
    let listed: Vec<_> =
        transcripts.sessions().expect("listed").iter().map(|file| file.id.to_string()).collect();
    assert_eq!(listed, ["c", "A1", "a", "b"]);
    let nowhere = Transcripts::open(&folder.path().join("nowhere")).expect("opened");
    assert!(nowhere.sessions().expect("listed").is_empty() && !nowhere.is_there());
    assert_eq!(nowhere.header(&id("a")).expect_err("missing").code, Code::SessionMissing);
}

/// A batch of several lines, together over what the test below lets a file grow to. Where nothing limits
/// the size it is written whole; where something does, nothing of it is left.
#[test]
fn a_batch_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    transcripts.append(&header("s1"), &[said(0, "one")]).expect("appended");
    let before = std::fs::read(path.join("s1.jsonl")).expect("there");
    let long = "x".repeat(400_000);
    let done = transcripts.append(&header("s1"), &[said(1, &long), said(2, &long), said(3, &long)]);
    let after = std::fs::read(path.join("s1.jsonl")).expect("there");
    match done {
        Ok(done) => assert_eq!((after.len() as u64, heard(&transcripts, "s1").0.len()), (done.bytes, 4)),
        Err(error) => {
            assert_eq!((error.code, &after), (Code::WriteFailed, &before), "{error}");
            transcripts.append(&header("s1"), &[said(4, "two")]).expect("goes on");
            assert_eq!(heard(&transcripts, "s1"), (vec!["one".to_owned(), "two".to_owned()], 0));
        }
    }
}

#[test]
fn a_disk_that_refuses_in_between_leaves_the_file_as_it_was() {
    // 1,000 blocks of 512 or of 1,024 bytes: the first long line fits, the last one does not.
    let script = "trap '' XFSZ; ulimit -f 1000; exec \"$0\" --exact transcripts::a_batch_is_written_whole_or_not_at_all";
    #[expect(
        clippy::disallowed_methods,
        reason = "the limit is of a whole process, so the test has one of its own"
    )]
    let run = std::process::Command::new("/bin/sh")
        .args(["-c", script])
        .arg(std::env::current_exe().expect("this test"))
        .output()
        .expect("started");
    let told = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        run.status.success() && told.contains("1 passed"),
        "{told}{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

/// Who adds to a session while words are taken out of it would add to a file that is gone.
#[test]
fn a_session_that_is_added_to_is_not_rewritten_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let (transcripts, path) = open(&folder);
    transcripts.append(&header("s1"), &[said(0, "the zorblax")]).expect("kept");
    let without = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.contains("zorblax").then(|| text.replace("zorblax", "[gone]").into_bytes())
    };
    let writer = std::fs::File::options().append(true).open(path.join("s1.jsonl")).expect("a session");
    writer.try_lock().expect("nobody has it");
    let hasty = Transcripts::open(&path).expect("opened").waiting_until(Some(std::time::Instant::now()));
    assert_eq!(hasty.rewrite(&id("s1"), &without).expect_err("somebody writes").code, Code::Locked);
    assert_eq!(heard(&transcripts, "s1").0, ["the zorblax"]);
    drop(writer);
    assert!(transcripts.rewrite(&id("s1"), &without).expect("rewritten"));
    assert_eq!(heard(&transcripts, "s1").0, ["the [gone]"]);
}

/// A server may begin before anything was said.
#[test]
fn a_reader_from_before_the_first_session_reads_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = Transcripts::open(&folder.path().join("transcripts")).expect("opened");
    assert!(!before.is_there() && before.sessions().expect("listed").is_empty());
    let (writer, _) = open(&folder);
    writer.append(&header("s1"), &[said(0, "rye")]).expect("appended");
    assert_eq!(before.sessions().expect("listed").len(), 1);
    assert_eq!(heard(&before, "s1").0, ["rye"]);
    assert_eq!(recent(&before, "s1", 9), ["rye"]);
}
