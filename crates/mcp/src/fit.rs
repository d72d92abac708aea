//! Fits answers into a token limit.
//!
//! Models count tokens differently, so an upper bound is computed from the characters; that is fast and the same
//! everywhere. Invariant: omissions are counted, and at least one item is returned, so that a client can continue.

use inwit_wire::TextV1;
use inwit_wire::tools::answer::Shaped;

use crate::hints::value;

/// Fewest ASCII characters per token; prose has four, JSON about three.
const ASCII_CHARS_PER_TOKEN: u64 = 3;

/// Most tokens of another character.
const OTHER_TOKENS: u64 = 2;

/// An upper bound of the tokens of `text`.
pub fn tokens(text: &str) -> u64 {
    let others = text.chars().filter(|c| !c.is_ascii()).count() as u64;
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    ascii.div_ceil(ASCII_CHARS_PER_TOKEN) + others * OTHER_TOKENS
}

/// The first of `items` within `max_tokens`, and the number omitted.
pub fn first_of<T: Shaped>(mut items: Vec<T>, max_tokens: u64) -> (Vec<T>, usize) {
    let (all, count) = (items.len(), count_of(&items, max_tokens));
    items.truncate(count);
    (items, all - count)
}

/// Cuts the text of an `item` above `max_tokens`, and returns the number of omitted characters.
pub fn cut_text<T: Shaped>(item: &mut T, text: fn(&mut T) -> &mut TextV1, max_tokens: u64) -> usize {
    let all = tokens_of(item);
    let text = text(item);
    let others = all.saturating_sub(tokens(text));
    let (shown, left) = beginning(text, max_tokens.saturating_sub(others).max(CUT_TOKENS_MIN));
    if let Some(head) = text.cut(shown.chars().count()) {
        *text = head.into();
    }
    left
}

/// An upper bound of an item's tokens as JSON.
pub fn tokens_of(item: &impl Shaped) -> u64 {
    tokens(&value(item).to_string())
}

/// Smallest part of a text that is shown, in tokens.
const CUT_TOKENS_MIN: u64 = 16;

/// Number of the first `items` within `max_tokens`; at least one.
pub fn count_of<T: Shaped>(items: &[T], max_tokens: u64) -> usize {
    let mut used = 0;
    let fitting = items.iter().enumerate().take_while(|(at, item)| {
        used += tokens_of(item);
        *at == 0 || used <= max_tokens
    });
    fitting.count()
}

/// The beginning of `text` within `max_tokens`, cut at a line end if possible; and the omitted characters.
pub fn beginning(text: &str, max_tokens: u64) -> (&str, usize) {
    if tokens(text) <= max_tokens {
        return (text, 0);
    }
    let (mut ascii, mut others, mut end, mut line_end) = (0_u64, 0_u64, 0, None);
    for (at, c) in text.char_indices() {
        if c.is_ascii() {
            ascii += 1
        } else {
            others += 1
        }
        if ascii.div_ceil(ASCII_CHARS_PER_TOKEN) + others * OTHER_TOKENS > max_tokens {
            break;
        }
        end = at + c.len_utf8();
        if c == '\n' {
            line_end = Some(end);
        }
    }
    let end = line_end.unwrap_or(end);
    (&text[..end], text[end..].chars().count())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_is_given_and_the_rest_is_counted() {
        let items = || vec![json!("aaaa"), json!("bbbb"), json!("cccc")];
        assert_eq!(first_of(items(), 100).1, 0);
        assert_eq!(first_of(items(), 4), (vec![json!("aaaa"), json!("bbbb")], 1));
        assert_eq!(first_of(items(), 1), (vec![json!("aaaa")], 2), "one thing always comes");
        assert_eq!(first_of(Vec::<u8>::new(), 1), (Vec::new(), 0));
    }

    #[test]
    fn a_text_is_cut_at_a_line_and_never_within_a_character() {
        assert_eq!(beginning("one\ntwo\nthree", 3), ("one\ntwo\n", 5));
        assert_eq!(beginning("abcdefghi", 2), ("abcdef", 3));
        assert_eq!(beginning("面包面包", 5), ("面包", 2));
        assert_eq!(beginning("short", 100), ("short", 0));
    }
}
