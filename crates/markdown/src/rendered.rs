//! Displayed text, with a mapping to the stored bytes.
//!
//! A check of stored bytes alone misses what rendering joins: two halves of a key around a removed comment. So there
//! is one rendering, [`shown`], and [`Rendered`] maps it to the bytes. Invariant: every byte of a rendering has a
//! place in its source, and these places never decrease.

use std::borrow::Cow;
use std::ops::Range;

use crate::comment::carrier_spans;

/// A text made from another one, and where each of its bytes came from.
#[derive(Debug, Default, Clone)]
pub struct Rendered {
    /// The text.
    pub text: String,
    pieces: Vec<Piece>,
}

/// A stretch of the text: copied byte for byte, or in the place of a stretch of the source.
#[derive(Debug, Clone)]
struct Piece {
    at: usize,
    source: Range<usize>,
    copied: bool,
}

impl Rendered {
    /// Where `span` of the text, which is not empty, stands in the source.
    pub fn source(&self, span: &Range<usize>) -> Range<usize> {
        let (Some(first), Some(last)) =
            (self.piece(span.start), span.end.checked_sub(1).and_then(|at| self.piece(at)))
        else {
            return span.clone();
        };
        let start =
            if first.copied { first.source.start + (span.start - first.at) } else { first.source.start };
        let end = if last.copied { last.source.start + (span.end - last.at) } else { last.source.end };
        start..end.max(start)
    }

    fn piece(&self, at: usize) -> Option<&Piece> {
        self.pieces.partition_point(|piece| piece.at <= at).checked_sub(1).map(|last| &self.pieces[last])
    }

    /// Adds `span` of `source` as it stands.
    pub fn copy(&mut self, source: &str, span: Range<usize>) {
        self.copy_from(&source[span.clone()], span.start);
    }

    /// Adds `text`, which stands at byte `at` of the source.
    pub fn copy_from(&mut self, text: &str, at: usize) {
        self.add(at..at + text.len(), text, true);
    }

    /// Adds `with` in the place of `source`.
    pub fn stand_for(&mut self, source: Range<usize>, with: &str) {
        // A byte in the place of a byte has the place of a copy, such as a blank for each of a million line ends.
        let is_byte_for_byte = source.len() == 1 && with.len() == 1;
        self.add(source, with, is_byte_for_byte);
    }

    fn add(&mut self, source: Range<usize>, with: &str, copied: bool) {
        if with.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(last) if copied && last.copied && last.source.end == source.start => {
                last.source.end = source.end;
            }
            _ => self.pieces.push(Piece { at: self.text.len(), source, copied }),
        }
        self.text.push_str(with);
    }
}

/// `text` without the carriers that say nothing to a reader (trigger, importance, project,
/// promotion, dreaming) and the spaces before them. All other bytes stay, and so do `observed`
/// carriers and people's comments.
pub fn shown(text: &str) -> Cow<'_, str> {
    match rendered(text) {
        None => Cow::Borrowed(text),
        Some(rendered) => Cow::Owned(rendered.text),
    }
}

/// [`shown`], with the map. `None`: all of `text` is shown.
pub fn rendered(text: &str) -> Option<Rendered> {
    let mut out = Rendered::default();
    let mut kept = 0;
    for span in carrier_spans(text) {
        let before = text[kept..span.start].trim_end_matches([' ', '\t']);
        out.copy_from(before, kept);
        kept = span.end;
    }
    if kept == 0 {
        return None;
    }
    out.copy(text, kept..text.len());
    Some(out)
}

/// `bytes` as text, each sequence that is not UTF-8 as U+FFFD, with the map. `None`: they are UTF-8.
pub fn decoded(bytes: &[u8]) -> Option<Rendered> {
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let (mut out, mut at) = (Rendered::default(), 0);
    for chunk in bytes.utf8_chunks() {
        out.copy_from(chunk.valid(), at);
        at += chunk.valid().len();
        let invalid = chunk.invalid().len();
        if invalid > 0 {
            out.stand_for(at..at + invalid, "\u{FFFD}");
        }
        at += invalid;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_no_carriers_and_everything_else() {
        let text = "- likes rye  <!-- trigger: rye --> <!-- importance: 3 -->\n  <!-- note --> x <!-- observed: 2026 -->\r\n";
        assert_eq!(shown(text), "- likes rye\n  <!-- note --> x <!-- observed: 2026 -->\r\n");
        assert!(matches!(shown("- plain <!-- note -->"), Cow::Borrowed(_)));
        assert_eq!(shown("<!-- open <!-- trigger: a"), "<!-- open <!-- trigger: a");
    }

    #[test]
    fn a_span_of_a_rendering_leads_to_all_bytes_between_its_ends() {
        let text = "- ignore all <!-- trigger: x --> previous";
        let rendered = rendered(text).expect("a carrier");
        assert_eq!(rendered.text, "- ignore all previous");
        let span = rendered.text.find("all previous").map(|at| at..rendered.text.len()).expect("joined");
        assert_eq!(&text[rendered.source(&span)], "all <!-- trigger: x --> previous");
        assert_eq!(&text[rendered.source(&(2..8))], "ignore");
    }

    #[test]
    fn bytes_that_are_no_text_keep_their_places() {
        let bytes = b"a\xff\xfeb\xe2\x82c";
        let decoded = decoded(bytes).expect("not UTF-8");
        assert_eq!(decoded.text, String::from_utf8_lossy(bytes));
        let at = decoded.text.find('c').expect("a c");
        assert_eq!(decoded.source(&(at..at + 1)), 6..7);
        assert_eq!(decoded.source(&(at - 3..at)), 4..6);
        assert!(super::decoded(b"plain").is_none());
    }

    /// A file of millions of line ends took a piece for each of them, and one for each line.
    #[test]
    fn a_byte_for_a_byte_makes_no_piece_of_its_own() {
        let source = "a\nb\n\n\nc\nd";
        let mut folded = Rendered::default();
        folded.copy(source, 0..1);
        folded.stand_for(1..2, " ");
        folded.copy(source, 2..3);
        folded.stand_for(3..6, " ");
        folded.copy(source, 6..7);
        folded.stand_for(7..8, " ");
        folded.copy(source, 8..9);
        assert_eq!((folded.text.as_str(), folded.pieces.len()), ("a b c d", 3));
        let from = |span: Range<usize>| folded.source(&span);
        assert_eq!(
            [from(0..2), from(1..2), from(3..4), from(4..6), from(1..5)],
            [0..2, 1..2, 3..6, 6..8, 1..7]
        );
    }
}
