//! The one way into an agent's files: an approved change, written whole, with its receipt (D2).
//!
//! Under the write guard the file is read again and must equal the change's base; the new bytes are staged beside it;
//! the intent is logged and synced; then the change becomes visible, and a receipt is returned. An outdated change is
//! returned and never merged. Leftovers of a dead writer are recovered before any write. Invariant: unread bytes are
//! never overwritten, and every visible change has an intent.
//!
//! ```
//! use std::sync::Arc;
//! use inwit_gate::{Author, Change, Policy, Verdict, judge};
//! use inwit_model::{Files, Op, SafeName, Taint};
//! use inwit_testkit::{CrashDisk, Drawn, FakeClock, NOW};
//! use inwit_workspace::{Applied, MemFiles, OwnLock, Writer, profile};
//!
//! let files = Arc::new(MemFiles::new());
//! let writer = Writer {
//!     files: Arc::clone(&files) as _,
//!     log: Arc::new(CrashDisk::empty().log()),
//!     lock: Arc::new(OwnLock::default()),
//!     clock: Arc::new(FakeClock::at(NOW)),
//!     entropy: Arc::new(Drawn::of(1)),
//! };
//! let name = SafeName::parse("memory/2026-11-21.md").expect("a name");
//! let line = Op::Append(Arc::from(*b"- Likes rye bread.\n"));
//! let policy = Policy::of(&profile::named("personal").expect("compiled in"), &Default::default());
//! let Verdict::Approved(approved) = judge(&policy, None, Change::new(name.clone(), line, None, Author::AGENT).tainted(Taint::Agent))
//! else { panic!("a journal is direct") };
//! let Applied::Written { receipt, .. } = writer.apply(approved)? else { panic!("it is new") };
//! assert_eq!(files.read(&name)?.sha256, receipt.result.expect("it is there"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use inwit_gate::{Approved, Change};
use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::ports::{Content, FileWrite, Written};
use inwit_model::{
    Actor, Clock, Code, Entropy, FileError, Files, Intent, Op, OpLog, OpNumber, ReceiptId, SafeName, Settled,
    Sha256, Taint,
};
use jiff::Timestamp;

use crate::fault::too_large;
use crate::lock::{LockGuard, WriteLock};
use crate::receipt::Receipt;
use crate::recovery::{self, Recovered};

/// Writes one workspace.
pub struct Writer {
    /// Its files.
    pub files: Arc<dyn Files>,
    /// Where intents are written down.
    pub log: Arc<dyn OpLog>,
    /// What keeps other writers out.
    pub lock: Arc<dyn WriteLock>,
    /// When.
    pub clock: Arc<dyn Clock>,
    /// Chance, for the ids of receipts.
    pub entropy: Arc<dyn Entropy>,
}

/// Judges a change on the current content, under the write guard. `None`: nothing to write.
pub type Fresh<'m, E> = dyn FnMut(Option<&Content>) -> Result<Option<Approved<Change>>, E> + 'm;

/// What became of an approved change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one is made for each write, and nearly all are the large one")]
pub enum Applied {
    /// It stands, on the disk.
    Written {
        /// Its receipt.
        receipt: Receipt,
        /// What had to be put right before.
        recovered: Recovered,
    },
    /// The file was already as it was to be; nothing was touched.
    Unchanged,
}

/// Why an approved change was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// The file is not the change's base: read it, and judge again.
    #[error("`{name}` changed in the meantime and was not written.")]
    Stale {
        /// Which file.
        name: SafeName,
        /// The hash of what is there, `None` when nothing is.
        found: Option<Sha256>,
        /// The path of a conflicting external edit, kept beside the file.
        kept: Option<String>,
    },
    /// Anything else; nothing shows of the change, as far as it could be taken back.
    #[error(transparent)]
    Failed(#[from] FileError),
}

impl ApplyError {
    /// What kind of failure it was.
    pub fn code(&self) -> Code {
        match self {
            Self::Stale { .. } => Code::Stale,
            Self::Failed(error) => error.code,
        }
    }
}

impl Writer {
    /// Writes a change that the gate let through. Errors: `stale`, `locked`, `audit_unwritable`, and those
    /// of [`Files::write`].
    pub fn apply(&self, approved: Approved<Change>) -> Result<Applied, ApplyError> {
        let held = self.lock.take()?;
        let recovered = self.put_right(&*held)?;
        let current = self.current(&approved.change().target)?;
        self.carry(approved, current, recovered)
    }

    /// Writes a change that `make` judges on the current bytes under the write guard: for computed changes, which
    /// would otherwise be outdated with many writers. `make` must not block. `None`: nothing to write. Errors: as
    /// [`apply`](Self::apply), and those of `make`.
    pub fn apply_fresh<E: From<ApplyError>>(
        &self,
        name: &SafeName,
        make: &mut Fresh<'_, E>,
    ) -> Result<Option<Applied>, E> {
        let held = self.lock.take().map_err(ApplyError::from)?;
        let recovered = self.put_right(&*held).map_err(ApplyError::from)?;
        let current = self.current(name).map_err(ApplyError::from)?;
        let Some(approved) = make(current.as_ref())? else { return Ok(None) };
        Ok(Some(self.carry(approved, current, recovered)?))
    }

    /// Carries out under the guard what stands on `current`.
    fn carry(
        &self,
        approved: Approved<Change>,
        current: Option<Content>,
        recovered: Recovered,
    ) -> Result<Applied, ApplyError> {
        let change = approved.change();
        let found = current.as_ref().map(|content| content.sha256);
        if found != change.base {
            return Err(ApplyError::Stale { name: change.target.clone(), found, kept: None });
        }
        let intent = self.intent(change, current)?;
        if intent.result == intent.base {
            return Ok(Applied::Unchanged);
        }
        let receipt = self.carry_out(intent)?;
        Ok(Applied::Written { receipt, recovered })
    }

    /// Records what `actor` saved in the file without us: `before` stood there, and what they saved stands there now.
    /// Nothing is written, so nothing is judged. `None`: the file is as it was. Errors: `locked`, `audit_unwritable`, and
    /// those of reading.
    pub fn record(
        &self,
        name: &SafeName,
        before: Option<&Content>,
        actor: Actor,
    ) -> Result<Option<Receipt>, FileError> {
        let held = self.lock.take()?;
        self.put_right(&*held)?;
        let saved = self.current(name)?;
        let (base, result) = (before.map(|old| old.sha256), saved.as_ref().map(|content| content.sha256));
        if base == result {
            return Ok(None);
        }
        let at = self.clock.now();
        let changed_ns = before.map(|old| old.stamp.changed_ns);
        let intent = Intent {
            receipt: ReceiptId::new(at, self.entropy.ten()),
            at,
            name: name.clone(),
            op: saved.map_or(Op::Remove, |content| Op::Put(content.bytes)),
            before: before.map(|old| Arc::clone(&old.bytes)),
            base,
            stood_since: changed_ns.and_then(|ns| Timestamp::from_nanosecond(i128::from(ns)).ok()),
            result,
            temp: String::new(),
            actor,
            taint: Taint::Owner,
            session: None,
            proposal: None,
            undoes: None,
            reason: String::new(),
        };
        let op = self.log.intent(&intent)?;
        self.settle(op, Settled::Done);
        Ok(Some(Receipt::of(&intent, op)))
    }

    /// Puts right what writers that died left, and sweeps their hidden files: at start-up of what runs
    /// long, and for `doctor`. Errors: `locked`, those of the log, `workspace_unreadable`.
    pub fn recover(&self) -> Result<Recovered, FileError> {
        let _held = self.lock.take()?;
        let mut recovered = self.mend()?;
        recovered.swept = self.sweep(&recovered)?;
        Ok(recovered)
    }

    /// The same before a write, where the sweep runs only after a crash: a writer killed before its intent left a
    /// hidden file without a log entry. A failed sweep delays no write.
    fn put_right(&self, held: &dyn LockGuard) -> Result<Recovered, FileError> {
        let mut recovered = self.mend()?;
        if held.follows_a_death() || recovered.has_settled() {
            recovered.swept = self.sweep(&recovered).unwrap_or_default();
        }
        Ok(recovered)
    }

    fn sweep(&self, recovered: &Recovered) -> Result<usize, FileError> {
        let spared: Vec<String> = recovered.left.iter().map(|left| left.aside.clone()).collect();
        self.files.sweep(self.clock.now(), &spared)
    }

    fn mend(&self) -> Result<Recovered, FileError> {
        recovery::mend(&*self.files, &*self.log, self.clock.now())
    }

    fn current(&self, name: &SafeName) -> Result<Option<Content>, FileError> {
        match self.files.read(name) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.code == Code::FileMissing => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn intent(&self, change: &Change, current: Option<Content>) -> Result<Intent, FileError> {
        let changed_ns = current.as_ref().map(|content| content.stamp.changed_ns);
        let before = current.map(|content| content.bytes);
        // What was judged is `result`; `op` holds its bytes as they go to the disk, no more and no fewer.
        let result = change.op.result(before.as_deref());
        let op = change.op.fitted(before.as_deref());
        if let Op::Append(bytes) = &op {
            let written = [before.as_deref().unwrap_or_default(), bytes].concat();
            assert_eq!(result.as_deref(), Some(&*written), "nothing is written but what was judged");
        }
        if let Some(bytes) = result.as_ref().filter(|bytes| bytes.len() as u64 > FILE_READ_BYTES_MAX) {
            return Err(too_large(&change.target, bytes.len() as u64, FILE_READ_BYTES_MAX));
        }
        let at = self.clock.now();
        Ok(Intent {
            receipt: ReceiptId::new(at, self.entropy.ten()),
            at,
            name: change.target.clone(),
            op,
            before,
            base: change.base,
            stood_since: changed_ns.and_then(|ns| Timestamp::from_nanosecond(i128::from(ns)).ok()),
            result: result.as_deref().map(Sha256::of),
            temp: String::new(),
            actor: change.writer(),
            taint: change.taint,
            session: change.session.clone(),
            proposal: change.proposal.clone(),
            undoes: change.undoes.clone(),
            reason: change.reason().to_owned(),
        })
    }

    fn carry_out(&self, mut intent: Intent) -> Result<Receipt, ApplyError> {
        let (name, op) = (intent.name.clone(), intent.op.clone());
        let mark = intent.receipt.to_string();
        let write = FileWrite { name: &name, op: &op, base: intent.base, at: intent.at, mark: &mark };
        let mut number: Option<OpNumber> = None;
        let written = self.files.write(&write, &mut |aside| {
            aside.clone_into(&mut intent.temp);
            number = Some(self.log.intent(&intent)?);
            Ok(())
        });
        match (written, number) {
            (Ok(Written::Done), Some(op)) => {
                self.settle(op, Settled::Done);
                Ok(Receipt::of(&intent, op))
            }
            (Ok(Written::Done), None) => unreachable!("nothing shows before it is staged"),
            (Ok(Written::Conflict { found, kept }), op) => {
                op.into_iter().for_each(|op| self.settle(op, Settled::Void));
                Err(ApplyError::Stale { name, found, kept })
            }
            (Err(error), op) => {
                // Whether everything could be taken back is seen at the file; if not, recovery decides.
                let is_back =
                    || self.current(&name).is_ok_and(|now| now.map(|now| now.sha256) == intent.base);
                let aside_is_gone = || {
                    let aside = self.files.aside(&name, &intent.temp);
                    intent.temp.is_empty() || aside.is_ok_and(|aside| aside.is_none())
                };
                op.filter(|_| is_back() && aside_is_gone())
                    .into_iter()
                    .for_each(|op| self.settle(op, Settled::Void));
                Err(error.into())
            }
        }
    }

    /// Settles. It may fail: recovery finds the same answer again.
    fn settle(&self, op: OpNumber, how: Settled) {
        let _ = self.log.settle(op, how);
    }
}
