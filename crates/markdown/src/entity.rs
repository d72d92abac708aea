//! HTML character references in Markdown: `&eacute;`, `&#98;`, `&#x62;`.
//!
//! The parser's table of names is used. Invariant: an unknown reference is text.

use pulldown_cmark::{Event, Options, Parser};

/// Most bytes of a reference: the longest name of HTML has 31 letters.
const REFERENCE_BYTES_MAX: usize = 34;

/// The reference that `bytes` begin with: what it stands for, and how many bytes it has. `None`: they begin with none.
pub fn reference(bytes: &[u8]) -> Option<(String, usize)> {
    bytes.first().filter(|first| **first == b'&')?;
    let end = bytes.iter().take(REFERENCE_BYTES_MAX).position(|byte| *byte == b';')? + 1;
    let named = &bytes[..end];
    let is_one = named[1..end - 1].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#');
    let named = std::str::from_utf8(named).ok().filter(|_| is_one)?;
    // Behind a letter it begins no block, whatever it stands for.
    let line = format!("x{named}");
    let said: String = Parser::new_ext(&line, Options::empty())
        .filter_map(|event| match event {
            Event::Text(text) => Some(text.into_string()),
            _ => None,
        })
        .collect();
    let stands_for = said.strip_prefix('x').filter(|said| *said != named && !said.is_empty())?;
    Some((stands_for.to_owned(), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_and_all_else_is_text() {
        for (written, said) in [
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
            ("&apos;", "'"),
            ("&nbsp;", "\u{a0}"),
            ("&eacute;", "é"),
            ("&Eacute;", "É"),
            ("&szlig;", "ß"),
            ("&shy;", "\u{ad}"),
            ("&mdash;", "—"),
            ("&#98;", "b"),
            ("&#x62;", "b"),
            ("&#X1F426;", "🐦"),
            ("&#42;", "*"),
            ("&#10;", "\n"),
            ("&#32;", " "),
            ("&amp;nbsp;", "&"),
        ] {
            let length = written.find(';').expect("an end") + 1;
            assert_eq!(reference(written.as_bytes()), Some((said.to_owned(), length)), "{written}");
        }
        for text in
            ["", "&", "&;", "&#;", "&#x;", "&nosuchname;", "&eacute", "& amp;", "a&amp;", "&#12345678;"]
        {
            assert_eq!(reference(text.as_bytes()), None, "{text}");
        }
        assert_eq!(reference(b"&\xff;"), None);
    }
}
