//! Parses any bytes as a document.
//!
//! The steps: convert to a view with `\n` line ends (`view`), split the front matter, mask over-deep lines (`guard`),
//! one pass over the library's events (`walk`), assemble regions (`assemble`), and map every offset to the original.
//! Invariant: never fails, never recurses, and takes linear time.

use std::ops::Range;

use crate::assemble::{Assembly, Cut};
use crate::front_matter::{self, FrontMatterScan};
use crate::view::{BOM, View, view};
use crate::{Diagnostic, DiagnosticKind, Document, Outline, PassageKind, guard, walk};

/// Reads any bytes. Never fails: what cannot be understood is in `diagnostics`.
pub fn parse(bytes: &[u8]) -> Document<'_> {
    let mut cut = Cut::default();
    let outline = read(bytes, Some(&mut cut));
    Document { outline, passages: cut.passages, bare: cut.bare, contexts: cut.contexts }
}

/// The same without passages, which of a file of short lines are most of it.
pub fn outline(bytes: &[u8]) -> Outline<'_> {
    read(bytes, None)
}

/// A cheap test that [`parse`] has no diagnostics for these bytes, true for most one-line texts: UTF-8 without BOM,
/// NUL or CR, without comment or fence openings, and no line starts front matter, a quote or an item. `false` says
/// nothing.
pub fn is_without_diagnostics(bytes: &[u8]) -> bool {
    let opens_nothing = |line: &[u8]| {
        let first = line.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        first.is_none_or(|byte| !matches!(byte, b'>' | b'-' | b'+' | b'*' | b'0'..=b'9'))
    };
    !bytes.starts_with(BOM)
        && !bytes.iter().any(|byte| matches!(byte, 0 | b'\r' | b'<' | b'`' | b'~'))
        && bytes.split(|byte| *byte == b'\n').all(opens_nothing)
        && std::str::from_utf8(bytes).is_ok()
}

/// Parses the bytes, and optionally collects passages. UTF-16 is one empty section.
fn read<'a>(bytes: &'a [u8], cut: Option<&mut Cut>) -> Outline<'a> {
    let mut view = view(bytes).unwrap_or_else(|| {
        let mut view = View::empty();
        view.diagnostics.push(Diagnostic { span: 0..bytes.len(), kind: DiagnosticKind::Utf16 });
        view
    });
    let mut diagnostics = std::mem::take(&mut view.diagnostics);
    let read = placed(&view, bytes, cut);
    diagnostics.extend(read.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Outline { diagnostics, ..read }
}

/// All parts at their places in `bytes`.
fn placed<'a>(view: &View<'_>, bytes: &'a [u8], mut cut: Option<&mut Cut>) -> Outline<'a> {
    let text = &*view.text;
    let mut diagnostics = Vec::new();
    let (front_matter, plain, start) = front(text, &mut diagnostics);
    let masked = guard::guarded(text, start, &mut diagnostics);
    let mut walk = walk::walk(&masked, start);
    diagnostics.append(&mut walk.diagnostics);
    let mut assembly = Assembly::new(text, &masked, &walk.children, start, cut.as_deref_mut());
    if let Some(block) = &front_matter {
        assembly.entry(block.inner.clone(), PassageKind::FrontMatter, None);
    }
    if let Some(plain) = plain {
        assembly.entry(plain, PassageKind::Paragraph, None);
    }
    assembly.lay(walk.regions, start);
    let Assembly { sections, entries, languages, gaps, .. } = assembly;
    let (links, comments, eol, bom) = (walk.links, walk.comments, view.eol, view.bom);
    let mut outline = Outline {
        bytes,
        front_matter,
        sections,
        entries,
        languages,
        gaps,
        links,
        comments,
        diagnostics,
        eol,
        bom,
    };
    if view.moves() {
        let spans = cut.into_iter().flat_map(|Cut { passages, bare, contexts, .. }| {
            let passages = passages.iter_mut().chain(bare).map(|passage| &mut passage.span);
            passages.chain(contexts.iter_mut().map(|(_, line)| line))
        });
        for span in outline.spans().chain(spans) {
            *span = view.original(span);
        }
    }
    outline
}

/// The front matter, what stands in its place as plain text, and where Markdown begins.
fn front(
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Option<front_matter::FrontMatter>, Option<Range<usize>>, usize) {
    match front_matter::find(text) {
        FrontMatterScan::None => (None, None, 0),
        FrontMatterScan::Block(block) => {
            let end = block.span.end;
            (Some(block), None, end)
        }
        FrontMatterScan::Unclosed(span) => {
            diagnostics.push(Diagnostic { span, kind: DiagnosticKind::FrontMatterUnclosed });
            (None, None, 0)
        }
        // As Markdown it would be one heading; as plain text it can be found.
        FrontMatterScan::TooLarge(block) => {
            let kind = DiagnosticKind::FrontMatterTooLarge { bytes: block.inner.len() };
            diagnostics.push(Diagnostic { span: block.span.clone(), kind });
            (None, Some(block.span.clone()), block.span.end)
        }
    }
}

impl Outline<'_> {
    /// Every span of the outline.
    fn spans(&mut self) -> impl Iterator<Item = &mut Range<usize>> {
        let front = self.front_matter.iter_mut().flat_map(|front| [&mut front.span, &mut front.inner]);
        let sections = self.sections.iter_mut();
        let sections =
            sections.flat_map(|section| [&mut section.heading, &mut section.body, &mut section.span]);
        let entries = self.entries.iter_mut().map(|entry| &mut entry.span);
        let comments = self.comments.iter_mut().flat_map(|comment| [&mut comment.span, &mut comment.inner]);
        let gaps = self.gaps.iter_mut().map(|gap| &mut gap.span);
        let links = self.links.iter_mut().map(|link| &mut link.span);
        let diagnostics = self.diagnostics.iter_mut().map(|diagnostic| &mut diagnostic.span);
        front.chain(sections).chain(entries).chain(comments).chain(gaps).chain(links).chain(diagnostics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, Passage};

    /// A file of 8 MiB may have 2.8 million paragraphs: a few words more for each, and a command takes too much.
    #[test]
    fn an_entry_and_a_passage_hold_no_more_than_they_must() {
        assert_eq!((size_of::<Entry>(), size_of::<Passage>()), (24, 48));
    }

    #[test]
    fn an_outline_is_the_document_without_its_passages() {
        for text in [
            "",
            "\u{FEFF}# A\r\n\r\n- a\r\n- b: c\r\n",
            "---\nname: x\n---\n```rust\na\n```\nb\n",
            "\u{0}\u{0}a",
        ] {
            let document = parse(text.as_bytes());
            assert_eq!(outline(text.as_bytes()), *document, "{text:?}");
        }
    }

    #[test]
    fn the_label_of_a_long_entry_is_read_off_its_head() {
        let text = format!("intro\r\n\r\n- Ada: {}\r\n", "é".repeat(9_000));
        let document = parse(text.as_bytes());
        let labels: Vec<_> = document.passages.iter().map(|passage| document.label(passage)).collect();
        assert!(labels.len() > 8 && labels[0].is_none());
        assert!(labels[1..].iter().flatten().all(|label| document.text(label) == "Ada"));
        assert_eq!(labels.iter().flatten().count(), labels.len() - 1);
    }
}
