//! One run of a client with one prompt: Claude Code with `-p`, Codex with `exec`.
//!
//! What it prints is read while it runs, so that the time between the two lines of a hook is the hook's. Invariant: a
//! run is a process group of its own; only that group is ever signalled, and only while its leader is not waited for.

use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use inwit_workspace::{RealStopwatch, Stopwatch as _};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use super::user::User;

/// Longest run, in seconds; then its group is killed and the run is a violation.
const RUN_SECONDS_MAX: u64 = 120;

/// A client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}

/// How a run begins.
#[derive(Debug, Clone, Copy)]
pub enum Opening<'o> {
    /// A session of its own.
    New,
    /// The last session of the folder goes on.
    Last,
    /// The session with this id goes on.
    Resumed(&'o str),
    /// A session of its own, in which Codex runs only the hooks that were trusted.
    Trusted,
}

/// A hook that a client ran.
#[derive(Debug, Clone)]
pub struct HookRun {
    /// Who ran it.
    pub client: Client,
    /// Its event, such as `SessionStart`.
    pub event: String,
    /// What the client says of it, where that is no success.
    pub failure: Option<String>,
    /// From its start to its end, as the client printed them.
    pub time: Duration,
}

/// A run under way.
pub struct Running {
    client: Client,
    process: Child,
    lines: Receiver<(Duration, String)>,
    begun: Duration,
}

/// A run that ended.
#[derive(Debug)]
pub struct Ended {
    /// Its session.
    pub session: Option<String>,
    /// Hooks that ended, in order.
    pub hooks: Vec<HookRun>,
    /// How it ended; `None` where it was killed because it took too long.
    pub status: Option<ExitStatus>,
    /// Everything it printed.
    pub printed: String,
    /// How long it ran.
    pub time: Duration,
}

impl Client {
    /// Both.
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// Its program.
    pub fn program(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex => "codex",
        }
    }

    /// Its name for `inwit setup`.
    pub fn setup_name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::ClaudeCode => Self::Codex,
            Self::Codex => Self::ClaudeCode,
        }
    }

    /// The words behind the program.
    fn words<'w>(self, opening: Opening<'w>, prompt: &'w str) -> Vec<&'w str> {
        match self {
            Self::ClaudeCode => {
                let mut words = vec!["-p", prompt, "--output-format", "stream-json", "--verbose"];
                words.push("--include-hook-events");
                match opening {
                    Opening::New | Opening::Trusted => {}
                    Opening::Last => words.push("--continue"),
                    Opening::Resumed(session) => words.extend(["--resume", session]),
                }
                words.extend(["--allowedTools", "mcp__inwit__memory_remember,mcp__inwit__memory_search"]);
                words
            }
            // The flag stands for what a person does once in `/hooks`.
            Self::Codex => {
                let mut words = vec!["exec"];
                match opening {
                    Opening::New | Opening::Trusted => {}
                    Opening::Last => words.extend(["resume", "--last"]),
                    Opening::Resumed(session) => words.extend(["resume", session]),
                }
                words.extend(["--skip-git-repo-check", prompt]);
                if !matches!(opening, Opening::Trusted) {
                    words.push("--dangerously-bypass-hook-trust");
                }
                words
            }
        }
    }
}

impl Running {
    /// Starts `client` with `prompt` in a project.
    ///
    /// # Panics
    /// When it cannot be started.
    #[track_caller]
    pub fn start(user: &User, client: Client, opening: Opening<'_>, project: usize, prompt: &str) -> Self {
        let mut command = user.command(client.program(), &client.words(opening, prompt), project);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let begun = RealStopwatch.elapsed();
        let mut process = command.spawn().expect("a client starts");
        let (to, lines) = channel();
        read_lines(process.stdout.take().expect("piped"), to.clone());
        read_lines(process.stderr.take().expect("piped"), to);
        Self { client, process, lines, begun }
    }

    /// Waits until it ends.
    pub fn ended(mut self) -> Ended {
        let deadline = self.begun + Duration::from_secs(RUN_SECONDS_MAX);
        let mut lines = Vec::new();
        let in_time = loop {
            match self.lines.recv_timeout(deadline.saturating_sub(RealStopwatch.elapsed())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break true,
                Err(RecvTimeoutError::Timeout) => break false,
            }
        };
        if !in_time {
            self.signal();
        }
        let status = self.process.wait().ok().filter(|_| in_time);
        let (session, hooks) = match self.client {
            Client::ClaudeCode => claude_code(&lines),
            Client::Codex => codex(&lines),
        };
        let printed = lines.into_iter().map(|(_, line)| line + "\n").collect();
        Ended { session, hooks, status, printed, time: RealStopwatch.elapsed().saturating_sub(self.begun) }
    }

    /// Kills it and everything that it started, as a crash of the machine would.
    pub fn killed(mut self) {
        self.signal();
        let _ = self.process.wait();
    }

    fn signal(&self) {
        if let Some(group) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Sends each line with the time of its arrival, until the other end is closed.
pub fn read_lines(from: impl Read + Send + 'static, to: Sender<(Duration, String)>) {
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if to.send((RealStopwatch.elapsed(), line)).is_err() {
                return;
            }
        }
    });
}

/// The session and the hooks of Claude Code, from its stream of JSON.
fn claude_code(lines: &[(Duration, String)]) -> (Option<String>, Vec<HookRun>) {
    let (mut session, mut begun, mut hooks) = (None, Vec::new(), Vec::new());
    for (at, line) in lines {
        let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
        session = event["session_id"].as_str().map(str::to_owned).or(session);
        let id = event["hook_id"].clone();
        match event["subtype"].as_str() {
            Some("hook_started") => begun.push((id, *at)),
            Some("hook_response") => {
                let start = begun.iter().find(|(known, _)| *known == id).map_or(*at, |(_, start)| *start);
                let failed = event["outcome"] != "success" || event["exit_code"] != 0;
                let failure = failed.then(|| format!("{} {}", event["outcome"], event["stderr"]));
                let name = event["hook_event"].as_str().unwrap_or_default().to_owned();
                let time = at.saturating_sub(start);
                hooks.push(HookRun { client: Client::ClaudeCode, event: name, failure, time });
            }
            _ => {}
        }
    }
    (session, hooks)
}

/// The session and the hooks of Codex, from the lines `session id: …`, `hook: Stop` and `hook: Stop Completed`.
fn codex(lines: &[(Duration, String)]) -> (Option<String>, Vec<HookRun>) {
    let session = lines.iter().find_map(|(_, line)| line.strip_prefix("session id: ").map(str::to_owned));
    let (mut begun, mut hooks) = (Vec::new(), Vec::new());
    for (at, line) in lines {
        let Some(hook) = line.strip_prefix("hook: ") else { continue };
        let Some((event, result)) = hook.split_once(' ') else {
            begun.push((hook, *at));
            continue;
        };
        let found = begun.iter().position(|(known, _)| *known == event);
        let start = found.map_or(*at, |found| begun.remove(found).1);
        let failure = (result != "Completed").then(|| result.to_owned());
        let (client, event, time) = (Client::Codex, event.to_owned(), at.saturating_sub(start));
        hooks.push(HookRun { client, event, failure, time });
    }
    (session, hooks)
}
