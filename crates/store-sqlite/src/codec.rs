//! How posting lists and columns lie in a blob.
//!
//! A list is `(gap, count)` pairs: the gap to the ordinal before as a LEB128 varint, the count as one
//! byte. Columns are three little-endian `u32` arrays behind each other: lengths, sections, labels.
//! A blob that does not decode means a damaged file, never a panic.

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

/// Writes three columns of equal length.
pub fn encode_columns(lengths: &[u32], sections: &[u32], labels: &[u32]) -> Vec<u8> {
    [lengths, sections, labels]
        .iter()
        .flat_map(|column| column.iter().flat_map(|value| value.to_le_bytes()))
        .collect()
}

/// Reads the three columns of `docs` passages.
pub fn decode_columns(blob: &[u8], docs: usize) -> Option<[Vec<u32>; 3]> {
    if blob.len() != docs * 12 {
        return None;
    }
    let column = |at: usize| {
        let part = &blob[at * docs * 4..(at + 1) * docs * 4];
        part.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
    };
    Some([column(0), column(1), column(2)])
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
        assert!(decode_columns(&[0; 13], 1).is_none());
    }
}
