//! `inwit facts`: facts with source and period.

mod args;

use inwit_engine::DayEdge;
use inwit_engine::facts::{FACTS_MAX, FactEdit, FactFilter, NewFact, Retirement};
use inwit_engine::forget::{ErasureRequest, Fate, Matcher};
use inwit_engine::{Agent, Fact, FactOutcome, Notice, WriteContext};
use inwit_gate::Finding;
use inwit_home::OpenAgent;
use inwit_home::clock::SystemClock;
use inwit_home::forgetting::home;
use inwit_home::forgetting::scan::Sought;
use inwit_model::fact::{Span, When};
use inwit_model::time;
use inwit_model::{Clock as _, Code, Scope, SessionId};
use inwit_wire::{FactHistoryV1, FactOutcomeV1, FactV1, FactsV1, NoticeV1};
use jiff::Timestamp;
use jiff::tz::TimeZone;

pub use self::args::FactsArgs;
use self::args::{AddArgs, FactsVerb, ListArgs, ReadArgs, SearchArgs, UpdateArgs, WhenArgs};
use super::remember::short;
use super::{edges, profile, settling};
use crate::compose;
use crate::error::CliError;
use crate::outcome::because;
use crate::person::{on_behalf, owners};
use crate::ui::Ui;
use inwit_settings::Settings;

/// Default length of a list.
const LIST_DEFAULT: usize = 50;

/// Default number of search results.
const SEARCH_DEFAULT: usize = 10;

pub fn run(args: &FactsArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        FactsVerb::Edges(args) => return edges::run(args, settings, ui),
        FactsVerb::Profile(args) => return profile::run(args, settings, ui),
        _ => {}
    }
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    let mut told = Vec::new();
    let outcome = match &args.verb {
        FactsVerb::List(args) => return list(agent, args, ui),
        FactsVerb::Search(args) => return search(agent, args, ui),
        FactsVerb::Read(args) => return read(agent, args, ui),
        FactsVerb::Edges(_) | FactsVerb::Profile(_) => return Ok(()),
        FactsVerb::Decisions(args) => return settling::decisions(agent, args.limit, ui),
        FactsVerb::Consolidate(args) => return settling::run(&opened, args.dry_run, ui),
        FactsVerb::Add(args) => add(&opened, args)?,
        FactsVerb::Update(args) => {
            let before = agent.facts.fact(&args.id)?;
            let outcome = update(agent, args)?;
            told.extend(agent.facts.fact_took_over(&before)?);
            outcome
        }
        FactsVerb::Forget(args) => {
            told.extend(agent.facts.fact_gave_way(&args.id)?);
            agent.facts.fact_forget(&args.id, &owners(false))?
        }
        FactsVerb::Restore(args) => agent.facts.fact_restore(&args.id, &owners(false))?,
        FactsVerb::Purge(args) if agent.facts.unread_fact(&args.id)?.is_some() => {
            if !args.plan.apply {
                let message = format!("Would permanently delete fact {}, which cannot be read.", args.id);
                return purge_plan(args.id.clone(), message, ui);
            }
            agent.facts.fact_purge(&args.id, &owners(false))?
        }
        FactsVerb::Purge(args) => {
            let fact = agent.facts.fact(&args.id)?;
            if !args.plan.apply {
                let text = &fact.text;
                let message = format!("Would permanently delete fact {}: {}", fact.number, text.content);
                return purge_plan(fact.id.to_string(), message, ui);
            }
            told.extend(agent.facts.fact_gave_way(fact.id.as_str())?);
            let said = agent.fact_wordings(fact.id.as_str())?;
            let outcome = agent.facts.fact_purge(fact.id.as_str(), &owners(false))?;
            told.extend(left(&opened, said));
            outcome
        }
    };
    match (&args.verb, &outcome) {
        // A restored fact is not a duplicate of itself.
        (FactsVerb::Restore(args), FactOutcome::Unchanged(fact))
            if !ui.json() && agent.facts.fact(&args.id)?.id == fact.id =>
        {
            let line = line(fact, &agent.core.day_zone());
            ui.line(format!("That fact is active; nothing was written: {}", line.trim_start()));
        }
        _ => tell(&outcome, &told, agent, ui),
    }
    Ok(())
}

/// Shows what `--apply` would delete.
fn purge_plan(id: String, message: String, ui: &mut Ui) -> Result<(), CliError> {
    if ui.json() {
        ui.value(&FactOutcomeV1::Planned { id });
        return Ok(());
    }
    ui.line(message);
    ui.say("hint: Use `--apply` to delete it; this cannot be undone.");
    Ok(())
}

fn add(opened: &OpenAgent, args: &AddArgs) -> Result<FactOutcome, CliError> {
    let agent = &opened.agent;
    let text = args.text.read()?;
    let session = args.session.as_deref().map(SessionId::parse).transpose();
    let session = session.map_err(|error| CliError::new(Code::UsageBad, error.to_string()))?;
    let behalf = on_behalf(&args.who, args.allow_secret, session, opened)?;
    let behalf = WriteContext { reason: args.reason.clone(), ..behalf };
    let start =
        |day: &Option<String>| day.as_deref().map(|day| agent.core.moment(day, DayEdge::Start)).transpose();
    let fact = NewFact {
        text: &text,
        category: args.category.as_deref(),
        metadata: args.metadata.clone(),
        valid: Span { from: start(&args.from)?, to: start(&args.to)? },
        source: None,
    };
    Ok(agent.facts.fact_add(&fact, &behalf)?)
}

fn update(agent: &Agent, args: &UpdateArgs) -> Result<FactOutcome, CliError> {
    let edge = |text: &Option<String>| -> Result<Option<Option<Timestamp>>, CliError> {
        Ok(match text.as_deref() {
            None => None,
            Some("none") => Some(None),
            Some(day) => Some(Some(agent.core.moment(day, DayEdge::Start)?)),
        })
    };
    let edit = FactEdit {
        text: args.text.as_deref(),
        category: args.category.as_deref(),
        metadata: args.metadata.clone().map(|json| Some(json).filter(|json| json != "none")),
        from: edge(&args.from)?,
        to: edge(&args.to)?,
    };
    Ok(agent.facts.fact_update(&args.id, &edit, &owners(args.allow_secret))?)
}

fn when(agent: &Agent, args: &WhenArgs) -> Result<When, CliError> {
    let at =
        |text: &Option<String>, edge| text.as_deref().map(|text| agent.core.moment(text, edge)).transpose();
    Ok(When { as_of: at(&args.as_of, DayEdge::End)?, believed_at: at(&args.believed_at, DayEdge::End)? })
}

fn list(agent: &Agent, args: &ListArgs, ui: &mut Ui) -> Result<(), CliError> {
    let limit = args.limit.map_or(LIST_DEFAULT, usize::from).min(FACTS_MAX);
    let filter = FactFilter {
        category: args.category.clone(),
        when: when(agent, &args.when)?,
        forgotten: args.forgotten,
        retired: args.include_retired,
        // One more shows whether there are more.
        limit: limit + 1,
    };
    // As `search` shows notes: what nobody vouched for is masked. `read` shows what stands, as `get` does.
    let (mut facts, mut masked) = agent.facts.facts_masked(&Scope::Main, &filter)?;
    let at = filter.when.as_of.unwrap_or_else(|| SystemClock.now());
    if facts.len() > limit && filter.when.as_of.is_none() && !args.forgotten {
        // What changed last may have ended: those that hold now take the places.
        let now = FactFilter { when: When { as_of: Some(at), ..filter.when }, ..filter.clone() };
        let (mut current, notices) = agent.facts.facts_masked(&Scope::Main, &now)?;
        current.retain(|fact| args.include_retired || fact.retirement.is_none());
        facts.retain(|fact| current.iter().all(|other| other.id != fact.id));
        facts.splice(0..0, current);
        masked.extend(notices);
        masked.dedup_by(|one, other| one.message == other.message);
    }
    if !args.forgotten {
        facts.sort_by_key(|fact| !fact.known_span().holds(at));
    }
    let more = facts.len() > limit;
    facts.truncate(limit);
    if ui.json() {
        let notices = masked.iter().map(NoticeV1::from).collect();
        ui.value(&FactsV1 { more, notices, ..FactsV1::from(facts.as_slice()) });
        return Ok(());
    }
    masked.iter().for_each(|notice| ui.notice(notice));
    facts.iter().for_each(|fact| ui.line(line_at(at, fact, &agent.core.day_zone())));
    if facts.is_empty() {
        ui.say(match (args.forgotten, filter.category.is_some() || filter.when != When::default()) {
            (true, _) => "No forgotten facts.",
            (false, true) => "No facts of that category and time. `inwit facts list` shows the others.",
            (false, false) => "No facts.",
        });
    }
    if more {
        ui.say(match limit {
            FACTS_MAX => format!(
                "note: There are more than {limit} facts, the maximum of one list; narrow it with --category or --as-of."
            ),
            _ => format!("note: There are more than {limit} facts; --limit shows more."),
        });
    }
    Ok(())
}

fn search(agent: &Agent, args: &SearchArgs, ui: &mut Ui) -> Result<(), CliError> {
    let limit = args.limit.map_or(SEARCH_DEFAULT, usize::from);
    let query = args.query.join(" ");
    if !query.chars().any(char::is_alphanumeric) {
        return Err(CliError::new(Code::UsageBad, "The query has no word in it."));
    }
    let when = when(agent, &args.when)?;
    let mut answer = agent.facts.search_facts_masked(&Scope::Main, &query, &when, limit)?;
    if args.include_retired {
        let (retired, masked) = agent.facts.search_retired_masked(&Scope::Main, &query)?;
        answer.facts.extend(retired);
        answer.unused.extend(masked);
    }
    if ui.json() {
        ui.value(&FactsV1::from(&answer));
        return Ok(());
    }
    answer.notices().iter().for_each(|notice| ui.notice(notice));
    let at = when.as_of.unwrap_or_else(|| SystemClock.now());
    answer.facts.iter().for_each(|fact| ui.line(line_at(at, fact, &agent.core.day_zone())));
    if answer.facts.is_empty() {
        ui.say("No fact matches.");
    }
    if answer.more {
        ui.say(format!("note: More than {limit} facts match; --limit shows more."));
    }
    Ok(())
}

fn read(agent: &Agent, args: &ReadArgs, ui: &mut Ui) -> Result<(), CliError> {
    let fact = agent.facts.fact(&args.fact.id)?;
    let before = if args.history { agent.facts.fact_versions(fact.id.as_str())? } else { Vec::new() };
    let unread = if args.history { agent.facts.unread_notice(&Scope::Main)? } else { None };
    if ui.json() {
        match args.history {
            true => ui.value(&FactHistoryV1 {
                fact: FactV1::from(&fact),
                before: before.iter().map(FactV1::from).collect(),
                notices: unread.iter().map(NoticeV1::from).collect(),
            }),
            false => ui.value(&FactV1::from(&fact)),
        }
        return Ok(());
    }
    ui.line(format!("fact      {} (number {})", fact.id, fact.number));
    ui.line(format!("says      [{}] {}", fact.text.category, fact.text.content));
    ui.line(format!("source    {}, {}", fact.source, fact.status));
    let zone = agent.core.day_zone();
    if let Some(span) = time::span(fact.text.valid, &zone) {
        ui.line(format!("valid     {span}"));
    }
    if let Some(since) = fact.held_from.filter(|_| fact.text.valid.from.is_none()) {
        ui.line(format!("valid     since {}, when it replaced another fact", time::day(since, &zone)));
    }
    // A row that another program marked as forgotten lacks the time.
    ui.line(match fact.believed_to.or(fact.forgotten) {
        None => format!("believed  since {}", time::minute(fact.believed_from)),
        Some(until) => format!("believed  {} to {}", time::minute(fact.believed_from), time::minute(until)),
    });
    ui.line(format!("written   {}, last changed {}", time::minute(fact.created), time::minute(fact.updated)));
    if let Some(metadata) = &fact.text.metadata {
        ui.line(format!("metadata  {metadata}"));
    }
    if let Some(at) = fact.forgotten {
        let back = agent.facts.restorable_until(&fact).map_or_else(
            || "it can no longer be restored, and is deleted at the next write.".to_owned(),
            |last| format!("the last day to restore it is {}.", time::day(last, &zone)),
        );
        ui.line(format!("forgotten {}; {back}", time::minute(at)));
    }
    if let Some(Retirement { at, by, held_to }) = &fact.retirement {
        let by = by.as_ref().map_or_else(|| "a deleted fact".to_owned(), ToString::to_string);
        let held =
            held_to.map_or_else(String::new, |at| format!("; it was true until {}", time::day(at, &zone)));
        ui.line(format!("retired   {}, replaced by {by}{held}", time::minute(*at)));
    }
    for fact in &before {
        let until = fact.believed_to.map_or_else(|| "…".to_owned(), time::minute);
        let (since, text) = (time::minute(fact.believed_from), &fact.text);
        let held = time::span(text.valid, &zone).map_or_else(String::new, |span| format!("; held {span}"));
        ui.line(format!(
            "before    {since} to {until}  [{}] {} ({}){held}",
            text.category, text.content, fact.source
        ));
    }
    unread.iter().for_each(|notice| ui.notice(notice));
    Ok(())
}

/// The places in which the words of a fact that is gone still stand, and what could not be looked at.
fn left(opened: &OpenAgent, mut said: Vec<String>) -> Vec<Notice> {
    // A short statement is not searched anywhere.
    said.retain(|text| !Matcher::is_too_short(text));
    let Ok(wording) = Matcher::of(said) else { return Vec::new() };
    let planned =
        opened.agent.plan_forgetting(&ErasureRequest::of(wording.clone(), false)).map_err(CliError::from);
    let (mut left, mut unseen) = (Vec::new(), Vec::new());
    let beside =
        Sought::of(&wording, &[]).and_then(|sought| home::plan(opened, &sought)).map_err(CliError::from);
    for planned in [planned, beside] {
        match planned {
            Ok(plan) => left.extend(plan),
            Err(error) => unseen.push(error.message),
        }
    }
    let unread = left.iter().filter(|stand| home::is_unreadable(stand));
    unseen.extend(unread.map(|stand| format!("{}: {} cannot be read.", stand.kind, stand.name)));
    // Dropped or precautionarily scanned places have no findable occurrence.
    left.retain(|stand| stand.count > 0 && stand.fate != Fate::Rebuilt);
    let mut told = Vec::new();
    if !left.is_empty() {
        let places: Vec<String> =
            left.iter().map(|stand| format!("{}: {}", stand.kind, stand.name)).collect();
        let message = format!("The text of the fact is still in {}.", places.join("; "));
        let hint = "`inwit forget --everywhere TEXT` erases text from every place.";
        told.push(Notice::new("words_stand", message, hint));
    }
    if !opened.agent.empty_log().unwrap_or(false) {
        let message =
            "Another process is reading memory.db, so its write-ahead log contains the text until then.";
        let hint = "End that process, or wait for it; the next inwit process that exits empties the log.";
        told.push(Notice::new("log_holds_words", message.to_owned(), hint));
    }
    let hint = "When that is repaired, `inwit forget --check TEXT` searches everywhere.";
    let notice = |why| {
        let message =
            format!("The fact was deleted, but not every place could be searched for its text: {why}");
        Notice::new("words_unsought", message, hint)
    };
    unseen.into_iter().map(notice).chain(told).collect()
}

/// A fact on one line, its number first, with when it holds as far as that is known; days are the agent's.
pub fn line(fact: &Fact, zone: &TimeZone) -> String {
    line_at(SystemClock.now(), fact, zone)
}

/// The same as it was at `now`.
fn line_at(now: Timestamp, fact: &Fact, zone: &TimeZone) -> String {
    let held = time::span_at(now, fact.known_span(), zone);
    let held = held.map_or_else(String::new, |held| format!("  ({held})"));
    let (updated, text) = (time::day(fact.updated, zone), &fact.text);
    let retired = if fact.retirement.is_some() { "  (retired)" } else { "" };
    format!("{:>5}  {updated}  [{}] {}{held}{retired}", fact.number, text.category, text.content)
}

/// Prints the result of a change, with notices.
pub fn tell(outcome: &FactOutcome, told: &[Notice], agent: &Agent, ui: &mut Ui) {
    let zone = &agent.core.day_zone();
    if ui.json() {
        return ui.value(&FactOutcomeV1::noting(outcome, told));
    }
    match outcome {
        FactOutcome::Written { fact, findings } => {
            let done = if fact.forgotten.is_some() { "Forgotten" } else { "Saved" };
            ui.line(format!("{done}: {}", line(fact, zone).trim_start()));
            if let Some(until) = agent.facts.restorable_until(fact) {
                let (number, until) = (fact.number, time::day(until, zone));
                ui.say(format!("hint: `inwit facts restore {number}` restores it until {until}."));
            }
            noticed(findings, ui);
        }
        FactOutcome::Unchanged(fact) => {
            ui.line(format!(
                "A fact already says this; nothing was written: {}",
                line(fact, zone).trim_start()
            ));
        }
        FactOutcome::Purged(id) => ui.line(format!("Deleted {id} from memory.db.")),
        FactOutcome::Profile { changed: true, findings } => {
            ui.line("Profile updated.");
            noticed(findings, ui);
        }
        FactOutcome::Profile { changed: false, .. } => {
            ui.line("The profile is unchanged; nothing was written.")
        }
        FactOutcome::Pending { id, why, findings, notices } => {
            ui.line(format!("Proposed {id}: a change to facts; {}.", because(*why)));
            noticed(findings, ui);
            let short = short(id.as_str());
            ui.say(format!("hint: `inwit inbox show {short}` shows it and how to approve it."));
            notices.iter().for_each(|notice| ui.notice(notice));
        }
    }
    told.iter().for_each(|notice| ui.notice(notice));
}

/// Findings that did not prevent it.
pub fn noticed(findings: &[Finding], ui: &mut Ui) {
    for finding in findings {
        ui.say(format!("note: The gate flagged it: {} ({}).", finding.check.word(), finding.class));
    }
}
