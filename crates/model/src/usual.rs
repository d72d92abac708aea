//! Maps print forms of letters and symbols to their usual form.
//!
//! Widths, ligatures, presentation forms and mathematical bold or italic letters mean the same as the usual letter.
//! Other compatibility characters do not: `²` is not `2`, `①` not `1`, `½` not `1⁄2`, and `ﷺ` is a symbol, not a
//! phrase of eighteen letters. Invariant: all such comparisons use this table.

use unicode_normalization::UnicodeNormalization as _;

/// Whether it differs from the usual character only in width, presentation form or typeface.
pub fn is_print_form(c: char) -> bool {
    matches!(c,
        '\u{3000}' | '\u{fb00}'..='\u{fdf9}' | '\u{fdfc}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{ff00}'..='\u{ffef}'
        | '\u{1d400}'..='\u{1d7ff}')
}

/// The usual form of a character, decomposed if it is a print form.
pub fn usual_form(c: char) -> impl Iterator<Item = char> {
    let is_print = is_print_form(c);
    let usual = is_print.then(|| std::iter::once(c).nfkd());
    usual.into_iter().flatten().chain((!is_print).then_some(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn print_forms_are_usual_letters_and_what_means_something_else_stays() {
        let usual = |text: &str| text.chars().flat_map(usual_form).nfc().collect::<String>();
        for (printed, told) in [
            ("１２３　ＰＩＮ", "123 PIN"),
            ("ﬁnancial ﬅ", "financial st"),
            ("ｶﾞ", "ガ"),
            ("\u{fef3}", "ي"),
            ("𝐏𝟏𝟚", "P12"),
        ] {
            assert_eq!(usual(printed), told);
        }
        for stays in ["10²", "x₂", "①", "½", "Ⅻ", "㎏", "ª", "™", "K\u{308}", "㈱", "ﷺ"] {
            assert_eq!(usual(stays), stays.nfc().collect::<String>());
        }
    }
}
