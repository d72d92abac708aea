//! `inwit learn feedback`: which results were useful, and which were not.

use clap::{ArgGroup, Args, Subcommand};
use inwit_engine::learning::feedback::{FeedbackAsk, Rated};
use inwit_engine::{Counted, Rater};
use inwit_wire::{FeedbackForgottenV1, FeedbackV1, RatedV1};

use crate::args::ScopeArgs;
use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Rate results of a search as useful or not
///
/// A result is named as search prints it (path#L3-L5), or by its number in the last answer, from 1. The owner's words
/// move the passage's score a little in this scope and no other (`search --explain` shows how far); those of an agent
/// (--as agent) are kept apart and move none. A passage that was useful often enough (Wilson bound 0.55 over 10
/// outcomes) is promoted by the next dream.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(group = ArgGroup::new("word").required(true).args(["useful", "useless"]))]
pub struct FeedbackArgs {
    #[command(subcommand)]
    pub verb: Option<FeedbackVerb>,
    /// Results: path#L3-L5, or their numbers in the last answer
    #[arg(value_name = "HIT", required = true)]
    pub hits: Vec<String>,
    /// They were useful
    #[arg(long)]
    pub useful: bool,
    /// They were not
    #[arg(long)]
    pub useless: bool,
    /// Who says so
    #[arg(long = "as", value_name = "WHO", default_value = "owner", value_parser = ["owner", "agent"])]
    pub who: String,
    /// What came of it, such as a session and its turn; the same one counts once, an agent's words once a day [default: the last search, else the day]
    #[arg(long, value_name = "NAME")]
    pub outcome: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
}

impl FeedbackArgs {
    /// What the owner says of `hits`.
    pub fn of_owner(hits: &[String], is_useful: bool, scope: ScopeArgs) -> Self {
        Self {
            verb: None,
            hits: hits.to_vec(),
            useful: is_useful,
            useless: !is_useful,
            who: "owner".to_owned(),
            outcome: None,
            scope,
        }
    }
}

/// What can be done besides.
#[derive(Debug, Subcommand)]
pub enum FeedbackVerb {
    /// Show everything that was said, of all scopes unless one is named
    List(ListArgs),
    /// Forget what was said of passages
    Forget(ForgetArgs),
}

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true).args(["hits", "all"]))]
pub struct ForgetArgs {
    /// Passages: path#L3-L5, their numbers in the last answer, or a path for all of its file, there or not
    #[arg(value_name = "HIT")]
    pub hits: Vec<String>,
    /// Everything said in one scope: the private one, unless another is named
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub scope: ScopeArgs,
}

pub fn run(args: &FeedbackArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    match &args.verb {
        None => {
            let ask = FeedbackAsk {
                scope: &args.scope.parse()?,
                hits: &args.hits,
                useful: args.useful,
                rater: if args.who == "agent" { Rater::Tool } else { Rater::Owner },
                outcome: args.outcome.as_deref(),
            };
            tell(&agent.learning.give_feedback(&ask)?, ui);
        }
        Some(FeedbackVerb::List(list)) => {
            let is_said = list.scope.scope.is_some() || list.scope.room.is_some();
            let scope = is_said.then(|| list.scope.parse()).transpose()?;
            let rated = agent.learning.feedback(scope.as_ref())?;
            if rated.is_empty() && !ui.json() {
                ui.say("Nothing was said of any passage.");
                return Ok(());
            }
            tell(&rated, ui);
        }
        Some(FeedbackVerb::Forget(forget)) => {
            let forgotten = agent.learning.forget_feedback(&forget.scope.parse()?, &forget.hits)?;
            if ui.json() {
                ui.value(&FeedbackForgottenV1 { forgotten });
            } else {
                ui.say(format!("Forgot {forgotten} rating(s)."));
            }
        }
    }
    Ok(())
}

fn tell(rated: &[Rated], ui: &mut Ui) {
    if ui.json() {
        return ui.value(&FeedbackV1::new(rated));
    }
    for rated in rated {
        let told = RatedV1::from(rated);
        let counted = match rated.counted {
            Some(Counted::Again) => "  (said before of the same outcome: counted once)",
            Some(Counted::Changed) => "  (in the place of what was said of this outcome)",
            Some(Counted::New) | None => "",
        };
        let gone = if rated.lines.is_none() { "  (it stands there no more)" } else { "" };
        ui.line(format!("{}  {}{counted}{gone}", told.citation, told.scope));
        rated.text.lines().take(1).for_each(|line| ui.line(format!("    {line}")));
        ui.line(format!("    {}", tally_line(&told.feedback)));
    }
}

/// What was said of a passage, as it is printed.
pub fn tally_line(tally: &inwit_wire::TallyV1) -> String {
    let votes = |name: &str, votes: &inwit_wire::VotesV1| {
        format!("{name} {} of {} useful (bound {:.2})", votes.useful, votes.all, votes.bound)
    };
    let mut parts = Vec::new();
    if tally.owner.all > 0 {
        parts.push(votes("owner:", &tally.owner));
    }
    if tally.tools.all > 0 {
        parts.push(votes("agents:", &tally.tools));
    }
    match tally.graduate {
        Some("owner") => parts.push("graduate: the next dream promotes it".to_owned()),
        Some(_) => parts.push("graduate by agents: the next dream proposes it".to_owned()),
        None => {}
    }
    format!("feedback {}", parts.join("; "))
}
