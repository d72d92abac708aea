//! What `inwit facts` takes.

use clap::{ArgGroup, Args, Subcommand};

use crate::commands::edges::EdgesArgs;
use crate::commands::profile::ProfileArgs;
use crate::words::TextArgs;

/// Add, search, correct and remove single facts
///
/// A fact is one statement with a category, a source, and the time in which it holds. The latest ones stand in
/// private prompts behind the notes, which outrank them; rooms never see them. What a fact said before stays
/// known: --believed-at shows what was believed at a moment, --as-of what held then.
#[derive(Debug, Args)]
pub struct FactsArgs {
    #[command(subcommand)]
    pub verb: FactsVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum FactsVerb {
    /// Keep a fact
    Add(AddArgs),
    /// Show facts, the last changed first
    List(ListArgs),
    /// Search facts: words, "phrases", AND, OR, NOT, category:word, begin*
    Search(SearchArgs),
    /// Show one fact with all that is known of it
    Read(ReadArgs),
    /// Let a fact say something else from now on
    Update(UpdateArgs),
    /// Hide a fact; `restore` brings it back for as many days as `facts.retention_days` says
    Forget(IdArgs),
    /// Bring back a fact that was forgotten or retired
    Restore(IdArgs),
    /// Take a fact away for good, with all it ever said
    Purge(PurgeArgs),
    /// Settle the facts that wait: duplicates and contradictions are retired, as the settings say
    Consolidate(ConsolidateArgs),
    /// Show what was decided of facts, the newest first
    Decisions(DecisionsArgs),
    Edges(EdgesArgs),
    Profile(ProfileArgs),
}

#[derive(Debug, Args)]
pub struct ConsolidateArgs {
    /// Show what would be decided and write nothing; a judge is asked all the same
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct DecisionsArgs {
    /// Most decisions [default: 50]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct ReadArgs {
    #[command(flatten)]
    pub fact: IdArgs,
    /// What it said before, too
    #[arg(long)]
    pub history: bool,
}

#[derive(Debug, Args)]
pub struct AddArgs {
    #[command(flatten)]
    pub text: TextArgs,
    /// Its kind: preference, observation, lesson, reference or a word of your own [default: observation]
    #[arg(long, value_name = "WORD")]
    pub category: Option<String>,
    /// Since when it holds: 2026-11-21, or a moment as 2026-11-21T10:00:00Z
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,
    /// When it stops to hold; that day is not part of it
    #[arg(long, value_name = "DATE")]
    pub to: Option<String>,
    /// What else is known of it, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
    /// Who wants it kept
    #[arg(long = "as", value_name = "WHO", default_value = "owner", value_parser = ["owner", "agent"])]
    pub who: String,
    /// The agent's session, which decides how far its words are trusted
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Why it should be kept; shown to who approves
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
    /// Keep it though it looks like a secret; for the owner only
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct WhenArgs {
    /// Only what holds at the end of this day
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<String>,
    /// What was believed at the end of this day, as it was said then
    #[arg(long, value_name = "DATE")]
    pub believed_at: Option<String>,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only this category
    #[arg(long, value_name = "WORD")]
    pub category: Option<String>,
    #[command(flatten)]
    pub when: WhenArgs,
    /// Those that were forgotten and can be restored
    #[arg(long, conflicts_with_all = ["as_of", "believed_at"])]
    pub forgotten: bool,
    /// Those too for which another fact stands now
    #[arg(long)]
    pub include_retired: bool,
    /// Most facts, up to 1000 [default: 50]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Words to search for, or a question
    #[arg(value_name = "QUERY", required = true)]
    pub query: Vec<String>,
    #[command(flatten)]
    pub when: WhenArgs,
    /// Behind the answer, those for which another fact stands now
    #[arg(long, conflicts_with_all = ["as_of", "believed_at"])]
    pub include_retired: bool,
    /// Most facts, up to 1000 [default: 10]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct IdArgs {
    /// The fact: its number, its id, or the end of its id
    #[arg(value_name = "FACT")]
    pub id: String,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("said").args(["text", "category", "metadata", "from", "to"]).required(true).multiple(true)))]
pub struct UpdateArgs {
    /// The fact: its number, its id, or the end of its id
    #[arg(value_name = "FACT")]
    pub id: String,
    /// What it says from now on
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Its kind
    #[arg(long, value_name = "WORD")]
    pub category: Option<String>,
    /// What else is known of it, as a JSON object; `none` for nothing
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
    /// Since when it holds; `none` for always, also where another fact gave way to it
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,
    /// When it stops to hold; `none` for never
    #[arg(long, value_name = "DATE")]
    pub to: Option<String>,
    /// Keep it though it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct PurgeArgs {
    /// The fact: its number, its id, or the end of its id
    #[arg(value_name = "FACT")]
    pub id: String,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}
