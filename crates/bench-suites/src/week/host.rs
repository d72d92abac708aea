//! A simulated host of coding agents: it runs the hooks and the MCP server of the program, and writes a transcript.
//!
//! Each event is a process with JSON on its stdin, the project folder as its working folder, and its own clock
//! ([`clock::VARIABLE`]). Invariants: all files are in one temporary folder; of the user's environment only `PATH` is
//! passed on.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use inwit_home::{HomeError, clock, own};
use inwit_model::Code;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::Took;
use super::data::Turn;
use super::shown::Shown;

/// The hook of a prompt.
pub const PROMPT: &str = "user-prompt";

/// Time limit of a prompt here, in milliseconds. The figures measure what is recalled, which must not depend on a
/// busy machine. Prompts above the default limit are counted separately ([`late`]).
const PATIENCE_MS: &str = "20000";

/// Default time that a prompt waits for its hook, in milliseconds (`recall.prompt_deadline_ms`).
const DEADLINE_MS: u128 = 300;

/// A host with a home of its own.
pub struct Host {
    program: PathBuf,
    folder: tempfile::TempDir,
    took: Took,
}

/// One session.
pub struct Talk<'h> {
    host: &'h mut Host,
    id: String,
    project: PathBuf,
    transcript: PathBuf,
    pack: Shown,
}

impl Host {
    /// A host that runs `program`; its home is empty.
    pub fn new(program: &Path) -> Result<Self, HomeError> {
        let folder = tempfile::tempdir().map_err(|error| own::failed(&std::env::temp_dir(), &error))?;
        let host = Self { program: program.to_owned(), folder, took: Took::default() };
        for folder in [host.home(), host.projects()] {
            make(&folder)?;
        }
        Ok(host)
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn projects(&self) -> PathBuf {
        self.folder.path().join("projects")
    }

    /// The lines of the files of a new home.
    pub fn template_lines(&mut self) -> Result<Vec<String>, HomeError> {
        self.keep()?;
        let out =
            self.run(&["init", "--json"], &self.projects(), DateTime::constant(2026, 1, 1, 0, 0, 0, 0), "")?;
        let made: Value = serde_json::from_str(&out).unwrap_or_default();
        let mut lines = Vec::new();
        let workspace = made["workspace"].as_str().map(PathBuf::from).unwrap_or_default();
        for entry in fs::read_dir(&workspace).into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            lines.extend(text.lines().map(|line| line.trim().to_owned()));
        }
        self.put_back()?;
        Ok(lines)
    }

    /// Saves the home until [`put_back`](Self::put_back).
    pub fn keep(&mut self) -> Result<(), HomeError> {
        copy(&self.home(), &self.folder.path().join("kept"))
    }

    /// Restores the saved home.
    pub fn put_back(&mut self) -> Result<(), HomeError> {
        let (home, kept) = (self.home(), self.folder.path().join("kept"));
        fs::remove_dir_all(&home)
            .and_then(|()| fs::rename(&kept, &home))
            .map_err(|error| own::failed(&home, &error))
    }

    /// Begins the session `id` in `project`.
    pub fn begin(&mut self, id: &str, project: &str, at: DateTime) -> Result<Talk<'_>, HomeError> {
        let folder = self.projects().join(project);
        make(&folder.join(".git"))?;
        let transcripts = self.home().join(".claude/projects").join(project);
        make(&transcripts)?;
        let transcript = transcripts.join(format!("{id}.jsonl"));
        let mut talk =
            Talk { host: self, id: id.to_owned(), project: folder, transcript, pack: Shown::default() };
        talk.pack = talk.hook("session-start", "SessionStart", at, json!({ "source": "startup" }))?;
        Ok(talk)
    }

    /// Times of the hook calls.
    pub fn took(&self) -> &Took {
        &self.took
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a host starts the program, and passes on where programs are"
    )]
    fn run(&self, words: &[&str], folder: &Path, at: DateTime, stdin: &str) -> Result<String, HomeError> {
        let failed = |error: std::io::Error| {
            HomeError::new(Code::WriteFailed, format!("{} cannot be run: {error}.", self.program.display()))
        };
        let at = at.to_zoned(TimeZone::UTC).map(|at| at.timestamp().to_string()).unwrap_or_default();
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(folder).env_clear();
        command.env("HOME", self.home()).env("TZ", "UTC").env(clock::VARIABLE, at);
        command.env("INWIT_RECALL_PROMPT_DEADLINE_MS", PATIENCE_MS);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        if let Some(mut pipe) = child.stdin.take() {
            // A process that ends early closes the pipe.
            let _ = pipe.write_all(stdin.as_bytes());
        }
        let output = child.wait_with_output().map_err(failed)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Talk<'_> {
    /// The session context of its start.
    pub fn pack(&self) -> &Shown {
        &self.pack
    }

    /// The user types `prompt`; returns the injected text.
    pub fn prompt(&mut self, at: DateTime, prompt: &str) -> Result<Shown, HomeError> {
        self.write(at, "user", json!(prompt))?;
        self.hook(PROMPT, "UserPromptSubmit", at, json!({ "prompt": prompt }))
    }

    /// The agent asks its memory to store `text`.
    pub fn remember(&mut self, at: DateTime, text: &str) -> Result<(), HomeError> {
        let calls = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
                "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "2"}}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                "params": {"name": "memory_remember", "arguments": {"text": text}}}),
        ];
        let stdin: String = calls.iter().map(|call| format!("{call}\n")).collect();
        self.host.run(&["mcp", "--main"], &self.project, at, &stdin).map(drop)
    }

    /// The agent calls its tools and answers.
    pub fn reply(&mut self, at: DateTime, turn: &Turn) -> Result<(), HomeError> {
        for (number, tool) in turn.tools.iter().enumerate() {
            let id = format!("toolu_{number}");
            let call =
                json!({"type": "tool_use", "id": id, "name": tool.name, "input": {"command": tool.input}});
            self.write(at, "assistant", json!([call]))?;
            let result = json!({"type": "tool_result", "tool_use_id": id, "content": tool.output});
            self.write(at, "user", json!([result]))?;
        }
        self.write(at, "assistant", json!([{"type": "text", "text": turn.agent}]))?;
        let fields = json!({ "stop_hook_active": false, "last_assistant_message": turn.agent });
        self.hook("stop", "Stop", at, fields).map(drop)
    }

    /// The user ends the session.
    pub fn end(mut self, at: DateTime) -> Result<(), HomeError> {
        self.hook("session-end", "SessionEnd", at, json!({ "reason": "exit" })).map(drop)
    }

    fn hook(
        &mut self,
        word: &'static str,
        event: &str,
        at: DateTime,
        fields: Value,
    ) -> Result<Shown, HomeError> {
        let mut input = json!({
            "session_id": self.id,
            "transcript_path": self.transcript,
            "cwd": self.project,
            "permission_mode": "default",
            "hook_event_name": event,
        });
        if let (Some(input), Value::Object(fields)) = (input.as_object_mut(), fields) {
            input.extend(fields);
        }
        let began = Instant::now();
        let out = self.host.run(&["hook", word], &self.project, at, &input.to_string())?;
        self.host.took.entry(word).or_default().push(began.elapsed());
        let answer: Value = serde_json::from_str(&out).unwrap_or_default();
        let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
        Ok(Shown { text: text.to_owned() })
    }

    /// Adds a line to the transcript, in the form of Claude Code.
    fn write(&self, at: DateTime, role: &str, content: Value) -> Result<(), HomeError> {
        let line = json!({
            "type": role,
            "sessionId": self.id,
            "cwd": self.project,
            "timestamp": format!("{at}Z"),
            "message": {"role": role, "content": content},
        });
        let open = || -> std::io::Result<()> {
            let mut file = File::options().create(true).append(true).open(&self.transcript)?;
            file.write_all(format!("{line}\n").as_bytes())
        };
        open().map_err(|error| own::failed(&self.transcript, &error))
    }
}

fn make(folder: &Path) -> Result<(), HomeError> {
    fs::create_dir_all(folder).map_err(|error| own::failed(folder, &error))
}

/// Copies a folder to a place that does not exist yet.
fn copy(from: &Path, to: &Path) -> Result<(), HomeError> {
    make(to)?;
    let failed = |error: std::io::Error| own::failed(to, &error);
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (place, kind) = (to.join(entry.file_name()), entry.file_type().map_err(failed)?);
        if kind.is_dir() {
            copy(&entry.path(), &place)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &place).map_err(failed)?;
        }
    }
    Ok(())
}

/// The median of some durations, in milliseconds.
pub fn median_ms(took: &[Duration]) -> f64 {
    let mut sorted = took.to_vec();
    sorted.sort();
    sorted.get(sorted.len() / 2).map_or(0.0, |middle| middle.as_secs_f64() * 1_000.0)
}

/// Number of calls that took longer than the default wait of a prompt.
pub fn late(took: &[Duration]) -> usize {
    took.iter().filter(|took| took.as_millis() > DEADLINE_MS).count()
}
