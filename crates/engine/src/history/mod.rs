//! What was written, by whom, and how it was before: git beside the files, and the receipts that wait to become commits.
//!
//! Invariant: no operation that reads makes a commit.
//! Reading order: [`mod@flush`] (receipts become commits) with [`beginning`] and [`found`]; [`history_view`] (what readers see of it), [`past`]
//! (what history says) with [`past_home`] (where what is derived from it is kept), [`bytes`] (what a file was), [`origin`] (where each line comes from), [`lifetimes`] and [`lives`] (since when passages stood).

mod beginning;
pub(crate) mod bytes;
pub(crate) mod flush;
pub(crate) mod found;
pub(crate) mod history_view;
pub(crate) mod lifetimes;
pub(crate) mod lives;
pub mod origin;
pub mod past;
pub mod past_home;

use std::sync::Arc;

use crate::Core;
use crate::history::past::HistoryHome;
use crate::history::past_home::PastHome;

/// The history of an agent.
pub struct History {
    pub(crate) core: Arc<Core>,
    /// Where it is, `None` where none is kept.
    pub(crate) home: Option<HistoryHome>,
    /// Where what is derived from it is, `None` where no question is about the past.
    pub(crate) past: Option<Arc<PastHome>>,
}

impl History {
    /// What is kept at `home`, and derived from it at `past`.
    pub(crate) fn new(core: &Arc<Core>, home: Option<HistoryHome>, past: Option<PastHome>) -> Self {
        Self { core: Arc::clone(core), home, past: past.map(Arc::new) }
    }
}
