//! The daily log of a session: what was said, digested without a model, and the agent's own notes.
//!
//! What came from text nobody vouches for is marked by its hash before it is written, so that later
//! prefixes fence it (D9). Secrets are taken out and invisible characters shown, since a log must not fail
//! over what somebody said. Invariant: a turn is told once, also when the process died and asks again.

use std::ops::RangeInclusive;
use std::sync::Arc;

use inwit_gate::{Author, hidden, secrets};
use inwit_model::{Actor, Code, FileKind, Op, SafeName, Scope, Sha256, Taint};
use inwit_store::memory::{Mark, Session};
use inwit_workspace::transcripts::{Record, Role, Transcripts};
use jiff::ToSpan as _;

use super::Turn;
use super::turn::words_of;
use crate::journal::{self, Exchange, Head, JournalEntry, Turns};
use crate::write::{Behalf, Outcome};
use crate::{Agent, EngineError, Notice};

/// Most turns of one digest; of a longer session the last ones are told.
const DIGEST_TURNS_MAX: usize = 500;

/// Most logs that one beginning of a session takes away.
const PRUNED_MAX: usize = 1_000;

impl Agent {
    /// Writes the turns that are due, after `turn`, or at the end of the session.
    pub(super) fn journal_turns(
        &self,
        session: &Session,
        turn: &Turn,
        ending: bool,
    ) -> Result<Option<Outcome>, EngineError> {
        let (turns, logged) = (count(session.turns), count(session.journaled));
        let due = journal::due(self.profile.journal_cadence, turns, logged, ending);
        let Some(range) = due.filter(|_| self.profile.journal) else { return Ok(None) };
        let said = self.said_in(session, turn, &range)?;
        let exchanges: Vec<Exchange<'_>> =
            said.iter().map(|(asked, answered)| Exchange { asked, answered }).collect();
        let user = turn.user.name.as_deref().or(session.start.user_name.as_deref()).unwrap_or("user");
        let agent = self.speaking_name();
        let text = journal::digest(&exchanges, user, &agent);
        let written = if text.is_empty() {
            None
        } else {
            let turns =
                Turns { session: journal::session_part(session.start.id.as_str()), range: range.clone() };
            let reason = if ending { format!("session-close: {}", session.start.id) } else { String::new() };
            self.log(session, &text, Some(turns), Author::ENGINE, &reason)?
        };
        self.memory()?.journaled(&session.start.id, u64::from(*range.end()))?;
        Ok(written)
    }

    /// Adds a note of the agent's own (R14).
    pub(super) fn journal_note(&self, session: &Session, text: &str) -> Result<Outcome, EngineError> {
        let nowhere = || EngineError::new(Code::Refused, "A conversation with strangers has no daily log.");
        self.log(session, text, None, Author::AGENT, "")?.ok_or_else(nowhere)
    }

    fn log(
        &self,
        session: &Session,
        text: &str,
        turns: Option<Turns>,
        author: Author,
        reason: &str,
    ) -> Result<Option<Outcome>, EngineError> {
        let start = &session.start;
        let target =
            journal::target(self.profile.journal_layout, self.today(), start.id.as_str(), &start.scope);
        let Some(name) = target else { return Ok(None) };
        let taint = words_of(session);
        let clean = if author.actor() == Actor::Engine { clean(text) } else { text.to_owned() };
        let agent = self.speaking_name();
        let entry = JournalEntry {
            at: self.clock.now(),
            room: start.room_name.as_deref().filter(|_| matches!(start.scope, Scope::Room(_))),
            user: start.user_name.as_deref(),
            agents: &[&agent],
            turns: turns.clone(),
            text: &clean,
        };
        let behalf = Behalf {
            taint: Some(taint),
            session: Some(start.id.clone()),
            reason: reason.to_owned(),
            ..Behalf::of(author)
        };
        let head = Head {
            day: self.today(),
            session: Some(start.id.as_str()),
            surface: Some(start.surface.as_str()),
        };
        self.append_entry(&name, &head, &entry, &behalf).map(Some)
    }

    /// Adds one entry to a daily log, marked where its text is tainted.
    pub(crate) fn append_entry(
        &self,
        name: &SafeName,
        head: &Head<'_>,
        entry: &JournalEntry<'_>,
        behalf: &Behalf,
    ) -> Result<Outcome, EngineError> {
        let taint = behalf.taint.unwrap_or(Taint::Tool);
        let behalf = &Behalf { is_marked: true, ..behalf.clone() };
        self.amend(name, behalf, &|current| {
            if let (Some(current), Some(turns)) = (current, &entry.turns)
                && journal::holds(current, turns)
            {
                return Ok(None);
            }
            let tail = journal::tail(current, head, entry).map_err(|error| {
                EngineError::new(Code::Refused, format!("`{name}` was not written: {error}"))
            })?;
            if taint.is_tainted() {
                self.mark(current.unwrap_or_default(), &tail, taint, behalf)?;
            }
            Ok(Some(Op::Append(Arc::from(tail))))
        })
    }

    /// Remembers that the entry `tail` adds is not to be believed.
    fn mark(&self, before: &[u8], tail: &[u8], taint: Taint, behalf: &Behalf) -> Result<(), EngineError> {
        let whole = [before, tail].concat();
        let Some(last) = journal::entries(&whole).pop() else { return Ok(()) };
        let mark = Mark {
            entry: entry_hash(&whole[last.span]),
            taint,
            session: behalf.session.clone(),
            at: self.clock.now(),
        };
        Ok(self.memory()?.mark(&mark)?)
    }

    /// What was asked and answered in `range`: from the transcript, or this turn alone where none is kept.
    fn said_in(
        &self,
        session: &Session,
        turn: &Turn,
        range: &RangeInclusive<u32>,
    ) -> Result<Vec<(String, String)>, EngineError> {
        let alone = || vec![(turn.user.text.clone(), turn.reply.clone())];
        let Some(home) = self.transcripts.as_ref().filter(|_| range.clone().count() > 1 || turn.is_silent())
        else {
            return Ok(alone());
        };
        let mut turns: Vec<(String, String)> = Vec::new();
        let transcripts = Transcripts::open(&home.folder)?;
        transcripts.read(&session.start.id, 0, &mut |record, _| {
            match record {
                Record::Said(said) if said.role == Role::User => turns.push((said.content, String::new())),
                Record::Said(said) if said.role == Role::Assistant => {
                    if let Some(last) = turns.last_mut() {
                        last.1 = said.content;
                    }
                }
                _ => {}
            }
            std::ops::ControlFlow::Continue(())
        })?;
        let first = (*range.start() as usize).saturating_sub(1);
        let told = turns.into_iter().skip(first).take(range.clone().count());
        let mut told: Vec<(String, String)> = told.collect();
        let over = told.len().saturating_sub(DIGEST_TURNS_MAX);
        Ok(told.split_off(over))
    }

    /// What the agent is called in its own log.
    fn speaking_name(&self) -> String {
        let text = |kind| {
            let known = self.known(kind).ok().flatten();
            known.map(|(_, content)| String::from_utf8_lossy(&content.bytes).into_owned())
        };
        let (identity, soul) = (text(FileKind::Identity), text(FileKind::Soul));
        let named = inwit_workspace::identity::read(identity.as_deref(), soul.as_deref()).name;
        named.unwrap_or_else(|| self.id.to_string())
    }

    /// Takes away daily logs that are older than the profile keeps them (X59, R32). History has them.
    pub(super) fn prune_journals(&self) -> Result<Vec<Notice>, EngineError> {
        let days = self.profile.journal_retention_days;
        if days == 0 {
            return Ok(Vec::new());
        }
        let oldest = self.today().checked_sub(i64::from(days).days()).unwrap_or(jiff::civil::Date::MIN);
        let listing = inwit_workspace::Sight::list(&self.workspace.private())?;
        let is_old = |name: &SafeName| {
            inwit_model::Place::of(name).and_then(|place| place.date()).is_some_and(|date| date < oldest)
        };
        let old = listing.entries.into_iter().map(|entry| entry.name).filter(is_old).take(PRUNED_MAX);
        let mut notices = Vec::new();
        for name in old {
            let reason = format!("older than {days} days");
            let behalf = Behalf { reason, ..Behalf::of(Author::ENGINE) };
            let done = self.amend(&name, &behalf, &|current| Ok(current.map(|_| Op::Remove)));
            if let Err(error) = done {
                let message =
                    format!("`{name}` is older than {days} days and was not taken away: {}", error.message);
                notices.push(Notice::new("journal_not_pruned", message, error.code.spec().hint));
            }
        }
        Ok(notices)
    }
}

/// The hash by which an entry is marked: of its bytes without the blank lines around.
pub(crate) fn entry_hash(bytes: &[u8]) -> Sha256 {
    Sha256::of(bytes.trim_ascii())
}

/// Text that a log can hold whatever was said.
fn clean(text: &str) -> String {
    hidden::reveal(&secrets::redact(text, secrets::Tier::Quarantine))
}

fn count(turns: u64) -> u32 {
    u32::try_from(turns).unwrap_or(u32::MAX)
}
