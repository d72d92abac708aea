//! The turns of a conversation, in common notations: `Bob: …`, `**Bob** (10:02): …`, `<bob> …`, `### User`, `Bob
//! 10:02 AM` above the text, `02/11/2026, 10:02 - Bob: …`.
//!
//! Invariant: a turn ends with the next one, with an empty line before a heading, or after [`TURN_BYTES_MAX`] bytes.

use std::ops::Range;

use super::end_of;

/// Most bytes of a turn, of its head, and of a name.
const TURN_BYTES_MAX: usize = 1_200;
const HEAD_BYTES_MAX: usize = 80;
const NAME_BYTES_MAX: usize = 32;

/// Most words of a name.
const NAME_WORDS_MAX: usize = 3;

/// Most lines before a byte that are searched for the head of its turn.
const LINES_MAX: usize = 8;

/// Headings that name the speaker.
const ROLES: &[&str] = &[
    "user", "assistant", "human", "ai", "bot", "me", "you", "claude", "chatgpt", "gpt", "agent", "model",
    "prompt", "response", "question", "answer", "frage", "antwort",
];

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn<'t> {
    /// The speaker.
    pub name: &'t str,
    /// Start of its head.
    pub start: usize,
    /// Range of its text.
    pub body: Range<usize>,
}

/// The turn that contains the byte at `at`.
pub fn around(text: &str, at: usize) -> Option<Turn<'_>> {
    let at = text.floor_char_boundary(at);
    let before = end_of(&text[..at], TURN_BYTES_MAX);
    let mut start = at - before.rsplit('\n').next().map_or(0, str::len);
    for _ in 0..LINES_MAX {
        if let Some((name, body)) = head(text, start) {
            let turn = Turn { name, start, body: body..end(text, body) };
            return (turn.body.start <= at).then_some(turn);
        }
        let above = text[..start].strip_suffix('\n').filter(|_| at - start < TURN_BYTES_MAX)?;
        start = above.len() - end_of(above, TURN_BYTES_MAX).rsplit('\n').next().map_or(0, str::len);
    }
    None
}

/// The first turn that begins between two line starts.
pub fn next(text: &str, from: usize, end_at: usize) -> Option<Turn<'_>> {
    let mut start = from;
    while start < end_at {
        if let Some((name, body)) = head(text, start) {
            return Some(Turn { name, start, body: body..end(text, body) });
        }
        start += text[start..].find('\n')? + 1;
    }
    None
}

/// The end of the turn whose text begins at `body`: before the head of the next one.
fn end(text: &str, body: usize) -> usize {
    let most = text.floor_char_boundary(body + TURN_BYTES_MAX);
    let mut at = body;
    while let Some(line) = text[at..most].find('\n').map(|len| at + len + 1) {
        if head(text, line).is_some() || text[line..].starts_with('#') {
            return line;
        }
        at = line;
    }
    most
}

/// The speaker in the line at `start`, and the start of the text.
fn head(text: &str, start: usize) -> Option<(&str, usize)> {
    let rest = &text[start..text.floor_char_boundary(start + 2 * HEAD_BYTES_MAX)];
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let bare = line.trim_start_matches([' ', '\t', '>', '-', '*', '•']);
    if line.starts_with('#') {
        let name = line.trim_matches(['#', ' ', '*', ':', '\r']);
        let is_role = ROLES.iter().any(|role| name.eq_ignore_ascii_case(role));
        return is_role.then(|| (name, text.ceil_char_boundary(place(line) + line.len() + 1)));
    }
    let bare = without_time(bare);
    if let Some((name, words)) = bare.strip_prefix('<').and_then(|bare| bare.split_once("> ")) {
        return is_name(name).then(|| (name, place(words)));
    }
    let colon = bare.find([':', '：']).filter(|at| *at <= HEAD_BYTES_MAX);
    let named = bare.trim_start_matches(['*', '_']);
    // `Bob  10:02 AM` alone in its line.
    if let Some(time) = named.find(|c: char| c.is_ascii_digit() || c == '[')
        && time > 0
        && is_time(named[time..].trim_end())
    {
        let name = named[..time].trim_matches([' ', '\t', '*', '_', '(', '[', '|', '·', ',']);
        return is_name(name).then(|| (name, text.ceil_char_boundary(place(line) + line.len() + 1)));
    }
    let colon = colon?;
    // `**Bob** (10:02): …`.
    let colon = match bare[..colon].find(" (") {
        Some(open) if bare[open..].find("):").is_some_and(|close| is_time(&bare[open + 2..open + close])) => {
            open + bare[open..].find("):")? + 1
        }
        _ => colon,
    };
    let name = bare[..colon].split(" (").next()?.trim_matches(['*', '_', ' ']);
    let mark = bare[colon..].chars().next()?;
    let words = &bare[colon + mark.len_utf8()..];
    let is_parted = mark == '：' || words.is_empty() || words.starts_with([' ', '*', '_', '\r']);
    (is_name(name) && is_parted).then(|| (name, place(words.trim_start_matches(['*', '_', ' ']))))
}

/// A line without its leading time: `[10:02]`, `02/11/2026, 10:02 - `.
fn without_time(line: &str) -> &str {
    let is_of_time = |c: char| c.is_ascii_digit() || ":/.,-[]() \u{202f}".contains(c);
    let rest = line.trim_start_matches(is_of_time);
    let rest = ["AM", "PM", "am", "pm"].iter().find_map(|half| rest.strip_prefix(half)).unwrap_or(rest);
    let rest = rest.trim_start_matches([']', ' ', '-', ')', ',']);
    if line[..line.len() - rest.len()].contains(':') { rest } else { line }
}

/// Whether `text` is a time of day, with or without AM or PM.
fn is_time(text: &str) -> bool {
    let text = text.trim_matches(['[', ']', '(', ')']);
    let text =
        ["AM", "PM", "am", "pm"].iter().find_map(|half| text.strip_suffix(half)).unwrap_or(text).trim_end();
    text.contains(':') && text.len() <= 8 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
}

fn is_name(name: &str) -> bool {
    (1..=NAME_BYTES_MAX).contains(&name.len())
        && name.chars().all(|c| c.is_alphanumeric() || " ._-'@+".contains(c))
        && name.contains(char::is_alphabetic)
        && name.split_whitespace().count() <= NAME_WORDS_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_read_in_the_forms_of_programs_and_people() {
        for (first, second) in [
            ("Bob: a b?", "Ana: c"),
            ("- bob: a b?", "- main: c"),
            ("**Bob:** a b?", "**Ana:** c"),
            ("**Bob** (10:02): a b?", "**Ana** (10:03): c"),
            ("### User\na b?\n", "### Assistant\nc"),
            ("Bob  10:02 AM\na b?\n", "Ana  10:03 AM\nc"),
            ("<bob> a b?", "<ana> c"),
            ("02/11/2026, 10:02 - Bob: a b?", "02/11/2026, 10:03 - Ana: c"),
            ("[10:02] Bob: a b?", "[10:03] Ana: c"),
        ] {
            let text = format!("{first}\n{second}\n");
            let asked = around(&text, text.find("b?").expect("there")).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(text[asked.body.clone()].trim(), "a b?", "{text}");
            let said = next(&text, asked.body.end, text.len()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(text[said.body.clone()].trim(), "c", "{text}");
            assert_ne!(asked.name, said.name);
        }
        assert_eq!(around("the password is long\n", 6), None);
        let text = "- ana: it has …\n- bo: c\n";
        assert!((0..text.len()).all(|at| around(text, at).is_none_or(|turn| turn.body.end <= text.len())));
    }
}
