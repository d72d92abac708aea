//! Parses the digest of an entry into messages and lines.
//!
//! Hooks and the session context show lines, not whole messages, and only those of agents and files. This is the
//! inverse of [`digest`](mod@super::digest). Invariant: each line is a slice of the given text.

use super::digest::{LINE_END, NAME_CHARS_MAX, is_name};
use super::unit::split;

/// The message of one speaker in one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message<'t> {
    /// The speaker, as named in the log; empty for other text.
    pub who: &'t str,
    /// Sentences, items, rows and code lines, without omission marks.
    pub lines: Vec<&'t str>,
    /// Number of sentences in its first line; items, rows and code lines follow.
    pub prose: usize,
}

/// The messages in `text`: bullets of a digest, and other text as one message without a speaker.
pub fn messages(text: &str) -> Vec<Message<'_>> {
    let mut messages: Vec<Message<'_>> = Vec::new();
    for line in text.lines() {
        if let Some((who, said)) = opening(line) {
            messages.push(Message { who, lines: Vec::new(), prose: 0 });
            add(&mut messages, said, true);
        } else if let Some(below) = line.strip_prefix("  - ") {
            add(&mut messages, below, false);
        } else {
            if !line.starts_with(' ') && messages.last().is_none_or(|last| !last.who.is_empty()) {
                messages.push(Message { who: "", lines: Vec::new(), prose: 0 });
            }
            let plain = line.trim_start_matches([' ', '\t', '>', '-', '*', '+']);
            add(&mut messages, plain, true);
        }
    }
    messages.retain(|message| !message.lines.is_empty());
    messages
}

/// `- alice: Which bread?`
fn opening(line: &str) -> Option<(&str, &str)> {
    let item = line.strip_prefix("- ")?;
    let (who, said) = item.split_once(": ").or_else(|| Some((item.strip_suffix(':')?, "")))?;
    is_name(who).then_some((who, said))
}

/// Whether `text` has only a speaker's name: `- ada:`, `**ana:**`.
pub(crate) fn is_speaker(text: &str) -> bool {
    let plain = text.trim().trim_start_matches(['-', '*', '+', ' ']).trim_end_matches(['*', ' ']);
    plain.strip_suffix(':').is_some_and(|who| {
        let has_name = !who.is_empty() && who.chars().count() <= NAME_CHARS_MAX;
        has_name
            && who.split_whitespace().count() <= SPEAKER_WORDS_MAX
            && !who.contains(['.', '`', ':', '\n'])
    })
}

/// Most words of a speaker's name alone; more words are an introducing sentence.
const SPEAKER_WORDS_MAX: usize = 3;

fn add<'t>(messages: &mut Vec<Message<'t>>, text: &'t str, is_prose: bool) {
    if messages.is_empty() {
        messages.push(Message { who: "", lines: Vec::new(), prose: 0 });
    }
    let Some(last) = messages.last_mut() else { return };
    // An omission mark is between blanks; others belong to the text.
    let text = text.trim_start_matches("… ").trim_end_matches(" …");
    let pieces = text.split(" … ").flat_map(|piece| piece.split(LINE_END)).map(str::trim);
    let pieces = pieces.flat_map(|piece| if is_prose { split(piece) } else { vec![piece] });
    last.lines.extend(pieces.filter(|piece| piece.chars().any(char::is_alphanumeric)));
    if is_prose {
        last.prose = last.lines.len();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Exchange, digest};
    use super::*;

    #[test]
    fn a_digest_is_read_back_line_by_line() {
        let answered =
            "It is solved. Hm.\n\n| query | ms |\n|---|---|\n| list | 90 |\n\n1. set `pool = 3`\n2. restart";
        let text =
            digest(&[Exchange { who: "alice", asked: "port 3 is slow\nport 4 too", by: "ada", answered }]);
        let read = messages(&text);
        assert_eq!(read.iter().map(|message| message.who).collect::<Vec<_>>(), ["alice", "ada"]);
        assert_eq!(read[0].lines, ["port 3 is slow", "port 4 too"]);
        assert_eq!(read[1].lines, ["It is solved.", "Hm.", "list: ms 90", "set `pool = 3`", "restart"]);
    }

    #[test]
    fn other_text_is_a_message_of_nobody() {
        let read = messages("- Tests use port 5433. Never 5432.\n- `pnpm`: 9");
        assert_eq!(read.len(), 1);
        assert_eq!((read[0].who, read[0].lines.len()), ("", 3));
    }
}
