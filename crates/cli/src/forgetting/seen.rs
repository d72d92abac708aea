//! Bytes as a reader sees them, for the look: without marks of Markdown, and without signs that nobody sees.
//!
//! It says the same as the removal does, sign by sign where that has patterns, so that neither hides a fault of the
//! other; a test holds the two together. Invariant: a mark goes only where it touches a word on one side, is inside a
//! word of letters, or is followed by punctuation: two items of a list stay two.

/// What a sign that a reader does not see is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A soft hyphen, or a blank without a width.
    Invisible,
    /// A comment.
    Comment,
    /// `*` and `~~`.
    Emphasis,
    /// Any other mark.
    Mark,
}

/// `None`: there is nothing that a reader does not see.
pub(super) fn seen(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.iter().any(|byte| is_first(*byte)) {
        return None;
    }
    let mut left = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let behind = &bytes[at..];
        if behind[0] == b'>' && begins_a_line(&bytes[..at]) {
            at += behind.iter().take_while(|byte| matches!(byte, b'>' | b' ' | b'\t')).count();
            continue;
        }
        let run = run(behind);
        if run.is_empty() {
            let wrapped = wrapped(behind);
            if wrapped > 0 && is_unspaced(char_before(&left)) && is_unspaced(char_after(&behind[wrapped..])) {
                at += wrapped;
                continue;
            }
            left.push(behind[0]);
            at += 1;
            continue;
        }
        let end = run.iter().map(|(_, length)| length).sum();
        if !goes(&run, &left, &behind[end..]) {
            left.extend_from_slice(&behind[..end]);
        }
        at += end;
    }
    Some(left)
}

fn is_first(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'~' | b'`' | b'!' | b'[' | b']' | b'<' | b'>' | b'\\' | b'&' | b'\n')
        || matches!(byte, 0xC2 | 0xE2 | 0xEF)
}

/// The marks with which bytes begin, each with its length.
fn run(bytes: &[u8]) -> Vec<(Kind, usize)> {
    let mut run = Vec::new();
    let mut at = 0;
    while let Some((kind, length)) = mark(&bytes[at..]) {
        run.push((kind, length));
        at += length;
    }
    run
}

fn mark(bytes: &[u8]) -> Option<(Kind, usize)> {
    let first = *bytes.first().filter(|byte| is_first(**byte))?;
    if let Some(length) = invisible(bytes) {
        return Some((Kind::Invisible, length));
    }
    let same = bytes.iter().take_while(|byte| **byte == first).count();
    match first {
        b'*' => Some((Kind::Emphasis, same)),
        b'~' if same > 1 => Some((Kind::Emphasis, 2)),
        b'_' | b'`' => Some((Kind::Mark, same)),
        b'[' => Some((Kind::Mark, 1)),
        b'!' if bytes.get(1) == Some(&b'[') => Some((Kind::Mark, 2)),
        b']' => {
            let target = match bytes.get(1) {
                Some(b'(') => length_of(&bytes[1..], b')', b"(\n"),
                Some(b'[') => length_of(&bytes[1..], b']', b"\n"),
                _ => None,
            };
            Some((Kind::Mark, 1 + target.unwrap_or_default()))
        }
        b'<' if bytes.starts_with(b"<!--") => {
            let inside = bytes[4..].iter().position(|byte| matches!(byte, b'<' | b'>'))?;
            let end = 4 + inside;
            (inside >= 2 && bytes[..end].ends_with(b"--") && bytes[end] == b'>')
                .then_some((Kind::Comment, end + 1))
        }
        b'<' => {
            let name = bytes.get(if bytes.get(1) == Some(&b'/') { 2 } else { 1 });
            name.filter(|byte| byte.is_ascii_alphabetic())?;
            length_of(bytes, b'>', b"<\n").map(|length| (Kind::Mark, length))
        }
        b'\\' => bytes.get(1).filter(|byte| b"*_~[]`".contains(byte)).map(|_| (Kind::Mark, 2)),
        _ => None,
    }
}

/// The length of what begins with one byte and ends with `until`, before any of `not`.
fn length_of(bytes: &[u8], until: u8, not: &[u8]) -> Option<usize> {
    let end = bytes[1..].iter().position(|byte| *byte == until || not.contains(byte))? + 1;
    (bytes[end] == until).then_some(end + 1)
}

fn invisible(bytes: &[u8]) -> Option<usize> {
    const PLAIN: [&str; 6] = ["\u{ad}", "\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}"];
    const WRITTEN: [&str; 12] = [
        r"\u00ad",
        r"\u200b",
        r"\u200c",
        r"\u200d",
        r"\u2060",
        r"\ufeff",
        "&shy;",
        "&zwj;",
        "&zwnj;",
        "&zerowidthspace;",
        "&#173;",
        "&#8203;",
    ];
    let is_written =
        |way: &&&str| bytes.get(..way.len()).is_some_and(|start| start.eq_ignore_ascii_case(way.as_bytes()));
    let plain = PLAIN.iter().find(|sign| bytes.starts_with(sign.as_bytes()));
    plain.or_else(|| WRITTEN.iter().find(is_written)).map(|way| way.len())
}

/// Whether a run between `before` and `behind` is not seen.
fn goes(run: &[(Kind, usize)], before: &[u8], behind: &[u8]) -> bool {
    let only = |kinds: &[Kind]| run.iter().all(|(kind, _)| kinds.contains(kind));
    if only(&[Kind::Invisible]) {
        return true;
    }
    let (left, right) = (char_before(before), char_after(behind));
    let begins = left.is_none_or(char::is_whitespace) || ends_with_written_blank(before);
    let ends = right.is_none_or(char::is_whitespace) || begins_with_written_blank(behind);
    if begins || ends {
        return !(begins && ends) || only(&[Kind::Comment, Kind::Invisible]);
    }
    if is_unspaced(left) && is_unspaced(right) {
        return true;
    }
    let both = |kind: fn(char) -> bool| left.is_some_and(kind) && right.is_some_and(kind);
    if both(char::is_alphabetic) {
        return only(&[Kind::Emphasis, Kind::Invisible]);
    }
    !both(char::is_alphanumeric)
}

fn begins_with_written_blank(bytes: &[u8]) -> bool {
    [r"\n", r"\r", r"\t", "\\\n", "&nbsp;", "&#160;"].iter().any(|way| bytes.starts_with(way.as_bytes()))
}

fn ends_with_written_blank(bytes: &[u8]) -> bool {
    let Some((last, before)) = bytes.split_last() else { return false };
    let slashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
    b"nrtbf".contains(last) && slashes % 2 == 1
}

/// Whether only blanks stand between the end of a line, as it is or in JSON, and the end of `bytes`.
fn begins_a_line(bytes: &[u8]) -> bool {
    let blank = bytes.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let before = &bytes[..bytes.len() - blank];
    before.ends_with(b"\n") || before.ends_with(br"\n")
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The length of the end of a line and the blanks around it.
fn wrapped(bytes: &[u8]) -> usize {
    let first = blanks(bytes);
    let ends = ["\r\n", "\n", r"\n"];
    let end = ends.iter().find(|end| bytes[first..].starts_with(end.as_bytes()));
    end.map_or(0, |end| first + end.len() + blanks(&bytes[first + end.len()..]))
}

/// A letter of a script that puts no blanks between words: Thai to Khmer, kana, and Han.
fn is_unspaced(c: Option<char>) -> bool {
    c.is_some_and(|c| {
        c.is_alphanumeric()
            && matches!(u32::from(c),
                0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3005..=0x30FF | 0x3100..=0x312F
                | 0x31A0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F
                | 0x20000..=0x3FFFF)
    })
}

fn char_before(bytes: &[u8]) -> Option<char> {
    let start = (1..=4.min(bytes.len())).find(|back| bytes[bytes.len() - back] & 0xC0 != 0x80)?;
    std::str::from_utf8(&bytes[bytes.len() - start..]).ok()?.chars().next()
}

fn char_after(bytes: &[u8]) -> Option<char> {
    let first = bytes[..4.min(bytes.len())].utf8_chunks().next()?;
    first.valid().chars().next()
}

#[cfg(test)]
mod tests {
    use inwit_engine::forget::Wording;
    use proptest::prelude::*;

    use super::super::needle::Needle;
    use super::*;

    #[test]
    fn a_reader_sees_no_marks() {
        let see = |text: &str| seen(text.as_bytes()).map(|left| String::from_utf8(left).expect("text"));
        assert_eq!(see("plain words"), None);
        for (text, left) in [
            ("**blue** [fal\u{ad}con](https://x.example) `7x`", "blue falcon 7x"),
            ("> blue\n> > falcon", "> blue\nfalcon"),
            ("* blue\n* falcon <!-- x -->", "* blue\n* falcon "),
            ("a_b 5*4 2 * 3", "a_b 5*4 2 * 3"),
            ("春[眠](x)\n不", "春眠不"),
        ] {
            assert_eq!(see(text).as_deref(), Some(left), "{text}");
        }
    }

    /// What may stand around words, in them and between them.
    fn gap() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "",
            " ",
            " ",
            " ",
            "\n",
            "\\n",
            "\r\n",
            "\t",
            "*",
            "**",
            "_",
            "~~",
            "`",
            "[",
            "]",
            "](x y)",
            "][r]",
            "![",
            "<b>",
            "</b>",
            "<",
            ">",
            "> ",
            "\n> ",
            "<!-- c -->",
            "\u{ad}",
            "\\u00ad",
            "&shy;",
            "&nbsp;",
            "\u{200b}",
            "\\*",
            "\\",
            ".",
            "-",
            "\u{2011}",
            "\\-",
            "\u{2019}",
            "\\'",
            "春",
            "é",
            "a",
            "7",
        ]);
        prop::collection::vec(pieces, 0..5).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// What the removal leaves, the look does not find; what one finds, the other does too.
        #[test]
        fn the_look_and_the_removal_see_the_same(
            around in gap(),
            between in gap(),
            within in gap(),
            (text, words) in prop::sample::select(vec![
                ("blue falcon", ["blue", "fal", "con"]),
                ("blue falcon 7x", ["blue", "falcon", "7x"]),
                ("falcon", ["fal", "c", "on"]),
                ("春眠 blue", ["春", "眠", "blue"]),
                ("blue-falcon.", ["blue", "-falcon", "."]),
                ("4711 is it", ["47", "11 is", "it"]),
                ("Ana's forty-two", ["Ana\u{2019}s", "forty", "\\-two"]),
                ("Ana\\'s forty\u{2013}two", ["Ana", "'s", " forty-two"]),
            ]),
        ) {
            let [first, second, third] = words;
            let stood = format!("{around}{first}{between}{second}{within}{third}{around}");
            let wording = Wording::of([text.to_owned()]).expect("a wording");
            let needle = Needle::of(text).expect("a needle");
            prop_assert_eq!(wording.stands_in(stood.as_bytes()), needle.found_in(stood.as_bytes()).is_some(), "{:?}", stood);
            if let Some(left) = wording.without(stood.as_bytes()) {
                prop_assert_eq!(needle.found_in(&left), None, "{:?} of {:?}", String::from_utf8_lossy(&left), stood);
            }
        }
    }
}
