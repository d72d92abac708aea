//! The commit message of a receipt.

use std::sync::Arc;

use inwit_model::{Actor, Deed};
use inwit_store::memory::Receipt;
use inwit_workspace::history::{Commit, trailer};

use crate::history::beginning::is_seed;

/// Longest subject of a commit, in characters.
const SUBJECT_CHARS_MAX: usize = 72;

/// The content of a file after a receipt.
pub enum After {
    /// These bytes, `None` if it was removed.
    Known(Option<Arc<[u8]>>),
    /// Unknown: the receipt becomes an empty commit, since a part is not the whole.
    Unknown,
}

/// The base content of `receipt`'s file when its history was recreated.
pub fn found_commit(receipt: &Receipt, bytes: Arc<[u8]>) -> Commit {
    Commit {
        subject: format!("first record of {}", receipt.name).chars().take(SUBJECT_CHARS_MAX).collect(),
        body: "An earlier history of it is gone.".to_owned(),
        at: receipt.at,
        actor: Actor::External.to_string(),
        trailers: Vec::new(),
        changes: vec![(receipt.name.clone(), Some(bytes))],
    }
}

/// The word for a change; the log of receipts has `put`.
fn verb(deed: Deed) -> &'static str {
    match deed {
        Deed::Put => "change",
        other => other.word(),
    }
}

pub fn commit_of(receipt: &Receipt, after: After) -> Commit {
    let named = ["dream: ", "session-close: "];
    let is_named = matches!(receipt.actor, Actor::Dream | Actor::Engine)
        && named.iter().any(|prefix| receipt.reason.starts_with(prefix));
    let (subject, body) = if is_named {
        (receipt.reason.clone(), String::new())
    } else {
        (format!("{} {}", verb(receipt.deed), receipt.name), receipt.reason.clone())
    };
    let mut trailers = vec![(trailer::RECEIPT, receipt.id.to_string())];
    let session = receipt.session.as_ref().map(|session| (trailer::SESSION, session.to_string()));
    let proposal = receipt.proposal.as_ref().map(|proposal| (trailer::PROPOSAL, proposal.to_string()));
    trailers.extend(session.into_iter().chain(proposal));
    trailers.push((trailer::TAINT, receipt.taint.to_string()));
    if receipt.actor == Actor::External {
        trailers.push((trailer::FILE, receipt.name.to_string()));
    }
    // Found before its first change, and still the seed: not an external change.
    let is_seed = receipt.actor == Actor::External
        && receipt.base.is_none()
        && matches!(&after, After::Known(Some(bytes)) if is_seed(&receipt.name, bytes));
    let actor = if is_seed { Actor::Engine } else { receipt.actor };
    Commit {
        subject: subject.chars().take(SUBJECT_CHARS_MAX).collect(),
        body,
        at: receipt.at,
        actor: actor.to_string(),
        trailers,
        changes: match after {
            After::Known(bytes) => vec![(receipt.name.clone(), bytes)],
            After::Unknown => Vec::new(),
        },
    }
}
