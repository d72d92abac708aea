//! Writes and parses promotions in MEMORY.md: the dreamed section and its bullets.
//!
//! ```text
//! ## Dreamed 2026-04-23 03:00 UTC
//!
//! - Ada likes rye bread. _(score=0.42, hits=5, days=3)_ <!-- source: memory/2026-04-20.md#L3-L5 -->
//! ```
//! The source is a comment, so that people read only the fact, and a repeated attempt recognises its bullet.
//! Invariant: a promotion is one append; existing bytes are unchanged, and a fact in the file is not written again.

use std::fmt;

use inwit_markdown::{ComposeError, DiagnosticKind, Outline, PassageKind, append_section, apply, outline};
use inwit_model::SafeName;
pub use inwit_model::limit::BULLET_CHARS_MAX;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::core::inert;
use crate::core::key::key_of;
use crate::notes::journal;

/// One fact to promote.
#[derive(Debug, Clone, PartialEq)]
pub struct Bullet<'a> {
    /// The fact as written; it may contain anything.
    pub text: &'a str,
    /// Recall figures, if promoted by recall.
    pub figures: Option<Figures>,
    /// Its locations.
    pub sources: &'a [Source],
}

/// The figures behind a promotion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// The score.
    pub score: f64,
    /// Number of recalls.
    pub hits: u32,
    /// Number of days with a recall.
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

/// The heading of a promotion; each engine has its own form (X31).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DreamHeading {
    /// `Dreamed 2026-04-23 03:00 UTC`: promoted by recall (N10).
    Moment(Timestamp),
    /// `Dreamed 2026-04-23`: promoted from logs by a model (W44).
    Day(Date),
}

/// The effect of a promotion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Promotion {
    /// The new content of the file; `None` if nothing is written.
    pub bytes: Option<Vec<u8>>,
    /// Indexes of bullets in the new content.
    pub written: Vec<usize>,
    /// Indexes of bullets that the file had from an earlier attempt.
    pub present: Vec<usize>,
    /// Indexes of bullets without words.
    pub blank: Vec<usize>,
    /// Indexes of bullets above [`BULLET_CHARS_MAX`], which are skipped.
    pub long: Vec<usize>,
}

/// One bullet of a file, from any writer.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenBullet {
    /// The fact without figures, sources and comments.
    pub text: String,
    /// Its figures.
    pub figures: Option<Figures>,
    /// Its sources.
    pub sources: Vec<Source>,
    /// Whether it is in a section of a dream.
    pub dreamed: bool,
}

/// Adds a section with those of `bullets` that the file lacks. A new file begins with `# <name>`. Error: an open
/// block at the end of the file would include the section.
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
        } else if is_known(&known, &read.text, heading.known_by(bullet)) {
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

/// Whether the file has a bullet with the same text or one of these sources.
pub fn present(bytes: &[u8], text: &str, sources: &[Source]) -> bool {
    is_known(&bullets_of(bytes), &Bullet { text, figures: None, sources: &[] }.plain(), sources)
}

/// Whether a fact is above [`BULLET_CHARS_MAX`] as written: it is not cut, since half a fact can mean the opposite.
pub fn is_long(text: &str) -> bool {
    Bullet { text, figures: None, sources: &[] }.plain().chars().count() > BULLET_CHARS_MAX
}

/// The text of a list item without its mark: one `-`, `*` or `+` and a blank. Without the blank it is part of the
/// text.
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

    /// The sources by which a bullet below it is known. Several facts of a model's answer may come from the same lines,
    /// so they are known by their text alone.
    fn known_by<'b>(&self, bullet: &Bullet<'b>) -> &'b [Source] {
        match self {
            Self::Moment(_) => bullet.sources,
            Self::Day(_) => &[],
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
        // A fact that ends like our figures or sources must not parse as having them.
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
    /// Parses `path#L3`, `path#L3-L5` or OpenClaw's `path:3-5`.
    pub fn parse(text: &str) -> Option<Self> {
        let (path, lines) = text.trim().rsplit_once("#L").or_else(|| text.trim().rsplit_once(':'))?;
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let first_line = first.parse().ok()?;
        let last_line = last.trim_start_matches('L').parse().ok()?;
        Some(Self { path: SafeName::parse(path).ok()?, first_line, last_line })
    }
}

impl WrittenBullet {
    /// Parses one list item in any form that dreams write.
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

/// Splits ` _(score=0.42, hits=5, days=3)_` off the end.
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

/// Splits OpenClaw's ` [score=… source=path:3-5]` or ` Source: path#L3-L5` off the end.
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

/// Whether one of `known` has the same text or one of these sources.
pub fn is_known(known: &[WrittenBullet], text: &str, sources: &[Source]) -> bool {
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
