//! The unit of recall: a block of at most 1,200 characters, with its place.
//!
//! Passages never overlap: context comes from expansion, not repetition. Very short paragraphs stay separate, since
//! each is one statement.

use std::ops::Range;

/// A piece of text that recall scores and cites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    /// Bytes of the original, without blanks around.
    pub span: Range<usize>,
    /// First and last line, 1-based and inclusive, for `path#Lx-Ly`.
    pub lines: (u32, u32),
    /// Index of its section.
    pub section: u32,
    /// Its place in the section, from 0.
    pub ordinal: u32,
    /// What kind of block it is or is cut from.
    pub kind: PassageKind,
    /// Index of its entry, which has its name; [`NO_ENTRY`] of what is bare. A file may have millions of passages, so they hold no more than they must.
    pub entry: u32,
    /// Which part of its entry it is, from 1, and of how many.
    pub part: (u32, u32),
}

/// The `entry` of a passage that is cut from none.
pub const NO_ENTRY: u32 = u32::MAX;

/// Kinds of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PassageKind {
    /// A top-level list item with its children.
    Item,
    /// A paragraph.
    Paragraph,
    /// One of the lines of a paragraph that says one thing a line; its entry is a [`Paragraph`](Self::Paragraph).
    Line,
    /// A table.
    Table,
    /// A code block, fenced or indented.
    Code,
    /// A block quote.
    Quote,
    /// An HTML block that holds more than comments.
    Html,
    /// The text between the front matter's fences.
    FrontMatter,
    /// A heading with nothing below it.
    Heading,
    /// A link definition, `[a]: https://…`.
    Definition,
}
