//! What a person does once in `/hooks` of Codex: trusting each hook, over the protocol of Codex's own server.
//!
//! Codex lists the hooks with their hashes and writes the trusted ones into its config.toml, as its screen does.
//! Invariant: the hash is Codex's; nothing here computes one.

use std::io::Write as _;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::session::read_lines;
use super::user::User;

/// Longest wait for one answer, in seconds.
const ANSWER_SECONDS_MAX: u64 = 60;

/// A running server of Codex. It ends with this value.
struct Server {
    process: Child,
    lines: Receiver<(Duration, String)>,
    calls: u64,
}

/// Trusts every hook that Codex lists; returns how many. The error is what Codex answered instead.
pub fn every_hook(user: &User) -> Result<usize, String> {
    let mut server = Server::start(user);
    let client = json!({ "name": "inwit-soak", "title": "inwit-soak", "version": "0" });
    server.call("initialize", &json!({ "clientInfo": client }))?;
    let folder = user.project(0);
    let listed = server.call("hooks/list", &json!({ "cwds": [folder] }))?;
    let hooks = listed["data"][0]["hooks"].as_array().cloned().unwrap_or_default();
    let state: Map<String, Value> = hooks
        .iter()
        .filter_map(|hook| {
            Some((hook["key"].as_str()?.to_owned(), json!({ "trusted_hash": hook["currentHash"] })))
        })
        .collect();
    let trusted = state.len();
    let edit = json!({ "keyPath": "hooks.state", "mergeStrategy": "upsert", "value": state });
    server.call("config/batchWrite", &json!({ "edits": [edit] }))?;
    Ok(trusted)
}

impl Server {
    #[track_caller]
    fn start(user: &User) -> Self {
        let mut command = user.command("codex", &["app-server"], 0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("Codex starts");
        let (to, lines) = channel();
        read_lines(process.stdout.take().expect("piped"), to);
        Self { process, lines, calls: 0 }
    }

    /// The result of a call.
    fn call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.calls += 1;
        let request = json!({ "id": self.calls, "method": method, "params": params });
        let stdin = self.process.stdin.as_mut().ok_or("closed")?;
        writeln!(stdin, "{request}").map_err(|error| error.to_string())?;
        loop {
            let wait = Duration::from_secs(ANSWER_SECONDS_MAX);
            let (_, line) = self.lines.recv_timeout(wait).map_err(|error| format!("{method}: {error}"))?;
            let mut answer: Value = serde_json::from_str(&line).unwrap_or_default();
            if answer["id"] == self.calls {
                let failed = answer.get("result").is_none();
                return if failed { Err(format!("{method}: {answer}")) } else { Ok(answer["result"].take()) };
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its standard input is closed, so it ends; what does not end is killed.
        drop(self.process.stdin.take());
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
