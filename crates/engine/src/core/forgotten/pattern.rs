//! Regex for a text: as written, JSON-escaped, with look-alike symbols, and with any blanks and line ends between
//! words, including the log form of a line end (`⏎`).
//!
//! Invariant: a pattern matches exactly the letters of its text, as written or in their usual form.

use unicode_normalization::UnicodeNormalization as _;

use super::usual::usual;

/// The regex for a text.
pub(super) fn pattern(text: &str, between: usize) -> String {
    let told = fold(text);
    let mut forms: Vec<String> = [text, &told, &usual(text), &usual(&told)]
        .into_iter()
        .flat_map(|text| [text.to_owned(), text.nfc().collect(), text.nfd().collect()])
        .collect();
    forms.sort();
    forms.dedup();
    forms.iter().map(|form| pattern_of(form, between)).collect::<Vec<_>>().join("|")
}

/// Interchangeable symbols; the first of each row is the plain one.
const ALIKE: [&[char]; 3] =
    [&['\'', '\u{2018}', '\u{2019}', '\u{2bc}'], &['"', '\u{201c}', '\u{201d}', '\u{201e}'], &DASHES];

/// Hyphens, dashes and the minus sign.
pub(super) const DASHES: [char; 28] = [
    '-', '\u{58a}', '\u{5be}', '\u{1400}', '\u{1806}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}',
    '\u{2014}', '\u{2015}', '\u{2212}', '\u{2e17}', '\u{2e1a}', '\u{2e3a}', '\u{2e3b}', '\u{2e40}',
    '\u{2e5d}', '\u{301c}', '\u{3030}', '\u{30a0}', '\u{fe31}', '\u{fe32}', '\u{fe58}', '\u{fe63}',
    '\u{ff0d}', '\u{10d6e}', '\u{10ead}',
];

fn alike(c: char) -> Option<&'static [char]> {
    ALIKE.into_iter().find(|signs| signs.contains(&c))
}

/// A text with plain quotes and dashes, and without Markdown escapes of punctuation.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        let c = if c == '\\' { signs.next_if(char::is_ascii_punctuation).unwrap_or(c) } else { c };
        folded.push(alike(c).map_or(c, |signs| signs[0]));
    }
    folded
}

/// Most symbols between two letters of a confirmed text that are matched one by one; it may have any number.
pub(super) const BETWEEN_CHARS_MAX: usize = 16;

fn pattern_of(text: &str, between: usize) -> String {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = |is_end: fn(char) -> bool| rest.find(is_end).unwrap_or(rest.len());
        if c.is_alphanumeric() {
            let (letters, others) = rest.split_at(end(|c| !c.is_alphanumeric()));
            pattern.extend(letters.chars().map(sign));
            rest = others;
            continue;
        }
        let (others, letters) = rest.split_at(end(char::is_alphanumeric));
        if others.chars().count() > between {
            pattern.push_str(r"[^\p{Alphabetic}\p{N}]+");
        } else {
            let words: Vec<String> = others.split(' ').map(|word| word.chars().map(sign).collect()).collect();
            pattern.push_str(&words.join(r"(?:[\s⏎]|\\[nrt]|\\\r?\n|\\u00(?:09|0a|0d|20|a0))+"));
        }
        rest = letters;
    }
    pattern
}

/// Regex for a character: plain, JSON-escaped and, for punctuation, Markdown-escaped. An even number of backslashes
/// remains, so that JSON stays valid.
fn sign(c: char) -> String {
    let punctuation = |sign: &char| match sign {
        '\\' => r"\\{1,2}".to_owned(),
        '"' => format!(r#"\\{{0,3}}"|\\{{0,2}}{}"#, regex::escape(&escaped('"'))),
        sign if alike(*sign).is_some() => format!(r"\\{{0,2}}{}", either(*sign)),
        sign => format!(r"\\{{0,2}}{}", regex::escape(&sign.to_string())),
    };
    match (c, alike(c)) {
        (_, Some(signs)) if signs == DASHES => {
            let (all, named): (String, Vec<String>) = (
                signs.iter().map(|c| regex::escape(&c.to_string())).collect(),
                signs.iter().map(|c| regex::escape(&escaped(*c))).collect(),
            );
            format!(r"\\{{0,2}}(?:[{all}]|{})", named.join("|"))
        }
        (_, Some(signs)) => format!("(?:{})", signs.iter().map(punctuation).collect::<Vec<_>>().join("|")),
        (c, None) if c.is_ascii_punctuation() => punctuation(&c),
        (c, None) if c.is_ascii_alphanumeric() => c.to_string(),
        (c, None) => either(c),
    }
}

fn either(c: char) -> String {
    format!("(?:{}|{})", regex::escape(&c.to_string()), regex::escape(&escaped(c)))
}

/// A character in its JSON-escaped forms.
fn escaped(c: char) -> String {
    let mut units = [0; 2];
    c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}
