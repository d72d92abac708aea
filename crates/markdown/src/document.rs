//! The parsed structure of a file, as byte spans.
//!
//! A document borrows its bytes and owns only titles, targets and languages. A file may have millions of entries, so
//! each is small; a caller that needs no passages uses the [`Outline`]. Invariant: spans of `entries`, `passages`,
//! `gaps` and headings are sorted and disjoint, and together cover every non-blank byte outside the front matter.

use std::borrow::Cow;
use std::ops::{Deref, Range};

use crate::label::label;
use crate::limit::{LABEL_HEAD_BYTES_MAX, PATH_BYTES_MAX, PATH_TITLE_BYTES_MAX};
use crate::view::view;
use crate::{Comment, Diagnostic, FrontMatter, Link, Passage, PassageKind};

/// One file, read, with its passages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document<'a> {
    pub(crate) outline: Outline<'a>,
    /// Entries cut to the size of recall, in order.
    pub passages: Vec<Passage>,
    /// Headings with nothing below them and link definitions, in order: no entry, but a reader sees them.
    pub bare: Vec<Passage>,
    /// Lines above a passage that it belongs to, by its index, in order.
    pub(crate) contexts: Vec<(u32, Range<usize>)>,
}

impl Document<'_> {
    /// Bytes of the lines above a passage that say what it is about, outermost first: the header row of its table, the
    /// items that it is nested in.
    pub fn context(&self, passage: &Passage) -> impl Iterator<Item = &Range<usize>> {
        let index = self.passages.partition_point(|other| other.span.start < passage.span.start) as u32;
        let is_own = self.passages.get(index as usize) == Some(passage);
        let first = self.contexts.partition_point(|(of, _)| *of < index);
        let lines = self.contexts[first..].iter().take_while(move |(of, _)| is_own && *of == index);
        lines.map(|(_, line)| line)
    }
}

impl<'a> Deref for Document<'a> {
    type Target = Outline<'a>;

    fn deref(&self) -> &Outline<'a> {
        &self.outline
    }
}

/// One file, read, as a person sees it: headings and whole blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outline<'a> {
    pub(crate) bytes: &'a [u8],
    /// The YAML block at the start.
    pub front_matter: Option<FrontMatter>,
    /// Sections in order; the first is what stands before the first heading, perhaps nothing.
    pub sections: Vec<Section>,
    /// Whole blocks in order, as a person would edit them.
    pub entries: Vec<Entry>,
    /// Languages of fenced code blocks, by the index of their entry, in order.
    pub languages: Vec<(u32, String)>,
    /// Top-level text that is no passage, in order.
    pub gaps: Vec<Gap>,
    /// Links, images and wikilinks, in order of their start.
    pub links: Vec<Link>,
    /// Comments, in order.
    pub comments: Vec<Comment>,
    /// What could not be understood.
    pub diagnostics: Vec<Diagnostic>,
    /// How most lines end.
    pub eol: Eol,
    /// Whether the file begins with a UTF-8 byte order mark.
    pub bom: bool,
}

/// A heading and what stands below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// 1 to 6; 0 for what stands before the first heading.
    pub level: u8,
    /// The heading as plain text.
    pub title: String,
    /// The heading's lines with their line end; empty for level 0.
    pub heading: Range<usize>,
    /// What follows, up to the next heading of any level.
    pub body: Range<usize>,
    /// Heading, body and all deeper sections below.
    pub span: Range<usize>,
    /// Index of the section this one is in.
    pub parent: Option<usize>,
}

/// A whole top-level block: a list item with its children, a paragraph, a table, …
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Bytes of the original, without blank lines around.
    pub span: Range<usize>,
    /// Index of its section.
    pub section: u32,
    /// What kind of block.
    pub kind: PassageKind,
}

/// Top-level text that is neither a heading nor a passage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Bytes of the original.
    pub span: Range<usize>,
    /// What it is.
    pub kind: GapKind,
}

/// Kinds of gaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GapKind {
    /// `---` between blocks.
    Break,
    /// Comments that stand alone.
    Comment,
    /// A link definition, `[a]: https://…`.
    Definition,
    /// A line that is only `§`, Hermes' mark between entries.
    Separator,
}

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eol {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// `\r`
    Cr,
}

impl Eol {
    /// The line end itself.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

impl<'a> Outline<'a> {
    /// The bytes this document was read from.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The text of a span for showing; bad bytes show as U+FFFD. Empty when the span is not of this
    /// document.
    pub fn text(&self, span: &Range<usize>) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes.get(span.clone()).unwrap_or_default())
    }

    /// Bytes of the name of the entry that a passage is cut from: `Ada` in `- **Ada:** text`.
    pub fn label(&self, passage: &Passage) -> Option<Range<usize>> {
        let Entry { span, kind, .. } = self.entries.get(passage.entry as usize)?;
        // Each line of a run is somebody's own.
        let span = if passage.kind == PassageKind::Line { &passage.span } else { span };
        if !matches!(kind, PassageKind::Item | PassageKind::Paragraph) {
            return None;
        }
        let head = self.bytes.get(span.start..span.end.min(span.start + LABEL_HEAD_BYTES_MAX))?;
        let view = view(head)?;
        let label = view.original(&label(&view.text, *kind == PassageKind::Item)?);
        Some(span.start + label.start..span.start + label.end)
    }

    /// Titles from the outermost section to this one, e.g. `["Facts", "Bread"]`. The section before
    /// the first heading has an empty path, and so has an index that is none. A long title is cut at the end of a word, and
    /// where the path is too long the outermost titles are left out ([`PATH_TITLE_BYTES_MAX`], [`PATH_BYTES_MAX`]).
    pub fn heading_path(&self, section: usize) -> Vec<&str> {
        let above = |section: &&Section| section.parent.and_then(|parent| self.sections.get(parent));
        let chain = std::iter::successors(self.sections.get(section), above);
        let titles = chain.filter(|section| section.level > 0).map(|section| cut(&section.title));
        let mut left = PATH_BYTES_MAX;
        let mut path: Vec<&str> = titles
            .take_while(|title| match left.checked_sub(title.len()) {
                Some(rest) => {
                    left = rest;
                    true
                }
                None => false,
            })
            .collect();
        path.reverse();
        path
    }
}

/// The beginning of a title, up to the end of a word where it has more than one.
fn cut(title: &str) -> &str {
    if title.len() <= PATH_TITLE_BYTES_MAX {
        return title;
    }
    let head = &title[..title.floor_char_boundary(PATH_TITLE_BYTES_MAX)];
    head.rfind(char::is_whitespace).map_or(head, |end| head[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::{PATH_BYTES_MAX, PATH_TITLE_BYTES_MAX};
    use crate::parse;

    #[test]
    fn a_path_is_bounded_however_long_the_headings_are() {
        let long = "word ".repeat(4_000);
        let text = format!("# Outer\n## {long}\n### {long}\n#### Inner\n- rye\n");
        let document = parse(text.as_bytes());
        let path = document.heading_path(document.sections.len() - 1);
        assert_eq!(path.last(), Some(&"Inner"), "the nearest title stands whole");
        assert!(path[path.len() - 2].ends_with("word") && path[path.len() - 2].len() <= PATH_TITLE_BYTES_MAX);
        assert!(path.iter().map(|title| title.len()).sum::<usize>() <= PATH_BYTES_MAX, "{path:?}");
    }

    #[test]
    fn a_path_names_every_heading_above_and_skips_missing_levels() {
        let document = parse(b"intro\n# Facts\n### Bread\n- rye\n## Oven\n# Else\n");
        let paths: Vec<_> = (0..document.sections.len()).map(|at| document.heading_path(at)).collect();
        assert_eq!(
            paths,
            [vec![], vec!["Facts"], vec!["Facts", "Bread"], vec!["Facts", "Oven"], vec!["Else"]]
        );
        assert_eq!(document.heading_path(99), Vec::<&str>::new());
    }

    #[test]
    fn a_span_of_another_document_shows_nothing() {
        assert_eq!(parse(b"a").text(&(5..9)), "");
    }
}
