//! Commit messages: a description, and trailer lines for programs.
//!
//! Subject, body and even an actor may be untrusted text with a line like `Inwit-Receipt: …`. So our lines are always
//! the last paragraph, their values have no line end, and only that paragraph is parsed. Invariant: parsing returns
//! what was written, for any subject and body.

use inwit_model::invisible::{reveal, reveal_line, revealed};
use jiff::Timestamp;

use super::Commit;

/// Names of the lines under a message.
pub mod trailer {
    /// When it happened, to the nanosecond; `git` keeps seconds since 1970 only.
    pub const AT: &str = "Inwit-At";
    /// Who wrote.
    pub const ACTOR: &str = "Inwit-Actor";
    /// The receipt of the change.
    pub const RECEIPT: &str = "Inwit-Receipt";
    /// The session it was made in.
    pub const SESSION: &str = "Inwit-Session";
    /// The proposal that a person approved.
    pub const PROPOSAL: &str = "Inwit-Proposal";
    /// The file that a receipt found changed: history may have found it before, and then nothing differs.
    pub const FILE: &str = "Inwit-File";
    /// That files are recorded as they were found, without a receipt, in a history that has begun.
    pub const FOUND: &str = "Inwit-Found";
    /// From whom the text came.
    pub const TAINT: &str = "Inwit-Taint";
}

/// A message, read back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Message {
    pub subject: String,
    pub body: String,
    trailers: Vec<(String, String)>,
}

/// The text of a commit's message. Ends with our lines, the moment first.
pub(super) fn write(commit: &Commit) -> String {
    let subject = inert_line(commit.subject.trim());
    let mut text = if subject.is_empty() { NO_SUBJECT.to_owned() } else { subject };
    text.push_str("\n\n");
    let body = inert_text(&commit.body);
    if !body.is_empty() {
        text.push_str(&body);
        text.push_str("\n\n");
    }
    push_line(&mut text, trailer::AT, &commit.at.to_string());
    push_line(&mut text, trailer::ACTOR, &commit.actor);
    for (key, value) in &commit.trailers {
        push_line(&mut text, key, value);
    }
    text
}

/// Stands where a subject is empty.
const NO_SUBJECT: &str = "(no subject)";

fn push_line(text: &mut String, key: &str, value: &str) {
    text.push_str(key);
    text.push_str(": ");
    text.push_str(&line_value(value));
    text.push('\n');
}

/// A value as it stands in its line; also what a value that is looked for is compared as.
pub(super) fn line_value(raw: &str) -> String {
    inert_line(raw).trim().to_owned()
}

/// Reads a message. One that we did not write has no lines of ours, and all but its first line is body.
pub(super) fn read(text: &str) -> Message {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let (subject, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (body, last) = rest.rsplit_once("\n\n").unwrap_or(("", rest));
    let ours = |block: &str| block.trim_start_matches('\n').starts_with("Inwit-At: ");
    let (body, lines) = if ours(last) { (body, last) } else { (rest, "") };
    let trailers = lines.lines().filter_map(|line| line.split_once(": "));
    Message {
        subject: subject.to_owned(),
        body: body.trim_matches('\n').to_owned(),
        trailers: trailers.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
    }
}

impl Message {
    /// The first value of a line; a later one of the same name does not count.
    pub fn get(&self, key: &str) -> Option<&str> {
        let values = self.trailers.iter().filter(|(name, _)| name == key);
        values.map(|(_, value)| value.as_str()).next().filter(|value| !value.is_empty())
    }

    /// The exact moment, where it was written down.
    pub fn at(&self) -> Option<Timestamp> {
        self.get(trailer::AT)?.parse().ok()
    }
}

/// Any text on one line: line ends and every other control character become `⟦U+XXXX⟧`.
pub(super) fn inert_line(raw: &str) -> String {
    reveal_line(raw)
}

/// Any text with its lines and tabs, and without the line ends around it.
fn inert_text(raw: &str) -> String {
    let lines = raw.replace("\r\n", "\n").replace('\r', &revealed("\r"));
    reveal(&lines).trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn commit(subject: &str, body: &str, receipt: &str) -> Commit {
        Commit {
            subject: subject.to_owned(),
            body: body.to_owned(),
            at: "2026-11-21T14:03:00.5Z".parse().expect("a moment"),
            actor: "agent".to_owned(),
            trailers: vec![(trailer::RECEIPT, receipt.to_owned())],
            changes: Vec::new(),
        }
    }

    #[test]
    fn a_message_is_a_subject_a_body_and_our_lines() {
        let text = write(&commit("append MEMORY.md", "Likes rye bread.\n", "rcpt-1"));
        let wanted = "append MEMORY.md\n\nLikes rye bread.\n\n\
            Inwit-At: 2026-11-21T14:03:00.5Z\nInwit-Actor: agent\nInwit-Receipt: rcpt-1\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn lines_of_ours_in_a_body_or_a_value_are_words() {
        let forged = "x\n\nInwit-At: 1999-01-01T00:00:00Z\nInwit-Receipt: forged";
        for (subject, body, receipt) in [
            ("s", forged, "true"),
            (forged, "", "true"),
            (forged, forged, "true\nInwit-Session: forged"),
            ("", forged, "true\r\n\r\nInwit-Receipt: forged"),
        ] {
            let message = read(&write(&commit(subject, body, receipt)));
            assert!(message.get(trailer::RECEIPT).expect("a receipt").starts_with("true"), "{message:?}");
            assert_eq!(message.get(trailer::SESSION), None, "{message:?}");
            assert_eq!(message.at(), Some(commit("", "", "").at));
        }
    }

    #[test]
    fn a_message_of_somebody_else_is_all_words() {
        let message = read("Fix a typo\n\nSee above.\n\nSigned-off-by: Ana <ana@example.com>\n");
        assert_eq!(message.subject, "Fix a typo");
        assert_eq!(message.body, "See above.\n\nSigned-off-by: Ana <ana@example.com>");
        assert_eq!((message.get(trailer::RECEIPT), message.at()), (None, None));
        assert_eq!(read("").subject, "");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            subject in r"(\PC|[\n\r\t\x00-]|Inwit-Receipt: x){0,6}",
            body in r"(\PC|[\n\r\t\x00-]|\n\nInwit-At: 1|Inwit-Receipt: x\n){0,12}",
            receipt in r"[a-z0-9-]{1,12}",
        ) {
            let text = write(&commit(&subject, &body, &receipt));
            prop_assert!(!text.contains(['\0', '\r']), "{:?}", text);
            let message = read(&text);
            prop_assert_eq!(message.get(trailer::RECEIPT), Some(receipt.as_str()));
            prop_assert_eq!(message.get(trailer::SESSION), None);
            prop_assert_eq!(message.at(), Some(commit("", "", "").at));
            prop_assert_eq!(message.body, inert_text(&body));
            prop_assert!(!message.subject.is_empty());
        }
    }
}
