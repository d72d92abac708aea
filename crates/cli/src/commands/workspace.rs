//! `inwit show`: the known files.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use inwit_engine::core::fit::grouped;
use inwit_engine::notes::get::Lines;
use inwit_engine::{Agent, EngineError, Excerpt};
use inwit_model::{Code, FILES, FileKind, Scope};
use inwit_wire::{ExcerptV1, KnownFileV1, KnownFilesV1};

use crate::args::ScopeArgs;
use crate::compose;
use crate::error::CliError;
use crate::rooms::refuse_mistyped;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Names of files here (W22).
const NAMES: [(&str, FileKind); 7] = [
    ("soul", FileKind::Soul),
    ("agents", FileKind::Agents),
    ("identity", FileKind::Identity),
    ("user", FileKind::User),
    ("memory", FileKind::Memory),
    ("heartbeat", FileKind::Heartbeat),
    ("bootstrap", FileKind::Bootstrap),
];

/// List and show the files of a workspace
#[derive(Debug, Args)]
pub struct WorkspaceArgs {
    #[command(subcommand)]
    pub verb: WorkspaceVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum WorkspaceVerb {
    /// Print a known file, or list those that exist
    Show(ShowArgs),
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Name of the file
    #[arg(value_parser = PossibleValuesParser::new(NAMES.map(|(name, _)| name)))]
    pub name: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
}

pub fn run(args: &WorkspaceArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let WorkspaceVerb::Show(args) = &args.verb;
    let scope = args.scope.parse()?;
    let opened = compose::open_files(settings)?;
    refuse_mistyped(&scope, &opened.chosen.workspace, ui)?;
    let agent = &opened.agent;
    match args.name.as_deref().and_then(known) {
        Some(kind) => show(&live(agent, &scope, kind)?, ui),
        None => list(agent, &scope, ui)?,
    }
    Ok(())
}

/// The file that `word` stands for.
pub fn known(word: &str) -> Option<FileKind> {
    NAMES.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind)
}

fn show(excerpt: &Excerpt, ui: &mut Ui) {
    if ui.json() { ui.value(&ExcerptV1::from(excerpt)) } else { ui.content(&excerpt.content) }
}

fn list(agent: &Agent, scope: &Scope, ui: &mut Ui) -> Result<(), CliError> {
    let mut files = Vec::new();
    for row in FILES {
        match live(agent, scope, row.kind) {
            Ok(excerpt) => files.push(KnownFileV1 {
                path: row.path,
                bytes: excerpt.content.len(),
                first_line: first_line(&excerpt.content),
            }),
            Err(error) if error.code == Code::FileMissing => {}
            Err(error) => return Err(error.into()),
        }
    }
    if ui.json() {
        ui.value(&KnownFilesV1 { files });
        return Ok(());
    }
    for file in &files {
        ui.line(format!("{:<18} {:>9}  {}", file.path, grouped(file.bytes), file.first_line));
    }
    if files.is_empty() {
        ui.say("No agent files here; `inwit status --files` lists the notes.");
    }
    Ok(())
}

/// The current file; long-term memory also under OpenClaw's older name.
fn live(agent: &Agent, scope: &Scope, kind: FileKind) -> Result<Excerpt, EngineError> {
    match agent.notes.get(scope, kind.spec().path, Lines::default()) {
        Err(error) if error.code == Code::FileMissing && kind == FileKind::Memory => {
            match agent.notes.get(scope, "memory.md", Lines::default()) {
                // The error names the usual file name.
                Err(old) if old.code == Code::FileMissing => Err(error),
                got => got,
            }
        }
        got => got,
    }
}

/// The first line with words in it.
fn first_line(bytes: &[u8]) -> String {
    const CHARS_MAX: usize = 100;
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(CHARS_MAX).collect()
}
