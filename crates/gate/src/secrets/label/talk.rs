//! Secrets given in a conversation: one turn asks, the next one answers: `Bob: wifi password?`, `**Ana** (10:03): …`.
//!
//! Reading order: here questions and the values in answers; [`mod@turns`] (forms of turns). Invariants: a turn is
//! read for one of its labels only, and at most [`ANSWER_BYTES_MAX`] bytes after it, so the work is linear in the
//! text; answers are prose, so only a value unlike a word is taken.

use std::ops::Range;

use super::super::check::code::is_file;
use super::super::check::spelled::is_drawn_letters;
use super::super::check::strength::{RANDOM_BYTES_MIN, Strength, is_random};
use super::turns::{self, Turn};
use super::words::Kind;
use super::{Label, end_of, is_mixed_word, window};

/// Most bytes of a question, of the answers after it, of a question without a question mark, and of the turn before a
/// thank-you.
const QUESTION_BYTES_MAX: usize = 300;
const ANSWER_BYTES_MAX: usize = 2_000;
const WISH_BYTES_MAX: usize = 120;
const GIVEN_BYTES_MAX: usize = 160;

/// Most turns of others that may answer a question, and most values of one answer.
const TURNS_MAX: usize = 6;
const VALUES_MAX: usize = 4;

/// Most words of a turn in which a hex value is not a commit.
const HASH_WORDS_MAX: usize = 6;

/// First words of a request without a question mark.
const ASKS: &[&str] = &[
    "what", "whats", "what's", "which", "show", "give", "tell", "remind", "generate", "make", "create",
    "rotate", "reset", "set", "change", "renew", "find", "look", "get", "send", "share", "need", "i",
    "please", "can", "could", "do", "how", "where", "read", "print", "gib", "zeig", "sag", "nenn", "wie",
    "was", "welches", "erzeuge", "setze", "dame", "dime", "cuál", "cual", "genera", "muéstrame", "donne-moi",
    "donne", "dis-moi", "quel", "génère", "regenerate", "update", "issue", "new", "wifi", "wlan", "passwort",
    "password",
];

/// The same in scripts without blanks.
const ASKS_HAN: &[&str] = &["给我", "告诉我", "請給", "请给", "是什么", "多少", "教えて", "ください"];

/// Words after a label that make a question about secrets in general.
const ABOUT: &[&str] = &[
    "manager", "managers", "policy", "policies", "hash", "hashes", "hashing", "rules", "rotation", "expiry",
    "field", "limit", "limits", "count", "usage", "counts", "budget", "format", "strength", "length", "auth",
    "authentication",
];

/// Words that announce a value in an answer.
const LEADS: &[&str] = &[
    "is", "it's", "its", "it’s", "to", "try", "use", "used", "with", "now", "are", "was", "ist", "lautet",
    "es", "uses", "and", "und", "y", "est", "yes", "ja", "sí", "si", "oui", "enter", "type", "have", "got",
    "still", "says", "or",
];

/// Words of a turn that show that the previous turn gave a secret.
const THANKS: &[&str] = &["thanks", "thank", "that", "it", "works", "worked", "danke", "gracias", "merci"];

/// The values that answer the question with `label`, or that a thank-you confirms as secrets. Returns the end of the
/// question, which is read once.
pub fn answers(text: &str, label: &Label, name_end: usize, found: &mut Vec<Range<usize>>) -> usize {
    let names_secret = match label.kind {
        Kind::Password | Kind::Pair => true,
        Kind::Key => !label.is_bare_key(text) || label.is_of_network(text) || is_key_asked(text, label),
        Kind::Number | Kind::Codes => false,
    };
    if !names_secret {
        return name_end;
    }
    let Some(turn) = turns::around(text, label.span.start) else { return name_end };
    let behind = text[name_end..].trim_start_matches([' ', '-']);
    let next = behind.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if next.len() < QUESTION_BYTES_MAX && ABOUT.contains(&next.to_lowercase().as_str()) {
        return name_end;
    }
    let body = &text[turn.body.clone()];
    if body.len() > QUESTION_BYTES_MAX {
        return name_end;
    }
    // An item of a change list also begins with a verb.
    let is_item = text[turn.start..turn.body.start].trim_start().starts_with(['-', '*', '+'])
        && !text[turn.start..].trim_start().starts_with("**");
    let is_short = !is_item && body.len() <= WISH_BYTES_MAX;
    if body.contains(['?', '？']) || is_short && asks(body) {
        answer(text, &turn, found);
    }
    given(text, &turn, found);
    turn.body.end
}

/// Whether `key` is alone in a short question: `remind me of the key`.
fn is_key_asked(text: &str, label: &Label) -> bool {
    text[label.span.clone()].eq_ignore_ascii_case("key")
        && ["api ", "access ", "secret ", "ssh ", "license ", "the "]
            .iter()
            .any(|word| end_of(&text[..label.span.start], 16).to_ascii_lowercase().ends_with(word))
}

/// Whether a turn without a question mark is a request.
fn asks(body: &str) -> bool {
    let first = body.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = first.split([' ', ',', '\n']).next().unwrap_or_default();
    first.len() < 16 && ASKS.contains(&first.to_lowercase().as_str())
        || ASKS_HAN.iter().any(|word| body.contains(word))
}

/// The values in the turns after `question`, up to the asker's next turn, which counts if it answers a question.
fn answer(text: &str, question: &Turn, found: &mut Vec<Range<usize>>) {
    let end = text.floor_char_boundary(question.body.end + ANSWER_BYTES_MAX);
    let (mut at, mut is_asked_back) = (question.body.end, false);
    for _ in 0..TURNS_MAX {
        let Some(turn) = turns::next(text, at, end) else { return };
        let is_of_who_asked = turn.name == question.name;
        if is_of_who_asked && !is_asked_back {
            return;
        }
        values(text, turn.body.clone(), found);
        // `I don't know. What is it?`: then the asker answers.
        if is_of_who_asked {
            return;
        }
        is_asked_back = text[turn.body.clone()].contains(['?', '？']);
        at = turn.body.end;
    }
}

/// The value of the short turn before `thanks`, which confirms it as a secret.
fn given(text: &str, thanks: &Turn, found: &mut Vec<Range<usize>>) {
    let body = text[thanks.body.clone()].to_lowercase();
    let mut words = body.split(|c: char| !c.is_alphanumeric());
    if body.contains(['?', '？']) || !words.any(|word| THANKS.contains(&word)) {
        return;
    }
    let from = text.ceil_char_boundary(thanks.start.saturating_sub(GIVEN_BYTES_MAX));
    let before = text[from..thanks.start].trim_end();
    let Some(turn) = turns::around(text, from + before.len().saturating_sub(1)) else { return };
    if turn.name != thanks.name && text[turn.body.clone()].split_whitespace().count() <= VALUES_MAX {
        values(text, turn.body, found);
    }
}

/// The values among the words of a turn.
fn values(text: &str, body: Range<usize>, found: &mut Vec<Range<usize>>) {
    let words: Vec<&str> = text[body.clone()].split_whitespace().collect();
    let (mut count, mut lead, mut is_fenced) = (0, String::new(), false);
    for word in &words {
        if word.starts_with("```") {
            is_fenced = !is_fenced;
            continue;
        }
        let inner = word.trim_matches(|c: char| "`\"'*()（）,.;:!?。，：「」|⏎".contains(c));
        // `好的：…`.
        let inner = inner.rsplit(['：', '，', '。']).next().unwrap_or(inner);
        let at = inner.as_ptr() as usize - text.as_ptr() as usize;
        let is_marked = text[..at].ends_with(['`', '：']) || is_fenced;
        let is_said = is_marked
            || words.len() <= 2
            || lead.ends_with([':', '/', '：', '|', ',', '!', '⏎'])
            || is_mark_of_list(&lead)
            || LEADS.contains(&lead.trim_end_matches(',').to_lowercase().as_str())
            || text[..at].ends_with('\n');
        // A commit hash.
        let is_hash =
            !is_marked && words.len() > HASH_WORDS_MAX && inner.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_said && !is_hash && is_value(inner) {
            found.push(at..at + inner.len());
            count += 1;
            if count == VALUES_MAX {
                return;
            }
        }
        lead = window(word, 0, word.len().min(32)).to_owned();
    }
}

/// Whether a word is a list marker: `2.`, `3)`, `-`.
fn is_mark_of_list(word: &str) -> bool {
    let number = word.trim_end_matches(['.', ')']);
    matches!(word, "-" | "*" | "•")
        || number.len() < word.len() && number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word of an answer is a value: it resembles a password, and neither a word nor an identifier.
fn is_value(word: &str) -> bool {
    let strength = |is_sure| Strength { is_password: true, is_sure };
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_versioned =
        word.split(['-', '.', '_', '/']).count() > 2 && !word.contains(['!', '#', '$', '%', '^', '&']);
    let is_marked = word.contains(['!', '#', '$', '%', '^', '&', '*', '+', '?', '~', '@', '=']);
    !is_file(word)
        && strength(true).holds(word)
        && (is_mixed_word(word) && !is_versioned
            || is_random(word, RANDOM_BYTES_MIN, true)
            || strength(false).holds(word) && (digits > 1 || digits > 0 && is_marked)
            || is_drawn_letters(word, true))
}
