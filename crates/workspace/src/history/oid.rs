//! Commit ids, and the forms in which a person may refer to a commit.
//!
//! `git` parses words that begin with `-` as options and others as branches, ranges or paths. Invariant: only our one
//! ref, or hex digits resolved to an object, are passed to it.

use std::fmt;

use inwit_model::name::shown;

use super::error::HistoryError;

/// The full name of a commit: 20 bytes, shown as 40 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid([u8; 20]);

impl Oid {
    /// Digits of a short name.
    const SHORT_DIGITS: usize = 7;

    /// Reads 40 lower-case hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 40 || !is_hex(text) {
            return None;
        }
        let mut bytes = [0; 20];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The one of these bytes.
    pub(super) fn of_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// The first seven digits.
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(Self::SHORT_DIGITS);
        text
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

/// One state of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rev {
    /// The newest commit.
    Tip,
    /// A commit by its full name.
    Commit(Oid),
    /// A commit by the first digits of its name.
    Short(Digits),
}

/// 4 to 39 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digits(String);

impl Digits {
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Rev {
    /// Fewest digits that name a commit.
    pub const DIGITS_MIN: usize = 4;

    /// Reads 4 to 40 hex digits of either case. Errors: anything else, so no option, ref or range.
    pub fn parse(text: &str) -> Result<Self, HistoryError> {
        let digits = text.to_ascii_lowercase();
        match digits.len() {
            40 if is_hex(&digits) => Oid::parse(&digits).map(Self::Commit),
            Self::DIGITS_MIN..40 if is_hex(&digits) => Some(Self::Short(Digits(digits))),
            _ => None,
        }
        .ok_or_else(|| HistoryError::BadRev { shown: shown(text) })
    }
}

impl From<Oid> for Rev {
    fn from(oid: Oid) -> Self {
        Self::Commit(oid)
    }
}

impl fmt::Display for Rev {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tip => out.write_str("the newest"),
            Self::Commit(oid) => oid.fmt(out),
            Self::Short(digits) => out.write_str(digits.as_str()),
        }
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hex_digits_name_a_commit() {
        let full = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(Rev::parse(full).expect("full"), Rev::Commit(Oid::parse(full).expect("an oid")));
        assert_eq!(Rev::parse("ABCD").expect("short").to_string(), "abcd");
        assert_eq!(Oid::parse(full).expect("an oid").short(), "0123456");
        for bad in [
            "",
            "abc",
            "-abcd",
            "--upload-pack=x",
            "HEAD",
            "HEAD~1",
            "main",
            "abcd^",
            "abcd..ef01",
            "abcd:x",
            "@{-1}",
            "abcd\n",
            "abcd\0",
            " abcd",
            "refs/heads/main",
            "αβγδ",
            &"a".repeat(41),
        ] {
            assert!(Rev::parse(bad).is_err(), "{bad:?}");
        }
    }
}
