//! Outputs of a tool: its fields as data, for the reference and for tests.
//!
//! No JSON schema of an answer is sent: it would cost more tokens than all descriptions together.

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

/// Fields: `name: Text`; `name?: Text` where it is there when it has something to say; `Text or null`, `[Text]`,
/// `{ name: Text }`, `{ *: Text }` where keys are not known before; `{ ..FIELDS }` and `..FIELD` for what stands elsewhere.
macro_rules! fields {
    (@ [$($done:tt)*] $(,)?) => { &[$($done)*] };
    (@ [$($done:tt)*] ..$field:ident, $($rest:tt)*) => { $crate::tools::shape::fields! { @ [$($done)* $field,] $($rest)* } };
    (@ [$($done:tt)*] $name:ident?: $($rest:tt)*) => { $crate::tools::shape::fields! { @ [$($done)*] ($name false) $($rest)* } };
    (@ [$($done:tt)*] $name:ident: $($rest:tt)*) => { $crate::tools::shape::fields! { @ [$($done)*] ($name true) $($rest)* } };
    (@ [$($done:tt)*] ($name:ident $always:literal) $of:tt $(or $null:ident)?, $($rest:tt)*) => {
        $crate::tools::shape::fields! {
            @ [$($done)* $crate::tools::Field {
                name: stringify!($name),
                shape: $crate::tools::shape::of!($of $(or $null)?),
                always: $always,
            },] $($rest)*
        }
    };
    ($($fields:tt)*) => { $crate::tools::shape::fields! { @ [] $($fields)*, } };
}

/// One shape, as it stands behind the name of a field.
macro_rules! of {
    ($of:tt or null) => { $crate::tools::Shape::Maybe(&$crate::tools::shape::of!($of)) };
    ([$($of:tt)*]) => { $crate::tools::Shape::List(&$crate::tools::shape::of!($($of)*)) };
    ({ *: $($of:tt)* }) => { $crate::tools::Shape::Keys(&$crate::tools::shape::of!($($of)*)) };
    ({ ..$fields:ident }) => { $crate::tools::Shape::Object($fields) };
    ({ $($fields:tt)* }) => { $crate::tools::Shape::Object($crate::tools::shape::fields! { $($fields)* }) };
    ($kind:ident) => { $crate::tools::Shape::$kind };
}

pub(crate) use {fields, of};
