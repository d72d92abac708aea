//! Whether a host reads a file of JSON at all.
//!
//! We read comments and trailing commas; Claude Code and Codex do not, and Claude Code ignores such a file without a
//! word. So every file is checked once more as strict JSON.

use serde::de::IgnoredAny;

/// What a host cannot read in `text`, with its line; `None` where it is strict JSON or empty.
pub fn fault(text: &str) -> Option<String> {
    let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if body.trim().is_empty() {
        return None;
    }
    let error = serde_json::from_str::<IgnoredAny>(body).err()?;
    Some(format!("line {} has a comment or a trailing comma", error.line()))
}

#[cfg(test)]
mod tests {
    use super::fault;

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
