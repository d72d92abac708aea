//! `inwit learn methods`: methods and their track records.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use inwit_engine::learning::outcome::{Learnt, Method, MethodFilter};
use inwit_gate::MethodStep;
use inwit_model::Scope;
use inwit_model::learning::{METHOD_CLASS_CHARS_MAX, MethodClass, MethodKind, MethodState, MethodText};
use inwit_wire::{DecisionV1, LearntV1, MethodShownV1, MethodV1, MethodsV1, NoticeV1};

use super::decisions;
use super::facts::noticed;
use crate::compose;
use crate::error::CliError;
use crate::person::owners;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Decisions shown by `show`.
const DECISIONS_SHOWN: usize = 20;

/// Keep methods and score them by their outcomes
///
/// A method is a rule, a checklist, an indicator or a playbook. It starts on trial and is in no prompt. Decisions name
/// the methods that they are based on, and the outcome of each decision counts for its methods. When the lower Wilson
/// bound of a method's record reaches 0.55 over at least 10 outcomes, you may graduate it; then private prompts show
/// it. Below 0.40 over at least 20 outcomes it returns to trial automatically. Facts and methods never change each
/// other.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit learn methods add \"Feed the starter twice before baking.\" --kind rule\n\
\x20 inwit learn methods list\n\
\x20 inwit learn methods show 1\n\
\x20 inwit learn methods graduate 1")]
pub struct MethodsArgs {
    #[command(subcommand)]
    pub verb: MethodsVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum MethodsVerb {
    /// Add a method, on trial
    Add(AddArgs),
    /// List methods, highest confidence first
    List(ListArgs),
    /// Show a method, its record and the decisions based on it
    Show(IdArgs),
    /// Graduate a method, so that private prompts show it
    Graduate(IdArgs),
    /// Put a method back on trial
    Quarantine(IdArgs),
    /// Archive a method; `restore` undoes this
    Archive(IdArgs),
    /// Restore an archived method, on trial
    Restore(IdArgs),
}

#[derive(Debug, Args)]
pub struct AddArgs {
    /// Method, in one or two sentences
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub text: String,
    /// Subject of the method in lower-case words, such as `baking`
    #[arg(long, value_name = "CLASS", default_value = MethodClass::DEFAULT, value_parser = class)]
    pub class: MethodClass,
    /// Form of the method
    #[arg(long, value_name = "KIND", default_value = "rule", value_parser = PossibleValuesParser::new(MethodKind::WORDS))]
    pub kind: String,
    /// Store the text even if it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// List archived methods too
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub struct IdArgs {
    /// Number or id of the method
    #[arg(value_name = "METHOD")]
    pub id: String,
}

pub fn run(args: &MethodsArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    let step = |id: &IdArgs, step| agent.learning.method_step(&id.id, step, &owners(false));
    let learnt = match &args.verb {
        MethodsVerb::List(args) => return list(agent, args, ui),
        MethodsVerb::Show(args) => return show(agent, args, ui),
        MethodsVerb::Add(args) => add(agent, args)?,
        MethodsVerb::Graduate(id) => step(id, MethodStep::Graduate)?,
        MethodsVerb::Quarantine(id) => step(id, MethodStep::Quarantine)?,
        MethodsVerb::Archive(id) => step(id, MethodStep::Archive)?,
        MethodsVerb::Restore(id) => step(id, MethodStep::Restore)?,
    };
    tell(&learnt, ui);
    Ok(())
}

fn class(text: &str) -> Result<MethodClass, String> {
    MethodClass::parse(text).ok_or_else(|| {
        format!("use lower-case words of at most {METHOD_CLASS_CHARS_MAX} characters, such as `baking`")
    })
}

fn add(agent: &inwit_engine::Agent, args: &AddArgs) -> Result<Learnt<Method>, CliError> {
    let text = MethodText {
        class: args.class.clone(),
        kind: MethodKind::parse(&args.kind).unwrap_or(MethodKind::Rule),
        body: args.text.clone(),
    };
    Ok(agent.learning.method_add(&text, &owners(args.allow_secret))?)
}

fn list(agent: &inwit_engine::Agent, args: &ListArgs, ui: &mut Ui) -> Result<(), CliError> {
    let filter = if args.all { MethodFilter::All } else { MethodFilter::Kept };
    let methods = agent.learning.methods(&Scope::Main, filter)?;
    let notices: Vec<_> = agent.learning.learning_unread()?.into_iter().collect();
    if ui.json() {
        let notices = notices.iter().map(NoticeV1::from).collect();
        ui.value(&MethodsV1 { methods: methods.iter().map(MethodV1::from).collect(), notices });
        return Ok(());
    }
    notices.iter().for_each(|notice| ui.notice(notice));
    methods.iter().for_each(|method| ui.line(line(method)));
    if methods.is_empty() {
        ui.say("No methods yet. Add one: `inwit learn methods add \"run the tests before a release\"`.");
    }
    Ok(())
}

fn show(agent: &inwit_engine::Agent, args: &IdArgs, ui: &mut Ui) -> Result<(), CliError> {
    let method = agent.learning.method(&args.id)?;
    let mut decided = agent.learning.decisions_on(&method.id, DECISIONS_SHOWN + 1)?;
    let more = decided.len() > DECISIONS_SHOWN;
    decided.truncate(DECISIONS_SHOWN);
    if ui.json() {
        let decisions = decided.iter().map(DecisionV1::from).collect();
        ui.value(&MethodShownV1 { method: MethodV1::from(&method), decisions, more });
        return Ok(());
    }
    ui.line(line(&method));
    if method.unforeseen > 0 {
        ui.line(format!("  {} of these outcomes were unforeseeable.", method.unforeseen));
    }
    if method.pnl != 0.0 {
        ui.line(format!("  Its share of profit and loss: {:+.2}.", method.pnl));
    }
    let zone = agent.core.day_zone();
    decided.iter().for_each(|decided| ui.line(format!("  {}", decisions::line(decided, &zone))));
    if more {
        ui.say("More decisions are based on it; `inwit learn decisions list` shows them.");
    }
    Ok(())
}

fn tell(learnt: &Learnt<Method>, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&LearntV1::new(learnt, |method| MethodV1::from(method)));
    }
    let word = if learnt.is_new { "Saved" } else { "No change; nothing was written" };
    ui.line(format!("{word}: {}", line(&learnt.what)));
    noticed(&learnt.findings, ui);
    learnt.notices.iter().for_each(|notice| ui.notice(notice));
    let method = &learnt.what;
    if learnt.is_new && method.state == MethodState::Quarantined && method.record.uses == 0 {
        let number = method.number;
        ui.say(format!(
            "hint: `inwit learn decisions record \"...\" --method {number}` bases a decision on it."
        ));
    }
}

/// A method on one line.
pub fn line(method: &Method) -> String {
    let (text, record) = (&method.text, method.record);
    format!(
        "{} [{}/{}] {}  ({}; right {} of {}, at least {:.2})",
        method.number,
        text.class,
        text.kind,
        text.body,
        method.state,
        record.correct,
        record.uses,
        record.confidence()
    )
}
