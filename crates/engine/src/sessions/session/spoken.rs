//! What was said in the turns of a session, as its log tells it.
//!
//! It is read back from the transcript, so that a log that is written every so many turns needs no memory of
//! its own. Invariant: who spoke and who answered stay with their words.

use std::ops::RangeInclusive;

use inwit_gate::secrets::{self, Repeated, SecretHashes};
use inwit_model::Code;
use inwit_store::memory::Session;
use inwit_workspace::transcripts::{Record, Role, Transcripts};

use super::turn::Heard;
use crate::core::notice::named;
use crate::notes::journal::{self, Exchange};
use crate::{EngineError, Notice, Sessions};

/// Most turns of one digest; of a longer session the last ones are told.
const DIGEST_TURNS_MAX: usize = 500;

/// Most names on a line that says who spoke.
const SPEAKERS_MAX: usize = 5;

/// One turn as the log tells it.
pub(super) struct Spoken {
    who: Option<String>,
    asked: String,
    /// Another agent of the team; the one whose log it is when unsaid.
    by: Option<String>,
    answered: String,
}

impl Sessions {
    /// What was asked and answered in `range`: from the transcript, or this turn alone where none is kept.
    /// Fewer turns than `range` has are the last of it. `heard`: the turn that just ended, `None` at the end
    /// of the session.
    pub(super) fn said_in(
        &self,
        session: &Session,
        heard: Option<&Heard<'_>>,
        range: &RangeInclusive<u32>,
    ) -> Result<Vec<Spoken>, EngineError> {
        let wanted = range.clone().count();
        let is_alone = |heard: &&Heard<'_>| wanted == 1 && !heard.turn.is_silent();
        let home = match (&self.transcripts, heard.filter(is_alone)) {
            (Some(home), None) => home,
            (_, Some(heard)) => return Ok(vec![Spoken::of(session, heard)]),
            (None, None) => return Ok(heard.map(|heard| Spoken::of(session, heard)).into_iter().collect()),
        };
        let mut turns: Vec<Spoken> = Vec::new();
        let transcripts = Transcripts::open(&home.folder)?;
        let read = transcripts.read(&session.start.id, 0, &mut |record, _| {
            match record {
                Record::Said(said) if said.role == Role::User => {
                    let (who, asked) = (said.sender_id, said.content);
                    turns.push(Spoken { who, asked, by: None, answered: String::new() });
                }
                Record::Said(said) if said.role == Role::Assistant => {
                    if let Some(last) = turns.last_mut() {
                        (last.by, last.answered) = (said.sender_id, said.content);
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
}

impl Spoken {
    fn of(session: &Session, heard: &Heard<'_>) -> Self {
        Self {
            who: heard.turn.user.name.clone().or_else(|| session.start.user_name.clone()),
            asked: heard.turn.user.text.clone(),
            by: heard.by.map(str::to_owned),
            answered: heard.turn.reply.clone(),
        }
    }

    /// For a digest in the log of `agent`.
    pub(super) fn exchange<'s>(&'s self, agent: &'s str) -> Exchange<'s> {
        Exchange {
            who: self.who.as_deref().unwrap_or(journal::UNNAMED),
            asked: &self.asked,
            by: self.by.as_deref().unwrap_or(agent),
            answered: &self.answered,
        }
    }
}

/// Takes secrets out of what was said, as long as they stand beside the words that give them away: a digest leaves
/// sentences out and joins lines, and nothing would know a bare value again.
pub(super) fn redact(said: &mut [Spoken], known: Option<&SecretHashes>) {
    let messages = said.iter_mut().flat_map(|turn| [&mut turn.asked, &mut turn.answered]);
    redact_together(messages.collect(), known);
}

/// Takes secrets out of messages that belong together. A value that one of them gives away is taken out of all, and so are
/// those that are `known` from earlier turns.
pub(super) fn redact_together(messages: Vec<&mut String>, known: Option<&SecretHashes>) {
    let repeated = Repeated::of(messages.iter().map(|message| message.as_str()));
    for message in messages {
        let redacted = repeated.redact(secrets::redact_for_model(message));
        *message = match known {
            Some(known) => known.redact(redacted),
            None => redacted,
        };
    }
}

/// Marks a person who has the name of an agent that answers, or of nobody, or the log would give their words to these.
pub(super) fn tell_apart(said: &mut [Spoken], agent: &str) {
    let taken: Vec<String> =
        answerers(said, agent).into_iter().chain([journal::UNNAMED]).map(speaker_key).collect();
    for who in said.iter_mut().filter_map(|turn| turn.who.as_mut()) {
        if taken.contains(&speaker_key(who)) {
            who.insert(0, '@');
        }
    }
}

/// A name as the log writes it, in lower case.
fn speaker_key(name: &str) -> String {
    journal::speaker(name).to_lowercase()
}

/// Who spoke in these turns, each once, in order.
pub(super) fn speakers(said: &[Spoken]) -> Option<String> {
    let names = once_each(said.iter().filter_map(|turn| turn.who.as_deref()));
    (!names.is_empty()).then(|| named(&names, SPEAKERS_MAX, ", "))
}

/// Which agents answered in these turns, each once, in order (R26); `agent` where nobody else is named.
pub(super) fn answerers<'s>(said: &'s [Spoken], agent: &'s str) -> Vec<&'s str> {
    once_each(said.iter().map(|turn| turn.by.as_deref().unwrap_or(agent)))
}

fn once_each<'s>(names: impl Iterator<Item = &'s str>) -> Vec<&'s str> {
    let mut once: Vec<&str> = Vec::new();
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once
}

/// Says that turns are not in the log.
pub(super) fn untold(missing: usize, range: &RangeInclusive<u32>) -> Notice {
    let message =
        format!("{missing} of the turns {}-{} are not in the daily log.", range.start(), range.end());
    let hint = "No transcript contains them, or they are too many for one entry. Add what matters as a note.";
    Notice::new("journal_turns_untold", message, hint)
}
