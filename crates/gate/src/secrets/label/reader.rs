//! Reads the values of a line: tokens without surrounding quotes, marks and tags, and values in groups.
//!
//! Invariant: a token is no longer than [`VALUE_BYTES_MAX`], a tag than [`TAG_BYTES_MAX`].

use std::ops::Range;

use super::field::parts_fields;

/// Most bytes of a value, and of an HTML tag.
const VALUE_BYTES_MAX: usize = 4_096;
const TAG_BYTES_MAX: usize = 120;

/// Most tags that are skipped before a value or after it: it bounds what is read for one label.
const TAGS_MAX: usize = 16;

/// Most line ends between a label and its value; more are allowed after a word for a password.
pub const LINES_MAX: usize = 3;
pub const PASSWORD_LINES_MAX: usize = 4;

/// Endings of Korean and Japanese sentences after a value.
const ENDS_OF_SENTENCES: &[&str] = &["입니다", "이에요", "예요", "です"];

/// Most bytes of a line that begins a YAML block, including blanks.
const BLOCK_MARK_BYTES_MAX: usize = 8;

/// The length of the tag at the start of `text`, 0 if there is none.
pub fn tag(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_tag = bytes.first() == Some(&b'<')
        && bytes.get(1).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/');
    let inside =
        bytes.iter().take(TAG_BYTES_MAX).skip(1).take_while(|byte| !matches!(byte, b'<' | b'>' | b'\n'));
    let end = 1 + inside.count();
    if is_tag && bytes.get(end) == Some(&b'>') { end + 1 } else { 0 }
}

/// Most bytes of the line that opens a fence.
const FENCE_BYTES_MAX: usize = 600;

/// Reads the tokens of a line.
pub struct Reader<'t> {
    pub text: &'t str,
    pub at: usize,
}

/// What an answer begins with.
const ANSWERS: &[&str] = &["答：", "答:", "A：", "A: ", "答え："];

/// Punctuation after a value that is not part of it.
const BEHIND: [char; 6] = [')', ']', '}', '*', ':', '\\'];

/// Fewest bytes of a value that is read without the full stop after it.
const STOPPED_BYTES_MIN: usize = 8;

/// Characters that end an ASCII value without a blank: words of scripts without blanks, punctuation, emoji. Accented
/// Latin letters may be part of a password.
fn is_of_no_value(c: char) -> bool {
    !c.is_ascii() && !matches!(c, '\u{c0}'..='\u{24f}' if c.is_alphabetic())
}

/// Marks that close an open quote.
fn closes(open: char) -> &'static [char] {
    match open {
        '“' => &['”'],
        '„' => &['“', '”'],
        '«' => &['»'],
        '「' => &['」'],
        '\'' => &['\''],
        '`' => &['`'],
        _ => &['"'],
    }
}

/// The length of an underline that makes the line above it a heading.
fn underline(rest: &str) -> Option<usize> {
    let line = rest.bytes().take(FENCE_BYTES_MAX).take_while(|byte| *byte != b'\n').count();
    let line = rest.get(..line)?.trim_end();
    let is_of = |mark: u8| line.len() >= 2 && line.bytes().all(|byte| byte == mark);
    (is_of(b'-') || is_of(b'=')).then_some(line.len())
}

/// The length of the mark of a numbered list.
fn number_mark(rest: &str) -> Option<usize> {
    let digits = rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
    let behind = rest.get(digits..)?;
    (digits > 0 && (behind.starts_with(". ") || behind.starts_with(") "))).then_some(digits + 2)
}

impl Reader<'_> {
    fn skip(&mut self, what: fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(what).len();
    }

    /// Moves past quotes and separators between a field name and its value.
    pub fn skip_signs(&mut self) {
        self.skip(|c| matches!(c, '"' | '\'' | '`' | ' ' | ':' | '='));
    }

    /// Moves past blanks, and past that many line ends with list, quote or fence markers. Returns whether there was
    /// one.
    pub fn skip_line_ends(&mut self, lines_max: usize) -> bool {
        let mut lines = 0;
        loop {
            self.skip(|c| matches!(c, ' ' | '\t' | '\u{a0}' | '*' | '_' | '\\' | '\r' | '?'));
            if lines == 0 {
                self.skip_block_mark();
            }
            let rest = &self.text[self.at..];
            if rest.starts_with('\n') && lines < lines_max {
                lines += 1;
                self.at += 1;
                self.skip(|c| matches!(c, ' ' | '\t' | '>' | '\r'));
                let rest = &self.text[self.at..];
                if rest.starts_with("```") || rest.starts_with("~~~") {
                    let line = &rest[..rest.floor_char_boundary(FENCE_BYTES_MAX)];
                    self.at += line.find('\n').unwrap_or(line.len());
                } else if let Some(len) = underline(rest) {
                    self.at += len;
                    lines -= 1;
                } else if let Some(len) = number_mark(rest) {
                    self.at += len;
                } else if rest.starts_with("- ")
                    || rest.starts_with("* ")
                    || rest.starts_with("+ ")
                    || rest.starts_with(": ")
                {
                    self.at += 2;
                }
                continue;
            }
            return lines > 0;
        }
    }

    /// Moves past `|`, `>-` and similar if they begin a YAML block.
    fn skip_block_mark(&mut self) {
        let rest = &self.text[self.at..];
        let len = rest.bytes().take(BLOCK_MARK_BYTES_MAX).take_while(|byte| *byte != b'\n').count();
        let line = rest.get(..len).unwrap_or_default().trim_end();
        if matches!(
            line,
            "|" | ">"
                | "|-"
                | ">-"
                | "|+"
                | ">+"
                | "{"
                | "("
                | "<<EOT"
                | "<<EOF"
                | "<<-EOT"
                | "<<~EOT"
                | "\"\"\""
                | "'''"
        ) {
            self.at += line.len();
            self.skip(|c| matches!(c, ' ' | '\r'));
        }
    }

    pub fn is_at_line_end(&self) -> bool {
        let mut rest = &self.text[self.at..];
        for _ in 0..=TAGS_MAX {
            rest = rest.trim_start_matches([
                ' ', '\t', '"', '\'', '`', '*', ';', ',', ')', '”', '“', '»', '|', '}', ']', '~',
            ]);
            match tag(rest) {
                0 => {
                    let is_sentence = ENDS_OF_SENTENCES.iter().any(|end| rest.starts_with(end));
                    return rest.is_empty() || rest.starts_with(['\n', '\r']) || is_sentence;
                }
                len => rest = &rest[len..],
            }
        }
        false
    }

    /// Whether the token ends a sentence or its line, apart from a remark in brackets.
    pub fn is_at_sentence_end(&self) -> bool {
        self.text[..self.at].ends_with(['.', '!', '?']) || self.is_at_line_end_or_remark()
    }

    /// Whether at most a remark in brackets follows the token on its line.
    pub fn is_at_line_end_or_remark(&self) -> bool {
        let rest = self.text[self.at..].trim_start_matches([' ', '\t', '`', '*', '"', '\'']);
        self.is_at_line_end() || rest.starts_with('(')
    }

    /// The next token, without the quotes and marks around it. `None` at the end of the line.
    pub fn value(&mut self) -> Option<Range<usize>> {
        for _ in 0..=TAGS_MAX {
            let before = self.at;
            self.skip(|c| {
                matches!(
                    c,
                    ' ' | '\t'
                        | '\u{a0}'
                        | '*'
                        | '_'
                        | '('
                        | ','
                        | '/'
                        | '|'
                        | '\\'
                        | '='
                        | '['
                        | '>'
                        | '？'
                        | '《'
                        | '〈'
                        | '【'
                        | '（'
                        | '‘'
                        | '‹'
                )
            });
            // A value that was struck out may still be valid.
            if self.text[self.at..].starts_with("~~") {
                self.at += "~~".len();
            }
            if let Some(mark) = ANSWERS.iter().find(|mark| self.text[self.at..].starts_with(**mark)) {
                self.at += mark.len();
            }
            self.at += tag(&self.text[self.at..]);
            let rest = &self.text[self.at..];
            if let Some(mark) = ["<%", "<![CDATA["].iter().find(|mark| rest.starts_with(**mark)) {
                self.at += mark.len();
            }
            if rest.starts_with("{\"") || rest.starts_with("$'") {
                self.at += 1;
            }
            if let Some(mark) = ["base64:", "!!binary "].iter().find(|mark| rest.starts_with(**mark)) {
                self.at += mark.len();
            }
            // A string of a language: `b'…'`, `f"…"`.
            let bytes = rest.as_bytes();
            if bytes.len() > 1 && b"bfruL@".contains(&bytes[0]) && matches!(bytes[1], b'"' | b'\'') {
                self.at += 1;
            }
            if self.at == before {
                break;
            }
        }
        let quote = self.text[self.at..]
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\'' | '`' | '“' | '«' | '„' | '「'));
        if quote.is_some() {
            self.skip(|c| matches!(c, '"' | '\'' | '`' | '*' | '“' | '«' | '„' | '「' | ' '));
        }
        let rest = &self.text[self.at..];
        let start = self.at;
        let ends = |at: usize, c: char| {
            c.is_whitespace()
                || quote.map_or(
                    matches!(
                        c,
                        '"' | '\''
                            | '`'
                            | ','
                            | ';'
                            | '<'
                            | '>'
                            | '|'
                            | '，'
                            | '。'
                            | '、'
                            | '）'
                            | '」'
                            | '』'
                            | '】'
                    ) || c == '&' && parts_fields(self.text, start, start + at),
                    |open| closes(open).contains(&c),
                )
        };
        let is_ascii = rest.starts_with(|c: char| c.is_ascii_graphic());
        let end = rest
            .char_indices()
            .find(|(at, c)| *at >= VALUE_BYTES_MAX || ends(*at, *c) || is_ascii && is_of_no_value(*c))
            .map_or(rest.len(), |(at, _)| at);
        if end == 0 {
            return None;
        }
        self.at += end;
        let word = self.text[start..start + end].trim_end_matches(BEHIND);
        let word = word.strip_suffix("~~").unwrap_or(word);
        // The full stop belongs to the sentence. After a number it may belong to a date, and a short value includes
        // it.
        let stopped = word.trim_end_matches('.').trim_end_matches(BEHIND);
        let is_number = stopped.bytes().all(|byte| byte.is_ascii_digit());
        let word = if is_number || stopped.len() < STOPPED_BYTES_MIN { word } else { stopped };
        let Some((shown, target)) = word.split_once("](").or_else(|| word.split_once("][")) else {
            return Some(start..start + word.len());
        };
        let is_address = target.contains(['/', ':', '#', '.']) || word[shown.len()..].starts_with("][");
        Some(match (is_address, self.text[..start].ends_with('[')) {
            // The target of a link may be the value: `[link](…)`.
            (false, _) => start + word.len() - target.len()..start + word.len(),
            // A link in place of a value has no value.
            (true, true) => start..start + word.len(),
            // The label is in the link as well: `[token: …](https://…)`.
            (true, false) => start..start + shown.len(),
        })
    }
}

/// Fewest and most groups of a value in groups, and the lengths of a group.
const GROUPS: Range<usize> = 3..17;
const GROUP_CHARS: Range<usize> = 3..13;

/// A value in groups of one length, separated by blanks or hyphens, as authenticators, stores and banks print them:
/// `ABCD-2345-…`. With `small`, groups of only lower-case letters count too.
pub fn groups(text: &str, at: usize, small: bool) -> Option<Range<usize>> {
    let start = at + text[at..].len()
        - text[at..].trim_start_matches([' ', '\t', '"', '\'', '`', '*', '\u{a0}']).len();
    let bytes = text.as_bytes();
    let group = |at: usize| {
        bytes[at..].iter().take(GROUP_CHARS.end).take_while(|byte| byte.is_ascii_alphanumeric()).count()
    };
    let len = group(start);
    if len == 2 {
        return pairs(text, start);
    }
    if len == 0 {
        return numbers(text, start);
    }
    if !GROUP_CHARS.contains(&len) {
        return None;
    }
    let mark = *bytes.get(start + len).filter(|byte| matches!(byte, b' ' | b'-'))?;
    let (mut end, mut count) = (start + len, 1);
    while count < GROUPS.end && bytes.get(end) == Some(&mark) && group(end + 1) == len {
        end += 1 + len;
        count += 1;
    }
    let value = &text[start..end];
    let digits =
        value.split(char::from(mark)).filter(|group| group.bytes().any(|byte| byte.is_ascii_digit())).count();
    let is_drawn = |group: &str| {
        group.bytes().any(|byte| byte.is_ascii_digit())
            || group[1..].bytes().any(|byte| byte.is_ascii_uppercase())
    };
    let is_mixed = len >= 6 && digits >= 1 && value.split(char::from(mark)).all(is_drawn);
    let is_upper = value.bytes().all(|byte| !byte.is_ascii_lowercase()) && len >= 4;
    let fits = digits >= 2
        || is_mixed
        || is_upper && digits >= 1
        || small && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == mark);
    (count >= GROUPS.start && fits && !bytes.get(end).is_some_and(u8::is_ascii_alphanumeric))
        .then_some(start..end)
}

/// Lengths of a key that is written as numbers, in bytes.
const KEY_LENGTHS: [usize; 5] = [16, 24, 32, 48, 64];

/// Fewest bytes of a key that is written in pairs of hex digits.
const KEY_BYTES_MIN: usize = 12;

/// A key in pairs of hex digits: `4f:ba:…`.
pub fn pairs(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mark = *bytes.get(start + 2).filter(|byte| matches!(byte, b' ' | b':' | b'-'))?;
    let is_pair =
        |at: usize| bytes.get(at..at + 2).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
    let (mut end, mut count) = (start, 0);
    while is_pair(end) && bytes.get(end + 2).is_none_or(|byte| !byte.is_ascii_alphanumeric()) {
        count += 1;
        end += 2;
        if bytes.get(end) != Some(&mark) || !is_pair(end + 1) {
            break;
        }
        end += 1;
    }
    (count >= KEY_BYTES_MIN).then_some(start..end)
}

/// A key as numbers in brackets: `[12, 250, …]`, `{0x4f, …}`.
pub fn numbers(text: &str, start: usize) -> Option<Range<usize>> {
    const NUMBERS_BYTES_MAX: usize = 600;
    let bytes = text.as_bytes();
    bytes.get(start).filter(|byte| matches!(byte, b'[' | b'{'))?;
    let inside = bytes[start + 1..].iter().take(NUMBERS_BYTES_MAX);
    let is_of_number =
        |byte: &&u8| byte.is_ascii_hexdigit() || matches!(**byte, b'x' | b',' | b' ' | b'\n' | b'\r' | b'\t');
    let end = start + 1 + inside.take_while(is_of_number).count();
    bytes.get(end).filter(|byte| matches!(byte, b']' | b'}'))?;
    let numbers = text[start + 1..end].split(',').map(str::trim).filter(|number| !number.is_empty());
    let byte = |number: &str| match number.strip_prefix("0x") {
        Some(hex) => u8::from_str_radix(hex, 16).ok(),
        None => number.parse::<u8>().ok(),
    };
    let key: Vec<u8> = numbers.map(byte).collect::<Option<_>>()?;
    // Increasing numbers are an index.
    let is_index = key.windows(2).all(|pair| pair[0] < pair[1]);
    (KEY_LENGTHS.contains(&key.len()) && !is_index).then_some(start + 1..end)
}
