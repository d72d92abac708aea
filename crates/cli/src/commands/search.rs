//! `inwit search`: passages that answer, from the notes as they are now.

use std::io::BufRead as _;
use std::path::PathBuf;

use clap::Args;
use inwit_engine::{Answer, Search};
use inwit_model::{Code, Scope};
use inwit_wire::search::citation;
use inwit_wire::{AnswerV1, BatchAnswerV1, BatchQuestionV1};

use crate::args::ScopeArgs;
use crate::compose::{self, Opened};
use crate::error::CliError;
use crate::settings::Settings;
use crate::ui::Ui;

/// Search the notes
///
/// Finds the passages that answer a question, by words, names, dates and what stands around them. The
/// files are looked at first, so the answer is never stale. No model and no network are needed.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// The question, in any words
    #[arg(required_unless_present = "batch")]
    pub query: Vec<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// Most results [default: the setting search.limit, 10]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: Option<u16>,
    /// Most characters of text over all results; room that is left is filled with the lines around them
    #[arg(long, value_name = "N")]
    pub budget_chars: Option<usize>,
    /// Answer from words alone, without a model for meaning (so far there is none)
    #[arg(long)]
    pub no_embed: bool,
    /// Say how the question was understood and what each score is made of
    #[arg(long)]
    pub explain: bool,
    /// Answer a file of questions, a JSON object {"id", "query"} a line; `-` is stdin
    #[arg(long, value_name = "FILE", requires = "jsonl", conflicts_with = "query")]
    pub batch: Option<PathBuf>,
    /// With --batch: a JSON object {"id", "results"} a line, in the order of the questions
    #[arg(long, requires = "batch")]
    pub jsonl: bool,
}

pub fn run(args: &SearchArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let scope = args.scope.parse()?;
    let opened = compose::open(settings)?;
    opened.notices.iter().for_each(|notice| ui.notice(notice));
    match &args.batch {
        Some(file) => batch(args, &opened, &scope, file, ui),
        None => one(args, &opened, &scope, ui),
    }
}

fn one(args: &SearchArgs, opened: &Opened, scope: &Scope, ui: &mut Ui) -> Result<(), CliError> {
    let answer = ask(args, opened, scope, &args.query.join(" "))?;
    if ui.json() {
        let mut wire = AnswerV1::new(&answer, args.explain);
        wire.notices.extend(Ui::wire_notices(&opened.notices));
        ui.value(&wire);
        return Ok(());
    }
    answer.notices.iter().for_each(|notice| ui.notice(notice));
    if args.explain {
        explain(&answer, ui);
    }
    for hit in &answer.hits {
        ui.line(format!("{}  {:.2}{}", citation(hit), hit.parts.sum(), heading(&hit.heading)));
        hit.text.lines().for_each(|line| ui.line(format!("    {line}")));
        if args.explain {
            let parts = hit.parts;
            ui.line(format!(
                "    = words {:.2} + label {:.2} + time {:.2} + date {:.2}",
                parts.words, parts.label, parts.time, parts.date
            ));
        }
    }
    if answer.hits.is_empty() {
        ui.say("Nothing in the notes has these words.");
    } else if answer.nothing_near {
        ui.say("note: Nothing in the notes is near this question; these passages are the least far.");
    }
    if answer.over_budget > 0 {
        ui.say(format!("note: {} more result(s) did not fit into --budget-chars.", answer.over_budget));
    }
    Ok(())
}

fn heading(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("  {path}") }
}

fn explain(answer: &Answer, ui: &mut Ui) {
    for term in &answer.terms {
        ui.say(format!("term {}: {} passage(s), weight {:.2}", term.term, term.passages, term.weight));
    }
    if !answer.stop_words.is_empty() {
        ui.say(format!("left out, no content: {}", answer.stop_words.join(" ")));
    }
    if !answer.beyond_limit.is_empty() {
        ui.say(format!("left out, too many terms: {}", answer.beyond_limit.join(" ")));
    }
    if !answer.labels.is_empty() {
        ui.say(format!("labels named: {}", answer.labels.join(", ")));
    }
    ui.say(format!("share of the question found around the best result: {:.2}", answer.cover));
}

fn ask(args: &SearchArgs, opened: &Opened, scope: &Scope, query: &str) -> Result<Answer, CliError> {
    let limit = args.limit.map_or_else(|| opened.settings.search_limit(), usize::from);
    Ok(opened.agent.search(&Search { query, scope, limit, budget_chars: args.budget_chars })?)
}

fn batch(
    args: &SearchArgs,
    opened: &Opened,
    scope: &Scope,
    file: &PathBuf,
    ui: &mut Ui,
) -> Result<(), CliError> {
    let unread = |error: &dyn std::fmt::Display| {
        CliError::new(Code::UsageBad, format!("{} cannot be read: {error}.", file.display()))
    };
    let input: Box<dyn std::io::BufRead> = if file.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(std::io::BufReader::new(std::fs::File::open(file).map_err(|error| unread(&error))?))
    };
    for (at, line) in input.lines().enumerate() {
        let line = line.map_err(|error| unread(&error))?;
        if line.trim().is_empty() {
            continue;
        }
        let question: BatchQuestionV1 = serde_json::from_str(&line).map_err(|error| {
            CliError::new(Code::UsageBad, format!("{} line {}: {error}.", file.display(), at + 1))
                .hint("Each line is an object with \"id\" and \"query\".")
        })?;
        let answer = ask(args, opened, scope, &question.query)?;
        ui.json_line(&BatchAnswerV1 { id: &question.id, answer: AnswerV1::new(&answer, args.explain) });
    }
    Ok(())
}
