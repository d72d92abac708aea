//! Reads any bytes as a document.
//!
//! The steps: bytes to a view with `\n` line ends (`view`), front matter off, over-deep lines
//! masked (`guard`), one pass over the library's events (`walk`), regions laid side by side
//! (`assemble`), and every offset led back to the original. Invariant: never fails, never recurses,
//! and takes time in proportion to the bytes.

use std::ops::Range;

use crate::assemble::Assembly;
use crate::front_matter::{self, Found};
use crate::view::{BOM, View, view};
use crate::{Diagnostic, DiagnosticKind, Document, PassageKind, guard, walk};

/// Reads any bytes. Never fails: what cannot be understood is in `diagnostics`.
pub fn parse(bytes: &[u8]) -> Document<'_> {
    let Some(mut view) = view(bytes) else { return unread(bytes) };
    let mut diagnostics = std::mem::take(&mut view.diagnostics);
    let read = read(&view, bytes);
    diagnostics.extend(read.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Document { diagnostics, ..read }
}

/// Whether a glance tells that [`parse`] has nothing to say against these bytes, as of most texts of one line: they are
/// UTF-8 without a mark of order, NUL or carriage return, without what opens a comment or a fence, and no line begins
/// with what opens front matter, a quote or an item. `false` tells nothing.
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

/// The document of UTF-16 bytes: one empty section.
fn unread(bytes: &[u8]) -> Document<'_> {
    let mut document = read(&View::empty(), bytes);
    document.diagnostics.push(Diagnostic { span: 0..bytes.len(), kind: DiagnosticKind::Utf16 });
    document
}

fn read<'a>(view: &View<'_>, bytes: &'a [u8]) -> Document<'a> {
    let text = &*view.text;
    let mut diagnostics = Vec::new();
    let (front_matter, plain, start) = front(text, &mut diagnostics);
    let masked = guard::guarded(text, start, &mut diagnostics);
    let mut walk = walk::walk(&masked, start);
    diagnostics.append(&mut walk.diagnostics);
    let mut assembly = Assembly::new(text, &masked, &walk.children, start);
    if let Some(block) = &front_matter {
        assembly.entry(block.inner.clone(), PassageKind::FrontMatter, None);
    }
    if let Some(plain) = plain {
        assembly.entry(plain, PassageKind::Paragraph, None);
    }
    assembly.lay(walk.regions, start);
    let Assembly { sections, entries, passages, gaps, .. } = assembly;
    let (links, comments, eol, bom) = (walk.links, walk.comments, view.eol, view.bom);
    let mut document = Document {
        bytes,
        front_matter,
        sections,
        entries,
        passages,
        gaps,
        links,
        comments,
        diagnostics,
        eol,
        bom,
    };
    if view.moves() {
        for span in document.spans() {
            *span = view.original(span);
        }
    }
    document
}

/// The front matter, what stands in its place as plain text, and where Markdown begins.
fn front(
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Option<front_matter::FrontMatter>, Option<Range<usize>>, usize) {
    match front_matter::find(text) {
        Found::None => (None, None, 0),
        Found::Block(block) => {
            let end = block.span.end;
            (Some(block), None, end)
        }
        Found::Unclosed(span) => {
            diagnostics.push(Diagnostic { span, kind: DiagnosticKind::FrontMatterUnclosed });
            (None, None, 0)
        }
        // As Markdown it would be one heading; as plain text it can be found.
        Found::TooLarge(block) => {
            let kind = DiagnosticKind::FrontMatterTooLarge { bytes: block.inner.len() };
            diagnostics.push(Diagnostic { span: block.span.clone(), kind });
            (None, Some(block.span.clone()), block.span.end)
        }
    }
}

impl Document<'_> {
    /// Every span of the document.
    fn spans(&mut self) -> impl Iterator<Item = &mut Range<usize>> {
        let front = self.front_matter.iter_mut().flat_map(|front| [&mut front.span, &mut front.inner]);
        let sections = self.sections.iter_mut();
        let sections =
            sections.flat_map(|section| [&mut section.heading, &mut section.body, &mut section.span]);
        let entries = self.entries.iter_mut();
        let entries =
            entries.flat_map(|entry| std::iter::once(&mut entry.span).chain(entry.label.as_deref_mut()));
        let passages = self.passages.iter_mut().map(|passage| &mut passage.span);
        let comments = self.comments.iter_mut().flat_map(|comment| [&mut comment.span, &mut comment.inner]);
        let gaps = self.gaps.iter_mut().map(|gap| &mut gap.span);
        let links = self.links.iter_mut().map(|link| &mut link.span);
        let diagnostics = self.diagnostics.iter_mut().map(|diagnostic| &mut diagnostic.span);
        front
            .chain(sections)
            .chain(entries)
            .chain(passages)
            .chain(comments)
            .chain(gaps)
            .chain(links)
            .chain(diagnostics)
    }
}
