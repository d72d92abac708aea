//! The daily log of a session: what was said, digested without a model, and the agent's own notes.
//!
//! What came from text nobody vouches for is marked by its hash before it is written, so that later
//! prefixes fence it (D9). Secrets are taken out and invisible characters shown, since a log must not fail
//! over what somebody said. Invariant: a turn is told once, also when the process died and asks again.

use std::ops::RangeInclusive;
use std::sync::Arc;

use inwit_gate::{Author, hidden, secrets};
use inwit_model::ports::StateFile;
use inwit_model::{Actor, Cadence, Code, FileKind, Layout, Op, SafeName, Scope, Sha256, Taint};
use inwit_store::memory::{Ended, Mark, Memory, Receipt, ReceiptFilter, Session};
use inwit_workspace::transcripts::{Record, Role, Transcripts};
use jiff::ToSpan as _;

use super::Turn;
use super::turn::words_of;
use crate::dream::Quarantine;
use crate::journal::{self, Exchange, Head, JournalEntry, Turns};
use crate::write::{Behalf, Outcome};
use crate::{Agent, EngineError, Excerpt, Lines, Notice, trust};

/// Most turns of one digest; of a longer session the last ones are told.
const DIGEST_TURNS_MAX: usize = 500;

/// Most logs that one beginning of a session takes away.
const PRUNED_MAX: usize = 1_000;

/// Most logs that the notice of it names.
const PRUNED_NAMES_MAX: usize = 10;

/// Most changes of one log that are looked through; a log with more of them stays.
const RECEIPTS_MAX: usize = 10_000;

/// Most names on the line that says who spoke.
const SPEAKERS_MAX: usize = 5;

/// What became of the log at the end of a turn.
#[derive(Debug, Default)]
pub(super) struct Logged {
    /// What became of the entry, `None` when nothing was due.
    pub(super) outcome: Option<Outcome>,
    /// What the host should know.
    pub(super) notices: Vec<Notice>,
}

/// What an entry says, and of whom.
struct Words<'a> {
    text: &'a str,
    user: Option<&'a str>,
    turns: Option<Turns>,
}

/// One turn as the log tells it.
struct Spoken {
    who: Option<String>,
    asked: String,
    answered: String,
}

impl Agent {
    /// Writes the turns that are due, after `turn`, or at the end of the session. Turns that could not be
    /// told are not passed over in silence: a notice counts them.
    pub(super) fn journal_turns(
        &self,
        session: &Session,
        turn: &Turn,
        ending: bool,
    ) -> Result<Logged, EngineError> {
        let (turns, logged) = (count(session.turns), count(session.journaled));
        let cadence = match self.profile.journal_cadence {
            Cadence::AgentProposed => Cadence::AgentProposed,
            // Nothing remembers a turn that has passed, so it is told while it is here.
            _ if self.transcripts.is_none() => Cadence::EveryTurn,
            cadence => cadence,
        };
        let due = journal::due(cadence, turns, logged, ending);
        let Some(range) = due.filter(|_| self.profile.journal) else { return Ok(Logged::default()) };
        let said = self.said_in(session, turn, &range, ending)?;
        let missing = range.clone().count().saturating_sub(said.len());
        let notices = if missing == 0 { Vec::new() } else { vec![untold(missing, &range)] };
        if said.is_empty() {
            return Ok(Logged { outcome: None, notices });
        }
        let told = if self.transcripts.is_none() { turns..=turns } else { range };
        let exchanges: Vec<Exchange<'_>> = said.iter().map(Spoken::exchange).collect();
        let text = journal::digest(&exchanges, &self.speaking_name());
        let outcome = if text.is_empty() {
            None
        } else {
            let user = speakers(&said);
            let turns =
                Turns { session: journal::turns_part(session.start.id.as_str()), range: told.clone() };
            let words = Words { text: &text, user: user.as_deref(), turns: Some(turns) };
            let reason = if ending { format!("session-close: {}", session.start.id) } else { String::new() };
            self.log(session, words, Author::ENGINE, &reason)?
        };
        self.memory()?.journaled(&session.start.id, u64::from(*told.end()))?;
        Ok(Logged { outcome, notices })
    }

    /// Adds a note of the agent's own (R14).
    pub(super) fn journal_note(&self, session: &Session, text: &str) -> Result<Outcome, EngineError> {
        let nowhere = || EngineError::new(Code::Refused, "A conversation with strangers has no daily log.");
        let words = Words { text, user: session.start.user_name.as_deref(), turns: None };
        self.log(session, words, Author::AGENT, "")?.ok_or_else(nowhere)
    }

    fn log(
        &self,
        session: &Session,
        words: Words<'_>,
        author: Author,
        reason: &str,
    ) -> Result<Option<Outcome>, EngineError> {
        let start = &session.start;
        let target =
            journal::target(self.profile.journal_layout, self.today(), start.id.as_str(), &start.scope);
        let Some(name) = target else { return Ok(None) };
        let taint = words_of(session);
        let text = if author.actor() == Actor::Engine { clean(words.text) } else { words.text.to_owned() };
        let agent = self.speaking_name();
        let entry = JournalEntry {
            at: self.clock.now(),
            room: start.room_name.as_deref().filter(|_| matches!(start.scope, Scope::Room(_))),
            user: words.user,
            agents: &[&agent],
            turns: words.turns,
            text: &text,
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

    /// Adds an entry to today's log by hand: of `scope`, and of the session where one is named. Errors: as
    /// [`write`](Self::write), `usage_bad` for an empty text.
    pub fn journal_add(&self, text: &str, scope: &Scope, behalf: &Behalf) -> Result<Outcome, EngineError> {
        let known = match &behalf.session {
            Some(id) => Some(self.running_session(id)?),
            None => None,
        };
        let scope = known.as_ref().map_or(scope, |session| &session.start.scope);
        let id = behalf.session.as_ref().map_or("manual", |id| id.as_str());
        let layout = match (&behalf.session, self.profile.journal_layout) {
            // What belongs to no session goes into the day's own file.
            (None, Layout::PerSession) => Layout::PerDay,
            (_, layout) => layout,
        };
        let nowhere = || EngineError::new(Code::Refused, "A conversation with strangers has no daily log.");
        let name = journal::target(layout, self.today(), id, scope).ok_or_else(nowhere)?;
        let room = match scope {
            Scope::Room(room) => Some(room.as_str()),
            _ => None,
        };
        let agent = self.speaking_name();
        let agents: &[&str] = if behalf.author.actor() == Actor::Owner { &[] } else { &[&agent] };
        let entry = JournalEntry { at: self.clock.now(), room, user: None, agents, turns: None, text };
        let head = Head { day: self.today(), session: None, surface: None };
        self.append_entry(&name, &head, &entry, behalf)
    }

    /// The logs of one day that `scope` may read, in reading order.
    pub fn journals_of(&self, scope: &Scope, day: jiff::civil::Date) -> Result<Vec<Excerpt>, EngineError> {
        let view = self.view(scope);
        let listing = inwit_workspace::Sight::list(&view)?;
        let of_day = |name: &&SafeName| {
            let place = inwit_model::Place::of(name);
            let is_room = matches!(&place, Some(inwit_model::Place::RoomMemory { .. }));
            place.and_then(|place| place.date()) == Some(day) && is_room == matches!(scope, Scope::Room(_))
        };
        let mut names: Vec<&SafeName> =
            listing.entries.iter().map(|entry| &entry.name).filter(of_day).collect();
        names.sort_by(|left, right| inwit_store::reading_order(left, right));
        names.into_iter().map(|name| self.get(scope, name.as_str(), Lines::default())).collect()
    }

    /// Adds one entry to a daily log, marked where its text is tainted.
    pub(crate) fn append_entry(
        &self,
        name: &SafeName,
        head: &Head<'_>,
        entry: &JournalEntry<'_>,
        behalf: &Behalf,
    ) -> Result<Outcome, EngineError> {
        let taint = behalf.taint.unwrap_or(match behalf.author.actor() {
            Actor::Owner => Taint::Owner,
            _ => Taint::Tool,
        });
        let behalf = Behalf { marked: taint.is_tainted(), ..behalf.clone() };
        // Names come from outside like the words do, and must not make the log fail either.
        let cleaned = |name: Option<&str>| name.map(clean);
        let (room, user) = (cleaned(entry.room), cleaned(entry.user));
        let agents: Vec<String> = entry.agents.iter().map(|name| clean(name)).collect();
        let agents: Vec<&str> = agents.iter().map(String::as_str).collect();
        let (session, surface) = (cleaned(head.session), cleaned(head.surface));
        let head = &Head { day: head.day, session: session.as_deref(), surface: surface.as_deref() };
        let entry =
            &JournalEntry { room: room.as_deref(), user: user.as_deref(), agents: &agents, ..entry.clone() };
        self.amend(name, &behalf, &|current| {
            if let (Some(current), Some(turns)) = (current, &entry.turns)
                && journal::holds(current, turns)
            {
                return Ok(None);
            }
            let tail = journal::tail(current, head, entry).map_err(|error| {
                EngineError::new(Code::Refused, format!("`{name}` was not written: {error}"))
            })?;
            if taint.is_tainted() {
                self.mark(current.unwrap_or_default(), &tail, taint, &behalf)?;
            }
            Ok(Some(Op::Append(Arc::from(tail))))
        })
    }

    /// Remembers that the entry `tail` adds is not to be believed.
    fn mark(&self, before: &[u8], tail: &[u8], taint: Taint, behalf: &Behalf) -> Result<(), EngineError> {
        let whole = [before, tail].concat();
        let Some(last) = journal::entries(&whole).pop() else { return Ok(()) };
        let hashes = trust::hashes(&String::from_utf8_lossy(&whole[last.span]));
        let (session, at) = (&behalf.session, self.clock.now());
        let marks: Vec<Mark> =
            hashes.into_iter().map(|entry| Mark { entry, taint, session: session.clone(), at }).collect();
        Ok(self.memory()?.mark_all(&marks)?)
    }

    /// What was asked and answered in `range`: from the transcript, or this turn alone where none is kept.
    /// Fewer turns than `range` has are the last of it.
    fn said_in(
        &self,
        session: &Session,
        turn: &Turn,
        range: &RangeInclusive<u32>,
        ending: bool,
    ) -> Result<Vec<Spoken>, EngineError> {
        let wanted = range.clone().count();
        let Some(home) = self.transcripts.as_ref().filter(|_| wanted > 1 || ending || turn.is_silent())
        else {
            let who = turn.user.name.clone().or_else(|| session.start.user_name.clone());
            let alone = Spoken { who, asked: turn.user.text.clone(), answered: turn.reply.clone() };
            return Ok(if ending { Vec::new() } else { vec![alone] });
        };
        let mut turns: Vec<Spoken> = Vec::new();
        let transcripts = Transcripts::open(&home.folder)?;
        let read = transcripts.read(&session.start.id, 0, &mut |record, _| {
            match record {
                Record::Said(said) if said.role == Role::User => {
                    turns.push(Spoken { who: said.sender_id, asked: said.content, answered: String::new() });
                }
                Record::Said(said) if said.role == Role::Assistant => {
                    if let Some(last) = turns.last_mut() {
                        last.answered = said.content;
                    }
                }
                _ => {}
            }
            std::ops::ControlFlow::Continue(())
        });
        match read {
            // A transcript that somebody took away is not there tomorrow either.
            Err(error) if error.code == Code::SessionMissing => return Ok(Vec::new()),
            read => read?,
        };
        // Turns that an earlier failure left out of the transcript must not push later ones out of the log.
        let first = (*range.start() as usize).saturating_sub(1).min(turns.len().saturating_sub(wanted));
        let mut told: Vec<Spoken> = turns.into_iter().skip(first).take(wanted).collect();
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

    /// Takes away daily logs that are older than the profile keeps them (X59, R32), and says which. Only logs
    /// that nobody but the engine and the agent ever wrote in, and that no quarantine names: what a person
    /// put there is theirs. History has what went.
    pub(crate) fn prune_journals(&self) -> Result<Vec<Notice>, EngineError> {
        let days = self.profile.journal_retention_days;
        if days == 0 {
            return Ok(Vec::new());
        }
        let Some(memory) = self.memory_if_made()? else { return Ok(Vec::new()) };
        let quarantine = self.files.read_state(StateFile::Quarantine)?;
        let (quarantine, unreadable) =
            quarantine.map_or_else(Default::default, |bytes| Quarantine::parse(&bytes));
        let oldest = self.today().checked_sub(i64::from(days).days()).unwrap_or(jiff::civil::Date::MIN);
        let listing = inwit_workspace::Sight::list(&self.workspace.private())?;
        let is_old = |name: &SafeName| {
            inwit_model::Place::of(name).and_then(|place| place.date()).is_some_and(|date| date < oldest)
                && journal::is_target(self.profile.journal_layout, name)
                && !quarantine.holds(name.as_str())
        };
        let old = listing.entries.into_iter().map(|entry| entry.name).filter(is_old);
        let (mut notices, mut gone) = (Vec::from_iter(unreadable), Vec::new());
        for name in old {
            if gone.len() == PRUNED_MAX {
                break;
            }
            let Some(left) = left_by_us(&*memory, &name)? else { continue };
            let reason = format!("older than {days} days");
            let behalf = Behalf { reason, ..Behalf::of(Author::ENGINE) };
            let ours = |current: &&[u8]| Sha256::of(current) == left;
            match self.amend(&name, &behalf, &|current| Ok(current.filter(ours).map(|_| Op::Remove))) {
                Ok(Outcome::Applied { .. }) => gone.push(name),
                Ok(_) => {}
                Err(error) => {
                    let message = format!(
                        "`{name}` is older than {days} days and was not taken away: {}",
                        error.message
                    );
                    notices.push(Notice::new("journal_not_pruned", message, error.code.spec().hint));
                }
            }
        }
        notices.extend(pruned(&gone, days));
        Ok(notices)
    }
}

/// The file as our last change left it. `None`: somebody else wrote in it too, or nobody can tell.
fn left_by_us(memory: &dyn Memory, name: &SafeName) -> Result<Option<Sha256>, EngineError> {
    let filter = ReceiptFilter { name: Some(name.clone()), limit: RECEIPTS_MAX, ..ReceiptFilter::default() };
    let receipts = memory.receipts(&filter)?;
    let ours = |receipt: &Receipt| {
        matches!(receipt.actor, Actor::Engine | Actor::Agent) && receipt.ended == Ended::Done
    };
    let is_whole = receipts.len() < RECEIPTS_MAX;
    let last = receipts.first().and_then(|receipt| receipt.result);
    Ok(last.filter(|_| is_whole && receipts.iter().all(ours)))
}

/// Says which logs went.
fn pruned(gone: &[SafeName], days: u32) -> Option<Notice> {
    let names: Vec<&str> = gone.iter().take(PRUNED_NAMES_MAX).map(SafeName::as_str).collect();
    let more = gone.len() - names.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let message = format!("Daily logs older than {days} days were taken away: {}{more}.", names.join(", "));
    let hint = "History has them. With `journal_retention_days` 0 every log stays.";
    (!gone.is_empty()).then(|| Notice::new("journal_pruned", message, hint))
}

/// Says that turns are not in the log.
fn untold(missing: usize, range: &RangeInclusive<u32>) -> Notice {
    let message =
        format!("{missing} of the turns {}-{} are not in the daily log.", range.start(), range.end());
    let hint = "No transcript holds them, or they are more than one entry tells; add what matters as a note.";
    Notice::new("journal_turns_untold", message, hint)
}

impl Spoken {
    fn exchange(&self) -> Exchange<'_> {
        let who = self.who.as_deref().unwrap_or("user");
        Exchange { who, asked: &self.asked, answered: &self.answered }
    }
}

/// Who spoke in these turns, each once, in order.
fn speakers(said: &[Spoken]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for who in said.iter().filter_map(|turn| turn.who.as_deref()) {
        if !names.contains(&who) {
            names.push(who);
        }
    }
    let more = names.len().saturating_sub(SPEAKERS_MAX);
    names.truncate(SPEAKERS_MAX);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!names.is_empty()).then(|| names.join(", ") + &more)
}

/// Text that a log can hold whatever was said.
fn clean(text: &str) -> String {
    hidden::reveal(&secrets::redact(text, secrets::Tier::Quarantine))
}

fn count(turns: u64) -> u32 {
    u32::try_from(turns).unwrap_or(u32::MAX)
}
