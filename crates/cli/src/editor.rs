//! The owner's own editor, on a private copy.
//!
//! Invariant: what was edited is not lost: when it cannot be used, the copy stays and its path is told.

use std::io::{self, IsTerminal as _};
use std::process::Command;

use inwit_model::Code;

use crate::error::CliError;

/// Lets the owner edit `bytes` in `$VISUAL` or `$EDITOR`; `name` tells the editor which language it is.
#[expect(clippy::disallowed_methods, reason = "this is where the owner's editor is started")]
pub fn edit(bytes: &[u8], name: &str) -> Result<Vec<u8>, CliError> {
    if !io::stdin().is_terminal() {
        return Err(CliError::new(Code::UsageBad, "An editor needs a terminal.")
            .hint("Pass the content with `--with FILE` (inbox) or `--content-from FILE` (edit)."));
    }
    let program =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|text| !text.is_empty()));
    let program = program.unwrap_or_else(|| "vi".to_owned());
    let failed = |what: &str, error: io::Error| CliError::new(Code::WriteFailed, format!("{what}: {error}."));
    let last = name.rsplit('/').next().unwrap_or(name);
    let copy = tempfile::Builder::new()
        .prefix("inwit-")
        .suffix(&format!("-{last}"))
        .tempfile()
        .map_err(|error| failed("No copy could be made for the editor", error))?;
    io::Write::write_all(&mut copy.as_file(), bytes)
        .map_err(|error| failed("The copy could not be written", error))?;
    let mut words = program.split_whitespace();
    let status = Command::new(words.next().unwrap_or("vi"))
        .args(words)
        .arg(copy.path())
        .status()
        .map_err(|error| failed(&format!("The editor `{program}` could not be started"), error))?;
    if !status.success() {
        let kept = copy.keep().map(|(_, path)| path.display().to_string()).unwrap_or_default();
        return Err(CliError::new(
            Code::WriteFailed,
            format!("The editor `{program}` ended with an error; nothing was written."),
        )
        .hint(format!("What you edited is in {kept}.")));
    }
    std::fs::read(copy.path()).map_err(|error| failed("The edited copy cannot be read", error))
}
