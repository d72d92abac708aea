//! Text keys: letters and digits only, so that the same words compare equal under any markup.

/// A text reduced to letters and digits: equal keys mean the same words.
pub(crate) fn key_of(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    if text.is_ascii() {
        let said = text.bytes().filter(u8::is_ascii_alphanumeric);
        return said.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_plain_letters_is_the_one_that_any_text_has() {
        let plain: String = (0..128_u8).map(char::from).collect();
        assert_eq!(key_of(&plain) + "é", key_of(&format!("{plain}É")));
    }
}
