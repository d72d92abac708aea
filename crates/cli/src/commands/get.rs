//! `inwit show`: a file or lines of it, as stored.

use clap::Args;
use inwit_engine::notes::get::parse_address;
use inwit_wire::{AsOfV1, ExcerptV1};

use crate::args::{AsOfArgs, ScopeArgs};
use crate::compose;
use crate::error::CliError;
use crate::rooms::refuse_mistyped;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Print a file of the workspace, or some of its lines
///
/// Takes what a search cites: `memory/2026-11-21.md#L3-L9` as well as `memory/2026-11-21.md:3-9`. A file
/// is printed byte for byte; on a terminal, invisible characters are made visible. A file that the scope may not see is
/// reported as missing.
#[derive(Debug, Args)]
pub struct GetArgs {
    /// PATH, PATH:LINE, PATH:FROM-TO, or a citation
    #[arg(value_name = "PATH[:FROM[-TO]]")]
    pub address: String,
    #[command(flatten)]
    pub scope: ScopeArgs,
    #[command(flatten)]
    pub as_of: AsOfArgs,
}

pub fn run(args: &GetArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let scope = args.scope.parse()?;
    let (path, lines) = parse_address(&args.address)?;
    let opened = compose::open_files(settings)?;
    refuse_mistyped(&scope, &opened.chosen.workspace, ui)?;
    let past = args.as_of.open(&opened.agent, &scope)?;
    past.iter().flat_map(|past| past.notices()).for_each(|notice| ui.notice(notice));
    let excerpt = match &past {
        Some(past) => past.get(&path, lines)?,
        None => {
            let path = opened.agent.notes.file_called(&scope, &path)?;
            opened.agent.notes.get(&scope, &path, lines)?
        }
    };
    if ui.json() {
        let as_of = past.as_ref().map(|past| AsOfV1::from(past.of()));
        ui.value(&ExcerptV1 { as_of, ..ExcerptV1::from(&excerpt) });
    } else {
        ui.content(&excerpt.content);
    }
    Ok(())
}
