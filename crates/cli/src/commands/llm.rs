//! `inwit llm`: the configured language model, its tasks, and what its calls cost.

use std::time::Duration;

use clap::{Args, Subcommand};
use inwit_home::clock::SystemClock;
use inwit_home::llm::task::Task;
use inwit_home::llm::usage::{Subject, Total, UsageReport, report};
use inwit_home::llm::{LlmConfig, check};
use inwit_llm::PROVIDERS;
use inwit_model::{Clock as _, Code, Usage};
use inwit_settings::Settings;
use inwit_settings::agent::choose;
use inwit_wire::{
    LlmCheckV1, LlmProviderV1, LlmProvidersV1, LlmTaskV1, LlmTasksV1, LlmTokensV1, LlmUsageRowV1, LlmUsageV1,
};
use jiff::ToSpan as _;

use crate::error::CliError;
use crate::ui::Ui;

/// Check the language model, and show its tasks and costs
///
/// Without a language model everything works except what `inwit llm tasks` lists. Secrets are replaced by placeholders
/// before a text is sent to a provider.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit config set llm.provider ollama\n\
\x20 inwit config set llm.model llama3.2\n\
\x20 inwit llm check\n\
\x20 inwit llm usage --days 7")]
pub struct LlmArgs {
    #[command(subcommand)]
    pub verb: LlmVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum LlmVerb {
    /// List the providers, their addresses and the variables of their keys; `*` marks the configured one
    List,
    /// Ask the configured model one short question
    Check,
    /// List the tasks that use a language model
    Tasks,
    /// Show calls, tokens and cost per day and task
    ///
    /// A provider may charge for a call that was stopped or timed out, so the tokens of its question are estimated.
    Usage(UsageArgs),
}

#[derive(Debug, Args)]
pub struct UsageArgs {
    /// Number of days, including today [default: 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=3_660))]
    pub days: Option<u16>,
}

/// Default number of days of `inwit llm usage`.
const DAYS_DEFAULT: u16 = 30;

pub fn run(args: &LlmArgs, mut settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        LlmVerb::List => list(&settings, ui),
        LlmVerb::Check => return checked(&settings.llm(), ui),
        LlmVerb::Tasks => {
            // Some settings of tasks may be in the file of the agent.
            let _ = choose(&mut settings);
            tasks(&settings, ui);
        }
        LlmVerb::Usage(args) => {
            let _ = choose(&mut settings);
            return usage(args.days.unwrap_or(DAYS_DEFAULT), &settings, ui);
        }
    }
    Ok(())
}

fn list(settings: &Settings, ui: &mut Ui) {
    let configured = settings.llm().provider.map(|provider| provider.name);
    let rows: Vec<LlmProviderV1> = PROVIDERS
        .iter()
        .map(|provider| LlmProviderV1 {
            name: provider.name,
            about: provider.about,
            api: provider.api.word(),
            url: provider.url,
            key_env: provider.key_env.to_vec(),
            has_key: settings.key_source(provider.key_env).place().is_some(),
            configured: configured == Some(provider.name),
        })
        .collect();
    if ui.json() {
        return ui.value(&LlmProvidersV1 { providers: rows });
    }
    for row in &rows {
        let mark = if row.configured { '*' } else { ' ' };
        let key = if row.has_key { "key set" } else { "no key" };
        ui.line(format!(
            "{mark} {:<10}  {:<16}  {:<50}  {} ({key})",
            row.name,
            row.api,
            row.url.unwrap_or("set llm.url"),
            row.key_env.join(" or "),
        ));
    }
}

fn checked(config: &LlmConfig, ui: &mut Ui) -> Result<(), CliError> {
    let report = check::run(config).map_err(|error| CliError::new(error.code, error.message))?;
    let completion = &report.completion;
    let row = LlmCheckV1 {
        provider: report.provider,
        address: report.host,
        model: config.model.clone(),
        api: config.api.word(),
        key: config.key.place(),
        first_ms: millis(report.first),
        whole_ms: millis(report.whole),
        tokens: completion.usage.as_ref().map(LlmTokensV1::from),
        cost_usd: report.cost.map(dollars),
        answer: completion.text.trim().to_owned(),
        cut: completion.is_cut,
    };
    if ui.json() {
        ui.value(&row);
    } else {
        let tokens = completion.usage.map_or_else(|| "unknown".to_owned(), |usage| tokens_line(&usage));
        let answer: String = row.answer.chars().take(60).collect();
        for (name, value) in [
            ("provider", row.provider.to_owned()),
            ("address", row.address),
            ("model", row.model),
            ("api", row.api.to_owned()),
            ("key", row.key.unwrap_or_else(|| "none".to_owned())),
            ("answer", answer.replace('\n', " ")),
            ("latency", format!("{} ms to the first part, {} ms in all", row.first_ms, row.whole_ms)),
            ("tokens", tokens),
            ("cost", cost_line(report.cost)),
        ] {
            ui.line(format!("{name:<10}{value}"));
        }
    }
    if let Some(why) = report.count_failure {
        ui.say(format!("note: the call was not counted. {why}"));
    }
    Ok(())
}

fn tasks(settings: &Settings, ui: &mut Ui) {
    let judge = settings.judge_model();
    let rows: Vec<LlmTaskV1> = Task::ALL
        .iter()
        .map(|task| {
            let config = match task {
                Task::Judge => judge.clone(),
                Task::Chat | Task::Dream | Task::Review | Task::Reflect | Task::Check => Some(settings.llm()),
            };
            let config = config.filter(|config| config.chosen().is_ok());
            LlmTaskV1 {
                name: task.word(),
                about: task.about(),
                provider: config.as_ref().and_then(|config| config.provider).map(|provider| provider.name),
                model: config.map(|config| config.model),
                answer_tokens_max: task.answer_tokens_max(),
            }
        })
        .collect();
    if ui.json() {
        return ui.value(&LlmTasksV1 { tasks: rows });
    }
    for row in &rows {
        let by = match (row.provider, &row.model) {
            (Some(provider), Some(model)) => format!("{provider}, {model}"),
            _ => "no model".to_owned(),
        };
        let most = row.answer_tokens_max;
        ui.line(format!("{:<6}  {}", row.name, row.about));
        ui.line(format!("        {by}; at most {most} tokens per answer"));
    }
}

fn usage(days: u16, settings: &Settings, ui: &mut Ui) -> Result<(), CliError> {
    let zone = settings.zone().0;
    let today = SystemClock.now().to_zoned(zone.clone()).date();
    let since = today.saturating_sub((i64::from(days) - 1).days());
    let counts = report(&settings.llm().usage, since, &zone)
        .map_err(|why| CliError::new(Code::FileUnreadable, why))?;
    if ui.json() {
        let rows = counts.totals.iter().map(row).collect();
        ui.value(&LlmUsageV1 { since: since.to_string(), rows, unread: counts.unread });
        return Ok(());
    }
    show(&counts, ui);
    if counts.totals.is_empty() {
        ui.say(format!("No calls since {since}."));
    }
    if counts.unread > 0 {
        ui.say(format!("note: {} lines of the log cannot be read and are not counted.", counts.unread));
    }
    Ok(())
}

fn show(counts: &UsageReport, ui: &mut Ui) {
    for (subject, total) in &counts.totals {
        let failed = match total.failed {
            0 => String::new(),
            failed if total.estimated > 0 => format!(", {failed} failed ({} estimated)", total.estimated),
            failed => format!(", {failed} failed"),
        };
        let uncounted = match total.uncounted {
            0 => String::new(),
            uncounted => format!(", {uncounted} without counts"),
        };
        ui.line(format!(
            "{}  {:<6}  {}, {}: {} calls{failed}{uncounted}; tokens {}; {}",
            subject.day,
            subject.task,
            subject.provider,
            subject.model,
            total.calls,
            tokens_line(&total.usage),
            cost_line(total.cost),
        ));
    }
}

fn row((subject, total): (&Subject, &Total)) -> LlmUsageRowV1 {
    LlmUsageRowV1 {
        day: subject.day.to_string(),
        task: subject.task.clone(),
        provider: subject.provider.clone(),
        model: subject.model.clone(),
        calls: total.calls,
        failed: total.failed,
        estimated: total.estimated,
        uncounted: total.uncounted,
        tokens: LlmTokensV1::from(&total.usage),
        cost_usd: total.cost.map(dollars),
    }
}

fn tokens_line(usage: &Usage) -> String {
    let cached = match usage.cache_read {
        0 => String::new(),
        cached => format!(" ({cached} cached)"),
    };
    format!("{} in{cached}, {} out", usage.input, usage.output)
}

fn cost_line(nanos: Option<u64>) -> String {
    nanos.map_or_else(|| "cost unknown".to_owned(), |nanos| format!("{:.6} USD", dollars(nanos)))
}

fn dollars(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
