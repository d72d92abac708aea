//! Passwords with characters that code, paths and sentences have too: `q7Jd]82k`, `$ecret!Sauce9`, `Sommer;2026`.
//!
//! A generator uses all ASCII symbols, so a symbol alone is no evidence. Code has known words and a typical order of
//! symbols; a random value has neither, and a chosen one has letters of both cases and a digit. Invariant: a bounded
//! number of passes over the value.

use super::code::is_file;

/// Lengths of such a value, in characters.
const CHARS: std::ops::RangeInclusive<usize> = 8..=64;

/// Symbols that other password checks handle.
const KNOWN_MARKS: &str = "!?#+~@^*._-";

/// Text that occurs only in code, templates, URLs and password rules.
const CODE: &[&str] = &[
    "://", "${", "$(", "{{", "}}", "{%", "%}", "...", "…", "A-Z", "a-z", "0-9", "&amp", "&lt", "&gt",
    "&quot", "&#x", "&#1", "&#2", "&#3", "&#4", "&#5", "&#6", "&#7", "&#8", "&#9", "</", "/>", "HTTP/", "(?",
    "?:",
];

/// Adjacent symbols of code; a long random value may have them by chance.
const CODE_MARKS: &[&str] = &[
    "::", "->", "=>", "<%", "%>", "()", "[]", "{}", "&&", "||", "==", "!=", "+=", "\\d", "\\w", "\\s", "\\n",
    "\\u", "\\x", "/*", "*/", "$_", "$0", "$1", "$2", "%s", "%d", "%(", "{0", "{1", "@@", "##",
];

/// Whether `value`, directly after a password label and complete, is a password.
pub fn is_wild(value: &str) -> bool {
    if is_drawn_of_letters(value) {
        return true;
    }
    let chars = value.chars().count();
    let is_odd = |c: char| !c.is_ascii_alphanumeric() && !KNOWN_MARKS.contains(c);
    if !CHARS.contains(&chars)
        || !value.contains(is_odd) && !value.starts_with(['.', '-', '_', '*'])
        || value.chars().any(|c| c.is_whitespace() || c.is_control())
        || CODE.iter().any(|code| value.contains(code))
        || value.starts_with('$') && value.matches('$').count() > 2
        || is_reference(value)
        || is_template(value)
        || is_file(value)
        || super::is_filler(value)
    {
        return false;
    }
    let count = |what: fn(char) -> bool| value.chars().filter(|c| what(*c)).count();
    let (upper, digits) = (count(char::is_uppercase), count(|c| c.is_ascii_digit()));
    let letters = count(char::is_alphabetic);
    let lower = letters - upper;
    let marks = chars - letters - digits;
    // `2026-11-27T10:00:00Z` has two letters.
    if marks * 4 > chars * 3 || letters + digits < 4 || letters < 3 && lower == 0 {
        return false;
    }
    let words = word_chars(value);
    let (is_call, is_broken) = brackets(value);
    let is_drawn = words * 3 <= chars && changes(value) * 2 >= chars
        || words == 0 && marks >= DRAWN_MARKS_MIN && changes(value) * 5 >= chars * 2;
    let classes = [upper, lower, digits, marks].iter().filter(|count| **count > 0).count();
    let is_mixed = classes == 4 && chars >= MIXED_CHARS_MIN && changes(value) * 3 >= chars;
    let is_wordless = camel_word_chars(value) * 2 < chars;
    // Code of that length contains words.
    let is_noise = chars >= NOISE_CHARS_MIN
        && classes >= 3
        && changes(value) * 2 >= chars
        && marks * 7 >= chars
        && camel_word_chars(value) * 3 < chars
        && value.matches('%').count() < 3
        && !value.contains("::");
    if is_noise {
        return true;
    }
    if CODE_MARKS.iter().any(|code| value.contains(code)) {
        let is_begun = value.starts_with('$') && !CODE_MARKS.iter().any(|code| value[1..].contains(code));
        return !is_call && classes == 4 && (is_drawn && words == 0 || is_begun && is_mixed && is_wordless);
    }
    if is_call {
        let is_marked = value.contains(|c: char| !c.is_ascii() || "!?#$%^~@;&|`\\".contains(c));
        return is_drawn
            && classes >= 3
            && words * 4 < chars
            && (digits >= 2 || is_marked || is_mixed && camel_word_chars(value) * 4 < chars);
    }
    is_drawn && classes >= 3
        || is_broken && digits > 0 && classes >= 3
        || is_mixed && is_wordless
        || classes == 4 && is_chosen(value)
}

/// Fewest symbols of a random value whose character classes change less often.
const DRAWN_MARKS_MIN: usize = 3;

/// Shortest value of letters and symbols without words that is not code, in characters.
const NOISE_CHARS_MIN: usize = 14;

/// Shortest value whose character class changes at every third place, in characters.
const MIXED_CHARS_MIN: usize = 10;

/// Letters of both cases without words, possibly with a symbol of a name between them: `üBHkIaTRfß`, `gBrVJ.vfbVpW`.
fn is_drawn_of_letters(value: &str) -> bool {
    let chars = value.chars().count();
    let count = |what: fn(char) -> bool| value.chars().filter(|c| what(*c)).count();
    let (upper, letters) = (count(char::is_uppercase), count(char::is_alphabetic));
    let is_of_europe = |c: char| c.is_ascii_alphabetic() || ('\u{c0}'..='\u{24f}').contains(&c);
    (MIXED_CHARS_MIN..=*CHARS.end()).contains(&chars)
        && value.chars().all(|c| is_of_europe(c) || matches!(c, '.' | '_' | '-' | ':' | ','))
        && chars - letters <= 1
        && (letters < chars || !value.is_ascii())
        && upper >= 2
        && letters - upper >= 2
        && changes(value) * 5 >= chars * 2
        && camel_word_chars(value) * 4 < chars
}

/// Whether the whole value refers to the password: `$DB_PASSWORD`, `%PASSWORD%`, `<your password>`, `[name]`.
fn is_reference(value: &str) -> bool {
    let is_name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || "_.:- '\"/|@,=".contains(c));
    let inside = |open: char, close: char| value.strip_prefix(open)?.strip_suffix(close);
    [('<', '>'), ('[', ']'), ('{', '}'), ('%', '%'), ('(', ')'), ('\'', '\''), ('"', '"')]
        .iter()
        .any(|(open, close)| inside(*open, *close).is_some_and(is_name))
        || value.strip_prefix(['$', '&', '*', '@', ':', '%']).is_some_and(|name| {
            let is_of_variable =
                |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '[' | ']' | ':');
            let is_constant = name.bytes().all(|byte| !byte.is_ascii_lowercase());
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(is_of_variable)
                && (is_constant || !is_mixed(name))
        })
}

/// Whether it contains a name in braces: `user:{User1}`.
fn is_template(value: &str) -> bool {
    let inside = value.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(inside, _)| inside);
    inside.is_some_and(|inside| {
        inside.starts_with(|c: char| c.is_ascii_alphabetic())
            && inside.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
    })
}

/// Whether digits are between letters, which does not occur in names.
fn is_mixed(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic()).count() >= 1
        && bytes.iter().any(u8::is_ascii_uppercase)
}

/// Number of characters in word-like runs of at least three lower-case letters, with or without a capital before
/// them.
fn word_chars(value: &str) -> usize {
    value
        .split(|c: char| !c.is_alphabetic())
        .map(|run| {
            let body = run.strip_prefix(char::is_uppercase).unwrap_or(run);
            let is_word = body.chars().all(char::is_lowercase) || run.chars().all(char::is_uppercase);
            let vowels = run.chars().filter(|c| "aeiouyAEIOUY".contains(*c) || !c.is_ascii()).count();
            if run.chars().count() >= 3 && is_word && vowels > 0 { run.chars().count() } else { 0 }
        })
        .sum()
}

/// The same; a capital after a lower-case letter begins a word, as in identifiers.
fn camel_word_chars(value: &str) -> usize {
    let mut parted = String::with_capacity(value.len() * 2);
    let mut before = ' ';
    for c in value.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            parted.push(' ');
        }
        parted.push(c);
        before = c;
    }
    word_chars(&parted)
}

/// How often the character class changes (letter, capital, digit, symbol).
fn changes(value: &str) -> usize {
    let class = |c: char| match c {
        _ if c.is_uppercase() => 0,
        _ if c.is_alphabetic() => 1,
        _ if c.is_ascii_digit() => 2,
        _ => 3,
    };
    value.chars().zip(value.chars().skip(1)).filter(|(one, next)| class(*one) != class(*next)).count()
}

/// Whether brackets or quotes are arranged as in code (`name(…`), and whether an unmatched closing one is followed by
/// more text, which does not occur in code.
fn brackets(value: &str) -> (bool, bool) {
    let (mut open, mut is_call, mut is_broken, mut before) = (Vec::new(), false, false, ' ');
    let is_of_name = |c: char| c.is_alphanumeric() || "_.,'\"".contains(c);
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        // An argument that continues in the next word, or a closed one.
        let is_begun = || {
            let rest = chars.clone();
            let rest: String = rest.collect();
            rest.contains([')', ']', '}']) || rest.chars().all(is_of_name)
        };
        match c {
            '<' => {
                let is_type = value.contains('>') || chars.peek().is_some_and(|c| c.is_ascii_uppercase());
                is_call |= before.is_alphanumeric() && is_type;
            }
            '(' | '[' | '{' => {
                is_call |= (before.is_alphanumeric() || before == ' ') && is_begun();
                open.push(c);
            }
            ')' | ']' | '}' => {
                let opener = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                let is_open = open.pop_if(|open| *open == opener).is_some();
                if chars.peek().is_some_and(|c| c.is_alphanumeric()) {
                    is_broken |= !is_open || c == ']' || is_number_within(value);
                }
            }
            _ => {}
        }
        before = c;
    }
    (is_call && !is_broken, is_broken)
}

/// Whether a number in brackets is between letters, with a capital among them: `Pickle(54)garden`.
fn is_number_within(value: &str) -> bool {
    let inside = value.split_once(['(', '{']).and_then(|(_, rest)| rest.split_once([')', '}']));
    inside.is_some_and(|(inside, behind)| {
        inside.bytes().all(|byte| byte.is_ascii_digit())
            && behind.starts_with(char::is_alphabetic)
            && value.contains(char::is_uppercase)
    })
}

/// Letters of both cases, a digit, and between them a symbol that names and paths do not have.
fn is_chosen(value: &str) -> bool {
    let inner = value.trim_matches(|c: char| !c.is_alphanumeric() && !"!?$#%&€§<".contains(c));
    let has_mark = inner.contains([
        '!', '?', '#', '$', '%', '&', '+', '~', '^', ';', '|', '€', '§', '£', '"', '<', '>', '{', '}',
    ]) || inner.contains(|c: char| !c.is_ascii());
    let is_path = inner.matches(['/', '\\', ':', '.', '=', ',']).count() > 1;
    has_mark && !is_path && value.chars().filter(char::is_ascii_digit).count() > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_any_marks_is_a_password_and_code_is_none() {
        for value in [
            "q7Jd82kLmZ]skd83k", "Ab9;Xq92hKeLm", "$ecret!Sauce9", "q7Jd82\\Z0skd", "Xk29<mQw>7pLq",
            "5C^,dY2hMqBgNjj", "ab:c7Xq92h", "Euro€2026xY", "Summer|2026!Q", "Pickle(54)garden",
            "QDxnL(axFd2)", "2eimMb<PQRfkM>", "QuzGLU\\35s136", "XSVdyq:3OPEto", "gBrVJ.vfbVpW",
            "üBHkIaTRfß", "$2NKqph3Olc",
        ] {
            assert!(is_wild(value), "{value}");
        }
        for value in [
            "config['pass1']", "$DB_PASSWORD2", "%PASSWORD1%", "<Your-Password1>", "Option<String>,",
            "^[A-Za-z0-9]{8,}$", "process.env.PW1,", "String(32),", "sha256:Abc", "os.environ[\"PW2\"]",
            "C:\\Users\\Ana2\\x", "user:{User1}", "Core.UserToken", "getPwd(id1)", "Foo.BarBaz",
            "ÜberprüfungHier", "File:Name12ab", "Vault:Prod.Db2", "Vec<[u8;32]>", "&mut Buffer2",
            "2026-11-27T10:00:00Z",
        ] {
            assert!(!is_wild(value), "{value}");
        }
    }
}
