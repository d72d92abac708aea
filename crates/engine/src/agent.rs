//! An opened agent: its files, its index, its profile. Every verb is a method on it.
//!
//! An agent is made by the composition root from ports. It is `Send + Sync`, its verbs take `&self`,
//! and a lock is held only while the index is read or written, never across anything that waits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inwit_model::{Clock, Files, Profile, Scope};
use inwit_recall::Analyser;
use inwit_store::Index;
use inwit_workspace::{View, Workspace};
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// What an agent is made of.
pub struct Parts {
    /// Its files.
    pub files: Arc<dyn Files>,
    /// Its index, which may be lost at any time.
    pub index: Box<dyn Index>,
    /// How its home behaves.
    pub profile: Profile,
    /// The zone that names its days.
    pub zone: TimeZone,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
}

/// An opened agent.
pub struct Agent {
    pub(crate) workspace: Workspace,
    pub(crate) profile: Profile,
    pub(crate) zone: TimeZone,
    pub(crate) clock: Arc<dyn Clock>,
    recall: Mutex<Recall>,
}

/// What searching holds on to.
pub(crate) struct Recall {
    pub(crate) index: Box<dyn Index>,
    pub(crate) analyser: Analyser,
}

impl Agent {
    /// Opens an agent. Touches nothing yet.
    pub fn new(parts: Parts) -> Self {
        Self {
            workspace: Workspace::new(parts.files),
            profile: parts.profile,
            zone: parts.zone,
            clock: parts.clock,
            recall: Mutex::new(Recall { index: parts.index, analyser: Analyser::default() }),
        }
    }

    /// How its home behaves.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What `scope` may see.
    pub fn view(&self, scope: &Scope) -> View {
        self.workspace.view(scope.clone())
    }

    /// Today, as the agent's file names count it (X22).
    pub fn today(&self) -> Date {
        let zone = if self.profile.utc_days { TimeZone::UTC } else { self.zone.clone() };
        self.clock.now().to_zoned(zone).date()
    }

    /// The index; a panic elsewhere does not make it unusable, since it can be rebuilt.
    pub(crate) fn recall(&self) -> MutexGuard<'_, Recall> {
        self.recall.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
