//! The turns of a session, as input of its log.
//!
//! They are read from the transcript, so a log that is written every few turns needs no extra storage. Invariant: the
//! text keeps its speakers.

use std::ops::RangeInclusive;

use inwit_gate::secrets::{self, Repeated, SecretHashes};
use inwit_model::Code;
use inwit_store::memory::Session;
use inwit_workspace::transcripts::{Record, Role, Transcripts};

use super::turn::Heard;
use crate::core::notice::named;
use crate::notes::journal::{self, Exchange};
use crate::{EngineError, Notice, Sessions};

/// Most turns of one digest; of a longer session the last ones.
const DIGEST_TURNS_MAX: usize = 500;

/// Most names in the line of speakers.
const SPEAKERS_MAX: usize = 5;

/// One turn for the log.
pub(super) struct Spoken {
    who: Option<String>,
    asked: String,
    /// Another answering team member; default the owner of the log.
    by: Option<String>,
    answered: String,
}

impl Sessions {
    /// The turns in `range`: from the transcript, or only this turn without one. If some are missing, the result has
    /// the last ones. `heard`: the turn that just ended, `None` at the end of the session.
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
            // A deleted transcript does not come back.
            Err(error) if error.code == Code::SessionMissing => return Ok(Vec::new()),
            read => read?,
        };
        // Turns missing from the transcript must not displace later ones in the log.
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

    /// The form for a digest in the log of `agent`.
    pub(super) fn exchange<'s>(&'s self, agent: &'s str) -> Exchange<'s> {
        Exchange {
            who: self.who.as_deref().unwrap_or(journal::UNNAMED),
            asked: &self.asked,
            by: self.by.as_deref().unwrap_or(agent),
            answered: &self.answered,
        }
    }
}

/// Redacts secrets while they are next to their labels: a digest omits sentences and joins lines, and a bare value
/// would not be recognised.
pub(super) fn redact(said: &mut [Spoken], known: Option<&SecretHashes>) {
    let messages = said.iter_mut().flat_map(|turn| [&mut turn.asked, &mut turn.answered]);
    redact_together(messages.collect(), known);
}

/// Redacts secrets in messages of one conversation. A value that one of them names is redacted in all, and so are
/// `known` ones from earlier turns.
pub(in crate::sessions) fn redact_together(messages: Vec<&mut String>, known: Option<&SecretHashes>) {
    let repeated = Repeated::of(messages.iter().map(|message| message.as_str()));
    for message in messages {
        let redacted = repeated.redact(secrets::redact_for_model(message));
        *message = match known {
            Some(known) => known.redact(redacted),
            None => redacted,
        };
    }
}

/// Marks a person whose name equals that of an answering agent or the default, so that the log does not confuse them.
pub(super) fn tell_apart(said: &mut [Spoken], agent: &str) {
    let taken: Vec<String> =
        answerers(said, agent).into_iter().chain([journal::UNNAMED]).map(speaker_key).collect();
    for who in said.iter_mut().filter_map(|turn| turn.who.as_mut()) {
        if taken.contains(&speaker_key(who)) {
            who.insert(0, '@');
        }
    }
}

/// The lower-case form of a name in the log.
fn speaker_key(name: &str) -> String {
    journal::speaker(name).to_lowercase()
}

/// The speakers of these turns, each once, in order.
pub(super) fn speakers(said: &[Spoken]) -> Option<String> {
    let names = once_each(said.iter().filter_map(|turn| turn.who.as_deref()));
    (!names.is_empty()).then(|| named(&names, SPEAKERS_MAX, ", "))
}

/// The answering agents of these turns, each once, in order (R26); `agent` by default.
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

/// The notice about turns missing from the log.
pub(super) fn untold(missing: usize, range: &RangeInclusive<u32>) -> Notice {
    let message =
        format!("{missing} of the turns {}-{} are not in the daily log.", range.start(), range.end());
    let hint = "No transcript contains them, or they are too many for one entry. Add what matters as a note.";
    Notice::new("journal_turns_untold", message, hint)
}
