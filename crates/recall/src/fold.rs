//! Folds text into the form in which it is compared.
//!
//! Two steps. Composition (NFKC) unifies full-width, half-width and decomposed letters. Folding then removes what
//! people omit when typing: diacritics of alphabetic scripts, skin tones, the difference between traditional and
//! simplified characters. Invariant: both steps are the same on every machine; folding works per character, so a
//! position in folded text maps to the composed text.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::han::simplified;

/// The composed form; diacritics and case are kept.
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    text.nfkc().map(|c| if c == '’' { '\'' } else { c }).collect::<String>().into()
}

/// Largest growth of a text by composition: one character may become up to eighteen.
const COMPOSED_TIMES_MAX: usize = 2;

/// Size in bytes that a short text may always reach.
const COMPOSED_BYTES_MIN: usize = 256;

/// Composed and folded. If a text grows too much, it is cut at [`COMPOSED_TIMES_MAX`].
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.nfkc();
    let bytes_max = (text.len() * COMPOSED_TIMES_MAX).max(COMPOSED_BYTES_MIN);
    while out.len() <= bytes_max
        && let Some(c) = chars.next()
    {
        fold_char(c, &mut out);
    }
    Cow::Owned(out)
}

fn fold_char(c: char, out: &mut String) {
    match c {
        _ if c.is_ascii() => out.push(c),
        'ß' | 'ẞ' => out.push_str("ss"),
        'ø' => out.push('o'),
        'Ø' => out.push('O'),
        'ł' => out.push('l'),
        'Ł' => out.push('L'),
        'đ' => out.push('d'),
        'Đ' => out.push('D'),
        'æ' | 'Æ' => out.push_str("ae"),
        'œ' | 'Œ' => out.push_str("oe"),
        'ı' | 'İ' => out.push('i'),
        '’' => out.push('\''),
        'ँ' => out.push('ं'),
        'ァ'..='ヶ' => out.push(hiragana(c)),
        _ if is_left_away(c) => {}
        _ if is_alphabetic_script(c) => {
            out.extend(std::iter::once(c).nfd().filter(|&part| !is_combining_mark(part)));
        }
        _ => out.push(simplified(c)),
    }
}

/// The hiragana of a katakana: one word is written in either.
fn hiragana(c: char) -> char {
    const APART: u32 = 'ァ' as u32 - 'ぁ' as u32;
    char::from_u32(c as u32 - APART).unwrap_or(c)
}

/// Latin, Greek and Cyrillic: scripts whose marks people leave away when they type.
fn is_alphabetic_script(c: char) -> bool {
    matches!(c as u32, 0x00C0..=0x024F | 0x0300..=0x052F | 0x1E00..=0x1FFF)
}

/// Marks that stand in some texts and not in others and change no word: variation selectors, skin
/// tones, the frame of a keycap, the vowel marks and the stretching of Arabic, the points of Hebrew, the nukta of Hindi.
fn is_left_away(c: char) -> bool {
    matches!(c as u32,
        0xFE00..=0xFE0F | 0x1F3FB..=0x1F3FF | 0x20E3 | 0x0640 | 0x064B..=0x0652 | 0x0591..=0x05C7 | 0x00AD | 0x093C)
}

/// Folded text with a mapping to its source.
pub struct Folded {
    /// The composed text.
    pub composed: String,
    /// The folded text.
    pub text: String,
    /// For each byte of `text`, the start of its character in `composed`; one more for the end.
    from: Vec<usize>,
}

impl Folded {
    /// Folds `text`.
    pub fn of(text: &str) -> Self {
        let composed = composed(text).into_owned();
        let mut folded = String::with_capacity(composed.len());
        let mut from = Vec::with_capacity(composed.len() + 1);
        for (at, c) in composed.char_indices() {
            fold_char(c, &mut folded);
            from.resize(folded.len(), at);
        }
        from.push(composed.len());
        Self { composed, text: folded, from }
    }

    /// The part of the composed text for `range` of the folded one.
    pub fn origin(&self, range: Range<usize>) -> Range<usize> {
        let start = self.from.get(range.start).copied().unwrap_or(self.composed.len());
        let end = self.from.get(range.end).copied().unwrap_or(self.composed.len());
        start..end
    }

    /// The composed text with a blank in place of each of `ranges` of the folded one.
    pub fn without(&self, ranges: &[Range<usize>]) -> String {
        let mut out = String::with_capacity(self.composed.len());
        let mut done = 0;
        for range in ranges {
            let origin = self.origin(range.clone());
            out.push_str(self.composed.get(done..origin.start).unwrap_or_default());
            out.push(' ');
            done = origin.end.max(done);
        }
        out.push_str(self.composed.get(done..).unwrap_or_default());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn characters_that_stand_for_many_make_no_text_of_any_size() {
        let text = "\u{fdfa}".repeat(10_000);
        assert!(fold(&text).len() <= text.len() * COMPOSED_TIMES_MAX + 64);
        assert!(fold("\u{fdfa}").contains("الله"), "one is read whole");
    }

    #[test]
    fn what_people_leave_away_is_left_away() {
        for (typed, kept) in [
            ("Ｍünchen", "Munchen"),
            ("Straße", "Strasse"),
            ("Đà Nẵng", "Da Nang"),
            ("ｶﾌｪ", "かふぇ"),
            ("ज़मीन", "जमीन"),
            ("जाँच", "जांच"),
            ("👍🏽", "👍"),
            ("❤️", "❤"),
            ("繁體中文", "繁体中文"),
            ("مُحَمَّد", "محمد"),
        ] {
            assert_eq!(fold(typed), kept, "{typed}");
        }
    }

    proptest! {
        #[test]
        fn every_place_of_folded_text_has_an_origin(text in r"\PC{0,60}") {
            let folded = Folded::of(&text);
            prop_assert_eq!(folded.text.clone(), fold(&text).into_owned());
            prop_assert_eq!(folded.without(&[]), folded.composed.clone());
            for (at, c) in folded.text.char_indices() {
                let origin = folded.origin(at..at + c.len_utf8());
                prop_assert!(folded.composed.get(origin).is_some());
            }
        }
    }
}
