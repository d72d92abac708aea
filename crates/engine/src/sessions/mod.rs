//! The sessions of an agent: the prompt that each begins with, what its turns leave behind, and what a host asks for.
//!
//! Reading order: [`prompt`] (who the agent is, put together), [`session`] (start, turn, end), [`soul_watch`], [`decide`] (what a
//! decision rests on), [`hook`] (what a host calls at its moments).

mod decide;
pub mod hook;
pub mod prompt;
pub mod session;
pub mod soul_watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use inwit_model::fact::When;
use inwit_workspace::transcripts::redact::Redaction;

use crate::{Core, History, Learning, Notes};

/// Where transcripts are kept.
#[derive(Clone)]
pub struct TranscriptHome {
    /// The folder.
    pub folder: PathBuf,
    /// What is taken out before they are written.
    pub redaction: Option<Redaction>,
    /// When an append stops waiting for another process; `None`: after the usual time.
    pub wait_until: Option<Instant>,
}

/// The sessions of an agent.
pub struct Sessions {
    pub(crate) core: Arc<Core>,
    pub(crate) history: Arc<History>,
    pub(crate) notes: Arc<Notes>,
    pub(crate) learning: Arc<Learning>,
    /// Where transcripts are, `None` where none are kept.
    pub(crate) transcripts: Option<TranscriptHome>,
    /// The moments of the facts in its prompts: those that hold at its own, as they were believed then.
    pub(crate) facts_at: When,
}

impl Sessions {
    /// Those that `learning` learns from.
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
