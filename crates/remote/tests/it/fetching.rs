//! Files by their hash: resumed, checked, and never half under their name.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use inwit_model::Sha256;
use inwit_outbound::retry::TRIES_MAX;
use inwit_outbound::{Address, Patience, Plain};
use inwit_remote::download::REDIRECTS_MAX;
use inwit_remote::{DownloadError, Wanted, download};
use inwit_testkit::FakePace;
use inwit_testkit::server::{Reply, Server};

/// Larger than what a socket holds, so that a cut is a cut.
fn content() -> Vec<u8> {
    (0..300_000_u32).map(|at| (at % 251) as u8).collect()
}

fn wanted(url: &str) -> Wanted {
    let address = Address::parse(&format!("{url}/main/model.bin"), Plain::Loopback).expect("an address");
    let content = content();
    Wanted { name: "model.bin".into(), address, bytes: content.len() as u64, sha256: Sha256::of(&content) }
}

struct Fetched {
    folder: tempfile::TempDir,
    pace: FakePace,
    seen: Vec<(u64, u64)>,
}

impl Fetched {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), pace: FakePace::default(), seen: Vec::new() }
    }

    fn fetch(&mut self, server: &Server, patience: Patience) -> Result<(), DownloadError> {
        let seen = &mut self.seen;
        let mut watch = |done, of| seen.push((done, of));
        download(&[wanted(&server.url)], self.folder.path(), patience, &self.pace, &mut watch)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    #[track_caller]
    fn is_there(&self) {
        assert_eq!(self.names(), ["model.bin"]);
        assert!(fs::read(self.path("model.bin")).expect("read") == content(), "every byte");
    }
}

fn put(path: &Path, bytes: &[u8]) {
    fs::File::create(path).and_then(|mut file| file.write_all(bytes)).expect("written");
}

/// The part of the file from `from` on.
fn part(from: usize) -> Reply {
    let content = content();
    let range = format!("bytes {from}-{}/{}", content.len() - 1, content.len());
    Reply::with("206 Partial Content", &[("Content-Range", &range)], &content[from..])
}

/// The file with its length, cut off after `count` bytes.
fn cut_after(count: usize) -> Vec<u8> {
    let content = content();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", content.len());
    [head.as_bytes(), &content[..count]].concat()
}

#[test]
fn a_file_is_fetched_once() {
    let server = Server::answering(vec![Reply::good(content())]);
    let mut fetched = Fetched::new();
    fetched.fetch(&server, Patience::DOWNLOAD).expect("fetched");
    fetched.is_there();
    let all = content().len() as u64;
    assert_eq!(fetched.seen.last(), Some(&(all, all)));
    assert!(fetched.seen.is_sorted());
    fetched.fetch(&server, Patience::DOWNLOAD).expect("it is there");
    let asked = server.requests();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].line, "GET /main/model.bin HTTP/1.1");
    assert!(
        !asked[0].head.contains("range:") && !asked[0].head.contains("authorization"),
        "{}",
        asked[0].head
    );
}

/// The system's own calls are counted: what has its name is on the disk, and so is the name.
#[test]
fn a_file_is_on_the_disk_before_it_takes_its_name() {
    if !inwit_testkit::has_strace() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("trace");
    let this = std::env::current_exe().expect("these tests");
    #[expect(clippy::disallowed_methods, reason = "the test is whoever traces the program")]
    let mut traced = std::process::Command::new("/usr/bin/strace");
    traced.args(["-f", "-y", "-e", "trace=fsync,rename,renameat,renameat2", "-o"]).arg(&log);
    let run = traced.arg(this).args(["--exact", "fetching::a_file_is_fetched_once"]).output().expect("a run");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    let text = fs::read_to_string(&log).expect("a trace");
    let calls: Vec<&str> = text.lines().filter(|line| line.ends_with(" = 0")).collect();
    let place = |is: &dyn Fn(&str) -> bool| calls.iter().position(|call| is(call)).expect("a call");
    let file = place(&|call| call.contains("fsync(") && call.contains("/model.bin.part>"));
    let name = place(&|call| call.contains("rename") && call.contains("/model.bin\""));
    let folder = place(&|call| call.contains("fsync(") && !call.contains("model.bin"));
    assert!(file < name && name < folder, "{text}");
}

#[test]
fn a_fetch_that_is_cut_off_goes_on_where_it_stopped() {
    let server = Server::answering(vec![Reply::Bytes(cut_after(100_000)), part(100_000)]);
    let mut fetched = Fetched::new();
    fetched.fetch(&server, Patience::DOWNLOAD).expect("in two parts");
    fetched.is_there();
    assert!(server.requests()[1].head.contains("range: bytes=100000-"), "{}", server.requests()[1].head);
    assert_eq!(fetched.pace.pauses().len(), 1);
}

/// A size is no proof: what has the right length and other bytes is fetched again.
#[test]
fn a_file_that_was_altered_is_fetched_again() {
    let server = Server::answering(vec![Reply::good(content())]);
    let mut fetched = Fetched::new();
    put(&fetched.path("model.bin"), &vec![7; content().len()]);
    fetched.fetch(&server, Patience::DOWNLOAD).expect("fetched");
    fetched.is_there();
}

/// A server that sends another part than it was asked for is an error, and what came before is kept.
#[test]
fn a_part_that_begins_elsewhere_is_not_put_behind_the_first() {
    let server = Server::answering(vec![part(99_999)]);
    let mut fetched = Fetched::new();
    put(&fetched.path("model.bin.part"), &content()[..100_000]);
    let error = fetched.fetch(&server, Patience::DOWNLOAD).expect_err("another part");
    assert!(matches!(error, DownloadError::Refused { .. }), "{error}");
    assert!(fs::read(fetched.path("model.bin.part")).expect("kept") == content()[..100_000]);
}

#[test]
fn a_later_run_goes_on_where_the_last_one_stopped() {
    let mut fetched = Fetched::new();
    let gone = Server::answering(
        std::iter::once(Reply::Bytes(cut_after(70_000))).chain((0..9).map(|_| Reply::Closed)).collect(),
    );
    let error = fetched.fetch(&gone, Patience::DOWNLOAD).expect_err("it is gone");
    assert!(matches!(error, DownloadError::Unreached { .. }), "{error}");
    assert_eq!(gone.requests().len(), 1 + TRIES_MAX as usize - 1, "tries that bring nothing are few");
    assert_eq!(fetched.names(), ["model.bin.part"]);
    let server = Server::answering(vec![part(70_000)]);
    fetched.fetch(&server, Patience::DOWNLOAD).expect("the rest");
    fetched.is_there();
}

#[test]
fn a_server_without_parts_and_one_that_lost_them_begin_anew() {
    for replies in [
        vec![Reply::good(content())],
        vec![Reply::status("416 No"), Reply::good(content())],
        vec![Reply::status("503 Busy"), Reply::good(content())],
    ] {
        let mut fetched = Fetched::new();
        put(&fetched.path("model.bin.part"), &[7; 1000]);
        fetched.fetch(&Server::answering(replies), Patience::DOWNLOAD).expect("fetched");
        fetched.is_there();
    }
}

#[test]
fn another_file_is_removed_and_told() {
    let mut other = content();
    other[17] ^= 1;
    let longer = [content(), b"x".to_vec()].concat();
    let without_length = [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".as_slice(), &longer].concat();
    for (reply, why) in [
        (Reply::good(other), "its SHA-256 is"),
        (Reply::good(longer), "more than 300000 bytes"),
        (Reply::Bytes(without_length), "more than 300000 bytes"),
    ] {
        let mut fetched = Fetched::new();
        let error =
            fetched.fetch(&Server::answering(vec![reply]), Patience::DOWNLOAD).expect_err("another file");
        assert!(matches!(error, DownloadError::Wrong { .. }), "{error}");
        assert!(error.to_string().contains(why) && error.to_string().ends_with("It was removed."), "{error}");
        assert_eq!(fetched.names(), [""; 0]);
    }
    // So is a part of another file.
    let mut fetched = Fetched::new();
    put(&fetched.path("model.bin.part"), &[7; 1000]);
    let error =
        fetched.fetch(&Server::answering(vec![part(1000)]), Patience::DOWNLOAD).expect_err("another file");
    assert!(matches!(error, DownloadError::Wrong { .. }), "{error}");
    assert_eq!(fetched.names(), [""; 0]);
}

#[test]
fn a_part_that_is_longer_than_the_file_is_none_of_it() {
    let mut fetched = Fetched::new();
    put(&fetched.path("model.bin.part"), &[content(), b"x".to_vec()].concat());
    let server = Server::answering(vec![Reply::good(content())]);
    fetched.fetch(&server, Patience::DOWNLOAD).expect("fetched");
    fetched.is_there();
    assert!(!server.requests()[0].head.contains("range:"));
}

#[test]
fn a_whole_part_is_checked_without_asking() {
    let mut fetched = Fetched::new();
    put(&fetched.path("model.bin.part"), &content());
    let server = Server::answering(Vec::new());
    fetched.fetch(&server, Patience::DOWNLOAD).expect("it was all there");
    fetched.is_there();
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn redirects_are_followed_to_another_host_and_not_for_ever() {
    let cdn = Server::answering(vec![Reply::good(content())]);
    let there = format!("{}/signed?token=7", cdn.url);
    let hub = Server::answering(vec![
        Reply::with("307 Go", &[("Location", "/elsewhere")], b""),
        Reply::with("302 Go", &[("Location", &there)], b""),
    ]);
    let mut fetched = Fetched::new();
    fetched.fetch(&hub, Patience::DOWNLOAD).expect("fetched");
    fetched.is_there();
    assert_eq!(hub.requests()[1].line, "GET /elsewhere HTTP/1.1");
    assert_eq!(cdn.requests()[0].line, "GET /signed?token=7 HTTP/1.1");

    let circle = || (0..9).map(|_| Reply::with("302 Go", &[("Location", "/again")], b"")).collect();
    for (replies, why, count) in [
        (circle(), "more than 5 times", REDIRECTS_MAX + 1),
        (
            vec![Reply::with("302 Go", &[("Location", "http://example.com/x")], b"")],
            "plain http is allowed only to this machine",
            1,
        ),
        (vec![Reply::with("302 Go", &[], b"")], "redirects without an address", 1),
        (vec![Reply::status("404 None")], "does not provide model.bin: status 404", 1),
    ] {
        let server = Server::answering(replies);
        let error = Fetched::new().fetch(&server, Patience::DOWNLOAD).expect_err(why);
        assert!(matches!(error, DownloadError::Refused { .. }) && error.to_string().contains(why), "{error}");
        assert_eq!(server.requests().len(), count, "{why}");
    }
}

#[test]
fn a_server_that_falls_silent_is_left_and_what_came_is_kept() {
    let replies = vec![
        Reply::Held(cut_after(50_000)),
        Reply::Held(Vec::new()),
        Reply::Held(Vec::new()),
        Reply::Held(Vec::new()),
    ];
    let server = Server::answering(replies);
    let mut fetched = Fetched::new();
    let patience = Patience { silence: Duration::from_millis(80), ..Patience::DOWNLOAD };
    let error = fetched.fetch(&server, patience).expect_err("silent");
    assert!(error.to_string().ends_with("sent nothing for 0.08 s."), "{error}");
    assert_eq!(fs::metadata(fetched.path("model.bin.part")).expect("kept").len(), 50_000);
}

#[test]
fn a_folder_that_cannot_take_it_is_named() {
    let server = Server::answering(vec![Reply::good(content())]);
    let mut nothing = |_, _| {};
    let error = download(
        &[wanted(&server.url)],
        Path::new("/nowhere"),
        Patience::DOWNLOAD,
        &FakePace::default(),
        &mut nothing,
    );
    let error = error.expect_err("no folder");
    assert!(
        matches!(error, DownloadError::Disk { .. }) && error.to_string().contains("/nowhere/model.bin"),
        "{error}"
    );
}
