//! Finds the runs of marks in bytes, in order, in one pass.
//!
//! The first byte selects the possible marks, so most bytes are read once. One regex would try each alternative at
//! each byte, and read hundreds of bytes after each unclosed comment. Invariants: the runs equal those of the test
//! grammar, which is one regex; the work is linear in the bytes.

use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::edges::char_after;

/// JSON escapes of invisible characters.
const INVISIBLE_ESCAPE: &str = r"\\u(?:00ad|034f|061c|115f|1160|17b4|17b5|180[b-f]|200[b-f]|202[a-e]|206[0-9a-f]|3164|fe0[0-9a-f]|feff|ffa0|fff[0-8])|\\udb4[0-3]\\ud[c-f][0-9a-f]{2}";

/// HTML entities of invisible characters.
const INVISIBLE_REFERENCE: &str = "&(?:shy|zwj|zwnj|ZeroWidthSpace|#173|#8203);";

/// The target of a link, with a title; or its reference label.
const TARGET: &str = concat!(
    r#"\((?:[^()<>"'\n\\]|<[^<>\n]*>|\\?"[^"\n]*"|'[^'\n]*'|\\.|\([^()\n]*\)|\r?\n[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^ \t\r\n()<>"'\\]))*\)"#,
    r"|\([^()\n]*\)|\[(?:[^\[\]\n\\]|\\.)*\]|\[[^\]\n]*\]",
);

/// A footnote reference.
const FOOTNOTE: &str = r"\[\^[^\[\]\n]{1,100}\]";

/// The page of a wikilink with an alias.
const ALIAS: &str = r"!?\[\[[^\[\]|\n*~`<>&\\\p{Default_Ignorable_Code_Point}]{1,200}\|";

/// HTML elements and processing instructions.
const ELEMENT: &str =
    r#"</?[a-z](?:[^<>"'\n]|=\s*\\?"[^"\n]*"|=\s*'[^'\n]*')*>|</?[a-z][^<>\n]*>|<[?!][^<>\n]*>"#;

/// A possible HTML entity, also with its `&` JSON-escaped.
const REFERENCE: &str = r"(?:&|\\u0026)#?[a-z0-9]{1,32};";

/// A JSON-escaped character, also in nested JSON.
const ESCAPE: &str =
    r"\\+(?-i:u)(?:[0-9a-ce-f][0-9a-f]{3}|d[0-7][0-9a-f]{2}|d[89ab][0-9a-f]{2}\\+(?-i:u)d[c-f][0-9a-f]{2})";

/// Longest comment with elements in it, in bytes; limits the cost of unclosed comments.
const COMMENT_BYTES_MAX: usize = 400;

/// `\p{Default_Ignorable_Code_Point}`: soft hyphens, zero-width characters and others.
const IGNORABLE: &[RangeInclusive<char>] = &[
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fff8}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

fn is_ignorable(c: char) -> bool {
    let after = IGNORABLE.partition_point(|range| *range.start() <= c);
    after > 0 && IGNORABLE[after - 1].contains(&c)
}

/// Adjacent marks, or another text that is displayed differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
}

/// The kind of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The start of a quotation line, after a line end.
    Quotation,
    /// A line end with surrounding blanks, or its symbol in logs.
    LineEnd,
    /// A possible HTML entity or JSON escape.
    Character,
    /// Marks, classified by the most visible of them.
    Marks(Mark),
}

/// How a mark is displayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// An invisible character.
    Invisible,
    /// Never displayed: comments, elements, link targets.
    Unseen,
    /// Emphasis, strikethrough or highlight, where it may be inside a word.
    Emphasis,
    /// A mark only next to a word: code, brackets without a target, `_`, escaped marks.
    Touching,
}

/// Regexes for longer marks, anchored at their first byte.
struct Patterns {
    invisible_escape: Regex,
    invisible_reference: Regex,
    closing: Regex,
    footnote: Regex,
    alias: Regex,
    element: Regex,
    reference: Regex,
    escape: Regex,
}

fn patterns() -> Option<&'static Patterns> {
    static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
        let first = |pattern: &str| Regex::new(&format!("(?i)^(?:{pattern})")).ok();
        Some(Patterns {
            invisible_escape: first(INVISIBLE_ESCAPE)?,
            invisible_reference: first(INVISIBLE_REFERENCE)?,
            closing: first(&format!(r"\](?:{TARGET})"))?,
            footnote: first(FOOTNOTE)?,
            alias: first(ALIAS)?,
            element: first(ELEMENT)?,
            reference: first(REFERENCE)?,
            escape: first(ESCAPE)?,
        })
    });
    PATTERNS.as_ref()
}

/// The runs in bytes; `None` if the regexes cannot be compiled.
pub(super) fn runs(bytes: &[u8]) -> Option<Runs<'_>> {
    let patterns = patterns()?;
    let mut links = patterns.links(bytes);
    // In reverse order.
    links.reverse();
    Some(Runs { bytes, patterns, links, at: 0, comment_end: 0 })
}

/// An iterator over the runs, in order.
pub(super) struct Runs<'b> {
    bytes: &'b [u8],
    patterns: &'static Patterns,
    /// Starts of link brackets not yet passed, in reverse order.
    links: Vec<usize>,
    at: usize,
    /// The first comment end not before the position of the last search.
    comment_end: usize,
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        while let Some(byte) = self.bytes.get(self.at) {
            let start = self.at;
            let found = match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.line_end(start),
                b'\\' => self.backslashes(start),
                b'&' => self.marks(start).or_else(|| self.character(start, &self.patterns.reference)),
                b'<' | b'[' | b'!' | b']' | b'*' | b'~' | b'=' | b'_' | b'`' => self.marks(start),
                0x80.. => self.line_end(start).or_else(|| self.marks(start)),
                _ => None,
            };
            if let Some((end, kind)) = found {
                self.at = end;
                return Some(Run { span: start..end, kind });
            }
            // If no run starts at the first of several blanks or backslashes, none starts at the next.
            self.at = match byte {
                b' ' | b'\t' => behind(self.bytes, start, is_blank),
                b'\\' => (behind(self.bytes, start, |byte| byte == b'\\') - 1).max(start + 1),
                _ => start + 1,
            };
        }
        None
    }
}

/// End and kind of a run.
type Rest = (usize, Kind);

impl Runs<'_> {
    /// A line end with surrounding blanks, and the start of a quotation on the next line.
    fn line_end(&self, at: usize) -> Option<Rest> {
        let mut at = behind(self.bytes, at, is_blank);
        let ends: [&[u8]; 5] = [b"\n", b"\r\n", br"\n", br"\N", "⏎".as_bytes()];
        at += ends.iter().find(|end| self.bytes[at..].starts_with(end))?.len();
        at = behind(self.bytes, at, is_blank);
        if self.bytes.get(at) != Some(&b'>') {
            return Some((at, Kind::LineEnd));
        }
        Some((behind(self.bytes, at, |byte| byte == b'>' || is_blank(byte)), Kind::Quotation))
    }

    fn backslashes(&mut self, at: usize) -> Option<Rest> {
        match self.bytes.get(at + 1)? {
            b'\\' => self.character(at, &self.patterns.escape),
            b'n' | b'N' => self.line_end(at),
            b'u' | b'U' => self
                .marks(at)
                .or_else(|| self.character(at, &self.patterns.reference))
                .or_else(|| self.character(at, &self.patterns.escape)),
            _ => self.marks(at),
        }
    }

    fn character(&self, at: usize, pattern: &Regex) -> Option<Rest> {
        Some((at + length(pattern, &self.bytes[at..])?, Kind::Character))
    }

    /// The marks at `at`.
    fn marks(&mut self, at: usize) -> Option<Rest> {
        let (mut end, mut most) = (at, None);
        while let Some((length, mark)) = self.mark(end) {
            end += length;
            most = most.max(Some(mark));
        }
        Some((end, Kind::Marks(most?)))
    }

    /// One mark, and its length.
    fn mark(&mut self, at: usize) -> Option<(usize, Mark)> {
        let bytes = &self.bytes[at..];
        let next = bytes.get(1).copied();
        let patterns = self.patterns;
        let with = |mark| move |length| (length, mark);
        let repeated = |sign: u8| behind(bytes, 0, |byte| byte == sign);
        match *bytes.first()? {
            b'<' => {
                let comment = if bytes.starts_with(b"<!--") { self.comment(at) } else { None };
                comment.or_else(|| length(&patterns.element, bytes)).map(with(Mark::Unseen))
            }
            b'&' => length(&patterns.invisible_reference, bytes).map(with(Mark::Invisible)),
            b'\\' => match next? {
                b'*' | b'_' | b'~' | b'[' | b']' | b'`' => Some((2, Mark::Touching)),
                b'u' | b'U' => length(&patterns.invisible_escape, bytes).map(with(Mark::Invisible)),
                _ => None,
            },
            b'[' | b'!' => {
                let opening = if bytes[0] == b'[' { 1 } else { 2 };
                if bytes.get(opening - 1) != Some(&b'[') {
                    return None;
                }
                let unseen = match bytes.get(opening) {
                    Some(b'^') if opening == 1 => length(&patterns.footnote, bytes),
                    Some(b'[') => length(&patterns.alias, bytes),
                    _ => None,
                };
                unseen.map(with(Mark::Unseen)).or_else(|| Some((opening, self.bracket(at))))
            }
            b']' => Some((patterns.closing_length(bytes).unwrap_or(1), self.bracket(at))),
            b'=' if next != Some(b'=') => None,
            b'=' => Some((2, Mark::Emphasis)),
            sign @ (b'*' | b'~') => Some((repeated(sign), Mark::Emphasis)),
            sign @ (b'_' | b'`') => Some((repeated(sign), Mark::Touching)),
            0x80.. => char_after(bytes).filter(|c| is_ignorable(*c)).map(|c| (c.len_utf8(), Mark::Invisible)),
            _ => None,
        }
    }

    /// The kind of the bracket at `at`.
    fn bracket(&mut self, at: usize) -> Mark {
        while self.links.last().is_some_and(|link| *link < at) {
            self.links.pop();
        }
        if self.links.last() == Some(&at) { Mark::Unseen } else { Mark::Touching }
    }

    /// The length of the comment at `at`: up to its end, or a bounded length if elements come first.
    fn comment(&mut self, at: usize) -> Option<usize> {
        let text = at + b"<!--".len();
        let bytes = self.bytes;
        if self.comment_end < text {
            let end = bytes[text..].windows(3).position(|found| found == b"-->");
            #[cfg(test)]
            tests::SOUGHT
                .with(|sought| sought.set(sought.get() + end.map_or(bytes.len() - text, |end| end + 1)));
            self.comment_end = end.map_or(usize::MAX, |end| text + end);
        }
        let within = bytes.get(text..self.comment_end)?;
        let is_near = within.len() <= COMMENT_BYTES_MAX;
        let is_plain = || !within.iter().any(|byte| matches!(byte, b'<' | b'>'));
        let is_closed = is_near || is_plain() && std::str::from_utf8(within).is_ok();
        is_closed.then_some(self.comment_end + b"-->".len() - at)
    }
}

impl Patterns {
    /// Starts of link brackets with a target, and their partners, also nested.
    fn links(&self, bytes: &[u8]) -> Vec<usize> {
        let (mut open, mut links, mut at) = (Vec::new(), Vec::new(), 0);
        while let Some(byte) = bytes.get(at) {
            let next = bytes.get(at + 1);
            at += match byte {
                b'[' => match length(&self.footnote, &bytes[at..]).filter(|_| next == Some(&b'^')) {
                    Some(length) => length,
                    None => {
                        open.push(at);
                        1
                    }
                },
                b'!' if next == Some(&b'[') => {
                    open.push(at);
                    2
                }
                b'\\' if matches!(next, Some(b'[' | b']')) => 2,
                b']' => {
                    let (partner, closing) = (open.pop(), self.closing_length(&bytes[at..]));
                    if closing.is_some() {
                        links.extend(partner.into_iter().chain([at]));
                    }
                    closing.unwrap_or(1)
                }
                _ => 1,
            };
        }
        links.sort_unstable();
        links
    }

    /// The length of a closing bracket with its target.
    fn closing_length(&self, bytes: &[u8]) -> Option<usize> {
        let leads = matches!(bytes.get(1), Some(b'(' | b'['));
        leads.then(|| length(&self.closing, bytes)).flatten()
    }
}

fn length(pattern: &Regex, bytes: &[u8]) -> Option<usize> {
    pattern.find(bytes).map(|found| found.len())
}

/// The first position from `at` whose byte does not match.
fn behind(bytes: &[u8], at: usize, is: impl Fn(u8) -> bool) -> usize {
    at + bytes[at..].iter().take_while(|byte| is(**byte)).count()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    thread_local! {
        /// Bytes searched for the end of a comment.
        pub(super) static SOUGHT: Cell<usize> = const { Cell::new(0) };
    }

    /// Regression: `inwit forget` needed 9 seconds for 8 MiB of unclosed comments: each was read for 400 bytes.
    #[test]
    fn the_end_of_a_comment_is_sought_once() {
        for text in ["<!-- a\n", "<!-- a <", "<!-- <!-- -->", "<!-- a --> "] {
            let text = text.repeat(500);
            SOUGHT.with(|sought| sought.set(0));
            let runs: Vec<Run> = runs(text.as_bytes()).expect("patterns").collect();
            let sought = SOUGHT.with(Cell::get);
            assert!(sought > 0 && sought <= text.len(), "{sought} of {} for {} runs", text.len(), runs.len());
        }
    }

    #[test]
    fn what_nobody_sees_is_what_unicode_says() {
        let class = regex::Regex::new(r"(?i)^\p{Default_Ignorable_Code_Point}$").expect("a class");
        for c in '\0'..=char::MAX {
            assert_eq!(is_ignorable(c), class.is_match(&c.to_string()), "U+{:04X}", u32::from(c));
        }
    }

    /// Reference implementation: one regex with all alternatives in order, without regard to speed.
    fn grammar(bytes: &[u8]) -> Vec<Run> {
        const QUOTATION: &str = r"[ \t]*(?:\r?\n|\\n|⏎)[ \t]*(?:>[ \t]*)+";
        const LINE_END: &str = r"[ \t]*(?:\r?\n|\\n|⏎)[ \t]*";
        const COMMENT: &str = "<!--(?:[^<>]*|(?s-u:.{0,400}?))-->";
        const EMPHASIS: &str = r"\*+|~+|==";
        const LITERAL: &str = r"_+|`+|!?\[|\]|\\[*_~\[\]`]";
        struct Whole {
            any: Regex,
            tokens: Regex,
            brackets: Regex,
        }
        static WHOLE: LazyLock<Whole> = LazyLock::new(|| {
            let of = |pattern: &str| Regex::new(&format!("(?i){pattern}")).expect("a pattern");
            let invisible =
                format!(r"\p{{Default_Ignorable_Code_Point}}|{INVISIBLE_ESCAPE}|{INVISIBLE_REFERENCE}");
            let (unseen, closing) =
                (format!("{COMMENT}|{FOOTNOTE}|{ALIAS}|{ELEMENT}"), format!(r"\](?:{TARGET})"));
            let rest = format!("{closing}|{LITERAL}");
            let token = format!("{unseen}|{invisible}|{closing}|{EMPHASIS}|{LITERAL}");
            Whole {
                any: of(&format!(
                    "(?<q>{QUOTATION})|(?<m>(?:{token})+)|(?<l>{LINE_END})|(?<c>{REFERENCE}|{ESCAPE})"
                )),
                tokens: of(&format!("(?<u>{unseen})|(?<i>{invisible})|(?<e>{EMPHASIS})|(?<t>{rest})")),
                brackets: of(&format!(r"{FOOTNOTE}|\\[\[\]]|!?\[|{closing}|\]")),
            }
        });
        let (mut open, mut links) = (Vec::new(), Vec::new());
        for bracket in WHOLE.brackets.find_iter(bytes) {
            match bracket.as_bytes() {
                [b'\\', ..] | [b'[', b'^', ..] => {}
                [b'[' | b'!', ..] => open.push(bracket.start()),
                closing => {
                    let partner = open.pop();
                    if closing.len() > 1 {
                        links.extend(partner.into_iter().chain([bracket.start()]));
                    }
                }
            }
        }
        let runs = WHOLE.any.captures_iter(bytes).map(|found| {
            let span = found.get(0).expect("all of it").range();
            let kind = match &found {
                found if found.name("q").is_some() => Kind::Quotation,
                found if found.name("l").is_some() => Kind::LineEnd,
                found if found.name("c").is_some() => Kind::Character,
                _ => {
                    let marks = WHOLE.tokens.captures_iter(&bytes[span.clone()]).map(|token| {
                        let start = span.start + token.get(0).expect("all of it").start();
                        match &token {
                            token if token.name("i").is_some() => Mark::Invisible,
                            token if token.name("u").is_some() => Mark::Unseen,
                            token if token.name("e").is_some() => Mark::Emphasis,
                            _ if links.contains(&start) => Mark::Unseen,
                            _ => Mark::Touching,
                        }
                    });
                    Kind::Marks(marks.max().expect("marks"))
                }
            };
            Run { span, kind }
        });
        runs.collect()
    }

    fn check(bytes: &[u8]) {
        let found: Vec<Run> = runs(bytes).expect("patterns").collect();
        assert_eq!(found, grammar(bytes), "{}", String::from_utf8_lossy(bytes));
    }

    #[test]
    fn the_runs_of_long_comments_and_of_bytes_that_are_no_text_are_those_of_the_grammar() {
        for within in [&b"a"[..], b"<a> ", b"\xff", b"- ", b"-> ", "ä".as_bytes()] {
            for length in [0, 1, 2, 3, 396, 397, 398, 399, 400, 401, 402, 403, 900] {
                let within: Vec<u8> = within.iter().copied().cycle().take(length).collect();
                check(&[b"x <!--", &within[..], b"--> y <!--", &within[..], b"--", b"<b>-->"].concat());
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_runs_are_those_of_the_grammar(
            pieces in prop::collection::vec(prop::sample::select(vec![
                &b"a"[..], b"b c", b" ", b"  ", b"\t", b"\n", b"\r\n", b"\r", b"\\", b"\\\\", b"\\n", b"\\N", b">", b"> ",
                b"*", b"**", b"~", b"=", b"==", b"_", b"`", b"!", b"[", b"]", b"(", b")", b"](", b"][", b"[[", b"![", b"|",
                b"[^1]", b"[^", b"<", b"</", b"<b", b"<b>", b"<br>", b"<!--", b"-->", b"--", b"<?x", b"=\"", b"\"", b"'",
                b"&", b"&amp;", b"&shy;", b"&SHY;", "&\u{17f}hy;".as_bytes(), b"&#173;", b"#x62;", b"amp;", b";", b"u00ad", b"\\u00ad",
                b"\\U00AD", b"\\u0026", b"\\u0026amp;", b"\\u0041", b"\\ud83d\\ude00", b"\\udb40\\udc01", b"u200b", b"\\u",
                "\u{ad}".as_bytes(), "\u{200b}".as_bytes(), "é".as_bytes(), "春".as_bytes(), "⏎".as_bytes(), "\u{e0001}".as_bytes(), b"\xc2",
                b"\xad", b"\xff",
            ]), 0..24),
        ) {
            check(&pieces.concat());
        }
    }
}
