//! Man pages of the program, from the very parser it runs.

use std::path::Path;

use clap::CommandFactory as _;

use crate::ui;

/// Writes `inwit.1` and one page for each subcommand, such as `inwit-search.1`, into `folder`.
pub fn write(folder: &Path) -> Result<bool, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(inwit_cli::args::Cli::command(), folder).map_err(failed)?;
    ui::line(&format!("wrote man pages into {}", folder.display()));
    Ok(true)
}
