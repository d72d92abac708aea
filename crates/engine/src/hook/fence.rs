//! The fence around what we show a host's agent, and what is taken out of what comes back.
//!
//! An agent quotes what it was shown, and hosts write it into their transcripts. If that were journaled
//! and recalled, memory would echo itself and grow by its own words. So everything shown stands in one
//! fence of a fixed name, and every text that comes in loses such fences first. A `<private>` part is what
//! a person does not want kept. Invariant: an opening mark without an end takes the rest of the text with
//! it: what may be private or ours is left out rather than kept.

use std::collections::HashSet;

use crate::Notice;

/// What the fence is called.
pub const FENCE: &str = "inwit-context";

/// What people put around words that are not to be kept.
pub const PRIVATE: &str = "private";

/// Version of what stands inside, for whoever reads a host's transcript.
const VERSION: u32 = 1;

/// Fewest letters of a word of a private part by which a reply that repeats it is known.
const ECHO_CHARS_MIN: usize = 4;

/// Most pairs of a private word and a word of the reply that are compared.
const ECHO_PAIRS_MAX: usize = 10_000_000;

/// `text` inside the fence; a mark of the fence in it can neither open nor close one.
pub fn fenced(moment: &str, text: &str) -> String {
    format!("<{FENCE} v=\"{VERSION}\" at=\"{moment}\">\n{}\n</{FENCE}>", inert(text))
}

/// Every mark of the fence in `text` made harmless.
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

/// What came from a host, cleaned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Public {
    /// What may be searched for and kept.
    pub text: String,
    /// The private parts; only to recognise them elsewhere.
    secret: Vec<String>,
}

/// Takes out what we showed ourselves, and what is private.
pub fn public(text: &str) -> Public {
    let (ours_gone, _) = without(text, FENCE);
    let (text, secret) = without(&ours_gone, PRIVATE);
    Public { text: text.trim().to_owned(), secret }
}

/// `text` without its private parts; `None` where it has none.
pub fn without_private(text: &str) -> Option<String> {
    Some(public(text)).filter(Public::has_private).map(|public| public.text)
}

/// The notice that a private part was left out.
pub fn private_left_out() -> Notice {
    let message = "A part in `<private>` was left out; it is kept nowhere.";
    Notice::new("private_left_out", message, "Write words that are to be kept outside of `<private>`.")
}

impl Public {
    /// Whether something was private.
    pub fn has_private(&self) -> bool {
        !self.secret.is_empty()
    }

    /// The same of a text that was cleaned before.
    pub fn of_text(text: String) -> Self {
        Self { text, secret: Vec::new() }
    }

    /// Whether `reply` says a word of a private part again that was not also said openly. An agent likes to
    /// repeat what it was told, and then the reply is private as well.
    pub fn is_echoed_in(&self, reply: &str) -> bool {
        let open: HashSet<String> = words(&self.text).into_iter().collect();
        let secret: HashSet<String> = self.secret.iter().flat_map(|part| words(part)).collect();
        let counts = |word: &String| {
            let is_long = word.chars().count() >= ECHO_CHARS_MIN || word.chars().any(|c| c.is_ascii_digit());
            let is_spaceless = word.chars().any(|c| !c.is_ascii() && c.is_alphanumeric());
            (is_long || is_spaceless) && !open.contains(word)
        };
        let secret: Vec<String> = secret.into_iter().filter(counts).collect();
        let mut said = words(reply);
        said.sort_unstable();
        said.dedup();
        if secret.len().saturating_mul(said.len()) > ECHO_PAIRS_MAX {
            // Too many to compare: what may be private is left out.
            return true;
        }
        // No word of a private part holds a blank, so it stands in one word of the reply.
        let said = said.join(" ");
        secret.iter().any(|word| memchr::memmem::find(said.as_bytes(), word.as_bytes()).is_some())
    }
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// `text` without the elements called `name`, and what they held. Elements of that name may stand inside
/// each other; stray ends go too.
fn without(text: &str, name: &str) -> (String, Vec<String>) {
    // Letters keep their length, so places are the same in both.
    let lower = text.to_ascii_lowercase();
    let (mut out, mut held) = (String::with_capacity(text.len()), Vec::new());
    let (mut at, mut depth, mut began) = (0, 0_usize, 0);
    while let Some(mark) = next_mark(&lower, at, name) {
        if depth == 0 {
            out.push_str(&text[at..mark.start]);
            began = mark.end;
        }
        if mark.opens {
            depth += 1;
        } else if depth > 0 {
            depth -= 1;
            if depth == 0 {
                held.push(text[began..mark.start].to_owned());
            }
        }
        at = mark.end;
    }
    if depth == 0 {
        out.push_str(&text[at..]);
    } else {
        held.push(text[began..].to_owned());
    }
    (out, held)
}

/// A beginning or an end of an element.
struct Mark {
    start: usize,
    end: usize,
    opens: bool,
}

/// The next mark of `name` from `from` on. People type marks by hand, some on keyboards with wide letters: `＜／＞`
/// are `</>`, and blanks and signs that cannot be seen count for nothing around the name. A mark that begins
/// with a blank holds nothing but the name, or `a < private b` would be one.
fn next_mark(lower: &str, from: usize, name: &str) -> Option<Mark> {
    lower[from..].match_indices(['<', '＜']).find_map(|(offset, opening)| {
        let start = from + offset;
        let behind = &lower[start + opening.len()..];
        let inside = without_blanks(behind);
        let (opens, inside) = match inside.strip_prefix(['/', '／']) {
            Some(rest) => (false, rest),
            None => (true, inside),
        };
        let rest = without_blanks(inside).strip_prefix(name)?;
        let is_loose = behind.starts_with(is_blank) || inside.starts_with(is_blank);
        let tail = without_blanks(rest);
        let ends_name = if is_loose {
            tail.starts_with(['>', '＞'])
        } else {
            // `<privateer>` is another word.
            rest.is_empty() || tail.len() < rest.len() || rest.starts_with(['>', '＞', '/', '／'])
        };
        // A mark that is not closed before the next one begins ends there, or it would take that one with it.
        let close = rest.find(['>', '＞', '<', '＜']).map_or(lower.len(), |at| {
            let closing = rest[at..].chars().next().filter(|c| matches!(c, '>' | '＞'));
            lower.len() - rest.len() + at + closing.map_or(0, char::len_utf8)
        });
        ends_name.then_some(Mark { start, end: close, opens })
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

    /// Texts of a few megabytes, which take minutes where each mark is looked for to the end of the text.
    #[test]
    fn the_work_is_linear_in_the_text() {
        for mark in ["<private>", "<private", "</private", "<private ", "< ", "<private>word "] {
            let text = mark.repeat((4 << 20) / mark.len());
            let heard = public(&text);
            assert!(heard.text.len() <= text.len());
            assert!(!heard.is_echoed_in(&"other ".repeat(text.len() / 6)), "{mark}");
        }
    }

    #[test]
    fn a_reply_that_repeats_a_private_word_is_known() {
        let heard = public("My door is blue. <private>The code is 4711, ask Zelda</private>");
        for echo in ["I noted 4711.", "ZELDA knows it.", "see code:4711"] {
            assert!(heard.is_echoed_in(echo), "{echo}");
        }
        for plain in ["A blue door.", "Noted.", "The end."] {
            assert!(!heard.is_echoed_in(plain), "{plain}");
        }
        assert!(public("<private>密码</private>").is_echoed_in("你的密码我不记"));
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
