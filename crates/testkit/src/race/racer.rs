//! One racer: a process controlled through two pipes.
//!
//! One line in, one line out: `race <nanoseconds> <seed>` requests the lock at that time of the stopwatch, `ours`
//! asks whether it still holds, `release` releases it. Invariant: a racer answers every line, and ends when its input
//! closes.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use inwit_workspace::dream_lock::{Claim, Ports, RealProcesses, Taken};
use inwit_workspace::limit::DREAM_LOCK_TTL_MS;
use inwit_workspace::{DreamLock, LockFolder, RealStopwatch, Stopwatch};

use super::JITTER_US_MAX;
use crate::{Chance, FakeClock, Hooked, NOW};

const PROGRAM: &str = "inwit-racer";

/// A racer, from the test's view. Dropping it ends the process.
pub struct Racer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Racer {
    /// Starts one for the lock of `workspace`, with guards below `state`.
    #[track_caller]
    pub fn start(workspace: &Path, state: &Path) -> Self {
        let mut child = command(workspace, state)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a racer starts");
        let to = child.stdin.take().expect("piped");
        let from = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, to, from }
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line.
    #[track_caller]
    pub fn tell(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("a racer listens");
    }

    /// Its next answer.
    #[track_caller]
    pub fn answer(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("a racer answers");
        line.trim_end().to_owned()
    }

    /// Sends a line and waits for the answer.
    #[track_caller]
    pub fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        self.answer()
    }

    /// Kills it, like a crash.
    #[track_caller]
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("it ended");
    }
}

impl Drop for Racer {
    fn drop(&mut self) {
        // It ends when its pipe closes, but not while it is stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "the environment is cleared here, for all racers")]
fn command(workspace: &Path, state: &Path) -> Command {
    let mut command = Command::new(program());
    command.args([workspace, state]).env_clear();
    command
}

/// The program beside the running one, or beside the folder of test programs.
fn program() -> PathBuf {
    let own = std::env::current_exe().expect("a program has a path");
    let places = own.ancestors().skip(1).take(2).map(|folder| folder.join(PROGRAM));
    places.into_iter().find(|path| path.is_file()).unwrap_or_else(|| {
        panic!("`{PROGRAM}` is not beside {}: build it with --package inwit-testkit", own.display())
    })
}

/// The main function of `inwit-racer`: answers lines until its input closes.
pub fn race_until_told(
    workspace: &Path,
    state: &Path,
    told: impl BufRead,
    mut out: impl Write,
) -> std::io::Result<()> {
    let locks = LockFolder::for_workspace(state, workspace);
    let mut held: Option<DreamLock<Hooked>> = None;
    for line in told.lines() {
        let line = line?;
        let mut words = line.split(' ');
        let verb = words.next();
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let answer = match verb {
            Some("race") => {
                let (start, seed) = (number(), number());
                while RealStopwatch.elapsed() < Duration::from_nanos(start) {
                    std::thread::yield_now();
                }
                ask(workspace, &locks, seed, &mut held)
            }
            Some("ours") => match held.as_ref().map(DreamLock::still_ours) {
                Some(Ok(())) => "ours".to_owned(),
                Some(Err(lost)) => format!("lost: {lost}"),
                None => "nothing is held".to_owned(),
            },
            Some("release") => match held.take().map(DreamLock::release) {
                Some(Ok(())) => "released".to_owned(),
                Some(Err(lost)) => format!("lost: {lost}"),
                None => "nothing is held".to_owned(),
            },
            _ => format!("`{line}` is not understood"),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// Requests the lock; waits a random time before each change of a file.
fn ask(workspace: &Path, locks: &LockFolder, seed: u64, held: &mut Option<DreamLock<Hooked>>) -> String {
    let chance = Mutex::new(Chance::of(seed));
    let disk = Hooked::before(move |_, _| {
        let pause = chance.lock().map_or(0, |mut chance| chance.number() % (JITTER_US_MAX + 1));
        let end = RealStopwatch.elapsed() + Duration::from_micros(pause);
        while RealStopwatch.elapsed() < end {
            std::thread::yield_now();
        }
    });
    let claim =
        Claim { surface: "race", ttl: Duration::from_millis(DREAM_LOCK_TTL_MS), fence: 1, entropy: [0; 16] };
    let clock = FakeClock::at(NOW);
    let ports = Ports { processes: &RealProcesses, clock: &clock, stopwatch: &RealStopwatch };
    match DreamLock::acquire_with(disk, workspace, locks, &claim, ports) {
        Ok(Taken::Held(lock)) => {
            *held = Some(lock);
            "held".to_owned()
        }
        Ok(Taken::Busy(busy)) => format!("busy: {:?}", busy.reason),
        Err(error) => format!("error: {error}"),
    }
}
