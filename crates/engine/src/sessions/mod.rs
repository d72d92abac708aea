//! Sessions: prompts, turns and hooks.
//!
//! Reading order: [`prompt`] (building a prompt), [`session`] (start, turn, end), [`soul_watch`], [`decide`]
//! (recording decisions), [`hook`] (calls of a host), [`reviewing`] (a language model reads a session).

mod decide;
pub mod hook;
pub mod prompt;
pub mod reviewing;
pub mod session;
pub mod soul_watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use inwit_model::fact::When;
use inwit_workspace::transcripts::redact::Redaction;

use crate::{Core, History, Learning, Notes};

/// Location of transcripts.
#[derive(Clone)]
pub struct TranscriptHome {
    /// The folder.
    pub folder: PathBuf,
    /// Redaction before writing.
    pub redaction: Option<Redaction>,
    /// When an append stops waiting for another process; `None`: the default.
    pub wait_until: Option<Instant>,
}

/// The sessions area of an agent.
pub struct Sessions {
    pub(crate) core: Arc<Core>,
    pub(crate) history: Arc<History>,
    pub(crate) notes: Arc<Notes>,
    pub(crate) learning: Arc<Learning>,
    /// The transcripts, `None` if there are none.
    pub(crate) transcripts: Option<TranscriptHome>,
    /// The time filters of facts in its prompts.
    pub(crate) facts_at: When,
}

impl Sessions {
    /// Sessions over `learning`.
    pub(crate) fn new(learning: &Arc<Learning>, transcripts: Option<TranscriptHome>, facts_at: When) -> Self {
        let notes = Arc::clone(&learning.notes);
        Self {
            core: Arc::clone(&notes.core),
            history: Arc::clone(&notes.history),
            notes,
            learning: Arc::clone(learning),
            transcripts,
            facts_at,
        }
    }
}
