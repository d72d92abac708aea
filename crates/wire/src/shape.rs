//! Macros for JSON shapes: a struct, its JSON names, and the source of each field.
//!
//! A `shape!` is `Debug`, `Clone` and `Serialize` with `rename_all = "camelCase"`; `theirs!` keeps the names. `name?:
//! Type` omits the key if the value is empty ([`Unsaid`]). `from it: &Its` after the name implements `From<&Its>`,
//! with an expression after each type. `from<W> it: &Its<W>` makes texts of type `T` from `&W`. If several inputs are
//! needed, use `by fn new(…)`.

/// A value that may say nothing.
pub(crate) trait Unsaid {
    /// Whether it does.
    fn is_unsaid(&self) -> bool;
}

macro_rules! unsaid {
    ($([$($of:ident)?] $type:ty: $is_unsaid:expr;)*) => {
        $(impl$(<$of>)? Unsaid for $type {
            fn is_unsaid(&self) -> bool {
                $is_unsaid(self)
            }
        })*
    };
}

unsaid! {
    [T] Option<T>: Self::is_none;
    [T] Vec<T>: Self::is_empty;
    [] String: Self::is_empty;
    [] bool: |is_so: &bool| !is_so;
    [] u64: |count: &u64| *count == 0;
    [] usize: |count: &usize| *count == 0;
}

macro_rules! shape {
    ($($shapes:tt)*) => { $crate::shape::written! { "camelCase" $($shapes)* } };
}

macro_rules! theirs {
    ($($shapes:tt)*) => { $crate::shape::written! { "snake_case" $($shapes)* } };
}

/// Each shape in turn, and of each its fields in turn.
macro_rules! written {
    ($case:tt) => {};
    (
        $case:tt $(#[$about:meta])* $see:vis struct $name:ident $(<$life:lifetime>)? $(<$of:ident $(= $unsaid:ty)?>)?
        $(by $(#[$how:meta])* $seen:vis fn $make:ident($($arg:ident: $of_arg:ty),*))?
        $(from $(<$words:ident>)? $it:ident: &$its:ty)?
        { $($fields:tt)* } $($others:tt)*
    ) => {
        $crate::shape::written! {
            @ {
                #[derive(Debug, Clone, serde::Serialize, schemars::JsonSchema)]
                #[serde(rename_all = $case)]
                $(#[$about])* $see struct $name $(<$life>)? $(<$of $(= $unsaid)?>)?
            } { $name $(<$of>)? } {
                $($(<$words>)? $it: $its)?
                $(by { $(#[$how])* $seen fn $make($($arg: $of_arg),*) -> Self })?
            } [] [] $($fields)*
        }
        $crate::shape::written! { $case $($others)* }
    };
    (
        @ $shape:tt $name:tt $from:tt [$($fields:tt)*] [$($made:tt)*]
        $(#[$about:meta])* $see:vis $field:ident?: $type:ty $(= $of:expr)?, $($rest:tt)*
    ) => {
        $crate::shape::written! {
            @ $shape $name $from [
                $($fields)*
                $(#[$about])*
                #[serde(skip_serializing_if = "crate::shape::Unsaid::is_unsaid")]
                $see $field: $type,
            ] [$($made)* $($field: $of,)?] $($rest)*
        }
    };
    (
        @ $shape:tt $name:tt $from:tt [$($fields:tt)*] [$($made:tt)*]
        $(#[$about:meta])* $see:vis $field:ident: $type:ty $(= $of:expr)?, $($rest:tt)*
    ) => {
        $crate::shape::written! {
            @ $shape $name $from
            [$($fields)* $(#[$about])* $see $field: $type,] [$($made)* $($field: $of,)?] $($rest)*
        }
    };
    (@ { $($shape:tt)* } $name:tt $from:tt [$($fields:tt)*] $made:tt) => {
        $($shape)* { $($fields)* }
        $crate::shape::written! { @ $name $from $made }
    };
    (@ $name:tt {} []) => {};
    (@ { $name:ident } { $it:ident: $its:ty } [$($made:tt)*]) => {
        impl From<&$its> for $name {
            fn from($it: &$its) -> Self {
                Self { $($made)* }
            }
        }
    };
    (@ { $name:ident } { by { $($make:tt)* } } [$($made:tt)*]) => {
        impl $name {
            $($make)* {
                Self { $($made)* }
            }
        }
    };
    (@ { $name:ident<$of:ident> } { <$words:ident> $it:ident: $its:ty } [$($made:tt)*]) => {
        impl<'w, $words, $of: From<&'w $words>> From<&'w $its> for $name<$of> {
            fn from($it: &'w $its) -> Self {
                Self { $($made)* }
            }
        }
    };
}

pub(crate) use {shape, theirs, written};
