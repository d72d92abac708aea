//! Parses any bytes as Markdown, and edits them only by splices.
//!
//! Reading order: [`mod@parse`] (the entry point), [`document`] (its result), [`passage`] (the unit of recall),
//! [`comment`] (metadata of OpenClaw and others in entries), [`edit`] and [`compose`] (changes), [`front_matter`]
//! (the fields that skills need), [`styled`] (lines on a terminal).
//!
//! Not here: paths, known files, and serialising a whole document. Invariant: parsing never fails, and every span is
//! in bytes of the original, with any encoding errors, BOM or line ends.
//!
//! ```
//! let bytes = b"# Facts\n\n- Ada: rye bread\n";
//! let document = inwit_markdown::parse(bytes);
//! let passage = &document.passages[0];
//! assert_eq!(document.text(&passage.span), "- Ada: rye bread");
//! assert_eq!(document.heading_path(passage.section as usize), ["Facts"]);
//! let edit = inwit_markdown::append_entry(&document, 1, "- Bob: oats").unwrap();
//! assert_eq!(inwit_markdown::apply(bytes, &[edit]).unwrap(), b"# Facts\n\n- Ada: rye bread\n- Bob: oats\n");
//! ```

pub mod comment;
pub mod compose;
mod cut;
pub mod diagnostic;
pub mod document;
pub mod edit;
pub mod entity;
pub mod front_matter;
pub mod limit;
pub mod link;
pub mod parse;
pub mod passage;
pub mod reading;
pub mod rendered;
pub mod styled;

mod assemble;
mod guard;
mod label;
mod split;
mod title;
mod view;
mod walk;

pub use comment::{Carrier, Comment, Status, carrier, carriers};
pub use compose::{ComposeError, append_entry, append_section};
pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use document::{Document, Entry, Eol, Gap, GapKind, Outline, Section};
pub use edit::{Edit, EditError, apply};
pub use front_matter::{Field, FrontMatter};
pub use link::{Link, LinkKind};
pub use parse::{is_without_diagnostics, outline, parse};
pub use passage::{NO_ENTRY, Passage, PassageKind};
pub use rendered::{Rendered, shown};
pub use view::{is_binary, is_utf16};
