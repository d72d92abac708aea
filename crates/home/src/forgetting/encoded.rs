//! Decodes base64, hexadecimal, percent-encoding and quoted-printable in bytes, so that the decoded text can be
//! searched.
//!
//! The encoded form of a text depends on its alignment, its case and inserted line ends. So every long enough run of
//! digits is decoded at every alignment: base64 in both alphabets at four offsets, hexadecimal at two. Line ends
//! inside a run are skipped, plain and in JSON, with blanks after them; between hexadecimal digits also single
//! blanks, colons and commas. Percent-encoding is decoded in each run without blanks that has an escape or a `?` or
//! `&`, with plus as blank; quoted-printable in the whole text, across soft line breaks. Decoded text is decoded
//! again, up to [`FORGET_ENCODINGS_MAX`] levels. Invariants: the work is linear in the bytes; two runs never join in
//! a decoded text.

use inwit_model::limit::FORGET_ENCODINGS_MAX;

/// A binary-to-text encoding.
struct Encoding {
    /// Its name in answers.
    name: &'static str,
    /// Bits per digit.
    bits: u32,
    /// Digits per aligned group.
    group: usize,
    /// Value of each byte; [`NONE`] if it is not a digit.
    values: [u8; 256],
    /// Symbols allowed singly between two digits.
    between: &'static [u8],
}

/// Not a digit; also separates two runs.
const NONE: u8 = 0xff;

/// Separates two decoded runs; not a blank, so that no match spans it.
const APART: u8 = 0;

/// Index of hexadecimal in [`ENCODINGS`].
const HEX: usize = 1;

static ENCODINGS: [Encoding; 2] = [
    Encoding { name: "as base64", bits: 6, group: 4, values: base64_values(), between: b"" },
    Encoding { name: "as hexadecimal", bits: 4, group: 2, values: hex_values(), between: b" :," },
];

const fn base64_values() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < 26 {
        values[b'A' as usize + at] = at as u8;
        values[b'a' as usize + at] = 26 + at as u8;
        at += 1;
    }
    let mut at = 0;
    while at < 10 {
        values[b'0' as usize + at] = 52 + at as u8;
        at += 1;
    }
    values[b'+' as usize] = 62;
    values[b'-' as usize] = 62;
    values[b'/' as usize] = 63;
    values[b'_' as usize] = 63;
    values
}

const fn hex_values() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < 10 {
        values[b'0' as usize + at] = at as u8;
        at += 1;
    }
    let mut at = 0;
    while at < 6 {
        values[b'a' as usize + at] = 10 + at as u8;
        values[b'A' as usize + at] = 10 + at as u8;
        at += 1;
    }
    values
}

/// The first encoding in which `is_found` matches in `bytes`. `least`: fewest bytes of a match; shorter runs are not
/// decoded.
pub fn found_in(bytes: &[u8], least: usize, is_found: &dyn Fn(&[u8]) -> bool) -> Option<&'static str> {
    within(bytes, least, FORGET_ENCODINGS_MAX, is_found)
}

fn within(bytes: &[u8], least: usize, deep: usize, is_found: &dyn Fn(&[u8]) -> bool) -> Option<&'static str> {
    for encoding in &ENCODINGS {
        let digits = encoding.digits_in(bytes, least);
        if digits.is_empty() {
            continue;
        }
        for first in 0..encoding.group {
            let decoded = encoding.decoded(&digits, first);
            if is_found(&decoded) || deep > 1 && within(&decoded, least, deep - 1, is_found).is_some() {
                return Some(encoding.name);
            }
        }
    }
    let addresses = addresses(bytes);
    let is_there = |bytes: &[u8]| {
        !bytes.is_empty()
            && (is_found(bytes) || deep > 1 && within(bytes, least, deep - 1, is_found).is_some())
    };
    if is_there(&addresses) {
        return Some("as percent-encoding");
    }
    mail(bytes).is_some_and(|read| is_found(&read)).then_some("as quoted-printable")
}

/// The byte of two hexadecimal digits after a symbol at `at`.
fn escaped(bytes: &[u8], at: usize) -> Option<u8> {
    let [one, two] = *bytes.get(at + 1..at + 3)? else { return None };
    let [one, two] = [one, two].map(|digit| ENCODINGS[HEX].value(digit));
    (one != NONE && two != NONE).then_some(one << 4 | two)
}

/// Decoded percent-encoded runs, with [`APART`] after each.
fn addresses(bytes: &[u8]) -> Vec<u8> {
    let mut read = Vec::new();
    for run in bytes.split(|byte| *byte <= b' ' || *byte == 0x7f) {
        let is_form = run.contains(&b'+') && run.iter().any(|byte| matches!(byte, b'?' | b'&'));
        if !is_form && !(0..run.len()).any(|at| run[at] == b'%' && escaped(run, at).is_some()) {
            continue;
        }
        let mut at = 0;
        while at < run.len() {
            let byte = escaped(run, at).filter(|_| run[at] == b'%');
            read.push(byte.unwrap_or(if run[at] == b'+' { b' ' } else { run[at] }));
            at += if byte.is_some() { 3 } else { 1 };
        }
        read.push(APART);
    }
    read
}

/// Bytes with quoted-printable decoded; `None` if there is none.
fn mail(bytes: &[u8]) -> Option<Vec<u8>> {
    let soft = |at: usize| {
        let ends: [&[u8]; 4] = [b"\r\n", b"\n", br"\r\n", br"\n"];
        ends.into_iter().find(|end| bytes[at + 1..].starts_with(end)).map(|end| 1 + end.len())
    };
    let (mut read, mut done) = (Vec::new(), 0);
    for at in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'=').map(|(at, _)| at) {
        let (byte, length) = match (escaped(bytes, at), soft(at)) {
            (Some(byte), _) => (Some(byte), 3),
            (None, Some(length)) => (None, length),
            (None, None) => continue,
        };
        read.extend_from_slice(&bytes[done..at]);
        read.extend(byte);
        done = at + length;
    }
    (done > 0).then(|| [read.as_slice(), &bytes[done..]].concat())
}

impl Encoding {
    /// The digits of each long enough run, with [`NONE`] after each.
    fn digits_in(&self, bytes: &[u8], least: usize) -> Vec<u8> {
        let fewest = (least * 8).div_ceil(self.bits as usize);
        let (mut digits, mut at) = (Vec::new(), 0);
        while let Some(skipped) = bytes[at..].iter().position(|byte| self.value(*byte) != NONE) {
            let begins = digits.len();
            at += skipped;
            loop {
                let more = bytes[at..].iter().position(|byte| self.value(*byte) == NONE);
                let end = more.map_or(bytes.len(), |more| at + more);
                let next = self.goes_on(bytes, end);
                // Most runs are short words, which are not copied.
                if next.is_none() && digits.len() - begins + (end - at) < fewest {
                    digits.truncate(begins);
                    at = end;
                    break;
                }
                digits.extend(bytes[at..end].iter().map(|byte| self.value(*byte)));
                let Some(next) = next else {
                    digits.push(NONE);
                    at = end;
                    break;
                };
                at = next;
            }
        }
        digits
    }

    fn value(&self, byte: u8) -> u8 {
        self.values[usize::from(byte)]
    }

    /// Where a run continues after a non-digit at `at`; `None` if it ends.
    fn goes_on(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let behind =
            |at: usize, signs: &[u8]| at + bytes[at..].iter().take_while(|byte| signs.contains(byte)).count();
        match bytes.get(at)? {
            b'\r' | b'\n' => Some(behind(at, b" \t\r\n")),
            b'\\' => {
                let escaped = behind(at, b"\\");
                // JSON writes a line end as a letter, and may escape `/`.
                match bytes.get(escaped)? {
                    b'n' | b'r' => Some(behind(escaped + 1, b" \t")),
                    b'/' | b'\r' | b'\n' => Some(escaped),
                    _ => None,
                }
            }
            sign if self.between.contains(sign) => {
                bytes.get(at + 1).filter(|byte| self.value(**byte) != NONE).map(|_| at + 1)
            }
            _ => None,
        }
    }

    /// The decoded bytes of runs whose groups start at the digit `first`, with [`APART`] after each.
    fn decoded(&self, digits: &[u8], first: usize) -> Vec<u8> {
        let mut decoded = Vec::with_capacity(digits.len() * self.bits as usize / 8 + 1);
        for run in digits.split(|digit| *digit == NONE) {
            let groups = run.get(first..).unwrap_or_default().chunks_exact(self.group);
            let last = groups.remainder();
            for group in groups {
                match *group {
                    [one, two, three, four] => {
                        decoded.extend([one << 2 | two >> 4, two << 4 | three >> 2, three << 6 | four])
                    }
                    [one, two] => decoded.push(one << 4 | two),
                    _ => {}
                }
            }
            // A base64 group of two digits is a byte, of three two bytes.
            match *last {
                [one, two] => decoded.push(one << 2 | two >> 4),
                [one, two, three] => decoded.extend([one << 2 | two >> 4, two << 4 | three >> 2]),
                _ => {}
            }
            decoded.push(APART);
        }
        decoded
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn finds(bytes: &[u8]) -> Option<&'static str> {
        let sought = b"figs and rye";
        found_in(bytes, sought.len(), &|bytes| bytes.windows(sought.len()).any(|window| window == sought))
    }

    #[test]
    fn a_run_is_decoded_wherever_its_bytes_begin() {
        for around in ["", "a", "ab", "abc"] {
            let text = STANDARD.encode(format!("{around}figs and rye{around}"));
            for before in ["", "x", "xy", "xyz", "= "] {
                assert_eq!(finds(format!("{before}{text}").as_bytes()), Some("as base64"), "{before}{text}");
            }
        }
        let hex: String = b"figs and rye".iter().map(|byte| format!("{byte:02X}")).collect();
        for before in ["", "0", "0x", "\\x"] {
            assert_eq!(finds(format!("{before}{hex}").as_bytes()), Some("as hexadecimal"), "{before}{hex}");
        }
    }

    #[test]
    fn escapes_of_mail_and_of_addresses_are_read() {
        for stood in [
            "figs%20and%20rye", "?q=figs+and+rye", "%66%69%67%73+and%20rye",
            "https://a.b/x?q=f%69gs%20and+rye",
        ] {
            assert_eq!(finds(stood.as_bytes()), Some("as percent-encoding"), "{stood}");
        }
        for stood in ["figs=20and=20rye", "fi=\ngs and =\r\nrye", "=66=69=67=73 and r=79e"] {
            assert_eq!(finds(stood.as_bytes()), Some("as quoted-printable"), "{stood}");
        }
        assert_eq!(finds(STANDARD.encode("figs%20and%20rye").as_bytes()), Some("as base64"));
        assert_eq!(finds("figs%2520and%2520rye".as_bytes()), Some("as percent-encoding"), "twice");
        for other in ["figs%21and rye", "figs=zzand rye", "100% of figs = rye", "a+b=c%"] {
            assert_eq!(finds(other.as_bytes()), None, "{other}");
        }
    }

    /// Two separate halves are not a match.
    #[test]
    fn two_runs_never_meet() {
        let halves = ["xxxxfigs", " and ryexxxx"].map(|half| STANDARD.encode(half));
        let apart = halves.join("= ");
        assert_eq!(
            found_in(apart.as_bytes(), 4, &|bytes| {
                bytes.windows(12).any(|window| window == b"figs and rye")
            }),
            None,
            "{apart}"
        );
    }

    #[test]
    fn what_is_encoded_again_is_decoded_again_and_no_deeper_than_its_limit() {
        let mut text = "figs and rye".to_owned();
        for _ in 0..FORGET_ENCODINGS_MAX {
            text = STANDARD.encode(text);
            assert_eq!(finds(text.as_bytes()), Some("as base64"), "{text}");
        }
        assert_eq!(finds(STANDARD.encode(text).as_bytes()), None);
    }
}
