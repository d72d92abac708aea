//! Which folder a reading command takes where none is named: the workspace that the current folder lies in.
//!
//! Hooks, MCP and commands that write never choose by the current folder. On a terminal the choice is shown; in a folder
//! of Markdown that is no workspace, a hint says how to search it.

use std::fs;
use std::path::Path;

use inwit_model::place::is_markdown_extension;
use inwit_settings::Settings;
use inwit_settings::agent::{Meant, mean_workspace_around, meant};

use crate::ui::Ui;

/// Most entries of the current folder that are looked through for Markdown.
const ENTRIES_MAX: usize = 1_000;

/// Means the workspace around `here`, where there is one and no other is named.
pub fn choose(settings: &mut Settings, here: &Path, ui: &mut Ui) {
    let named = meant(settings);
    if let Some(folder) = mean_workspace_around(settings, here) {
        ui.aside(format!("workspace: {}", folder.display()));
    } else if named == Meant::Nothing && has_markdown(here) {
        ui.aside("hint: to search the Markdown files of this folder, add `-w .`");
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
