//! The official clients of the Model Context Protocol and of Anthropic, and a tester of HTTP APIs, where `.ci/deps`
//! installed them.
//!
//! They are in `clients/` of the build folder: `py`, a Python environment with the package `mcp`, `ts`, a folder with
//! `@modelcontextprotocol/sdk`, `anthropic`, a Python environment with that package, and `api`, a Python environment with
//! schemathesis, which tests HTTP APIs. A CI server must have them; elsewhere a test reports that it was skipped.
//! Invariant: this module installs nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::{Cli, is_there};

/// A client and its first protocol version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Official {
    /// The Python SDK with the newest protocol version of the server.
    Python,
    /// The Python SDK with the older handshake.
    PythonOlder,
    /// The TypeScript SDK.
    TypeScript,
}

/// The calls of a client.
#[derive(Debug, Clone)]
pub struct Plan<'p> {
    /// The folder of the scripts `client.py` and `client.mjs`.
    pub scripts: &'p Path,
    /// Arguments after the program.
    pub words: &'p [&'p str],
    /// Arguments of every tool.
    pub calls: Value,
    /// Arguments of every prompt.
    pub prompts: Value,
}

impl Official {
    /// Each of them.
    pub const ALL: &[Self] = &[Self::Python, Self::PythonOlder, Self::TypeScript];

    /// The answers that `user`'s client received for `plan`; `None` if it is not installed.
    #[track_caller]
    pub fn asks(self, user: &Cli, plan: &Plan<'_>) -> Option<Value> {
        let clients = clients(user.program());
        let (there, what) = match self {
            Self::Python | Self::PythonOlder => (clients.join("py/bin/python"), "Python SDK of MCP"),
            Self::TypeScript => (clients.join("ts/node_modules"), "TypeScript SDK of MCP"),
        };
        if !is_there(there.exists(), what) {
            return None;
        }
        let program = user.program().display().to_string();
        let command: Vec<&str> =
            std::iter::once(program.as_str()).chain(plan.words.iter().copied()).collect();
        let text = json!({
            "command": command,
            "env": user.environment().collect::<std::collections::BTreeMap<_, _>>(),
            "folder": user.work(""),
            "mode": if self == Self::PythonOlder { "legacy" } else { "auto" },
            "calls": plan.calls,
            "prompts": plan.prompts,
        })
        .to_string();
        let (program, words) = match self {
            Self::Python | Self::PythonOlder => (there, vec![plan.scripts.join("client.py")]),
            Self::TypeScript => {
                (PathBuf::from("node"), vec![plan.scripts.join("client.mjs"), clients.join("ts")])
            }
        };
        #[expect(clippy::disallowed_methods, reason = "a client is a program of its own")]
        let output = Command::new(program).args(words).arg(text).output().expect("the client starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{self:?}: {said}");
        Some(
            serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|error| panic!("{self:?}: {error}: {said}")),
        )
    }
}

/// What schemathesis says of the API at `url`, called with this token and so many examples for each operation, and whether
/// it found nothing; `None` if it is not installed.
#[track_caller]
pub fn schemathesis(
    user: &Cli,
    config: &Path,
    url: &str,
    token: &str,
    examples: u32,
) -> Option<(bool, String)> {
    let program = clients(user.program()).join("api/bin/schemathesis");
    if !is_there(program.exists(), "schemathesis") {
        return None;
    }
    #[expect(clippy::disallowed_methods, reason = "the tester is a program of its own")]
    let output = Command::new(program)
        .current_dir(user.work(""))
        .arg("--config-file")
        .arg(config)
        .arg("run")
        .arg(format!("{url}/openapi.json"))
        .args(["--header", &format!("Authorization: Bearer {token}")])
        .args(["--checks", "all", "--exclude-checks", "positive_data_acceptance"])
        // A stream of events has no end, and a revoked token calls nothing more.
        .args(
            ["events", "revokeToken", "rotateToken"]
                .into_iter()
                .flat_map(|id| ["--exclude-operation-id", id]),
        )
        .args(["--max-examples", &examples.to_string()])
        .args(["--generation-deterministic", "--no-color"])
        .output()
        .expect("the tester starts");
    let said = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&said).into_owned()))
}

/// What the official SDK of Anthropic got from the memory stores of the server at `url` by this script; `None` if it is
/// not installed.
#[track_caller]
pub fn anthropic(user: &Cli, script: &Path, url: &str, token: &str) -> Option<Value> {
    let program = clients(user.program()).join("anthropic/bin/python");
    if !is_there(program.exists(), "Python SDK of Anthropic") {
        return None;
    }
    #[expect(clippy::disallowed_methods, reason = "a client is a program of its own")]
    let output = Command::new(program)
        .arg(script)
        .args([url, token])
        .env_clear()
        .envs(user.environment())
        .current_dir(user.work(""))
        .output()
        .expect("the client starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}")))
}

/// The folder of the clients: in the build folder, two levels above the program.
fn clients(program: &Path) -> PathBuf {
    program.ancestors().nth(2).unwrap_or(Path::new("")).join("clients")
}
