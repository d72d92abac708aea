//! One dream pass, from taking to releasing the lock.

use inwit_model::ports::StateFile;
use inwit_model::{Clock, Code, DreamEngine, FileError, ProposalId, SafeName, Scope, Sha256};
use inwit_store::memory::{DreamEnd, DreamNumber, DreamReason, Memory};
use inwit_workspace::Receipt;
use inwit_workspace::dream_lock::{DrawFence, DreamLock, Taken};
use jiff::{SignedDuration, Timestamp};

use super::gather::Gathered;
use super::writing::Written;
use crate::learning::dream::{Choice, Gates};
use crate::{EngineError, Learning, Notice};

/// Takes the lock of the workspace, and draws a fence number once no other pass is inside: drawing it invalidates the
/// earlier pass (D7).
pub type DreamDoor = Box<dyn Fn(&mut DrawFence<'_>) -> Result<Taken, FileError> + Send + Sync>;

/// Longest duration of a pass, in minutes, unless a setting says otherwise.
pub const PASS_MINUTES_MAX: i64 = 30;

/// Options of a pass.
#[derive(Debug, Clone)]
pub struct DreamAsk {
    /// Thresholds for passages.
    pub gates: Gates,
    /// Only reports what would happen.
    pub dry_run: bool,
    /// What started it: `manual`, `session_end`, `timer`.
    pub trigger: String,
}

/// The result of a pass.
#[derive(Debug)]
pub struct DreamReport {
    /// Its engine.
    pub engine: DreamEngine,
    /// Its time.
    pub at: Timestamp,
    /// One word: `appended`, `nothing_to_promote`, `pii_detected_quarantine`, `lock_held_skip`, `llm_error`,
    /// `pending`, `refused`, `stopped`, `dry_run` (W64).
    pub outcome: &'static str,
    /// Examined passages, best first, or logs and claims in order; each with its decision.
    pub judged: Vec<Judged>,
    /// Why the model gave no usable answer, with `llm_error`.
    pub error: Option<EngineError>,
    /// The receipt of the section.
    pub receipt: Option<Receipt>,
    /// The proposal of tainted promotions, or of all if the policy requires approval.
    pub pending: Option<ProposalId>,
    /// The holder of the lock, if it was taken.
    pub holder: Option<String>,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// One passage, log or claim, and its decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Its file.
    pub path: SafeName,
    /// Its lines, if it still exists.
    pub lines: Option<(u32, u32)>,
    /// The hash of its text.
    pub text_sha256: Sha256,
    /// Its text, if it still exists.
    pub text: String,
    /// One word: `promoted`, `pending`, or the reason against it.
    pub outcome: &'static str,
    /// Its score.
    pub score: f64,
    /// The figures of its score.
    pub detail: String,
}

impl Learning {
    /// Runs one pass. A taken lock is a result, not an error (W65). Errors: `storage_shared`, `lock_unavailable`,
    /// `memory_unavailable`, and those of writing.
    pub fn dream(&self, ask: &DreamAsk) -> Result<DreamReport, EngineError> {
        let memory = self.core.memory()?;
        self.core.load_named_of_files(&self.core.view(&Scope::Main));
        // Spooled recalls count too; if they cannot be read, the next pass has them.
        let _ = self.keep_recalled();
        if ask.dry_run {
            let gathered = self.gather(memory.as_ref(), &ask.gates)?;
            let choice = self.select(&gathered, &ask.gates)?;
            let judged = gathered.judged(&choice, "would_promote");
            return Ok(DreamReport {
                judged,
                ..DreamReport::of(DreamEngine::Recall, self.core.clock.now(), "dry_run")
            });
        }
        let start = PassStart {
            engine: DreamEngine::Recall,
            trigger: &ask.trigger,
            timeout: SignedDuration::from_mins(PASS_MINUTES_MAX),
        };
        self.locked(start, &mut |memory, held| self.pass(memory, held, ask))
    }

    /// Runs `pass` under the lock, and records it. Every way out releases the lock.
    pub(super) fn locked(
        &self,
        start: PassStart<'_>,
        pass: &mut dyn FnMut(&dyn Memory, &HeldPass<'_>) -> Result<DreamReport, EngineError>,
    ) -> Result<DreamReport, EngineError> {
        let PassStart { engine, trigger, timeout } = start;
        let memory = self.core.memory()?;
        let mut draw = || memory.next_fence().map_err(FileError::from);
        let (fence, lock) = match self.dream_door.as_ref().map(|door| door(&mut draw)).transpose()? {
            Some(Taken::Held(lock)) => (lock.fence(), Some(lock)),
            Some(Taken::Busy(busy)) => {
                let holder = Some(busy.to_string());
                return Ok(DreamReport {
                    holder,
                    ..DreamReport::of(engine, self.core.clock.now(), busy.outcome())
                });
            }
            None => (draw()?, None),
        };
        let started = self.core.clock.now();
        let number = memory.begin_dream(fence, engine, trigger, started)?;
        let until = started.checked_add(timeout).unwrap_or(Timestamp::MAX);
        let clock = self.core.clock.as_ref();
        let dreamed = pass(memory.as_ref(), &HeldPass { fence, lock: lock.as_ref(), clock, until });
        self.end(memory.as_ref(), number, &dreamed)?;
        let mut report = dreamed?;
        if let Some(lock) = lock
            && let Err(lost) = lock.release()
        {
            report.notices.push(Notice::new("dream_lock_lost", lost.to_string(), lost.code()));
        }
        if let Err(error) = self.history.flush_in_passing() {
            report.notices.push(Notice::new("history_not_written", error.message, error.code));
        }
        Ok(report)
    }

    fn pass(
        &self,
        memory: &dyn Memory,
        held: &HeldPass<'_>,
        ask: &DreamAsk,
    ) -> Result<DreamReport, EngineError> {
        self.recover_sweeps(memory)?;
        let gathered = self.gather(memory, &ask.gates)?;
        if let Some(quarantine) = &gathered.quarantine {
            self.core.files.write_state(StateFile::Quarantine, Some(quarantine))?;
        }
        let choice = self.select(&gathered, &ask.gates)?;
        held.still_ours()?;
        let still_ours = || held.still_ours();
        let written = self.sleep_deep(memory, held.fence, &gathered, &choice, &still_ours)?;
        let outcome = outcome(&gathered, &written, &choice);
        let mut report = DreamReport::of(DreamEngine::Recall, self.core.clock.now(), outcome);
        report.judged = gathered.judged(&choice, written.word());
        report.notices.extend(gathered.notices.clone());
        report.notices.extend(self.keep_diary(&gathered, &choice, &written));
        report.notices.extend(self.advance_watermark(None));
        report.receipt = written.receipt;
        report.pending = written.pending;
        Ok(report)
    }

    fn end(
        &self,
        memory: &dyn Memory,
        number: DreamNumber,
        dreamed: &Result<DreamReport, EngineError>,
    ) -> Result<(), EngineError> {
        let end = match dreamed {
            Ok(report) => DreamEnd {
                at: report.at,
                outcome: report.outcome.to_owned(),
                counts: counts(&report.judged),
                reasons: report.judged.iter().map(Judged::reason).collect(),
            },
            Err(error) => DreamEnd {
                at: self.core.clock.now(),
                outcome: format!("failed: {}", error.code.spec().name),
                counts: Vec::new(),
                reasons: Vec::new(),
            },
        };
        Ok(memory.end_dream(number, &end)?)
    }
}

/// How a pass starts.
#[derive(Clone, Copy)]
pub(super) struct PassStart<'a> {
    pub(super) engine: DreamEngine,
    pub(super) trigger: &'a str,
    /// Its longest duration.
    pub(super) timeout: SignedDuration,
}

/// The lock of a running pass, and its end.
pub(super) struct HeldPass<'l> {
    /// Its fence number.
    pub(super) fence: u64,
    lock: Option<&'l DreamLock>,
    clock: &'l dyn Clock,
    until: Timestamp,
}

impl HeldPass<'_> {
    /// Whether the pass may still write. Errors: `stopped` after its longest duration; `locked` if another process may
    /// have taken the lock.
    pub(super) fn still_ours(&self) -> Result<(), EngineError> {
        if self.clock.now() > self.until {
            let message = "The pass took longer than allowed, so it ended without writing.";
            return Err(EngineError::new(Code::Stopped, message));
        }
        match self.lock.map(DreamLock::still_ours) {
            Some(Err(lost)) => Err(EngineError::new(Code::Locked, lost.to_string())),
            _ => Ok(()),
        }
    }
}

impl DreamReport {
    /// A report without details.
    pub(super) fn of(engine: DreamEngine, at: Timestamp, outcome: &'static str) -> Self {
        Self {
            engine,
            at,
            outcome,
            judged: Vec::new(),
            error: None,
            receipt: None,
            pending: None,
            holder: None,
            notices: Vec::new(),
        }
    }
}

impl Judged {
    fn reason(&self) -> DreamReason {
        DreamReason {
            path: self.path.clone(),
            text: self.text_sha256,
            outcome: self.outcome.to_owned(),
            score: self.score,
            detail: self.detail.clone(),
        }
    }
}

fn outcome(gathered: &Gathered, written: &Written, choice: &Choice) -> &'static str {
    match written {
        Written { receipt: Some(_), .. } => "appended",
        Written { pending: Some(_), .. } => "pending",
        Written { refused: true, .. } => "refused",
        _ if gathered.has_secret && choice.promoted.is_empty() => "pii_detected_quarantine",
        _ => "nothing_to_promote",
    }
}

/// Number of candidates with each outcome.
fn counts(judged: &[Judged]) -> Vec<(String, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    judged.iter().for_each(|judged| *counts.entry(judged.outcome.to_owned()).or_insert(0) += 1);
    std::iter::once(("candidates".to_owned(), judged.len() as u64)).chain(counts).collect()
}
