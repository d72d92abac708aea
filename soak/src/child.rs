//! The same program as a process of its own, which can be told, stopped and killed.
//!
//! A child is started as `inwit-soak child ROLE HOME SEED …` with an empty environment, and talks in
//! lines. Invariant: only children that were started here are ever signalled, and none outlives its
//! value.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child as Process, ChildStdin, ChildStdout, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::{Place, appends, curators, dreamers, hosts, kills};

/// A child, seen from its parent. It ends with this value.
pub struct Child {
    process: Process,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// What `inwit-soak child …` does.
///
/// # Panics
/// When the words are not those of [`Child::start`].
pub fn play(words: &[String]) {
    let [role, home, rest @ ..] = words else { panic!("child ROLE HOME NUMBER…") };
    let place = Place::at(Path::new(home));
    let numbers: Vec<u64> = rest.iter().map(|word| word.parse().expect("a number")).collect();
    match role.as_str() {
        "writer" => kills::writer::play(&place, &numbers),
        "appender" => appends::play(&place, &numbers),
        "hosts" => hosts::play(&place, &numbers),
        "curator" => curators::play(&place, &numbers),
        "dreamer" => dreamers::play(&place, &numbers),
        _ => panic!("no child is called {role}"),
    }
}

impl Child {
    /// Starts `program` as `role` in the home at `place`.
    #[track_caller]
    pub fn start(program: &Path, role: &str, place: &Place, numbers: &[u64]) -> Self {
        let mut command = command(program, place);
        command.args(["child", role]).arg(place.root()).args(numbers.iter().map(u64::to_string));
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a child starts");
        let to = process.stdin.take().expect("piped");
        let from = BufReader::new(process.stdout.take().expect("piped"));
        Self { process, to, from }
    }

    /// Tells it a line; one that died hears nothing.
    pub fn tell(&mut self, line: &str) {
        let _ = writeln!(self.to, "{line}");
    }

    /// Its next line, `None` when it has ended.
    pub fn answer(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.from.read_line(&mut line).unwrap_or(0);
        // A line without its end was cut by the kill, and says nothing.
        (read > 0 && line.ends_with('\n')).then(|| line.trim_end().to_owned())
    }

    /// Everything it still says, once it is dead.
    pub fn last_words(mut self) -> Vec<String> {
        let words = std::iter::from_fn(|| self.answer()).collect();
        drop(self);
        words
    }

    /// Everything it says until it ends by itself.
    pub fn until_it_ends(mut self) -> Vec<String> {
        let words = std::iter::from_fn(|| self.answer()).collect();
        let _ = self.process.wait();
        words
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        if let Some(pid) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, signal);
        }
    }

    /// Ends it at once, as a crash does: it can do nothing more.
    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs `program` as the command `inwit` with `words`, for the home at `place`.
#[track_caller]
pub fn inwit(program: &Path, place: &Place, words: &[&std::ffi::OsStr]) -> Output {
    use std::os::unix::process::CommandExt as _;
    let mut command = command(program, place);
    command.arg0("inwit").args(words).current_dir(place.root()).stdin(Stdio::null());
    command.output().expect("a command runs")
}

/// Starts `program` as the command `inwit` with `words`, for the home at `place`, with its output piped.
#[track_caller]
pub fn inwit_started(program: &Path, place: &Place, words: &[&str]) -> Process {
    use std::os::unix::process::CommandExt as _;
    let mut command = command(program, place);
    command.arg0("inwit").args(words).current_dir(place.root()).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a command starts")
}

#[expect(clippy::disallowed_methods, reason = "the environment is set here, for all children")]
fn command(program: &Path, place: &Place) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(place.environment()).env("PATH", PATH);
    command
}

/// Where `git` is looked for.
pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Where the programs of an administrator are looked for, such as `ip`.
pub const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/sbin:/sbin";
