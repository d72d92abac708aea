//! Parser diagnostics and their places.
//!
//! A kind that may occur a million times in one file is reported once, with its count, so that a hostile file cannot
//! inflate the report.

use std::ops::Range;

/// One thing that was read as less than it may have meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Bytes of the original, from the first to the last place.
    pub span: Range<usize>,
    /// What is odd there.
    pub kind: DiagnosticKind,
}

/// What is odd.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiagnosticKind {
    /// The file is UTF-16; nothing was read.
    Utf16,
    /// So many bytes are not UTF-8; each is read as one unknown character.
    InvalidUtf8 {
        /// Bad bytes in the span.
        bytes: usize,
    },
    /// So many NUL bytes.
    Nul {
        /// NUL bytes in the span.
        bytes: usize,
    },
    /// Lines end in more than one way.
    MixedEol,
    /// Front matter was opened and never closed; it is read as text.
    FrontMatterUnclosed,
    /// Front matter is larger than the cap; it is read as text.
    FrontMatterTooLarge {
        /// Bytes between the fences.
        bytes: usize,
    },
    /// So many lines nest deeper than the cap; each is read as plain text.
    TooDeep {
        /// Lines in the span.
        lines: usize,
    },
    /// The file has more marks than are read; what stands behind them is plain text.
    TooManyMarks,
    /// A code fence is never closed and takes the rest of the file.
    FenceUnclosed,
    /// A comment is never closed and takes the rest of its block.
    CommentUnclosed,
}

impl DiagnosticKind {
    /// Whether something opened here takes what follows.
    pub fn is_unclosed(&self) -> bool {
        matches!(self, Self::FrontMatterUnclosed | Self::FenceUnclosed | Self::CommentUnclosed)
    }
}
