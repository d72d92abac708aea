//! `inwit learn decisions`: what was decided, on which methods it rests, and how it ended.

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Subcommand};
use inwit_engine::Agent;
use inwit_engine::learning::outcome::{DECISIONS_MAX, Decided, DecisionFilter, Learnt, NewDecision};
use inwit_model::learning::{OutcomeClass, OutcomeText};
use inwit_model::{Code, Scope};
use inwit_wire::{DecisionV1, DecisionsV1, LearntV1, NoticeV1};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::facts::noticed;
use crate::compose;
use crate::error::CliError;
use crate::person::owners;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Decisions of a list when nothing else is said.
const LIST_DEFAULT: usize = 50;

/// Record decisions and their outcomes
///
/// A decision rests on methods: those that --method names, or else those that private prompts show now. How it ended
/// counts once for each of them, and --pnl is split by their weights. The same outcome is never counted twice, so a
/// script may tell it as often as it likes.
#[derive(Debug, Args)]
pub struct DecisionsArgs {
    #[command(subcommand)]
    pub verb: DecisionsVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum DecisionsVerb {
    /// Write a decision down
    Record(RecordArgs),
    /// Say how a decision ended; that is counted once, and final
    Close(CloseArgs),
    /// Show decisions, the last one first
    List(ListArgs),
}

#[derive(Debug, Args)]
pub struct RecordArgs {
    /// What was decided, in one sentence
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub text: String,
    /// A method that it rests on: its number or its id, and its weight behind `=` where it is not 1; may be repeated
    #[arg(long = "method", value_name = "METHOD[=WEIGHT]", conflicts_with = "no_method")]
    pub methods: Vec<String>,
    /// It rests on no method
    #[arg(long)]
    pub no_method: bool,
    /// The role in which it was made, as `inwit learn roles list` names it [default: main]
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// What it is about, such as BTC
    #[arg(long, value_name = "NAME")]
    pub asset: Option<String>,
    /// Keep it though it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("ended").required(true).args(["correct", "incorrect"]))]
pub struct CloseArgs {
    /// The decision: its number or its id
    #[arg(value_name = "DECISION")]
    pub id: String,
    /// It was right
    #[arg(long)]
    pub correct: bool,
    /// It was not
    #[arg(long)]
    pub incorrect: bool,
    /// What it won, or lost with a minus, after fees
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub pnl: Option<f64>,
    /// What made it so
    #[arg(long, value_name = "CLASS", value_parser = PossibleValuesParser::new(OutcomeClass::WORDS))]
    pub class: Option<String>,
    /// What is to be learnt
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub lesson: Option<String>,
    /// What the outcome is called where it comes from, such as the id of a fill; it counts once [default: the decision's id]
    #[arg(long, value_name = "NAME")]
    pub outcome: Option<String>,
    /// Keep it though it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only those that wait for their outcome
    #[arg(long, conflicts_with = "closed")]
    pub open: bool,
    /// Only those that ended
    #[arg(long)]
    pub closed: bool,
    /// Most decisions, up to 1000 [default: 50]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: Option<u16>,
}

pub fn run(args: &DecisionsArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    let learnt = match &args.verb {
        DecisionsVerb::List(args) => return list(agent, args, ui),
        DecisionsVerb::Record(args) => record(agent, args)?,
        DecisionsVerb::Close(args) => close(agent, args)?,
    };
    tell(&learnt, &agent.core.day_zone(), ui);
    Ok(())
}

fn record(agent: &Agent, args: &RecordArgs) -> Result<Learnt<Decided>, CliError> {
    let named = args.methods.iter().map(|text| weighed(text)).collect::<Result<Vec<_>, CliError>>()?;
    let is_said = args.no_method || !named.is_empty();
    let decision = NewDecision {
        statement: &args.text,
        role: args.role.as_deref(),
        asset: args.asset.as_deref(),
        methods: is_said.then_some(named.as_slice()),
    };
    Ok(agent.sessions.decide(&decision, &owners(args.allow_secret))?)
}

/// `3` or `3=0.5`.
fn weighed(text: &str) -> Result<(String, f64), CliError> {
    let Some((method, weight)) = text.split_once('=') else { return Ok((text.to_owned(), 1.0)) };
    let bad = || {
        let shown = inwit_model::name::shown(text);
        CliError::new(Code::UsageBad, format!("`{shown}` is no method and its weight, such as 3=0.5."))
    };
    Ok((method.to_owned(), weight.parse().map_err(|_| bad())?))
}

fn close(agent: &Agent, args: &CloseArgs) -> Result<Learnt<Decided>, CliError> {
    let decided = agent.learning.decision(&args.id)?;
    let outcome = OutcomeText {
        key: args.outcome.clone().unwrap_or_else(|| decided.id.to_string()),
        is_correct: args.correct,
        pnl: args.pnl,
        class: args.class.as_deref().and_then(OutcomeClass::parse),
        lesson: args.lesson.clone(),
    };
    Ok(agent.learning.decision_close(decided.id.as_str(), &outcome, &owners(args.allow_secret))?)
}

fn list(agent: &Agent, args: &ListArgs, ui: &mut Ui) -> Result<(), CliError> {
    let filter = match (args.open, args.closed) {
        (true, _) => DecisionFilter::Open,
        (_, true) => DecisionFilter::Closed,
        _ => DecisionFilter::All,
    };
    let limit = args.limit.map_or(LIST_DEFAULT, usize::from).min(DECISIONS_MAX);
    let mut decided = agent.learning.decisions(&Scope::Main, filter, limit + 1)?;
    let is_more = decided.len() > limit;
    decided.truncate(limit);
    let notices: Vec<_> = agent.learning.learning_unread()?.into_iter().collect();
    if ui.json() {
        let decisions = decided.iter().map(DecisionV1::from).collect();
        let notices = notices.iter().map(NoticeV1::from).collect();
        ui.value(&DecisionsV1 { decisions, more: is_more, notices });
        return Ok(());
    }
    notices.iter().for_each(|notice| ui.notice(notice));
    let zone = agent.core.day_zone();
    decided.iter().for_each(|decided| ui.line(line(decided, &zone)));
    match (decided.is_empty(), is_more) {
        (true, _) => ui.say("There is no such decision: `inwit learn decisions record` writes one down."),
        (_, true) => ui.say(format!("There are more than these {limit}: `-n` shows up to {DECISIONS_MAX}.")),
        _ => {}
    }
    Ok(())
}

fn tell(learnt: &Learnt<Decided>, zone: &TimeZone, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&LearntV1::new(learnt, |decided| DecisionV1::from(decided)));
    }
    let word = if learnt.is_new { "Kept" } else { "That was told before; nothing was counted" };
    ui.line(format!("{word}: {}", line(&learnt.what, zone)));
    noticed(&learnt.findings, ui);
    learnt.notices.iter().for_each(|notice| ui.notice(notice));
    let decided = &learnt.what;
    if learnt.is_new && decided.outcome.is_none() {
        let number = decided.number;
        match decided.text.methods.is_empty() {
            true => ui.say("note: it rests on no method, so its outcome will count for none."),
            false => {
                ui.say(format!("hint: `inwit learn decisions close {number} --correct` says how it ended."))
            }
        }
    }
}

/// A decision on one line.
pub fn line(decided: &Decided, zone: &TimeZone) -> String {
    let day = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string();
    let asset = decided.text.asset.as_deref().map_or_else(String::new, |asset| format!(" {asset}:"));
    let ended = match (&decided.outcome, decided.due) {
        (None, None) => "open".to_owned(),
        (None, Some(due)) => format!("open, due {}", day(due)),
        (Some((outcome, _)), _) => {
            let word = if outcome.is_correct { "right" } else { "wrong" };
            let class = outcome.class.map_or_else(String::new, |class| format!(", {class}"));
            let pnl = outcome.pnl.map_or_else(String::new, |pnl| format!(", {pnl:+}"));
            let lesson = outcome.lesson.as_deref().map_or_else(String::new, |lesson| format!(": {lesson}"));
            format!("{word}{class}{pnl}{lesson}")
        }
    };
    let (number, made, role) = (decided.number, day(decided.made), &decided.text.role);
    format!("{number} {made} [{role}]{asset} {}  ({ended})", decided.text.statement)
}
