//! Open loops: promises and unfinished tasks in the agent's text.
//!
//! Opened by an unchecked item, `- [ ] call Bob`, or a line that begins `TODO:`, `Open loop:`, `Pendiente:` or `待办：`.
//! Closed by a checked item, `- [x] call Bob`, or a line that begins `Done:`, `Closed:`, `Hecho:` or `完成：`, with the
//! same words. Invariant: only lines of the agent's final text count, not those in a code fence or quote, so a quoted
//! file or page opens nothing.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization as _;

use super::{LOOPS, section};
use crate::core::inert;

/// Most open loops in the memo, newest first.
pub const OPEN_LOOPS_MAX: usize = 10;

/// Longest open loop, in characters.
pub const OPEN_LOOP_CHARS_MAX: usize = 200;

/// Placeholder when nothing is open.
pub(super) const NONE: &str = "(none)";

const OPENERS: [&str; 4] = ["todo:", "open loop:", "pendiente:", "待办:"];
const CLOSERS: [&str; 5] = ["done:", "closed:", "closed loop:", "hecho:", "完成:"];

/// Loops that one text opened and closed, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loops {
    /// Opened.
    pub opened: Vec<String>,
    /// Closed.
    pub closed: Vec<String>,
}

/// The loops that an agent's final text opens and closes.
pub fn loops_in(final_text: &str) -> Loops {
    let mut loops = Loops::default();
    let mut fence: Option<char> = None;
    for line in final_text.lines() {
        let line = line.trim();
        if let Some(mark) = ['`', '~'].into_iter().find(|mark| line.starts_with(&mark.to_string().repeat(3)))
        {
            fence = match fence {
                None => Some(mark),
                Some(open) if open == mark => None,
                open => open,
            };
            continue;
        }
        if fence.is_some() || line.starts_with('>') {
            continue;
        }
        let (list, text) = item(line);
        let ticked = boxed(text).filter(|_| list).map(|(ticked, _)| ticked);
        if let Some(text) = (ticked == Some(false)).then_some(text).or_else(|| behind(text, &OPENERS)) {
            loops.opened.extend(plain(text));
        } else if let Some(text) = ticked.map(|_| text).or_else(|| behind(text, &CLOSERS)) {
            loops.closed.extend(plain(text));
        }
    }
    loops
}

/// The open loops of a memo, newest first, without placeholders.
pub fn open_loops(bytes: &[u8]) -> Vec<String> {
    noted(bytes).into_iter().filter(|noted| noted.is_open).map(|noted| noted.words).collect()
}

/// An item among the open loops of a memo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Noted {
    /// Start of its words in bytes, after list marks and boxes.
    pub(crate) at: usize,
    /// Its words in normalised form, the key of a loop.
    pub(crate) words: String,
    /// Neither ticked nor a placeholder.
    pub(crate) is_open: bool,
}

/// All items among the open loops, ticked ones too: ticking an item does not authorise its text.
pub(crate) fn noted(bytes: &[u8]) -> Vec<Noted> {
    let document = inwit_markdown::outline(bytes);
    let Some(at) = section(&document, LOOPS) else { return Vec::new() };
    let entries = document.entries.iter().filter(|entry| entry.section as usize == at);
    entries
        .filter_map(|entry| {
            let whole = document.text(&entry.span).into_owned();
            let (is_item, _) = item(whole.trim());
            let (text, ticked) = bare(whole.trim());
            let at = entry.span.start + (whole.trim_end().len() - text.len());
            let is_open = is_item && !ticked && text != NONE && unwrapped(text).is_none();
            plain(text).map(|words| Noted { at, words, is_open })
        })
        .collect()
}

/// The loops after a turn: closed ones are removed, new ones come first, repeated ones move up. Loops that are `held`
/// are neither closed nor displaced: an untrusted turn cannot end the owner's loops. The second list has loops beyond
/// the limit, newest first.
pub fn merged(known: &[String], found: &Loops, held: &[String]) -> (Vec<String>, Vec<String>) {
    let keys = |texts: &[String]| texts.iter().map(|text| key(text)).collect::<HashSet<_>>();
    let (closed, never_closed) = (keys(&found.closed), keys(held));
    let mut seen = HashSet::new();
    let is_left = |text: &&String| {
        let key = key(text);
        (!closed.contains(&key) || never_closed.contains(&key)) && seen.insert(key)
    };
    let all: Vec<&String> = found.opened.iter().rev().chain(known).filter(is_left).collect();
    let held: HashSet<&String> = held.iter().collect();
    let mut over = all.len().saturating_sub(OPEN_LOOPS_MAX);
    let (mut kept, mut rest) = (Vec::new(), Vec::new());
    for text in all.into_iter().rev() {
        let goes = over > 0 && !held.contains(text);
        over -= usize::from(goes);
        if goes { rest.push(text.clone()) } else { kept.push(text.clone()) }
    }
    kept.reverse();
    rest.reverse();
    (kept, rest)
}

/// One loop in the form of the memo.
pub(super) fn bullet(text: &str) -> String {
    format!("- {}", inert::line(text, OPEN_LOOP_CHARS_MAX))
}

/// Whether `line` is a list item, and its text.
fn item(line: &str) -> (bool, &str) {
    let item = line.strip_prefix(['-', '*', '+']).filter(|text| text.starts_with([' ', '\t']));
    item.map_or((false, line), |text| (true, text.trim_start()))
}

/// Whether the box at the start of `text` is ticked, and the rest.
fn boxed(text: &str) -> Option<(bool, &str)> {
    let (ticked, rest) = match text.strip_prefix("[ ]") {
        Some(rest) => (false, rest),
        None => (true, text.strip_prefix("[x]").or_else(|| text.strip_prefix("[X]"))?),
    };
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| (ticked, rest.trim_start()))
}

/// `text` after all list marks and boxes, and whether one is ticked.
fn bare(mut text: &str) -> (&str, bool) {
    let mut any_ticked = false;
    loop {
        if let (true, rest) = item(text) {
            text = rest;
        } else if let Some((ticked, rest)) = boxed(text) {
            (text, any_ticked) = (rest, any_ticked || ticked);
        } else {
            return (text, any_ticked);
        }
    }
}

/// The content of a placeholder.
fn unwrapped(text: &str) -> Option<&str> {
    text.strip_prefix("_(")?.strip_suffix(")_")
}

/// The text after one of `words`, in any case, with either colon, bold or not.
fn behind<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let text = text.trim_start_matches('*');
    let colon = text.find([':', '：'])?;
    let (word, rest) = text.split_at(colon);
    let word = word.to_lowercase() + ":";
    let rest = rest.strip_prefix([':', '：'])?;
    words.contains(&word.as_str()).then(|| rest.trim_start_matches('*').trim())
}

/// The text on one line, normalised; `None` if empty. Marks are removed repeatedly, so that the memo returns the same
/// words and their trust mark stays valid (D9).
fn plain(text: &str) -> Option<String> {
    let mut text = text.trim().to_owned();
    loop {
        let (rest, _) = bare(&text);
        let rest = unwrapped(rest).unwrap_or(rest);
        let next = inert::words(&inert::unescaped(rest), OPEN_LOOP_CHARS_MAX);
        if next == text {
            break;
        }
        text = next;
    }
    (text != NONE && text.chars().any(char::is_alphanumeric)).then_some(text)
}

/// Letters and digits only, so that punctuation does not matter.
fn key(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(these: &[&str]) -> Vec<String> {
        these.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn what_an_agent_leaves_open_is_found_and_what_it_quotes_is_not() {
        let found = loops_in(
            "Here:\n- [ ] call Bob\n- [x] Buy bread.\n**TODO:** water plants\nOpen loop: rent\n待办：买米\n\
             Pendiente: pagar luz\nDone: taxes\n> TODO: quoted\n```\n- [ ] in code\n```\nI will TODO: not this\n[ ] nor this\n- [ ] \n",
        );
        assert_eq!(found.opened, texts(&["call Bob", "water plants", "rent", "买米", "pagar luz"]));
        assert_eq!(found.closed, texts(&["Buy bread.", "taxes"]));
    }

    #[test]
    fn the_newest_come_first_and_what_is_closed_goes() {
        let known = texts(&["buy bread", "rent", "call Bob"]);
        let found = Loops { opened: texts(&["water plants", "Call Bob!"]), closed: texts(&["Buy bread."]) };
        let (kept, rest) = merged(&known, &found, &[]);
        assert_eq!(kept, texts(&["Call Bob!", "water plants", "rent"]));
        assert!(rest.is_empty());
        let many: Vec<String> = (0..14).map(|n| format!("loop {n}")).collect();
        let (kept, rest) = merged(&many, &Loops::default(), &[]);
        assert_eq!((kept.len(), rest.len()), (OPEN_LOOPS_MAX, 4));
        assert_eq!(rest[0], "loop 10");
    }

    #[test]
    fn a_memo_gives_its_loops_back() {
        let file =
            b"## Open loops\n\n- call Bob\n- [ ] rent\n- [x] done\n- _(placeholder)_\n- (none)\n- \\# odd\n";
        assert_eq!(open_loops(file), texts(&["call Bob", "rent", "# odd"]));
        assert_eq!(open_loops(b"nothing"), Vec::<String>::new());
    }

    /// Regression: a reply of 10,000 such lines blocked other writers for 24 seconds; a quadratic comparison takes
    /// minutes.
    #[test]
    fn the_work_for_many_loops_is_linear_in_them() {
        let many: Vec<String> = (0..20_000).map(|number| format!("call {number}")).collect();
        let found = Loops { opened: many.clone(), closed: many[..5_000].to_vec() };
        let (kept, rest) = merged(&many, &found, &many[..3]);
        assert_eq!((kept.len(), rest.len()), (OPEN_LOOPS_MAX, 15_003 - OPEN_LOOPS_MAX));
        assert_eq!(kept[..2], many[19_998..].iter().rev().cloned().collect::<Vec<_>>()[..]);
        assert!(many[..3].iter().all(|held| kept.contains(held)), "{kept:?}");
    }
}
