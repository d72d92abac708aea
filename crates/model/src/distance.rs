//! Edit distance of two names, for "did you mean" hints.

/// Levenshtein distance in characters.
pub fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, a) in left.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], at + 1);
        for (index, b) in right.iter().enumerate() {
            let changed = before + usize::from(a != *b);
            before = row[index + 1];
            row[index + 1] = changed.min(before + 1).min(row[index] + 1);
        }
    }
    row[right.len()]
}

/// The one of `names` that `typed` probably means: a third of its letters may be wrong, three at most, or in another
/// order.
pub fn nearest<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (typed.chars().count() / 3).clamp(1, 3);
    let far = |name: &str| if letters(name) == letters(typed) { 1 } else { distance(typed, name) };
    let near = names.map(|name| (far(name), name)).min()?;
    (near.0 <= most).then_some(near.1)
}

/// The number of letters that were added, left out or changed; two letters in each other's place count as one.
pub fn typos(typed: &str, word: &str) -> usize {
    match distance(typed, word) {
        2 if letters(typed) == letters(word) => 1,
        far => far,
    }
}

/// The letters of a word, sorted.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letters_in_each_others_place_are_one_typo() {
        assert_eq!(typos("kinl", "kiln"), 1);
        assert_eq!(typos("heliotrpoe", "heliotrope"), 1);
        assert_eq!(typos("kilm", "kiln"), 1);
        assert_eq!(typos("oven", "kiln"), 3);
    }

    #[test]
    fn a_short_name_with_half_its_letters_wrong_is_another_name() {
        let names = ["home", "agent", "search.limit"];
        for (typed, near) in [
            ("nope", None),
            ("hme", Some("home")),
            ("hmoe", Some("home")),
            ("search.limt", Some("search.limit")),
            ("serach.limit", Some("search.limit")),
            ("serhc.lmt", None),
        ] {
            assert_eq!(nearest(typed, names.into_iter()), near, "{typed}");
        }
    }

    #[test]
    fn letters_are_put_in_taken_out_and_changed() {
        for (left, right, far) in [
            ("", "", 0),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("größe", "grösse", 2),
            ("limit", "limti", 2),
        ] {
            assert_eq!((distance(left, right), distance(right, left)), (far, far), "{left} {right}");
        }
    }
}
