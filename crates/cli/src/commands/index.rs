//! `inwit index`: the index, which can be rebuilt at any time.

use std::path::Path;

use clap::{Args, Subcommand};
use inwit_engine::EmbedReport;
use inwit_engine::core::fit::grouped;
use inwit_home::OpenAgent;
use inwit_model::{Code, Scope};
use inwit_wire::{EmbeddedV1, RebuiltV1};

use super::model::{self, ModelArgs};
use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Rebuild the index and compute embeddings
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit index rebuild\n\
\x20 inwit index model install\n\
\x20 inwit index embed")]
pub struct IndexArgs {
    #[command(subcommand)]
    pub verb: IndexVerb,
}

/// What can be done with the index.
#[derive(Debug, Subcommand)]
pub enum IndexVerb {
    /// Rebuild the index from the files
    Rebuild,
    /// Compute embeddings of passages that have none, for search by meaning
    ///
    /// Needs a model (`inwit index model install`). You can interrupt it at any time; finished work is kept. New notes
    /// are embedded at the end of a session.
    Embed(EmbedArgs),
    Model(ModelArgs),
}

#[derive(Debug, Args)]
pub struct EmbedArgs {
    /// Maximum number of passages in this run [default: all]
    #[arg(long, value_name = "N", value_parser = crate::args::whole::<u32>(1, i64::from(u32::MAX)))]
    pub most: Option<u32>,
}

pub fn run(args: &IndexArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    if let IndexVerb::Model(args) = &args.verb {
        return model::run(args, &settings, here, ui);
    }
    let opened = compose::open(settings)?;
    opened.notices.iter().for_each(|notice| ui.notice(notice));
    ui.stops_on_interrupt();
    match &args.verb {
        IndexVerb::Rebuild => rebuild(&opened, ui),
        IndexVerb::Embed(args) => embed(args, &opened, ui),
        IndexVerb::Model(_) => Ok(()),
    }
}

fn embed(args: &EmbedArgs, opened: &OpenAgent, ui: &mut Ui) -> Result<(), CliError> {
    let mut left = args.most.map(|most| most as usize);
    let mut all = EmbedReport::default();
    for scope in opened.agent.notes.searched_scopes()? {
        let watch = &mut |done, of| ui.progress("embedding", done, of);
        let report = opened.agent.notes.embed(&scope, left, watch)?;
        left = left.map(|left| left.saturating_sub(report.embedded + report.failed + report.skipped));
        all.embedded += report.embedded;
        all.failed += report.failed;
        all.skipped += report.skipped;
        all.waiting += report.waiting;
        all.model = report.model;
        if report.is_stopped {
            let (done, waiting) = (grouped(all.embedded), grouped(all.waiting));
            let message = format!("Stopped: {done} passages embedded, {waiting} pending.");
            return Err(CliError::new(Code::Stopped, message));
        }
    }
    let facts = opened.agent.facts.fill_fact_vectors(left, &mut |_| {})?;
    // Unused vectors only take space: the next fill tries again.
    let _ = opened.agent.prune_vectors();
    ui.clear_progress();
    opened.agent.notes.vectors_lost().iter().for_each(|notice| ui.notice(notice));
    if ui.json() {
        ui.value(&EmbeddedV1::new(&all, facts.embedded));
        return Ok(());
    }
    ui.line(format!("{} passages embedded with {}.", grouped(all.embedded), all.model));
    if facts.embedded > 0 {
        ui.line(format!("{} facts embedded.", grouped(facts.embedded)));
    }
    if all.failed > 0 {
        ui.line(format!("{} were refused by the model; they are found by words only.", grouped(all.failed)));
    }
    if all.skipped > 0 {
        let count = grouped(all.skipped);
        ui.line(format!("{count} were skipped, because the model knows too few of their words."));
    }
    if all.waiting > 0 {
        ui.line(format!("{} pending.", grouped(all.waiting)));
    }
    Ok(())
}

fn rebuild(opened: &OpenAgent, ui: &mut Ui) -> Result<(), CliError> {
    let (report, notices) =
        opened.agent.notes.rebuild(&Scope::Main, &mut |done, of| ui.progress("indexing", done, of))?;
    ui.clear_progress();
    notices.iter().for_each(|notice| ui.notice(notice));
    if ui.json() {
        ui.value(&RebuiltV1 { files: report.files, unread: report.unread.len() });
    } else {
        ui.line(format!(
            "Rebuilt from {} files; rooms are indexed when they are searched.",
            grouped(report.files)
        ));
    }
    Ok(())
}
