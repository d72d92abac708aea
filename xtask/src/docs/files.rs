//! `files.md`: the files known by name, who sees them, and which profile seeds them.

use inwit_model::FILES;
use inwit_workspace::profile;

use super::markdown::{code, head, table};

const ABOUT: &str = "
Names are matched exactly. The scope main, the owner's private session, sees every file. `inwit search` finds *recalled*
files. [workspace.md](../formats/workspace.md) describes all other files of a workspace, and [scopes.md](scopes.md) who sees
which file.

";

/// The page.
pub fn page() -> String {
    let mut text = head("Files", "`FILES` in `crates/model/src/file.rs`");
    text.push_str(ABOUT);
    let rows = FILES.iter().map(|row| {
        let seen = [
            ("shared", row.audience.shared),
            ("scheduled", row.audience.scheduled),
            ("subagent", row.audience.subagent),
        ];
        let seen: Vec<&str> = seen.iter().filter(|(_, sees)| *sees).map(|(scope, _)| *scope).collect();
        let seeded: Vec<&str> = profile::names().filter(|name| seeds(name, row.path)).collect();
        vec![
            code(row.path),
            row.holds.to_owned(),
            if seen.is_empty() { "–".into() } else { seen.join(", ") },
            if row.indexed { "yes" } else { "–" }.into(),
            if seeded.is_empty() { "–".into() } else { seeded.join(", ") },
            row.source.to_owned(),
        ]
    });
    text.push_str(&table(
        &["file", "what it holds", "seen by, besides main", "recalled", "seeded by", "from"],
        rows,
    ));
    text
}

fn seeds(name: &str, path: &str) -> bool {
    profile::named(name).is_some_and(|profile| profile.seeds.iter().any(|seed| seed == path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_row() {
        let text = page();
        assert!(FILES.iter().all(|row| text.contains(&format!("| `{}` | {}", row.path, row.holds))));
        assert!(seeds("carapace", "HEARTBEAT.md") && !seeds("personal", "HEARTBEAT.md"));
    }
}
