//! Turns receipts into commits after the answer, one each, in order (D8).
//!
//! Without `git`, receipts and their bytes are kept until it is available. Invariants: git never runs while the write
//! guard is held, so no writer waits for it; the history lock is taken before the write guard; a receipt is committed
//! once, even if the committing process crashed before recording it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use inwit_model::{Actor, Code, ReceiptId, SafeName, Sha256};
use inwit_store::Lifetimes;
use inwit_store::memory::{KeptBytes, Memory, Receipt};
use inwit_workspace::history::{History as Repository, LogFilter, Rev, Turn};

use jiff::Timestamp;

use crate::history::past::lost;
use crate::{EngineError, History};

mod batch;
mod message;

use batch::{Among, Batch};
use message::{After, commit_of, found_commit};

/// Most receipts per batch.
const FLUSH_RECEIPTS_MAX: usize = 2_000;

/// Retries of the check for external changes, if a write interferes.
const FOUND_LOOKS_MAX: usize = 3;

/// The result of a flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flushed {
    /// Number of commits.
    pub commits: usize,
    /// Number of receipts still waiting.
    pub waiting: usize,
}

impl History {
    /// Commits waiting receipts. Without `git`, or with history off, they wait, which is not an error. Errors:
    /// `locked`, `history_failed`.
    pub fn flush_history(&self) -> Result<Flushed, EngineError> {
        self.flush(None)
    }

    /// The same without waiting: if the history is busy and this agent may defer, its receipts wait for a later
    /// command. Error: `history_failed`.
    pub(crate) fn flush_in_passing(&self) -> Result<Flushed, EngineError> {
        let leaves = self.home.as_ref().is_some_and(|home| home.lock_wait.is_some());
        match self.flush_history() {
            Err(error) if leaves && error.code == Code::Locked => {
                let memory = self.core.memory_if_made()?;
                let waiting = memory.map(|memory| memory.waiting()).transpose()?;
                Ok(Flushed { commits: 0, waiting: waiting.map_or(0, |waiting| waiting.len()) })
            }
            flushed => flushed,
        }
    }

    /// The same with external changes since; files equal to the history are recorded in `compared`.
    pub(crate) fn flush(&self, compared: Option<&mut dyn Lifetimes>) -> Result<Flushed, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Flushed { commits: 0, waiting: 0 }) };
        let waiting = memory.waiting()?;
        let repository = match (waiting.is_empty(), &compared) {
            (true, None) => None,
            (true, Some(_)) => self.recorded()?,
            (false, _) => self.history_or_none(self.founding(&waiting))?,
        };
        let Some(repository) = repository else { return Ok(Flushed { commits: 0, waiting: waiting.len() }) };
        Flush { history: self, memory: memory.as_ref(), is_kept: true }.run(&repository, compared)
    }

    /// Recreates a deleted history before the next change, while the current files can be recorded as found.
    pub(crate) fn take_up_history(&self, memory: &dyn Memory) -> Result<(), EngineError> {
        let Some(home) = &self.home else { return Ok(()) };
        if home.git_dir.symlink_metadata().is_ok() || !Repository::available() {
            return Ok(());
        }
        if !memory.has_committed()? {
            return Ok(());
        }
        self.flush_history()?;
        let now = self.core.clock.now();
        self.record_beginning(&mut self.history(now)?.turn()?, memory, now)?;
        Ok(())
    }

    /// The founding time of a history whose first receipts are `waiting`: that of the first, so that commit ids are
    /// reproducible, and not later than now.
    pub(crate) fn founding(&self, waiting: &[Receipt]) -> Timestamp {
        let now = self.core.clock.now();
        waiting.first().map_or(now, |first| first.at.min(now))
    }
}

/// Commits waiting receipts.
pub(crate) struct Flush<'a> {
    /// The history.
    pub history: &'a History,
    /// The receipts.
    pub memory: &'a dyn Memory,
    /// Whether commits are recorded in receipts. A scratch repository is temporary and waits for no writer.
    pub is_kept: bool,
}

impl Flush<'_> {
    /// Commits waiting receipts to `repository`; with `compared` also external changes. Error: `locked`, if writers
    /// left no time to compare; waiting receipts are committed anyway.
    pub fn run(
        &self,
        repository: &Repository,
        mut compared: Option<&mut dyn Lifetimes>,
    ) -> Result<Flushed, EngineError> {
        // One flush at a time: another one may have committed the receipts, so they are read again below.
        let (history, memory) = (self.history, self.memory);
        let mut turn = repository.turn()?;
        let known = match &mut compared {
            Some(lifetimes) => lifetimes.compared()?,
            None => Vec::new(),
        };
        let is_anew = repository.is_beginning()?;
        let (mut commits, mut looks, mut is_busy) = (0, 0, false);
        let (waiting, look) = loop {
            let (waiting, is_settled) = if is_anew || compared.is_some() {
                // A running write ends before the guard is free. An intent that is still open was left by a dead writer.
                let _held = if self.is_kept { Some(history.core.lock.take()?) } else { None };
                (memory.waiting()?, memory.unsettled()?.is_empty())
            } else {
                (memory.waiting()?, false)
            };
            // Files found before the first change are dated by their stamps, earlier than the history.
            let first = waiting.iter().find(|receipt| receipt.actor != Actor::External).or(waiting.first());
            match first {
                Some(first) => commits += history.record_beginning(&mut turn, memory, first.at)?,
                None if is_anew => return Ok(Flushed { commits: 0, waiting: 0 }),
                None => {}
            }
            if !is_settled {
                break (waiting, None);
            }
            let look = history.look_for_found(repository, &waiting, &known)?;
            // An intent precedes its file, and a receipt follows: this order misses no write.
            if memory.unsettled()?.is_empty() && memory.waiting()?.len() == waiting.len() {
                break (waiting, Some(look));
            }
            looks += 1;
            if looks == FOUND_LOOKS_MAX {
                is_busy = compared.is_some();
                break (waiting, None);
            }
        };
        let mut found = Vec::new();
        if let Some(mut look) = look {
            if compared.is_none() {
                // The beginning continues with files that were not recorded.
                let told: HashSet<&SafeName> = waiting.iter().map(|receipt| &receipt.name).collect();
                look.found.retain(|found| found.is_new && !told.contains(&found.name));
            }
            if let Some(lifetimes) = compared.filter(|_| !look.equal.is_empty()) {
                lifetimes.compare(&look.equal)?;
            }
            found = look.found;
        }
        let mut among = Among::new(&waiting, &found);
        for (part, receipts) in waiting.chunks(FLUSH_RECEIPTS_MAX).enumerate() {
            let first = part * FLUSH_RECEIPTS_MAX;
            commits += self.commit(&mut turn, receipts, first, &mut among, is_anew)?;
        }
        commits += self.commit(&mut turn, &[], waiting.len(), &mut among, is_anew)?;
        if is_busy {
            let message = "Other processes kept writing, so changes made by hand could not be checked.";
            return Err(EngineError::new(Code::Locked, message));
        }
        Ok(Flushed { commits, waiting: 0 })
    }

    /// Records the commits of receipts.
    fn committed(&self, commits: &[(ReceiptId, String)]) -> Result<(), EngineError> {
        if self.is_kept {
            self.memory.committed(commits)?;
        }
        Ok(())
    }

    /// Whether any file differs from `repository`, with no receipt waiting.
    pub fn differs(
        &self,
        repository: &Repository,
        compared: &mut dyn Lifetimes,
    ) -> Result<bool, EngineError> {
        if repository.is_beginning()? {
            return Ok(false);
        }
        let look = self.history.look_for_found(repository, &[], &compared.compared()?)?;
        compared.compare(&look.equal)?;
        Ok(!look.found.is_empty())
    }

    /// Commits receipts in order, the first with number `first`, and the external changes `among` them. If the
    /// history `is_anew`, the base of a file's first receipt may have been lost: it is committed first, as found, so
    /// that no receipt is credited with earlier lines.
    fn commit(
        &self,
        turn: &mut Turn<'_>,
        receipts: &[Receipt],
        first: usize,
        among: &mut Among<'_>,
        is_anew: bool,
    ) -> Result<usize, EngineError> {
        let repository = turn.history();
        let mut left = Vec::new();
        let mut known = Vec::new();
        for (number, receipt) in (first..).zip(receipts) {
            let filter = LogFilter { receipt: Some(receipt.id.to_string()), ..LogFilter::newest(1) };
            // Only the first of a batch can have been committed by a crashed process: a batch is atomic.
            let earlier = if left.is_empty() { repository.log(&filter)?.pop() } else { None };
            match earlier {
                Some(commit) => known.push((receipt.id.clone(), commit.oid.to_string())),
                None => left.push((number, receipt)),
            }
        }
        if !known.is_empty() {
            self.committed(&known)?;
        }
        let mut files: HashMap<SafeName, Option<Arc<[u8]>>> = HashMap::new();
        let mut batch = Batch::default();
        for (number, receipt) in &left {
            for group in among.before(*number) {
                batch.add(None, self.history.commit_of_found(group, among.not_before(*number)));
                batch.flush_large(turn, self)?;
            }
            let mut after = self.bytes_after(repository, receipt, &files)?;
            if let After::Known(bytes) = &after {
                let is_first = is_anew && !files.contains_key(&receipt.name);
                files.insert(receipt.name.clone(), bytes.clone());
                if is_first && let Some(found) = self.lost_base(repository, receipt, bytes.as_ref())? {
                    if Some(&found) == bytes.as_ref() {
                        after = After::Unknown;
                    }
                    batch.add(None, found_commit(receipt, found));
                }
            }
            batch.add(Some(receipt.id.clone()), commit_of(receipt, after));
        }
        if receipts.is_empty() {
            for group in among.before(first) {
                batch.add(None, self.history.commit_of_found(group, among.not_before(first)));
                batch.flush_large(turn, self)?;
            }
        }
        batch.flush(turn, self)?;
        Ok(batch.commits)
    }

    /// The base of `receipt`, if this history lacks it: the bytes before an append; for any other change all of
    /// `after`, since its new lines are unknown. `None` if it exists or was empty.
    fn lost_base(
        &self,
        repository: &Repository,
        receipt: &Receipt,
        after: Option<&Arc<[u8]>>,
    ) -> Result<Option<Arc<[u8]>>, EngineError> {
        let (Some(base), Some(after)) = (&receipt.base, after) else { return Ok(None) };
        // External changes need no distinction from earlier content.
        if receipt.actor == Actor::External
            || repository.show(&Rev::Tip, &receipt.name)?.is_some_and(|bytes| Sha256::of(&bytes) == *base)
        {
            return Ok(None);
        }
        let stood = match &receipt.kept {
            KeptBytes::Added(added) => self.memory.kept(added)?.and_then(|added| after.strip_suffix(&*added)),
            KeptBytes::Whole(_) | KeptBytes::Nothing => None,
        };
        Ok(Some(stood.map_or_else(|| Arc::clone(after), Arc::from)))
    }

    /// The whole file after a receipt.
    fn bytes_after(
        &self,
        repository: &Repository,
        receipt: &Receipt,
        files: &HashMap<SafeName, Option<Arc<[u8]>>>,
    ) -> Result<After, EngineError> {
        let kept = |sha256: &Sha256| self.memory.kept(sha256)?.ok_or_else(|| lost("after", receipt));
        Ok(match &receipt.kept {
            KeptBytes::Nothing => After::Known(None),
            KeptBytes::Whole(sha256) => After::Known(Some(kept(sha256)?.into())),
            KeptBytes::Added(sha256) => {
                let added = kept(sha256)?;
                let before = match files.get(&receipt.name) {
                    Some(bytes) => bytes.as_deref().map(<[u8]>::to_vec),
                    None => repository.show(&Rev::Tip, &receipt.name)?,
                };
                let before = match before {
                    before if before.as_deref().map(Sha256::of) == receipt.base => before,
                    _ => self.base_in_file(receipt, &added)?,
                };
                match before {
                    None if receipt.base.is_some() => After::Unknown,
                    before => After::Known(Some([before.unwrap_or_default(), added].concat().into())),
                }
            }
        })
    }

    /// The base of an append, if the file still begins with it and the repository was deleted. `None` if unknown.
    fn base_in_file(&self, receipt: &Receipt, added: &[u8]) -> Result<Option<Vec<u8>>, EngineError> {
        let (Some(base), Some(content)) = (&receipt.base, self.history.core.content(&receipt.name)?) else {
            return Ok(None);
        };
        let bytes = &*content.bytes;
        let mut ends = (0..bytes.len()).filter(|&end| bytes[end..].starts_with(added));
        Ok(ends.find(|&end| Sha256::of(&bytes[..end]) == *base).map(|end| bytes[..end].to_vec()))
    }
}
