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

#[cfg(test)]
mod tests {
    use super::*;

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
