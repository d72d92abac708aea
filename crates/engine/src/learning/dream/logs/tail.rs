//! The tail of a text that is too long: logs grow at their end, so the end is what matters.
//!
//! Invariant: the tail has at most the given bytes and begins with a whole line, or with a whole character if its
//! only line is too long.

/// The first line of a text that was cut.
pub const TRUNCATED_HEAD: &str = "[...truncated head]";

/// Where the tail of at most `bytes_max` bytes begins; 0 if all of it fits.
pub fn tail_start(text: &[u8], bytes_max: u64) -> usize {
    let most = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    if text.len() <= most {
        return 0;
    }
    let mut start = text.len() - most;
    // A byte 0b10xxxxxx continues a character.
    while text.get(start).is_some_and(|byte| byte & 0xC0 == 0x80) {
        start += 1;
    }
    if start > 0 && text.get(start - 1) == Some(&b'\n') {
        return start;
    }
    let next_line = text[start..].iter().position(|byte| *byte == b'\n').map(|at| start + at + 1);
    next_line.filter(|next| *next < text.len()).unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Proves W56.
    #[test]
    fn a_cut_text_keeps_its_end_from_a_whole_line_on() {
        let text = "first\nsecond\nthird\n".as_bytes();
        let tail = |most| std::str::from_utf8(&text[tail_start(text, most)..]).expect("text");
        assert_eq!(tail(19), "first\nsecond\nthird\n");
        assert_eq!(tail(18), "second\nthird\n");
        assert_eq!(tail(13), "second\nthird\n");
        assert_eq!(tail(12), "third\n");
        let long = "ä".repeat(10);
        assert_eq!(tail_start(long.as_bytes(), 9), 12, "a single line is cut between two characters");
    }

    proptest! {
        /// Proves W56.
        #[test]
        fn a_tail_is_valid_text_of_bounded_length(text in "[a-zäß😀\n]{0,60}", most in 1_u64..90) {
            let start = tail_start(text.as_bytes(), most);
            prop_assert!(text.is_char_boundary(start));
            prop_assert!((text.len() - start) as u64 <= most);
            prop_assert!(text.len() as u64 > most || start == 0);
        }
    }
}
