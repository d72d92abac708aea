//! Layers of settings, each value with its origin.
//!
//! `config.toml` < `agent.toml` < environment < flags; below them the profile and defaults. A file with an unknown
//! key or a bad value is refused as a whole, with path and line, so that a misspelt limit is never silently ignored.
//! Only `inwit config` parses leniently: a bad value is kept as a [`Problem`] and reported, since that command
//! repairs it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use inwit_home::own;
use inwit_model::distance::nearest;
use inwit_model::{Code, Hint};
use toml::{Table, Value as Toml};

use super::table::{NAMES_OF_PROFILE, Reach, SETTINGS, Setting};
use super::unread::{UNREAD, Unread};
use inwit_home::HomeError;

/// Not a setting: `init` notes in `agent.toml` what it has given the workspace, so that a file which a
/// person took away does not come back (W17).
pub const SEEDED_KEY: &str = "seeded";

/// A key of an earlier version: the one in its place, and what its number is multiplied by.
const FORMER_KEYS: &[(&str, &str, i64)] = &[("dream.lock_ttl_minutes", "dream.lock_ttl_ms", 60_000)];

/// Names of other systems that only turn a setting off, with the value that does; other values change nothing.
const NAMES_OF_OFF: &[(&str, &str)] = &[("MINARA_PERSONALIZATION_REBUILD", "disabled")];

/// The name of an agent's own file.
const AGENT_FILE: &str = "agent.toml";

/// The value of an environment variable, as its setting takes it.
fn read(name: &str, look: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let text = look(name).filter(|text| !text.is_empty())?;
    match NAMES_OF_OFF.iter().find(|(of_off, _)| *of_off == name) {
        Some((_, off)) => (text.trim() == *off).then(|| false.to_string()),
        None => Some(text),
    }
}

/// Where a value comes from. [`Origin::rank`] is the precedence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A compiled-in default.
    Default,
    /// The profile.
    Profile(String),
    /// The user's config file.
    UserFile(PathBuf),
    /// The current folder, or one above it, is a workspace.
    CurrentFolder,
    /// The agent's own file.
    AgentFile(PathBuf),
    /// An environment variable.
    Env(String),
    /// A flag of this command.
    Flag(&'static str),
}

impl Origin {
    /// How near a layer is; a nearer one wins. Two of one layer are a tie, whatever their names.
    pub fn rank(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::Profile(_) => 1,
            Self::UserFile(_) => 2,
            Self::CurrentFolder => 3,
            Self::AgentFile(_) => 4,
            Self::Env(_) => 5,
            Self::Flag(_) => 6,
        }
    }

    /// Whether it was typed with this very command.
    pub fn is_flag(&self) -> bool {
        matches!(self, Self::Flag(_))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("default"),
            Self::CurrentFolder => out.write_str("current folder"),
            Self::Profile(name) => write!(out, "profile {name}"),
            Self::UserFile(path) | Self::AgentFile(path) => write!(out, "{}", path.display()),
            Self::Env(name) => write!(out, "environment {name}"),
            Self::Flag(flag) => write!(out, "flag {flag}"),
        }
    }
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// As it was written.
    pub text: String,
    /// Who wrote it.
    pub origin: Origin,
}

/// Something that was said and does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The key, or none where a whole file cannot be read.
    pub key: Option<String>,
    /// As it was written.
    pub value: Value,
    /// What is wrong.
    pub error: HomeError,
}

/// The values that were said, by key.
#[derive(Debug, Clone, Default)]
pub struct Layers {
    values: BTreeMap<&'static str, Value>,
    /// Whether what is bad is kept in `problems` instead of stopping the command.
    is_lenient: bool,
    problems: Vec<Problem>,
    /// Environment names that are set and change nothing.
    unread: Vec<&'static Unread>,
    /// By key, what [`NAMES_OF_PROFILE`] say: the profile, the name and its text, until that profile is known to hold.
    of_profile: BTreeMap<&'static str, (&'static str, &'static str, String)>,
}

impl Layers {
    /// Layers that keep what is bad beside what is good.
    pub fn lenient() -> Self {
        Self { is_lenient: true, ..Self::default() }
    }

    /// What was said and does not count; only lenient layers have any.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Environment names of other systems that are set and change nothing.
    pub fn unread(&self) -> &[&'static Unread] {
        &self.unread
    }

    /// Takes back what was said of `key`.
    pub fn forget(&mut self, key: &str) {
        self.values.remove(key);
    }

    fn refuse(&mut self, key: Option<&str>, value: Value, error: HomeError) -> Result<(), HomeError> {
        if !self.is_lenient {
            return Err(error);
        }
        self.problems.push(Problem { key: key.map(str::to_owned), value, error });
        Ok(())
    }

    /// The value of `key`, if any layer says it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// The text of `key`, if any layer says it.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).map(|value| value.text.as_str())
    }

    /// Says `key` unless a higher layer has said it.
    pub fn say(&mut self, key: &'static str, value: Value) {
        match self.values.get(key) {
            Some(said) if said.origin.rank() > value.origin.rank() => {}
            _ => {
                self.values.insert(key, value);
            }
        }
    }

    /// Reads the environment; `look` is the only way to it.
    pub fn say_environment(&mut self, look: &dyn Fn(&str) -> Option<String>) -> Result<(), HomeError> {
        let is_set = |name: &str| look(name).is_some_and(|text| !text.is_empty());
        self.unread = UNREAD.iter().filter(|row| is_set(row.name)).collect();
        for row in SETTINGS {
            let found = row.env_names().find_map(|name| read(&name, look).map(|text| (name, text)));
            let Some((name, text)) = found else { continue };
            match NAMES_OF_PROFILE.iter().find(|(general, _)| *general == name) {
                Some((name, profile)) => _ = self.of_profile.insert(row.key, (*profile, *name, text)),
                None => self.say_variable(row, &name, text)?,
            }
        }
        Ok(())
    }

    /// Says what the environment has for the profile that holds, now that every layer has named its own.
    pub fn say_for_profile(&mut self) -> Result<(), HomeError> {
        let waiting = std::mem::take(&mut self.of_profile);
        for (key, (profile, name, text)) in waiting {
            match Setting::named(key).filter(|_| self.text("profile") == Some(profile)) {
                Some(row) => self.say_variable(row, name, text)?,
                None => _ = self.of_profile.insert(key, (profile, name, text)),
            }
        }
        Ok(())
    }

    fn say_variable(&mut self, row: &'static Setting, name: &str, text: String) -> Result<(), HomeError> {
        let judged = row.judge(&text);
        let value = Value { text, origin: Origin::Env(name.to_owned()) };
        match judged {
            Ok(()) => {
                self.say(row.key, value);
                Ok(())
            }
            Err(why) => {
                let error = bad(format!("The environment variable {name} is invalid: {why}."));
                self.refuse(Some(row.key), value, error)
            }
        }
    }

    /// Reads a config file if it is there.
    pub fn say_file(
        &mut self,
        path: &Path,
        origin: &dyn Fn(PathBuf) -> Origin,
        reach: Reach,
    ) -> Result<(), HomeError> {
        let origin = origin(path.to_owned());
        match table(path) {
            Ok(table) => self.say_table(&table, path, &origin, reach),
            Err(error) => self.refuse(None, Value { text: String::new(), origin }, error),
        }
    }

    /// Reads the text of an `agent.toml` that has no place yet. Error: it could not stand there.
    pub fn say_agent_text(&mut self, text: &str) -> Result<(), HomeError> {
        let path = Path::new(AGENT_FILE);
        self.say_table(&parsed(path, text)?, path, &Origin::AgentFile(path.to_owned()), Reach::Agent)
    }

    fn say_table(
        &mut self,
        table: &Table,
        path: &Path,
        origin: &Origin,
        reach: Reach,
    ) -> Result<(), HomeError> {
        for (key, value) in flat(table) {
            if reach == Reach::Agent && key == SEEDED_KEY {
                continue;
            }
            let judged = judged(path, reach, &key, &value);
            let text = written(&value).unwrap_or_else(|| value.to_string());
            let value = Value { text, origin: origin.clone() };
            match judged {
                Ok(row) => self.say(row.key, value),
                Err(error) => self.refuse(Some(&key), value, error)?,
            }
        }
        Ok(())
    }
}

impl Layers {
    /// The keys of `text` that no `agent.toml` may set, or that have a bad value, each with its error.
    /// Error: it is not TOML.
    pub fn refused_of_agent(text: &str) -> Result<Vec<(String, HomeError)>, HomeError> {
        let path = Path::new(AGENT_FILE);
        let rows = flat(&parsed(path, text)?).into_iter();
        let rows = rows.filter(|(key, value)| key != SEEDED_KEY || !value.is_array());
        let refused = |(key, value): (String, Toml)| {
            Some((key.clone(), judged(path, Reach::Agent, &key, &value).err()?))
        };
        Ok(rows.filter_map(refused).collect())
    }
}

/// The file as TOML; one that is not there says nothing.
fn table(path: &Path) -> Result<Table, HomeError> {
    let Some(text) = own::read(path)? else { return Ok(Table::new()) };
    parsed(path, &text)
}

fn parsed(path: &Path, text: &str) -> Result<Table, HomeError> {
    text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        bad(format!("{} is not valid TOML, line {line}: {}.", path.display(), error.message()))
            .hint("Repair that line with an editor, or remove the file.")
    })
}

/// The setting that a file may say so.
fn judged(path: &Path, reach: Reach, key: &str, value: &Toml) -> Result<&'static Setting, HomeError> {
    let Some(row) = Setting::named(key) else {
        let message = format!("{} sets the unknown setting `{key}`{}", path.display(), like(key));
        return Err(HomeError::new(Code::SettingUnknown, message).hint(Hint::RemoveSetting));
    };
    let mend = |message: String| bad(message).hint(Hint::RepairSetting);
    if reach == Reach::Agent && row.reach == Reach::User {
        let message = format!("{} may not set `{key}`. Set it in your own config file.", path.display());
        return Err(bad(message).hint("Remove the line with an editor."));
    }
    if !row.is_of_type(value) {
        return Err(mend(format!("{}: `{key}` takes {}, not `{value}`.", path.display(), row.expects())));
    }
    let text = written(value).unwrap_or_default();
    row.judge(&text).map_err(|why| mend(format!("{}: {why}.", path.display())))?;
    Ok(row)
}

fn bad(message: String) -> HomeError {
    HomeError::new(Code::SettingBad, message)
}

/// `[load] max_file_chars = 1` as `load.max_file_chars`.
/// A key of an earlier version stands under the name and in the unit of today; where the file says both, it says nothing.
fn flat(table: &Table) -> Vec<(String, Toml)> {
    let mut rows = leaves(table);
    for (former, key, factor) in FORMER_KEYS {
        let is_said = rows.iter().any(|(said, _)| said == key);
        let Some(at) = rows.iter().position(|(said, _)| said == former) else { continue };
        let count = written(&rows[at].1).and_then(|text| text.parse::<i64>().ok());
        match count.and_then(|count| count.checked_mul(*factor)) {
            _ if is_said => _ = rows.remove(at),
            Some(count) => rows[at] = ((*key).to_owned(), Toml::Integer(count)),
            // The value is refused under the name of today.
            None => rows[at].0 = (*key).to_owned(),
        }
    }
    rows
}

fn leaves(table: &Table) -> Vec<(String, Toml)> {
    let mut rows = Vec::new();
    for (key, value) in table {
        match value {
            Toml::Table(inner) => {
                rows.extend(leaves(inner).into_iter().map(|(below, value)| (format!("{key}.{below}"), value)))
            }
            other => rows.push((key.clone(), other.clone())),
        }
    }
    rows
}

fn written(value: &Toml) -> Option<String> {
    match value {
        Toml::String(text) => Some(text.clone()),
        Toml::Integer(count) => Some(count.to_string()),
        Toml::Float(number) => Some(number.to_string()),
        Toml::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// The end of a sentence about a key that is unknown: `; did you mean …?` where it is nearly one.
pub fn like(key: &str) -> String {
    let near = nearest(key, SETTINGS.iter().map(|row| row.key));
    near.map_or_else(|| ".".to_owned(), |name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Result<Layers, HomeError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        #[expect(clippy::disallowed_methods, reason = "the test lays a file out")]
        std::fs::write(&path, text).expect("written");
        let mut layers = Layers::default();
        layers.say_file(&path, &Origin::AgentFile, Reach::Agent)?;
        Ok(layers)
    }

    #[test]
    fn the_nearer_layer_wins_whatever_the_order() {
        let env = Value { text: "7".into(), origin: Origin::Env("INWIT_SEARCH_LIMIT".into()) };
        let user = Value { text: "5".into(), origin: Origin::UserFile("config.toml".into()) };
        let flag = Value { text: "9".into(), origin: Origin::Flag("--limit") };
        for order in [[&env, &user, &flag], [&flag, &env, &user], [&user, &flag, &env]] {
            let mut layers = Layers::default();
            order.into_iter().for_each(|value| layers.say("search.limit", value.clone()));
            assert_eq!(layers.get("search.limit"), Some(&flag));
        }
    }

    #[test]
    fn two_of_one_layer_are_a_tie_whatever_their_names() {
        let env = |name: &str| Origin::Env(name.into());
        assert_eq!(env("A").rank(), env("B").rank());
        let ranks = [
            Origin::Default,
            Origin::Profile("z".into()),
            Origin::UserFile("z".into()),
            Origin::AgentFile("a".into()),
            env("A"),
            Origin::Flag("--agent"),
        ]
        .map(|origin| origin.rank());
        assert!(ranks.is_sorted_by(|low, high| low < high));
    }

    #[test]
    fn lenient_layers_keep_what_is_bad_beside_what_is_good() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        own::write(&path, b"profile = \"nexo\"\nfoo = 1\n[search]\nlimit = \"none\"\n").expect("written");
        let mut layers = Layers::lenient();
        layers.say_file(&path, &Origin::UserFile, Reach::User).expect("read");
        assert_eq!((layers.text("profile"), layers.text("search.limit")), (Some("nexo"), None));
        let told: Vec<_> =
            layers.problems().iter().map(|one| (one.key.as_deref(), one.value.text.as_str())).collect();
        assert_eq!(told, [(Some("foo"), "1"), (Some("search.limit"), "none")]);
    }

    #[test]
    fn environment_names_of_other_systems_mean_the_same() {
        let mut layers = Layers::default();
        let look = |name: &str| (name == "MINARA_WORKSPACE_DIR").then(|| "/notes".to_owned());
        layers.say_environment(&look).expect("read");
        let origin = Origin::Env("MINARA_WORKSPACE_DIR".into());
        assert_eq!(layers.get("workspace"), Some(&Value { text: "/notes".into(), origin }));
    }

    #[test]
    fn a_key_of_an_earlier_version_means_the_one_in_its_place() {
        let said = |text: &str| file(text).map(|layers| layers.text("dream.lock_ttl_ms").map(str::to_owned));
        assert_eq!(said("dream.lock_ttl_minutes = 30"), Ok(Some("1800000".into())));
        assert_eq!(said("[dream]\nlock_ttl_minutes = \"2\""), Ok(Some("120000".into())));
        assert_eq!(said("[dream]\nlock_ttl_ms = 60000\nlock_ttl_minutes = 30"), Ok(Some("60000".into())));
        for bad in ["0", "\"soon\"", "9223372036854775807"] {
            let error = said(&format!("dream.lock_ttl_minutes = {bad}")).expect_err("refused");
            assert!(error.message.contains("`dream.lock_ttl_ms`"), "{}", error.message);
        }
        assert_eq!(Layers::refused_of_agent("dream.lock_ttl_minutes = 30").map(|keys| keys.len()), Ok(0));
    }

    #[test]
    fn a_bad_file_is_refused_with_its_place() {
        let refused = |text: &str| file(text).expect_err("refused").message;
        assert!(refused("[load]\nmax_file_char = 9").contains("did you mean `load.max_file_chars`"));
        assert!(refused("search.limit = 0").contains("a whole number from 1 to 1000"));
        assert!(refused("home = \"/x\"").contains("may not set `home`"));
        assert!(refused("a = \n").contains("line 1"));
        assert!(refused("search.limit = [1]").contains("takes a whole number"));
        assert!(refused("profile = 3").contains("takes one of personal"));
        assert!(refused("load.tools_md = 1").contains("takes true or false"));
        assert_eq!(file("[search]\nlimit = 5").expect("read").text("search.limit"), Some("5"));
    }
}
