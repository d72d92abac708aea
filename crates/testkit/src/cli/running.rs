//! A command that runs while the test does other things.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::Run;

/// Longest wait for what a running command does.
const WAIT_MAX: Duration = Duration::from_secs(120);

/// A command with an open stdin.
#[derive(Debug)]
pub struct Running {
    pub(super) words: Vec<String>,
    pub(super) child: Child,
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: BufReader<ChildStdout>,
    pub(super) home: PathBuf,
}

impl Running {
    /// Writes a line to it.
    #[track_caller]
    pub fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("an open stdin");
        stdin.write_all(format!("{line}\n").as_bytes()).expect("it reads");
    }

    /// The next line of its stdout.
    #[track_caller]
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("UTF-8");
        line.trim_end_matches('\n').to_owned()
    }

    /// Waits until `is_time`, or until it ends.
    #[track_caller]
    pub fn wait_until(&mut self, is_time: &dyn Fn() -> bool) {
        let begun = Instant::now();
        while !is_time() && self.child.try_wait().expect("a child").is_none() {
            assert!(begun.elapsed() < WAIT_MAX, "{:?}: it is not time after {WAIT_MAX:?}", self.words);
            std::thread::yield_now();
        }
    }

    /// Sends it a signal.
    #[track_caller]
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Closes its stdin, and waits for its end. Lines that were read are not in the result.
    #[track_caller]
    pub fn end(mut self) -> Run {
        drop(self.stdin.take());
        let mut stdout = Vec::new();
        std::io::Read::read_to_end(&mut self.stdout, &mut stdout).expect("read");
        let mut output = self.child.wait_with_output().expect("the program ends");
        output.stdout = stdout;
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        Run::new(&words, &output, &self.home)
    }
}
