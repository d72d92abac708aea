//! The one hash function: sha256 for ETags, blocks, stamps and receipts (X5).

use std::fmt;
use std::io::{self, Read, Write};

use sha2::{Digest, Sha256 as Hasher};

/// A sha256 digest. Displayed as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256(pub [u8; 32]);

impl Sha256 {
    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Hasher::digest(bytes).into())
    }

    /// Copies `from` to `to` in chunks, and returns the number of bytes and their hash. Errors: those of the reader
    /// and the writer.
    pub fn copy(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<(u64, Self)> {
        const PIECE_BYTES: usize = 64 * 1024;
        let (mut hasher, mut bytes, mut piece) = (Hasher::new(), 0, vec![0; PIECE_BYTES]);
        loop {
            match from.read(&mut piece) {
                Ok(0) => return Ok((bytes, Self(hasher.finalize().into()))),
                Ok(count) => {
                    hasher.update(&piece[..count]);
                    to.write_all(&piece[..count])?;
                    bytes += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Parses the form of [`Display`](fmt::Display): 64 lower-case hex digits. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let mut bytes = [0; 32];
        if text.len() != 2 * bytes.len() {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Self(bytes))
    }

    /// The first `digits` hex digits (at most 64), for names of homes and locks.
    pub fn short(&self, digits: usize) -> String {
        let mut hex = self.to_string();
        hex.truncate(digits);
        hex
    }
}

/// Lower-case hex, two digits per byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    let mut hex = String::with_capacity(2 * bytes.len());
    hex.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
    hex
}

impl fmt::Display for Sha256 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "sha256:{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_hash_is_the_published_one() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Sha256::of(b"").to_string(), empty);
        assert_eq!(Sha256::of(b"").short(16), empty[..16]);
        assert_eq!(Sha256::parse(empty), Some(Sha256::of(b"")));
        for other in ["", &empty[1..], &empty.to_uppercase(), &empty.replace('e', "g")] {
            assert_eq!(Sha256::parse(other), None, "{other}");
        }
    }

    #[test]
    fn what_passes_in_pieces_has_the_hash_of_the_whole() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|at| at as u8).collect();
        let mut copy = Vec::new();
        let passed = Sha256::copy(&mut bytes.as_slice(), &mut copy).expect("copied");
        assert_eq!((passed, &copy), ((200_000, Sha256::of(&bytes)), &bytes));
    }
}
