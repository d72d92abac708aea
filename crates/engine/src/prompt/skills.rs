//! The catalogue of skills: names and descriptions only (C20, D3).

use inwit_markdown::Field;
use inwit_model::ports::Listing;
use inwit_model::{Place, SafeName};
use inwit_workspace::Sight;

use crate::Agent;
use crate::mask::Masked;

/// One skill as the catalogue shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its file.
    pub name: SafeName,
    /// What it calls itself, else its folder's name.
    pub title: String,
    /// What it is for, in its own words; empty when it does not say.
    pub about: String,
}

/// The skills that `sight` sees, in order of their folders, as a model may see them. One that cannot be read
/// is left out: the catalogue is a list of offers.
pub fn catalogue(
    agent: &Agent,
    sight: &dyn Sight,
    listing: &Listing,
    masked: &mut Vec<Masked>,
) -> Vec<Skill> {
    let skills = listing.entries.iter().filter_map(|entry| match Place::of(&entry.name) {
        Some(Place::Skill { name: folder }) => skill(agent, sight, entry.name.clone(), folder, masked),
        _ => None,
    });
    skills.collect()
}

fn skill(
    agent: &Agent,
    sight: &dyn Sight,
    name: SafeName,
    folder: String,
    masked: &mut Vec<Masked>,
) -> Option<Skill> {
    let content = sight.read(&name).ok()?;
    let document = inwit_markdown::parse(&content.bytes);
    let inner = document.front_matter.as_ref().map(|front| document.text(&front.inner)).unwrap_or_default();
    let title = Some(field(&inner, "name")).filter(|title| !title.is_empty()).unwrap_or(folder);
    let mut seen = |words: &str| agent.masked_words(&name, &content.bytes, words, masked).into_owned();
    let (title, about) = (seen(&title), seen(&field(&inner, "description")));
    Some(Skill { name, title, about })
}

/// One field of a front matter. People write `description: Bread: how to`, which is no YAML; then the
/// line itself says it.
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

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The catalogue as text, one skill a line.
pub fn shown(skills: &[Skill]) -> String {
    let line = |skill: &Skill| match skill.about.as_str() {
        "" => format!("- {} ({})", skill.title, skill.name),
        about => format!("- {}: {about} ({})", skill.title, skill.name),
    };
    skills.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_with_a_colon_is_read_though_it_is_no_yaml() {
        let inner = "name: bread\ndescription: Bread: how to bake it\n";
        assert_eq!(field(inner, "name"), "bread");
        assert_eq!(field(inner, "description"), "Bread: how to bake it");
        assert_eq!(field("description: >\n  Two\n  lines\n", "description"), "Two lines");
        assert_eq!(field("name: x\n", "description"), "");
    }
}
