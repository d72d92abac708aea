//! Skips terminal sequences, control characters, short HTML comments, and the marks that replace hidden characters in logs.
//!
//! `ESC [31m` ends in a letter, so a key directly behind it does not begin at a word boundary. Logs drop the escape
//! character and keep the rest, so `[31m` alone counts as well. Invariant: no skipped sequence is longer than its limit.

/// Most bytes of a code, of the title or link that one sets, and of a comment of HTML between two words.
const CODE_BYTES_MAX: usize = 24;
const TITLE_BYTES_MAX: usize = 400;
const COMMENT_BYTES_MAX: usize = 120;

/// The length of what is not seen at the beginning of `rest`, which is no character above ASCII but one of [`revealed`].
/// `follows`: a code ends directly before it.
pub fn unseen(rest: &str, follows: bool) -> Option<usize> {
    let bytes = rest.as_bytes();
    match *bytes.first()? {
        0x1b => Some(escape(bytes)),
        b'\t' | b'\n' | b'\r' => None,
        0..0x20 | 0x7f => Some(1),
        b'[' => bare(bytes, follows),
        b'<' => comment(bytes),
        b'\\' | b'%' => written(bytes),
        _ if rest.starts_with('\u{9b}') => Some(1 + code(&bytes[1..]).unwrap_or(1)),
        _ => revealed(rest),
    }
}

/// What begins with the escape character: a code, a title, the choice of a set of signs (`ESC ( B`), or one letter.
fn escape(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        Some(b'[') => 1 + code(&bytes[1..]).unwrap_or(0),
        Some(b']') => title(bytes).unwrap_or(1),
        Some(b' '..=b'/') => {
            bytes.len().min(3).min(2 + usize::from(bytes.get(2).is_some_and(u8::is_ascii_graphic)))
        }
        Some(b'0'..=b'~') => 2,
        _ => 1,
    }
}

/// The same as a program or a manual writes it: `\033[31m`, `\e(B`, `%1B[0m`.
fn written(bytes: &[u8]) -> Option<usize> {
    const FORMS: [&[u8]; 8] = [b"\\033", b"\\e", b"\\E", b"\\x1b", b"\\x1B", b"\\u001b", b"\\u001B", b"%1B"];
    let form = FORMS.iter().find(|form| bytes.starts_with(form))?;
    let behind = &bytes[form.len()..];
    match behind.first()? {
        b'[' => code(behind).map(|len| form.len() + len),
        b'(' | b')' if behind.get(1).is_some_and(u8::is_ascii_alphanumeric) => Some(form.len() + 2),
        _ => None,
    }
}

/// `[01;31m`: parameters and a letter.
fn code(bytes: &[u8]) -> Option<usize> {
    let inside = bytes.iter().take(CODE_BYTES_MAX).skip(1);
    let end = 1 + inside.take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
    bytes.get(end).filter(|byte| matches!(byte, 0x40..=0x7e)).map(|_| end + 1)
}

/// The same without the character that begins it: only a colour, or the end of a line behind one.
fn bare(bytes: &[u8], follows: bool) -> Option<usize> {
    let len = code(bytes)?;
    let inside = &bytes[1..len - 1];
    let is_colour = bytes[len - 1] == b'm'
        && (follows || !inside.is_empty())
        && inside.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b':'));
    (is_colour || follows && matches!(&bytes[..len], b"[K" | b"[0K")).then_some(len)
}

/// A short HTML comment; its content is scanned separately.
fn comment(bytes: &[u8]) -> Option<usize> {
    let near = bytes.strip_prefix(b"<!--")?;
    let near = &near[..near.len().min(COMMENT_BYTES_MAX)];
    near.windows(3).position(|three| three == b"-->").map(|at| at + "<!---->".len())
}

/// A title or a link, up to its end.
fn title(bytes: &[u8]) -> Option<usize> {
    let near = &bytes[..bytes.len().min(TITLE_BYTES_MAX)];
    let end = near.iter().position(|byte| matches!(byte, 0x07 | b'\n')).filter(|end| near[*end] == 0x07);
    let long = near.windows(2).skip(2).position(|two| two == b"\x1b\\").map(|at| at + 2 + 1);
    match (end, long) {
        (Some(one), Some(other)) => Some(one.min(other) + 1),
        (one, other) => one.or(other).map(|last| last + 1),
    }
}

/// `⟦U+200B⟧`, the visible form of an invisible character in a log.
fn revealed(rest: &str) -> Option<usize> {
    const BEGIN: &str = "⟦U+";
    const DIGITS_MAX: usize = 6;
    let behind = rest.strip_prefix(BEGIN)?;
    let digits = behind.bytes().take(DIGITS_MAX).take_while(u8::is_ascii_hexdigit).count();
    let is_mark = digits >= 4 && behind[digits..].starts_with('⟧');
    is_mark.then_some(BEGIN.len() + digits + '⟧'.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::super::unescape;

    fn read(text: &str) -> String {
        unescape(text).map_or_else(|| text.to_owned(), |folded| folded.text)
    }

    #[test]
    fn codes_of_a_terminal_are_not_read() {
        for text in [
            "token \u{1b}[31mglpat\u{1b}[0m ends",
            "token \u{1b}[01;31m\u{1b}[Kglpat\u{1b}[m\u{1b}[K ends",
            "token [32mglpat[0m ends",
            "token [01;31m[Kglpat[0m[K ends",
            "token \u{1b}]8;;https://x.example\u{7}glpat\u{1b}]8;;\u{1b}\\ ends",
            "token gl\u{0}p\u{8}at\u{7f} ends",
            "token gl⟦U+200B⟧pat ends",
            "token gl<!-- two words -->pat ends",
            "token \u{1b}(B\u{1b}[mglpat ends",
            "token \u{1b}#8\u{1b}7glpat ends",
            "token \u{9b}31mglpat ends",
            "token \\033[31mglpat\\033[0m ends",
            "token \\e[1m\\e(Bglpat%1B[m ends",
        ] {
            assert_eq!(read(text), "token glpat ends", "{text:?}");
        }
    }

    #[test]
    fn brackets_of_prose_are_read() {
        for text in ["see [1] and [2m away]", "- [x] done", "a[K] of [m]", "⟦U+20⟧ and ⟦x⟧", "[K stays"]
        {
            let kept = text.replace("[2m", "");
            assert_eq!(read(text), kept, "{text:?}");
        }
    }
}
