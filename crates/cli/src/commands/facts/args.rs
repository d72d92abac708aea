//! The arguments of `inwit facts`.

use clap::{ArgGroup, Args, Subcommand};

use crate::args::ApplyArgs;
use crate::commands::edges::EdgesArgs;
use crate::commands::profile::ProfileArgs;
use crate::words::TextArgs;

/// Add, search, correct and remove single facts
///
/// A fact is one statement with a category, a source, and the period in which it is true. Private prompts show
/// the latest facts after the notes, which take precedence. Rooms never see facts. Former texts are kept: --as-of
/// shows which facts were true at a time, and --believed-at what was believed then.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit facts add \"Ana bakes rye on Fridays.\" --category observation\n\
\x20 inwit facts search 'rye OR wheat'\n\
\x20 inwit facts update 3 --text \"Ana bakes rye on Saturdays.\"\n\
\x20 inwit facts list --as-of 2026-05-01")]
pub struct FactsArgs {
    #[command(subcommand)]
    pub verb: FactsVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum FactsVerb {
    /// Add a fact
    Add(AddArgs),
    /// List facts: those that are true now first, then by their last change
    List(ListArgs),
    /// Search facts: words, "phrases", AND, OR, NOT, category:word, begin*
    Search(SearchArgs),
    /// Show everything that is stored about one fact
    Read(ReadArgs),
    /// Correct a fact; the former text stays in its history
    Update(UpdateArgs),
    /// Hide a fact; it can be restored for `facts.retention_days` days
    Forget(IdArgs),
    /// Restore a fact that was forgotten or retired
    Restore(IdArgs),
    /// Delete a fact and its history permanently
    Purge(PurgeArgs),
    /// Settle pending facts: retire duplicates and contradictions
    ///
    /// The settings decide which facts are retired.
    Consolidate(ConsolidateArgs),
    /// List the decisions of `consolidate`, newest first
    Decisions(DecisionsArgs),
    Edges(EdgesArgs),
    Profile(ProfileArgs),
}

#[derive(Debug, Args)]
pub struct ConsolidateArgs {
    /// Show what would be decided; write nothing. The judge is still asked
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct DecisionsArgs {
    /// Maximum number of decisions [default: 50]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, i64::from(u16::MAX)))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct ReadArgs {
    #[command(flatten)]
    pub fact: IdArgs,
    /// Show its former texts too
    #[arg(long)]
    pub history: bool,
}

#[derive(Debug, Args)]
pub struct AddArgs {
    #[command(flatten)]
    pub text: TextArgs,
    /// Category: preference, observation, lesson, reference or a word of your own [default: observation]
    #[arg(long, value_name = "WORD")]
    pub category: Option<String>,
    /// When the fact starts to be true: 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,
    /// When the fact ends; on that day it is no longer true
    #[arg(long, value_name = "DATE")]
    pub to: Option<String>,
    /// More data about it, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
    /// Who adds it
    #[arg(long = "as", value_name = "WHO", default_value = "owner", value_parser = ["owner", "agent"])]
    pub who: String,
    /// Session of the agent; what the session has read decides how far its text is trusted
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Reason to store it, shown to the person who approves it
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
    /// Store the text even if it looks like a secret; owner only
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct WhenArgs {
    /// Only facts that are true at the end of this day
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<String>,
    /// Facts as they were believed at the end of this day, with their text of that time
    #[arg(long, value_name = "DATE")]
    pub believed_at: Option<String>,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only facts of this category
    #[arg(long, value_name = "WORD")]
    pub category: Option<String>,
    #[command(flatten)]
    pub when: WhenArgs,
    /// Only forgotten facts that can be restored
    #[arg(long, conflicts_with_all = ["as_of", "believed_at"])]
    pub forgotten: bool,
    /// Also list retired facts, which another fact replaced
    #[arg(long)]
    pub include_retired: bool,
    /// Maximum number of facts, up to 1000 [default: 50]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, 1000))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Words to search for, or a question
    #[arg(value_name = "QUERY", required = true)]
    pub query: Vec<String>,
    #[command(flatten)]
    pub when: WhenArgs,
    /// Also search retired facts; they follow the other results
    #[arg(long, conflicts_with_all = ["as_of", "believed_at"])]
    pub include_retired: bool,
    /// Maximum number of facts, up to 1000 [default: 10]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, 1000))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct IdArgs {
    /// Number of the fact, its id, or the end of its id
    #[arg(value_name = "FACT")]
    pub id: String,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("said").args(["text", "category", "metadata", "from", "to"]).required(true).multiple(true)))]
pub struct UpdateArgs {
    /// Number of the fact, its id, or the end of its id
    #[arg(value_name = "FACT")]
    pub id: String,
    /// New text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// New category
    #[arg(long, value_name = "WORD")]
    pub category: Option<String>,
    /// New metadata, as a JSON object; `none` removes it
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
    /// New start; `none` for no start, even if the fact replaced another one
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,
    /// New end; `none` for no end
    #[arg(long, value_name = "DATE")]
    pub to: Option<String>,
    /// Store the text even if it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct PurgeArgs {
    /// Number of the fact, its id, or the end of its id
    #[arg(value_name = "FACT")]
    pub id: String,
    #[command(flatten)]
    pub plan: ApplyArgs,
}
