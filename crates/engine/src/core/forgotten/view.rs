//! Bytes in another form, and where each place of it stands in them.
//!
//! Invariant: a place of a view is a place of what it is made of; what was written in another way goes whole.

use std::ops::Range;

/// Bytes in another form.
#[derive(Debug, Default)]
pub(super) struct View {
    /// The form.
    pub(super) bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

/// A piece of a view.
#[derive(Debug)]
struct Piece {
    /// Where it begins in the view.
    seen: usize,
    /// Where it stands.
    stood: Range<usize>,
    /// It stands there as it is seen; otherwise it is written in another way.
    is_itself: bool,
}

impl View {
    /// Goes on with what stands at `stood` in `bytes`, as it is.
    pub(super) fn take(&mut self, bytes: &[u8], stood: Range<usize>) {
        if !stood.is_empty() {
            self.pieces.push(Piece { seen: self.bytes.len(), stood: stood.clone(), is_itself: true });
            self.bytes.extend_from_slice(&bytes[stood]);
        }
    }

    /// Goes on with `told`, which is written at `stood` in another way.
    pub(super) fn tell(&mut self, told: &str, stood: Range<usize>) {
        self.pieces.push(Piece { seen: self.bytes.len(), stood, is_itself: false });
        self.bytes.extend_from_slice(told.as_bytes());
    }

    /// Where a place of the view stands, with what is not seen inside it; what is written in another way goes whole.
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

    /// The view as text; what is none reads as U+FFFD.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
