//! `inwit index`: the derived index, which may be thrown away at any time.

use clap::{Args, Subcommand};
use inwit_engine::prompt::fit::grouped;
use inwit_model::Scope;
use serde::Serialize;

use crate::compose;
use crate::error::CliError;
use crate::settings::Settings;
use crate::ui::Ui;

/// Build the index anew
#[derive(Debug, Args)]
pub struct IndexArgs {
    #[command(subcommand)]
    pub verb: IndexVerb,
}

/// What can be done with the index.
#[derive(Debug, Subcommand)]
pub enum IndexVerb {
    /// Drop the index and build it anew from the files
    Rebuild,
}

/// What a rebuild did, as JSON.
#[derive(Serialize)]
struct RebuiltV1 {
    files: usize,
    unread: usize,
}

pub fn run(args: &IndexArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let IndexVerb::Rebuild = args.verb;
    let opened = compose::open(settings)?;
    opened.notices.iter().for_each(|notice| ui.notice(notice));
    let (report, notices) =
        opened.agent.rebuild(&Scope::Main, &mut |done, of| ui.progress("indexing", done, of))?;
    ui.clear_progress();
    notices.iter().for_each(|notice| ui.notice(notice));
    if ui.json() {
        ui.value(&RebuiltV1 { files: report.files, unread: report.unread.len() });
    } else {
        ui.line(format!(
            "Built anew from {} files; rooms are built when they are asked.",
            grouped(report.files)
        ));
    }
    Ok(())
}
