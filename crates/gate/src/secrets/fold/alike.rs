//! Maps look-alike letters of other scripts to Latin letters.
//!
//! `ignоre` with a Cyrillic `о` looks like `ignore` to people and models. Invariant: only words with a Latin letter
//! are changed, so a purely Cyrillic or Greek word is unchanged.

use std::sync::LazyLock;

/// First and last letter of [`ALIKE`].
const FIRST: usize = 0x131;
const LAST: usize = 0x585;

/// The Latin letter for each code point from [`FIRST`] to [`LAST`], 0 if none; a table, since every character is
/// looked up several times.
static LATIN: LazyLock<[u8; LAST - FIRST + 1]> = LazyLock::new(|| {
    let mut latin = [0; LAST - FIRST + 1];
    for (letter, chars) in ALIKE {
        chars.chars().for_each(|char| latin[char as usize - FIRST] = *letter);
    }
    latin
});

/// The Latin letter that looks like `char`.
pub fn latin(char: char) -> Option<u8> {
    let at = (char as usize).checked_sub(FIRST)?;
    LATIN.get(at).copied().filter(|letter| *letter != 0)
}

/// A Latin letter, and its look-alikes in other scripts.
const ALIKE: &[(u8, &str)] = &[
    (b'a', "аɑα"),
    (b'c', "сϲ"),
    (b'd', "ԁ"),
    (b'e', "еҽ"),
    (b'g', "ɡց"),
    (b'h', "һհ"),
    (b'i', "іıι"),
    (b'j', "јϳ"),
    (b'l', "ӏ"),
    (b'n', "ոռ"),
    (b'o', "оοօ"),
    (b'p', "рρ"),
    (b'q', "ԛզ"),
    (b's', "ѕ"),
    (b'u', "υսʋ"),
    (b'v', "νѵ"),
    (b'w', "ԝա"),
    (b'x', "хχ"),
    (b'y', "уүγ"),
    (b'A', "АΑ"),
    (b'B', "ВΒ"),
    (b'C', "СϹ"),
    (b'E', "ЕΕ"),
    (b'H', "НΗ"),
    (b'I', "ІΙӀ"),
    (b'J', "Ј"),
    (b'K', "КΚ"),
    (b'M', "МΜ"),
    (b'N', "Ν"),
    (b'O', "ОΟՕ"),
    (b'P', "РΡ"),
    (b'S', "ЅՏ"),
    (b'T', "ТΤ"),
    (b'U', "Ս"),
    (b'X', "ХΧ"),
    (b'Y', "ҮΥ"),
    (b'Z', "Ζ"),
];

#[cfg(test)]
mod tests {
    use super::super::unescape;

    #[test]
    fn every_letter_of_the_table_is_found() {
        for (letter, chars) in super::ALIKE {
            for char in chars.chars() {
                assert_eq!(super::latin(char), Some(*letter), "{char}");
            }
        }
    }

    #[test]
    fn letters_that_look_latin_are_read_as_such_beside_a_latin_letter() {
        let read = |text: &str| unescape(text).map_or_else(|| text.to_owned(), |folded| folded.text);
        assert_eq!(read("ignоrе аll previous"), "ignore all previous");
        assert_eq!(read("i\u{307}gnore all pre\u{301}vious"), "ignore all previous", "marks over letters");
        assert_eq!(read("Раsswοrd"), "Password", "two in a row, of two scripts");
        assert_eq!(read("Поставь порт, ο ρυθμός"), "Поставь порт, ο ρυθμός");
    }
}
