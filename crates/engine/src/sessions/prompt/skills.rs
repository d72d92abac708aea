//! The catalogue of skills: names and descriptions only (C20, D3).

use inwit_markdown::Field;
use inwit_model::ports::Listing;
use inwit_model::{Place, SafeName};
use inwit_workspace::ScopedReader;

use crate::Sessions;
use crate::core::mask::{Masked, ModelText};

/// One skill in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its file.
    pub name: SafeName,
    /// Its name in the front matter, else its folder's name.
    pub title: ModelText,
    /// Its description; empty if it has none.
    pub about: ModelText,
}

/// The skills that `sight` sees, by folder, masked. An unreadable one is omitted.
pub fn catalogue(
    sessions: &Sessions,
    sight: &dyn ScopedReader,
    listing: &Listing,
    masked: &mut Vec<Masked>,
) -> Vec<Skill> {
    let skills = listing.entries.iter().filter_map(|entry| match Place::of(&entry.name) {
        Some(Place::Skill { name: folder }) => skill(sessions, sight, entry.name.clone(), folder, masked),
        _ => None,
    });
    skills.collect()
}

fn skill(
    sessions: &Sessions,
    sight: &dyn ScopedReader,
    name: SafeName,
    folder: String,
    masked: &mut Vec<Masked>,
) -> Option<Skill> {
    let content = sight.read(&name).ok()?;
    let document = inwit_markdown::outline(&content.bytes);
    let inner = document.front_matter.as_ref().map(|front| document.text(&front.inner)).unwrap_or_default();
    let title = Some(field(&inner, "name")).filter(|title| !title.is_empty()).unwrap_or(folder);
    let lines =
        vec![wrapped(&inner, "name", title), wrapped(&inner, "description", field(&inner, "description"))];
    let lines = sessions.core.masked_lines(sight.scope(), &name, &content.bytes, lines, masked);
    let [title, about] = <[ModelText; 2]>::try_from(lines).ok()?;
    Some(Skill { name, title, about })
}

/// One field of a front matter. `description: Bread: how to` is invalid YAML but common, so the line itself is read.
fn field(inner: &str, key: &str) -> String {
    match inwit_markdown::front_matter::fields(inner) {
        Ok(fields) => match fields.get(key) {
            Some(Field::Text(text)) => one_line(text),
            _ => String::new(),
        },
        Err(_) => {
            let lines = inner.lines().filter_map(|line| line.split_once(':'));
            let said = lines.filter(|(label, _)| label.trim() == key).map(|(_, text)| one_line(text));
            said.map(|text| text.trim_matches(['"', '\'']).to_owned()).next().unwrap_or_default()
        }
    }
}

/// The value of a field as it may stand in the file: if it is not on the line of its key, each blank may have been a
/// line end, however YAML folds it.
fn wrapped(inner: &str, key: &str, value: String) -> String {
    let mut said = inner.lines().filter_map(|line| line.split_once(':'));
    let is_whole = said.any(|(label, text)| label.trim() == key && one_line(text).contains(&value));
    if is_whole { value } else { value.replace(' ', "\n") }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The catalogue as text, one skill a line.
pub fn shown(skills: &[Skill]) -> String {
    skills.iter().map(Skill::line).collect::<Vec<_>>().join("\n")
}

/// As many whole lines of the catalogue as fit into `budget` characters, and the number of shown characters. If they
/// do not all fit, skills are listed without description; those that still do not fit are counted.
pub(super) fn within(skills: &[Skill], budget: usize) -> (String, usize) {
    let whole = shown(skills);
    let chars = whole.chars().count();
    if chars <= budget {
        return (whole, chars);
    }
    let rest =
        |count: usize| format!("[{count} of {} skills are left out: see skills/*/SKILL.md]", skills.len());
    let room = budget.saturating_sub(rest(skills.len()).chars().count());
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    // Names come first; descriptions fill the rest, in order.
    let names: Vec<String> =
        skills.iter().map(|skill| format!("- {} ({})", skill.title, skill.name)).collect();
    let mut names_left: usize = names.iter().map(|name| name.chars().count() + 1).sum();
    for (skill, name) in skills.iter().zip(names) {
        names_left -= name.chars().count() + 1;
        let full = skill.line();
        let is_full = used + full.chars().count() + 1 + names_left <= room;
        let line = if is_full { full } else { name };
        if used + line.chars().count() + 1 > room {
            break;
        }
        used += line.chars().count() + 1;
        lines.push(line);
    }
    if lines.is_empty() {
        return (String::new(), 0);
    }
    match skills.len() - lines.len() {
        0 => (lines.join("\n"), used - 1),
        left => (format!("{}\n{}", lines.join("\n"), rest(left)), used),
    }
}

impl Skill {
    /// Its line of the catalogue.
    fn line(&self) -> String {
        match self.about.as_str() {
            "" => format!("- {} ({})", self.title, self.name),
            about => format!("- {}: {about} ({})", self.title, self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_skill_is_named_before_any_is_described_and_what_is_left_out_is_counted() {
        let skill = |number: usize| Skill {
            name: SafeName::parse(&format!("skills/s{number:02}/SKILL.md")).expect("a name"),
            title: ModelText::made_of(&[], format!("s{number:02}")),
            about: ModelText::own("What it is for, in a sentence of some length."),
        };
        let skills: Vec<Skill> = (0..40).map(skill).collect();
        let whole = shown(&skills);
        assert_eq!(within(&skills, whole.chars().count()), (whole.clone(), whole.chars().count()));
        let (text, shown_chars) = within(&skills, 2_000);
        assert!(text.chars().count() <= 2_000 && shown_chars < whole.chars().count());
        assert!(skills.iter().all(|skill| text.contains(&format!("- {}", skill.title))), "{text}");
        assert!(text.starts_with(&skills[0].line()), "descriptions come first to the first skills");
        let (text, _) = within(&skills, 500);
        assert!(text.chars().count() <= 500);
        let named = text.lines().filter(|line| line.starts_with("- ")).count();
        assert!(
            text.ends_with(&format!("[{} of 40 skills are left out: see skills/*/SKILL.md]", 40 - named)),
            "{text}"
        );
        assert_eq!(within(&skills, 20), (String::new(), 0));
    }

    #[test]
    fn a_description_with_a_colon_is_read_though_it_is_no_yaml() {
        let inner = "name: bread\ndescription: Bread: how to bake it\n";
        assert_eq!(field(inner, "name"), "bread");
        assert_eq!(field(inner, "description"), "Bread: how to bake it");
        assert_eq!(field("description: >\n  Two\n  lines\n", "description"), "Two lines");
        assert_eq!(field("name: x\n", "description"), "");
    }
}
