//! Checks of candidate values that a regex cannot express.
//!
//! Reading order: here the entropy measure and the parser of `name = value`; [`coin`] (ledger addresses and keys),
//! [`vendor`] (structured tokens), [`person`] (numbers of people), [`strength`] (randomness of labelled values) with
//! [`chosen`] (chosen passwords), [`spelled`] (unusual letters) and [`code`] (code, paths and placeholders),
//! [`address`] and [`beside`] (values identified by position). Invariant: a check reads only its value and a bounded
//! range around it.

pub mod address;
pub mod beside;
mod chosen;
pub mod code;
pub mod coin;
pub mod field;
pub mod person;
pub mod prefixed;
pub mod spelled;
pub mod strength;
pub mod vendor;
mod wild;

use std::ops::Range;

use super::seek::is_of_token;

/// A shape match, before its check.
#[derive(Debug)]
pub struct ShapeMatch<'t> {
    /// The text.
    pub text: &'t str,
    /// Byte range of the value in it.
    pub span: Range<usize>,
    /// Whether a near word of the row was found.
    pub near: bool,
}

impl<'t> ShapeMatch<'t> {
    /// The value.
    pub fn value(&self) -> &'t str {
        &self.text[self.span.clone()]
    }
}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The value is valid.
    Holds,
    /// It has the form but fails the check: the row's `unsure` tier.
    Fails,
    /// It is certainly not a value of this class.
    Nothing,
}

/// The check of a row.
pub type Check = fn(&ShapeMatch) -> Verdict;

impl Verdict {
    /// `Holds`, else `Fails`.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

/// No check exists: the shape is enough.
pub fn shape_is_enough(_: &ShapeMatch) -> Verdict {
    Verdict::Holds
}

/// Entropy in bits per byte below which a value is a placeholder: `xxxxxxxx`, `00000000`.
const FILLER_BITS: f64 = 2.0;

/// Random values vary; placeholders do not.
pub fn varied(found: &ShapeMatch) -> Verdict {
    if entropy(found.value()) < FILLER_BITS { Verdict::Nothing } else { Verdict::Holds }
}

/// Shannon entropy of `value`, in bits per byte.
pub fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    value.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let len = value.len() as f64;
    let seen = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / len);
    -seen.map(|share| share * share.log2()).sum::<f64>()
}

/// Shortest and longest value that is read after `name =`, in bytes.
const VALUE_BYTES: Range<usize> = 8..257;

/// Most bytes of a name, of the blanks around its sign, and of the quotes.
const NAME_BYTES_MAX: usize = 48;
const BLANKS_MAX: usize = 4;

/// The value of `name = value`, `"name": "value"` or `name: value`, where the name begins at `at`.
pub fn assigned(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let skip = |from: usize, most: usize, what: fn(u8) -> bool| {
        from + bytes[from..].iter().take(most).take_while(|byte| what(**byte)).count()
    };
    let blank: fn(u8) -> bool = |byte| matches!(byte, b' ' | b'\t');
    let quote: fn(u8) -> bool = |byte| matches!(byte, b'"' | b'\'' | b'`' | b'*' | b'\\');
    let name = at
        + text[at..].chars().take(NAME_BYTES_MAX).take_while(is_of_name).map(char::len_utf8).sum::<usize>();
    let sign = skip(skip(name, 3, quote), BLANKS_MAX, blank);
    let after = match (bytes.get(sign), bytes.get(sign + 1)) {
        (Some(b'='), Some(b'>' | b'=')) | (Some(b':'), Some(b'=')) => sign + 2,
        (Some(b'=' | b':'), _) => sign + 1,
        _ => return None,
    };
    let start = skip(skip(after, 3, quote), BLANKS_MAX, blank);
    let start = skip(start, 3, quote);
    let inside: fn(u8) -> bool = |byte| {
        byte >= 0x80
            || byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'<' | b'>')
    };
    let mut end = skip(start, VALUE_BYTES.end, inside);
    while end > start && matches!(bytes[end - 1], b'\\' | b'.' | b')' | b']' | b'}' | b'*') {
        end -= 1;
    }
    end = text.floor_char_boundary(end);
    VALUE_BYTES.contains(&(end - start)).then_some(start..end)
}

fn is_of_name(char: &char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.')
}

/// Whether a value is a placeholder: `<YOUR_KEY>`, `xxxx`, `****`, `$ENV`, `{{name}}`, our own masks.
pub fn is_placeholder(value: &str) -> bool {
    value.starts_with(['$', '%', '<', '{', '[', '&']) || is_filler(value)
}

/// Fewest bytes of a word that stands in filler text.
const WORD_BYTES_MIN: usize = 4;

/// Whether a value is filler text, or names a place for one.
fn is_filler(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "example", "your", "xxxx", "****", "redacted", "changeme", "placeholder", "dummy", "hunter2",
        "1password",
    ];
    let lower = value.to_ascii_lowercase();
    let may_have_word = lower.len() >= WORD_BYTES_MIN;
    lower.starts_with("op://")
        || may_have_word && WORDS.iter().any(|word| lower.contains(word)) && !is_of_person(value, &lower)
        || lower.contains(COUNTED) && !is_of_person(value, &lower) && !is_random_but_for_counting(value)
        || entropy(value) < FILLER_BITS && distinct(value) < VARIED_BYTES_MIN
}

/// Consecutive digits, in a filler or by chance.
const COUNTED: &str = "1234567";

/// Fewest bytes of a counting run, and of what remains of a value without such runs.
const COUNTED_BYTES_MIN: usize = 4;
const LEFT_BYTES_MIN: usize = 8;

/// Whether a value is random apart from counting runs such as `0123456789` and `AbcDef`.
fn is_random_but_for_counting(value: &str) -> bool {
    let counts = |one: &u8, next: &u8| {
        let (one, next) = (one.to_ascii_lowercase(), next.to_ascii_lowercase());
        one == b'9' && next == b'0' || one.is_ascii_alphanumeric() && next == one + 1
    };
    let left = value.as_bytes().chunk_by(counts).filter(|run| run.len() < COUNTED_BYTES_MIN);
    let left: String = left.flatten().map(|byte| char::from(*byte)).collect();
    strength::is_random(&left, LEFT_BYTES_MIN, true)
}

/// Whether a person chose a value that contains a placeholder word: it also has a digit and a symbol, and no word for
/// "password".
fn is_of_person(value: &str, lower: &str) -> bool {
    const SAYS: &[&str] = &["pass", "pwd", "key", "secret", "token", "change", "****"];
    value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| b"!?#$%&^~".contains(&byte))
        && !SAYS.iter().any(|word| lower.contains(word))
}

/// Fewest distinct bytes of a value that is not filler: `banana72banana`.
const VARIED_BYTES_MIN: usize = 5;

fn distinct(value: &str) -> usize {
    (0..=u8::MAX).filter(|byte| value.as_bytes().contains(byte)).count()
}

/// The token bytes of `text` from `at`.
pub fn token_at(text: &str, at: usize) -> &str {
    let len = text.as_bytes()[at..].iter().take_while(|byte| is_of_token(**byte)).count();
    &text[at..at + len]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_is_read_in_the_forms_people_write() {
        let value = format!("{}9xQ", "hk3Lm8Zw");
        for form in [
            "password = @", "password: @", "\"password\": \"@\"", "PASSWORD_MAIN=@", "password => '@'",
            "password := `@`", "**password**: @",
        ] {
            let text = form.replace('@', &value);
            let at = text.to_ascii_lowercase().find("password").expect("named");
            let span = assigned(&text, at).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(&text[span], value, "{text}");
        }
        for none in ["password", "password is long", "password = short", "the password\n= next line of it"] {
            assert_eq!(assigned(none, none.find("password").expect("named")), None, "{none}");
        }
    }

    #[test]
    fn a_placeholder_is_no_value() {
        for gap in [
            "<YOUR_KEY_HERE>", "xxxxxxxxxxxx", "$DB_PASSWORD", "{{ secret }}", "op://vault/item",
            "aaaaaaaaaa",
        ] {
            assert!(is_placeholder(gap), "{gap}");
        }
        assert!(!is_placeholder("hk3Lm8Zw9xQ"));
    }
}
