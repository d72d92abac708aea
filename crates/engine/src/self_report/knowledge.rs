//! `what_do_i_know`: an overview of long-term memory (N21).
//!
//! Sections and bullets are recognised by their first characters, as callers of the tool expect, without a Markdown
//! parser. The owner gets MEMORY.md and `memory/CORE.md`, a room its page. Invariant: omissions are counted, and the
//! answer as one-line JSON stays within [`KNOWLEDGE_BYTES_MAX`] unless its first section alone is larger.

use inwit_model::hint::HINT_BYTES_MAX;
use inwit_model::limit::{
    KNOWLEDGE_BULLETS_MAX, KNOWLEDGE_BYTES_MAX, KNOWLEDGE_SECTIONS_DEFAULT, KNOWLEDGE_SECTIONS_MAX,
};
use inwit_model::{SafeName, Scope};
use inwit_workspace::ScopedReader;

use crate::self_report::who::Unshown;
use crate::{Agent, ModelText, Notice};

/// The overview.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Knowledge {
    /// Sections in file order.
    pub sections: Vec<KnownSection>,
    /// Whether a section or bullet was omitted.
    pub truncated: bool,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// One section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownSection {
    /// The text after `## `.
    pub heading: ModelText,
    /// Its first bullets, at most [`KNOWLEDGE_BULLETS_MAX`].
    pub bullets: Vec<ModelText>,
    /// Number of omitted bullets.
    pub extra_bullets: usize,
}

impl Agent {
    /// The overview for `scope`: sections whose heading contains `section`, ignoring case, at most `limit` (default
    /// 20, at most 50).
    pub fn what_do_i_know(&self, scope: &Scope, section: Option<&str>, limit: Option<usize>) -> Knowledge {
        let view = self.core.view(scope);
        self.core.load_named_of_files(&view);
        let mut unshown = Unshown::default();
        let mut found = Vec::new();
        for path in pages(&view, scope) {
            let Some(file) = self.own_file(&view, &path, &mut unshown) else { continue };
            let (name, bytes, masked) = (&file.name, &file.bytes, &mut unshown.masked);
            let own = sections(&self.core.rendered(scope, name, bytes, &file.text, masked));
            // Lines between the excerpts are omitted.
            let lines = own.iter().flat_map(|(lines, _)| lines.iter().cloned()).collect();
            let mut lines = self.core.masked_lines(scope, name, bytes, lines, masked).into_iter();
            found.extend(own.into_iter().map(|(own, extra_bullets)| KnownSection {
                heading: lines.next().unwrap_or_default(),
                bullets: lines.by_ref().take(own.len() - 1).collect(),
                extra_bullets,
            }));
        }
        if let Some(wanted) = section {
            let wanted = wanted.trim().to_lowercase();
            found.retain(|section| section.heading.to_lowercase().contains(&wanted));
        }
        let limit = limit.unwrap_or(KNOWLEDGE_SECTIONS_DEFAULT).clamp(1, KNOWLEDGE_SECTIONS_MAX);
        fitted(found, limit, unshown.notices())
    }
}

/// The long-term memory files of `scope`.
fn pages(sight: &dyn ScopedReader, scope: &Scope) -> Vec<String> {
    match scope {
        Scope::Main => {
            let is_there = |path: &str| {
                SafeName::parse(path).is_ok_and(|name| matches!(sight.stamp(&name), Ok(Some(_)) | Err(_)))
            };
            let memory = if is_there("MEMORY.md") { "MEMORY.md" } else { "memory.md" };
            vec![memory.to_owned(), "memory/CORE.md".to_owned()]
        }
        Scope::Room(room) => vec![format!("rooms/{}.md", room.folder())],
        Scope::Shared | Scope::Subagent | Scope::Scheduled => Vec::new(),
    }
}

/// The heading of each section with its first bullets and the number of further ones. `## ` starts a section, `- `
/// and `* ` a bullet; other lines are ignored.
fn sections(text: &str) -> Vec<(Vec<String>, usize)> {
    let mut sections: Vec<(Vec<String>, usize)> = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push((vec![heading.trim().to_owned()], 0));
            continue;
        }
        let line = line.trim();
        let Some(bullet) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) else { continue };
        match sections.last_mut() {
            Some((lines, _)) if lines.len() <= KNOWLEDGE_BULLETS_MAX => lines.push(bullet.trim().to_owned()),
            Some((_, extra)) => *extra += 1,
            None => {}
        }
    }
    sections
}

/// The first sections within `limit` and the size cap, after the notices.
fn fitted(found: Vec<KnownSection>, limit: usize, notices: Vec<Notice>) -> Knowledge {
    const FRAME_BYTES: usize = r#"{"sections":[],"truncated":false}"#.len();
    let (total, mut bytes) = (found.len(), FRAME_BYTES + notices_bytes(&notices));
    let mut sections = Vec::new();
    for section in found.into_iter().take(limit) {
        bytes += section_bytes(&section) + usize::from(!sections.is_empty());
        if bytes > KNOWLEDGE_BYTES_MAX && !sections.is_empty() {
            break;
        }
        sections.push(section);
    }
    let cut = sections.len() < total || sections.iter().any(|section| section.extra_bullets > 0);
    Knowledge { sections, truncated: cut, notices }
}

/// Size of the notices as compact JSON.
fn notices_bytes(notices: &[Notice]) -> usize {
    const LIST_BYTES: usize = r#","notices":[]"#.len();
    const FRAME_BYTES: usize = r#"{"code":,"message":,"hint":},"#.len();
    // The interface's text of an id is unknown here, so its maximum is assumed.
    let hint = |notice: &Notice| notice.hint.words().map_or(2 + HINT_BYTES_MAX, json_bytes);
    let said = |notice: &Notice| json_bytes(notice.code) + json_bytes(&notice.message) + hint(notice);
    let each = notices.iter().map(|notice| FRAME_BYTES + said(notice));
    if notices.is_empty() { 0 } else { LIST_BYTES + each.sum::<usize>() - 1 }
}

/// Size of a section as compact JSON.
fn section_bytes(section: &KnownSection) -> usize {
    const FRAME_BYTES: usize = r#"{"heading":,"bullets":[],"extra_bullets":}"#.len();
    let bullets: usize = section.bullets.iter().map(|bullet| json_bytes(bullet)).sum();
    let commas = section.bullets.len().saturating_sub(1);
    FRAME_BYTES + json_bytes(&section.heading) + bullets + commas + section.extra_bullets.to_string().len()
}

/// Size of a text as a JSON string, with quotes.
fn json_bytes(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0x00..=0x1f => 6,
        _ => 1,
    };
    2 + text.bytes().map(escaped).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<KnownSection> {
        let shown = |words: &String| ModelText::made_of(&[], words.as_str());
        let each = sections(text).into_iter().map(|(lines, extra_bullets)| KnownSection {
            heading: shown(&lines[0]),
            bullets: lines[1..].iter().map(shown).collect(),
            extra_bullets,
        });
        each.collect()
    }

    /// Proves N21.
    #[test]
    fn sections_and_bullets_are_told_by_how_a_line_begins() {
        let text = "# Memory\n- before any section\n## Food\n\nprose\n- rye\n* oat\n  - below\n-no bullet\n### Deeper\n- still food\n## Empty\n";
        let found = sections(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].0, ["Food", "rye", "oat", "below", "still food"]);
        assert_eq!(found[1].0, ["Empty"]);
        let many = format!("## Many\n{}", "- x\n".repeat(25));
        let known = fitted(read(&many), 20, Vec::new());
        assert_eq!((known.sections[0].bullets.len(), known.sections[0].extra_bullets), (10, 15));
        assert!(known.truncated);
    }

    #[test]
    fn the_first_section_comes_whatever_its_size_and_the_rest_while_there_is_room() {
        let large = format!("## Large\n- {}\n## Small\n- x\n", "y".repeat(2 * KNOWLEDGE_BYTES_MAX));
        let known = fitted(read(&large), 20, Vec::new());
        assert_eq!((known.sections.len(), known.truncated), (1, true));
        let small: String = (0..60).map(|at| format!("## S{at}\n- x\n")).collect();
        assert_eq!(fitted(read(&small), 20, Vec::new()).sections.len(), 20);
        assert!(!fitted(read("## A\n- x\n"), 1, Vec::new()).truncated);
        assert!(!fitted(Vec::new(), 1, Vec::new()).truncated);
    }
}
