//! Which words of a prompt name its subject.
//!
//! "put a good one back now" has no subject: words of action, courtesy and order are in every prompt and log. So are
//! numbers without units, and stack frames. Invariant: a word excluded here is still searched; it only opens no line.

use std::borrow::Cow;

use crate::notes::line::is_lone;

/// Sorted stems of words that any prompt may contain, as the analyser produces them, in English, German and Spanish.
const GENERAL: &[&str] = &[
    "abend", "add", "again", "ahora", "algo", "also", "anymor", "anyth", "ask", "back", "bad", "begin",
    "best", "better", "bien", "bit", "bitt", "bonjour", "bonsoir", "brauch", "bring", "buen", "build",
    "call", "chang", "check", "come", "continu", "cosa", "could", "creat", "dank", "day", "dich", "didnt",
    "differ", "dir", "do", "done", "dont", "easi", "einfach", "els", "end", "etwas", "euch", "even", "ever",
    "everi", "everyth", "exact", "exampl", "explain", "fast", "favor", "feel", "find", "fine", "first",
    "fix", "geht", "generat", "get", "gib", "give", "go", "goe", "good", "got", "graci", "great", "gut",
    "guten", "hacer", "happen", "hello", "help", "here", "heut", "hey", "hi", "hola", "idea", "immer",
    "instead", "jetzt", "just", "kannst", "keep", "kind", "know", "last", "later", "least", "leav", "let",
    "like", "line", "littl", "long", "look", "lot", "mach", "machen", "make", "mal", "mayb", "mean", "mehr",
    "merci", "mich", "min", "mir", "morgen", "morn", "move", "much", "name", "need", "neu", "never", "new",
    "next", "nice", "noch", "noth", "now", "nuevo", "number", "off", "okay", "old", "onc", "one", "open",
    "part", "perfect", "person", "piec", "place", "pleas", "pls", "point", "problem", "puede", "put",
    "question", "quick", "quiero", "read", "readi", "realli", "right", "run", "sag", "salut", "same", "say",
    "schon", "schreib", "see", "seem", "send", "set", "short", "shorter", "show", "side", "simpl", "small",
    "soll", "some", "someon", "someth", "start", "still", "stop", "sure", "take", "tell", "thank", "thing",
    "think", "third", "three", "thx", "time", "today", "togeth", "tomorrow", "tri", "turn", "two",
    "understand", "use", "user", "want", "way", "week", "well", "went", "wieder", "win", "won", "work",
    "write", "wrong", "yes", "yesterday", "zeig",
];

/// Whether a term of a prompt names its subject.
pub(crate) fn counts(term: &str) -> bool {
    let is_short_number = term.len() <= 2 && term.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = term.len() == 1;
    !is_lone(term) && !is_letter && !is_short_number && GENERAL.binary_search(&term).is_err()
}

/// `text` without stack frames, which say less than the error message.
pub(crate) fn without_frames(text: &str) -> Cow<'_, str> {
    if !text.lines().any(is_frame) {
        return Cow::Borrowed(text);
    }
    let kept: Vec<&str> = text.lines().filter(|line| !is_frame(line)).collect();
    Cow::Owned(kept.join("\n"))
}

/// `at run (lib/a.ts:3:1)`, `❯ run a.ts:3`, `File "a.py", line 3`, `goroutine 1 [running]:`.
fn is_frame(line: &str) -> bool {
    let plain = line.trim_start();
    let has_place = plain.chars().any(|c| c.is_ascii_digit());
    has_place
        && (plain.starts_with("at ")
            || plain.starts_with('❯')
            || (plain.starts_with("File \"") && plain.contains(", line "))
            || plain.starts_with("goroutine "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn general_words_and_bare_numbers_open_nothing() {
        assert!(GENERAL.is_sorted(), "looked up by halves");
        for term in ["put", "good", "9", "b", "thank", "好"] {
            assert!(!counts(term), "{term}");
        }
        for term in ["port", "5433", "postgr", "数据", "k8s"] {
            assert!(counts(term), "{term}");
        }
    }

    #[test]
    fn frames_of_a_stack_trace_are_left_out() {
        let text = "TypeError: x is undefined\n    at run (lib/a.ts:3:1)\n  ❯ go b.ts:4\nwe were at 3 before";
        assert_eq!(without_frames(text), "TypeError: x is undefined\nwe were at 3 before");
    }
}
