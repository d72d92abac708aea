//! A spool in memory, and a store whose disk is full.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use inwit_engine::core::spool::{CaughtUp, EndedPrompt, HeardPrompt, HeldTurn, Spool};
use inwit_engine::{Agent, AgentDeps, AgentPorts, EngineError, Store};
use inwit_model::{Code, Files, SessionId, Sha256, TurnKey};
use inwit_store::memory::RecallEvent;
use inwit_store::{Memory, MemoryError};
use inwit_testkit::{FakeClock, keeping, parts};
use jiff::Timestamp;

use super::home;
use crate::profile;

/// How many turns were held, and those that are.
pub type HeldTurns = (usize, Vec<(TurnKey, HeldTurn)>);

#[derive(Clone, Default)]
pub struct Laid(
    pub Arc<Mutex<Vec<RecallEvent>>>,
    pub Arc<Mutex<HashMap<String, HashSet<u64>>>>,
    pub Arc<Mutex<Vec<(String, Sha256, Timestamp)>>>,
    pub Arc<Mutex<HashMap<String, HeardPrompt>>>,
    pub Arc<Mutex<HeldTurns>>,
    /// The disk is full, and another process holds memory.db.
    pub Arc<AtomicBool>,
);

impl Spool for Laid {
    fn lay_aside(&self, events: &[RecallEvent]) -> Result<(), EngineError> {
        self.0.lock().expect("no panic").extend_from_slice(events);
        Ok(())
    }

    fn hand_over(
        &self,
        keep: &mut dyn FnMut(&[RecallEvent]) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let mut laid = self.0.lock().expect("no panic");
        keep(&laid)?;
        laid.clear();
        Ok(())
    }

    fn shown(&self, session: &SessionId) -> HashSet<u64> {
        self.1.lock().expect("no panic").get(session.as_str()).cloned().unwrap_or_default()
    }

    fn show(&self, session: &SessionId, lines: &[u64]) {
        self.1.lock().expect("no panic").entry(session.to_string()).or_default().extend(lines);
    }

    fn type_in(&self, folder: &str, sentences: &[Sha256], at: Timestamp) {
        let mut typed = self.2.lock().expect("no panic");
        typed.extend(sentences.iter().map(|sentence| (folder.to_owned(), *sentence, at)));
    }

    fn typed(&self, folder: &str, since: Timestamp) -> HashSet<Sha256> {
        let typed = self.2.lock().expect("no panic");
        let ours = typed.iter().filter(|(of, _, at)| of == folder && *at >= since);
        ours.map(|(_, sentence, _)| *sentence).collect()
    }

    fn prompt(&self, session: &SessionId, heard: &HeardPrompt) {
        self.3.lock().expect("no panic").insert(session.to_string(), heard.clone());
    }

    fn take_prompt(&self, session: &SessionId, _: &str) -> Option<EndedPrompt> {
        let heard = self.3.lock().expect("no panic").remove(session.as_str())?;
        let id = self.4.lock().expect("no panic").0.to_string();
        Some(EndedPrompt { id, heard: Some(heard), is_repeat: false })
    }

    fn caught_up(&self, _: &SessionId, _: &str, _: &str) -> CaughtUp {
        CaughtUp::Nothing
    }

    fn turn_kept(&self, _: &SessionId, _: &str, _: &str) {}

    fn hold_turn(&self, turn: &HeldTurn, _: &str) -> Result<(), EngineError> {
        if self.5.load(Ordering::SeqCst) {
            return Err(EngineError::new(Code::DiskFull, "The turn cannot be queued: the disk is full."));
        }
        let mut held = self.4.lock().expect("no panic");
        let key = TurnKey::parse(&format!("held:{}", held.0)).expect("a key");
        held.0 += 1;
        held.1.push((key, turn.clone()));
        Ok(())
    }

    fn record_turns(
        &self,
        record: &mut dyn FnMut(&TurnKey, &HeldTurn) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        if self.5.load(Ordering::SeqCst) {
            return Err(EngineError::new(Code::Locked, "Another process is recording queued turns."));
        }
        let mut held = self.4.lock().expect("no panic");
        while let Some((key, turn)) = held.1.first() {
            record(key, turn)?;
            held.1.remove(0);
        }
        Ok(())
    }

    fn forget_shown(&self, session: &SessionId) {
        self.1.lock().expect("no panic").remove(session.as_str());
    }
}

/// An agent over the files of `home` that keeps what hooks need in `laid`.
pub fn laying(laid: &Laid, clock: &Arc<FakeClock>) -> Agent {
    let keeping = AgentDeps { spool: Some(Box::new(laid.clone())), ..keeping() };
    let files = Arc::clone(&home().shelf) as Arc<dyn Files>;
    let clock = Arc::clone(clock) as Arc<dyn inwit_model::Clock>;
    Agent::new(AgentPorts { profile: profile("personal"), clock, keeping, ..parts(files) })
}

/// A memory.db on a full disk.
pub struct NoStore;

impl Store for NoStore {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        Err(MemoryError::new(Code::DiskFull, "memory.db cannot be written: the disk is full."))
    }

    fn is_made(&self) -> bool {
        true
    }
}
