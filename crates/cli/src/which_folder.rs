//! Which folder a reading command takes where none is named: the workspace that the current folder lies in.
//!
//! Hooks, MCP and commands that write never choose by the current folder. The choice is shown on stderr; in a folder of
//! Markdown that is no workspace, a hint says how to search it. An erasure names the workspace that it does not search.

use std::fs;
use std::path::Path;

use inwit_model::place::is_markdown_extension;
use inwit_settings::Settings;
use inwit_settings::agent::{Meant, choose as choose_agent, mean_workspace_around, meant, workspace_around};

use crate::ui::Ui;

/// Most entries of the current folder that are looked through for Markdown.
const ENTRIES_MAX: usize = 1_000;

/// Means the workspace around `here`, where there is one and no other is named.
pub fn choose(settings: &mut Settings, here: &Path, ui: &mut Ui) {
    let named = meant(settings);
    if let Some(folder) = mean_workspace_around(settings, here) {
        ui.say(format!("note: workspace: {}", folder.display()));
    } else if named == Meant::Nothing && has_markdown(here) {
        ui.aside("hint: to search the Markdown files of this folder, add `-w .`");
    }
}

/// Names the workspace around `here`, where an erasure does not search it.
pub fn name_unsearched(settings: &Settings, here: &Path, ui: &mut Ui) {
    let Some(folder) = workspace_around(settings, here) else { return };
    let chosen =
        choose_agent(&mut settings.clone()).ok().and_then(|place| place.workspace.canonicalize().ok());
    if chosen.as_ref() != Some(&folder) {
        let folder = folder.display();
        ui.say(format!("note: the workspace around this folder is not searched: {folder}"));
        ui.say("hint: add `-w DIR` with that folder to erase the words there");
    }
}

fn has_markdown(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let is_page = |entry: fs::DirEntry| {
        let name = entry.file_name();
        Path::new(&name).extension().and_then(|end| end.to_str()).is_some_and(is_markdown_extension)
    };
    entries.take(ENTRIES_MAX).filter_map(Result::ok).any(is_page)
}
