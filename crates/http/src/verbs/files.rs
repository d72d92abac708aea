//! Files of a workspace: list, read, replace, create, remove.
//!
//! Invariant: a person reads stored bytes, and everyone else masked text with its own hash, so that no answer allows
//! testing guesses of a masked value; a file is changed only over the version that the caller read (X5, W24).

use inwit_engine::{Lines, Outcome};
use inwit_home::OpenAgent;
use inwit_model::{Code, Sha256};
use inwit_wire::tools::KeptV1;
use inwit_wire::{FileListV1, ListedFileV1};

use super::Answered;
use crate::call::Call;
use crate::precondition::{Expected, is_known};
use crate::problem::Problem;
use crate::reply::Reply;

/// `GET …/files`.
pub(super) fn list(opened: &OpenAgent, call: &Call) -> Answered {
    let entries = opened.agent.notes.entries(&call.scope)?;
    let is_person = call.caller.consent().is_some();
    let row = |entry| {
        let row = ListedFileV1::from(entry);
        ListedFileV1 { bytes: row.bytes.filter(|_| is_person), ..row }
    };
    Ok(Reply::json(&FileListV1 { files: entries.iter().map(row).collect() }))
}

/// `GET …/files/{path}`.
pub(super) fn read(opened: &OpenAgent, call: &Call) -> Answered {
    let (bytes, sha256) = seen(opened, call, call.part("path"))?;
    match is_known(&call.headers, sha256) {
        true => Ok(Reply::Unmodified(sha256)),
        false => Ok(Reply::File(bytes, sha256)),
    }
}

/// A file as the caller may read it, and the hash of that.
pub(super) fn seen(opened: &OpenAgent, call: &Call, path: &str) -> Result<(Vec<u8>, Sha256), Problem> {
    let notes = &opened.agent.notes;
    match call.caller.consent() {
        Some(_) => {
            let file = notes.get(&call.scope, path, Lines::default())?;
            Ok((file.content, file.sha256))
        }
        None => {
            let (file, _) = notes.get_masked(&call.scope, path, Lines::default())?;
            Ok((file.content.into_string().into_bytes(), file.sha256))
        }
    }
}

/// `PUT …/files/{path}`.
pub(super) fn write(opened: &OpenAgent, call: &Call) -> Answered {
    replace(opened, call, Some(&call.body), Expected::of(&call.headers)?)
}

/// `DELETE …/files/{path}`.
pub(super) fn remove(opened: &OpenAgent, call: &Call) -> Answered {
    match Expected::of(&call.headers)? {
        Expected::Nothing => Err(Problem::new(Code::UsageBad, "A file is removed with `If-Match`.")),
        expected => replace(opened, call, None, expected),
    }
}

fn replace(opened: &OpenAgent, call: &Call, content: Option<&[u8]>, expected: Expected) -> Answered {
    let path = call.part("path");
    let outcome = replaced(opened, call, path, content, expected)?;
    let sha256 = hash_after(opened, call, path, &outcome).filter(|_| content.is_some());
    Ok(Reply::json(&KeptV1 { sha256: sha256.map(|hash| hash.to_string()), ..KeptV1::from(&outcome) }))
}

/// The outcome of a change over the expected version.
pub(super) fn replaced(
    opened: &OpenAgent,
    call: &Call,
    path: &str,
    content: Option<&[u8]>,
    expected: Expected,
) -> Result<Outcome, Problem> {
    let behalf = call.caller.behalf(&opened.agent, &call.scope, call.reason());
    let (_, outcome) = opened.agent.notes.replace(&call.scope, path, content, expected.hash(), &behalf)?;
    Ok(outcome)
}

/// The proposal that a change became.
pub(super) fn proposal(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Pending { id, .. } => Some(id.to_string()),
        Outcome::Applied { .. } | Outcome::Unchanged(_) => None,
    }
}

/// The hash of the version that the caller knows after its change: what it wrote, not what others wrote since.
pub(super) fn hash_after(opened: &OpenAgent, call: &Call, path: &str, outcome: &Outcome) -> Option<Sha256> {
    match (outcome, call.caller.consent()) {
        (Outcome::Applied { receipt, .. }, Some(_)) => receipt.result,
        (Outcome::Applied { receipt, .. }, None) => {
            // With a masked part, the hash is that of the masked text, if it is still there.
            let now = opened.agent.notes.get(&call.scope, path, Lines::default()).ok()?;
            let is_own = receipt.result == Some(now.sha256);
            is_own.then(|| opened.agent.notes.hash_masked(&call.scope, path)).flatten()
        }
        _ => seen(opened, call, path).ok().map(|(_, sha256)| sha256),
    }
}
