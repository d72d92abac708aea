//! A history in a folder of its own, and the person's own git beside it, for the tests of history.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;

use inwit_model::SafeName;
use inwit_workspace::history::{Commit, History, LogFilter, Logged, Oid, Rev, trailer};
use jiff::Timestamp;

use crate::name;

/// When each of these histories begins.
pub const FOUNDED: &str = "2026-11-01T00:00:00Z";

/// One history.
pub struct Past {
    pub folder: tempfile::TempDir,
    pub history: History,
}

/// A new history, `None` on a machine without git, which on a server is a failure.
#[track_caller]
pub fn past() -> Option<Past> {
    has_git().then(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let history = History::open_or_init(&folder.path().join("history.git"), moment(FOUNDED));
        Past { history: history.expect("a history"), folder }
    })
}

pub use inwit_testkit::has_git;

impl Past {
    pub fn git_dir(&self) -> PathBuf {
        self.folder.path().join("history.git")
    }

    /// Commits one text under `name` and gives the commit.
    #[track_caller]
    pub fn keeps(&self, at: &str, file: &str, text: &str) -> Oid {
        self.history.commit(&[commit(at, file, Some(text))]).expect("committed")[0]
    }

    #[track_caller]
    pub fn shows(&self, at: &Rev, file: &str) -> Option<String> {
        let bytes = self.history.show(at, &name(file)).expect("shown");
        bytes.map(|bytes| String::from_utf8(bytes).expect("text"))
    }

    #[track_caller]
    pub fn log(&self) -> Vec<Logged> {
        self.history.log(&LogFilter::newest(10_000)).expect("a log")
    }

    /// The person's own git, as it comes; what it prints.
    #[track_caller]
    pub fn git(&self, words: &[&str]) -> String {
        let run = self.try_git(words);
        assert!(run.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).expect("text").trim().to_owned()
    }

    pub fn try_git(&self, words: &[&str]) -> Output {
        git(&self.git_dir(), words)
    }

    /// Panics where git finds the repository damaged.
    #[track_caller]
    pub fn is_whole(&self) {
        let run = self.try_git(&["fsck", "--strict", "--full", "--no-dangling"]);
        let said = String::from_utf8_lossy(&run.stderr).into_owned() + &String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && said.trim().is_empty(), "{said}");
    }
}

#[expect(clippy::disallowed_methods, reason = "the test is the person with a git of their own")]
pub fn git(git_dir: &std::path::Path, words: &[&str]) -> Output {
    let mut command = Command::new("git");
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.arg("--git-dir").arg(git_dir).args(["-c", "user.name=Ana", "-c", "user.email=ana@example.com"]);
    command.args(words).output().expect("git runs")
}

/// A commit of one file with a receipt and a session that are named after the moment.
pub fn commit(at: &str, file: &str, text: Option<&str>) -> Commit {
    Commit {
        subject: format!("write {file}"),
        body: String::new(),
        at: moment(at),
        actor: "agent".to_owned(),
        trailers: vec![
            (trailer::RECEIPT, format!("rcpt-{at}")),
            (trailer::SESSION, format!("sess-{}", &at[..10])),
        ],
        changes: vec![(name(file), text.map(|text| Arc::from(text.as_bytes())))],
    }
}

pub fn moment(text: &str) -> Timestamp {
    text.parse().expect("a moment")
}

pub fn names(names: &[SafeName]) -> Vec<&str> {
    names.iter().map(SafeName::as_str).collect()
}
