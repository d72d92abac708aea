//! `inwit history audit`: the audit log, and its verification.

use clap::{Args, Subcommand};
use inwit_model::plural::counted;
use inwit_model::time;
use inwit_wire::{AuditRowsV1, AuditVerifiedV1};

use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Default number of rows.
const ROWS_DEFAULT: u16 = 20;

/// Show the audit log
///
/// Every change, proposal and decision adds a row, and each row contains the hash of the row before. Rows contain names,
/// ids and hashes, but never the text of a file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit history audit verify\n\
\x20 inwit history audit show -n 50")]
pub struct AuditArgs {
    #[command(subcommand)]
    pub verb: AuditVerb,
}

/// What can be asked.
#[derive(Debug, Subcommand)]
pub enum AuditVerb {
    /// Verify the hash chain; if a row was changed, exit with status 1
    Verify,
    /// Show rows, newest first
    Show(ShowArgs),
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Maximum number of rows [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, i64::from(u16::MAX)))]
    pub limit: Option<u16>,
}

pub fn run(args: &AuditArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    match &args.verb {
        AuditVerb::Verify => {
            let head = agent.core.audit_verify()?;
            if ui.json() {
                let rows = head.map_or(0, |head| head.rows);
                ui.value(&AuditVerifiedV1 { rows, head: head.map(|head| head.hash.to_string()) });
            } else {
                ui.line(match head {
                    Some(head) => {
                        format!(
                            "The audit log is intact: {}, last hash {}",
                            counted(head.rows, "row"),
                            head.hash
                        )
                    }
                    None => "The audit log is empty.".to_owned(),
                });
            }
        }
        AuditVerb::Show(args) => {
            let rows = agent.core.audit_rows(usize::from(args.limit.unwrap_or(ROWS_DEFAULT)))?;
            if ui.json() {
                ui.value(&AuditRowsV1::from(rows.as_slice()));
                return Ok(());
            }
            for row in &rows {
                let at = time::minute(row.at);
                ui.line(format!("{:>6}  {at}  {:<8}  {:<8}  {}", row.seq, row.actor, row.verb, row.target));
                if row.detail != "{}" {
                    ui.line(format!("        {}", row.detail));
                }
                if let Some(reason) = &row.reason {
                    ui.line(format!("        reason: {reason}"));
                }
            }
            if rows.is_empty() {
                ui.say("The audit log is empty.");
            }
        }
    }
    Ok(())
}
