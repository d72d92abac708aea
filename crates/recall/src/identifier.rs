//! Splits identifiers and words with digits into searchable parts.
//!
//! `loadHTTPView`, `retry_count`, `utf8Decoder`, `10km`: queries use the whole, a part, or separate words. Parts by
//! letter case are ordinary words. Further forms are added: adjacent parts joined, and letters and digits separated.
//! Invariants: no part is lost; no single-character term is created, so `v2`, `5k` and `e4` stay whole; so do hashes
//! and timestamps.

use std::borrow::Cow;

/// Most runs of letters and digits in a word; more make it a key or hash.
const RUNS_MAX: usize = 6;

/// `loadView` gives `load` and `View`, `HTTPServer` `HTTP` and `Server`, `Server2Client` `Server2` and `Client`,
/// `IPv6` `IP` and `v6`; `v2` and `5K` stay whole.
pub(crate) fn camel_parts(word: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let char_at = |at: usize| chars.get(at).map(|(_, c)| *c);
    let mut has_letter = false;
    for at in 1..chars.len() {
        let (before, here, after) = (chars[at - 1].1, chars[at].1, char_at(at + 1));
        has_letter |= before.is_alphabetic();
        // "v6" after an acronym.
        let is_version = |first: usize| {
            char_at(first).is_some_and(char::is_lowercase)
                && char_at(first + 1).is_some_and(|c| c.is_ascii_digit())
        };
        let begins_word = here.is_uppercase() && after.is_some_and(char::is_lowercase);
        let hump = before.is_lowercase() && here.is_uppercase();
        let acronym_ends = before.is_uppercase() && begins_word && !is_version(at + 1);
        let version_begins =
            at > 1 && chars[at - 2].1.is_uppercase() && before.is_uppercase() && is_version(at);
        let figures_end = before.is_ascii_digit() && begins_word && has_letter;
        if hump || acronym_ends || version_begins || figures_end {
            cuts.push(chars[at].0);
            has_letter = false;
        }
    }
    cuts.push(word.len());
    cuts.windows(2).map(|cut| &word[cut[0]..cut[1]]).collect()
}

/// Adjacent `parts` of an identifier with at least three, joined: `retrycount` of `maxRetryCount`. Digits alone make
/// no word.
pub(crate) fn pairs(parts: &[String]) -> impl Iterator<Item = String> {
    let is_name = |pair: &&[String]| pair.iter().any(|part| part.contains(char::is_alphabetic));
    parts.windows(2).filter(|_| parts.len() > 2).filter(is_name).map(|pair| pair.concat())
}

/// Parts of a lower-case word with letters and digits: `oauth` in `oauth2`, `10` and `km` in `10km`, `gpt`, `gpt4`
/// and `all` in `gpt4all`. None for an ordinal (`18th`) or if no letter run is a word (`v2`, `5k`).
pub(crate) fn figure_parts(word: &str) -> Vec<Cow<'_, str>> {
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let runs = runs(word);
    let is_figures = |run: &str| run.starts_with(|c: char| c.is_ascii_digit());
    let says = |run: &str| run.chars().nth(1).is_some();
    let is_ordinal = matches!(runs.as_slice(), [number, "st" | "nd" | "rd" | "th"] if is_figures(number));
    let is_word = runs.iter().any(|run| says(run) && !is_figures(run));
    if runs.len() < 2 || runs.len() > RUNS_MAX || is_ordinal || !is_word {
        return Vec::new();
    }
    let mut parts: Vec<Cow<'_, str>> =
        runs.iter().copied().filter(|run| says(run)).map(Cow::Borrowed).collect();
    if runs.len() > 2 {
        let numbered = runs.windows(2).filter(|pair| !is_figures(pair[0]));
        parts.extend(numbered.map(|pair| Cow::Owned(pair.concat())));
    }
    parts
}

/// The runs of digits and of other characters.
fn runs(word: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let is_figure = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_figure).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        runs.push(run);
        rest = behind;
    }
    runs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_cut_where_a_reader_would() {
        for (word, parts) in [
            ("loadHTTPView2", "load HTTP View2"),
            ("HTTPServer2Client", "HTTP Server2 Client"),
            ("utf8Decoder", "utf8 Decoder"),
            ("IPv6Address", "IP v6 Address"),
            ("GPT4All", "GPT4 All"),
            ("parseHttpHeader2Json", "parse Http Header2 Json"),
            ("3Blue1Brown", "3Blue1 Brown"),
            ("5K", "5K"),
            ("10AM", "10AM"),
            ("R2D2", "R2D2"),
            ("McDonald", "Mc Donald"),
        ] {
            assert_eq!(camel_parts(word).join(" "), parts, "{word}");
        }
    }

    #[test]
    fn letters_and_figures_are_told_apart_where_both_say_something() {
        for (word, parts) in [
            ("oauth2", "oauth"),
            ("10km", "10 km"),
            ("gpt4all", "gpt all gpt4"),
            ("utf8decoder", "utf decoder utf8"),
            ("covid19", "covid 19"),
            ("v2", ""),
            ("5k", ""),
            ("18th", ""),
            ("2nd", ""),
            ("1990s", ""),
            ("2026", ""),
            ("20261122t1030z", ""),
            ("e29b", ""),
            ("a3f4b5c6d7ee", ""),
            ("bread", ""),
        ] {
            assert_eq!(figure_parts(word).join(" "), parts, "{word}");
        }
    }

    proptest! {
        #[test]
        fn no_letter_is_lost_and_nothing_of_one_character_is_made(word in r"[a-zA-Z0-9é京]{1,16}") {
            prop_assert_eq!(camel_parts(&word).concat(), word.clone());
            let lower = word.to_lowercase();
            prop_assert_eq!(runs(&lower).concat(), lower.clone());
            for part in figure_parts(&lower) {
                prop_assert!(part.chars().count() > 1 && lower.contains(&*part) && *part != *lower, "{}", part);
            }
        }
    }
}
