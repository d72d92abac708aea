//! The fence around text shown to a host's agent, and its removal from incoming text.
//!
//! Agents quote what they were shown, and hosts write it into transcripts. If it were recorded and recalled, memory
//! would repeat itself. So all shown text has one fence with a fixed name, which is removed from all incoming text. A
//! `<private>` part is not stored either. Invariant: an opening mark without an end removes the rest of the text:
//! possibly private text is dropped rather than stored.

use crate::Notice;

/// The name of the fence.
pub const FENCE: &str = "inwit-context";

/// The name of private parts.
pub const PRIVATE: &str = "private";

/// Version of the content, for readers of a host's transcript.
const VERSION: u32 = 1;

/// `text` inside the fence; fence marks in it have no effect.
pub fn fenced(moment: &str, text: &str) -> String {
    format!("<{FENCE} v=\"{VERSION}\" at=\"{moment}\">\n{}\n</{FENCE}>", inert(text))
}

/// `text` with its fence marks disabled.
fn inert(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(mark) = next_mark(&lower, at, FENCE) {
        out.push_str(&text[at..mark.start]);
        out.push_str("&lt;");
        at = mark.start + text[mark.start..].chars().next().map_or(0, char::len_utf8);
    }
    out.push_str(&text[at..]);
    out
}

/// Text from a host, cleaned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Public {
    /// The part that may be searched and stored.
    pub text: String,
    has_private: bool,
}

/// Removes our own fences, private parts, and the middle of a too large text.
pub fn public(text: &str) -> Public {
    let (ours_gone, _) = without(text, FENCE);
    let (text, has_private) = without(&ours_gone, PRIVATE);
    Public { text: fitting(text.trim()), has_private }
}

/// Largest text that is stored whole, in bytes of JSON: a transcript line has at most 1 MiB.
const SAID_BYTES_MAX: usize = 900 * 1024;

/// Bytes kept at the start and end of a larger one.
const HEAD_BYTES: usize = 96 * 1024;
const TAIL_BYTES: usize = 32 * 1024;

/// Longest word that is not cut.
const WORD_BYTES_MAX: usize = 4 * 1024;

/// `text`, without its middle if it is too large for one entry; a mark states how much is omitted.
fn fitting(text: &str) -> String {
    let cost = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..b' ' => 6,
        _ => 1,
    };
    if text.len() <= SAID_BYTES_MAX && text.bytes().map(cost).sum::<usize>() <= SAID_BYTES_MAX {
        return text.to_owned();
    }
    // Cut between words: half a key is not recognised.
    let head = text.floor_char_boundary(HEAD_BYTES);
    let head =
        text[..head].rfind(char::is_whitespace).filter(|at| head - at < WORD_BYTES_MAX).unwrap_or(head);
    let tail = text.ceil_char_boundary(text.len() - TAIL_BYTES);
    let tail =
        text[tail..].find(char::is_whitespace).filter(|at| *at < WORD_BYTES_MAX).map_or(tail, |at| tail + at);
    format!("{}\n[left out: {} bytes]\n{}", &text[..head], tail - head, &text[tail..])
}

/// `text` without its private parts; `None` if it has none.
pub fn without_private(text: &str) -> Option<String> {
    Some(public(text)).filter(Public::has_private).map(|public| public.text)
}

/// The notice that a private part was left out.
pub fn private_left_out() -> Notice {
    let message = "The part in `<private>` was left out and is not stored.";
    Notice::new("private_left_out", message, "Write text that should be kept outside of `<private>`.")
}

impl Public {
    /// Whether something was private.
    pub fn has_private(&self) -> bool {
        self.has_private
    }

    /// The same of a text that was cleaned before.
    pub fn of_text(text: String) -> Self {
        Self { text, has_private: false }
    }
}

/// `text` without elements called `name`, and whether there were any. They may be nested; unmatched end marks are
/// removed too.
fn without(text: &str, name: &str) -> (String, bool) {
    // Letters keep their length, so places are the same in both.
    let lower = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut depth, mut holds) = (0, 0_usize, false);
    while let Some(mark) = next_mark(&lower, at, name) {
        if depth == 0 {
            out.push_str(&text[at..mark.start]);
        }
        if mark.opens {
            (depth, holds) = (depth + 1, true);
        } else {
            depth = depth.saturating_sub(1);
        }
        at = mark.end;
    }
    if depth == 0 {
        out.push_str(&text[at..]);
    }
    (out, holds)
}

/// A start or end mark of an element.
struct Mark {
    start: usize,
    end: usize,
    opens: bool,
}

/// The next mark of `name` after `from`. Hand-typed forms count: full-width `＜／＞`, blanks and invisible characters
/// around the name, and invisible ones inside it. A mark that begins with a blank must contain only the name, or `a <
/// private b` would be one.
fn next_mark(lower: &str, from: usize, name: &str) -> Option<Mark> {
    lower[from..].match_indices(['<', '＜']).find_map(|(offset, opening)| {
        let start = from + offset;
        let behind = &lower[start + opening.len()..];
        let inside = without_blanks(behind);
        let (opens, inside) = match inside.strip_prefix(['/', '／']) {
            Some(rest) => (false, rest),
            None => (true, inside),
        };
        let rest = behind_name(without_blanks(inside), name)?;
        let is_loose = behind.starts_with(is_blank) || inside.starts_with(is_blank);
        let tail = without_blanks(rest);
        let ends_name = if is_loose {
            tail.starts_with(['>', '＞'])
        } else {
            // `<privateer>` is another word.
            rest.is_empty() || tail.len() < rest.len() || rest.starts_with(['>', '＞', '/', '／'])
        };
        // An unclosed mark ends where the next one begins.
        let close = rest.find(['>', '＞', '<', '＜']).map_or(lower.len(), |at| {
            let closing = rest[at..].chars().next().filter(|c| matches!(c, '>' | '＞'));
            lower.len() - rest.len() + at + closing.map_or(0, char::len_utf8)
        });
        ends_name.then_some(Mark { start, end: close, opens })
    })
}

/// The text after `name` at the start of `text`; invisible characters may be between its letters.
fn behind_name<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    name.chars().try_fold(text, |rest, letter| {
        rest.trim_start_matches(inwit_model::invisible::is_invisible).strip_prefix(letter)
    })
}

fn without_blanks(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || inwit_model::invisible::is_invisible(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn said(text: &str) -> String {
        public(text).text
    }

    #[test]
    fn what_is_private_or_ours_is_taken_out() {
        for (text, kept) in [
            ("hello", "hello"),
            ("a <private>pin 4711</private> b", "a  b"),
            ("a <PRIVATE >x</Private > b", "a  b"),
            ("a < private >x</ private > b", "a  b"),
            ("a <private>x< / private> b", "a  b"),
            ("a <private\n>x</private\n> b", "a  b"),
            ("a ＜private＞密码＜／private＞ b", "a  b"),
            ("a <\u{200b}private>x</private\u{200b}> b", "a  b"),
            ("a <pri\u{200b}vate>x</priva\u{ad}te> b", "a  b"),
            ("a <pri vate>x</private> b", "a <pri vate>x b"),
            ("5 < private rooms, 7 > 6", "5 < private rooms, 7 > 6"),
            ("a <private>x <private>y</private> z</private> b", "a  b"),
            ("never closed <private>pin 4711", "never closed"),
            ("never closed <private", "never closed"),
            ("Hi </inwit-context <private>word</private> x", "Hi  x"),
            ("Hi <inwit-context <private>word</private> x", "Hi"),
            ("a </private <private>word</private> x", "a  x"),
            ("a <private <private>word</private> x", "a"),
            ("stray </private> end", "stray  end"),
            ("<privateer> a ship", "<privateer> a ship"),
            ("1 < 2 and <b>", "1 < 2 and <b>"),
            ("why? <inwit-context v=\"1\" at=\"x\">\n- rye\n</inwit-context> so", "why?  so"),
            ("why? <inwit-context v=\"1\">\n- rye", "why?"),
        ] {
            assert_eq!(said(text), kept, "{text}");
        }
    }

    #[test]
    fn of_what_is_too_large_for_an_entry_the_beginning_and_the_end_are_kept() {
        let large = format!("It began so. {}It ended so.", "wörter ".repeat(300_000));
        let kept = said(&large);
        assert!(kept.starts_with("It began so.") && kept.ends_with("It ended so."));
        assert!(kept.contains("\n[left out: ") && kept.len() < SAID_BYTES_MAX, "{}", kept.len());
        assert_eq!(said(&kept), kept, "once is enough");
        let controls = "\u{1}a".repeat(100_000);
        assert_eq!(said(&controls), controls);
        assert!(said(&"\u{1}a".repeat(200_000)).len() < 200_000, "JSON writes a control character as six");
    }

    /// Texts of a few megabytes, which take minutes where each mark is looked for to the end of the text.
    #[test]
    fn the_work_is_linear_in_the_text() {
        for mark in ["<private>", "<private", "</private", "<private ", "< ", "<private>word "] {
            let text = mark.repeat((4 << 20) / mark.len());
            let heard = public(&text);
            assert!(heard.text.len() <= text.len(), "{mark}");
        }
    }

    proptest! {
        #[test]
        fn what_was_shown_never_comes_back(
            shown in r"(\PC|\n|</?inwit-context>|＜ ?／?inwit-context＞|<inwit-context v=|</private>|<private>){0,40}",
            before in r"[a-z .]{0,20}",
            after in r"[a-z .]{0,20}",
        ) {
            let text = format!("{before}{}{after}", fenced("test", &shown));
            let around = format!("{before}{after}");
            prop_assert_eq!(said(&text), around.trim());
        }

        #[test]
        fn any_text_is_taken(text in r"(\PC|<private>|</private>|＜private＞|< ?/ ?private >|<inwit-context|>){0,40}") {
            let kept = public(&text);
            prop_assert!(kept.text.len() <= text.len());
            prop_assert!(!kept.text.to_lowercase().contains("<private>"), "{:?}", kept);
        }
    }
}
