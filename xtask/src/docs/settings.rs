//! `settings.md`: every setting with its values, its files and its default.

use inwit_settings::table::{NAMES_OF_PROFILE, Reach, SETTINGS};
use inwit_settings::{Layers, Origin, Settings};

use super::markdown::{code, head, table};

const ABOUT: &str = "
The first of these sources that has a value wins: a flag, the environment, the agent's own `agent.toml`, the user's
`config.toml` in the XDG config folder + `/inwit`, the profile, the default. `inwit config list --origin` shows the source of
each value. In the files, `load.max_file_chars` is the key `max_file_chars` of the table `[load]`. An `agent.toml` cannot set
a setting marked only *user*.

";

/// The page.
pub fn page() -> String {
    let mut text = head("Settings", "`SETTINGS` in `crates/settings/src/table.rs`");
    text.push_str(ABOUT);
    let rows = SETTINGS.iter().map(|row| {
        let reach = match row.reach {
            Reach::User => "user",
            Reach::Agent => "user, agent",
        };
        let names: Vec<String> = row.env_names().map(|name| environment(&name)).collect();
        vec![
            code(row.key),
            row.about.to_owned(),
            row.expects(),
            default_of(row.key),
            reach.to_owned(),
            names.join(" "),
        ]
    });
    text.push_str(&table(&["setting", "what it does", "takes", "default", "files", "environment"], rows));
    text
}

/// A name of the environment, with the profile that alone reads it.
fn environment(name: &str) -> String {
    let profile = NAMES_OF_PROFILE.iter().find(|(general, _)| *general == name);
    let profile = profile.map(|(_, profile)| format!(" (profile {profile})"));
    code(name) + &profile.unwrap_or_default()
}

/// The default. A machine-dependent one is described in words, so that the page is the same everywhere.
fn default_of(key: &str) -> String {
    match key {
        "home" => return "the XDG data folder + `/inwit`".into(),
        "timezone" => return "the system's".into(),
        _ => {}
    }
    let effective = unsaid().effective();
    let value = effective.into_iter().find(|(row, _)| row.key == key).map(|(_, value)| value);
    match value {
        Some(value) if value.text.is_empty() => "none".into(),
        Some(value) if matches!(value.origin, Origin::Profile(_)) => {
            format!("{}, by profile", code(&value.text))
        }
        Some(value) => code(&value.text),
        None => String::new(),
    }
}

/// Settings without environment, flags and files.
fn unsaid() -> Settings {
    let nowhere = |name: &str| (name == "HOME").then(|| "/nowhere".to_owned());
    Settings::read(Layers::default(), &nowhere, Vec::new())
        .unwrap_or_else(|error| unreachable!("{}", error.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_a_row_with_its_default() {
        let text = page();
        for row in SETTINGS {
            assert!(text.contains(&format!("| `{}` |", row.key)), "{}", row.key);
        }
        assert_eq!(default_of("load.max_file_chars"), "`12000`, by profile");
        assert_eq!(default_of("agent"), "none");
        assert!(!text.contains("nowhere"));
    }
}
