//! Encoding of posting lists and columns in blobs.
//!
//! Every blob begins with a four-byte checksum, since SQLite has none: a flipped bit is damage, not a wrong answer. A
//! list is `(gap, count)` pairs: the gap to the previous ordinal as a LEB128 varint, the count as one byte. Columns
//! are consecutive little-endian `u32` arrays. A blob that does not decode means a damaged file, never a panic.

use inwit_model::Sha256;
use inwit_store::{NamedSecret, StoredPassage, TextKey, Traits};
use jiff::civil::Date;

/// Puts the checksum of a blob and of the `key` it lies under in front of it: a row that was moved under
/// another key does not open.
pub fn seal(key: &str, bytes: &[u8]) -> Vec<u8> {
    let mut sealed = Vec::with_capacity(bytes.len() + 4);
    sealed.extend_from_slice(&checksum(key, bytes).to_le_bytes());
    sealed.extend_from_slice(bytes);
    sealed
}

/// Takes the checksum off; `None` when it does not fit.
pub fn open_sealed<'s>(key: &str, sealed: &'s [u8]) -> Option<&'s [u8]> {
    let (sum, bytes) = sealed.split_first_chunk::<4>()?;
    (u32::from_le_bytes(*sum) == checksum(key, bytes)).then_some(bytes)
}

/// FNV-1a, enough against flipped bits and torn pages.
fn checksum(key: &str, bytes: &[u8]) -> u32 {
    key.as_bytes()
        .iter()
        .chain(bytes)
        .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// Appends one posting; `last` is the ordinal before, or `None` at the start.
pub fn push_posting(list: &mut Vec<u8>, last: Option<u32>, ordinal: u32, count: u32) {
    let mut gap = match last {
        Some(last) => ordinal - last,
        None => ordinal,
    };
    while gap >= 0x80 {
        list.push((gap as u8) | 0x80);
        gap >>= 7;
    }
    list.push(gap as u8);
    list.push(count.min(255) as u8);
}

/// Walks a list; `None` stands once at the end of a damaged one.
pub fn postings(list: &[u8]) -> Postings<'_> {
    Postings { list, ordinal: 0, started: false }
}

/// See [`postings`].
pub struct Postings<'l> {
    list: &'l [u8],
    ordinal: u32,
    started: bool,
}

impl Iterator for Postings<'_> {
    type Item = Option<(u32, u32)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.list.is_empty() {
            return None;
        }
        let posting = self.decode();
        if posting.is_none() {
            self.list = &[];
        }
        Some(posting)
    }
}

impl Postings<'_> {
    fn decode(&mut self) -> Option<(u32, u32)> {
        let mut gap = 0u32;
        let mut shift = 0;
        loop {
            let (&byte, rest) = self.list.split_first()?;
            self.list = rest;
            gap |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
        }
        let (&count, rest) = self.list.split_first()?;
        self.list = rest;
        self.ordinal = if self.started { self.ordinal.checked_add(gap)? } else { gap };
        self.started = true;
        Some((self.ordinal, u32::from(count)))
    }
}

/// The sum of what belongs together in a row: a flipped bit in one of them is damage.
pub fn sum(parts: &[&[u8]]) -> i64 {
    // The length stands before each part, so that no part can borrow from the next.
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = parts.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, part| {
        part.iter().fold((part.len() as u64).to_le_bytes().iter().fold(hash, fold), fold)
    });
    sum as i64
}

/// The sum of a file's row.
pub fn file_sum(name: &str, sha256: &[u8], clean_by: u64, count: u32, secrets: &str) -> i64 {
    let (clean_by, count) = (clean_by.to_le_bytes(), count.to_le_bytes());
    sum(&[name.as_bytes(), sha256, &clean_by, &count, secrets.as_bytes()])
}

/// Secrets as text: class, line, voucher and value of each, one a line.
pub fn encode_secrets(secrets: &[NamedSecret]) -> String {
    let line = |secret: &NamedSecret| {
        let NamedSecret { class, line, voucher, value } = secret;
        format!("{class}\t{line}\t{voucher}\t{value}\n")
    };
    secrets.iter().map(line).collect()
}

/// What [`encode_secrets`] made; `None` for any other text.
pub fn decode_secrets(text: &str) -> Option<Vec<NamedSecret>> {
    let secret = |line: &str| {
        let mut parts = line.splitn(4, '\t');
        let (class, line, voucher) = (parts.next()?, parts.next()?, parts.next()?);
        Some(NamedSecret {
            class: class.to_owned(),
            line: line.parse().ok()?,
            voucher: Sha256::parse(voucher)?,
            value: parts.next()?.to_owned(),
        })
    };
    text.split_terminator('\n').map(secret).collect()
}

/// The sum of a passage's row.
pub fn passage_sum(passage: &StoredPassage) -> i64 {
    let lines = [passage.first_line, passage.last_line].map(u32::to_le_bytes);
    sum(&[&lines[0], &lines[1], passage.heading.as_bytes(), passage.text.as_bytes()])
}

/// What a term is known by in a segment: FNV-1a of 64 bits, enough that no two terms of a segment meet.
pub fn fingerprint(term: &str) -> u64 {
    term.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Fingerprints lie under no term.
const TERMS_KEY: &str = "#terms";

/// The fingerprints of `terms`, ascending, sealed.
pub fn encode_terms<'t>(terms: impl Iterator<Item = &'t String>) -> Vec<u8> {
    let mut prints: Vec<u64> = terms.map(|term| fingerprint(term)).collect();
    prints.sort_unstable();
    let bytes: Vec<u8> = prints.iter().flat_map(|print| print.to_le_bytes()).collect();
    seal(TERMS_KEY, &bytes)
}

/// Reads fingerprints; `None` where the blob is damaged.
pub fn decode_terms(blob: &[u8]) -> Option<Vec<u64>> {
    let bytes = open_sealed(TERMS_KEY, blob)?;
    let (prints, rest) = bytes.as_chunks::<8>();
    rest.is_empty().then(|| prints.iter().map(|print| u64::from_le_bytes(*print)).collect())
}

/// The columns of one segment, a value for each passage.
#[derive(Debug, Default, PartialEq)]
pub struct Columns {
    /// Terms, repetitions counted.
    pub lengths: Vec<u32>,
    /// Section within the file.
    pub sections: Vec<u32>,
    /// Label number of the segment plus one, or 0.
    pub labels: Vec<u32>,
    /// Bit 0: asks; bit 1: names a time; bits 2 to 5: importance; bits 6 to 9: how related to the
    /// passage before; bit 10: continues its entry.
    pub traits: Vec<u32>,
    /// Days since 1970-01-01 plus [`DAY_ZERO`], or 0 where no day is known.
    pub days: Vec<u32>,
    /// Upper halves of the keys of texts.
    pub keys_high: Vec<u32>,
    /// Lower halves.
    pub keys_low: Vec<u32>,
}

/// Columns lie under no term.
const COLUMNS_KEY: &str = "";

/// Keeps every day of the calendar above 0.
const DAY_ZERO: i64 = 1 << 30;

impl Columns {
    const COUNT: usize = 7;

    fn all(&self) -> [&Vec<u32>; Self::COUNT] {
        [
            &self.lengths, &self.sections, &self.labels, &self.traits, &self.days, &self.keys_high,
            &self.keys_low,
        ]
    }

    /// The columns behind each other, little-endian.
    pub fn encode(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self
            .all()
            .iter()
            .flat_map(|column| column.iter().flat_map(|value| value.to_le_bytes()))
            .collect();
        seal(COLUMNS_KEY, &bytes)
    }

    /// Reads the columns of `docs` passages; `None` when the blob has another size.
    pub fn decode(blob: &[u8], docs: usize) -> Option<Self> {
        let blob = open_sealed(COLUMNS_KEY, blob)?;
        if docs.checked_mul(Self::COUNT * 4) != Some(blob.len()) {
            return None;
        }
        let column = |at: usize| {
            let part = &blob[at * docs * 4..(at + 1) * docs * 4];
            part.chunks_exact(4)
                .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
                .collect()
        };
        Some(Self {
            lengths: column(0),
            sections: column(1),
            labels: column(2),
            traits: column(3),
            days: column(4),
            keys_high: column(5),
            keys_low: column(6),
        })
    }
}

impl Columns {
    /// The key of passage `at`.
    pub fn key(&self, at: usize) -> TextKey {
        TextKey(u64::from(self.keys_high[at]) << 32 | u64::from(self.keys_low[at]))
    }

    /// Appends a key.
    pub fn push_key(&mut self, key: TextKey) {
        self.keys_high.push((key.0 >> 32) as u32);
        self.keys_low.push(key.0 as u32);
    }
}

/// Traits as bits.
pub fn traits_bits(traits: Traits) -> u32 {
    let importance = u32::from(traits.importance.unwrap_or(0));
    u32::from(traits.asks)
        | u32::from(traits.tells_time) << 1
        | importance << 2
        | u32::from(traits.related) << 6
        | u32::from(traits.continues_entry) << 10
}

/// Bits as traits.
pub fn bits_traits(bits: u32) -> Traits {
    let importance = u8::try_from(bits >> 2 & 15).ok().filter(|importance| *importance > 0);
    let related = u8::try_from(bits >> 6 & u32::from(Traits::RELATED_MOST)).unwrap_or_default();
    let continues_entry = bits >> 10 & 1 != 0;
    Traits { asks: bits & 1 != 0, tells_time: bits & 2 != 0, importance, related, continues_entry }
}

/// A day as a number that is never 0 unless there is no day.
pub fn day_number(date: Option<Date>) -> u32 {
    let epoch = jiff::civil::date(1970, 1, 1);
    let days = date.and_then(|date| epoch.until(date).ok()).map(|span| i64::from(span.get_days()));
    days.and_then(|days| u32::try_from(days + DAY_ZERO).ok()).unwrap_or(0)
}

/// The day behind a number.
pub fn number_day(number: u32) -> Option<Date> {
    let days = (number != 0).then(|| i64::from(number) - DAY_ZERO)?;
    let span = jiff::Span::new().try_days(days).ok()?;
    jiff::civil::date(1970, 1, 1).checked_add(span).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_back_as_they_were_written() {
        let written = [(0, 1), (1, 2), (130, 300), (131, 1), (20_000_000, 7)];
        let mut list = Vec::new();
        let mut last = None;
        for (ordinal, count) in written {
            push_posting(&mut list, last, ordinal, count);
            last = Some(ordinal);
        }
        let read: Vec<_> = postings(&list).map(|posting| posting.expect("whole")).collect();
        assert_eq!(read, [(0, 1), (1, 2), (130, 255), (131, 1), (20_000_000, 7)]);
    }

    #[test]
    fn a_damaged_list_ends_with_a_mark_and_does_not_panic() {
        for bad in [&[0x80][..], &[0x05], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1]] {
            assert_eq!(postings(bad).last(), Some(None), "{bad:?}");
        }
        assert!(Columns::decode(&[0; 21], 1).is_none());
    }

    #[test]
    fn a_flipped_bit_breaks_the_seal() {
        let sealed = seal("key", b"bread");
        assert_eq!(open_sealed("key", &sealed), Some(&b"bread"[..]));
        assert_eq!(open_sealed("other", &sealed), None);
        for at in 0..sealed.len() * 8 {
            let mut flipped = sealed.clone();
            flipped[at / 8] ^= 1 << (at % 8);
            assert_eq!(open_sealed("key", &flipped), None, "bit {at}");
        }
    }

    #[test]
    fn every_day_of_the_calendar_comes_back() {
        for day in [jiff::civil::date(1970, 1, 1), jiff::civil::date(1, 1, 1), Date::MAX, Date::MIN] {
            assert_eq!(number_day(day_number(Some(day))), Some(day));
        }
        assert_eq!(number_day(day_number(None)), None);
    }
}
