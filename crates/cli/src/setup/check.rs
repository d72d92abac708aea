//! `inwit setup --check`: runs what a host would run.
//!
//! The exact command lines in the host's files are run with a sample event that is marked as a check. Invariant: a
//! check writes neither to the host's files nor to notes, sessions or logs.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use inwit_wire::{CheckV1, HOOKS, HookCheck, HookCheckV1, HookInputV1};
use serde_json::{Value, json};

use super::foreign;
use super::hosts::{ENTRY, Host, Wishes};
use super::strict;
use super::wish::{self, Wish};
use crate::error::CliError;

/// Longest wait for a hook without a timeout, and for the server, in seconds.
const WAIT_SECONDS: u64 = 10;

/// Checks all configured commands of a host.
pub fn all(host: &'static Host, wishes: &Wishes) -> Result<Vec<CheckV1>, CliError> {
    let mut checks = Vec::new();
    let mut add = |name: String, check: &mut dyn FnMut() -> Result<(), String>| {
        let begun = Instant::now();
        let failed = check().err();
        let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        checks.push(CheckV1 { host: host.name, name, failed, milliseconds });
    };
    for (path, wishes) in wishes {
        let text = foreign::read(path)?.unwrap_or_default();
        let unfit = |why: String| foreign::unfit(path, &why);
        let is_toml = wishes.iter().any(|wish| matches!(wish, Wish::Table(_)));
        let fault = strict::fault(&text).filter(|_| !is_toml);
        if let Some(fault) = fault {
            let why = format!("{} ignores the file: {fault}", host.title);
            add(path.display().to_string(), &mut || Err(why.clone()));
        }
        if let Some(setting) = wish::hooks_off(&text, is_toml) {
            let why = format!("{} runs no hooks: {setting}", host.title);
            add(path.display().to_string(), &mut || Err(why.clone()));
        }
        let found = own_hooks(wishes, &text).map_err(unfit)?;
        // The wishes are in order of insertion, which is reversed.
        for wish in wishes.iter().rev() {
            match wish {
                Wish::Hook { event, .. } => {
                    let name =
                        HOOKS.iter().find(|hook| hook.event == *event).map_or(*event, |hook| hook.name);
                    let mut ours = found.iter().filter(|hook| hook.0 == *event).peekable();
                    if ours.peek().is_none() {
                        add(name.to_owned(), &mut || Err(missing(path)));
                    }
                    for (_, command, seconds) in ours {
                        add(name.to_owned(), &mut || call(event, command, *seconds));
                    }
                }
                Wish::Server(_) | Wish::Table(_) => {
                    let entry = wish.entry(&text).map_err(unfit)?;
                    add("server".to_owned(), &mut || {
                        if entry.is_null() { Err(missing(path)) } else { serve(&entry) }
                    });
                }
                Wish::Allow { .. } => {}
            }
        }
    }
    Ok(checks)
}

/// Our hooks in a file that should have some.
fn own_hooks(wishes: &[Wish], text: &str) -> Result<Vec<wish::OwnHook>, String> {
    if wishes.iter().any(|wish| matches!(wish, Wish::Hook { .. })) {
        wish::own_hooks(text)
    } else {
        Ok(Vec::new())
    }
}

fn missing(path: &Path) -> String {
    format!("not in {}", path.display())
}

/// Runs a hook's line as the host does, with a sample event.
fn call(event: &str, command: &str, seconds: Option<u64>) -> Result<(), String> {
    let sample = json!({
        "session_id": "inwit-check",
        "hook_event_name": event,
        "source": "startup",
        "prompt": "What do you remember about this project?",
        HookInputV1::CHECK: true,
    });
    let mut shell = started("/bin/sh");
    shell.args(["-c", command]);
    let out = output(shell, &sample.to_string(), seconds.unwrap_or(WAIT_SECONDS))?;
    match serde_json::from_str(&out).map(|HookCheckV1 { check }| check) {
        Ok(HookCheck::Works(true)) => Ok(()),
        Ok(HookCheck::Fails(why)) => Err(why),
        _ => Err(format!("`{command}` did not answer; run `inwit doctor`")),
    }
}

/// Starts the server as the host does, and lists its tools.
fn serve(entry: &Value) -> Result<(), String> {
    let mut server = started(entry["command"].as_str().unwrap_or_default());
    server.args(entry["args"].as_array().into_iter().flatten().filter_map(Value::as_str));
    let env = entry["env"].as_object().into_iter().flatten();
    server.envs(env.filter_map(|(name, value)| Some((name, value.as_str()?))));
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": ENTRY, "version": env!("CARGO_PKG_VERSION") } } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let out = output(server, &format!("{hello}\n{ready}\n{list}\n"), WAIT_SECONDS)?;
    let answers = out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let tools = answers
        .filter(|answer| answer["id"] == 2)
        .find_map(|answer| answer["result"]["tools"].as_array().map(Vec::len));
    match tools {
        Some(1..) => Ok(()),
        _ => Err("it did not list its tools; run it by hand to see why".to_owned()),
    }
}

#[expect(clippy::disallowed_methods, reason = "what a host would run is run as the host does")]
fn started(program: &str) -> Command {
    Command::new(program)
}

/// The output of a command for `input`, within `seconds`.
fn output(mut command: Command, input: &str, seconds: u64) -> Result<String, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| {
        format!("cannot start `{}`: {}", command.get_program().to_string_lossy(), error.kind())
    })?;
    if let Some(mut to) = child.stdin.take() {
        // A command that ignores its input is judged by its output.
        let _ = to.write_all(input.as_bytes());
    }
    let (send, receive) = mpsc::channel();
    if let Some(mut from) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = from.read_to_end(&mut bytes);
            let _ = send.send(bytes);
        });
    }
    let Ok(bytes) = receive.recv_timeout(Duration::from_secs(seconds)) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("no answer within {seconds} seconds"));
    };
    let _ = child.wait();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
