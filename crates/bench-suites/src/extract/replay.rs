//! Replays conversations, each with an agent of its own, and reviews them once.
//!
//! A turn is recorded as a host records it, with what its tools returned, so the taint of a turn is computed and not
//! assumed. Invariant: a kept fact is one that was written or waits in the inbox.

use std::collections::BTreeMap;

use inwit_engine::learning::review::Wanted;
use inwit_engine::sessions::reviewing::ReviewAsk;
use inwit_engine::sessions::session::{Message, Read, Start, Turn};
use inwit_home::config::TranscriptConfig;
use inwit_home::{AgentConfig, HomeError};
use inwit_model::{CompleteError, Completer, SafeName, Scope};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::data::Session;
use crate::exam::Note;
use crate::examiner::Watch;
use crate::ground::Ground;

/// Minutes from one turn to the next.
const TURN_MINUTES: i64 = 3;

/// Hour of the day at which a conversation begins.
const BEGINS_HOUR: i8 = 9;

/// Gives the model for a conversation.
pub type ModelOf<'m> = dyn Fn(&Session) -> Result<Box<dyn Completer>, CompleteError> + 'm;

/// Outcomes of a fact that was kept.
const KEPT: [&str; 2] = ["written", "pending"];

/// How many of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// The count.
    pub count: usize,
    /// Of how many.
    pub of: usize,
}

/// What a model achieved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    /// Labelled facts that were kept.
    pub recall: Counted,
    /// Kept facts that are labelled.
    pub precision: Counted,
    /// Kept lures, by kind.
    pub lures: BTreeMap<String, Counted>,
    /// Labelled facts that were stated and not kept, by reason.
    pub lost: BTreeMap<String, usize>,
    /// Requests.
    pub requests: usize,
    /// Conversations without a usable answer.
    pub failed: usize,
    /// The labelled facts and lures that went wrong, as sentences.
    pub misses: Vec<String>,
}

impl Counted {
    fn add(&mut self, is_counted: bool) {
        self.of += 1;
        self.count += usize::from(is_counted);
    }
}

/// Replays `sessions`; `model` gives the model for each. Errors: those of laying out and of the engine.
pub fn replay(
    config: &AgentConfig,
    sessions: &[Session],
    model: &ModelOf<'_>,
    ui: &mut dyn Watch,
) -> Result<Judged, HomeError> {
    let config = AgentConfig { transcripts: Some(TranscriptConfig { redaction: None }), ..config.clone() };
    let mut judged = Judged::default();
    for (at, session) in sessions.iter().enumerate() {
        judge(&config, session, model, &mut judged)?;
        ui.progress("conversations", at + 1, sessions.len());
    }
    Ok(judged)
}

fn judge(
    config: &AgentConfig,
    session: &Session,
    model: &ModelOf<'_>,
    judged: &mut Judged,
) -> Result<(), HomeError> {
    let parts = reviewed(config, session, model, judged)?;
    let is_kept = |outcome: &str| KEPT.contains(&outcome);
    let kept: Vec<&str> =
        parts.iter().filter(|(_, outcome)| is_kept(outcome)).map(|(text, _)| &**text).collect();
    for label in &session.facts {
        let is_found = kept.iter().any(|text| label.is_stated_by(text));
        judged.recall.add(is_found);
        if !is_found {
            let reason =
                parts.iter().find(|(text, _)| label.is_stated_by(text)).map_or("not stated", |(_, why)| why);
            *judged.lost.entry(reason.to_owned()).or_default() += 1;
            judged.misses.push(format!("{} lost ({reason}): {}", session.id, label.text));
        }
    }
    for text in &kept {
        judged.precision.add(session.facts.iter().any(|label| label.is_stated_by(text)));
    }
    for lure in &session.lures {
        let of_label = |text: &str| session.facts.iter().any(|label| label.is_stated_by(text));
        let is_taken = kept.iter().any(|text| lure.is_stated_by(text) && !of_label(text));
        judged.lures.entry(lure.kind.clone()).or_default().add(is_taken);
        if is_taken {
            judged.misses.push(format!("{} kept ({}): {}", session.id, lure.kind, lure.text));
        }
    }
    Ok(())
}

/// The facts of the answer about one conversation, each with its outcome.
fn reviewed(
    config: &AgentConfig,
    session: &Session,
    model: &ModelOf<'_>,
    judged: &mut Judged,
) -> Result<Vec<(String, String)>, HomeError> {
    let text = format!("# Memory\n\n{}\n", session.memory.join("\n"));
    let name = SafeName::parse("MEMORY.md");
    let note = name.map(|name| Note { name, text }).into_iter();
    let (ground, _) = Ground::lay_out(config, note)?;
    let begins = session.day.at(BEGINS_HOUR, 0, 0, 0).to_zoned(TimeZone::UTC);
    let mut now = begins.map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp());
    let mut pass = |minutes: i64| {
        now = now.saturating_add(SignedDuration::from_mins(minutes)).unwrap_or(now);
        ground.at(now);
    };
    pass(0);
    let sessions = &ground.agent().sessions;
    let start = Start {
        session: None,
        surface: "bench".to_owned(),
        scope: Scope::Main,
        room: None,
        user: None,
        agents: Vec::new(),
        project: None,
    };
    let id = sessions.session_start(&start)?.session.start.id;
    for turn in &session.turns {
        let tools = turn.reads.iter().map(|read| Read { tool: read.tool.clone(), text: read.text.clone() });
        let turn = Turn {
            user: Message { text: turn.user.clone(), ..Message::default() },
            reply: turn.reply.clone(),
            tools: tools.collect(),
            ..Turn::default()
        };
        sessions.session_turn(&id, &turn)?;
        pass(TURN_MINUTES);
    }
    sessions.session_end(&id)?;
    let open = |_: &Scope| model(session);
    let wanted = Wanted { facts: true, ..Wanted::default() };
    let ask = ReviewAsk {
        model: &open,
        wanted,
        session: Some(&id),
        dry_run: false,
        trigger: "bench",
        named: "bench",
    };
    let report = sessions.review(&ask)?;
    judged.requests += report.requests;
    judged.failed += usize::from(report.ranges.iter().any(|range| range.error.is_some()));
    let parts = report.ranges.into_iter().flat_map(|range| range.parts);
    Ok(parts.filter(|part| part.kind == "fact").map(|part| (part.text, part.outcome)).collect())
}
