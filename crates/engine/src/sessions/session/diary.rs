//! The daily log of a session: digests of its turns without a model, and the agent's notes.
//!
//! Secrets are removed and invisible characters shown, so that any text can be logged. Invariant: every turn is
//! logged once, or a notice reports that it is not.

use std::ops::RangeInclusive;

use inwit_gate::Author;
use inwit_model::{Actor, Cadence, Code, FileKind, ProjectName, Scope};
use inwit_store::memory::Session;

use super::notes::{nowhere, whole};
use super::spoken::{Spoken, answerers, redact, speakers, tell_apart, untold};
use super::turn::{Heard, words_of};
use crate::core::project::clean;
use crate::notes::journal::{self, Exchange, Head, JournalEntry, Turns};
use crate::notes::write::{AMEND_TRIES_MAX, Outcome, WriteContext};
use crate::{EngineError, Notice, Sessions};

/// The result for the log at the end of a turn.
#[derive(Debug, Default)]
pub(super) struct Logged {
    /// The result of the entry, `None` if nothing was due.
    pub(super) outcome: Option<Outcome>,
    /// Notices for the host.
    pub(super) notices: Vec<Notice>,
}

/// The content of an entry, and its speakers.
struct Words<'a> {
    text: &'a str,
    user: Option<&'a str>,
    agents: &'a [&'a str],
    turns: Option<Turns>,
}

impl Sessions {
    /// Writes the turns that are due: after the one that was `heard`, or at the end of the session. A notice counts
    /// turns that could not be logged. Another process may log some concurrently; then only the rest is written.
    pub(super) fn journal_turns(
        &self,
        session: &Session,
        heard: Option<&Heard<'_>>,
    ) -> Result<Logged, EngineError> {
        for _ in 1..AMEND_TRIES_MAX {
            match self.journal_untold(session, heard) {
                Err(error) if error.code == Code::Stale => {}
                done => return done,
            }
        }
        self.journal_untold(session, heard)
    }

    fn journal_untold(&self, session: &Session, heard: Option<&Heard<'_>>) -> Result<Logged, EngineError> {
        let ending = heard.is_none();
        let Some(due) = self.due_turns(session, ending) else { return Ok(Logged::default()) };
        let part = journal::turns_part(session.start.id.as_str());
        let range = (*due.start()).max(self.told_until(session, &part)? + 1)..=*due.end();
        if range.is_empty() {
            self.core.memory()?.journaled(&session.start.id, u64::from(*due.end()))?;
            return Ok(Logged::default());
        }
        let mut said = self.said_in(session, heard, &range)?;
        let missing = range.clone().count().saturating_sub(said.len());
        let notices = if missing == 0 { Vec::new() } else { vec![untold(missing, &range)] };
        if said.is_empty() {
            return Ok(Logged { outcome: None, notices });
        }
        redact(&mut said, self.core.known_secrets(&session.start.scope).as_ref());
        let turns = count(session.turns);
        let told = if self.transcripts.is_none() { turns..=turns } else { range };
        let agent = self.speaking_name(&session.start.scope);
        tell_apart(&mut said, &agent);
        let exchanges: Vec<Exchange<'_>> =
            said.iter().map(|spoken: &Spoken| spoken.exchange(&agent)).collect();
        let text = journal::digest(&exchanges);
        let outcome = if text.is_empty() {
            None
        } else {
            let (user, agents) = (speakers(&said), answerers(&said, &agent));
            let turns = Turns { session: part, range: told.clone() };
            let words = Words { text: &text, user: user.as_deref(), agents: &agents, turns: Some(turns) };
            let reason = if ending { format!("session-close: {}", session.start.id) } else { String::new() };
            self.log(session, words, Author::ENGINE, &reason)?
        };
        self.core.memory()?.journaled(&session.start.id, u64::from(*told.end()))?;
        Ok(Logged { outcome, notices })
    }

    /// The last logged turn of a session in today's logs; `part` is its part of an entry.
    fn told_until(&self, session: &Session, part: &str) -> Result<u32, EngineError> {
        let (start, id) = (&session.start, session.start.id.as_str());
        let mut told = 0;
        for name in journal::targets(self.core.profile.journal_layout, self.core.today(), id, &start.scope) {
            let content = self.core.content(&name)?;
            told = told.max(content.map_or(0, |content| journal::told_until(&content.bytes, part)));
        }
        Ok(told)
    }

    /// The turns to write now, `None` if there are none.
    pub(super) fn due_turns(&self, session: &Session, ending: bool) -> Option<RangeInclusive<u32>> {
        let cadence = match self.core.profile.journal_cadence {
            Cadence::AgentProposed => Cadence::AgentProposed,
            // Past turns are not stored elsewhere, so they are logged now.
            _ if self.transcripts.is_none() => Cadence::EveryTurn,
            cadence => cadence,
        };
        let due = journal::due(cadence, count(session.turns), count(session.journaled), ending);
        due.filter(|_| self.core.profile.journal)
    }

    /// Adds a note of the agent (R14).
    pub(super) fn journal_note(&self, session: &Session, text: &str) -> Result<Outcome, EngineError> {
        let text = &*self.core.without_known_secrets(Author::AGENT, &session.start.scope, text);
        whole(text)?;
        let agent = self.speaking_name(&session.start.scope);
        let words = Words { text, user: session.start.user_name.as_deref(), agents: &[&agent], turns: None };
        self.log(session, words, Author::AGENT, "")?.ok_or_else(nowhere)
    }

    fn log(
        &self,
        session: &Session,
        words: Words<'_>,
        author: Author,
        reason: &str,
    ) -> Result<Option<Outcome>, EngineError> {
        let (start, id) = (&session.start, session.start.id.as_str());
        let names = journal::targets(self.core.profile.journal_layout, self.core.today(), id, &start.scope);
        let text = if author.actor() == Actor::Engine { clean(words.text) } else { words.text.to_owned() };
        let entry = JournalEntry {
            at: self.core.clock.now(),
            room: start.room_name.as_deref().filter(|_| matches!(start.scope, Scope::Room(_))),
            project: start.project.as_ref().map(ProjectName::as_str),
            user: words.user,
            agents: words.agents,
            turns: words.turns,
            text: &text,
        };
        let behalf = WriteContext {
            taint: Some(words_of(session)),
            session: Some(start.id.clone()),
            reason: reason.to_owned(),
            ..WriteContext::of(author).within(&start.scope)
        };
        let head = Head { day: self.core.today(), session: Some(id), surface: Some(start.surface.as_str()) };
        self.append_to_own(&names, id, &head, &entry, &behalf)
    }

    /// The agent's name in its log: its id if the scope does not see the naming files, or if the name would be
    /// masked, since the engine's text is not scanned again.
    pub(in crate::sessions) fn speaking_name(&self, scope: &Scope) -> String {
        let file = |kind: FileKind| {
            let (name, content) =
                self.core.well_known_file(kind).ok().flatten().filter(|_| kind.visible_to(scope))?;
            Some((name, String::from_utf8_lossy(&content.bytes).into_owned()))
        };
        let files = [file(FileKind::Identity), file(FileKind::Soul)];
        let named = |texts: [Option<&str>; 2]| inwit_workspace::identity::read(texts[0], texts[1]).name;
        let seen = files.each_ref().map(|file| {
            file.as_ref().map(|(name, text)| self.core.masked_for(scope, name, text, &mut Vec::new()))
        });
        let stands = named(files.each_ref().map(|file| file.as_ref().map(|(_, text)| text.as_str())));
        let shown = named(seen.each_ref().map(|text| text.as_deref()));
        let is_plain = |spoken: &String| {
            files.iter().flatten().any(|(name, text)| {
                self.core.masked_words(scope, name, text.as_bytes(), spoken, &mut Vec::new())
                    == spoken.as_str()
            })
        };
        shown
            .filter(|shown| stands.as_ref() == Some(shown))
            .filter(is_plain)
            .unwrap_or_else(|| self.core.id.to_string())
    }
}

fn count(turns: u64) -> u32 {
    u32::try_from(turns).unwrap_or(u32::MAX)
}
