//! Whether a host can parse a JSON file.
//!
//! setup accepts comments and trailing commas. Claude Code and Codex do not, and Claude Code ignores such a file
//! silently. So every file is also checked as strict JSON.

use serde::de::IgnoredAny;

use super::splice::Splice;

/// What a host cannot parse in `text`, with its line; `None` if it is strict JSON or empty.
pub fn fault(text: &str) -> Option<String> {
    let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if body.trim().is_empty() {
        return None;
    }
    let error = serde_json::from_str::<IgnoredAny>(body).err()?;
    Some(format!("line {} has a comment or a trailing comma", error.line()))
}

/// The comments and trailing commas of a JSON text, in order, with their positions.
pub fn loose_parts(text: &str) -> Vec<Splice> {
    let bytes = text.as_bytes();
    let (mut parts, mut at) = (Vec::new(), 0);
    let mut take = |from: usize, to: usize| parts.push(Splice { at: from, text: text[from..to].to_owned() });
    while let Some(byte) = bytes.get(at) {
        let end = comment_end(bytes, at);
        match (byte, end) {
            (b'"', _) => at = string_end(bytes, at),
            (_, Some(end)) => {
                let line = text[..at].rfind('\n').map_or(0, |line_end| line_end + 1);
                let is_alone = text[line..at].trim().is_empty();
                let behind = text[end..].find('\n').filter(|_| is_alone);
                let behind = behind.filter(|length| text[end..end + length].trim().is_empty());
                let (from, to) = behind.map_or((at, end), |length| (line, end + length + 1));
                take(from, to);
                at = to;
            }
            (b',', _) => {
                if matches!(bytes.get(next_token(bytes, at + 1)), Some(b'}' | b']')) {
                    take(at, at + 1);
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    parts
}

/// `text` without comments and trailing commas.
pub fn strict(text: &str, loose_parts: &[Splice]) -> String {
    let mut text = text.to_owned();
    for part in loose_parts.iter().rev() {
        text.replace_range(part.at..part.at + part.text.len(), "");
    }
    text
}

/// `text` with its loose parts inserted again; `None` if they do not fit.
pub fn loose(text: String, loose_parts: &[Splice]) -> Option<String> {
    loose_parts.iter().try_fold(text, |text, part| {
        Some(format!("{}{}{}", text.get(..part.at)?, part.text, &text[part.at..]))
    })
}

/// The end of the comment that begins at `at`, before its line end.
fn comment_end(bytes: &[u8], at: usize) -> Option<usize> {
    let find = |wanted: &[u8]| bytes[at + 2..].windows(wanted.len()).position(|found| found == wanted);
    match bytes.get(at..at + 2)? {
        b"//" => {
            let end = find(b"\n").map_or(bytes.len(), |length| at + 2 + length);
            Some(if bytes[..end].ends_with(b"\r") { end - 1 } else { end })
        }
        b"/*" => Some(find(b"*/").map_or(bytes.len(), |length| at + 4 + length)),
        _ => None,
    }
}

/// The position after the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    bytes.len()
}

/// The first byte from `at` that is neither white space nor in a comment.
fn next_token(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match comment_end(bytes, at) {
            Some(end) => at = end,
            None if bytes.get(at).is_some_and(u8::is_ascii_whitespace) => at += 1,
            None => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_go_and_come_back() {
        for (text, wanted) in [
            ("{\n  // mine\n  \"a\": 1, // why\n}", "{\n  \"a\": 1 \n}"),
            ("// x\r\n// y\r\n{\"a\": [1, /* z */ ], }\r\n/* end */", "{\"a\": [1  ] }\r\n"),
            (r#"{"a\\": "// no, } \" comment", "b": 1}"#, r#"{"a\\": "// no, } \" comment", "b": 1}"#),
            ("{\"面\": \"包\", // 面包\n}", "{\"面\": \"包\" \n}"),
        ] {
            let parts = loose_parts(text);
            let found = strict(text, &parts);
            assert_eq!(found, wanted);
            assert_eq!(fault(&found), None, "{found}");
            assert_eq!(loose(found, &parts).as_deref(), Some(text));
        }
    }

    #[test]
    fn comments_and_trailing_commas_are_named_by_their_line() {
        for (text, line) in [("{\n  // mine\n  \"a\": 1\n}", 2), ("{\n  \"a\": 1,\n}", 3), ("{} /* x */", 1)]
        {
            let found = fault(text).expect("a fault");
            assert!(found.starts_with(&format!("line {line} ")), "{text}: {found}");
        }
        for text in ["", "\n", "{}", "\u{FEFF}{\"a\": \"// no comment\"}\r\n"] {
            assert_eq!(fault(text), None, "{text}");
        }
    }
}
