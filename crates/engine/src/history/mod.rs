//! Past contents and their authors: git beside the files, and receipts that wait to become commits.
//!
//! Invariant: no read operation makes a commit. Reading order: [`mod@flush`] (receipts become commits) with [`beginning`]
//! and [`found`]; [`history_view`] (a reader's view), [`past`] (log, diff, show) with [`past_home`] (the cache of past
//! states), [`bytes`] (past contents), [`origin`] (blame), [`lifetimes`] and [`lives`] (lifetimes of passages).

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

/// The history area of an agent.
pub struct History {
    pub(crate) core: Arc<Core>,
    /// Its location, `None` if there is none.
    pub(crate) home: Option<HistoryHome>,
    /// The cache of past states, `None` if queries about the past are unsupported.
    pub(crate) past: Option<Arc<PastHome>>,
}

impl History {
    /// The history at `home`, with its cache at `past`.
    pub(crate) fn new(core: &Arc<Core>, home: Option<HistoryHome>, past: Option<PastHome>) -> Self {
        Self { core: Arc::clone(core), home, past: past.map(Arc::new) }
    }
}
