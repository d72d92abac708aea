//! The one hash: sha256 names content everywhere (ETags, blocks, stamps, receipts; X5).

use std::fmt;

use sha2::{Digest, Sha256 as Hasher};

/// The sha256 of some bytes. Shown as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256(pub [u8; 32]);

impl Sha256 {
    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Hasher::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits, of either case; `None` for anything else.
    pub fn read(text: &str) -> Option<Self> {
        let digits: Option<Vec<u8>> =
            text.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
        let digits = digits.filter(|digits| digits.len() == 64)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
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

impl fmt::Display for Sha256 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
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
    }

    #[test]
    fn a_hash_is_read_back_from_its_digits_and_from_nothing_else() {
        let hash = Sha256::of(b"bread");
        assert_eq!(Sha256::read(&hash.to_string()), Some(hash));
        assert_eq!(Sha256::read(&hash.to_string().to_uppercase()), Some(hash));
        for bad in ["", "e3b0", &"g".repeat(64), &"0".repeat(65), &"é".repeat(32)] {
            assert_eq!(Sha256::read(bad), None, "{bad}");
        }
    }
}
