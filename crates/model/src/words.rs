//! A closed set of written values: the enum, its words, and the way back, said once.
//!
//! Invariant: every value has one word, and that word parses to it.

/// Makes an enum whose values are written as words, first to last.
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$row:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$row])* $variant),* }

        impl $name {
            /// Every value, the first one first.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The same as they are written.
            pub const WORDS: &[&str] = &[$($word),*];

            /// Parses a written value.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }

            /// The written value.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.word())
            }
        }
    };
}

pub(crate) use words;
