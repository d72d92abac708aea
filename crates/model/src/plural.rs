//! Numbers with their nouns: `1 file`, `3 files`.

use std::fmt::Display;

/// A number and its noun, in the plural where it is not one. The number may be written already: `1,204`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let ending = match noun.strip_suffix('y').map(|stem| (stem, stem.ends_with(['a', 'e', 'o', 'u']))) {
        _ if count == "1" => return format!("1 {noun}"),
        Some((stem, false)) => return format!("{count} {stem}ies"),
        _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_stands_in_the_singular_behind_one_only() {
        for (count, noun, expected) in [
            (1, "file", "1 file"),
            (0, "file", "0 files"),
            (2, "day", "2 days"),
            (2, "copy", "2 copies"),
            (3, "pass", "3 passes"),
            (2, "match", "2 matches"),
        ] {
            assert_eq!(counted(count, noun), expected);
        }
    }
}
