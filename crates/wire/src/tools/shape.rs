//! What a tool answers: its fields as data, for the reference and for tests.
//!
//! No JSON schema of an answer is sent: it would cost every conversation more tokens than all descriptions together.

/// What a value is.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Words.
    Text,
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// Anything.
    Any,
    /// A list.
    List(&'static Shape),
    /// An object with these fields, perhaps more later.
    Object(&'static [Field]),
    /// An object whose keys are not known before, each with such a value.
    Keys(&'static Shape),
    /// It, or null.
    Maybe(&'static Shape),
}

/// One field of an object.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub shape: Shape,
    /// Whether it is always there.
    pub always: bool,
}

/// A field that is always there.
pub const fn always(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, always: true }
}

/// A field that is there when it has something to say.
pub const fn maybe(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, always: false }
}
