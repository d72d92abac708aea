//! Keyed hashes of secret values that were named once, to find the bare values in later texts.
//!
//! `my db password is …` names a value; later prompts repeat it without a label. A text is split at white space and
//! delimiters, and each run of as many pieces as a known value has is hashed and compared. Invariants: no value is
//! stored, only its HMAC-SHA256; a value that may be an ordinary word is not learned.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use inwit_model::limit::SECRET_HASHES_MAX;
use sha2::{Digest as _, Sha256};

use super::{SECRETS, Tier, fold, is_public, is_rare, replaced, scan, values_of};

/// Byte lengths of learned values.
const VALUE_BYTES: Range<usize> = 8..513;

/// Most pieces of a learned value.
const PIECES_MAX: usize = 16;

/// Fewest pieces of a value with white space: two words occur together by chance.
const PHRASE_PIECES_MIN: usize = 3;

/// Stored bytes of a hash.
const HASH_BYTES: usize = 16;

/// Block size of the hash function.
const BLOCK_BYTES: usize = 64;

/// Characters that end a piece, besides white space, control characters and non-ASCII symbols.
const ENDS: &[u8] = b"\"'`,;:=()[]{}<>|&@/\\";

/// First character of scripts without blanks between words.
const SPACELESS_MIN: char = '\u{2e80}';

/// The hashes of one home, newest last, with their key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretHashes {
    key: [u8; 32],
    each: Vec<SecretHash>,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SecretHash {
    class: &'static str,
    pieces: usize,
    hash: [u8; HASH_BYTES],
}

impl SecretHashes {
    /// An empty set. `key`: random bytes.
    pub fn new(key: [u8; 32]) -> Self {
        Self { key, each: Vec::new() }
    }

    /// Parses the form of [`Display`](fmt::Display). `None` if the key is invalid; other invalid lines are skipped.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let key = bytes_of(lines.next()?)?;
        let line = |line: &str| {
            let mut parts = line.split(' ');
            let (class, pieces, hash) = (parts.next()?, parts.next()?, parts.next()?);
            let class = SECRETS.iter().find(|row| row.class == class)?.class;
            Some(SecretHash { class, pieces: pieces.parse().ok()?, hash: bytes_of(hash)? })
        };
        let each = lines.filter_map(line).filter(|one| (1..=PIECES_MAX).contains(&one.pieces));
        Some(Self { key, each: each.take(SECRET_HASHES_MAX).collect() })
    }

    /// Adds the values that `text` names; beyond the limit the oldest are dropped. Returns whether one is new.
    pub fn learn(&mut self, text: &str) -> bool {
        let mut is_new = false;
        for hit in scan(text) {
            if hit.tier < Tier::Doubt || is_public(hit.class) {
                continue;
            }
            for value in values_of(text, &hit.span) {
                is_new |= self.learn_value(&text[value], hit.class);
            }
        }
        let over = self.each.len().saturating_sub(SECRET_HASHES_MAX);
        self.each.drain(..over);
        is_new
    }

    fn learn_value(&mut self, value: &str, class: &'static str) -> bool {
        let unfolded = fold::unescape(value);
        let value = unfolded.as_ref().map_or(value, |read| &read.text);
        let pieces = pieces(value);
        if !is_telling(value, &pieces) {
            return false;
        }
        let hash = Keyed::of(&self.key).hash(&value[whole(&pieces)]);
        let is_new = self.each.iter().all(|known| known.hash != hash);
        if is_new {
            self.each.push(SecretHash { class, pieces: pieces.len(), hash });
        }
        is_new
    }

    /// `text` with each known value replaced by `[REDACTED:<class>]`.
    pub fn redact(&self, text: String) -> String {
        let found = self.find(&text);
        if found.is_empty() { text } else { replaced(&text, &found) }
    }

    /// Positions of known values in `text`, in order, also in its folding.
    pub fn find(&self, text: &str) -> Vec<(Range<usize>, &'static str)> {
        if self.each.is_empty() {
            return Vec::new();
        }
        let mut found = self.find_as_is(text);
        if let Some(read) = fold::unescape(text) {
            let folded = self.find_as_is(&read.text).into_iter();
            found.extend(folded.map(|(span, class)| (read.source(&span), class)));
        }
        found.sort_by_key(|(span, _)| (span.start, usize::MAX - span.end));
        found.dedup();
        found
    }

    fn find_as_is(&self, text: &str) -> Vec<(Range<usize>, &'static str)> {
        let known: BTreeMap<_, _> = self.each.iter().map(|one| ((one.pieces, one.hash), one.class)).collect();
        let counts: BTreeSet<usize> = self.each.iter().map(|one| one.pieces).collect();
        let (keyed, pieces) = (Keyed::of(&self.key), pieces(text));
        let runs = counts.iter().flat_map(|count| pieces.windows(*count));
        let found = runs.filter_map(|run| {
            let span = whole(run);
            let class = known.get(&(run.len(), keyed.hash_if_fit(&text[span.clone()])?))?;
            Some((span, *class))
        });
        found.collect()
    }
}

/// The file format: the key, then a line for each value: class, pieces, hash.
impl fmt::Display for SecretHashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", hex(&self.key))?;
        let mut lines = self.each.iter();
        lines.try_for_each(|one| writeln!(f, "{} {} {}", one.class, one.pieces, hex(&one.hash)))
    }
}

/// HMAC-SHA256 with a preprocessed key.
struct Keyed {
    inner: Sha256,
    outer: Sha256,
}

impl Keyed {
    fn of(key: &[u8; 32]) -> Self {
        let padded = |pad: u8| {
            let mut block = [pad; BLOCK_BYTES];
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            Sha256::new().chain_update(block)
        };
        Self { inner: padded(0x36), outer: padded(0x5c) }
    }

    /// The hash of a value, ignoring ASCII case and white space.
    fn hash(&self, value: &str) -> [u8; HASH_BYTES] {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
        let inner = self.inner.clone().chain_update(value).finalize();
        let whole = self.outer.clone().chain_update(inner).finalize();
        std::array::from_fn(|at| whole[at])
    }

    /// The same; `None` if no learned value has this length.
    fn hash_if_fit(&self, text: &str) -> Option<[u8; HASH_BYTES]> {
        VALUE_BYTES.contains(&text.len()).then(|| self.hash(text))
    }
}

/// The pieces of `text`, without punctuation around them.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for part in text.split(is_end) {
        let inner = part.trim_start_matches(|c: char| c.is_ascii_punctuation());
        let start = at + part.len() - inner.len();
        let inner = inner.trim_end_matches(|c: char| c.is_ascii_punctuation());
        if !inner.is_empty() {
            pieces.push(start..start + inner.len());
        }
        at += part.len() + text[at + part.len()..].chars().next().map_or(0, char::len_utf8);
    }
    pieces
}

fn is_end(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => c.is_whitespace() || c.is_control() || ENDS.contains(&byte),
        _ => c >= SPACELESS_MIN || !c.is_alphanumeric(),
    }
}

/// From the first of `pieces` to the last.
fn whole(pieces: &[Range<usize>]) -> Range<usize> {
    pieces.first().map_or(0, |first| first.start)..pieces.last().map_or(0, |last| last.end)
}

/// Whether a value is distinctive: a single word or short number may occur in any text.
fn is_telling(value: &str, pieces: &[Range<usize>]) -> bool {
    let value = &value[whole(pieces)];
    let has = |is: fn(char) -> bool| value.contains(is);
    let is_of_words = has(char::is_whitespace);
    let is_mixed = has(char::is_alphabetic) && has(|sign| !sign.is_alphabetic() && !sign.is_whitespace());
    VALUE_BYTES.contains(&value.len())
        && (1..=PIECES_MAX).contains(&pieces.len())
        && !value.contains('\n')
        && if is_of_words { pieces.len() >= PHRASE_PIECES_MIN } else { is_mixed || is_rare(value) }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of<const N: usize>(hex: &str) -> Option<[u8; N]> {
    let digits = hex.as_bytes();
    if digits.len() != 2 * N || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Secrets in sources are assembled, so that repository scanners do not find them.
    fn value() -> String {
        ["lavendel", "8", "Quark"].join("-")
    }

    fn knowing(named: &str) -> SecretHashes {
        let mut hashes = SecretHashes::new([7; 32]);
        assert!(hashes.learn(named), "{named}");
        hashes
    }

    #[test]
    fn a_value_that_was_named_once_is_found_bare_in_any_surroundings() {
        let value = value();
        let hashes = knowing(&format!("My db password is {value}."));
        for around in [
            "Use VALUE.", "VALUE", "(`VALUE`)", "postgres://okapi:VALUE@db/x", "--pass=VALUE;",
            "用VALUE登录", "pass **VALUE** — VALUE’s", "\"VALUE\\n\"", "now VAL\u{200b}UE",
        ] {
            let text =
                around.replace("VAL\u{200b}UE", &value.replace("-8", "\u{200b}-8")).replace("VALUE", &value);
            let redacted = hashes.redact(text.clone());
            assert!(!redacted.contains("lavendel") && redacted.contains("[REDACTED:"), "{text}: {redacted}");
        }
        assert!(hashes.redact(value.to_uppercase()).starts_with("[REDACTED:"), "in any case");
    }

    #[test]
    fn what_is_only_a_part_of_a_value_or_has_one_in_it_stays() {
        let hashes = knowing(&format!("My db password is {}.", value()));
        for text in ["lavendel", "lavendel 8 Quark", "lavendel-8-Quarkspeise", "the 8 quarks", "", "…"] {
            assert_eq!(hashes.redact(text.to_owned()), text);
        }
    }

    #[test]
    fn a_value_that_may_be_a_word_is_not_learned() {
        for word in ["lavender", "12345678", "20260131", "4831775", "in the"] {
            let mut hashes = SecretHashes::new([7; 32]);
            assert!(!hashes.learn(&format!("My db password: {word}")), "{word}");
        }
    }

    #[test]
    fn a_long_number_and_letters_that_are_no_word_are_learned() {
        for (named, value) in [
            ("PUK: @", "48317712"),
            ("WiFi password: @", "19384756102938475610"),
            ("NAS password: @", "hunterxqzwv"),
            ("recovery key: @", "482913-291834-571203-948123"),
        ] {
            let hashes = knowing(&named.replace('@', value));
            assert!(hashes.redact(format!("Ana types {value} there")).contains("[REDACTED:"), "{value}");
            assert_eq!(hashes.redact(format!("no 1{value}2")), format!("no 1{value}2"));
        }
    }

    /// A learned value must be distinctive and not public; of a key of several lines it is each long line.
    #[test]
    fn what_is_short_or_public_is_not_learned() {
        let address = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
        for named in ["My db password is k9-x7Qz.".to_owned(), format!("send it to {address}")] {
            assert!(!scan(&named).is_empty(), "a mask covers it: {named}");
            assert!(!SecretHashes::new([7; 32]).learn(&named), "{named}");
        }
        let pem = format!("-----BEGIN PRIVATE {0}-----\n{1}\n-----END PRIVATE {0}-----", "KEY", PEM_BODY);
        assert!(knowing(&pem).redact(format!("line 2 is {PEM_BODY}")).contains("[REDACTED:"));
    }

    const PEM_BODY: &str = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/AbguLRr1H7YAMPzlEZEyiAB";

    #[test]
    fn what_is_kept_reads_back_and_holds_no_value() {
        let value = value();
        let hashes = knowing(&format!("My db password is {value}."));
        let text = hashes.to_string();
        assert!(!text.contains("lavendel") && text.lines().count() == 2, "{text}");
        assert_eq!(SecretHashes::parse(&text), Some(hashes.clone()));
        let other_key = SecretHashes::new([8; 32]).to_string();
        let moved =
            other_key + &text.lines().nth(1).map(|line| format!("{line}\nodd line\n")).unwrap_or_default();
        let moved = SecretHashes::parse(&moved).expect("a key");
        assert_eq!(moved.redact(value.clone()), value, "with another key it says nothing");
        assert_eq!(SecretHashes::parse("no key\n"), None);
    }

    #[test]
    fn of_too_many_values_the_oldest_go() {
        let value = |at: usize| format!("lavendel-{at}-Quark");
        let named = |at: usize| format!("My db password is {}.", value(at));
        let mut hashes = SecretHashes::new([7; 32]);
        (0..=SECRET_HASHES_MAX).for_each(|at| assert!(hashes.learn(&named(at))));
        assert_eq!(hashes.redact(value(0)), value(0));
        assert!(hashes.redact(value(1)).starts_with('['));
        assert!(!hashes.learn(&named(SECRET_HASHES_MAX)), "it is known");
    }
}
