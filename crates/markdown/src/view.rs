//! Any bytes as text with `\n` line ends, with a mapping to their offsets.
//!
//! All later steps use the view, so that CRLF and LF parse alike: invalid bytes become one-byte placeholders, a lone
//! CR becomes a line feed, and the CR of a CRLF is removed and remembered. Invariant: `original` is monotone and
//! exact.

use std::borrow::Cow;
use std::ops::Range;

use crate::limit::{
    BINARY_BYTES_MIN, BINARY_NUL_PERCENT, BINARY_PERCENT, BINARY_SAMPLE_BYTES, ENCODING_SAMPLE_BYTES,
};
use crate::{Diagnostic, DiagnosticKind, Eol};

pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Stands for one byte that is not UTF-8: a character that Markdown gives no meaning.
pub(crate) const STAND_IN: char = '\u{1A}';

pub(crate) struct View<'a> {
    pub text: Cow<'a, str>,
    pub eol: Eol,
    pub bom: bool,
    /// In bytes of the original.
    pub diagnostics: Vec<Diagnostic>,
    /// Offsets in `text` of line feeds that were CRLF.
    returns: Vec<usize>,
}

/// Reads `bytes` as text. `None`: they are UTF-16.
pub(crate) fn view(bytes: &[u8]) -> Option<View<'_>> {
    if is_utf16(bytes) {
        return None;
    }
    let bom = bytes.starts_with(BOM);
    let start = if bom { BOM.len() } else { 0 };
    let mut diagnostics = Vec::new();
    let text = repaired(&bytes[start..], start, &mut diagnostics);
    count_nul(bytes, &mut diagnostics);
    if !text.as_bytes().contains(&b'\r') {
        return Some(View { text, eol: Eol::Lf, bom, diagnostics, returns: Vec::new() });
    }
    let (unified, returns, lone) = unified(&text);
    let feeds = unified.bytes().filter(|byte| *byte == b'\n').count() - returns.len() - lone;
    let kinds = [(feeds, Eol::Lf), (returns.len(), Eol::CrLf), (lone, Eol::Cr)];
    if kinds.iter().filter(|(count, _)| *count > 0).count() > 1 {
        diagnostics.push(Diagnostic { span: 0..bytes.len(), kind: DiagnosticKind::MixedEol });
    }
    let eol = kinds.into_iter().rev().max_by_key(|(count, _)| *count).map_or(Eol::Lf, |(_, eol)| eol);
    Some(View { text: Cow::Owned(unified), eol, bom, diagnostics, returns })
}

impl View<'_> {
    /// The view of bytes that hold no text.
    pub fn empty() -> View<'static> {
        View { text: "".into(), eol: Eol::Lf, bom: false, diagnostics: Vec::new(), returns: Vec::new() }
    }

    /// Whether any offset differs from the original's.
    pub fn moves(&self) -> bool {
        self.bom || !self.returns.is_empty()
    }

    /// The span in bytes of the original.
    pub fn original(&self, span: &Range<usize>) -> Range<usize> {
        self.offset(span.start)..self.offset(span.end)
    }

    fn offset(&self, offset: usize) -> usize {
        let start = if self.bom { BOM.len() } else { 0 };
        start + offset + self.returns.partition_point(|feed| *feed < offset)
    }

    /// Text taken out of the view, for showing.
    pub fn shown(text: &str) -> String {
        text.replace(STAND_IN, "\u{FFFD}")
    }
}

/// Bad bytes become stand-ins of one byte, so that offsets hold.
fn repaired<'a>(bytes: &'a [u8], start: usize, diagnostics: &mut Vec<Diagnostic>) -> Cow<'a, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    let (mut first, mut end, mut bad) = (None, 0, 0);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            first.get_or_insert(text.len());
            text.extend(std::iter::repeat_n(STAND_IN, chunk.invalid().len()));
            (end, bad) = (text.len(), bad + chunk.invalid().len());
        }
    }
    let span = start + first.unwrap_or(end)..start + end;
    diagnostics.push(Diagnostic { span, kind: DiagnosticKind::InvalidUtf8 { bytes: bad } });
    Cow::Owned(text)
}

fn count_nul(bytes: &[u8], diagnostics: &mut Vec<Diagnostic>) {
    let is_nul = |byte: &u8| *byte == 0;
    if !bytes.contains(&0) {
        return;
    }
    let start = bytes.iter().position(is_nul).unwrap_or_default();
    let end = bytes.iter().rposition(is_nul).map_or(start, |last| last + 1);
    let count = bytes[start..end].iter().filter(|byte| is_nul(byte)).count();
    diagnostics.push(Diagnostic { span: start..end, kind: DiagnosticKind::Nul { bytes: count } });
}

/// The text with line feeds only, the offsets of those that were CRLF, and how many were lone CR.
fn unified(text: &str) -> (String, Vec<usize>, usize) {
    let mut unified = String::with_capacity(text.len());
    let (mut returns, mut lone, mut rest) = (Vec::new(), 0, text);
    while let Some(at) = rest.find('\r') {
        unified.push_str(&rest[..at]);
        let pair = rest[at + 1..].starts_with('\n');
        if pair {
            returns.push(unified.len());
        } else {
            lone += 1;
        }
        unified.push('\n');
        rest = &rest[at + if pair { 2 } else { 1 }..];
    }
    unified.push_str(rest);
    (unified, returns, lone)
}

/// A UTF-16 byte order mark, or NUL in most even or most odd places and in no other.
pub fn is_utf16(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return true;
    }
    let sample = &bytes[..bytes.len().min(ENCODING_SAMPLE_BYTES)];
    let (pairs, _) = sample.as_chunks::<2>();
    let high = pairs.iter().filter(|pair| pair[0] == 0).count();
    let low = pairs.iter().filter(|pair| pair[1] == 0).count();
    pairs.len() >= 2 && ((high == 0 && low * 2 > pairs.len()) || (low == 0 && high * 2 > pairs.len()))
}

/// Whether a file is an image, a program or an archive under a name that ends in `.md`: a large share of its start,
/// its middle or its end is NUL or not UTF-8. UTF-16 is text of another encoding.
pub fn is_binary(bytes: &[u8]) -> bool {
    let is_binary = |sample: &[u8]| {
        let stray: usize = sample.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
        let nul = sample.iter().filter(|byte| **byte == 0).count();
        let is_share =
            |count: usize, percent: usize| count >= BINARY_BYTES_MIN && count * 100 >= sample.len() * percent;
        is_share(nul + stray, BINARY_PERCENT) || is_share(nul, BINARY_NUL_PERCENT)
    };
    let sample = |start: usize| &bytes[start..bytes.len().min(start + BINARY_SAMPLE_BYTES)];
    let last = bytes.len().saturating_sub(BINARY_SAMPLE_BYTES);
    !is_utf16(bytes) && [0, last / 2, last].into_iter().any(|start| is_binary(sample(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_or_a_program_is_binary_and_western_or_wide_text_is_not() {
        let compressed: Vec<u8> =
            (0..40_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let program = [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 300], b"main printf", &[0; 200]].concat();
        let behind_text = ["# A note\n".repeat(4_000).as_bytes(), &compressed].concat();
        for binary in [compressed.as_slice(), &program, &behind_text, &vec![0; 8 << 20]] {
            assert!(is_binary(binary));
        }
        let latin = b"Caf\xe9 cr\xe8me et th\xe9 \xe0 la maison, s'il vous pla\xeet.\n".repeat(400);
        let chinese = "码头的灯在九点熄灭。\n".repeat(2_000);
        let nul = ["- rye\0bread\n".repeat(3_000).as_bytes()].concat();
        for text in
            [b"".as_slice(), b"- \xff\xff\xff\n", &latin, chinese.as_bytes(), &nul, &chinese.as_bytes()[1..]]
        {
            assert!(!is_binary(text), "{:?}", String::from_utf8_lossy(&text[..text.len().min(40)]));
        }
    }

    #[test]
    fn offsets_lead_back_over_bom_and_crlf() {
        let bytes = b"\xEF\xBB\xBFa\r\nb\rc\n\xFFd";
        let view = view(bytes).unwrap();
        assert_eq!(view.text, "a\nb\nc\n\u{1A}d");
        assert_eq!(bytes[view.original(&(2..3))], *b"b");
        assert_eq!(bytes[view.original(&(0..2))], *b"a\r\n");
        assert_eq!(bytes[view.original(&(6..8))], *b"\xFFd");
        let kinds: Vec<_> = view.diagnostics.iter().map(|diagnostic| &diagnostic.kind).collect();
        assert_eq!(kinds, [&DiagnosticKind::InvalidUtf8 { bytes: 1 }, &DiagnosticKind::MixedEol]);
    }

    #[test]
    fn the_commonest_line_end_is_the_style() {
        assert_eq!(view(b"a\r\nb\r\nc\n").unwrap().eol, Eol::CrLf);
        assert_eq!(view(b"a\rb\r").unwrap().eol, Eol::Cr);
        assert_eq!(view(b"a\n").unwrap().eol, Eol::Lf);
    }

    #[test]
    fn utf16_is_told_by_mark_or_pattern() {
        assert!(view(b"\xFF\xFEa\0").is_none());
        assert!(view(b"\xFE\xFF\0a").is_none());
        assert!(view(b"#\0 \0a\0").is_none());
        assert!(view(b"\0#\0 \0a").is_none());
        assert!(view(b"a\0b").is_some());
        assert!(view(b"\0\0\0\0").is_some());
    }
}
