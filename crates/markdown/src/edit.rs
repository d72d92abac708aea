//! A change of a file as a value: one span and its replacement.
//!
//! Every byte outside the span is unchanged, so nothing here depends on Markdown.

use std::ops::Range;

/// The bytes with all edits made. Errors: an edit reaches behind the end, is reversed, or begins
/// before the one before it ends; nothing is made then.
pub fn apply(bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    let mut result =
        Vec::with_capacity(bytes.len() + edits.iter().map(|edit| edit.with.len()).sum::<usize>());
    let mut kept = 0;
    for (index, edit) in edits.iter().enumerate() {
        if edit.span.start > edit.span.end || edit.span.end > bytes.len() {
            return Err(EditError::OutOfRange { index });
        }
        if edit.span.start < kept {
            return Err(EditError::Overlap { index });
        }
        result.extend_from_slice(&bytes[kept..edit.span.start]);
        result.extend_from_slice(&edit.with);
        kept = edit.span.end;
    }
    result.extend_from_slice(&bytes[kept..]);
    Ok(result)
}

/// Replaces one span. An empty span inserts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// Bytes of the original that go.
    pub span: Range<usize>,
    /// What takes their place.
    pub with: Vec<u8>,
}

/// The edits do not fit the bytes or each other.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// The span is reversed or reaches behind the end.
    #[error("edit {index} does not lie within the file.")]
    OutOfRange {
        /// Which edit, from 0.
        index: usize,
    },
    /// The span begins before the one before it ends.
    #[error("edit {index} begins before the one before it ends.")]
    Overlap {
        /// Which edit, from 0.
        index: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(span: Range<usize>, with: &str) -> Edit {
        Edit { span, with: with.into() }
    }

    #[test]
    fn edits_are_made_in_order_and_touch_nothing_else() {
        let made = apply(b"abcdef", &[edit(0..0, "<"), edit(1..3, "X"), edit(3..3, "Y"), edit(6..6, ">")]);
        assert_eq!(made, Ok(b"<aXYdef>".to_vec()));
        assert_eq!(apply(b"a\xFF", &[]), Ok(b"a\xFF".to_vec()));
    }

    #[test]
    fn edits_that_do_not_fit_are_refused() {
        assert_eq!(apply(b"abc", &[edit(0..4, "")]), Err(EditError::OutOfRange { index: 0 }));
        assert_eq!(
            apply(b"abc", &[Edit { span: Range { start: 2, end: 1 }, with: vec![] }]),
            Err(EditError::OutOfRange { index: 0 })
        );
        assert_eq!(apply(b"abc", &[edit(0..2, ""), edit(1..3, "")]), Err(EditError::Overlap { index: 1 }));
        assert_eq!(apply(b"abc", &[edit(2..2, ""), edit(0..1, "")]), Err(EditError::Overlap { index: 1 }));
    }
}
