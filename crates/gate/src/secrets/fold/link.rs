//! A value as the text of a Markdown link, or between angle brackets: `[V](https://x)`, `<V>`.
//!
//! A rendered page shows only the value. Invariants: only a token with a digit is taken, which excludes words and
//! HTML elements; a text that its own address repeats is a reference, not a value.

use std::ops::Range;

/// Lengths of a value, and most bytes of an address.
const VALUE_BYTES: std::ops::RangeInclusive<usize> = 8..=64;
const ADDRESS_BYTES_MAX: usize = 200;

/// The marks behind the value that a mark at `at` opens.
pub fn closing(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let (close, rest) = (if bytes[at] == b'<' { b'>' } else { b']' }, &bytes[at + 1..]);
    let near = &rest[..rest.len().min(*VALUE_BYTES.end() + 1)];
    let len = near.iter().position(|byte| byte.is_ascii_whitespace() || b"<>[]|\"'".contains(byte))?;
    let end = at + 1 + len;
    let value = std::str::from_utf8(&near[..len]).ok()?;
    let is_value = near[len] == close
        && VALUE_BYTES.contains(&len)
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && !value.contains("://");
    if !is_value {
        return None;
    }
    if close == b'>' {
        return (is_filled_in(value) && !bytes[..at].last().is_some_and(|byte| is_of_name(*byte)))
            .then_some(end..end + 1);
    }
    let behind = bytes.get(end + 1..)?.strip_prefix(b"(")?;
    let behind = &behind[..behind.len().min(ADDRESS_BYTES_MAX)];
    let len = behind.iter().position(|byte| *byte == b')' || !is_plain(*byte))?;
    let address = std::str::from_utf8(&behind[..len]).ok()?;
    let is_address = behind[len] == b')' && (address.contains("://") || address.starts_with(['/', '.', '#']));
    (is_address && !address.contains(value.trim_start_matches('#'))).then(|| end..end + 1 + 1 + len + 1)
}

/// Whether a token in angle brackets stands for itself: no name of an element or of what is to be filled in.
fn is_filled_in(value: &str) -> bool {
    let is_name = value.bytes().all(is_of_name);
    let is_mail = value.contains('@') && value.rsplit('@').next().is_some_and(|host| host.contains('.'));
    !value.starts_with(['/', '!', '?', '%', '$', '#', '{', '=', '-'])
        && !is_mail
        && (!is_name || value.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':')
}

/// Whether a byte of an address means itself: what is to be unfolded there is read where it stands.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._:/#@,+!~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::super::unescape;

    fn read(text: &str) -> String {
        unescape(text).map_or_else(|| text.to_owned(), |folded| folded.text)
    }

    #[test]
    fn the_marks_around_a_value_are_not_read() {
        for (text, shown) in [
            ("pw: <Zebra!4711> (new)", "pw: Zebra!4711 (new)"),
            ("pw: [Zebra!4711](https://x.example/a) (new)", "pw: Zebra!4711 (new)"),
            ("| [Zebra!4711](#a) | <winter56stone> |", "| Zebra!4711 | winter56stone |"),
        ] {
            assert_eq!(read(text), shown);
        }
    }

    #[test]
    fn references_elements_and_what_is_to_be_filled_in_stay() {
        for text in [
            "see [a1b2c3d4](https://x.example/commit/a1b2c3d4e5f6)",
            "[#12345678](https://x.example/issues/12345678)",
            "<my-element2> and </section12> and Vec<Utf8Path2x>",
            "<16-char-password2> <ana2@mail.example> <https://x.example/a2>",
            "[release 2.0 notes](https://x.example)",
            "[Zebra!4711]",
        ] {
            assert_eq!(read(text), text);
        }
    }
}
