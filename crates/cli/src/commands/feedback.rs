//! `inwit learn feedback`: rates search results as useful or useless.

use clap::{ArgGroup, Args, Subcommand};
use inwit_engine::learning::feedback::{FeedbackAsk, Rated};
use inwit_engine::{Counted, Rater};
use inwit_model::Code;
use inwit_model::plural::counted;
use inwit_wire::{FeedbackForgottenV1, FeedbackV1, RatedV1};

use crate::args::ScopeArgs;
use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Rate results of a search as useful or not
///
/// Give a result as search prints it (path#L3-L5), or by its number in the last search. Your ratings change the score of
/// the passage a little, in this scope only; `search --explain` shows by how much. Ratings of an agent (--as agent) are
/// stored separately and change no score. A passage that was useful often enough (Wilson bound 0.55 over 10 outcomes) is
/// promoted by the next `inwit dream`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit learn feedback --useful 1 3\n\
\x20 inwit learn feedback --useless \"MEMORY.md#L3-L5\"\n\
\x20 inwit learn feedback list\n\
\x20 inwit learn feedback forget 1")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(group = ArgGroup::new("word").required(true).args(["useful", "useless"]))]
pub struct FeedbackArgs {
    #[command(subcommand)]
    pub verb: Option<FeedbackVerb>,
    /// Results: path#L3-L5, or their numbers in the last search
    #[arg(value_name = "HIT", required = true)]
    pub hits: Vec<String>,
    /// Rate them as useful
    #[arg(long)]
    pub useful: bool,
    /// Rate them as not useful
    #[arg(long)]
    pub useless: bool,
    /// Who rates them
    #[arg(long = "as", value_name = "WHO", default_value = "owner", value_parser = ["owner", "agent"])]
    pub who: String,
    /// Name of the outcome, such as "s1 turn 3". Each outcome counts once, an agent's rating once a day [default:
    /// the last search, otherwise the day]
    #[arg(long, value_name = "NAME")]
    pub outcome: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
}

impl FeedbackArgs {
    /// The owner's rating of `hits`.
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
    /// List all ratings, of all scopes unless one is given
    List(ListArgs),
    /// Delete ratings of passages
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
    /// Passages: path#L3-L5, their numbers in the last search, or a path for the whole file, even if it no longer exists
    #[arg(value_name = "HIT")]
    pub hits: Vec<String>,
    /// Delete all ratings of one scope: the private one, unless another is given
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
            let is_numbered = args.hits.iter().any(|hit| hit.trim().parse::<usize>().is_ok());
            let rated = agent.learning.give_feedback(&ask).map_err(|error| {
                let error = CliError::from(error);
                match error.code {
                    Code::FileMissing if is_numbered => {
                        error.hint("Search again, and use a number of that search.")
                    }
                    _ => error,
                }
            })?;
            tell(&rated, ui);
        }
        Some(FeedbackVerb::List(list)) => {
            let is_said = list.scope.scope.is_some() || list.scope.room.is_some();
            let scope = is_said.then(|| list.scope.parse()).transpose()?;
            let rated = agent.learning.feedback(scope.as_ref())?;
            if rated.is_empty() && !ui.json() {
                ui.say("No feedback yet.");
                return Ok(());
            }
            tell(&rated, ui);
        }
        Some(FeedbackVerb::Forget(forget)) => {
            let forgotten = agent.learning.forget_feedback(&forget.scope.parse()?, &forget.hits)?;
            if ui.json() {
                ui.value(&FeedbackForgottenV1 { forgotten });
            } else {
                ui.say(format!("Deleted {}.", counted(forgotten, "rating")));
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
            Some(Counted::Again) => "  (already rated for this outcome; counted once)",
            Some(Counted::Changed) => "  (replaces the earlier rating for this outcome)",
            Some(Counted::New) | None => "",
        };
        let gone = if rated.lines.is_none() { "  (no longer in the file)" } else { "" };
        ui.line(format!("{}  {}{counted}{gone}", told.citation, told.scope));
        rated.text.lines().take(1).for_each(|line| ui.line(format!("    {line}")));
        ui.line(format!("    {}", tally_line(&told.feedback)));
    }
}

/// The ratings of a passage as printed.
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
