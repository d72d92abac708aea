//! The speaker or name of an entry: `Ada` in `- **Ada:** likes rye`.
//!
//! Labels are a separate field in recall, so they must be reliable: a label begins with a letter, has a few words
//! without sentence punctuation, and ends in a colon followed by a blank. That excludes URLs, times and most
//! sentences with a colon.

use std::ops::Range;

use crate::limit::{LABEL_CHARS_MAX, LABEL_WORDS_MAX};

/// The label of an entry's text, as bytes of it. `marked`: the text begins with a list marker.
pub(crate) fn label(text: &str, marked: bool) -> Option<Range<usize>> {
    let mut rest = if marked { after_marker(text) } else { text };
    // A checkbox, an id and a time may all stand before the name.
    for _ in 0..3 {
        rest = after_prefix(rest);
    }
    let open = ["**", "__", "*", "_"].into_iter().find(|open| rest.starts_with(open)).unwrap_or("");
    let name = &rest[open.len()..];
    let length = name_length(name)?;
    let tail = &name[length..];
    let after = tail.strip_prefix(open).unwrap_or(tail);
    let ends = match after.strip_prefix(':') {
        Some(after) => {
            let after = after.strip_prefix(open).unwrap_or(after);
            after.is_empty() || after.starts_with(char::is_whitespace)
        }
        None => after.starts_with('：'),
    };
    let start = text.len() - name.len();
    ends.then_some(start..start + length)
}

/// The length in bytes of what can be a name, up to the first character that cannot.
fn name_length(text: &str) -> Option<usize> {
    text.chars().next().filter(|first| first.is_alphabetic())?;
    let belongs = |letter: char| letter.is_alphanumeric() || " '’-_&@#+()".contains(letter);
    let mut length = 0;
    for (count, letter) in text.chars().enumerate() {
        // `_` and `*` close an emphasis when the colon is next.
        if !belongs(letter) || matches!(&text.as_bytes()[length..], [b'_', b':', ..] | [b'_', b'_', b':', ..])
        {
            break;
        }
        if count == LABEL_CHARS_MAX {
            return None;
        }
        length += letter.len_utf8();
    }
    let name = text[..length].trim_end();
    (name.split_whitespace().count() <= LABEL_WORDS_MAX && name.len() == length).then_some(length)
}

/// The text after `-`, `*`, `+`, `1.` or `1)` and blanks.
fn after_marker(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(digits + 1..).unwrap_or("").trim_start()
}

/// The text after one `[x]`, `[D1:3]`, `[14:03]`, `14:03` or `14:03:59`, and blanks.
fn after_prefix(text: &str) -> &str {
    let length = match text.strip_prefix('[') {
        Some(inside) => inside.bytes().take(LABEL_CHARS_MAX).position(|byte| byte == b']').map(|at| at + 2),
        None => Some(text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b':').count()),
    };
    let Some((prefix, rest)) = length.and_then(|length| text.split_at_checked(length)) else { return text };
    let is_prefix = if prefix.starts_with('[') { !prefix.contains('\n') } else { is_time(prefix) };
    match rest.strip_prefix([' ', '\t']) {
        Some(rest) if is_prefix => rest.trim_start_matches([' ', '\t']),
        _ => text,
    }
}

fn is_time(text: &str) -> bool {
    let mut parts = text.split(':');
    let hour = parts.next().is_some_and(|part| matches!(part.len(), 1 | 2));
    let rest: Vec<&str> = parts.collect();
    hour && matches!(rest.len(), 1 | 2) && rest.iter().all(|part| part.len() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Option<&str> {
        let marked = ["- ", "* ", "1. "].iter().any(|marker| text.starts_with(marker)) || text == "-";
        label(text, marked).map(|span| &text[span])
    }

    #[test]
    fn every_form_of_name_is_found() {
        for text in [
            "- Ada: rye", "* Ada: rye", "1. Ada: rye", "- **Ada:** rye", "**Ada:** rye", "**Ada**: rye",
            "__Ada:__ rye", "__Ada__: rye", "_Ada_: rye", "*Ada:* rye", "Ada: rye", "Ada:", "Ada:\nrye",
            "- [D1:3] Ada: rye", "- [x] Ada: rye", "- [ ] Ada: rye", "- 14:03 Ada: rye",
            "- [14:03] Ada: rye", "- [x] [D1:3] 9:05:00 **Ada:** rye", "Ada：rye", "-   Ada: rye",
            "**Ada: all bold**",
        ] {
            assert_eq!(named(text), Some("Ada"), "{text}");
        }
        assert_eq!(named("- Jean-Luc O'Neil van Dyk: hi"), Some("Jean-Luc O'Neil van Dyk"));
        assert_eq!(named("小明：你好"), Some("小明"));
        assert_eq!(named("my_name: x"), Some("my_name"));
    }

    #[test]
    fn sentences_urls_and_times_are_no_names() {
        for text in [
            "https://example.org", "- https: //x", "- 14:03 rye", "- 14:03", "Ada. Bob: x", "Ada:rye",
            "one two three four five: x", "a, b: c", "- [link](url) text", "[a]: b", "", "-", "Ada :x",
            "**Ada**", "1:", ": a", "- [x]", "[", "- - Ada: x",
        ] {
            let expected = (text == "- https: //x").then_some("https");
            assert_eq!(named(text), expected, "{text}");
        }
        assert_eq!(named(&format!("{}: x", "a".repeat(41))), None);
        assert_eq!(named(&format!("{}: x", "a".repeat(40))).map(str::len), Some(40));
    }
}
