//! Parses the agent's identity from the labels in IDENTITY.md.
//!
//! People and other tools write this file, so parsing is lenient: any line with a known label counts, with any bullet
//! or emphasis, and template hints are ignored (N5). Invariant: any text gives an identity; missing values are
//! `None`.

use std::fmt::Display;

/// Reads IDENTITY.md, or, where that file is absent, the section `## Identity` of SOUL.md (X13).
pub fn read(identity_md: Option<&str>, soul_md: Option<&str>) -> Identity {
    match (identity_md, soul_md) {
        (Some(text), _) => labels(text.lines()),
        (None, Some(soul)) => labels(section(soul)),
        (None, None) => Identity::default(),
    }
}

/// Who the agent is (N6).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity<T = String> {
    /// What it is called.
    pub name: Option<T>,
    /// Its signature.
    pub emoji: Option<T>,
    /// What it is.
    pub creature: Option<T>,
    /// How it comes across.
    pub vibe: Option<T>,
    /// How it comes across, as newer OpenClaw writes it.
    pub theme: Option<T>,
    /// A path in the workspace, an address or a data URI.
    pub avatar: Option<T>,
}

impl<T> Identity<T> {
    /// With each value that is set as `change` makes it, in the order of the struct.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Identity<U> {
        let Self { name, emoji, creature, vibe, theme, avatar } = self;
        let [name, emoji, creature, vibe, theme, avatar] =
            [name, emoji, creature, vibe, theme, avatar].map(|value| value.map(&mut change));
        Identity { name, emoji, creature, vibe, theme, avatar }
    }
}

impl<T: Display> Identity<T> {
    /// The one-line form: `name=Kate, emoji=🐙, vibe=warm but sharp` (N7); empty if none of the three is set.
    pub fn line(&self) -> String {
        let shown = [("name", &self.name), ("emoji", &self.emoji), ("vibe", &self.vibe)];
        let said =
            shown.iter().filter_map(|(label, value)| value.as_ref().map(|value| format!("{label}={value}")));
        said.collect::<Vec<_>>().join(", ")
    }
}

impl Identity {
    fn field(&mut self, label: &str) -> Option<&mut Option<String>> {
        Some(match label {
            "name" => &mut self.name,
            "emoji" => &mut self.emoji,
            "creature" => &mut self.creature,
            "vibe" => &mut self.vibe,
            "theme" => &mut self.theme,
            "avatar" => &mut self.avatar,
            _ => return None,
        })
    }
}

/// Hints of OpenClaw's templates, normalised: they stand for nothing.
const HINTS: &[&str] = &[
    "not set yet",
    "pick something you like",
    "ai? robot? familiar? ghost in the machine? something weirder?",
    "how do you come across? sharp? warm? chaotic? calm?",
    "your signature - pick one that feels right",
    "workspace-relative path, http(s) url, or data uri",
];

/// Marks of emphasis around labels and values.
const EMPHASIS: &[char] = &['*', '_', '`'];

fn labels<'a>(lines: impl Iterator<Item = &'a str>) -> Identity {
    let mut identity = Identity::default();
    for line in lines {
        let line = line.trim_start_matches('\u{FEFF}').trim().trim_start_matches(['-', '*']);
        let Some((label, value)) = line.split_once([':', '：']) else { continue };
        let label = label.replace(EMPHASIS, "").trim().to_lowercase();
        let Some(field) = identity.field(&label) else { continue };
        let value = value.trim_matches(|c: char| c.is_whitespace() || EMPHASIS.contains(&c));
        if !is_placeholder(value) {
            *field = Some(value.to_owned());
        }
    }
    identity
}

fn is_placeholder(value: &str) -> bool {
    value.is_empty() || is_wrapped(value) || HINTS.contains(&normalised(value).as_str())
}

/// Whether one pair of parentheses holds the whole value.
fn is_wrapped(value: &str) -> bool {
    let Some(inner) = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')) else { return false };
    let mut depth = 0_i32;
    inner.chars().all(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth >= 0
    })
}

fn normalised(value: &str) -> String {
    let plain: String = value.replace(EMPHASIS, "").replace(['–', '—'], "-");
    plain.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The lines below `## Identity`, up to the next heading of its level or above.
fn section(soul: &str) -> impl Iterator<Item = &str> {
    let is_start = |line: &&str| {
        line.strip_prefix("## ").is_some_and(|title| title.trim().eq_ignore_ascii_case("identity"))
    };
    let is_end = |line: &&str| line.starts_with("# ") || line.starts_with("## ");
    soul.lines().skip_while(move |line| !is_start(line)).skip(1).take_while(move |line| !is_end(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(text: &str) -> Identity {
        read(Some(text), None)
    }

    /// Proves N4, N6, N7.
    #[test]
    fn a_list_of_labels_becomes_one_line() {
        let text = "# IDENTITY.md\r\n\r\n- **Name:** Kate\r\n- **Creature:** octopus\r\n* Emoji：🐙\r\n- _Vibe_: `warm but sharp`\r\n\
                    Avatar: https://example.org/a.png\r\n";
        let kate = identity(text);
        assert_eq!(kate.line(), "name=Kate, emoji=🐙, vibe=warm but sharp");
        assert_eq!(kate.creature.as_deref(), Some("octopus"));
        assert_eq!(kate.avatar.as_deref(), Some("https://example.org/a.png"));
        assert_eq!(identity("- Vibe: dry").line(), "vibe=dry");
        assert_eq!(identity("Good morning").line(), "");
    }

    /// Proves N5.
    #[test]
    fn a_hint_of_a_template_says_nothing() {
        for hint in [
            "",
            "_(pick something)_",
            "(not set yet)",
            "**(anything)**",
            "not set yet",
            "_Pick something  you like_",
            "your signature — pick one that feels right",
            "Workspace-relative path, http(s) URL, or data URI",
        ] {
            assert_eq!(identity(&format!("- **Name:** {hint}")), Identity::default(), "{hint}");
        }
        assert_eq!(
            identity("- Name: (soft) spoken (mostly)").name.as_deref(),
            Some("(soft) spoken (mostly)")
        );
        assert_eq!(
            identity(crate::template::of(inwit_model::FileKind::Identity).unwrap_or("Name: x")),
            Identity::default()
        );
    }

    #[test]
    fn a_value_keeps_what_stands_behind_its_first_colon() {
        assert_eq!(identity("- Theme: a: b").theme.as_deref(), Some("a: b"));
        assert_eq!(identity("\u{FEFF}Name: Ada").name.as_deref(), Some("Ada"));
        assert_eq!(identity("- Surname: x\n- Name: A\n- Name: B").name.as_deref(), Some("B"));
    }

    /// Proves X13.
    #[test]
    fn without_the_file_the_soul_tells() {
        let soul = "# SOUL\n\nName: Nobody\n\n## Identity\n\n- Name: Ada\n\n### More\n\n- Vibe: calm\n\n## Rules\n\n- Name: Eve\n";
        assert_eq!(read(None, Some(soul)).line(), "name=Ada, vibe=calm");
        assert_eq!(read(Some("- Name: Kate"), Some(soul)).line(), "name=Kate");
        assert_eq!(read(None, None), Identity::default());
    }
}
