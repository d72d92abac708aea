//! Validates the `agent.toml` of a backup as an untrusted file.
//!
//! Invariant: the restored workspace is the one that the restore chose; a key that such a file may not set, or a bad
//! value, is dropped and reported. A file without such changes keeps its bytes.

use std::path::{Path, PathBuf};

use inwit_home::AgentPlace;
use inwit_home::backup::plan::{AgentFile, Dropped};
use inwit_model::name::shown;
use toml_edit::{DocumentMut, Item, TableLike};

use super::edit::AGENT_HEAD;
use super::{Layers, Settings};

/// The key that names the workspace.
const WORKSPACE_KEY: &str = "workspace";

/// Settings with text for every prompt of the agent.
const PROMPT_KEYS: [&str; 3] = ["host.role", "host.instructions", "host.system_prompt"];

/// Decides about `text` (`None`: the backup has none) of an agent that comes to `place`. Error: why the file cannot be
/// taken over, as a sentence.
pub fn adopt(text: Option<&str>, place: &AgentPlace, settings: &Settings) -> Result<AgentFile, String> {
    let (changed, dropped) = match text {
        Some(text) => changed(text, place, settings)?,
        None => {
            let mut document = DocumentMut::new();
            put_workspace(&mut document, place);
            (Some(format!("{AGENT_HEAD}{document}")), Vec::new())
        }
    };
    let mut own = settings.clone();
    let kept = changed.as_deref().or(text).unwrap_or_default();
    own.layers.say_agent_text(kept).map_err(|error| error.message)?;
    let mut kept_alone = Layers::default();
    kept_alone.say_agent_text(kept).map_err(|error| error.message)?;
    let is_set = |key: &&str| kept_alone.text(key).is_some_and(|text| !text.trim().is_empty());
    let prompt_settings = PROMPT_KEYS.into_iter().filter(is_set).collect();
    Ok(AgentFile { text: changed, dropped, prompt_settings, history: own.profile().history })
}

fn changed(
    text: &str,
    place: &AgentPlace,
    settings: &Settings,
) -> Result<(Option<String>, Vec<Dropped>), String> {
    let refused = |text: &str| Layers::refused_of_agent(text).map_err(|error| error.message);
    let keys = refused(text)?;
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        format!("`home/agent.toml` is not valid TOML: {}.", error.message())
    })?;
    let mut is_changed = false;
    let mut dropped = Vec::new();
    for (key, error) in keys {
        is_changed |= remove(document.as_table_mut(), &key);
        dropped.push(Dropped { key: shown(&key), why: error.message });
    }
    if let Some((key, error)) = refused(&document.to_string())?.first() {
        return Err(format!("`{}` cannot be left out: {}", shown(key), error.message));
    }
    let said = document.get(WORKSPACE_KEY).and_then(Item::as_str).map(|text| settings.expanded(text));
    let is_right = match &said {
        Some(said) => canonical(said) == place.workspace,
        None => place.workspace == place.home.join("workspace"),
    };
    if !is_right {
        put_workspace(&mut document, place);
        is_changed = true;
    }
    Ok((is_changed.then(|| document.to_string()), dropped))
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn put_workspace(document: &mut DocumentMut, place: &AgentPlace) {
    if place.workspace == place.home.join("workspace") {
        document.remove(WORKSPACE_KEY);
    } else {
        document[WORKSPACE_KEY] = toml_edit::value(place.workspace.display().to_string());
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
        let place =
            AgentPlace { id: "main".into(), home: "/h/agents/main".into(), workspace: workspace.into() };
        adopt(Some(text), &place, &settings).expect("TOML")
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
            let adopted = adopted(text, workspace);
            assert_eq!((adopted.text, adopted.dropped), (None, Vec::new()), "{text}");
        }
    }

    #[test]
    fn settings_that_set_the_prompt_are_named() {
        let named = |text: &str| adopted(text, OWN).prompt_settings;
        assert_eq!(
            named("[host]\nrole = \"A cook.\"\nsystem_prompt = \"Sell.\"\n"),
            ["host.role", "host.system_prompt"]
        );
        assert_eq!(named("host = { instructions = \"Be kind.\", role = \" \" }\n"), ["host.instructions"]);
        assert_eq!(named("[host]\nagents_md = \"prepend\"\n"), [""; 0]);
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
