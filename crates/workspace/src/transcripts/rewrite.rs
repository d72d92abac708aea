//! Erases texts from transcripts.
//!
//! The one exception to "existing bytes are not changed": an erasure by the owner. The file is rewritten beside its
//! place and renamed, under the lock of appends, which wait and reopen. Only texts change: of a line, and names of
//! people, tools and channels, never keys, roles, times or ids, so a session stays readable. A line that is not JSON
//! is treated as one text. Invariant: the number of lines is unchanged, so line numbers stay valid.

use inwit_model::{Code, FileError, SessionId};

use super::disk::{self, HoldError};
use super::{Transcripts, locked};
use crate::history::Without;

/// Machine-written fields of a line; all other texts may be changed.
const MACHINE_FIELDS: &[&str] =
    &["type", "version", "id", "timestamp", "agent_id", "role", "message_id", "scope"];

/// Our own interface names; other channels are named by others.
const SURFACES: &[&str] = &["cli", "hook"];

/// With what the name of a rewritten file begins until it takes its place.
const DRAFT_PREFIX: &str = ".forgetting-";

impl Transcripts {
    /// Removes drafts of killed rewrites: each is a copy of a session. No other rewrite may be running. Error:
    /// `write_failed`.
    pub fn sweep_drafts(&self) -> Result<(), FileError> {
        for entry in std::fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(DRAFT_PREFIX.as_bytes()) {
                std::fs::remove_file(entry.path()).map_err(|error| FileError {
                    code: Code::WriteFailed,
                    message: format!("{} cannot be removed: {}.", entry.path().display(), error.kind()),
                })?;
            }
        }
        Ok(())
    }

    /// The lines of a session with the texts, with their numbers from 1. Errors: `session_not_found`,
    /// `file_unreadable`.
    pub fn holding(&self, id: &SessionId, without: &Without<'_>) -> Result<Vec<(u64, Vec<u8>)>, FileError> {
        let bytes = self.whole(id)?;
        let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
        let told = lines.filter(|(_, line)| line_left(line, without).is_some());
        Ok(told.map(|(number, line)| (number, line.to_vec())).collect())
    }

    /// Takes the words out of a session; `false`: they did not stand there. On the disk when it returns. Errors:
    /// as [`holding`](Self::holding), `locked`, and those of the disk; then the session is as it was.
    pub fn rewrite(&self, id: &SessionId, without: &Without<'_>) -> Result<bool, FileError> {
        let Some(folder) = self.folder()? else { return Err(disk::missing(id)) };
        let held = folder.hold(id, self.until).map_err(|error| match error {
            HoldError::Locked => locked(id),
            HoldError::Fault(fault) => disk::writing(id, &fault),
        })?;
        let Some(left) = lines_left(&self.whole(id)?, without) else { return Ok(false) };
        let replaced = || -> std::io::Result<()> {
            use std::io::Write as _;
            let mut file = tempfile::Builder::new().prefix(DRAFT_PREFIX).tempfile_in(&self.path)?;
            file.write_all(&left)?;
            file.as_file().sync_all()?;
            file.persist(self.path.join(disk::file_name(id))).map_err(|error| error.error)?;
            std::fs::File::open(&self.path)?.sync_all()
        };
        let done = replaced().map_err(|error| disk::writing(id, &error.into()));
        drop(held);
        done.map(|()| true)
    }

    fn whole(&self, id: &SessionId) -> Result<Vec<u8>, FileError> {
        use std::io::Read as _;
        let (mut file, _) = self.opened(id)?;
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| FileError { code: Code::FileUnreadable, ..disk::reading(id, &error.into()) })?;
        Ok(bytes)
    }
}

/// All lines without the texts; `None` if there are no occurrences.
fn lines_left(bytes: &[u8], without: &Without<'_>) -> Option<Vec<u8>> {
    let mut left = Vec::with_capacity(bytes.len());
    let mut stood = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let (text, end) = line.strip_suffix(b"\n").map_or((line, &b""[..]), |text| (text, &b"\n"[..]));
        let told = line_left(text, without);
        stood |= told.is_some();
        left.extend_from_slice(told.as_deref().unwrap_or(text));
        left.extend_from_slice(end);
    }
    stood.then_some(left)
}

fn line_left(line: &[u8], without: &Without<'_>) -> Option<Vec<u8>> {
    let Ok(serde_json::Value::Object(mut fields)) = serde_json::from_slice(line) else {
        return without(line);
    };
    let mut stood = false;
    for (key, value) in &mut fields {
        let is_ours = key == "source_plugin" && value.as_str().is_some_and(|text| SURFACES.contains(&text));
        if !is_ours && !MACHINE_FIELDS.contains(&key.as_str()) {
            stood |= take_away(value, without);
        }
    }
    // Of texts that stood in JSON before: there is a form for each of them.
    stood.then(|| serde_json::to_vec(&fields).ok()).flatten()
}

/// Takes the words out of every text of a value; `false`: they stood in none.
fn take_away(value: &mut serde_json::Value, without: &Without<'_>) -> bool {
    match value {
        serde_json::Value::String(text) => match without(text.as_bytes()) {
            Some(left) => {
                *text = String::from_utf8_lossy(&left).into_owned();
                true
            }
            None => false,
        },
        serde_json::Value::Array(values) => {
            values.iter_mut().fold(false, |stood, value| take_away(value, without) | stood)
        }
        serde_json::Value::Object(fields) => {
            fields.values_mut().fold(false, |stood, value| take_away(value, without) | stood)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::{self, Line};
    use super::*;

    const LINES: &str = concat!(
        r#"{"type":"session","version":1,"id":"a","timestamp":"2026-11-21T14:03:00Z","agent_id":"main","source_plugin":"cli","scope":"main"}"#,
        "\n",
        r#"{"type":"entry","timestamp":"2026-11-21T14:03:00Z","role":"user","content":"the user of 2026-11-21 is no content","source_plugin":"cli","sender_id":"user"}"#,
        "\n",
        r#"{"type":"entry","timestamp":"2026-11-21T14:03:00Z","role":"assistant","content":"an \u0061ssistant\nsaid so","source_plugin":"cli"}"#,
        "\n",
        r#"{"type":"entry","timestamp":"2026-11-21T14:03:00Z","role":"tool","content":"an answer","source_plugin":"zorkbot","sender_id":"Rumpelstilt Zork"}"#,
        "\n",
        r#"{"type":"later","words":["the user",{"deep":"assistant"}]}"#,
        "\nno JSON of a user",
    );

    #[test]
    fn a_session_is_readable_whatever_is_forgotten_of_it() {
        let kinds = |bytes: &[u8]| -> Vec<std::mem::Discriminant<Line>> {
            bytes
                .split(|byte| *byte == b'\n')
                .map(|text| std::mem::discriminant(&line::parse(text)))
                .collect()
        };
        for words in [
            "2026-11-21", "assistant", "user", "content", "entry", "main", "said", "deep", "cli", "zork",
            "Rumpelstilt Zork",
        ] {
            let without = |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes);
                text.contains(words).then(|| text.replace(words, "[forgotten]").into_bytes())
            };
            let left = lines_left(LINES.as_bytes(), &without).unwrap_or_else(|| LINES.into());
            assert_eq!(kinds(&left), kinds(LINES.as_bytes()), "{words}");
            assert_eq!(lines_left(&left, &without), None, "{words} is said by nobody any more");
            assert_eq!(left.iter().filter(|byte| **byte == b'\n').count(), 5, "{words}");
        }
    }

    #[test]
    fn names_of_people_tools_and_channels_are_words_and_our_own_are_none() {
        let without = |words: &'static str| {
            move |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes);
                text.contains(words).then(|| text.replace(words, "[forgotten]").into_bytes())
            }
        };
        let left = |words| lines_left(LINES.as_bytes(), &without(words));
        let said = |words| String::from_utf8(left(words).expect("it stood there")).expect("text");
        assert!(said("Rumpelstilt Zork").contains(r#""sender_id":"[forgotten]""#));
        assert!(said("zorkbot").contains(r#""source_plugin":"[forgotten]""#));
        assert!(
            said("user").contains(r#""role":"user""#)
                && said("user").contains(r#""sender_id":"[forgotten]""#)
        );
        assert_eq!(left("cli"), None);
    }
}
