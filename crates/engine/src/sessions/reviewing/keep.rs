//! What of an answer is written: facts as those of any agent, a summary in the daily log, open loops in the heartbeat.
//!
//! Everything passes the gate, with the taint of its turn. Invariants: an existing fact is never changed; after a
//! crash, a fact is known again by its text and a summary by its turns.

use inwit_gate::{Author, hidden, secrets};
use inwit_model::{FileKind, Op, ProjectName, Scope, Taint};
use inwit_store::memory::{Memory, ReviewReason, Session};
use serde_json::json;
use std::sync::Arc;

use super::spoken::NewTurns;
use crate::core::forgotten::TombstoneMatcher;
use crate::core::parse_name;
use crate::facts::FactFilter;
use crate::learning::dream::bullet::unmarked;
use crate::learning::review::content::Content;
use crate::learning::review::guard::refusal_of_text;
use crate::learning::review::own_words::own_words;
use crate::learning::review::{Guard, ReviewAnswer, SpokenTurn, StatedFact, Wanted};
use crate::notes::heartbeat;
use crate::notes::journal::{self, Head, JournalEntry, Turns};
use crate::notes::write::{Outcome, WriteContext};
use crate::sessions::session::words_of;
use crate::{EngineError, FactOutcome, NewFact, Notice, Sessions};

/// Begins the text of a summary in a daily log.
const SUMMARY: &str = "Summary: ";

/// Part of the name of a session in the turns of a summary: those of the log itself are counted apart.
const SUMMARY_PART: &str = "summary";

impl Sessions {
    /// Writes the wanted parts of `answer`. Errors: those of reading, and `locked`; then the range is read again.
    pub(super) fn keep_answer(
        &self,
        memory: &dyn Memory,
        wanted: Wanted,
        session: &Session,
        new: &NewTurns,
        answer: &ReviewAnswer,
        notices: &mut Vec<Notice>,
    ) -> Result<Vec<ReviewReason>, EngineError> {
        let mut parts = Vec::new();
        if wanted.facts && !answer.facts.is_empty() {
            for (fact, refusal) in answer.facts.iter().zip(self.refusals(memory, new, &answer.facts)?) {
                parts.push(match refusal {
                    Some(refusal) => part_of(fact, refusal.to_owned()),
                    None => {
                        let outcome = self.keep_fact(session, new, fact, notices)?;
                        part_of(fact, outcome)
                    }
                });
            }
        }
        let erased = TombstoneMatcher::of(memory)?;
        if wanted.summary && !answer.summary.is_empty() {
            let outcome = match refusal_of_text(&answer.summary, erased.as_ref()) {
                Some(refusal) => refusal.to_owned(),
                None => self.keep_summary(session, new, &answer.summary)?,
            };
            parts.push(part("summary", &answer.summary, outcome));
        }
        if wanted.open_loops && !answer.open_loops.is_empty() {
            let mut loops = Vec::new();
            for text in &answer.open_loops {
                let refusal = refusal_of_text(text, erased.as_ref());
                let refusal = refusal.or_else(|| (!self.is_said(new, text)).then_some("unsupported"));
                match refusal {
                    Some(refusal) => parts.push(part("open_loop", text, refusal.to_owned())),
                    None => loops.push(text.clone()),
                }
            }
            if !loops.is_empty() {
                let outcome = self.keep_loops(session, new, &loops)?;
                parts.extend(loops.iter().map(|text| part("open_loop", text, outcome.clone())));
            }
        }
        Ok(parts)
    }

    /// Whether the user's own words and the replies have what an open loop says.
    fn is_said(&self, new: &NewTurns, text: &str) -> bool {
        let own = new.heard.iter().map(|turn| own_words(&turn.user));
        let said: Vec<String> = own.chain(new.replies.iter().cloned()).collect();
        let analyser = &mut self.core.recall().analyser;
        Content::of(text, analyser).is_about(&Content::of(&said.join("\n"), analyser))
    }

    /// Why each fact is not kept, in order.
    fn refusals(
        &self,
        memory: &dyn Memory,
        new: &NewTurns,
        facts: &[StatedFact],
    ) -> Result<Vec<Option<&'static str>>, EngineError> {
        let mut known: Vec<String> = new.recalled.clone();
        let memory_file = self.core.content(&self.notes.memory_file()?)?;
        let user_file = self.core.well_known_file(FileKind::User)?.map(|(_, content)| content);
        for content in [memory_file, user_file].into_iter().flatten() {
            let text = String::from_utf8_lossy(&content.bytes).into_owned();
            known.extend(inwit_markdown::shown(&text).lines().map(str::to_owned));
        }
        let standing = memory.facts(&FactFilter { limit: usize::MAX, ..FactFilter::default() })?;
        known.extend(standing.into_iter().map(|fact| fact.text.content));
        let known = known.iter().map(|line| unmarked(line.trim())).filter(|line| !line.is_empty());
        let known = known.filter(|line| !line.starts_with('#'));
        let turns: Vec<SpokenTurn> = new
            .heard
            .iter()
            .map(|turn| SpokenTurn { number: turn.number, user: turn.user.clone() })
            .collect();
        let erased = TombstoneMatcher::of(memory)?;
        let recall = &mut self.core.recall();
        let mut guard = Guard::of(&turns, known, erased.as_ref(), &mut recall.analyser);
        Ok(facts.iter().map(|fact| guard.refusal(fact)).collect())
    }

    /// Writes or proposes a fact; the outcome as one word.
    fn keep_fact(
        &self,
        session: &Session,
        new: &NewTurns,
        fact: &StatedFact,
        notices: &mut Vec<Notice>,
    ) -> Result<String, EngineError> {
        let at = new.heard.iter().position(|turn| turn.number == fact.turn);
        let taint = at.map_or(session.start.taint, |at| new.taints[at]).join(Taint::Agent);
        let id = session.start.id.as_str();
        let behalf = WriteContext {
            taint: Some(taint),
            session: Some(session.start.id.clone()),
            project: session.start.project.clone(),
            reason: format!("review of session {id}, turn {}", fact.turn),
            ..WriteContext::of(Author::AGENT)
        };
        let metadata = json!({ "session": id, "turn": fact.turn, "quote": fact.quote });
        let fact = NewFact {
            text: &fact.text,
            category: Some(&fact.category),
            metadata: Some(metadata.to_string()),
            source: Some("chat_extracted"),
            ..NewFact::default()
        };
        Ok(match self.learning.facts.fact_add(&fact, &behalf) {
            Ok(FactOutcome::Written { .. }) => "written".to_owned(),
            Ok(FactOutcome::Pending { notices: told, .. }) => {
                notices.extend(told);
                "pending".to_owned()
            }
            Ok(_) => "known".to_owned(),
            Err(error) if is_passing(&error) => return Err(error),
            Err(error) => error.code.spec().name.to_owned(),
        })
    }

    /// Adds the summary to the log of the day of the last turn.
    fn keep_summary(&self, session: &Session, new: &NewTurns, summary: &str) -> Result<String, EngineError> {
        if !self.core.profile.journal {
            return Ok("journal_off".to_owned());
        }
        let (start, id) = (&session.start, session.start.id.as_str());
        let at = new.at.unwrap_or(start.started);
        let day = at.to_zoned(self.core.day_zone()).date();
        let names = journal::targets(self.core.profile.journal_layout, day, id, &start.scope);
        let text = format!("{SUMMARY}{summary}");
        let text = self.core.without_known_secrets(Author::AGENT, &start.scope, &text);
        let agent = self.speaking_name(&start.scope);
        let number = |turn| u32::try_from(turn).unwrap_or(u32::MAX);
        let entry = JournalEntry {
            at,
            room: start.room_name.as_deref().filter(|_| matches!(start.scope, Scope::Room(_))),
            project: start.project.as_ref().map(ProjectName::as_str),
            user: start.user_name.as_deref(),
            agents: &[&agent],
            turns: Some(Turns {
                session: format!("{} {SUMMARY_PART}", journal::turns_part(id)),
                range: number(new.first)..=number(new.last),
            }),
            text: &text,
        };
        let behalf = WriteContext {
            taint: Some(words_of(session)),
            session: Some(start.id.clone()),
            reason: format!("review of session {id}"),
            ..WriteContext::of(Author::AGENT).within(&start.scope)
        };
        let head = Head { day, session: Some(id), surface: Some(start.surface.as_str()) };
        written(self.append_to_own(&names, id, &head, &entry, &behalf))
    }

    /// Merges open loops of an untainted session into the heartbeat. What its replies closed stays closed.
    fn keep_loops(&self, session: &Session, new: &NewTurns, loops: &[String]) -> Result<String, EngineError> {
        if !self.core.profile.heartbeat {
            return Ok("heartbeat_off".to_owned());
        }
        if session.start.taint.is_tainted() {
            return Ok("tainted".to_owned());
        }
        let name = parse_name(FileKind::Heartbeat.spec().path)?;
        let items: String = loops.iter().rev().map(|text| format!("- [ ] {text}\n")).collect();
        let items = self.core.without_known_secrets(Author::AGENT, &session.start.scope, &items).into_owned();
        let clean = |text: &str| hidden::reveal(&secrets::redact_for_model(text)).into_owned();
        let mut found = heartbeat::loops_in(&clean(&items));
        found.closed =
            new.replies.iter().flat_map(|reply| heartbeat::loops_in(&clean(reply)).closed).collect();
        let behalf = WriteContext {
            taint: Some(words_of(session)),
            session: Some(session.start.id.clone()),
            reason: format!("review of session {}", session.start.id),
            ..WriteContext::of(Author::ENGINE)
        };
        written(
            self.notes
                .amend(&name, &behalf, &|current| {
                    let known = heartbeat::open_loops(current.unwrap_or_default());
                    let (loops, _) = heartbeat::merged(&known, &found, &[]);
                    let bytes = heartbeat::rewrite_loops(current, &loops)
                        .map_err(|error| EngineError::new(inwit_model::Code::Refused, error.to_string()))?;
                    Ok((current != Some(&*bytes)).then(|| Op::Put(Arc::from(bytes))))
                })
                .map(Some),
        )
    }
}

/// The outcome of a write as one word; a temporary failure is an error.
fn written(outcome: Result<Option<Outcome>, EngineError>) -> Result<String, EngineError> {
    Ok(match outcome {
        Ok(Some(Outcome::Applied { .. })) => "written".to_owned(),
        Ok(Some(Outcome::Pending { .. })) => "pending".to_owned(),
        Ok(_) => "known".to_owned(),
        Err(error) if is_passing(&error) => return Err(error),
        Err(error) => error.code.spec().name.to_owned(),
    })
}

/// Whether a later attempt may succeed.
fn is_passing(error: &EngineError) -> bool {
    use inwit_model::Code;
    matches!(
        error.code,
        Code::Locked
            | Code::Stale
            | Code::DiskFull
            | Code::DiskReadOnly
            | Code::WriteFailed
            | Code::MemoryUnavailable
    )
}

/// Whether the text of a part with this outcome is not recorded.
fn is_hidden(outcome: &str) -> bool {
    matches!(outcome, "sensitive" | "forgotten")
}

fn part_of(fact: &StatedFact, outcome: String) -> ReviewReason {
    let is_hidden = is_hidden(&outcome);
    let detail = match is_hidden {
        true => format!("category={}", fact.category),
        false => format!("category={}, quote={}", fact.category, fact.quote),
    };
    let text = if is_hidden { String::new() } else { fact.text.clone() };
    ReviewReason { kind: "fact".to_owned(), turn: Some(fact.turn), text, outcome, detail }
}

fn part(kind: &str, text: &str, outcome: String) -> ReviewReason {
    let text = if is_hidden(&outcome) { String::new() } else { text.to_owned() };
    ReviewReason { kind: kind.to_owned(), turn: None, text, outcome, detail: String::new() }
}
