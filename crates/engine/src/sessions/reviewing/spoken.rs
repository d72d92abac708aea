//! The new turns of a session, from its transcript, as a language model may read them.
//!
//! Invariants: secrets are redacted while they are next to their labels, in all messages together; injection phrases,
//! private parts and erased texts are masked; the taint of a turn is never lower than the session's was.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use inwit_model::{Code, Scope, Taint};
use inwit_store::memory::{Memory, Session};
use inwit_workspace::transcripts::{Record, Role, Transcripts};
use jiff::Timestamp;

use crate::core::forgotten::TombstoneMatcher;
use crate::core::mask::masked_row;
use crate::learning::review::HeardTurn;
use crate::learning::review::question::{DATA_BYTES_MAX, TURNS_MAX, cut};
use crate::sessions::hook::fence;
use crate::sessions::session::{is_own_tool, redact_together};
use crate::{EngineError, Sessions};

/// The turns of one request.
#[derive(Debug, Default)]
pub(super) struct NewTurns {
    /// As they are sent, oldest first.
    pub(super) heard: Vec<HeardTurn>,
    /// The taint of each.
    pub(super) taints: Vec<Taint>,
    /// The last replies as they were said, for closed loops.
    pub(super) replies: Vec<String>,
    /// The first and the last turn that they cover.
    pub(super) first: u64,
    pub(super) last: u64,
    /// When the last one was said.
    pub(super) at: Option<Timestamp>,
    /// Lines of the agent's own files that its tools showed in them.
    pub(super) recalled: Vec<String>,
}

/// One turn of a transcript.
#[derive(Default)]
struct Said {
    at: Option<Timestamp>,
    user: String,
    reply: String,
    recalled: Vec<String>,
}

impl Sessions {
    /// The turns after turn `done` that fit one request. `None` without a transcript, or if there are none.
    pub(super) fn new_turns(
        &self,
        memory: &dyn Memory,
        session: &Session,
        done: u64,
    ) -> Result<Option<NewTurns>, EngineError> {
        let said = self.said_of(session)?;
        let count = said.len() as u64;
        // Turns that are missing in the transcript are before its first one: that overstates a taint.
        let shift = session.turns.saturating_sub(count);
        let is_exact = count == session.turns;
        if !is_exact && session.ended.is_none() {
            // The last turn may be counted and not transcribed yet.
            return Ok(None);
        }
        let mut new = NewTurns { first: done + 1, last: done, ..NewTurns::default() };
        let mut messages: Vec<(u64, Said)> = Vec::new();
        let mut bytes = 0;
        for (number, mut turn) in (shift + 1..).zip(said) {
            if number <= done || number > session.turns {
                continue;
            }
            turn.user = fence::public(&turn.user).text;
            turn.reply = fence::public(&turn.reply).text;
            bytes += cut(&turn.user).len() + cut(&turn.reply).len();
            if messages.len() == TURNS_MAX || bytes > DATA_BYTES_MAX && !messages.is_empty() {
                break;
            }
            messages.push((number, turn));
        }
        let Some((last, _)) = messages.last() else { return Ok(None) };
        new.last = *last;
        let all = messages.iter_mut().flat_map(|(_, turn)| [&mut turn.user, &mut turn.reply]);
        redact_together(all.collect(), self.core.known_secrets(&session.start.scope).as_ref());
        let named = self.core.named_values(&session.start.scope);
        let erased = TombstoneMatcher::of(memory)?;
        let shown = |text: &str| {
            let text = masked_row(text, &named, |_| true, &mut BTreeSet::new()).to_string();
            cut(&erased.as_ref().and_then(|erased| erased.without(&text)).unwrap_or(text))
        };
        let zone = self.core.day_zone();
        for (number, turn) in messages {
            let at = turn.at.unwrap_or(session.start.started);
            let known = if is_exact { memory.taint_at_turn(&session.start.id, number)? } else { None };
            let taint = known.unwrap_or(session.start.taint);
            new.heard.push(HeardTurn {
                number,
                day: at.to_zoned(zone.clone()).date(),
                user: shown(&turn.user),
                reply: shown(&turn.reply),
                is_user_tainted: session.start.scope != Scope::Main || taint == Taint::Member,
                is_reply_tainted: taint.is_tainted(),
            });
            new.taints.push(taint);
            new.replies.push(turn.reply);
            new.recalled.extend(turn.recalled);
            new.at = Some(at);
        }
        Ok(Some(new))
    }

    /// All turns of a session's transcript; none if it was deleted.
    fn said_of(&self, session: &Session) -> Result<Vec<Said>, EngineError> {
        let Some(home) = &self.transcripts else { return Ok(Vec::new()) };
        let mut turns: Vec<Said> = Vec::new();
        let read = Transcripts::open(&home.folder)?.read(&session.start.id, 0, &mut |record, _| {
            let Record::Said(said) = record else { return ControlFlow::Continue(()) };
            match (said.role, turns.last_mut()) {
                (Role::User, _) => {
                    turns.push(Said { at: Some(said.timestamp), user: said.content, ..Said::default() });
                }
                (Role::Assistant, Some(turn)) => turn.reply = said.content,
                (Role::Tool, Some(turn)) if said.sender_id.as_deref().is_some_and(is_own_tool) => {
                    turn.recalled.extend(said.content.lines().map(str::to_owned));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        match read {
            Err(error) if error.code == Code::SessionMissing => Ok(Vec::new()),
            Err(error) => Err(error.into()),
            Ok(_) => Ok(turns),
        }
    }
}
