//! Due work of the agents while no request is answered: dreams, reviews, facts, the hourly copy.
//!
//! Agents that were asked since the start come first, and of all others a few in turn, so that a home with thousands of
//! agents is not opened whole. Invariants: work starts only after some time without requests, and not in the quiet hours
//! of its agent; the end of the server stops a running call of a language model.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use inwit_engine::idle::{Busy, Idle, Wakes};
use inwit_home::idle::IDLE_SECONDS_DEFAULT;
use inwit_home::scheduler::{CHECK_SECONDS, END_SECONDS_MAX};
use inwit_home::upkeep;
use inwit_model::AgentId;

use crate::server::Served;

/// Most agents of one check that were not asked since the start.
const OTHERS_MAX: usize = 16;

/// The requests of a server, and the agents that they asked.
#[derive(Default)]
pub(crate) struct Upkeep {
    idle: Arc<Idle>,
    asked: Mutex<BTreeSet<AgentId>>,
    stop: Arc<AtomicBool>,
}

impl Upkeep {
    /// Registers a request, until the result is dropped.
    pub fn call(&self) -> Busy {
        self.idle.call()
    }

    /// Registers that this agent was asked.
    pub fn asked(&self, id: &AgentId) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if !asked.contains(id) {
            asked.insert(id.clone());
        }
    }

    /// Starts the work. `None` if there is no thread for it; then it is done by other processes of the agents.
    pub fn start(served: &Arc<Served>) -> Option<Running> {
        let working = Arc::clone(served);
        let thread = thread::Builder::new().name("upkeep".into()).spawn(move || run(&working)).ok()?;
        Some(Running { served: Arc::clone(served), thread })
    }
}

/// Running work.
pub(crate) struct Running {
    served: Arc<Served>,
    thread: JoinHandle<()>,
}

impl Running {
    /// Stops it, and waits for what runs for at most [`END_SECONDS_MAX`].
    pub fn end(self) {
        let upkeep = &self.served.upkeep;
        upkeep.stop.store(true, Ordering::Relaxed);
        upkeep.idle.end();
        let until = Instant::now() + Duration::from_secs(END_SECONDS_MAX);
        while !self.thread.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn run(served: &Served) {
    let upkeep = &served.upkeep;
    let quiet = quiet(served);
    let mut others = 0;
    while upkeep.idle.wait(quiet) {
        for id in due(served, &mut others) {
            if upkeep.stop.load(Ordering::Relaxed) || !upkeep.idle.is_idle() {
                break;
            }
            // An agent that cannot be opened is reported to whoever asks it.
            let Ok(opened) = served.agents.open(&id) else { continue };
            let may_start = || {
                let config = &opened.config;
                !upkeep.stop.load(Ordering::Relaxed)
                    && upkeep.idle.is_idle()
                    && !config.idle.is_quiet(served.clock.now(), &config.zone)
            };
            // What failed is a finding of the agent's checks.
            let _ = upkeep::tend_idle(&opened, &upkeep.stop, &may_start);
        }
        upkeep.idle.pause(Duration::from_secs(CHECK_SECONDS), Wakes::Nothing);
    }
}

/// Time without requests before work starts: that of the first agent.
fn quiet(served: &Served) -> Duration {
    let first = served.agents.ids().into_iter().find_map(|id| AgentId::parse(&id).ok());
    let opened = first.and_then(|id| served.agents.open(&id).ok());
    opened.map_or(Duration::from_secs(IDLE_SECONDS_DEFAULT), |opened| opened.config.idle.after)
}

/// The agents of one check; `others` says where the next turn of those that were not asked begins.
fn due(served: &Served, others: &mut usize) -> Vec<AgentId> {
    let asked = served.upkeep.asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let ids = served.agents.ids();
    let unasked: Vec<AgentId> =
        ids.iter().filter_map(|id| AgentId::parse(id).ok()).filter(|id| !asked.contains(id)).collect();
    let turn = unasked.iter().cycle().skip(*others).take(unasked.len().min(OTHERS_MAX)).cloned();
    let due: Vec<AgentId> = asked.iter().cloned().chain(turn).collect();
    *others = if unasked.is_empty() { 0 } else { (*others + OTHERS_MAX) % unasked.len() };
    due
}
