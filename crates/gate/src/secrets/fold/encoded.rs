//! Decodes base64 and hex.
//!
//! Invariant: what does not decode to text is ignored.

use std::ops::Range;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Shortest hex that is decoded, in digits.
const HEX_CHARS_MIN: usize = 32;

/// The bytes that a run of hex digits writes, where they are text.
fn plain_hex(run: &str) -> Option<String> {
    let is_hex = run.len() >= HEX_CHARS_MIN
        && run.len().is_multiple_of(2)
        && run.bytes().all(|byte| byte.is_ascii_hexdigit());
    let byte = |at: usize| {
        u8::from_str_radix(run.get(at..at + 2)?, 16)
            .ok()
            .filter(|byte| matches!(byte, b' '..=b'~' | 9 | 10 | 13))
    };
    let bytes: Option<Vec<u8>> = is_hex.then(|| (0..run.len()).step_by(2).map(byte).collect())?;
    String::from_utf8(bytes?).ok()
}

/// Shortest base64 that is decoded: 18 bytes, the minimum for a prefix and a body.
const BASE64_CHARS_MIN: usize = 24;

const EITHER_PADDING: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, EITHER_PADDING);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, EITHER_PADDING);

/// Every run of base64 in `text` whose bytes are text, with where it stands.
pub fn decoded(text: &str) -> Vec<(Range<usize>, String)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| is_base64(**byte)).count();
        if run >= BASE64_CHARS_MIN
            && let Some(inside) = plain_hex(&text[at..at + run]).or_else(|| plain_text(&text[at..at + run]))
        {
            let padding = bytes[at + run..].iter().take_while(|byte| **byte == b'=').count();
            found.push((at..at + run + padding.min(2), inside));
        }
        at += run + 1;
    }
    found
}

/// Fewest characters of base64 behind a label.
const WORD_CHARS_MIN: usize = 12;

/// The text that `word` stands for where it is base64 or hex; shorter words are read than by [`decoded`].
pub fn decoded_word(word: &str) -> Option<String> {
    let is_short = word.len() < WORD_CHARS_MIN || !word.trim_end_matches('=').bytes().all(is_base64);
    if is_short {
        return None;
    }
    let engine = if word.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    let bytes = engine.decode(word).ok().filter(|bytes| bytes.iter().all(|byte| matches!(byte, b' '..=b'~')));
    plain_hex(word).or_else(|| String::from_utf8(bytes?).ok())
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

fn plain_text(run: &str) -> Option<String> {
    let engine = if run.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    let is_text =
        |bytes: &[u8]| bytes.iter().all(|byte| (b' '..=b'~').contains(byte) || matches!(byte, 9 | 10 | 13));
    let mut head = [0; 18];
    engine.decode_slice(&run[..BASE64_CHARS_MIN], &mut head).ok().filter(|_| is_text(&head))?;
    let whole = run.len() - usize::from(run.len() % 4 == 1);
    engine
        .decode(&run[..whole])
        .ok()
        .filter(|bytes| is_text(bytes))
        .and_then(|bytes| String::from_utf8(bytes).ok())
}
