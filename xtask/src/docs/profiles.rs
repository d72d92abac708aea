//! `profiles.md`: the default profile, and the differences of the others.

use inwit_model::Profile;
use inwit_workspace::profile;

use super::markdown::{code, head, table};

const ABOUT: &str = "
A profile is a compiled-in set of defaults. `inwit config profile diff A B` compares any two, and a setting can change a
single value. The tables below have all keys; lists are in order.
";

/// The page.
pub fn page() -> String {
    let mut text = head("Profiles", "`crates/workspace/profiles/*.toml`");
    text.push_str(ABOUT);
    let all: Vec<Profile> = profile::names().filter_map(profile::named).collect();
    let Some((first, others)) = all.split_first() else { return text };
    text.push_str(&format!("\n## {}\n\n{} This is the default.\n\n", first.name, first.about));
    let rows = profile::rows(first).into_iter().filter(|(key, _)| !told_above(key));
    text.push_str(&table(&["key", "value"], rows.map(|(key, value)| vec![code(key), code(&value)])));
    for other in others {
        text.push_str(&format!("\n## {}\n\n{}\n\n", other.name, other.about));
        let rows = profile::difference(first, other).into_iter().filter(|(key, _, _)| !told_above(key));
        let rows = rows.map(|(key, here, there)| vec![code(key), code(&there), code(&here)]);
        text.push_str(&table(&["differs in", &other.name, &first.name], rows));
    }
    text
}

fn told_above(key: &str) -> bool {
    matches!(key, "name" | "about")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_has_its_section_and_the_default_every_key() {
        let text = page();
        assert!(profile::names().all(|name| text.contains(&format!("\n## {name}\n"))));
        let personal = profile::named("personal").expect("a profile");
        let keys = profile::rows(&personal).into_iter().filter(|(key, _)| !told_above(key));
        assert!(keys.into_iter().all(|(key, _)| text.contains(&format!("| `{key}` |"))));
    }
}
