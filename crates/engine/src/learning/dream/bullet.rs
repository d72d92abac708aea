//! Promotions in MEMORY.md: the dreamed section and its bullets, written and read back.
//!
//! ```text
//! ## Dreamed 2026-04-23 03:00 UTC
//!
//! - Ada likes rye bread. _(score=0.42, hits=5, days=3)_ <!-- source: memory/2026-04-20.md#L3-L5 -->
//! ```
//! The source is a comment, so that people read the fact and programs find where it came from; it also
//! tells a second attempt that the bullet is there. Invariant: a promotion is one splice at the end of
//! the file, bytes before it stay, and a fact that stands in the file is not written again.

use std::fmt;

use inwit_markdown::{ComposeError, DiagnosticKind, Outline, PassageKind, append_section, apply, outline};
use inwit_model::SafeName;
pub use inwit_model::limit::BULLET_CHARS_MAX;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::core::inert;
use crate::core::key::key_of;
use crate::notes::journal;

/// One fact to be promoted.
#[derive(Debug, Clone, PartialEq)]
pub struct Bullet<'a> {
    /// The fact, as it was written; it may hold anything.
    pub text: &'a str,
    /// What recall says of it, where recall promotes it.
    pub figures: Option<Figures>,
    /// Where it stands.
    pub sources: &'a [Source],
}

/// The figures behind a promotion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// The score.
    pub score: f64,
    /// How often it was recalled.
    pub hits: u32,
    /// On how many days.
    pub days: u32,
}

/// A citation: `memory/2026-04-20.md#L3-L5`, lines from 1, both included.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The file.
    pub path: SafeName,
    /// First line.
    pub first_line: u32,
    /// Last line.
    pub last_line: u32,
}

/// The heading of a promotion; each engine keeps its own form (X31).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DreamHeading {
    /// `Dreamed 2026-04-23 03:00 UTC`: promoted by recall (N10).
    Moment(Timestamp),
    /// `Dreamed 2026-04-23`: promoted from logs by a model (W44).
    Day(Date),
}

/// What a promotion would write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Promotion {
    /// The file's new bytes; `None`: nothing is to be written.
    pub bytes: Option<Vec<u8>>,
    /// Bullets that are in the new bytes, as indexes.
    pub written: Vec<usize>,
    /// Bullets that stood in the file, as indexes: an attempt before this one wrote them.
    pub present: Vec<usize>,
    /// Bullets without a word in them, as indexes.
    pub blank: Vec<usize>,
    /// Bullets above [`BULLET_CHARS_MAX`], as indexes: they are left out whole.
    pub long: Vec<usize>,
}

/// One bullet of a file, whoever wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenBullet {
    /// The fact without figures, sources and comments.
    pub text: String,
    /// Its figures.
    pub figures: Option<Figures>,
    /// Its sources.
    pub sources: Vec<Source>,
    /// Whether it stands in a section that a dream wrote.
    pub dreamed: bool,
}

/// Adds a section with those of `bullets` that the file does not hold yet. A new file begins with
/// `# <name>`. Errors: something open at the end of the file would swallow the section.
pub fn promote(
    current: Option<&[u8]>,
    name: &str,
    heading: DreamHeading,
    bullets: &[Bullet<'_>],
) -> Result<Promotion, ComposeError> {
    let before = current.unwrap_or_default();
    let mut known = bullets_of(before);
    let mut promotion = Promotion::default();
    let mut lines = Vec::new();
    for (at, bullet) in bullets.iter().enumerate() {
        let line = bullet.line();
        let read = WrittenBullet::read(&line, true);
        if key_of(&read.text).is_empty() {
            promotion.blank.push(at);
        } else if is_long(bullet.text) {
            promotion.long.push(at);
        } else if is_known(&known, &read.text, bullet.sources) {
            promotion.present.push(at);
        } else {
            promotion.written.push(at);
            known.push(read);
            lines.push(line);
        }
    }
    if !lines.is_empty() {
        promotion.bytes = Some(with_section(before, name, heading, &lines.join("\n"))?);
    }
    Ok(promotion)
}

/// Whether the file holds a bullet of this fact: in the same words, or from one of these sources.
pub fn present(bytes: &[u8], text: &str, sources: &[Source]) -> bool {
    is_known(&bullets_of(bytes), &Bullet { text, figures: None, sources: &[] }.plain(), sources)
}

/// Whether a fact is above [`BULLET_CHARS_MAX`] as it would be written: no part of it is promoted then,
/// since half a fact can say the opposite.
pub fn is_long(text: &str) -> bool {
    Bullet { text, figures: None, sources: &[] }.plain().chars().count() > BULLET_CHARS_MAX
}

/// A list item's text without its mark: one `-`, `*` or `+` with a blank behind it. What stands without
/// the blank is a sign or emphasis, and a word of the fact.
pub fn unmarked(text: &str) -> &str {
    let text = text.trim();
    let mark = text.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with([' ', '\t']));
    mark.map_or(text, str::trim_start)
}

/// All bullets of a file, in order.
pub fn bullets_of(bytes: &[u8]) -> Vec<WrittenBullet> {
    let document = outline(bytes);
    let items = document.entries.iter().filter(|entry| entry.kind == PassageKind::Item);
    items
        .map(|entry| {
            let dreamed = is_dreamed(&document, entry.section as usize);
            WrittenBullet::read(&document.text(&entry.span), dreamed)
        })
        .collect()
}

impl DreamHeading {
    /// The heading's text.
    pub fn title(&self) -> String {
        match self {
            Self::Moment(at) => format!("Dreamed {}", at.strftime("%Y-%m-%d %H:%M UTC")),
            Self::Day(day) => format!("Dreamed {day}"),
        }
    }

    /// Reads a heading; also OpenClaw's `Promoted From Short-Term Memory (2026-04-23)`.
    pub fn parse(title: &str) -> Option<Self> {
        let title = title.trim();
        if let Some(when) = title.strip_prefix("Dreamed ") {
            return journal::entry::moment(when).map(Self::Moment).or_else(|| day(when).map(Self::Day));
        }
        let day_of = title.strip_prefix("Promoted From Short-Term Memory (")?.strip_suffix(')')?;
        day(day_of).map(Self::Day)
    }
}

impl Bullet<'_> {
    fn plain(&self) -> String {
        let shown = inwit_markdown::shown(self.text);
        // A fact that ends like our own figures or sources must not be read as having them.
        let line = inert::line(unmarked(&shown), usize::MAX);
        line.replace("(score=", "(score\\=").replace("[score=", "[score\\=").replace("Source: ", "Source\\: ")
    }

    fn line(&self) -> String {
        let mut line = format!("- {}", self.plain());
        if let Some(Figures { score, hits, days }) = self.figures {
            line += &format!(" _(score={score:.2}, hits={hits}, days={days})_");
        }
        if !self.sources.is_empty() {
            let sources: Vec<String> = self.sources.iter().map(Source::to_string).collect();
            line += &format!(" <!-- source: {} -->", sources.join(", "));
        }
        line
    }
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, first_line, last_line } = self;
        match first_line == last_line {
            true => write!(out, "{path}#L{first_line}"),
            false => write!(out, "{path}#L{first_line}-L{last_line}"),
        }
    }
}

impl Source {
    /// Reads `path#L3`, `path#L3-L5` or OpenClaw's `path:3-5`.
    pub fn parse(text: &str) -> Option<Self> {
        let (path, lines) = text.trim().rsplit_once("#L").or_else(|| text.trim().rsplit_once(':'))?;
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let first_line = first.parse().ok()?;
        let last_line = last.trim_start_matches('L').parse().ok()?;
        Some(Self { path: SafeName::parse(path).ok()?, first_line, last_line })
    }
}

impl WrittenBullet {
    /// Reads one list item in any of the forms that dreams leave.
    fn read(item: &str, dreamed: bool) -> Self {
        let mut sources = Vec::new();
        let mut text = String::new();
        let mut rest = item;
        while let Some((before, (inner, after))) =
            rest.split_once("<!--").and_then(|(before, tail)| Some((before, tail.split_once("-->")?)))
        {
            text += before;
            let cited = inner.trim().strip_prefix("source:").unwrap_or_default();
            sources.extend(cited.split(", ").filter_map(Source::parse));
            rest = after;
        }
        text += rest;
        let (text, figures) = without_figures(unmarked(&text));
        let (text, cited) = without_citation(text);
        sources.extend(cited);
        Self { text: text.to_owned(), figures, sources, dreamed }
    }
}

/// Takes ` _(score=0.42, hits=5, days=3)_` off the end.
fn without_figures(text: &str) -> (&str, Option<Figures>) {
    let figures = || {
        let (fact, figures) = text.rsplit_once("_(score=")?;
        let (score, rest) = figures.strip_suffix(")_")?.split_once(", hits=")?;
        let (hits, days) = rest.split_once(", days=")?;
        let figures =
            Figures { score: score.parse().ok()?, hits: hits.parse().ok()?, days: days.parse().ok()? };
        Some((fact.trim_end(), figures))
    };
    figures().map_or((text, None), |(fact, figures)| (fact, Some(figures)))
}

/// Takes OpenClaw's ` [score=… source=path:3-5]` or ` Source: path#L3-L5` off the end.
fn without_citation(text: &str) -> (&str, Option<Source>) {
    if let Some((fact, figures)) = text.strip_suffix(']').and_then(|text| text.rsplit_once("[score=")) {
        let source = figures.rsplit_once("source=").and_then(|(_, source)| Source::parse(source));
        return (fact.trim_end(), source);
    }
    match text.rsplit_once(" Source: ").and_then(|(fact, source)| Some((fact, Source::parse(source)?))) {
        Some((fact, source)) => (fact.trim_end(), Some(source)),
        None => (text, None),
    }
}

fn is_known(known: &[WrittenBullet], text: &str, sources: &[Source]) -> bool {
    let wanted = key_of(text);
    known.iter().any(|bullet| {
        key_of(&bullet.text) == wanted || bullet.sources.iter().any(|source| sources.contains(source))
    })
}

fn is_dreamed(document: &Outline<'_>, section: usize) -> bool {
    document.heading_path(section).iter().any(|title| DreamHeading::parse(title).is_some())
}

fn day(text: &str) -> Option<Date> {
    let text = text.trim();
    (text.len() == "2026-04-23".len()).then(|| text.parse().ok()).flatten()
}

fn with_section(
    before: &[u8],
    name: &str,
    heading: DreamHeading,
    body: &str,
) -> Result<Vec<u8>, ComposeError> {
    let head = format!("# {name}\n").into_bytes();
    let is_new = before.iter().all(u8::is_ascii_whitespace);
    let before = if is_new { [before, &head].concat() } else { before.to_vec() };
    let document = outline(&before);
    if document.diagnostics.iter().any(|found| found.kind == DiagnosticKind::Utf16) {
        return Err(ComposeError::NotText);
    }
    let edit = append_section(&document, 2, &heading.title(), body)?;
    let after = apply(&before, &[edit]).map_err(|_| ComposeError::Swallowed)?;
    let read = outline(&after).sections.len();
    if read == document.sections.len() + 1 { Ok(after) } else { Err(ComposeError::Swallowed) }
}

#[cfg(test)]
mod tests;
