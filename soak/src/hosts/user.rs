//! A person's home: their own configuration of both clients, two git repositories, and inwit on the PATH.
//!
//! Invariant: the configuration exists before inwit is set up, with hooks, an order and comments of the person's own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use inwit_testkit::fixture;
use serde_json::Value;

use super::script::PROJECTS;
use super::session::Client;
use crate::Place;
use crate::child::PATH;

/// Settings of Claude Code: tabs, an order of their own, a hook of the person's own at an event that inwit uses.
const SETTINGS: &str = "{\n\t\"cleanupPeriodDays\": 90,\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{ \"hooks\": [{ \"type\": \"command\", \"command\": \"true\" }] }\n\t\t],\n\t\t\"Notification\": []\n\t},\n\t\"permissions\": { \"allow\": [\"Bash(ls:*)\"] },\n\t\"env\": { \"EDITOR\": \"vi\" }\n}\n";

/// What Claude Code keeps itself, and rewrites while it runs.
const CLAUDE_STATE: &str =
    "{\n  \"numStartups\": 3,\n  \"theme\": \"dark\",\n  \"hasCompletedOnboarding\": true\n}\n";

/// Hooks of Codex.
const CODEX_HOOKS: &str = "{\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"true\", \"timeout\": 3 }] }]\n  }\n}\n";

/// The key that both clients send; the stub reads none.
const KEY: &str = "not-a-key";

/// A home in a folder.
pub struct User {
    home: PathBuf,
    stub: String,
    before: BTreeMap<PathBuf, String>,
}

impl User {
    /// Makes the home at `place`. `clients` is the folder with both clients, `program` the program that is `inwit` when
    /// it is called so, `stub` the address of the provider.
    ///
    /// # Panics
    /// When the disk refuses or git fails.
    #[track_caller]
    pub fn new(place: &Place, clients: &Path, program: &Path, stub: String) -> Self {
        let home = place.root().to_owned();
        let bin = home.join("bin");
        std::fs::create_dir_all(&bin).expect("a folder");
        let inwit = bin.join("inwit");
        // A link by name would be resolved to the campaign's own program when inwit asks for its path.
        if std::fs::hard_link(program, &inwit).is_err() {
            std::fs::copy(program, &inwit).expect("a copy");
        }
        for client in Client::ALL {
            let there = clients.join("node_modules/.bin").join(client.program());
            std::os::unix::fs::symlink(there, bin.join(client.program())).expect("a link");
        }
        let before = BTreeMap::new();
        let mut user = Self { home, stub, before };
        let config = user.codex_config();
        let files = [
            (".claude/settings.json", SETTINGS),
            (".claude.json", CLAUDE_STATE),
            (".codex/hooks.json", CODEX_HOOKS),
            (".codex/config.toml", config.as_str()),
        ];
        for (name, text) in files {
            fixture::put(&user.home, name, text.as_bytes());
            user.before.insert(user.home.join(name), text.to_owned());
        }
        for project in 0..PROJECTS.len() {
            std::fs::create_dir_all(user.project(project)).expect("a folder");
            let output = user.command("git", &["init", "--quiet"], project).output().expect("git runs");
            assert!(output.status.success(), "git init: {}", String::from_utf8_lossy(&output.stderr));
        }
        user
    }

    /// Plugins and analytics are off, since both wait for hosts that cannot be reached.
    fn codex_config(&self) -> String {
        format!(
            "# My own settings.\nmodel = \"gpt-5.2\" # the one I use\nmodel_provider = \"stub\"\n\n[model_providers.stub]\nname = \"stub\"\nbase_url = \"{}/v1\"\nwire_api = \"responses\"\nenv_key = \"STUB_KEY\"\n\n[features]\nplugins = false\n\n[analytics] # off\nenabled = false\n",
            self.stub
        )
    }

    /// The folder of a project.
    pub fn project(&self, project: usize) -> PathBuf {
        self.home.join("work").join(PROJECTS[project])
    }

    /// The agent's home.
    pub fn agent(&self) -> PathBuf {
        self.home.join(".local/share/inwit/agents/main")
    }

    /// A program of the PATH, in the folder of a project, with the person's environment and nothing else.
    #[expect(
        clippy::disallowed_methods,
        reason = "the environment is set here, for every program of the user"
    )]
    pub fn command(&self, program: &str, words: &[&str], project: usize) -> Command {
        let path = format!("{}:{PATH}", self.home.join("bin").display());
        let mut command = Command::new("/usr/bin/env");
        command.env_clear().env("HOME", &self.home).env("PATH", path).env("TZ", "UTC");
        command.envs([("ANTHROPIC_BASE_URL", self.stub.as_str()), ("ANTHROPIC_API_KEY", KEY)]);
        command.envs([("DISABLE_TELEMETRY", "1"), ("DISABLE_AUTOUPDATER", "1")]);
        command.envs([("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("STUB_KEY", KEY)]);
        command.arg(program).args(words).current_dir(self.project(project));
        command.stdin(Stdio::null());
        command
    }

    /// Runs `inwit` with `words` in the first project.
    #[track_caller]
    pub fn inwit(&self, words: &[&str]) -> Output {
        self.command("inwit", words, 0).output().expect("inwit runs")
    }

    /// A session begins an hour later by inwit's own clock; what it prints is not looked at.
    #[track_caller]
    #[expect(clippy::disallowed_methods, reason = "the clock is set by the time that the clients wrote")]
    pub fn an_hour_later(&self) {
        use std::io::Write as _;
        let later = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
        let mut hook = self.command("inwit", &["hook", "session-start"], 0);
        hook.env("INWIT_CLOCK", later.to_string()).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut hook = hook.spawn().expect("inwit starts");
        let mut stdin = hook.stdin.take().expect("piped");
        stdin.write_all(br#"{"session_id":"later","source":"startup"}"#).expect("written");
        drop(stdin);
        hook.wait().expect("inwit ends");
    }

    /// A process of the SQLite shell that holds `memory.db` exclusively until its standard input is closed.
    ///
    /// # Panics
    /// When the shell cannot lock the file.
    #[track_caller]
    pub fn lock_memory(&self) -> Child {
        use std::io::{BufRead as _, Write as _};
        let database = self.agent().join("memory.db").display().to_string();
        let mut shell = self.command("sqlite3", &["-bail", &database], 0);
        let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sqlite3 starts");
        let stdin = shell.stdin.as_mut().expect("piped");
        // A command of the shell writes past its buffer, so the line arrives as soon as the lock is held.
        stdin
            .write_all(b"PRAGMA locking_mode=EXCLUSIVE;\nBEGIN EXCLUSIVE;\n.system echo held\n")
            .expect("written");
        let stdout = std::io::BufReader::new(shell.stdout.take().expect("piped"));
        let held = stdout.lines().map_while(Result::ok).any(|line| line == "held");
        assert!(held, "sqlite3 did not lock {database}");
        shell
    }

    /// The text of a file of the home; empty where there is none.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.home.join(name)).unwrap_or_default()
    }

    /// The client itself added `text` to the end of a file, so it stays there.
    pub fn expect_added(&mut self, name: &str, text: &str) {
        self.before.entry(self.home.join(name)).or_default().push_str(text);
    }

    /// Files of configuration whose bytes are not those of before, and what is left of inwit in the state that Claude
    /// Code rewrites itself: it must be `expected`, as JSON.
    pub fn differences(&self, expected: &Value) -> Vec<String> {
        let mut found = Vec::new();
        for (path, text) in &self.before {
            let now = std::fs::read_to_string(path).unwrap_or_default();
            if path.ends_with(".claude.json") {
                let now: Value = serde_json::from_str(&now).unwrap_or_default();
                if now != *expected {
                    found.push(format!("{}: {now} is not {expected}", path.display()));
                }
            } else if now != *text {
                found.push(format!("{}: {now}", path.display()));
            }
        }
        if self.home.join(".claude/skills/inwit-memory").exists() {
            found.push("the skill is still there".to_owned());
        }
        found
    }

    /// The state of Claude Code as it is now, without our server.
    pub fn claude_state_without_ours(&self) -> Value {
        let mut state: Value = serde_json::from_str(&self.read(".claude.json")).unwrap_or_default();
        if let Some(servers) = state["mcpServers"].as_object_mut() {
            servers.remove("inwit");
        }
        // Before inwit was set up there were none.
        if state["mcpServers"].as_object().is_some_and(serde_json::Map::is_empty) {
            state.as_object_mut().map(|state| state.remove("mcpServers"));
        }
        state
    }
}
