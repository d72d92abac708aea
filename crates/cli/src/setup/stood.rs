//! Entries that ran inwit in a host's files before setup.
//!
//! Invariant: they are the user's, in any form, and `--uninstall` keeps them.

use std::path::Path;

use inwit_model::Code;

use super::foreign;
use super::hosts::{ENTRY, Wishes};
use super::receipt::{Put, Receipt, Stood};
use super::wish::{InTheWay, Wish};
use crate::error::CliError;

/// Their record.
pub fn of(known: Option<&Put>) -> Stood {
    known.map_or_else(Stood::new, |known| known.stood.clone())
}

/// The record after our entries were removed from the file at `path`, which then has the content `text`. It marks the
/// remaining entries as the user's for the next setup.
pub fn put(path: &Path, text: &str, wishes: &[Wish], known: Option<&Put>) -> Result<Option<Put>, String> {
    let (mut stood, standing) = (of(known), standing(text, wishes)?);
    stood.retain(|entry| standing.contains(entry));
    Ok(Put::nothing(path, text, stood))
}

/// The notice that an entry is kept.
pub fn left(what: &str, path: &Path) -> String {
    format!("`{what}` in {} is yours and stays unchanged.", path.display())
}

/// The error for a user's own server in our place.
pub fn taken(path: &Path, theirs: &InTheWay) -> CliError {
    let (path, shown) = (path.display(), &theirs.shown);
    if theirs.has_additions {
        let message = format!("The server `{ENTRY}` in {path} has additions of yours: `{shown}`.");
        let hint = "Nothing was changed. Remove them, or the server, then run the same command again.";
        return CliError::new(Code::ServerForeign, message).hint(hint);
    }
    let message = format!("The server `{ENTRY}` in {path} is one of your own: `{shown}`.");
    CliError::new(Code::ServerForeign, message)
}

/// Entries of `text` that run inwit, in the form that we write.
fn standing(text: &str, wishes: &[Wish]) -> Result<Stood, String> {
    // Each hook wish recognises those of all events.
    let hook = wishes.iter().find(|wish| matches!(wish, Wish::Hook { .. }));
    let others = wishes.iter().filter(|wish| !matches!(wish, Wish::Hook { .. }));
    Ok(hook
        .into_iter()
        .chain(others)
        .map(|wish| wish.standing(text))
        .collect::<Result<Vec<_>, _>>()?
        .concat())
}

/// The receipt with entries of files without insertions. It is stored first, because a refused setup has inserted
/// nothing.
pub fn noted(wishes: &Wishes, mut known: Receipt, state: &Path, host: &str) -> Result<Receipt, CliError> {
    let files = known.files.len();
    for (path, wishes) in wishes {
        if known.of(path).is_none() {
            // The plan reports a file that cannot be read.
            let text = foreign::read(path).ok().flatten().unwrap_or_default();
            let stood = standing(&text, wishes).unwrap_or_default();
            known.files.extend(Put::nothing(path, &text, stood));
        }
    }
    if known.files.len() > files {
        known.keep(state, host)?;
    }
    Ok(known)
}
