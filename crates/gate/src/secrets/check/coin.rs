//! Checksums of ledgers: base58check, bech32, EIP-55, and self-validating keys.
//!
//! The shapes are common in ordinary text (git hashes, ids); the checksums are not. Sources: BIP-13,
//! 32, 173 and 350, EIP-55, RFC 8032, SEP-23.

use std::ops::Range;

use bech32::primitives::decode::{CheckedHrpstring, UncheckedHrpstring};
use bech32::{Bech32, Bech32m};
use sha2::{Digest as _, Sha256};
use sha3::Keccak256;

use super::{ShapeMatch, Verdict, token_at};

/// A pay-to-public-key-hash or pay-to-script-hash address.
pub fn btc_legacy(found: &ShapeMatch) -> Verdict {
    exactly(
        base58check(found.value()).is_some_and(|bytes| bytes.len() == 21 && matches!(bytes[0], 0x00 | 0x05)),
    )
}

/// A segregated-witness address: version 0 under BIP-173, later ones under BIP-350.
pub fn btc_bech32(found: &ShapeMatch) -> Verdict {
    let Ok(parts) = UncheckedHrpstring::new(found.value()) else { return Verdict::Nothing };
    exactly(parts.hrp().to_lowercase() == "bc" && bech32::segwit::decode(found.value()).is_ok())
}

/// A private key in wallet import format, compressed or not, of the main or a test net.
pub fn wif(found: &ShapeMatch) -> Verdict {
    exactly(base58check(found.value()).is_some_and(|bytes| {
        matches!(bytes[0], 0x80 | 0xef) && (bytes.len() == 33 || bytes.len() == 34 && bytes[33] == 1)
    }))
}

/// An extended private key of BIP-32 and its segwit cousins.
pub fn extended_key(found: &ShapeMatch) -> Verdict {
    const VERSIONS: [[u8; 4]; 4] = [
        [0x04, 0x88, 0xad, 0xe4],
        [0x04, 0x35, 0x83, 0x94],
        [0x04, 0x9d, 0x78, 0x78],
        [0x04, 0xb2, 0x43, 0x0c],
    ];
    exactly(
        base58check(found.value())
            .is_some_and(|bytes| bytes.len() == 78 && VERSIONS.iter().any(|v| bytes.starts_with(v))),
    )
}

/// An account address: mixed case must match its checksum; a single case has no checksum and is accepted.
pub fn evm_address(found: &ShapeMatch) -> Verdict {
    let digits = &found.value()[2..];
    let lower = digits.to_ascii_lowercase();
    let filler =
        super::entropy(digits) < 1.5 || lower.starts_with("00000000") || lower.ends_with("000000000000");
    let one_case = digits == lower || digits == digits.to_ascii_uppercase();
    Verdict::of(!filler && (one_case || is_eip55(digits, &lower)))
}

fn is_eip55(digits: &str, lower: &str) -> bool {
    let hash = Keccak256::digest(lower.as_bytes());
    digits.bytes().enumerate().all(|(at, byte)| {
        let nibble = if at % 2 == 0 { hash[at / 2] >> 4 } else { hash[at / 2] & 15 };
        byte.is_ascii_digit() || byte.is_ascii_uppercase() == (nibble >= 8)
    })
}

/// A string of one word and bech32 data with a valid checksum.
pub fn bech32_string(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    exactly(CheckedHrpstring::new::<Bech32>(value).is_ok() || CheckedHrpstring::new::<Bech32m>(value).is_ok())
}

/// A Stellar seed: version byte 18 and CRC-16 (XModem) of SEP-23.
pub fn stellar_seed(found: &ShapeMatch) -> Verdict {
    const SEED_VERSION: u8 = 18 << 3;
    let Some(bytes) = base32(found.value()) else { return Verdict::Nothing };
    let crc = bytes[..33].iter().fold(0_u16, |crc, byte| {
        (0..8).fold(
            crc ^ u16::from(*byte) << 8,
            |crc, _| if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 },
        )
    });
    exactly(bytes[0] == SEED_VERSION && bytes[33..] == crc.to_le_bytes())
}

/// The 35 bytes of 56 base32 letters.
fn base32(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(35);
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.bytes() {
        let five = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'2'..=b'7' => letter - b'2' + 26,
            _ => return None,
        };
        bits = bits << 5 | u32::from(five);
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xff) as u8);
        }
    }
    (bytes.len() == 35).then_some(bytes)
}

/// An ed25519 key pair in base58: the second half is the public key of the first. Otherwise it is a signature, which
/// is public.
pub fn solana_pair(found: &ShapeMatch) -> Verdict {
    exactly(bs58::decode(found.value()).into_vec().is_ok_and(|bytes| is_pair(&bytes)))
}

/// The same pair as the array of 64 numbers that wallets write to a file.
pub fn solana_array(found: &ShapeMatch) -> Verdict {
    let numbers = found.value().trim_matches(['[', ']']).split(',').map(|number| number.trim().parse::<u8>());
    exactly(numbers.collect::<Result<Vec<_>, _>>().is_ok_and(|bytes| is_pair(&bytes)))
}

fn is_pair(bytes: &[u8]) -> bool {
    let Ok(seed) = bytes.get(..32).unwrap_or_default().try_into() else { return false };
    bytes.len() == 64
        && *ed25519_compact::KeyPair::from_seed(ed25519_compact::Seed::new(seed)).pk == bytes[32..]
}

/// Longest array of 64 numbers that is read, in bytes; blanks and line breaks included.
const ARRAY_BYTES_MAX: usize = 800;

/// `[n, n, …]` that begins before the number at `at`.
pub fn number_array(text: &str, at: usize) -> Option<Range<usize>> {
    let near = at.saturating_sub(ARRAY_BYTES_MAX);
    let start = near + text.as_bytes()[near..at].iter().rposition(|&byte| byte == b'[')?;
    let inside = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'\n' | b'\r' | b'\t');
    let len = text.as_bytes()[at..].iter().take(ARRAY_BYTES_MAX).take_while(|byte| inside(byte)).count();
    (text.as_bytes().get(at + len) == Some(&b']')).then(|| start..at + len + 1)
}

/// A 256-bit number in hex that can be a private key of secp256k1: neither 0 nor at least its order.
pub fn curve_key(found: &ShapeMatch) -> Verdict {
    const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    let digits = found.value().trim_start_matches("0x").to_ascii_lowercase();
    exactly(digits.as_str() < ORDER && super::entropy(&digits) >= super::FILLER_BITS)
}

/// The token at `at`.
pub fn token(text: &str, at: usize) -> Option<Range<usize>> {
    let len = token_at(text, at).len();
    (len > 0).then(|| at..at + len)
}

fn exactly(holds: bool) -> Verdict {
    if holds { Verdict::Holds } else { Verdict::Nothing }
}

/// The payload of base58 whose last four bytes are the double SHA-256 of the rest.
fn base58check(text: &str) -> Option<Vec<u8>> {
    let mut bytes = bs58::decode(text).into_vec().ok()?;
    let payload = bytes.len().checked_sub(4).filter(|len| *len > 0)?;
    let sum = Sha256::digest(Sha256::digest(&bytes[..payload]));
    let right = bytes[payload..] == sum[..4];
    bytes.truncate(payload);
    right.then_some(bytes)
}
