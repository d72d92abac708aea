//! The API key of a provider.
//!
//! Invariant: it is sent in one header only; `Debug` hides it, and there is no `Display`.

use std::fmt;

/// Longest key, in bytes.
pub const KEY_BYTES_MAX: usize = 8 * 1024;

/// The header that carries a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHeader {
    /// `Authorization: Bearer …`.
    Bearer,
    /// The bare key in a header of this name.
    Named(&'static str),
}

/// A secret of a provider.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// Why a text can be no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a key must be one word of visible ASCII characters")]
pub struct KeyError;

impl Key {
    /// Reads a key; blanks and line ends around it are left out, since it is often read from a file.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_word && text.len() <= KEY_BYTES_MAX { Ok(Self(text.to_owned())) } else { Err(KeyError) }
    }

    /// Name and value of the header.
    pub(crate) fn header(&self, header: KeyHeader) -> (&'static str, String) {
        match header {
            KeyHeader::Bearer => ("Authorization", format!("Bearer {}", self.0)),
            KeyHeader::Named(name) => (name, self.0.clone()),
        }
    }

    /// `text` without this key in it: a provider may repeat what it was sent.
    pub fn hidden_in(&self, text: &str) -> String {
        text.replace(&self.0, "…")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_word_and_is_not_shown() {
        let key = Key::parse(" word-7 \n").expect("a key");
        assert_eq!(key.header(KeyHeader::Bearer), ("Authorization", "Bearer word-7".to_owned()));
        assert_eq!(key.header(KeyHeader::Named("x-key")), ("x-key", "word-7".to_owned()));
        assert_eq!(format!("{key:?} {:?}", Some(&key)), "Key(…) Some(Key(…))");
        assert_eq!(key.hidden_in("no such key: word-7."), "no such key: ….");
        for bad in ["", "two words", "a\r\nX: y", "schlüssel", &"x".repeat(KEY_BYTES_MAX + 1)] {
            assert_eq!(Key::parse(bad), Err(KeyError), "{bad}");
        }
    }
}
