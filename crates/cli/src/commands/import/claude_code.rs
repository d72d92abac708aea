//! `inwit import claude-code`: the files in which Claude Code keeps what it learned of a project.
//!
//! They were written by a model from whatever it read, so nobody vouches for them: each becomes a proposal
//! that says where it came from, byte for byte, and a person decides. Invariant: nothing of theirs is read
//! into a prompt before that, and the source is only read.

use std::path::{Path, PathBuf};

use clap::Args;
use inwit_engine::record::AuditDetail;
use inwit_engine::write::Foreseen;
use inwit_gate::{Author, Change};
use inwit_home::Opened;
use inwit_model::ports::{Content, Folder};
use inwit_model::{Code, Files, Op, SafeName};
use inwit_wire::StepV1;
use inwit_workspace::FsFiles;
use serde::Serialize;

use super::skipped;
use crate::compose;
use crate::error::CliError;
use crate::settings::Settings;
use crate::setup::{Host, Places};
use crate::ui::Ui;

/// Where imported files stand in the workspace.
const TARGET_FOLDER: &str = "notes/claude-code";

/// Propose what Claude Code remembers of a project
///
/// Shows what would be proposed; `--apply` proposes it. Each file waits in `inwit inbox` with the place it
/// came from, and becomes a note below notes/claude-code/ when you approve it, byte for byte. A second run
/// proposes nothing twice, and nothing that you rejected. Exit status 5 when the gate refuses a file.
#[derive(Debug, Args)]
pub struct ClaudeCodeArgs {
    /// The folder with MEMORY.md [default: that of the project here, below ~/.claude/projects]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Propose what the preview showed
    #[arg(long)]
    pub apply: bool,
}

/// What was or would be proposed, as JSON.
#[derive(Serialize)]
struct ProposedV1 {
    source: String,
    target: String,
    applied: bool,
    /// Newly.
    proposed: usize,
    /// Since an earlier run.
    waiting: usize,
    refused: usize,
    steps: Vec<StepV1>,
}

/// The exit status: that of the gate when it refused a file.
pub fn run(args: &ClaudeCodeArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    let places = Places::of(&settings);
    let source = args.dir.as_ref().map_or_else(|| project_memory(&places, here), |dir| here.join(dir));
    let files = FsFiles::open(&source).map_err(|error| unread(&source, error.code))?;
    let opened = compose::open_files(settings)?;
    let listing = files.list(&[Folder { path: String::new(), deep: true }])?;
    let folder = format!("{TARGET_FOLDER}/{}", project(&source));
    if args.apply {
        let detail =
            AuditDetail::default().with("system", "claude-code").with("files", listing.entries.len());
        opened.agent.record("import", &source.display().to_string(), detail)?;
    }
    let one = |name: &SafeName| step(&opened, &files, &source, &folder, name, args.apply);
    let mut steps: Vec<StepV1> = listing.entries.iter().map(|entry| one(&entry.name)).collect();
    steps.extend(listing.skipped.iter().map(skipped));
    let count = |action: &str| steps.iter().filter(|step| step.action == action).count();
    let wire = ProposedV1 {
        source: source.display().to_string(),
        target: folder.clone(),
        applied: args.apply,
        proposed: count("propose"),
        waiting: count("waits"),
        refused: count("refused"),
        steps,
    };
    let status = if wire.refused == 0 { 0 } else { Code::Refused.spec().exit };
    if ui.json() {
        ui.value(&wire);
    } else {
        tell(&wire, ui);
    }
    Ok(status)
}

/// What becomes of one file.
fn step(
    opened: &Opened,
    files: &FsFiles,
    source: &Path,
    folder: &str,
    name: &SafeName,
    apply: bool,
) -> StepV1 {
    let told =
        |action: &'static str, reason: Option<String>| StepV1 { path: name.to_string(), action, reason };
    let content = match files.read(name) {
        Ok(content) => content,
        Err(error) => return told("skip", Some(error.message)),
    };
    let target = match SafeName::parse(&format!("{folder}/{name}")) {
        Ok(target) => target,
        Err(error) => return told("skip", Some(error.to_string())),
    };
    match opened.files.read(&target) {
        Ok(there) if there.sha256 == content.sha256 => return told("same", None),
        Ok(_) => return told("conflict", Some(format!("{target} is another file and stays."))),
        Err(error) if error.code == Code::FileMissing => {}
        Err(error) => return told("conflict", Some(error.message)),
    }
    let change = change(target, &content, &source.join(name.as_str()));
    // What the preview says is what would happen: the gate is asked for both.
    let foreseen = match opened.agent.foresee(&change) {
        Ok(wanted @ (Foreseen::Pending | Foreseen::Written)) if apply => {
            opened.agent.write(change).map(|_| wanted)
        }
        foreseen => foreseen,
    };
    match foreseen {
        Ok(Foreseen::Pending) => told("propose", None),
        Ok(Foreseen::Written) => told("write", None),
        Ok(Foreseen::Waits(id)) => told("waits", Some(format!("It waits already, as {id}."))),
        Ok(Foreseen::Unchanged) => told("same", None),
        Err(error) if error.code == Code::RejectedBefore => told("skip", Some(error.message)),
        Err(error) => told("refused", Some(error.message)),
    }
}

fn change(target: SafeName, content: &Content, from: &Path) -> Change {
    let reason = format!("From Claude Code, sha256 {}: {}", content.sha256.short(16), from.display());
    Change::new(target, Op::Put(content.bytes.clone()), None, Author::IMPORT).because(&reason)
}

/// Why the folder cannot be looked into.
fn unread(source: &Path, code: Code) -> CliError {
    let message = format!("`{}` is no folder in which Claude Code remembers a project.", source.display());
    CliError::new(code, message)
        .hint("Run it inside the project, or name the folder with MEMORY.md: `inwit import claude-code DIR`.")
}

/// The folder in which Claude Code remembers the project of `here`.
fn project_memory(places: &Places, here: &Path) -> PathBuf {
    let root = here.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(here);
    let host = Host::named("claude-code");
    let folder = host.map_or_else(|| places.home.join(".claude"), |host| host.folder(places));
    folder.join("projects").join(slug(&root.display().to_string())).join("memory")
}

/// A path as Claude Code names its project: everything but ASCII letters and digits is a hyphen, one for
/// each UTF-16 unit.
fn slug(path: &str) -> String {
    let unit = |unit: u16| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    };
    path.encode_utf16().map(unit).collect()
}

/// What the notes of a source are filed under: its project's name, or its own.
fn project(source: &Path) -> String {
    let named = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let own = named(source).unwrap_or_default();
    let name = if own == "memory" { source.parent().and_then(named).unwrap_or(own) } else { own };
    let name = slug(&name);
    let name = name.trim_matches('-');
    if name.is_empty() { "memory".to_owned() } else { name.to_owned() }
}

fn tell(wire: &ProposedV1, ui: &mut Ui) {
    ui.line(format!("from {}", wire.source));
    ui.line(format!("to   {}", wire.target));
    for step in &wire.steps {
        let reason = step.reason.as_ref().map_or_else(String::new, |reason| format!("  {reason}"));
        ui.line(format!("{:<9} {}{reason}", step.action, step.path));
    }
    match (wire.applied, wire.proposed) {
        (false, 0) => ui.line("Nothing would be proposed."),
        (false, count) => {
            ui.line(format!("{count} file(s) would wait for your word; `--apply` proposes them."))
        }
        (true, 0) => ui.line("Nothing was proposed."),
        (true, count) => ui.line(format!("{count} file(s) wait for your word: `inwit inbox`.")),
    }
    if wire.waiting > 0 {
        ui.line(format!("{} file(s) wait since an earlier run: `inwit inbox`.", wire.waiting));
    }
    if wire.refused > 0 {
        let verb = if wire.applied { "were" } else { "would" };
        let rest = if wire.applied { "not taken" } else { "not be taken" };
        ui.line(format!("{} file(s) {verb} {rest}; the reason stands beside each.", wire.refused));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_named_as_claude_code_names_it() {
        assert_eq!(slug("/home/ana/my_app.rs"), "-home-ana-my-app-rs");
        assert_eq!(slug("/ñ/😀"), "-----");
        assert_eq!(project(Path::new("/h/.claude/projects/-home-ana-app/memory")), "home-ana-app");
        assert_eq!(project(Path::new("/backup/of app")), "of-app");
        assert_eq!(project(Path::new("/")), "memory");
    }
}
