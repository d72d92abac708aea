//! Characters that a reader does not see, or that change what a reader sees.
//!
//! A hidden instruction needs a hidden character, and those are few: tags, bidi controls, zero-width
//! signs, chains of variation selectors, terminal controls. Real writing needs some of them, in places that
//! Unicode names: emoji sequences, joiners in Arabic and Indic scripts, one mark at the head of a file.
//! Invariants: ordinary text of any script has no hit above [`Tier::Warn`]; what [`reveal`] gives back
//! has no character that a screen would obey.
//!
//! ```
//! use inwit_gate::hidden::{HiddenKind, reveal, scan};
//!
//! let text = "pay to \u{202e}ecila";
//! assert_eq!(scan(text)[0].kind, HiddenKind::Bidi);
//! assert_eq!(reveal(text), "pay to ⟦U+202E⟧ecila");
//! assert!(scan("family: 👨‍👩‍👧").is_empty());
//! ```

use unicode_properties::{GeneralCategory, UnicodeEmoji as _, UnicodeGeneralCategory as _};
use unicode_script::{Script, UnicodeScript as _};
use unicode_security::MixedScript as _;

use crate::secrets::Tier;

/// One character that is not what it seems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenChar {
    /// The byte where it begins.
    pub at: usize,
    /// The character; of a mixed token, its first.
    pub char: char,
    /// What it does.
    pub kind: HiddenKind,
    /// [`Tier::Block`], or [`Tier::Warn`] where a person must look.
    pub tier: Tier,
}

/// What a hidden character does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HiddenKind {
    /// A tag: invisible letters, outside the flag of a region.
    Tag,
    /// Turns the direction of what follows.
    Bidi,
    /// Takes no room, or looks like a blank and is a letter.
    ZeroWidth,
    /// Joins or parts letters where no script asks for it.
    Joiner,
    /// Chooses a form of nothing, or follows another selector.
    Selector,
    /// Ruby markers of a typesetter.
    Annotation,
    /// A control character; a terminal would obey it.
    Control,
    /// Means only what two parties agreed, or is no character.
    Private,
    /// One mark more than letters carry.
    Marks,
    /// A word of letters that are alike in two scripts.
    MixedScript,
}

impl HiddenKind {
    /// Its word in findings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Bidi => "bidi",
            Self::ZeroWidth => "zero_width",
            Self::Joiner => "joiner",
            Self::Selector => "selector",
            Self::Annotation => "annotation",
            Self::Control => "control",
            Self::Private => "private",
            Self::Marks => "marks",
            Self::MixedScript => "mixed_script",
        }
    }
}

/// The empty cell of Braille: a symbol by its category, and a blank to everybody else.
const BRAILLE_BLANK: char = '\u{2800}';

/// Marks on one letter that real writing needs at most; one more hides what is below.
const MARKS_MAX: usize = 4;

/// Finds every hidden character, in order.
pub fn scan(text: &str) -> Vec<HiddenChar> {
    let mut found = Vec::new();
    if is_plain(text) {
        return found;
    }
    let mut before = Before::default();
    let mut emoji_end = 0;
    let mut word_start = None;
    for (at, char) in text.char_indices() {
        let part_of_word = char.is_alphanumeric();
        match (part_of_word, word_start) {
            (true, None) => word_start = Some(at),
            (false, Some(start)) if !is_joiner(char) && !is_mark(char) => {
                found.extend(mixed(text, start, at));
                word_start = None;
            }
            _ => {}
        }
        if at >= emoji_end {
            emoji_end = at + emoji_len(&text[at..]);
        }
        if at >= emoji_end
            && let Some(kind) = kind(text, at, char, &before)
        {
            found.push(HiddenChar { at, char, kind, tier: Tier::Block });
        }
        before.take(char);
    }
    found.extend(word_start.and_then(|start| mixed(text, start, text.len())));
    found.sort_by_key(|hidden| hidden.at);
    found
}

/// The text with every blocked character shown as `⟦U+202E⟧`, so that a screen never obeys one.
pub fn reveal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for hidden in scan(text).into_iter().filter(|hidden| hidden.tier == Tier::Block) {
        out.push_str(&text[done..hidden.at]);
        out.push_str(&format!("⟦U+{:04X}⟧", u32::from(hidden.char)));
        done = hidden.at + hidden.char.len_utf8();
    }
    out.push_str(&text[done..]);
    out
}

/// Most text is ASCII without controls: one pass says so.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r'))
        && !text
            .bytes()
            .zip(text.bytes().skip(1).chain([0]))
            .any(|(byte, next)| byte == b'\r' && next != b'\n')
}

/// What stood before a character: the last one, the last that is a letter's base, and marks since.
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

fn kind(text: &str, at: usize, char: char, before: &Before) -> Option<HiddenKind> {
    let rest = || text[at + char.len_utf8()..].chars().next();
    match u32::from(char) {
        0x09 | 0x0a => None,
        0x0d => (rest() != Some('\n')).then_some(HiddenKind::Control),
        0x00..=0x1f | 0x7f..=0x9f | 0x2028 | 0x2029 => Some(HiddenKind::Control),
        0xfeff => (at > 0).then_some(HiddenKind::ZeroWidth),
        0x200b
        | 0x2060..=0x2065
        | 0x206a..=0x206f
        | 0x180b..=0x180f
        | 0x3164
        | 0xffa0
        | 0x115f
        | 0x1160
        | 0x2800
        | 0x17b4
        | 0x17b5
        | 0x34f => (!is_at_home(char, before, rest())).then_some(HiddenKind::ZeroWidth),
        0x200c | 0x200d => (!joins(before, rest())).then_some(HiddenKind::Joiner),
        0x202a..=0x202e | 0x2066..=0x2069 | 0x200e | 0x200f | 0x61c => Some(HiddenKind::Bidi),
        0xfe00..=0xfe0f | 0xe0100..=0xe01ef => (!selects(char, before)).then_some(HiddenKind::Selector),
        0xe0000..=0xe007f => Some(HiddenKind::Tag),
        0xfff9..=0xfffb => Some(HiddenKind::Annotation),
        0xad => (!before.last.is_some_and(char::is_alphabetic)).then_some(HiddenKind::ZeroWidth),
        0xe000..=0xf8ff | 0xf0000..=0x10_ffff => Some(HiddenKind::Private),
        point if point & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&point) => Some(HiddenKind::Private),
        _ => (is_mark(char) && before.marks >= MARKS_MAX).then_some(HiddenKind::Marks),
    }
}

/// Whether an odd blank stands in the script that has it: jamo fillers beside jamo, Braille's empty cell
/// among cells, Mongolian selectors on Mongolian letters.
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
        _ => false,
    }
}

/// Scripts whose letters joiners part or join (RFC 5892, appendix A, and UAX 31).
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
    before.base.is_some_and(asks)
        && next.is_none_or(|next| asks(next) || !next.is_alphanumeric() && !is_unseen(next))
}

/// One selector after a base that has forms: an ideograph, a symbol, an emoji, a keycap's digit.
fn selects(char: char, before: &Before) -> bool {
    let Some(last) = before.last else { return false };
    let ideograph = last.script() == Script::Han;
    match u32::from(char) {
        0xfe0e | 0xfe0f => last.is_emoji_char() || is_symbol(last) || is_keycap(last),
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
}

fn is_keycap(char: char) -> bool {
    char.is_ascii_digit() || matches!(char, '#' | '*')
}

/// The first character that sits on another one; the categories of those before it are not looked up.
const FIRST_MARK: char = '\u{300}';

fn is_mark(char: char) -> bool {
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

fn is_joiner(char: char) -> bool {
    matches!(char, '\u{200c}' | '\u{200d}')
}

fn is_unseen(char: char) -> bool {
    crate::secrets::fold::is_unseen(char)
}

/// Bytes of the emoji sequence at the head of `rest`, with its joiners, selectors and tags; 0 where
/// there is none, or where one character is all of it.
fn emoji_len(rest: &str) -> usize {
    let mut chars = rest.chars();
    let Some(first) = chars.next() else { return 0 };
    if first.is_ascii() && chars.next().is_none_or(|next| next.is_ascii()) {
        return 0;
    }
    let emoji = if first.is_ascii() { is_keycap(first) } else { first.is_emoji_char() || is_symbol(first) };
    if !emoji || first == BRAILLE_BLANK {
        return 0;
    }
    let mut len = 0;
    loop {
        let element = element_len(&rest[len..]);
        if element == 0 {
            // A joiner with nothing to join belongs to no sequence.
            return len.saturating_sub('\u{200d}'.len_utf8());
        }
        len += element;
        if !rest[len..].starts_with('\u{200d}') {
            return len;
        }
        len += '\u{200d}'.len_utf8();
    }
}

/// One element: a base, then a selector, a skin tone, a keycap's frame, or the tags of a flag.
fn element_len(rest: &str) -> usize {
    let mut chars = rest.chars().peekable();
    let Some(base) = chars.next() else { return 0 };
    if !base.is_emoji_char() && !is_symbol(base) {
        return 0;
    }
    let mut len = base.len_utf8();
    let mut take = |chars: &mut std::iter::Peekable<std::str::Chars>, wanted: fn(char) -> bool| {
        let next = chars.next_if(|char| wanted(*char));
        len += next.map_or(0, char::len_utf8);
        next.is_some()
    };
    take(&mut chars, |char| ('\u{fe0e}'..='\u{fe0f}').contains(&char));
    take(&mut chars, |char| ('\u{1f3fb}'..='\u{1f3ff}').contains(&char));
    take(&mut chars, |char| char == '\u{20e3}');
    len + if base == '\u{1f3f4}' { flag_tags_len(&rest[len..]) } else { 0 }
}

/// Most letters of a region in the tags of a flag: `gbeng`, `usca`.
const FLAG_LETTERS: std::ops::RangeInclusive<usize> = 3..=6;

fn flag_tags_len(rest: &str) -> usize {
    let is_letter = |char: &char| matches!(u32::from(*char), 0xe0030..=0xe0039 | 0xe0061..=0xe007a);
    let letters = rest.chars().take_while(is_letter).count();
    let ends = rest.chars().nth(letters) == Some('\u{e007f}');
    if ends && FLAG_LETTERS.contains(&letters) { (letters + 1) * '\u{e007f}'.len_utf8() } else { 0 }
}

/// A word whose letters come from scripts that are never written together, if it has such.
fn mixed(text: &str, start: usize, end: usize) -> Option<HiddenChar> {
    let word = &text[start..end];
    if word.is_ascii() {
        return None;
    }
    let first = word.chars().next()?;
    let alike = |char: char| matches!(char.script(), Script::Latin | Script::Cyrillic | Script::Greek);
    let scripts = word.chars().filter(|char| char.is_alphabetic() && alike(*char));
    let mut scripts: Vec<Script> = scripts.filter(|char| !is_unit(*char)).map(|char| char.script()).collect();
    scripts.dedup();
    let suspicious = scripts.len() > 1 && !word.is_single_script();
    suspicious.then_some(HiddenChar {
        at: start,
        char: first,
        kind: HiddenKind::MixedScript,
        tier: Tier::Warn,
    })
}

/// Greek letters that stand beside Latin ones in every science.
fn is_unit(char: char) -> bool {
    matches!(
        char,
        'µ' | 'μ'
            | 'Ω'
            | 'π'
            | 'Δ'
            | 'α'
            | 'β'
            | 'γ'
            | 'λ'
            | 'σ'
            | 'θ'
            | 'ε'
            | 'δ'
            | 'φ'
            | 'ω'
            | 'τ'
            | 'χ'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<HiddenKind> {
        scan(text).into_iter().map(|hidden| hidden.kind).collect()
    }

    #[test]
    fn each_kind_is_found_and_shown() {
        use HiddenKind::{Annotation, Bidi, Control, Joiner, Marks, Private, Selector, Tag, ZeroWidth};
        for (text, kind) in [
            ("a\u{e0049}b", Tag),
            ("a\u{202e}b", Bidi),
            ("a\u{2066}b", Bidi),
            ("a\u{200f}b", Bidi),
            ("a\u{200b}b", ZeroWidth),
            ("a\u{feff}b", ZeroWidth),
            ("a\u{3164}b", ZeroWidth),
            ("a\u{2800}b", ZeroWidth),
            ("a\u{200d}b", Joiner),
            ("a\u{fe0f}b", Selector),
            ("a\u{fff9}b", Annotation),
            ("a\u{1b}[2Jb", Control),
            ("a\u{9b}b", Control),
            ("a\rb", Control),
            ("a\u{e000}b", Private),
            ("a\u{fffe}b", Private),
            ("a\u{300}\u{301}\u{302}\u{303}\u{304}b", Marks),
        ] {
            assert_eq!(kinds(text), [kind], "{text:?}");
            let shown = reveal(text);
            assert!(shown.contains("⟦U+") && scan(&shown).is_empty(), "{shown:?}");
        }
    }

    #[test]
    fn bytes_smuggled_in_chains_of_selectors_and_tags_are_all_found() {
        let chain: String = (0..12).filter_map(|at| char::from_u32(0xe0100 + at)).collect();
        assert_eq!(scan(&format!("👍{chain}")).len(), 12);
        let tags: String =
            "obey".bytes().filter_map(|byte| char::from_u32(0xe0000 + u32::from(byte))).collect();
        assert_eq!(scan(&format!("🏴{tags}")).len(), 4, "a flag's tags end, these do not");
        assert_eq!(kinds("字\u{e0101}\u{e0102}"), [HiddenKind::Selector]);
    }

    #[test]
    fn real_writing_has_no_hit() {
        for text in [
            "\u{feff}# A file with a mark at its head\r\n",
            "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️ ☎︎ 1️⃣ #️⃣ 🇩🇪 ❤️‍🔥 👁️‍🗨️ ⚠️ ©️ ™️ ↔️",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England",
            "می\u{200c}خواهم کتاب\u{200c}ها",
            "क्\u{200d}ष and ক্\u{200c}ষ and ශ්\u{200d}රී",
            "字\u{e0101} and 辻\u{fe00}",
            "naïve Ærø Łódź Straße déjà e\u{301} ệ",
            "Привет, мир; γειά σου; 日本語とカナ; 한국어; ไทย; עברית; العربية",
            "hy\u{ad}phen, 5 µm, ΔT, λx",
            "table │ box ─ tick ✓ arrow → dash — ‘quotes’ “more” … €",
        ] {
            assert_eq!(scan(text), [], "{text:?}");
            assert_eq!(reveal(text), text);
        }
    }

    #[test]
    fn a_word_of_two_alphabets_is_only_shown_to_a_person() {
        let hit = scan("log in at p\u{0430}ypal today");
        assert_eq!(
            (hit.len(), hit[0].kind, hit[0].tier, hit[0].at),
            (1, HiddenKind::MixedScript, Tier::Warn, 10)
        );
        assert_eq!(reveal("p\u{0430}ypal"), "p\u{0430}ypal");
    }
}
