//! The text between a label and its value: a symbol, a few words, Markdown or HTML marks, a line end.
//!
//! Invariant: at most [`TAIL_BYTES_MAX`] bytes and [`TAIL_WORDS_MAX`] words after the label are read.

use std::ops::Range;

use super::super::check::strength::{Strength, is_small_word_with_number, is_uuid};
use super::codes::is_code_alone;
use super::declared::{array, declared};
use super::is_name_of_code;
use super::reader::{Reader, groups, tag};
use super::words::Kind;

/// Words between a label and its value that announce the value.
pub const COPULAS: &[&str] = &[
    "is", "was", "lautet", "ist", "war", "to", "es", "est", "é", "è", "e", "are", "auf", "now", "jetzt",
    "from", "von", "jest", "är", "er", "on", "this", "here", "je", "là", "на", "en", "c'est", "c’est",
];

/// Words that mark a value as current; they precede it, after a separator or a copula.
const STILL: &[&str] = &[
    "now", "still", "again", "new", "current", "currently", "jetzt", "noch", "neu", "aktuell", "derzeit",
    "it's", "it’s", "✅", "✔", "☑",
];

/// Those of them that also occur between the label and its separator: `pw on the pi: …`.
const PREPOSITIONS: &[&str] = &["to", "auf", "from", "von", "on", "en", "на", "this"];

/// Words of a sentence about a changed password, and words between them.
const CHANGES: &[&str] = &[
    "reset", "changed", "updated", "rotated", "renewed", "replaced", "set", "modified", "reissued",
    "regenerated",
];
const AROUND_CHANGES: &[&str] = &[
    "has", "have", "had", "been", "got", "it", "it's", "its", "we", "i", "the", "a", "new", "one", "just",
    "again", "today", "yesterday", "and", "then", "so", "password", "now", "is", "was", "to", "be", "will",
];

/// Words of such a sentence that precede the value.
const ENDS_OF_CHANGES: &[&str] = &["now", "to", "is", "it's", "one"];

/// The same in Chinese.
const CHANGES_OF_CHINESE: &[&str] = &["改成了", "改成", "改为", "换成了", "换成"];

/// Most words of such a sentence.
const CHANGE_WORDS_MAX: usize = 10;

/// Words after a label that make the random value after them public.
pub const PUBLIC: &[&str] = &[
    "commit", "sha", "sha1", "sha256", "sha512", "md5", "hash", "checksum", "digest", "fingerprint",
    "revision", "rev", "version", "thumbprint", "public", "id", "uuid", "uid", "integrity", "etag", "block",
    "tx", "address",
];

/// Words after a password label that change its meaning to something about passwords.
const ABOUT: &[&str] = &[
    "manager", "managers", "hash", "hashes", "hashing", "policy", "policies", "length", "rules", "reset",
    "strength", "generator", "encryption", "field", "column", "input", "form", "está", "rotation", "expiry",
    "tip", "tips",
];

/// Most words and bytes between a label and the separator or copula after it.
const TAIL_WORDS_MAX: usize = 8;
const TAIL_BYTES_MAX: usize = 90;

/// Longest word that describes the value after it.
const WORD_BYTES_MAX: usize = 11;

/// The text between a label and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Joint {
    /// `=`, `:` or an adjacent cell.
    Sign,
    /// A separator with words before it, or a copula.
    Words,
    /// Only blanks, or a few words.
    Blank,
    /// The end of a line.
    Line,
}

/// The connection of a label of `kind`, whose name ends at `at`, to the following text, and where that begins. The
/// label may be in a separate tag, as in `<password>`. `read` moves to the end of the text read as a value.
pub fn joint(text: &str, kind: Kind, in_tag: bool, at: usize, read: &mut usize) -> Option<(Joint, usize)> {
    let end = text.floor_char_boundary(at + TAIL_BYTES_MAX);
    let (mut place, mut words, mut tags) = (at, 0, 0);
    while place < end {
        let c = text[place..].chars().next()?;
        let behind = place + c.len_utf8();
        let next = text[behind..].chars().next();
        let sign = if words == 0 { Joint::Sign } else { Joint::Words };
        match c {
            // `<password: …>` is not a tag.
            ':' | '='
                if in_tag
                    && place == at
                    && (c == '=' || next == Some(' ') || is_random_at(text, behind, read)) =>
            {
                return Some((Joint::Sign, behind));
            }
            '>' if in_tag => return Some((Joint::Sign, behind)),
            // `<password value="…"/>`.
            'v' if in_tag && text[place..].starts_with("value=") => {
                return Some((Joint::Sign, place + "value=".len()));
            }
            _ if in_tag => place = behind,
            // `host://…`.
            ':' if next == Some('/') => return None,
            // A path in code, whose parts are words.
            ':' if next == Some(':') && text.as_bytes().get(place + 2) != Some(&b' ') => {
                return is_random_at(text, place + 2, read).then_some((sign, place + 2));
            }
            '/' if place == at && kind != Kind::Pair => return None,
            // `name/api@sha256:…`.
            '@' if place == at => return None,
            ':' | '=' => return Some((sign, behind_sign(text, kind, behind))),
            // A C array, an R assignment.
            '[' if place == at && array(&text[place..]) > 0 => place += array(&text[place..]),
            '<' if words == 0 && text[behind..].starts_with("- ") => return Some((sign, behind + 1)),
            '：' | '＝' | '→' | '➜' | '➡' | '⇒' | '»' | '|' => return Some((sign, behind)),
            '–' | '—' | '·' => return Some((Joint::Words, behind)),
            '-' if matches!(next, Some(' ' | '>')) => {
                return Some((Joint::Words, behind + usize::from(next == Some('>'))));
            }
            '是' | '为' | '為' | 'は' | 'が' => match question(&text[behind..]) {
                0 => return Some((Joint::Words, behind)),
                len => place = behind + len,
            },
            '改' | '换' => {
                let change = CHANGES_OF_CHINESE.iter().find(|word| text[place..].starts_with(**word))?;
                return Some((Joint::Words, place + change.len()));
            }
            '는' | '은' | '이' | '가' if place == at && next == Some(' ') => {
                return Some((Joint::Words, behind));
            }
            'を' => return Some((Joint::Words, behind)),
            '「' | '『' | '【' if place == at => return Some((sign, behind)),
            ',' if text[behind..].trim_start_matches(' ').starts_with(['"', '\'']) => {
                return Some((sign, behind));
            }
            '.' if place == at && next == Some(':') => place = behind,
            '.' if next == Some('.') => return Some((Joint::Words, behind_dots(text, place))),
            '\n' => return Some(over_line_end(text, kind, at..place)),
            '<' if text[place..].starts_with("<!--") => {
                place += text[place..end].find("-->").map_or(1, |close| close + "-->".len());
            }
            '(' if matches!(next, Some('"' | '\'')) || is_sole_value(&text[behind..], kind) => {
                return Some((sign, behind));
            }
            '(' if kind == Kind::Password && behind_still(text, behind) > behind => {
                return Some((Joint::Words, behind_still(text, behind)));
            }
            '(' => place += text[place..end].find(')').map_or(1, |close| close + 1),
            // `Password [wifi]: …`.
            '[' if words == 0 && kind == Kind::Password => {
                place += text[place..end].find("]:").map(|close| close + 1)?;
            }
            '>' if kind == Kind::Password && next == Some(' ') && text[at..place].trim().is_empty() => {
                return Some((Joint::Words, behind));
            }
            '<' if tag(&text[place..]) > 0 => {
                tags += 1;
                place += tag(&text[place..]);
            }
            // `<property name="password">`, `<string name="api_key">`.
            '>' if text[..place].ends_with(['"', '\'']) && words == 0 => {
                tags += 1;
                place = behind;
            }
            '{' if text[behind..].trim_start_matches([' ', '\r']).starts_with('\n') => place = behind,
            '%' if text[place..].starts_with("%3D") || text[place..].starts_with("%3d") => {
                return Some((sign, place + 3));
            }
            c if c.is_whitespace() => place = behind,
            '"' | '\'' | '`' | '*' | '_' | ')' | ']' | '\\' | ',' | '?' | '？' => place = behind,
            ';' if kind == Kind::Password && words > 0 => place = behind,
            '.' | ';' | '!' | '<' | '>' | '{' | '}' | '[' => return None,
            _ => {
                let (behind, counts) = match by_word(text, kind, place..end, words, tags > 0, read)? {
                    Word::Joins(joint, at) => return Some((joint, at)),
                    Word::Passed(behind) => (behind, behind > place + 1),
                };
                words += usize::from(counts);
                if words > TAIL_WORDS_MAX {
                    return None;
                }
                place = behind;
            }
        }
    }
    None
}

/// Whether a random value is at `at`. `read` moves to its end.
fn is_random_at(text: &str, at: usize, read: &mut usize) -> bool {
    let Some(value) = (Reader { text, at }).value() else { return false };
    *read = value.end;
    (Strength { is_password: false, is_sure: false }).holds(&text[value])
}

/// The position after separators and type declarations before `behind`, and after words that mark the value as
/// current.
fn behind_sign(text: &str, kind: Kind, behind: usize) -> usize {
    let more = text[behind..].chars().take_while(|c| matches!(c, '=' | '>' | ':')).count();
    let at = declared(text, behind + more);
    if kind == Kind::Password { behind_still(text, at) } else { at }
}

/// The position after dots at `place` that lead to a value, as in `Password ..... x`, and after their separator.
fn behind_dots(text: &str, place: usize) -> usize {
    let behind = place + text[place..].bytes().take_while(|byte| *byte == b'.').count();
    behind + usize::from(text.as_bytes().get(behind) == Some(&b':'))
}

/// The connection across the line end after `tail`, the text after the label: the next line may have the value.
fn over_line_end(text: &str, kind: Kind, tail: Range<usize>) -> (Joint, usize) {
    let below = tail.end + 1;
    let is_asked = kind == Kind::Password && text[tail.clone()].trim_end().ends_with(['?', '？']);
    let line = if is_asked { behind_still(text, behind_speaker(text, below)) } else { below };
    let said = behind_copulas(text, behind_pronoun(text, line));
    if said > below { (Joint::Words, said) } else { (Joint::Line, tail.end) }
}

/// The role of a word between a label and a value.
enum Word {
    /// A value begins at it.
    Joins(Joint, usize),
    /// It describes the value, which may follow it.
    Passed(usize),
}

/// The role of the first word of `span`, after a label of `kind` and that many `words`; `None` if no value follows.
/// `read` moves to the end of the text examined as a value.
fn by_word(
    text: &str,
    kind: Kind,
    span: Range<usize>,
    words: usize,
    is_tagged: bool,
    read: &mut usize,
) -> Option<Word> {
    let (place, rest) = (span.start, &text[span]);
    let stop =
        |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '：' | ',' | ')' | '|' | '"' | '`' | '<');
    let word = &rest[..rest.find(stop).unwrap_or(rest.len())];
    let lower = if word.len() <= WORD_BYTES_MAX { word.to_lowercase() } else { String::new() };
    if kind == Kind::Password
        && words == 0
        && let Some(behind) = behind_change(text, place)
    {
        return Some(Word::Joins(Joint::Words, behind));
    }
    let is_before_sign = || {
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        line.contains(": ") || line.contains(" = ")
    };
    if COPULAS.contains(&lower.as_str()) && !(PREPOSITIONS.contains(&lower.as_str()) && is_before_sign()) {
        let said = behind_still(text, place + word.len());
        return Some(Word::Joins(Joint::Words, behind_copulas(text, said)));
    }
    if words == 0 && is_tagged {
        return Some(Word::Joins(Joint::Sign, place));
    }
    let value = Reader { text, at: place }.value()?;
    *read = value.end;
    if is_value_alone(text, kind, place, value, words) {
        return Some(Word::Joins(Joint::Blank, place));
    }
    let is_other = kind == Kind::Password && words == 0 && ABOUT.contains(&lower.as_str());
    if PUBLIC.contains(&lower.as_str()) && kind == Kind::Key || is_other {
        return None;
    }
    Some(Word::Passed(place + word.len().max(rest.chars().next()?.len_utf8())))
}

/// Whether `value`, which begins with the word at `place`, is a value without a separator.
fn is_value_alone(text: &str, kind: Kind, place: usize, value: Range<usize>, words: usize) -> bool {
    let said = &text[value.clone()];
    let is_at_line_end = || Reader { text, at: value.end }.is_at_line_end();
    let is_password = matches!(kind, Kind::Password | Kind::Pair) && words == 0;
    let is_quoted = text[..value.start].ends_with(['"', '\'', '`']);
    let is_sure = kind == Kind::Password && (is_quoted || is_at_line_end()) && !is_name_of_code(said);
    let is_number = kind == Kind::Number && words == 0 && said.starts_with(|c: char| c.is_ascii_digit());
    let is_in_groups = kind != Kind::Number
        && (words == 0 || text.as_bytes().get(place + 2) == Some(&b' '))
        && groups(text, place, false).is_some();
    let is_code = kind == Kind::Codes && words == 0 && is_code_alone(said);
    // A word with a number at the end of the line, directly after the label or after its purpose.
    let is_last = || {
        kind == Kind::Password
            && words < 2
            && is_at_line_end()
            && is_small_word_with_number(said)
            && said.bytes().filter(u8::is_ascii_digit).count() > 1
    };
    let is_id = words == 0 && kind != Kind::Pair && is_uuid(said);
    is_in_groups
        || is_number
        || is_id
        || is_last()
        || is_code
        || (Strength { is_password, is_sure: is_password && is_sure }).holds(said)
}

/// The position after words at `at` that mark the value as current, with or without brackets or a colon: `still …`,
/// `(new) …`. Otherwise `at`.
fn behind_still(text: &str, at: usize) -> usize {
    let mut behind = at;
    for _ in 0..STILL_WORDS_MAX {
        let rest = text[behind..].trim_start_matches([' ', '*', '_', '(']);
        let near = &rest[..rest.floor_char_boundary(WORD_BYTES_MAX + 1)];
        let word = &near[..near.find([' ', ':', ')', '\n', '\u{fe0f}']).unwrap_or(near.len())];
        let value = rest[word.len()..].trim_start_matches(['\u{fe0f}', ':', ')', '*']);
        let is_before_value =
            value.starts_with(' ') && !value.trim_start_matches(' ').starts_with(['\n', '\r']);
        if !is_before_value || !STILL.contains(&word.to_lowercase().as_str()) {
            break;
        }
        behind = text.len() - value.len();
    }
    behind
}

/// Most words of such a mark.
const STILL_WORDS_MAX: usize = 2;

/// The length of words that turn the preceding text into a question: `密码是多少？`.
fn question(rest: &str) -> usize {
    const QUESTIONS: &[&str] = &["多少", "什么", "什麼", "啥", "几", "何", "なに", "なん"];
    let word = QUESTIONS.iter().find(|word| rest.starts_with(**word)).map_or(0, |word| word.len());
    let near = &rest[word..rest.floor_char_boundary(word + WORD_BYTES_MAX)];
    near.find(['?', '？']).map_or(0, |at| if word > 0 { word + at } else { 0 })
}

/// The position after a leading `It` or similar of the next line, otherwise `at`.
fn behind_pronoun(text: &str, at: usize) -> usize {
    let rest = text[at..].trim_start_matches(['\n', ' ', '\r', '>']);
    let start = text.len() - rest.len();
    let pronoun = PRONOUNS.iter().find(|word| rest.starts_with(**word));
    pronoun.map_or(at, |word| start + word.len())
}

/// The position after the speaker's name on the next line, if only a word or a sentence about it follows: `> **Bob:**
/// …`. Otherwise `at`.
fn behind_speaker(text: &str, at: usize) -> usize {
    let rest = text[at..].trim_start_matches(['\n', ' ', '\r', '>', '-', '*', '_']);
    let near = &rest[..rest.floor_char_boundary(SPEAKER_BYTES_MAX)];
    let name = &near[..near.find(|c: char| !c.is_alphanumeric() && c != ' ').unwrap_or(near.len())];
    let behind = rest[name.len()..].trim_start_matches(['*', '_']);
    let Some(behind) = behind.strip_prefix([':', '：']).filter(|_| !name.is_empty()) else { return at };
    text.len() - behind.trim_start_matches(['*', '_', ' ']).len()
}

/// Most bytes of a speaker's name.
const SPEAKER_BYTES_MAX: usize = 32;

/// Words that refer to the subject of a heading.
const PRONOUNS: &[&str] = &["It ", "it ", "This ", "Es ", "Das "];

/// The position after the copulas of `text` at `at`, and after a colon: `is now`, `is:`.
fn behind_copulas(text: &str, at: usize) -> usize {
    let mut behind = at;
    loop {
        let rest = text[behind..].trim_start_matches(' ');
        let near = &rest[..rest.floor_char_boundary(WORD_BYTES_MAX + 1)];
        let word = &near[..near.find([' ', ':', '\n']).unwrap_or(near.len())];
        let start = text.len() - rest.len();
        let is_still = behind_still(text, behind);
        if is_still > behind && behind > at {
            behind = is_still;
            continue;
        }
        if word.len() > WORD_BYTES_MAX || !COPULAS.contains(&word.to_lowercase().as_str()) {
            return if rest.starts_with(':') && !rest.starts_with(":/") { start + 1 } else { behind };
        }
        behind = start + word.len();
    }
}

/// The position after `was reset, now` and similar words about a changed password. `None` if there are none.
fn behind_change(text: &str, at: usize) -> Option<usize> {
    let (mut place, mut is_changed, mut behind) = (at, false, None);
    for _ in 0..CHANGE_WORDS_MAX {
        let rest = text[place..].trim_start_matches([' ', ',', ';', ':', '.', '-', '–', '—']);
        let start = text.len() - rest.len();
        let near = &rest[..rest.floor_char_boundary(WORD_BYTES_MAX + 1)];
        let is_of_word = |c: char| c.is_ascii_alphabetic() || matches!(c, '\'' | '’');
        let word = near[..near.find(|c| !is_of_word(c)).unwrap_or(near.len())]
            .to_ascii_lowercase()
            .replace('’', "'");
        let is_change = CHANGES.contains(&word.as_str());
        let is_whole = near[..]
            .chars()
            .find(|c| !is_of_word(*c))
            .is_none_or(|c| c.is_whitespace() || ",;:.-–—".contains(c));
        if start > place + 4 || !is_whole || !is_change && !AROUND_CHANGES.contains(&word.as_str()) {
            break;
        }
        is_changed |= is_change;
        place = start + near.find(|c| !is_of_word(c)).unwrap_or(near.len());
        if is_changed && ENDS_OF_CHANGES.contains(&word.as_str()) {
            let sign = text[place..].starts_with(':') && !text[place..].starts_with(":/");
            behind = Some(place + usize::from(sign));
        }
    }
    behind
}

/// Whether `rest`, after an open bracket, is one strong value up to the closing bracket.
fn is_sole_value(rest: &str, kind: Kind) -> bool {
    let near = &rest[..rest.floor_char_boundary(TAIL_BYTES_MAX)];
    let inside = near.split_once(')').map(|(inside, _)| inside);
    let strength = Strength { is_password: matches!(kind, Kind::Password | Kind::Pair), is_sure: true };
    inside.is_some_and(|inside| !inside.contains(' ') && strength.holds(inside))
}
