//! How a conversation becomes notes: one file per session, one file for all, one file per turn, or without headings.
//!
//! An agent's answers should not depend on how its notes are split into files; the layouts measure this. Invariant:
//! every layout has the same turns in the same order, one list item each.

use std::fmt;

use inwit_model::{NameError, SafeName};
use jiff::civil::Date;

use crate::exam::Note;

/// How turns are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A file a session.
    Session,
    /// All sessions in one file.
    OneFile,
    /// A file a turn.
    Turn,
    /// A file a session, without headings.
    NoHeadings,
}

impl Layout {
    /// Every layout with its name and its description, as help shows it.
    pub const ALL: [(Self, &str, &str); 4] = [
        (Self::Session, "session", "A file a session, named by its day, with a heading"),
        (
            Self::OneFile,
            "one-file",
            "All sessions in one file without a date in its name, with their headings",
        ),
        (Self::Turn, "turn", "A file a turn, with the heading of its session in each"),
        (Self::NoHeadings, "no-headings", "A file a session, without headings"),
    ];

    /// The layout with this name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, own, _)| *own == word).map(|(layout, ..)| *layout)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = Self::ALL.iter().find(|(layout, ..)| layout == self);
        out.write_str(own.map_or("", |(_, word, _)| word))
    }
}

/// One session of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The day.
    pub day: Date,
    /// Distinguishes it from other sessions of its day, as part of a file name.
    pub label: String,
    /// Its heading, without marks.
    pub heading: String,
    /// Its turns, one line each.
    pub turns: Vec<String>,
}

/// The notes of `sessions`, in order. Error: a label that cannot be part of a name.
pub fn notes(sessions: &[Session], layout: Layout) -> Result<Vec<Note>, NameError> {
    match layout {
        Layout::Session => sessions.iter().map(|session| note(session, "", whole(session))).collect(),
        Layout::NoHeadings => {
            sessions.iter().map(|session| note(session, "", items(&session.turns))).collect()
        }
        Layout::OneFile => {
            let text = sessions.iter().map(whole).collect::<Vec<_>>().join("\n");
            Ok(vec![Note { name: SafeName::parse("memory/sessions.md")?, text }])
        }
        Layout::Turn => sessions
            .iter()
            .flat_map(|session| {
                (1_usize..).zip(&session.turns).map(move |(number, turn)| {
                    let text = format!("## {}\n\n{}", session.heading, items(std::slice::from_ref(turn)));
                    note(session, &format!("-turn_{number:04}"), text)
                })
            })
            .collect(),
    }
}

fn note(session: &Session, part: &str, text: String) -> Result<Note, NameError> {
    let name = SafeName::parse(&format!("memory/{}-{}{part}.md", session.day, session.label))?;
    Ok(Note { name, text })
}

fn whole(session: &Session) -> String {
    format!("## {}\n\n{}", session.heading, items(&session.turns))
}

fn items(turns: &[String]) -> String {
    turns.iter().map(|turn| format!("- {turn}\n")).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn each_layout_holds_the_same_turns() {
        let session = |day, label: &str, turns: &[&str]| Session {
            day: date(2026, 5, day),
            label: label.into(),
            heading: format!("session {label}"),
            turns: turns.iter().map(|turn| (*turn).to_owned()).collect(),
        };
        let sessions = [session(8, "a", &["Ana: hi", "Ben: ho"]), session(9, "b", &["Ana: bye"])];
        let laid_out = |layout| {
            let notes = notes(&sessions, layout).expect("named");
            notes.iter().map(|note| format!("{}\n{}", note.name, note.text)).collect::<Vec<_>>().join("---\n")
        };
        expect_test::expect![[r#"
            memory/2026-05-08-a.md
            ## session a

            - Ana: hi
            - Ben: ho
            ---
            memory/2026-05-09-b.md
            ## session b

            - Ana: bye
        "#]]
        .assert_eq(&laid_out(Layout::Session));
        expect_test::expect![[r#"
            memory/sessions.md
            ## session a

            - Ana: hi
            - Ben: ho

            ## session b

            - Ana: bye
        "#]]
        .assert_eq(&laid_out(Layout::OneFile));
        expect_test::expect![[r#"
            memory/2026-05-08-a-turn_0001.md
            ## session a

            - Ana: hi
            ---
            memory/2026-05-08-a-turn_0002.md
            ## session a

            - Ben: ho
            ---
            memory/2026-05-09-b-turn_0001.md
            ## session b

            - Ana: bye
        "#]]
        .assert_eq(&laid_out(Layout::Turn));
        expect_test::expect![[r#"
            memory/2026-05-08-a.md
            - Ana: hi
            - Ben: ho
            ---
            memory/2026-05-09-b.md
            - Ana: bye
        "#]]
        .assert_eq(&laid_out(Layout::NoHeadings));
    }
}
