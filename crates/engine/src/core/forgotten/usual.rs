//! Normalises letters: width, ligatures, presentation forms and case.
//!
//! Erasure treats `１２３` as `123`, `ﬁ` as `fi`, `ﾊﾞ` as `バ` and `ß` as `ss`, as search does. `İ` and `ı` are `i`, with
//! or without a combining dot, since `KAPISI` may be either. Removal, check and tombstones use this form. Invariants:
//! characters with another meaning are kept, such as `²` (`inwit_model::usual`); every position maps to whole
//! characters of the source; ASCII is unchanged.

use std::ops::Range;

use inwit_model::usual::{is_print_form, usual_form};
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use super::view::View;

/// Bytes in normalised letters; `None` if they are unchanged.
pub(super) fn view(bytes: &[u8]) -> Option<View> {
    if bytes.is_ascii() {
        return None;
    }
    let mut view = View::default();
    let (mut at, mut chunk_at) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        for letter in letters(chunk.valid()) {
            let Some(told) = told(&chunk.valid()[letter.clone()]) else { continue };
            let stood = chunk_at + letter.start..chunk_at + letter.end;
            view.take(bytes, at..stood.start);
            at = stood.end;
            view.tell(&told, stood);
        }
        chunk_at += chunk.valid().len() + chunk.invalid().len();
    }
    (at > 0).then(|| {
        view.take(bytes, at..bytes.len());
        view
    })
}

/// A text in normalised letters.
pub fn usual(text: &str) -> String {
    view(text.as_bytes()).map_or_else(|| text.to_owned(), |view| view.text())
}

/// Bytes in normalised letters; `None` if they are unchanged.
pub fn usual_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
    view(bytes).map(|view| view.bytes)
}

/// The letters and symbols of a text, each with the combining characters after it.
fn letters(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = chars.next()?;
        let mut end = start + first.len_utf8();
        while let Some((at, c)) = chars.next_if(|(_, c)| !c.is_ascii() && follows(*c)) {
            end = at + c.len_utf8();
        }
        Some(start..end)
    })
}

/// Whether a character may combine with the one before.
fn follows(c: char) -> bool {
    let is_part = |c: char| is_combining_mark(c) || matches!(c, '\u{1160}'..='\u{11ff}');
    is_part(c) || is_print_form(c) && usual_form(c).next().is_some_and(is_part)
}

/// The normalised form of a letter; `None` if it is unchanged.
fn told(letter: &str) -> Option<String> {
    let mut all = letter.chars();
    let (first, is_one) = (all.next()?, all.next().is_none());
    if is_one && !is_unusual(first) {
        return None;
    }
    let mut is_on_i = false;
    let seen = |c: &char| {
        is_on_i = if is_combining_mark(*c) { is_on_i } else { matches!(c, 'i' | 'I') };
        !(is_on_i && *c == DOT_ABOVE)
    };
    let told: String = letter.chars().flat_map(one_usual).nfd().filter(seen).nfc().collect();
    (told != letter).then_some(told)
}

/// The combining dot in the lower case of `İ`.
const DOT_ABOVE: char = '\u{307}';

fn is_unusual(c: char) -> bool {
    !c.is_ascii()
        && (is_printed(c)
            || matches!(c, 'İ' | 'ı' | 'ẞ')
            || c.to_uppercase().len() > 1
            || is_nfc_quick(std::iter::once(c)) != IsNormalized::Yes)
}

/// Whether the usual form is used here. A full-width backslash is kept, since a plain one escapes.
fn is_printed(c: char) -> bool {
    is_print_form(c) && c != '\u{ff3c}'
}

/// The usual form of a character; one with a multi-letter capital becomes those letters: `ß` is `ss`.
fn one_usual(c: char) -> impl Iterator<Item = char> {
    let usual: Vec<char> = if is_printed(c) { usual_form(c).collect() } else { vec![c] };
    usual.into_iter().flat_map(|c| -> Vec<char> {
        match c {
            'İ' | 'ı' => vec!['i'],
            'ẞ' => vec!['s', 's'],
            c if c.to_uppercase().len() > 1 => c.to_uppercase().flat_map(char::to_lowercase).collect(),
            c => vec![c],
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_one_for_a_reader_is_one_and_what_means_something_else_is_not() {
        for (written, told) in [
            ("ＰＩＮ　１２３４", "PIN 1234"),
            ("ﬁnancial", "financial"),
            ("Bergstraße BERGSTRAẞE", "Bergstrasse BERGSTRAssE"),
            ("İSTANBUL i\u{307}stanbul KAPISI kapısı I\u{307}", "iSTANBUL istanbul KAPISI kapisi I"),
            ("ﾊﾞｽ ハ\u{3099}ス ﾡￂ", "バス バス 가"),
            ("cafe\u{301} \u{212b}ngström", "café Ångström"),
            ("եւ և", "եւ եւ"),
            ("𝐏𝐈𝐍 𝟏𝟐", "PIN 12"),
        ] {
            assert_eq!(usual(written), told);
        }
        for stays in ["10² x₂ ① ½ Ⅻ ㎏ ª ™ ㈱", "café ΐ ς ſ µ", "＼n", "❤️", "\\u00df"]
        {
            assert!(view(stays.as_bytes()).is_none(), "{stays}: {}", usual(stays));
        }
        assert_eq!(view(b"\xff \xef\xbc\x91 \xfe").expect("one digit").bytes, b"\xff 1 \xfe");
    }

    proptest! {
        /// Normalising is idempotent, and each position maps to whole source characters.
        #[test]
        fn every_letter_leads_back_to_where_it_stands(
            pieces in prop::collection::vec(prop_oneof![
                prop::sample::select(vec![
                    "１", "ﬁ", "ß", "ẞ", "İ", "ı", "i\u{307}", "ｶﾞ", "ﾡￂ", "e\u{301}", "\u{fdfa}", "\u{3000}", "²", "ΐ",
                    "\u{307}", "\u{ff9e}", "𝟏", "\\", "a",
                ]).prop_map(str::to_owned),
                r"\PC{0,3}",
            ], 0..12),
        ) {
            let text = pieces.concat();
            let told = usual(&text);
            prop_assert_eq!(usual(&told), told.clone(), "{:?}", text);
            let Some(view) = view(text.as_bytes()) else { return Ok(()) };
            prop_assert_eq!(view.stands(&(0..view.bytes.len())), 0..text.len());
            let mut past = 0;
            for (at, c) in told.char_indices() {
                let stood = view.stands(&(at..at + c.len_utf8()));
                prop_assert!(text.get(stood.clone()).is_some(), "{:?} at {:?}", text, stood);
                prop_assert!(stood.end >= past);
                past = stood.end;
            }
        }

        #[test]
        fn ascii_is_itself(text in r"[ -~\n\t]{0,60}") {
            prop_assert!(view(text.as_bytes()).is_none());
        }
    }
}
