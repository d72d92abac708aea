//! Shell completion of values: agents, settings, rooms and workspace files.
//!
//! Invariant: completion opens no agent and writes nothing; unreadable values are not offered.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Elvish, Fish, Shells, Zsh};
use inwit_model::place::is_markdown_extension;
use inwit_settings::table::SETTINGS;
use inwit_settings::{Layers, Origin, Settings, Value, agent};

use crate::{args, help};

pub mod shell;

/// The shells that inwit completes for.
pub const SHELLS: Shells<'static> =
    Shells(&[&shell::QuotedBash, &Elvish, &Fish, &shell::PlainPowershell, &Zsh]);

/// The environment variable by which the script of a shell asks for completions.
pub const VARIABLE: &str = "INWIT_COMPLETE";

/// Most files of a workspace that are offered, and folders that are read for them.
const FILES_MAX: usize = 2_000;

/// Answers a completion request and exits, if [`VARIABLE`] is set.
pub fn answer_shell() {
    use clap::CommandFactory as _;
    let command = || help::grouped(args::Cli::command());
    CompleteEnv::with_factory(command).var(VARIABLE).bin("inwit").shells(SHELLS).complete();
}

/// The ids of the agents of this home.
pub fn agents() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| candidates(typed, settings().map(|of| of.paths.agent_ids())))
}

/// The keys of the settings.
pub fn settings_keys() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let typed = typed.to_string_lossy();
        let rows = SETTINGS.iter().filter(|row| row.key.starts_with(&*typed));
        rows.map(|row| CompletionCandidate::new(row.key).help(Some(row.about.into()))).collect()
    })
}

/// The rooms that have a file.
pub fn rooms() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        candidates(typed, workspace().map(|folder| crate::rooms::all(&folder)))
    })
}

/// The Markdown files of the workspace.
pub fn files() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        candidates(typed, workspace().map(|folder| markdown_below(&folder)))
    })
}

fn candidates(typed: &OsStr, of: Option<Vec<String>>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    // A shell prints what it is offered: a name that a terminal would obey is not.
    let names = of.into_iter().flatten().filter(|name| name.starts_with(&*typed));
    let names = names.filter(|name| shell::is_one_line(name));
    names.map(CompletionCandidate::new).collect()
}

/// The settings for the current words of the line.
#[expect(clippy::disallowed_methods, reason = "a shell asks by arguments and environment")]
fn settings() -> Option<Settings> {
    let words: Vec<String> = std::env::args().collect();
    let behind = |flags: &[&str]| {
        let at = words.iter().position(|word| flags.contains(&word.as_str()))?;
        words.get(at + 1).cloned()
    };
    let mut said = Vec::new();
    if let Some(agent) = behind(&["--agent"]) {
        said.push(("agent", Value { text: agent, origin: Origin::Flag("--agent") }));
    }
    if let Some(folder) = behind(&["-w", "--workspace"]) {
        let text = crate::current_folder().join(folder).display().to_string();
        said.push(("workspace", Value { text, origin: Origin::Flag("--workspace") }));
    }
    Settings::read(Layers::lenient(), &|name| std::env::var(name).ok(), said).ok()
}

fn workspace() -> Option<PathBuf> {
    let mut settings = settings()?;
    agent::mean_workspace_around(&mut settings, &crate::current_folder());
    Some(agent::choose(&mut settings).ok()?.workspace)
}

/// Paths of Markdown files below `folder`, hidden folders left out.
fn markdown_below(folder: &Path) -> Vec<String> {
    let (mut found, mut open, mut read) = (Vec::new(), vec![folder.to_owned()], 0);
    while let Some(next) = open.pop() {
        read += 1;
        if read > FILES_MAX || found.len() >= FILES_MAX {
            break;
        }
        for entry in std::fs::read_dir(&next).into_iter().flatten().filter_map(Result::ok) {
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden => open.push(path),
                Ok(kind) if kind.is_file() && !is_hidden => {
                    let end = path.extension().and_then(OsStr::to_str);
                    if end.is_some_and(is_markdown_extension)
                        && let Ok(name) = path.strip_prefix(folder)
                    {
                        found.extend(name.to_str().map(str::to_owned));
                    }
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_terminal_would_obey_is_not_offered() {
        let names = ["notes.md", "no\u{1b}]0;x\u{7}.md", "no\ntes.md", "no\u{202e}tes.md", "other.md"];
        let offered = candidates(OsStr::new("no"), Some(names.map(str::to_owned).to_vec()));
        let offered: Vec<&OsStr> = offered.iter().map(CompletionCandidate::get_value).collect();
        assert_eq!(offered, ["notes.md"]);
    }
}
