//! What a file of a host should say of us.
//!
//! Invariant: an entry is known as ours by what it runs, not by its place, so that one that a person moved
//! or a program wrote anew is found again.

use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item};

use super::hosts::ENTRY;
use super::jsonc::{self, Target};
use super::splice::Splice;

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// A command at a moment, in a file of JSON.
    Hook {
        /// What the host calls the moment.
        event: &'static str,
        /// The command.
        command: String,
        /// When the host gives up, in seconds.
        timeout_seconds: u32,
    },
    /// Our server among `mcpServers`, in a file of JSON.
    Server(Value),
    /// Our server among `mcp_servers`, in a file of TOML.
    Table {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
}

impl Wish {
    /// Whether `text` says it. Error: why it cannot be read.
    pub fn is_met(&self, text: &str) -> Result<bool, String> {
        Ok(match self {
            Self::Hook { event, .. } => {
                let group = self.group();
                let all = jsonc::read(text)?;
                let groups = all["hooks"][event].as_array().map_or(&[][..], Vec::as_slice);
                groups.iter().filter(|one| is_ours(one)).eq([&group])
            }
            Self::Server(server) => jsonc::read(text)?["mcpServers"][ENTRY] == *server,
            Self::Table { command, arguments } => {
                let document = toml(text)?;
                let Some(table) = document.get("mcp_servers").and_then(|all| all.get(ENTRY)) else {
                    return Ok(false);
                };
                let said = table.get("args").and_then(Item::as_array).map(|said| {
                    said.iter().map(|word| word.as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
                });
                table.get("command").and_then(Item::as_str) == Some(command)
                    && said.as_ref() == Some(arguments)
            }
        })
    }

    /// The splice after which `text` says it. Error: why it cannot be put in.
    pub fn put(&self, text: &str) -> Result<Splice, String> {
        match self {
            Self::Hook { event, .. } => jsonc::add(text, Target::Element(&["hooks", event]), &self.group()),
            Self::Server(server) => jsonc::add(text, Target::Member(&["mcpServers"], ENTRY), server),
            Self::Table { command, arguments } => {
                let splice = table(text, command, arguments);
                let after = super::splice::with(text, &splice);
                // A host that wrote its servers in one line has no place for a table.
                toml(&after)
                    .map_err(|_| "`mcp_servers` is written in a way that no table can join".to_owned())?;
                Ok(splice)
            }
        }
    }

    /// `text` without any entry of ours of this kind; `None` where there is none.
    pub fn taken_out(&self, text: &str) -> Option<String> {
        match self {
            Self::Hook { event, .. } => jsonc::without_elements(text, &["hooks", event], &is_ours),
            Self::Server(_) => jsonc::without_member(text, &["mcpServers"], ENTRY),
            Self::Table { .. } => {
                let mut document = toml(text).ok()?;
                let servers = document.get_mut("mcp_servers")?.as_table_like_mut()?;
                servers.remove(ENTRY)?;
                if servers.is_empty() {
                    document.remove("mcp_servers");
                }
                Some(document.to_string())
            }
        }
    }

    fn group(&self) -> Value {
        let Self::Hook { command, timeout_seconds, .. } = self else { return Value::Null };
        json!({"hooks": [{"type": "command", "command": command, "timeout": timeout_seconds}]})
    }
}

/// Whether a group of hooks runs nothing but us.
fn is_ours(group: &Value) -> bool {
    let runs_us = |hook: &Value| hook["command"].as_str().is_some_and(is_own_command);
    group["hooks"].as_array().is_some_and(|hooks| !hooks.is_empty() && hooks.iter().all(runs_us))
}

fn is_own_command(command: &str) -> bool {
    let Some((program, _)) = command.split_once(" hook ") else { return false };
    let program = program.trim_matches(['\'', '"']);
    program == ENTRY || program.ends_with("/inwit")
}

fn table(text: &str, command: &str, arguments: &[String]) -> Splice {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let between = match text {
        "" => "",
        _ if text.ends_with('\n') => line_end,
        _ => &format!("{line_end}{line_end}"),
    };
    let words: toml_edit::Array = arguments.iter().map(String::as_str).collect();
    let command = toml_edit::Value::from(command);
    let lines = [
        format!("[mcp_servers.{ENTRY}]"),
        format!("command = {}", command.to_string().trim()),
        format!("args = {}", words.to_string().trim()),
    ];
    Splice { at: text.len(), text: format!("{between}{}{line_end}", lines.join(line_end)) }
}

fn toml(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error| format!("it is not TOML: {error}"))
}

#[cfg(test)]
mod tests {
    use super::super::splice::with;
    use super::*;

    fn table() -> Wish {
        Wish::Table { command: "inwit".into(), arguments: vec!["mcp".into(), "--main".into()] }
    }

    #[test]
    fn a_table_joins_what_is_there() {
        let text = "# mine\nmodel = \"o\"\n\n[mcp_servers.other]\ncommand = \"x\" # why\n";
        assert_eq!(table().is_met(text), Ok(false));
        let after = with(text, &table().put(text).expect("put"));
        assert_eq!(
            after,
            format!("{text}\n[mcp_servers.inwit]\ncommand = \"inwit\"\nargs = [\"mcp\", \"--main\"]\n")
        );
        assert_eq!(table().is_met(&after), Ok(true));
        assert_eq!(table().taken_out(&after).as_deref(), Some(text));
        assert!(table().put("mcp_servers = { other = { command = \"x\" } }\n").is_err());
    }

    #[test]
    fn only_what_runs_us_alone_is_ours() {
        for (command, ours) in [
            ("inwit hook stop", true),
            ("/opt/bin/inwit hook stop --agent bo", true),
            ("'/opt/my bin/inwit' hook stop", true),
            ("other hook stop", false),
            ("notinwit hook stop", false),
            ("inwit status", false),
        ] {
            assert_eq!(is_ours(&json!({"hooks": [{"command": command}]})), ours, "{command}");
        }
        assert!(!is_ours(&json!({"hooks": []})) && !is_ours(&json!(1)));
        assert!(!is_ours(&json!({"hooks": [{"command": "inwit hook stop"}, {"command": "say hi"}]})));
    }
}
