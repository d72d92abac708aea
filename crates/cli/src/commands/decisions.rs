//! `inwit learn decisions`: decisions, their methods and outcomes.

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Subcommand};
use inwit_engine::Agent;
use inwit_engine::learning::outcome::{DECISIONS_MAX, Decided, DecisionFilter, Learnt, NewDecision};
use inwit_model::learning::{OutcomeClass, OutcomeText};
use inwit_model::time;
use inwit_model::{Code, Scope};
use inwit_wire::{DecisionV1, DecisionsV1, LearntV1, NoticeV1};
use jiff::tz::TimeZone;

use super::facts::noticed;
use crate::compose;
use crate::error::CliError;
use crate::person::owners;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Default length of a list.
const LIST_DEFAULT: usize = 50;

/// Record decisions and their outcomes
///
/// A decision is based on methods: those that --method names, otherwise those that private prompts show now. Its outcome
/// counts once for each of them, and --pnl is split by their weights. The same outcome is never counted twice, so a
/// script may report it repeatedly.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit learn decisions record \"Bake on Friday.\" --method 1 --method 2=0.5\n\
\x20 inwit learn decisions close 1 --correct --lesson \"Friday is quieter.\"\n\
\x20 inwit learn decisions list --open")]
pub struct DecisionsArgs {
    #[command(subcommand)]
    pub verb: DecisionsVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum DecisionsVerb {
    /// Record a decision
    Record(RecordArgs),
    /// Record the outcome of a decision; it counts once and is final
    Close(CloseArgs),
    /// List decisions, newest first
    List(ListArgs),
}

#[derive(Debug, Args)]
pub struct RecordArgs {
    /// What was decided, in one sentence
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub text: String,
    /// Method that the decision is based on: its number or id, optionally with a weight, as in 2=0.5 [default weight:
    /// 1]; may be repeated
    #[arg(long = "method", value_name = "METHOD[=WEIGHT]", conflicts_with = "no_method")]
    pub methods: Vec<String>,
    /// Base the decision on no method
    #[arg(long)]
    pub no_method: bool,
    /// Role in which it was made; see `inwit learn roles list` [default: main]
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Subject of the decision, such as BTC
    #[arg(long, value_name = "NAME")]
    pub asset: Option<String>,
    /// Store the text even if it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("ended").required(true).args(["correct", "incorrect"]))]
pub struct CloseArgs {
    /// Number or id of the decision
    #[arg(value_name = "DECISION")]
    pub id: String,
    /// Record that it was right
    #[arg(long)]
    pub correct: bool,
    /// Record that it was wrong
    #[arg(long)]
    pub incorrect: bool,
    /// Profit after fees; negative for a loss
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub pnl: Option<f64>,
    /// What caused the outcome
    #[arg(long, value_name = "CLASS", value_parser = PossibleValuesParser::new(OutcomeClass::WORDS))]
    pub class: Option<String>,
    /// What to learn from it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub lesson: Option<String>,
    /// Id of the outcome in its source system, such as the id of a fill; each id counts once [default: the decision's
    /// id]
    #[arg(long, value_name = "NAME")]
    pub outcome: Option<String>,
    /// Store the text even if it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only decisions without an outcome
    #[arg(long, conflicts_with = "closed")]
    pub open: bool,
    /// Only decisions with an outcome
    #[arg(long)]
    pub closed: bool,
    /// Maximum number of decisions, up to 1000 [default: 50]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, 1000))]
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
        CliError::new(Code::UsageBad, format!("cannot parse `{shown}` as METHOD=WEIGHT, such as 3=0.5."))
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
        (true, _) => ui.say("No decisions found. `inwit learn decisions record` adds one."),
        (_, true) => {
            ui.say(format!("note: There are more than {limit} decisions; `-n` shows up to {DECISIONS_MAX}."))
        }
        _ => {}
    }
    Ok(())
}

fn tell(learnt: &Learnt<Decided>, zone: &TimeZone, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&LearntV1::new(learnt, |decided| DecisionV1::from(decided)));
    }
    let word = if learnt.is_new { "Saved" } else { "Already recorded; nothing was counted" };
    ui.line(format!("{word}: {}", line(&learnt.what, zone)));
    noticed(&learnt.findings, ui);
    learnt.notices.iter().for_each(|notice| ui.notice(notice));
    let decided = &learnt.what;
    if learnt.is_new && decided.outcome.is_none() {
        let number = decided.number;
        match decided.text.methods.is_empty() {
            true => ui.say("note: The decision is based on no method, so its outcome counts for none."),
            false => ui
                .say(format!("hint: `inwit learn decisions close {number} --correct` records how it ended.")),
        }
    }
}

/// A decision on one line.
pub fn line(decided: &Decided, zone: &TimeZone) -> String {
    let day = |at| time::day(at, zone);
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
