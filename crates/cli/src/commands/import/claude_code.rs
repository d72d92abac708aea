//! `inwit import claude-code`: proposes Claude Code's memory of a project.

use std::path::{Path, PathBuf};

use clap::Args;
use inwit_engine::notes::import::{Action, ClaudeCode, Import, Source, slug};
use inwit_model::Code;
use inwit_model::plural::counted;
use inwit_wire::{ImportProposedV1, ImportStepV1};
use inwit_workspace::FsFiles;

use super::{other_system, refused, show, show_refused, status};
use crate::error::CliError;
use crate::setup::{Host, Places};
use crate::ui::Ui;
use crate::{compose, person};
use inwit_settings::Settings;

/// Propose what Claude Code remembers of a project
///
/// Shows what would be proposed; `--apply` proposes it. Each file waits in `inwit inbox` with its source. When
/// you approve it, it becomes a note below notes/claude-code/, byte for byte. A second run proposes no file
/// twice, and no file that you rejected. Exit status 5 if the gate refuses a file.
#[derive(Debug, Args)]
pub struct ClaudeCodeArgs {
    /// Folder with MEMORY.md [default: that of the current project, below ~/.claude/projects]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Propose the files that the preview shows
    #[arg(long)]
    pub apply: bool,
    #[command(flatten)]
    pub preview: crate::args::PreviewArgs,
}

/// The exit status: refusal if the gate refused a file.
pub fn run(args: &ClaudeCodeArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    let places = Places::of(&settings);
    let path = args.dir.as_ref().map_or_else(|| project_memory(&places, here), |dir| here.join(dir));
    let files = FsFiles::open(&path).map_err(|error| unread(&path, error.code))?;
    let landmarks = files.landmarks()?;
    let source = Source { files: &files, landmarks: &landmarks, path: &path, include: &[] };
    let import = Import { importer: &ClaudeCode, source: &source, owner: &person::owner() };
    let opened = compose::open_files(settings)?;
    let mut plan = opened.agent.notes.plan_import(&import)?;
    if args.apply {
        opened.agent.notes.import(&import, &mut plan)?;
    }
    let steps = plan.steps.iter().map(ImportStepV1::from).chain(plan.left.iter().map(ImportStepV1::from));
    let wire = ImportProposedV1 {
        source: path.display().to_string(),
        target: ClaudeCode::folder(&path),
        applied: args.apply,
        proposed: plan.count(|step| matches!(step.action, Action::Propose(_))),
        waiting: plan.count(|step| matches!(step.action, Action::Waits(_))),
        refused: refused(&plan),
        findings: plan.classes(),
        steps: steps.collect(),
    };
    if ui.json() {
        ui.value(&wire);
    } else {
        tell(&wire, ui);
        other_system(&import, ui);
    }
    Ok(status(wire.refused))
}

/// Why the folder cannot be read.
fn unread(source: &Path, code: Code) -> CliError {
    let message = format!(
        "`{}` is not a folder in which Claude Code stores the memory of a project.",
        source.display()
    );
    CliError::new(code, message)
        .hint("Run it inside the project, or name the folder with MEMORY.md: `inwit import claude-code DIR`.")
}

/// Claude Code's memory folder for the project of `here`.
fn project_memory(places: &Places, here: &Path) -> PathBuf {
    let root = here.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(here);
    let host = Host::named("claude-code");
    let folder = host.map_or_else(|| places.home.join(".claude"), |host| host.folder(places));
    folder.join("projects").join(slug(&root.display().to_string())).join("memory")
}

fn tell(wire: &ImportProposedV1, ui: &mut Ui) {
    ui.line(format!("from {}", wire.source));
    ui.line(format!("to   {}", wire.target));
    show(wire.steps.iter(), ui);
    match (wire.applied, wire.proposed) {
        (false, 0) => ui.line("Nothing would be proposed."),
        (false, count) => ui.line(format!(
            "{} would be proposed for your approval; `--apply` proposes them.",
            counted(count, "file")
        )),
        (true, 0) => ui.line("Nothing was proposed."),
        (true, count) => {
            ui.line(format!("Proposed {} for your approval: `inwit inbox`.", counted(count, "file")))
        }
    }
    if wire.waiting > 0 {
        ui.line(format!(
            "Pending since an earlier run: {}; see `inwit inbox`.",
            counted(wire.waiting, "file")
        ));
    }
    show_refused(wire.refused, wire.applied, ui);
}
