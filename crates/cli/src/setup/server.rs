//! Our entry among a host's servers, in JSON or TOML, and the recognition of an existing one.
//!
//! Invariant: an entry in another form, even under our name, is the user's. Additions by a user to our entry are the
//! user's while they exist.

use serde_json::{Value, json};

use super::call::{self, HOME, Own};

/// The server that a host should run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    program: String,
    arguments: Vec<String>,
    home: Option<String>,
}

impl Server {
    /// Our server.
    pub fn of(own: &Own) -> Self {
        Self { program: own.program.clone(), arguments: own.server(), home: own.home.clone() }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let env: serde_json::Map<String, Value> =
            self.home.iter().map(|home| (HOME.to_owned(), home.clone().into())).collect();
        json!({"type": "stdio", "command": self.program, "args": self.arguments, "env": env})
    }

    /// As lines of TOML below its header.
    pub fn lines(&self) -> Vec<String> {
        let text = |text: &str| toml_edit::Value::from(text).to_string();
        let words: toml_edit::Array = self.arguments.iter().map(String::as_str).collect();
        let env = self.home.iter().map(|home| format!("env = {{ {HOME} = {} }}", text(home)));
        [format!("command = {}", text(&self.program)), format!("args = {words}")]
            .into_iter()
            .chain(env)
            .collect()
    }

    /// Whether `entry` runs it, regardless of other members.
    pub fn is_run_by(&self, entry: &Value) -> bool {
        entry["command"] == *self.program
            && entry["args"] == json!(self.arguments)
            && entry["env"][HOME].as_str() == self.home.as_deref()
    }
}

/// Whether an entry has the form that we write. With `additions`, further members are allowed.
pub fn is_ours(entry: &Value, additions: bool) -> bool {
    let Some(arguments) = entry["args"].as_array() else { return false };
    let arguments: Vec<&str> = arguments.iter().map(|word| word.as_str().unwrap_or_default()).collect();
    let is_known = |name: &str| ["type", "command", "args", "env"].contains(&name);
    let adds = entry.as_object().into_iter().flatten().any(|(name, _)| !is_known(name))
        || entry["env"].as_object().into_iter().flatten().any(|(name, _)| name != HOME)
        || entry.get("type").is_some_and(|kind| kind != "stdio");
    call::is_server(entry["command"].as_str().unwrap_or_default(), &arguments) && (additions || !adds)
}

/// The command of an entry, for display.
pub fn shown(entry: &Value) -> String {
    let words = entry["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
    entry["command"].as_str().into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_adds_is_told_from_what_we_write() {
        let own = Own { program: "inwit".into(), home: Some("/h".into()), arguments: vec![] };
        let server = Server::of(&own);
        let mut entry = server.json();
        assert!(server.is_run_by(&entry) && is_ours(&entry, false));
        entry["env"]["A"] = json!("b");
        assert!(server.is_run_by(&entry) && is_ours(&entry, true) && !is_ours(&entry, false));
        entry["env"][HOME] = json!("/other");
        assert!(!server.is_run_by(&entry));
        let bare = Server::of(&Own { home: None, ..own });
        assert!(!bare.is_run_by(&server.json()), "it would serve another home");
        assert!(bare.is_run_by(&json!({"command": "inwit", "args": ["mcp", "--main", "--recalls"]})));
        assert!(!is_ours(&json!(7), true) && !is_ours(&json!({"url": "https://x.example"}), true));
        assert_eq!(
            shown(&json!({"command": "inwit", "args": ["mcp", "--room", "k"], "env": {"T": "s"}})),
            "inwit mcp --room k"
        );
    }
}
