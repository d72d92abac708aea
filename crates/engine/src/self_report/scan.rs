//! Searches transcripts without an index: a substring scan of every entry.
//!
//! Slower than the index but complete: it also finds parts of words, and words in scripts without spaces.

/// Characters shown on each side of a match.
pub(super) const AROUND_CHARS: usize = 60;

/// The text around the first occurrence of `needle` (lower-case) in `content`; the match in `[` and `]`, `…` at cuts.
/// `None` if there is none.
pub(super) fn snippet(content: &str, needle: &str) -> Option<String> {
    let is_ascii = content.is_ascii();
    if needle.is_empty() || !is_ascii && !content.to_lowercase().contains(needle) {
        return None;
    }
    // Lower case may be longer or shorter than its letter, so places are mapped back one by one; but for ASCII, where they
    // are the same.
    let small = || content.char_indices().flat_map(|(at, c)| c.to_lowercase().map(move |small| (at, small)));
    let lower: String = match is_ascii {
        true => content.to_ascii_lowercase(),
        false => small().map(|(_, small)| small).collect(),
    };
    let start = lower.find(needle)?;
    let original = |place: usize| {
        if is_ascii {
            return place;
        }
        let mut lower = 0;
        let mut behind = small().skip_while(|(_, small)| {
            let is_before = lower < place;
            lower += small.len_utf8();
            is_before
        });
        behind.next().map_or(content.len(), |(at, _)| at)
    };
    let (from, to) = (original(start), original(start + needle.len()));
    // Several lower-case letters may come from one letter, which is matched whole.
    let to = if to > from { to } else { from + content[from..].chars().next().map_or(0, char::len_utf8) };
    let first = content[..from].char_indices().rev().nth(AROUND_CHARS - 1).map_or(0, |(at, _)| at);
    let last = content[to..].char_indices().nth(AROUND_CHARS).map_or(content.len(), |(at, _)| to + at);
    let (before, after) = (mark(first > 0), mark(last < content.len()));
    Some(format!("{before}{}[{}]{}{after}", &content[first..from], &content[from..to], &content[to..last]))
}

fn mark(more: bool) -> &'static str {
    if more { "…" } else { "" }
}

/// Whether `text` has letters of a script without spaces, which a word-based full-text table does not find.
pub(super) fn is_unspaced(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c as u32,
            0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
            | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_match_is_marked_in_the_letters_of_the_entry() {
        assert_eq!(snippet("Which BREAD?", "bread").as_deref(), Some("Which [BREAD]?"));
        assert_eq!(snippet("我喜欢面包。", "面包").as_deref(), Some("我喜欢[面包]。"));
        assert_eq!(snippet("İstanbul", "i̇s").as_deref(), Some("[İs]tanbul"));
        assert_eq!(snippet("rye", "bread"), None);
        assert_eq!(snippet("rye", ""), None);
        let long = format!("{}bread{}", "x".repeat(100), "y".repeat(100));
        let found = snippet(&long, "bread").expect("found");
        assert_eq!(found.chars().count(), 2 * AROUND_CHARS + "…[bread]…".chars().count());
    }

    proptest! {
        #[test]
        fn any_content_can_be_searched_for_any_part_of_it(content in any::<String>(), from in 0..9_usize, length in 1..9_usize) {
            let needle: String = content.to_lowercase().chars().skip(from).take(length).collect();
            let found = snippet(&content, &needle);
            prop_assert!(needle.is_empty() == found.is_none() || !content.to_lowercase().contains(&needle), "{:?}", found);
        }
    }
}
