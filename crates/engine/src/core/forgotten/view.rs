//! Transformed bytes with a mapping to their source.
//!
//! Invariant: a range of a view maps to a range of the source; text in another form maps as a whole.

use std::ops::Range;

/// Transformed bytes.
#[derive(Debug, Default)]
pub(super) struct View {
    /// The transformed bytes.
    pub(super) bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

/// A segment of a view.
#[derive(Debug)]
struct Piece {
    /// Its start in the view.
    seen: usize,
    /// Its range in the source.
    stood: Range<usize>,
    /// Whether both are identical.
    is_itself: bool,
}

impl View {
    /// Appends the source range `stood` of `bytes`, unchanged.
    pub(super) fn take(&mut self, bytes: &[u8], stood: Range<usize>) {
        if !stood.is_empty() {
            self.pieces.push(Piece { seen: self.bytes.len(), stood: stood.clone(), is_itself: true });
            self.bytes.extend_from_slice(&bytes[stood]);
        }
    }

    /// Appends `told`, which replaces the source range `stood`.
    pub(super) fn tell(&mut self, told: &str, stood: Range<usize>) {
        self.pieces.push(Piece { seen: self.bytes.len(), stood, is_itself: false });
        self.bytes.extend_from_slice(told.as_bytes());
    }

    /// The source range of a range of the view, including hidden bytes inside; a replaced segment maps as a whole.
    pub(super) fn stands(&self, place: &Range<usize>) -> Range<usize> {
        let of = |at: usize| {
            let piece = self.pieces.partition_point(|piece| piece.seen <= at).saturating_sub(1);
            self.pieces.get(piece).map_or(at..at + 1, |piece| {
                let stood = piece.stood.start + at - piece.seen;
                if piece.is_itself { stood..stood + 1 } else { piece.stood.clone() }
            })
        };
        of(place.start).start..of(place.end.max(1) - 1).end
    }

    /// The view as text; invalid UTF-8 becomes U+FFFD.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
