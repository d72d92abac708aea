//! Characters that are invisible, or that change how other text is displayed.
//!
//! One table for names, checks, folding and output: default-ignorable and format characters by Unicode property, and
//! a few blank symbols. Some are valid in context: emoji sequences, joiners in Arabic and Indic scripts, a byte order
//! mark. Invariants: [`scan`] reports no character of a valid emoji sequence; [`reveal`] returns no character that a
//! terminal interprets.
//!
//! ```
//! use inwit_model::invisible::{InvisibleKind, reveal, scan};
//!
//! let text = "pay to \u{202e}ecila";
//! assert_eq!(scan(text)[0].kind, InvisibleKind::Bidi);
//! assert_eq!(reveal(text), "pay to ⟦U+202E⟧ecila");
//! assert_eq!(reveal("⚠️ family: 👨‍👩‍👧"), "⚠️ family: 👨‍👩‍👧");
//! ```

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use unicode_properties::{GeneralCategory, UnicodeEmoji as _, UnicodeGeneralCategory as _};
use unicode_script::{Script, UnicodeScript as _};

/// The source of this table, hashed into version numbers that depend on it.
pub const SOURCE: &[u8] = include_bytes!("invisible.rs");

/// Adjacent characters of one kind that are invisible in their context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvisibleRun {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Their effect.
    pub kind: InvisibleKind,
}

/// The effect of an invisible character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvisibleKind {
    /// A tag character outside a regional flag.
    Tag,
    /// Changes the direction of the following text.
    Bidi,
    /// Has no width, or is a letter that prints as a blank.
    ZeroWidth,
    /// Joins or separates letters of a script without joiners.
    Joiner,
    /// A variation selector on a character without variants, or after another selector.
    Selector,
    /// Interlinear annotation marks.
    Annotation,
    /// A control character, which a terminal interprets.
    Control,
    /// Private use, or a noncharacter.
    Private,
    /// More combining marks than a letter can have.
    Marks,
}

/// `[\p{Default_Ignorable_Code_Point}\p{Cf}--\p{Prepended_Concatenation_Mark}]` and two symbols that are blank: the empty Braille
/// cell and the null notehead. A test compares it with the `regex` crate's tables.
const INVISIBLE: &[RangeInclusive<u32>] = &[
    0xad..=0xad,
    0x34f..=0x34f,
    0x61c..=0x61c,
    0x115f..=0x1160,
    0x17b4..=0x17b5,
    0x180b..=0x180f,
    0x200b..=0x200f,
    0x202a..=0x202e,
    0x2060..=0x206f,
    BRAILLE_BLANK as u32..=BRAILLE_BLANK as u32,
    0x3164..=0x3164,
    0xfe00..=0xfe0f,
    0xfeff..=0xfeff,
    0xffa0..=0xffa0,
    0xfff0..=0xfffb,
    0x13430..=0x1343f,
    0x1bca0..=0x1bca3,
    NULL_NOTEHEAD as u32..=NULL_NOTEHEAD as u32,
    0x1d173..=0x1d17a,
    0xe0000..=0xe0fff,
];

/// The empty Braille cell: a symbol by category, blank on the screen.
const BRAILLE_BLANK: char = '\u{2800}';

/// The null notehead: a symbol by category, blank on the screen.
const NULL_NOTEHEAD: char = '\u{1d159}';

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Zero-width joiner: combines two emoji.
const JOINER: char = '\u{200d}';

/// Most combining marks on one letter in real text.
const MARKS_MAX: usize = 4;

/// Most characters of a run that [`reveal`] prints one by one; of a longer run it prints the first and the count.
const REVEALED_MAX: usize = 64;

/// Whether `c` has no width or reorders other text, in any context.
pub fn is_invisible(c: char) -> bool {
    let point = u32::from(c);
    let at = INVISIBLE.partition_point(|range| *range.end() < point);
    INVISIBLE.get(at).is_some_and(|range| range.contains(&point))
}

/// Whether `c` is a line end that editors do not show: U+2028 or U+2029.
pub fn is_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Replacement for a line end in a session log.
pub const LINE_END_SIGN: char = '⏎';

/// Whether `c` represents a line end, as [`LINE_END_SIGN`] does; text on its two sides is on two lines.
pub fn is_line_end_sign(c: char) -> bool {
    matches!(c, LINE_END_SIGN | '↵' | '↩' | '⤶' | '␊' | '␍' | '␤')
}

/// Most runs of one text. The last run extends to the last such character, including visible text between.
const RUNS_MAX: usize = 20_000;

/// Finds every run of characters that are invisible in their context, in order.
pub fn scan(text: &str) -> Vec<InvisibleRun> {
    let mut found: Vec<InvisibleRun> = Vec::new();
    if is_plain(text) {
        return found;
    }
    let (mut before, mut emoji_end) = (Before::default(), 0);
    for (at, char) in text.char_indices() {
        if at >= emoji_end {
            emoji_end = at + emoji_len(&text[at..]);
        }
        if at >= emoji_end
            && let Some(kind) = kind(text, at, char, &before)
        {
            let end = at + char.len_utf8();
            let is_last = found.len() == RUNS_MAX;
            match found.last_mut() {
                Some(run) if run.span.end == at && run.kind == kind => run.span.end = end,
                Some(run) if is_last => run.span.end = end,
                _ => found.push(InvisibleRun { span: at..end, kind }),
            }
        }
        before.take(char);
    }
    found
}

/// `text` with every character that [`scan`] finds as `⟦U+202E⟧`; of a long run of one kind, the first and the count.
pub fn reveal(text: &str) -> Cow<'_, str> {
    let runs = scan(text);
    if runs.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for run in runs {
        out.push_str(&text[done..run.span.start]);
        out.push_str(&revealed(&text[run.span.clone()]));
        done = run.span.end;
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// [`reveal`] for text on one line: line ends and tabs become code points too.
pub fn reveal_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(char::is_control) {
        let control = part.chars().next_back().filter(|last| last.is_control());
        let words = &part[..part.len() - control.map_or(0, char::len_utf8)];
        // A byte order mark is valid only at the start of a file, not of a line.
        let bare = words.trim_start_matches(BYTE_ORDER_MARK);
        out.extend(std::iter::repeat_n(
            code_point(BYTE_ORDER_MARK),
            words.chars().count() - bare.chars().count(),
        ));
        out.push_str(&reveal(bare));
        out.extend(control.map(code_point));
    }
    out
}

/// The characters of a run as code points.
pub fn revealed(run: &str) -> String {
    match run.chars().count() {
        count if count > REVEALED_MAX => {
            let first = run.chars().next().map(code_point).unwrap_or_default();
            format!("{first}⟦and {} more⟧", count - 1)
        }
        _ => run.chars().map(code_point).collect(),
    }
}

fn code_point(c: char) -> String {
    format!("⟦U+{:04X}⟧", u32::from(c))
}

/// Fast path: most text is ASCII without controls.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r'))
        && !text
            .bytes()
            .zip(text.bytes().skip(1).chain([0]))
            .any(|(byte, next)| byte == b'\r' && next != b'\n')
}

/// Context before a character: the last one, the last base letter, and the marks since.
#[derive(Debug, Default)]
struct Before {
    last: Option<char>,
    base: Option<char>,
    marks: usize,
}

impl Before {
    fn take(&mut self, char: char) {
        if is_mark(char) {
            self.marks += 1;
        } else if !is_selector(char) && !is_joiner(char) {
            self.marks = 0;
            self.base = Some(char);
        }
        self.last = Some(char);
    }
}

fn kind(text: &str, at: usize, char: char, before: &Before) -> Option<InvisibleKind> {
    let rest = || text[at + char.len_utf8()..].chars().next();
    match u32::from(char) {
        0x09 | 0x0a => None,
        0x0d => (rest() != Some('\n')).then_some(InvisibleKind::Control),
        0x00..=0x1f | 0x7f..=0x9f | 0x2028 | 0x2029 => Some(InvisibleKind::Control),
        0xfeff => (at > 0).then_some(InvisibleKind::ZeroWidth),
        0x200c | 0x200d => (!joins(before, rest())).then_some(InvisibleKind::Joiner),
        0x202a..=0x202e | 0x2066..=0x2069 | 0x200e | 0x200f | 0x61c => Some(InvisibleKind::Bidi),
        0xfe00..=0xfe0f | 0xe0100..=0xe01ef => (!selects(char, before)).then_some(InvisibleKind::Selector),
        0xe0000..=0xe007f => Some(InvisibleKind::Tag),
        0xfff9..=0xfffb => Some(InvisibleKind::Annotation),
        0xad => (!before.last.is_some_and(char::is_alphabetic)).then_some(InvisibleKind::ZeroWidth),
        0xe000..=0xf8ff | 0xf0000..=0x10_ffff => Some(InvisibleKind::Private),
        point if point & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&point) => {
            Some(InvisibleKind::Private)
        }
        _ if is_invisible(char) => (!is_at_home(char, before, rest())).then_some(InvisibleKind::ZeroWidth),
        _ => (is_mark(char) && before.marks >= MARKS_MAX).then_some(InvisibleKind::Marks),
    }
}

/// Whether an invisible character is next to the script that needs it: jamo fillers, Braille's empty cell, Mongolian
/// selectors, hieroglyph layout controls.
fn is_at_home(char: char, before: &Before, next: Option<char>) -> bool {
    let of = |char: Option<char>, script: Script| char.is_some_and(|char| char.script() == script);
    match u32::from(char) {
        0x115f | 0x1160 => {
            [before.last, next].iter().any(|c| c.is_some_and(|c| ('\u{1100}'..='\u{11ff}').contains(&c)))
        }
        0x2800 => of(before.last, Script::Braille) || of(next, Script::Braille),
        0x180b..=0x180d | 0x180f => of(before.last, Script::Mongolian),
        0x180e => of(before.last, Script::Mongolian) && of(next, Script::Mongolian),
        0x34f => before.last.is_some_and(is_mark) || next.is_some_and(is_mark),
        0x13430..=0x1343f => of(before.last, Script::Egyptian_Hieroglyphs),
        _ => false,
    }
}

/// Scripts whose letters joiners separate or join (RFC 5892, appendix A, and UAX 31).
fn joins(before: &Before, next: Option<char>) -> bool {
    let asks = |char: char| {
        matches!(
            char.script(),
            Script::Arabic
                | Script::Syriac
                | Script::Mongolian
                | Script::Nko
                | Script::Mandaic
                | Script::Adlam
                | Script::Devanagari
                | Script::Bengali
                | Script::Gurmukhi
                | Script::Gujarati
                | Script::Oriya
                | Script::Tamil
                | Script::Telugu
                | Script::Kannada
                | Script::Malayalam
                | Script::Sinhala
                | Script::Khmer
                | Script::Myanmar
                | Script::Tibetan
                | Script::Javanese
                | Script::Balinese
        )
    };
    let is_first = !before.last.is_some_and(is_joiner);
    is_first
        && before.base.is_some_and(asks)
        && next.is_none_or(|next| asks(next) || !next.is_alphanumeric() && !is_invisible(next))
}

/// One selector after a base that has variants: ideograph, symbol, emoji.
fn selects(char: char, before: &Before) -> bool {
    let Some(last) = before.last else { return false };
    let ideograph = last.script() == Script::Han;
    match u32::from(char) {
        0xfe0e | 0xfe0f => is_pictograph(last) || is_symbol(last),
        0xe0100..=0xe01ef => ideograph,
        _ => {
            ideograph
                || is_symbol(last)
                || matches!(last.script(), Script::Myanmar | Script::Phags_Pa | Script::Manichaean)
        }
    }
}

fn is_symbol(char: char) -> bool {
    use GeneralCategory as Category;
    matches!(
        char.general_category(),
        Category::MathSymbol | Category::OtherSymbol | Category::OtherPunctuation | Category::ModifierSymbol
    ) && !char.is_ascii()
        && !is_invisible(char)
}

/// The first combining character; categories of lower code points are not looked up.
const FIRST_MARK: char = '\u{300}';

/// Whether `char` is drawn on the letter before it.
pub fn is_mark(char: char) -> bool {
    use GeneralCategory as Category;
    if char < FIRST_MARK {
        return false;
    }
    let mark = matches!(char.general_category(), Category::NonspacingMark | Category::EnclosingMark);
    mark && !is_selector(char)
}

fn is_selector(char: char) -> bool {
    matches!(u32::from(char), 0xfe00..=0xfe0f | 0xe0100..=0xe01ef)
}

/// Whether `char` is a zero-width joiner or non-joiner.
pub fn is_joiner(char: char) -> bool {
    matches!(char, '\u{200c}' | '\u{200d}')
}

/// Bytes of the emoji sequence or keycap at the start of `rest`, with its joiners, selectors and tags; 0 if there is
/// none.
fn emoji_len(rest: &str) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    if first.is_ascii() {
        return keycap_len(rest);
    }
    let mut len = element_len(rest);
    while is_pictograph(first)
        && let Some(next) = rest[len..].strip_prefix(JOINER)
        && next.starts_with(is_pictograph)
    {
        len += JOINER.len_utf8() + element_len(next);
    }
    len
}

/// Bytes of a keycap: a digit, `#` or `*`, an optional emoji selector, and U+20E3. Without U+20E3 an ASCII character
/// is no emoji, and a selector after it is invalid.
fn keycap_len(rest: &str) -> usize {
    let Some(framed) = rest.strip_prefix(|char: char| char.is_ascii_digit() || matches!(char, '#' | '*'))
    else {
        return 0;
    };
    let framed = framed.strip_prefix('\u{fe0f}').unwrap_or(framed);
    framed.strip_prefix('\u{20e3}').map_or(0, |after| rest.len() - after.len())
}

/// Whether `char` is an emoji by itself, so that joiners and selectors may follow: not ASCII, not half of a flag.
fn is_pictograph(char: char) -> bool {
    char.is_emoji_char() && !char.is_ascii() && !('\u{1f1e6}'..='\u{1f1ff}').contains(&char)
}

/// One element: a base, then an optional selector, skin tone or flag tags.
fn element_len(rest: &str) -> usize {
    let mut chars = rest.chars().peekable();
    let Some(base) = chars.next() else { return 0 };
    if !is_pictograph(base) && !is_symbol(base) {
        return 0;
    }
    let mut len = base.len_utf8();
    let mut take = |wanted: fn(char) -> bool| {
        let next = chars.next_if(|char| wanted(*char));
        len += next.map_or(0, char::len_utf8);
    };
    take(|char| ('\u{fe0e}'..='\u{fe0f}').contains(&char));
    take(|char| ('\u{1f3fb}'..='\u{1f3ff}').contains(&char));
    len + if base == '\u{1f3f4}' { flag_tags_len(&rest[len..]) } else { 0 }
}

/// The regions whose flags consist of tags (emoji-sequences.txt, RGI_Emoji_Tag_Sequence).
const TAG_FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// Bytes of the tags of a valid flag at the start of `rest`.
fn flag_tags_len(rest: &str) -> usize {
    const TAG_OFFSET: u32 = 0xe0000;
    const TAG_END: char = '\u{e007f}';
    let is_tagged = |letters: &str| {
        let mut tags = rest.chars();
        letters
            .bytes()
            .all(|letter| tags.next().is_some_and(|tag| u32::from(tag) == TAG_OFFSET + u32::from(letter)))
            && tags.next() == Some(TAG_END)
    };
    let flag = TAG_FLAGS.iter().find(|letters| is_tagged(letters));
    flag.map_or(0, |letters| (letters.len() + 1) * TAG_END.len_utf8())
}

#[cfg(test)]
mod tests;
