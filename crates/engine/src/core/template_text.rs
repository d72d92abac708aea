//! Removes template text from a file that began as a template.
//!
//! A template asks a person to write something; a model does not need it, and a search for "name" would find it first.
//! Invariant: a line that differs from the template, or from a hint in brackets, is kept.

use std::collections::HashSet;

use inwit_model::{Domain, FileKind};
use inwit_workspace::template;

/// The lines of the templates of one kind of file.
pub(crate) struct TemplateLines(HashSet<&'static str>);

impl TemplateLines {
    pub(crate) fn of(kind: FileKind) -> Self {
        let templates = [Domain::General, Domain::Finance]
            .into_iter()
            .filter_map(|domain| template::in_domain(kind, domain));
        Self(templates.flat_map(str::lines).map(str::trim).collect())
    }

    /// Whether a line is a template heading.
    pub(crate) fn heads(&self, line: &str) -> bool {
        line.starts_with('#') && self.0.contains(line.trim())
    }

    /// Whether a line is from the template, or an unfilled field.
    pub(crate) fn holds(&self, line: &str) -> bool {
        let plain = line.trim();
        !plain.is_empty() && !plain.starts_with('#') && (self.0.contains(plain) || is_unfilled(plain))
    }
}

/// `text` without template lines, unfilled fields and empty headings.
pub(crate) fn without_template(kind: Option<FileKind>, text: &str) -> String {
    let Some(kind) = kind else { return text.to_owned() };
    let template = TemplateLines::of(kind);
    let kept: Vec<&str> = text.lines().filter(|line| !template.holds(line)).collect();
    let mut out: Vec<&str> = Vec::new();
    for (at, line) in kept.iter().enumerate() {
        let is_heading = line.starts_with('#');
        let level = |line: &str| line.bytes().take_while(|byte| *byte == b'#').count();
        let below =
            kept[at + 1..].iter().take_while(|next| !next.starts_with('#') || level(next) > level(line));
        if is_heading && !below.clone().any(|next| !next.trim().is_empty() && !next.starts_with('#')) {
            continue;
        }
        let is_second_blank = line.trim().is_empty() && out.last().is_none_or(|last| last.trim().is_empty());
        if !is_second_blank {
            out.push(line);
        }
    }
    out.join("\n").trim_end().to_owned()
}

/// `- **Name:**` and `_(What they care about)_`: a label without a value, or only a hint.
fn is_unfilled(line: &str) -> bool {
    let bare = line.trim_start_matches(['-', '*', '+', ' ']);
    let is_hint = |text: &str| {
        let inner = text.trim().trim_matches(['_', '*']);
        text.trim() != inner && inner.starts_with('(') && inner.ends_with(')')
    };
    match line.split_once(":**").or_else(|| line.split_once("**:")) {
        Some((_, value)) => value.trim().is_empty() && line.starts_with(['-', '*']) || is_hint(value),
        None => is_hint(bare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_was_written_into_it() {
        let template = template::of(FileKind::User).expect("a template");
        assert_eq!(without_template(Some(FileKind::User), template), "");
        let filled = format!("{template}\n## Food\n\n- No peanuts.\n");
        assert_eq!(
            without_template(Some(FileKind::User), &filled),
            "# USER.md - About Your Person\n\n## Food\n\n- No peanuts."
        );
        let hints = "- **Name:** _(pick something you like)_\n- **Vibe:** dry\n- **Emoji:**\n_(What do they care about?)_";
        assert_eq!(without_template(Some(FileKind::Identity), hints), "- **Vibe:** dry");
        assert_eq!(without_template(None, hints), hints);
    }
}
