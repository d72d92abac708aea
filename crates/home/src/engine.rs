//! The open agents of one process: opened on first use, closed when limits require it.
//!
//! A server has thousands of agents, of which few are active. Invariants: an agent is given out once per process and
//! [`Opening`], even with concurrent requests; an agent in use stays open, also after [`Engine::close`], beside the one
//! that is opened after it, which kernel locks keep apart as they do processes; closing loses nothing, since answers
//! follow writes; no request waits for the opening of another agent.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use inwit_engine::Notice;
use inwit_model::Clock;

use crate::config::AgentConfig;
use crate::error::HomeError;
use crate::keep::Use;
use crate::limit::{AGENT_CACHE_BYTES_MAX, AGENT_DESCRIPTORS, ENGINE_BYTES_MAX, ENGINE_DESCRIPTORS_MAX};
use crate::meaning::LocalModels;
use crate::open::{self, OpenAgent};
use crate::place::AgentPlace;
use crate::upkeep::{self, Occasion};

/// Limits on all open agents together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineLimits {
    /// Open files.
    pub descriptors: usize,
    /// Bytes of database caches.
    pub bytes: u64,
}

impl Default for EngineLimits {
    fn default() -> Self {
        Self { descriptors: ENGINE_DESCRIPTORS_MAX, bytes: ENGINE_BYTES_MAX }
    }
}

/// How an agent is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// With its index.
    Whole,
    /// For work without searches: the index is opened on demand.
    FilesAlone,
}

/// See the module documentation.
#[derive(Default)]
pub struct Engine {
    limits: EngineLimits,
    table: Mutex<Table>,
    models: LocalModels,
    /// Notices about closed agents.
    notices: Mutex<Vec<Notice>>,
}

/// Agents by last use.
#[derive(Default)]
struct Table(Vec<Row>);

struct Row {
    key: Key,
    bytes: u64,
    slot: Arc<Slot>,
}

/// An agent and how it is opened. A server opens all agents the same way.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    home: PathBuf,
    opening: Opening,
}

/// The slot of one agent. Opening holds its lock, and concurrent requests wait there.
#[derive(Default)]
struct Slot(Mutex<State>);

#[derive(Default)]
enum State {
    #[default]
    New,
    Open(Arc<OpenAgent>),
    /// It was removed from the table.
    Closed,
}

impl Engine {
    /// An engine without agents.
    pub fn new(limits: EngineLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The agent at `place`, opened as `config` says if necessary. It stays open while in use, and afterwards until
    /// its room is needed. Errors: those of [`open::open`].
    pub fn open(
        &self,
        place: AgentPlace,
        config: AgentConfig,
        opening: Opening,
        clock: Arc<dyn Clock>,
    ) -> Result<Arc<OpenAgent>, HomeError> {
        let key = Key { home: place.home.clone(), opening };
        loop {
            let slot = self.table().slot(&key);
            let mut state = lock(&slot.0);
            let opened = match &*state {
                State::Closed => continue,
                State::Open(opened) => return Ok(Arc::clone(opened)),
                State::New => match opening {
                    Opening::Whole => open::open_with_models(place, config, Use::Work, clock, &self.models),
                    Opening::FilesAlone => {
                        open::open_files_with_models(place, config, Use::Work, clock, &self.models)
                    }
                },
            };
            return match opened {
                Ok(opened) => {
                    let opened = Arc::new(opened);
                    *state = State::Open(Arc::clone(&opened));
                    drop(state);
                    self.make_room();
                    Ok(opened)
                }
                Err(error) => {
                    *state = State::Closed;
                    drop(state);
                    self.table().0.retain(|row| !Arc::ptr_eq(&row.slot, &slot));
                    Err(error)
                }
            };
        }
    }

    /// Closes the agent at `place`: the next [`open`](Self::open) reads its configuration. Work that holds it goes on.
    pub fn close(&self, place: &AgentPlace) {
        let closed: Vec<Arc<Slot>> = {
            let mut table = self.table();
            let (closed, kept) = std::mem::take(&mut table.0)
                .into_iter()
                .partition::<Vec<_>, _>(|row| row.key.home == place.home);
            table.0 = kept;
            closed.into_iter().map(|row| row.slot).collect()
        };
        let notices = closed.iter().filter_map(|slot| slot.opened());
        let notices: Vec<Notice> =
            notices.flat_map(|opened| upkeep::tend(&opened, Occasion::Written)).collect();
        lock(&self.notices).extend(notices);
    }

    /// Does due work ([`Occasion::Written`]) for every open agent that has written. Returns notices, also about
    /// agents closed since.
    pub fn tend(&self) -> Vec<Notice> {
        let slots: Vec<Arc<Slot>> = self.table().0.iter().map(|row| Arc::clone(&row.slot)).collect();
        let open: Vec<Arc<OpenAgent>> = slots.iter().filter_map(|slot| slot.opened()).collect();
        let mut notices = std::mem::take(&mut *lock(&self.notices));
        notices.extend(open.iter().flat_map(|opened| upkeep::tend(opened, Occasion::Written)));
        notices
    }

    /// Number of open agents.
    pub fn open_count(&self) -> usize {
        self.table().0.len()
    }

    /// Closes unused agents, least recently used first, until the limits hold.
    fn make_room(&self) {
        let closed = self.table().close_until(self.limits);
        let notices = closed.iter().flat_map(|opened| upkeep::tend(opened, Occasion::Written));
        self.note(notices.collect());
    }

    /// Keeps the last notices until they are read.
    fn note(&self, new: Vec<Notice>) {
        let mut notices = lock(&self.notices);
        notices.extend(new);
        let excess = notices.len().saturating_sub(NOTICES_MAX);
        notices.drain(..excess);
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }
}

/// Most notices that wait to be read.
const NOTICES_MAX: usize = 100;

impl fmt::Debug for Engine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Engine").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Table {
    /// The slot of `key`, created if necessary, now the last used.
    fn slot(&mut self, key: &Key) -> Arc<Slot> {
        let bytes = cached_bytes(&key.home);
        let row = match self.0.iter().position(|row| row.key == *key) {
            Some(at) => Row { bytes, ..self.0.remove(at) },
            None => Row { key: key.clone(), bytes, slot: Arc::default() },
        };
        let slot = Arc::clone(&row.slot);
        self.0.push(row);
        slot
    }

    fn close_until(&mut self, limits: EngineLimits) -> Vec<Arc<OpenAgent>> {
        let (mut count, mut bytes) = (self.0.len(), self.0.iter().map(|row| row.bytes).sum::<u64>());
        let mut closed = Vec::new();
        self.0.retain(|row| {
            let is_over = count * AGENT_DESCRIPTORS > limits.descriptors || bytes > limits.bytes;
            let Some(opened) = is_over.then(|| row.slot.close()).flatten() else { return true };
            (count, bytes) = (count - 1, bytes - row.bytes);
            closed.push(opened);
            false
        });
        closed
    }
}

impl Slot {
    /// The state, unless the agent is being opened.
    fn at_rest(&self) -> Option<MutexGuard<'_, State>> {
        match self.0.try_lock() {
            Ok(state) => Some(state),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn opened(&self) -> Option<Arc<OpenAgent>> {
        match &*self.at_rest()? {
            State::Open(opened) => Some(Arc::clone(opened)),
            State::New | State::Closed => None,
        }
    }

    /// Closes it if it is open and unused.
    fn close(&self) -> Option<Arc<OpenAgent>> {
        let mut state = self.at_rest()?;
        let is_free =
            |opened: &Arc<OpenAgent>| Arc::strong_count(opened) == 1 && Arc::strong_count(&opened.agent) == 1;
        if !matches!(&*state, State::Open(opened) if is_free(opened)) {
            return None;
        }
        match std::mem::replace(&mut *state, State::Closed) {
            State::Open(opened) => Some(opened),
            State::New | State::Closed => None,
        }
    }
}

/// Upper bound of the caches of a home's databases, in bytes.
fn cached_bytes(home: &Path) -> u64 {
    let size = |name: &str| home.join(name).metadata().map_or(0, |found| found.len());
    ["index.db", "memory.db"].iter().map(|name| size(name).min(AGENT_CACHE_BYTES_MAX)).sum()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
