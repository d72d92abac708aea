//! `inwit try`: demonstrates search on a bundled agent, without changing anything.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use include_dir::{Dir, include_dir};
use inwit_engine::{Agent, Answer, Bounds, Search};
use inwit_home::clock::FixedClock;
use inwit_home::keep;
use inwit_home::tokens::Tokens;
use inwit_model::{Code, Files, RoomId, SafeName, Scope};
use inwit_store_sqlite::SqliteIndex;
use inwit_wire::search::citation;
use inwit_wire::{AnswerV1, AskedV1, LaidOutV1, PromptV1, TriedV1};
use inwit_workspace::{FsFiles, MemFiles};

use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Try inwit on a bundled agent with 60 days of notes
///
/// Shows which files the agent's prompt contains, in private and in a room, and the results of four searches.
/// Everything happens in memory. `--to DIR` writes the notes as files instead.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit try\n\
\x20 inwit try --to ~/wren\n\
\x20 inwit search kiln --workspace ~/wren")]
pub struct TryArgs {
    /// Write the sample workspace into this folder instead
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
}

static SAMPLE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/wren");

/// The morning after the last note.
const SAMPLE_NOW: &str = "2026-10-30T08:00:00Z";

/// The sample queries.
const QUESTIONS: [(&str, &str); 4] = [
    ("a paraphrase", "the ceiling was dripping upstairs"),
    ("a decision that changed", "gas boiler or heat pump"),
    ("Spanish, typed without accents", "para que quiere lucia el dinero"),
    ("Chinese, two characters", "关税"),
];

/// Results shown for each question.
const RESULTS_SHOWN: usize = 3;

pub fn run(args: &TryArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.to {
        Some(folder) => lay_out(folder, ui),
        None => show(&settings, ui),
    }
}

fn lay_out(folder: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let files = FsFiles::open_or_make(folder)?;
    let count = each_file(&mut |name, bytes| match files.create(&name, bytes) {
        Err(error) if error.code != Code::FileExists => Err(error.into()),
        _ => Ok(()),
    })?;
    if ui.json() {
        ui.value(&LaidOutV1 { folder: folder.display().to_string(), files: count });
        return Ok(());
    }
    ui.line(format!(
        "{count} files are in {0}. Try: inwit search \"kiln\" --workspace {0}",
        folder.display()
    ));
    Ok(())
}

fn show(settings: &Settings, ui: &mut Ui) -> Result<(), CliError> {
    let files = MemFiles::new();
    each_file(&mut |name, bytes| {
        files.put(&name, bytes);
        Ok(())
    })?;
    let index = SqliteIndex::in_memory()
        .map_err(|error| CliError::new(Code::IndexUnavailable, format!("{error}.")))?;
    let now =
        SAMPLE_NOW.parse().map_err(|_| CliError::new(Code::UsageBad, "the sample's day cannot be read."))?;
    let keeping = keep::in_memory()?;
    let agent = inwit_home::open::assemble(
        Arc::new(files),
        Box::new(index),
        &settings.agent_config(crate::compose::SURFACE)?,
        Arc::new(FixedClock(now)),
        keeping,
    );
    let kitchen =
        RoomId::parse("kitchen").map_err(|error| CliError::new(Code::UsageBad, error.to_string()))?;
    let scopes = [Scope::Main, Scope::Room(kitchen)];
    if ui.json() {
        ui.value(&shown(&agent, &scopes)?);
        return Ok(());
    }
    for scope in scopes {
        let prompt = agent.sessions.prompt(&scope)?;
        super::prompt::table(&agent, &prompt, ui)?;
        ui.line("");
    }
    for (what, query) in QUESTIONS {
        let answer = ask(&agent, query)?;
        ui.line(format!("search: {query}   ({what})"));
        for hit in &answer.hits {
            let first = hit.text.lines().next().unwrap_or_default();
            ui.line(format!("  {:<34} {}", citation(hit), shortened(first)));
        }
        ui.line("");
    }
    ui.line("Your own notes: inwit search \"…\" --workspace DIR");
    Ok(())
}

fn ask(agent: &Agent, query: &str) -> Result<Answer, CliError> {
    Ok(agent.notes.search(&Search {
        query,
        scope: &Scope::Main,
        limit: RESULTS_SHOWN,
        budget_chars: None,
        bounds: Bounds::default(),
    })?)
}

/// The same as data.
fn shown(agent: &Agent, scopes: &[Scope]) -> Result<TriedV1, CliError> {
    let prompts = scopes.iter().map(|scope| {
        let prompt = agent.sessions.prompt(scope)?;
        let tokens = agent.sessions.token_counts(&prompt, &Tokens::load)?;
        Ok(PromptV1::new(&prompt, Some(&tokens), false))
    });
    let searches = QUESTIONS
        .iter()
        .map(|(what, query)| Ok(AskedV1 { what, query, answer: AnswerV1::new(&ask(agent, query)?, false) }));
    Ok(TriedV1 {
        prompts: prompts.collect::<Result<_, CliError>>()?,
        searches: searches.collect::<Result<_, CliError>>()?,
    })
}

/// A line for a terminal.
fn shortened(line: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 110;
    match line.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

type EachFile<'a> = dyn FnMut(SafeName, &[u8]) -> Result<(), CliError> + 'a;

fn each_file(each: &mut EachFile<'_>) -> Result<usize, CliError> {
    let mut folders = vec![&SAMPLE];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        for file in folder.files() {
            let name = file.path().to_str().and_then(|path| SafeName::parse(path).ok());
            let Some(name) = name else { continue };
            each(name, file.contents())?;
            count += 1;
        }
    }
    Ok(count)
}
