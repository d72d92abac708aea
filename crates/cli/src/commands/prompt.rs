//! `inwit prompt`: the prompt of an agent.

use clap::{Args, ValueEnum};
use inwit_engine::core::fit::grouped;
use inwit_engine::{Agent, AsOf, Block, DayEdge, Notice, Prompt};
use inwit_home::tokens::Tokens;
use inwit_model::Code;
use inwit_model::fact::When;
use inwit_wire::{AnthropicV1, AsOfV1, OpenAiV1, PromptV1};

use crate::args::{AsOfArgs, ScopeArgs};
use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Print an agent's prompt
///
/// Assembles who the agent is and what it remembers from its files, in the order and within the budgets of the
/// profile. Every truncation and omission is reported.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit prompt\n\
\x20 inwit prompt --room kitchen --report\n\
\x20 inwit prompt --question \"Which bread does Ana like?\"\n\
\x20 inwit prompt --format anthropic --as-of 2026-05-01")]
pub struct PromptArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,
    #[command(flatten)]
    pub as_of: AsOfArgs,
    /// Use the facts as they were recorded at this time, in the forms of --as-of; `today` includes all later
    /// corrections. Does not affect files [default: the time of --as-of]
    #[arg(long, value_name = "DATE")]
    pub believed_at: Option<String>,
    /// Question of this turn. Matching passages are added at the end of the tail, each with its citation. Text that the
    /// prompt already contains is left out
    #[arg(long, value_name = "TEXT")]
    pub question: Option<String>,
    /// Format: text; json: blocks with hashes; anthropic: a `system` array; openai: messages
    #[arg(long, value_enum, value_name = "FORM")]
    pub format: Option<Format>,
    /// Print a report instead of the text: every block with source, size, tokens and hash, and what was left out and why.
    /// Works with the formats text and json
    #[arg(long)]
    pub report: bool,
}

/// Forms of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The text.
    Text,
    /// Blocks with their sources and hashes.
    Json,
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's chat API.
    Openai,
}

pub fn run(args: &PromptArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let scope = args.scope.parse()?;
    let format = args.format.unwrap_or(if ui.json() { Format::Json } else { Format::Text });
    if args.report && matches!(format, Format::Anthropic | Format::Openai) {
        return Err(CliError::new(Code::UsageBad, "--report works with the formats text and json only.")
            .hint("Omit --report or --format."));
    }
    // The index is needed only for token counts and passages.
    let needs_index = format == Format::Json || args.report || args.question.is_some();
    let opened = if needs_index { compose::open(settings)? } else { compose::open_files(settings)? };
    let past = args.as_of.open(&opened.agent, &scope)?;
    let (agent, question) = (&opened.agent, args.question.as_deref());
    let believed_at =
        args.believed_at.as_deref().map(|text| agent.core.moment(text, DayEdge::End)).transpose()?;
    let prompt = match &past {
        Some(past) => past.prompt_believing(question, believed_at)?,
        None => agent.sessions.prompt_of_facts(&scope, question, When { believed_at, ..When::default() })?,
    };
    let of = past.as_ref().map(|past| past.of());
    if format != Format::Json {
        opened.notices.iter().chain(&prompt.notices).for_each(|notice| ui.notice(notice));
        of.iter().for_each(|of| super::search::say_as_of(of, ui));
    }
    show(&opened.agent, &prompt, of, format, args.report, &opened.notices, ui)
}

fn show(
    agent: &Agent,
    prompt: &Prompt,
    of: Option<&AsOf>,
    format: Format,
    report: bool,
    notices: &[Notice],
    ui: &mut Ui,
) -> Result<(), CliError> {
    match format {
        Format::Text if report => return table(agent, prompt, ui),
        Format::Text => {
            ui.content(prompt.whole().as_bytes());
            ui.content(b"\n");
        }
        Format::Anthropic => ui.value(&AnthropicV1::from(prompt)),
        Format::Openai => ui.value(&OpenAiV1::from(prompt)),
        Format::Json => {
            let tokens = agent.sessions.token_counts(prompt, &Tokens::load)?;
            let mut wire = PromptV1::new(prompt, Some(&tokens), !report);
            wire.as_of = of.map(AsOfV1::from);
            wire.notices.extend(Ui::wire_notices(notices));
            ui.value(&wire);
        }
    }
    Ok(())
}

/// The report as a table.
pub fn table(agent: &Agent, prompt: &Prompt, ui: &mut Ui) -> Result<(), CliError> {
    let tokens = agent.sessions.token_counts(prompt, &Tokens::load)?;
    ui.line(format!(
        "prompt for {} · profile {} · {} · prefix sha256 {}",
        prompt.scope,
        prompt.profile,
        prompt.snapshot,
        prompt.prefix_sha256()
    ));
    ui.line("");
    ui.line(format!(
        "{:<11} {:<10} {:<34} {:<13} {:>8} {:>8} {:>8}  sha256",
        "part", "block", "source", "scope", "bytes", "chars", "tokens"
    ));
    for (block, tokens) in prompt.blocks.iter().zip(&tokens) {
        ui.line(row(block, *tokens));
    }
    let chars: usize = prompt.blocks.iter().map(Block::chars).sum();
    let bytes: usize = prompt.blocks.iter().map(|block| block.text.len()).sum();
    let total: u32 = tokens.iter().sum();
    ui.line(format!(
        "{:<71} {:>8} {:>8} {:>8}",
        "total",
        grouped(bytes),
        grouped(chars),
        grouped(total as usize)
    ));
    ui.line(format!("limit: {} characters for all files together", grouped(prompt.budget_chars)));
    if prompt.token_budget > 0 {
        ui.line(format!("target: below {} tokens", grouped(prompt.token_budget)));
    }
    if !prompt.omitted.is_empty() {
        ui.line("");
        ui.line("left out");
        for omission in &prompt.omitted {
            let source = omission.source.as_ref().map_or("-", |name| name.as_str());
            let chars =
                omission.chars.map_or_else(String::new, |chars| format!(" ({} characters)", grouped(chars)));
            ui.line(format!(
                "{:<11} {:<10} {:<34} {}{chars}",
                "",
                omission.kind.word(),
                source,
                omission.reason.sentence()
            ));
        }
    }
    Ok(())
}

fn row(block: &Block, tokens: u32) -> String {
    let kind = block.kind.map_or("day", |kind| kind.word());
    let source = block.source.as_ref().map_or("-", |name| name.as_str());
    let cut = if block.is_cut() {
        format!("  shown {} of {}", grouped(block.shown_chars), grouped(block.total_chars))
    } else {
        String::new()
    };
    format!(
        "{:<11} {:<10} {:<34} {:<13} {:>8} {:>8} {:>8}  {}{cut}",
        block.part.word(),
        kind,
        source,
        block.audience,
        grouped(block.text.len()),
        grouped(block.chars()),
        grouped(tokens as usize),
        block.sha256.short(12)
    )
}
