//! The output and status of a command, and the expectations of a test.
//!
//! Expectations are collected and checked when the run is dropped, so that one failure shows all violations.
//! Invariant: the expected status is 0 by default; a panic of the program and an answer in the wrong style always
//! fail.

use std::os::unix::process::ExitStatusExt;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::path::Path;
use std::process::Output;

use expect_test::Expect;
use serde_json::Value;

use super::answer::misshapen;

/// A finished command.
pub struct Run {
    line: String,
    /// Style violations of its answers.
    misshapen: Vec<String>,
    place: &'static Location<'static>,
    stdout: String,
    stderr: String,
    /// The exit status, or minus the signal that ended it.
    status: i32,
    prints: Option<Expect>,
    says: Option<Expect>,
    exits: i32,
    wrong: Vec<String>,
}

impl Run {
    #[track_caller]
    pub(super) fn new(args: &[&str], output: &Output, home: &Path) -> Self {
        let signal = || -output.status.signal().unwrap_or(0);
        let (stdout, stderr) =
            (super::normalised(&output.stdout, home), super::normalised(&output.stderr, home));
        Self {
            line: format!("inwit {}", args.join(" ")),
            misshapen: misshapen(args, &stdout, &stderr),
            place: Location::caller(),
            stdout,
            stderr,
            status: output.status.code().unwrap_or_else(signal),
            prints: None,
            says: None,
            exits: 0,
            wrong: Vec::new(),
        }
    }

    /// Its stdout is exactly this.
    pub fn prints(mut self, expected: Expect) -> Self {
        self.prints = Some(expected);
        self
    }

    /// Its stderr is exactly this.
    pub fn says(mut self, expected: Expect) -> Self {
        self.says = Some(expected);
        self
    }

    /// The exit status, which must be one that a command may return; a signal and a panic fail.
    pub fn any_status(mut self) -> i32 {
        const STATUS_MAX: i32 = 6;
        self.exits = self.status.clamp(0, STATUS_MAX);
        self.status
    }

    /// It exits with this status; default 0.
    pub fn exits(mut self, status: i32) -> Self {
        self.exits = status;
        self
    }

    /// Its output, stdout or stderr, contains `text`.
    pub fn mentions(mut self, text: &str) -> Self {
        if !self.stdout.contains(text) && !self.stderr.contains(text) {
            self.wrong.push(format!("`{text}` is not in its output"));
        }
        self
    }

    /// Neither stdout nor stderr contains `text`, in any case.
    pub fn hides(mut self, text: &str) -> Self {
        let seen = format!("{}{}", self.stdout, self.stderr).to_lowercase();
        if seen.contains(&text.to_lowercase()) {
            self.wrong.push(format!("`{text}` is in its output"));
        }
        self
    }

    /// Its stdout as text, with home paths normalised.
    #[must_use]
    pub fn stdout(&self) -> String {
        self.stdout.clone()
    }

    /// Its stderr as text, with home paths normalised.
    #[must_use]
    pub fn stderr(&self) -> String {
        self.stderr.clone()
    }

    /// Its stdout as one JSON value.
    #[must_use]
    #[track_caller]
    pub fn json(self) -> Value {
        parsed(&self.stdout, &self)
    }

    /// Its stdout as JSON, one value per line.
    #[must_use]
    #[track_caller]
    pub fn json_lines(self) -> Vec<Value> {
        self.stdout.lines().map(|line| parsed(line, &self)).collect()
    }

    /// Its stderr as one JSON value: an error under `--json`.
    #[must_use]
    #[track_caller]
    pub fn json_error(self) -> Value {
        parsed(&self.stderr, &self)
    }

    fn told(&self) -> String {
        format!("status {}\n── stdout\n{}── stderr\n{}", self.status, self.stdout, self.stderr)
    }
}

#[track_caller]
fn parsed(text: &str, run: &Run) -> Value {
    serde_json::from_str(text)
        .unwrap_or_else(|error| panic!("`{}`: no JSON: {error}\n{}", run.line, run.told()))
}

impl Drop for Run {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let mut wrong = std::mem::take(&mut self.wrong);
        wrong.append(&mut self.misshapen);
        // `Expect` prints its own difference, and updates the test under UPDATE_EXPECT.
        let mut compare = |stream: &str, expected: &Option<Expect>, actual: &str| {
            let differs =
                |expected: &Expect| catch_unwind(AssertUnwindSafe(|| expected.assert_eq(actual))).is_err();
            if expected.as_ref().is_some_and(differs) {
                wrong.push(format!("{stream} differs, see above"));
            }
        };
        compare("stdout", &self.prints, &self.stdout);
        compare("stderr", &self.says, &self.stderr);
        if self.status != self.exits {
            wrong.push(format!("it exits with {}, not {}", self.status, self.exits));
        }
        if self.stderr.contains("panicked at") {
            wrong.push("the program panicked".to_owned());
        }
        assert!(wrong.is_empty(), "`{}` at {}: {}\n{}", self.line, self.place, wrong.join("; "), self.told());
    }
}
