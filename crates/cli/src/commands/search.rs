//! `inwit search`: searches the notes, now or in the past.

use std::io::{BufRead, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use inwit_engine::notes::search::Interval;
use inwit_engine::{Answer, AsOf, Bounds, Hit, Past, Search};
use inwit_home::OpenAgent;
use inwit_model::limit::RESULTS_MAX;
use inwit_model::plural::counted;
use inwit_model::time;
use inwit_model::{Code, Scope};
use inwit_wire::search::citation;
use inwit_wire::search::serde_value::Id;
use inwit_wire::{AnswerV1, AsOfV1, BatchAnswerV1, BatchErrorV1, BatchQuestionV1, TallyV1};
use serde::Deserialize;

use super::feedback::{self, FeedbackArgs, tally_line};
use super::why_not::{self, WhyNotArgs};
use crate::args::{AsOfArgs, ScopeArgs};
use crate::compose;
use crate::error::CliError;
use crate::results::Results;
use crate::rooms::refuse_mistyped;
use crate::score::Score;
use crate::ui::Ui;
use crate::words::question;
use inwit_settings::Settings;

/// Search the notes
///
/// Finds passages by words, names and dates, also in other forms of a word and in titles, front matter and file names.
/// Changed files are read first. No model and no network are needed; with an embedding model (`inwit index model install`)
/// paraphrases match too. On a terminal, `inwit open 2` opens the second result.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  inwit search which bread does Ana like\n  inwit search boiler --since \"last May\"\n  inwit search --fts '\"rye bread\" AND NOT oats'\n  inwit search --why-not \"Buy flour\" what do I need for bread\n  inwit search --rate useful 2\n  inwit search kiln --json | jq -r '.results[].citation'"
)]
pub struct SearchArgs {
    /// Words to search for, or a question; `-` reads it from stdin
    #[arg(required_unless_present_any = ["batch", "why_not"])]
    pub query: Vec<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// Maximum number of results, 1 to 1,000 [default: the setting search.limit, 10]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, RESULTS_MAX as i64))]
    pub limit: Option<u16>,
    /// Maximum number of characters of all results together; the remaining space is filled with neighbouring lines
    #[arg(long, value_name = "N")]
    pub budget_chars: Option<usize>,
    /// Only passages of this day or later: 2026-11-21, "last Friday", "hace dos semanas". Passages without a date are
    /// left out and counted. If the words fit several days, the latest that has begun is used
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Only passages of this day or earlier
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// Boost results near this day, without filtering
    #[arg(long, value_name = "TIME")]
    pub around: Option<String>,
    #[command(flatten)]
    pub as_of: AsOfArgs,
    /// Rank near-duplicates lower
    #[arg(long)]
    pub diverse: bool,
    /// Rank near-duplicates lower by this weight of relevance, 0 to 1 [--diverse: 0.7]
    #[arg(long, value_name = "LAMBDA", value_parser = lambda_percent)]
    pub mmr: Option<u8>,
    /// Search for an expression: words, "a phrase", slip*, AND, OR, NOT, (brackets). Matches exact words: `boat` does
    /// not match `boats`, `boat*` does
    #[arg(long)]
    pub fts: bool,
    /// Print complete results on a terminal too. By default a terminal shows the matching part of a long passage, and
    /// only counts neighbouring lines and results without a query word
    #[arg(long)]
    pub full: bool,
    /// Do not use the embedding model
    #[arg(long)]
    pub no_embed: bool,
    /// Show how the question was understood, and the parts of each score
    #[arg(long)]
    pub explain: bool,
    /// Explain why the search did not return the passage with these words. Without a query, show whether that passage
    /// is searched at all
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["batch", "rate", "as_of", "fts", "since", "until", "around"])]
    pub why_not: Option<String>,
    /// Rate results of the last search, given by number or as path#L3-L5, in place of a search
    #[arg(long, value_name = "HOW", value_parser = ["useful", "useless"], requires = "query", conflicts_with = "batch")]
    pub rate: Option<String>,
    /// Answer a file of questions, one JSON object {"id", "query"} per line; `-` is stdin
    #[arg(long, value_name = "FILE", requires = "jsonl", conflicts_with = "query")]
    pub batch: Option<PathBuf>,
    /// With --batch: print one JSON object {"id", "results"} per line, in order; {"id", "error"} for a question that
    /// fails, and then exit with status 1
    #[arg(long, requires = "batch")]
    pub jsonl: bool,
}

/// Time before progress is shown.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// λ of `--diverse`, in hundredths.
const DIVERSE_PERCENT_DEFAULT: u8 = (inwit_engine::notes::diversity::LAMBDA_DEFAULT * 100.0) as u8;

/// `false` if a line of a batch failed.
pub fn run(args: &SearchArgs, mut settings: Settings, ui: &mut Ui) -> Result<bool, CliError> {
    if let Some(text) = &args.why_not {
        let query = Some(question(&args.query)?).filter(|query| !query.is_empty());
        let asked = WhyNotArgs { text: text.clone(), query, scope: args.scope.clone(), limit: args.limit };
        return why_not::run(&asked, settings, ui).map(|()| true);
    }
    if let Some(how) = &args.rate {
        let rating = FeedbackArgs::of_owner(&args.query, how == "useful", args.scope.clone());
        return feedback::run(&rating, settings, ui).map(|()| true);
    }
    let scope = args.scope.parse()?;
    let asked = args.batch.as_deref().map(|file| questions(file).map(|input| (file, input))).transpose()?;
    if args.no_embed {
        settings.without_meaning("--no-embed");
    }
    let opened = compose::open(settings)?;
    refuse_mistyped(&scope, &opened.chosen.workspace, ui)?;
    opened.notices.iter().for_each(|notice| ui.notice(notice));
    let past = args.as_of.open(&opened.agent, &scope)?;
    let asked_of = SearchRequest { args, opened: &opened, scope: &scope, past: past.as_ref() };
    match asked {
        Some(asked) => asked_of.batch(asked, ui),
        None => asked_of.one(&question(&args.query)?, ui).map(|()| true),
    }
}

/// Parses λ, 0 to 1, as hundredths.
fn lambda_percent(text: &str) -> Result<u8, String> {
    let lambda: f32 = text.parse().map_err(|_| "it is not a number from 0 to 1".to_owned())?;
    if !(0.0..=1.0).contains(&lambda) {
        return Err("it is not a number from 0 to 1".to_owned());
    }
    Ok((lambda * 100.0).round() as u8)
}

/// The origin of a tainted hit.
fn whose(hit: &Hit) -> String {
    hit.taint.map_or_else(String::new, |taint| format!(" (from a {taint}, not reviewed)"))
}

/// What one command asks, and of whom.
struct SearchRequest<'a> {
    args: &'a SearchArgs,
    opened: &'a OpenAgent,
    scope: &'a Scope,
    /// The past, where that is asked for.
    past: Option<&'a Past<'a>>,
}

impl SearchRequest<'_> {
    fn one(&self, query: &str, ui: &mut Ui) -> Result<(), CliError> {
        let args = self.args;
        if ui.is_for_a_person() && self.past.is_none() {
            self.index_with_progress(ui)?;
        }
        let mut answer = self.ask(query)?;
        if ui.json() {
            // What a program reads stands on no screen.
            let mut wire = self.wire(&answer);
            wire.notices.extend(Ui::wire_notices(&self.opened.notices));
            ui.value(&wire);
            return Ok(());
        }
        let found = answer.clone();
        let workspace = &self.opened.chosen.workspace;
        let is_numbered = ui.is_for_a_person() && !args.explain;
        let results = is_numbered.then(|| Results::of(&found, workspace, args.full));
        if let Some(results) = &results {
            answer.hits = results.numbered().cloned().collect();
        }
        match self.past {
            None => self.opened.agent.learning.note_shown(&self.search(query), &mut answer),
            Some(_) => answer.notices.extend(self.opened.agent.learning.forget_shown(self.scope)),
        }
        answer.notices.iter().for_each(|notice| ui.notice(notice));
        self.past.iter().for_each(|past| say_as_of(past.of(), ui));
        if args.explain {
            explain(&answer, ui);
        }
        match results {
            Some(results) => results.print(&|hit| self.seen(hit), ui),
            None => self.print(&answer, ui),
        }
        if answer.hits.is_empty() && answer.over_budget > 0 {
            ui.say("note: There are results, but none fits into --budget-chars.");
        } else if answer.hits.is_empty() && answer.time.within.is_some() {
            let asked = answer.time.within.as_ref().map(days).unwrap_or_default();
            ui.say(format!("No match among notes dated {asked}."));
        } else if answer.hits.is_empty() {
            self.say_no_match(query, ui)?;
        } else if answer.nothing_near {
            ui.say("note: No close match; these are the nearest results.");
        }
        if answer.over_budget > 0 && !answer.hits.is_empty() {
            ui.say(format!(
                "note: {} did not fit into --budget-chars.",
                counted(answer.over_budget, "more result")
            ));
        }
        Ok(())
    }

    /// Says that nothing matches, and which words of the notes are spelled nearly so.
    fn say_no_match(&self, query: &str, ui: &mut Ui) -> Result<(), CliError> {
        let near = match self.past {
            Some(_) => Vec::new(),
            None => self.opened.agent.notes.near_words(&self.search(query))?,
        };
        if near.is_empty() {
            ui.say("No match.");
        } else {
            ui.say(format!("No match for `{query}`. Near words in the notes: {}.", near.join(", ")));
        }
        Ok(())
    }

    /// Updates the index first; shows progress after a second.
    fn index_with_progress(&self, ui: &mut Ui) -> Result<(), CliError> {
        let began = Instant::now();
        let mut watch = |done: usize, of: usize| match began.elapsed() < PROGRESS_AFTER {
            true => ControlFlow::Continue(()),
            false => ui.progress("reading files", done, of),
        };
        let notices = self.opened.agent.notes.refresh(self.scope, &mut watch)?;
        ui.clear_progress();
        notices.iter().for_each(|notice| ui.notice(notice));
        Ok(())
    }

    /// Every hit with its whole text, for a program or with its score breakdown.
    fn print(&self, answer: &Answer, ui: &mut Ui) {
        let args = self.args;
        for (hit, place) in answer.hits.iter().zip(1..) {
            let told = args.explain.then(|| Score::of(&hit.parts));
            let score = told.as_ref().map_or_else(String::new, |told| format!("  {}", told.sum));
            let seen = self.seen(hit);
            ui.line(format!("{}{}{score}{seen}{}", citation(hit), whose(hit), heading(&hit.heading)));
            hit.text.lines().for_each(|line| ui.line(format!("    {line}")));
            if let Some(told) = told {
                ui.line(told.line);
                if let Some(tally) = &hit.feedback {
                    ui.line(format!("    {}", tally_line(&TallyV1::from(tally))));
                }
                if answer.diversity.is_some() && hit.place != place {
                    ui.line(format!("    moved from place {} to {place}", hit.place));
                }
            }
        }
    }

    fn wire(&self, answer: &Answer) -> AnswerV1 {
        let as_of = self.past.map(|past| AsOfV1::from(past.of()));
        AnswerV1 { as_of, ..AnswerV1::new(answer, self.args.explain) }
    }

    /// The lifetime of a hit, as dates in the agent's zone.
    fn seen(&self, hit: &Hit) -> String {
        if self.past.is_none() {
            return String::new();
        }
        let local = |at: jiff::Timestamp| at.to_zoned(self.opened.config.zone.clone());
        match hit.seen.map(|seen| (local(seen.from), seen.until.map(local))) {
            None => "  not recorded yet".to_owned(),
            Some((from, None)) => format!("  since {}", from.date()),
            // Within a day, dates alone are equal.
            Some((from, Some(until))) if from.date() == until.date() => {
                format!(
                    "  since {} {}, until {}",
                    from.date(),
                    from.strftime("%H:%M:%S"),
                    until.strftime("%H:%M:%S")
                )
            }
            Some((from, Some(until))) => format!("  since {}, until {}", from.date(), until.date()),
        }
    }
}

/// The state of an answer about the past.
pub fn say_as_of(of: &AsOf, ui: &mut Ui) {
    match (&of.commit, of.recorded) {
        _ if of.is_now => ui.say("as of: now; the files as they are"),
        (Some(commit), Some(at)) => {
            ui.say(format!(
                "as of {}: the files of {}, {}",
                time::minute(of.moment),
                time::minute(at),
                &commit[..12.min(commit.len())]
            ));
        }
        (None, Some(at)) => {
            ui.say(format!("as of {}: the files of {}", time::minute(of.moment), time::minute(at)))
        }
        (_, None) => {}
    }
}

fn heading(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("  {path}") }
}

fn explain(answer: &Answer, ui: &mut Ui) {
    for term in &answer.terms {
        ui.say(format!(
            "term {}: {}, weight {:.2}",
            term.term,
            counted(term.passages, "passage"),
            term.weight
        ));
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
    if let (Some(model), Some(nearest)) = (&answer.model, answer.nearest) {
        ui.say(format!("meaning by {model}: the nearest passage has cosine {nearest:.2}"));
    }
    if let Some(found) = answer.diversity {
        ui.say(format!(
            "diverse: near-duplicates are ranked lower, by {}, λ {:.2}, among {}",
            found.by,
            f32::from(found.percent) / 100.0,
            counted(found.candidates, "candidate")
        ));
    }
    let time = &answer.time;
    if !time.intervals.is_empty() {
        let meant: Vec<String> = time.intervals.iter().map(days).collect();
        ui.say(format!("time `{}`: {}", time.words.join("`, `"), meant.join(" or ")));
    }
    if let Some(within) = &time.within {
        ui.say(format!("only passages of {}", days(within)));
    }
    ui.say(format!("share of the query near the best result: {:.2}", answer.cover));
}

/// `2026-11-21`, or `2026-11-16 to 2026-11-22`, without an open end.
fn days(interval: &Interval) -> String {
    match (interval.since, interval.until) {
        (Some(since), Some(until)) if since == until => since.to_string(),
        (Some(since), Some(until)) => format!("{since} to {until}"),
        (Some(since), None) => format!("{since} and later"),
        (None, Some(until)) => format!("{until} and earlier"),
        (None, None) => "any day".to_owned(),
    }
}

impl SearchRequest<'_> {
    fn ask(&self, query: &str) -> Result<Answer, CliError> {
        let search = self.search(query);
        Ok(match self.past {
            Some(past) => past.search(&search)?,
            None => self.opened.agent.notes.search(&search)?,
        })
    }

    fn search<'q>(&'q self, query: &'q str) -> Search<'q> {
        let args = self.args;
        let limit = args.limit.map_or_else(|| self.opened.config.search_limit, usize::from);
        let bounds = Bounds {
            since: args.since.as_deref(),
            until: args.until.as_deref(),
            around: args.around.as_deref(),
            diverse_percent: args.mmr.or(args.diverse.then_some(DIVERSE_PERCENT_DEFAULT)),
            is_expression: args.fts,
            ..Bounds::default()
        };
        Search { query, scope: self.scope, limit, budget_chars: args.budget_chars, bounds }
    }

    /// Answers line by line. A failed line gets its error, and the rest is answered; `false` if there was one.
    fn batch(&self, (file, mut input): (&Path, Box<dyn BufRead>), ui: &mut Ui) -> Result<bool, CliError> {
        let mut good = true;
        self.opened.agent.learning.forget_shown(self.scope).iter().for_each(|notice| ui.notice(notice));
        let mut line = Vec::new();
        for number in 1_usize.. {
            line.clear();
            let read = input.by_ref().take(BATCH_LINE_BYTES_MAX + 1).read_until(b'\n', &mut line);
            if read.map_err(|error| unread(file, &error))? == 0 {
                break;
            }
            if line.len() as u64 > BATCH_LINE_BYTES_MAX {
                let message = format!(
                    "{} line {number} has more than {BATCH_LINE_BYTES_MAX} bytes; it and the rest are not answered.",
                    file.display()
                );
                return Err(CliError::new(Code::UsageBad, message));
            }
            let bytes = if number == 1 { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line) } else { &line };
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            let asked = serde_json::from_slice::<BatchQuestionV1>(bytes).map_err(|error| {
                let id = serde_json::from_slice::<BatchIdV1>(bytes).ok().map(|line| line.id);
                let why = error.to_string();
                // The parser gets one line at a time, so it always reports line 1.
                let why = why.split(" at line ").next().unwrap_or_default();
                let error = CliError::new(Code::UsageBad, format!("cannot parse the question: {why}."))
                    .hint("Each line is an object with \"id\" and \"query\".");
                (id, error)
            });
            let answered = asked.and_then(|question| match self.ask(&question.query) {
                Ok(answer) => Ok((question.id, self.wire(&answer))),
                Err(error) => Err((Some(question.id), error)),
            });
            match answered {
                Ok((id, answer)) => ui.json_line(&BatchAnswerV1 { id: &id, answer }),
                Err((id, mut error)) => {
                    good = false;
                    error.message = format!("{} line {number}: {}", file.display(), error.message);
                    ui.json_line(&BatchErrorV1 { id, error: error.wire() });
                }
            }
        }
        Ok(good)
    }
}

/// Longest line of a file of questions. Behind a longer one nothing is read: the file may have no line end at all.
const BATCH_LINE_BYTES_MAX: u64 = 64 << 10;

/// The byte order mark that some editors write.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The id of a line that is no question otherwise.
#[derive(Deserialize)]
struct BatchIdV1 {
    id: Id,
}

fn questions(file: &Path) -> Result<Box<dyn BufRead>, CliError> {
    if file.as_os_str() == "-" {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let opened = std::fs::File::open(file).map_err(|error| unread(file, &error))?;
    Ok(Box::new(std::io::BufReader::new(opened)))
}

fn unread(file: &Path, error: &std::io::Error) -> CliError {
    let message = format!("{} cannot be read: {error}.", file.display());
    let code = match error.kind() {
        std::io::ErrorKind::NotFound => Code::FileMissing,
        _ => Code::FileUnreadable,
    };
    CliError::new(code, message).hint("Name a file of questions, or `-` for stdin.")
}
