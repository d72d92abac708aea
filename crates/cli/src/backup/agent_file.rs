//! `agent.toml` of a backup, read as a file of somebody else.
//!
//! Invariant: what a restored `agent.toml` says of the workspace is where the restore puts it; a key that such a file
//! may not set, or a bad value, is left out and named. A file in which nothing of that changes keeps its bytes.

use std::path::{Path, PathBuf};

use inwit_model::name::shown;
use toml_edit::{DocumentMut, Item, TableLike};

use crate::error::CliError;
use crate::settings::edit::AGENT_HEAD;
use crate::settings::{Layers, Settings};

/// The key that names the workspace.
const WORKSPACE_KEY: &str = "workspace";

/// What becomes of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    /// What is written in its place, `None` where its bytes stay.
    pub text: Option<String>,
    /// Keys that are left out, each with the reason, as a sentence.
    pub dropped: Vec<Dropped>,
}

/// A key that is not restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// The key, safe to show.
    pub key: String,
    /// The reason, as a sentence.
    pub why: String,
}

/// Decides about `text` (`None`: the backup has none) of an agent at `home` whose workspace comes to `workspace`.
/// Error: it is not TOML.
pub fn adopt(
    text: Option<&str>,
    home: &Path,
    workspace: &Path,
    settings: &Settings,
) -> Result<AgentFile, CliError> {
    let own = home.join("workspace");
    let Some(text) = text else {
        let mut document = DocumentMut::new();
        put_workspace(&mut document, (workspace != own).then_some(workspace));
        return Ok(AgentFile { text: Some(format!("{AGENT_HEAD}{document}")), dropped: Vec::new() });
    };
    let refused = Layers::refused_of_agent(text)?;
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        super::broken(format!("`home/agent.toml` is not TOML: {}.", error.message()))
    })?;
    let mut is_changed = false;
    let mut dropped = Vec::new();
    for (key, error) in refused {
        is_changed |= remove(document.as_table_mut(), &key);
        dropped.push(Dropped { key: shown(&key), why: error.message });
    }
    let left = Layers::refused_of_agent(&document.to_string())?;
    if let Some((key, error)) = left.first() {
        return Err(super::broken(format!("`{}` cannot be left out: {}", shown(key), error.message)));
    }
    let said = document.get(WORKSPACE_KEY).and_then(Item::as_str).map(|text| settings.expanded(text));
    let is_right = match &said {
        Some(said) => canonical(said) == workspace,
        None => workspace == own,
    };
    if !is_right {
        put_workspace(&mut document, (workspace != own).then_some(workspace));
        is_changed = true;
    }
    Ok(AgentFile { text: is_changed.then(|| document.to_string()), dropped })
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn put_workspace(document: &mut DocumentMut, workspace: Option<&Path>) {
    match workspace {
        Some(path) => document[WORKSPACE_KEY] = toml_edit::value(path.display().to_string()),
        None => _ = document.remove(WORKSPACE_KEY),
    }
}

/// Removes `key`, such as `embedding.url`, however its tables are written; says whether it was there.
fn remove(table: &mut dyn TableLike, key: &str) -> bool {
    if table.remove(key).is_some() {
        return true;
    }
    let heads: Vec<String> = table.iter().map(|(head, _)| head.to_owned()).collect();
    heads.iter().any(|head| {
        let rest = key.strip_prefix(head.as_str()).and_then(|rest| rest.strip_prefix('.'));
        let below = table.get_mut(head).and_then(Item::as_table_like_mut);
        rest.zip(below).is_some_and(|(rest, below)| remove(below, rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adopted(text: &str, workspace: &str) -> AgentFile {
        let look = |name: &str| (name == "HOME").then(|| "/h".to_owned());
        let settings = Settings::read(Layers::default(), &look, Vec::new()).expect("read");
        adopt(Some(text), Path::new("/h/agents/main"), Path::new(workspace), &settings).expect("TOML")
    }

    const OWN: &str = "/h/agents/main/workspace";

    #[test]
    fn a_file_with_nothing_foreign_keeps_its_bytes() {
        for (text, workspace) in [
            ("# mine\nprofile = \"nexo\" # why\nseeded = [\"SOUL.md\"]\n\n[search]\nlimit = 5\n", OWN),
            ("workspace = \"~/notes\"\n", "/h/notes"),
            ("workspace = \"/h/agents/main/workspace\"\n", OWN),
            ("", OWN),
        ] {
            assert_eq!(adopted(text, workspace), AgentFile { text: None, dropped: Vec::new() }, "{text}");
        }
    }

    #[test]
    fn the_workspace_is_where_the_restore_puts_it() {
        let text = |text: &str, workspace: &str| adopted(text, workspace).text.expect("changed");
        assert_eq!(text("workspace = \"/h/.ssh\"\nprofile = \"nexo\"\n", OWN), "profile = \"nexo\"\n");
        assert_eq!(text("workspace = \"/h/.ssh\"\n", "/h/notes"), "workspace = \"/h/notes\"\n");
        assert_eq!(text("", "/h/notes"), "workspace = \"/h/notes\"\n");
    }

    #[test]
    fn keys_that_the_file_may_not_set_are_left_out_and_named() {
        for text in [
            "[judge]\nurl = \"http://evil\"\n",
            "judge.url = \"http://evil\"\n",
            "judge = { url = \"http://evil\" }\n",
            "\"judge.url\" = \"http://evil\"\n",
            "[[judge]]\nurl = \"http://evil\"\n",
            "home = \"/etc\"\n",
            "embedding.key_env = \"AWS_SECRET_ACCESS_KEY\"\n",
            "[workspace]\nx = 1\n",
            "search.limit = \"all\"\n",
        ] {
            let adopted = adopted(&format!("profile = \"nexo\"\n{text}"), OWN);
            assert_eq!(adopted.dropped.len(), 1, "{text}: {adopted:?}");
            let left = adopted.text.expect("changed");
            assert!(left.starts_with("profile = \"nexo\"\n"), "{left}");
            assert_eq!(Layers::refused_of_agent(&left).map(|keys| keys.len()), Ok(0), "{left}");
        }
    }
}
