//! What was written, by whom, and the way back.
//!
//! Receipts become commits after the answer, one each, in order (D8); the verbs here first bring history
//! up to the receipts, so they never answer from yesterday. Without `git` receipts and their bytes are
//! kept, and undo still works. Invariants: git never runs while the write guard is held, so no writer waits for
//! it; the turn of the history is taken before the write guard; a receipt is in history once, also when the process
//! that brought it there died before it could say so.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use inwit_gate::{Author, Change, Person, hold};
use inwit_model::{Actor, Code, FileKind, HistoryPlace, Op, ReceiptId, SafeName, Scope, Sha256};
use inwit_store::Lifetimes;
use inwit_store::memory::{Ended, Kept, Memory, Receipt, ReceiptFilter};
use inwit_workspace::diff;
use inwit_workspace::history::{self, Commit, History, Turn, trailer};
pub use inwit_workspace::history::{LogFilter, Logged, Rev};
use jiff::Timestamp;

pub use crate::origin::Origin;

use crate::beginning::is_seed;
use crate::found::{Found, grouped};
use crate::write::Outcome;
use crate::{Agent, EngineError, Notice};

/// Receipts that are brought into history at a time.
const FLUSH_RECEIPTS_MAX: usize = 2_000;

/// Times that files are checked for what was changed by hand, where a write comes into each check.
const FOUND_LOOKS_MAX: usize = 3;

/// Most bytes of files found by hand that are held for one commit, as far as one file is not larger.
const FOUND_COMMIT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Receipts of a file that are looked through for the one to take back.
const UNDO_LOOKS_AT_MAX: usize = 10_000;

/// Commits that are looked through for the one before a change.
const CHANGE_LOOKS_AT_MAX: usize = 10_000;

/// Longest subject of a commit, in characters.
const SUBJECT_CHARS_MAX: usize = 72;

/// Where an agent's history is kept.
#[derive(Debug, Clone)]
pub struct HistoryHome {
    /// The git directory.
    pub git_dir: PathBuf,
    /// Which place that is.
    pub place: HistoryPlace,
    /// Longest wait for another process that writes to it, where that is not the usual one. Receipts that find it busy go
    /// in with a later command.
    pub lock_wait: Option<Duration>,
}

impl HistoryHome {
    /// `history` with the author and the wait of this agent.
    fn applied_to(&self, history: History) -> History {
        let history = match self.lock_wait {
            Some(wait) => history.waiting(wait),
            None => history,
        };
        match self.place {
            HistoryPlace::Workspace => history
                .signed_by(history::Author::Fixed { name: "agent".into(), email: "agent@localhost".into() }),
            HistoryPlace::Beside | HistoryPlace::Off => history,
        }
    }
}

/// What a flush did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flushed {
    /// Commits that were made.
    pub commits: usize,
    /// Receipts that still wait.
    pub waiting: usize,
}

/// A change that is about to be taken back.
#[derive(Debug, Clone)]
pub struct Undoing {
    /// The change.
    pub receipt: Receipt,
    /// The file as it is now.
    pub before: Option<Arc<[u8]>>,
    /// The file as it would be, `None`: gone.
    pub after: Option<Arc<[u8]>>,
}

impl Undoing {
    /// What would change, in unified form.
    pub fn diff(&self) -> String {
        diff::unified(self.receipt.name.as_str(), self.before.as_deref(), self.after.as_deref())
    }
}

/// The notice of changes that the history lacks, since nothing may be written into it.
pub const HISTORY_BEHIND: &str = "history_behind";

impl Agent {
    /// Brings receipts into history. Without `git`, or with history off, they wait: that is an answer, no
    /// error. Errors: `locked`, `history_failed`.
    pub fn flush_history(&self) -> Result<Flushed, EngineError> {
        self.flush(None)
    }

    /// The same at the end of something that nobody should wait for: where this agent leaves a busy history to a later
    /// command, its receipts wait. Error: `history_failed`.
    pub(crate) fn flush_in_passing(&self) -> Result<Flushed, EngineError> {
        let leaves = self.history.as_ref().is_some_and(|home| home.lock_wait.is_some());
        match self.flush_history() {
            Err(error) if leaves && error.code == Code::Locked => {
                let memory = self.memory_if_made()?;
                let waiting = memory.map(|memory| memory.waiting()).transpose()?;
                Ok(Flushed { commits: 0, waiting: waiting.map_or(0, |waiting| waiting.len()) })
            }
            flushed => flushed,
        }
    }

    /// The same with what was written, changed or taken away by hand since; what was found equal to history is
    /// remembered in `compared`.
    pub(crate) fn flush(&self, mut compared: Option<&mut dyn Lifetimes>) -> Result<Flushed, EngineError> {
        let Some(memory) = self.memory_if_made()? else { return Ok(Flushed { commits: 0, waiting: 0 }) };
        let waiting = memory.waiting()?;
        let history = match (waiting.is_empty(), &compared) {
            (true, None) => None,
            (true, Some(_)) => self.recorded()?,
            (false, _) => self.history_or_none()?,
        };
        let Some(history) = history else { return Ok(Flushed { commits: 0, waiting: waiting.len() }) };
        // One flush at a time: another one may have committed what waited, so that is read anew below.
        let mut turn = history.turn()?;
        let known = match &mut compared {
            Some(lifetimes) => lifetimes.compared()?,
            None => Vec::new(),
        };
        let is_anew = history.is_beginning()?;
        let (mut commits, mut looks, mut is_busy) = (0, 0, false);
        let (waiting, look) = loop {
            let (waiting, is_settled) = if is_anew || compared.is_some() {
                // A running write ends before the guard is free. An intent that is open then was left by a dead writer.
                let _held = self.lock.take()?;
                (memory.waiting()?, memory.unsettled()?.is_empty())
            } else {
                (memory.waiting()?, false)
            };
            // What was found before the first change is dated by its own stamp, long before history began.
            let first = waiting.iter().find(|receipt| receipt.actor != Actor::External).or(waiting.first());
            match first {
                Some(first) => commits += self.record_beginning(&mut turn, memory.as_ref(), first.at)?,
                None if is_anew => return Ok(Flushed { commits: 0, waiting: 0 }),
                None => {}
            }
            if !is_settled {
                break (waiting, None);
            }
            let look = self.look_for_found(&history, &waiting, &known)?;
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
                // The beginning goes on with the files that are told of nowhere.
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
            commits += self.commit(&mut turn, memory.as_ref(), receipts, first, &mut among, is_anew)?;
        }
        commits += self.commit(&mut turn, memory.as_ref(), &[], waiting.len(), &mut among, is_anew)?;
        if is_busy {
            let message = "Other processes kept writing, so changes made by hand could not be checked.";
            return Err(EngineError::new(Code::Locked, message));
        }
        Ok(Flushed { commits, waiting: 0 })
    }

    /// Commits receipts in order, the first of them number `first` of all, and what was found `among` them. In a
    /// history that `is_anew` the first of a file may stand on bytes that
    /// went with the one before: they come first, as what was found, so that no receipt is given the lines
    /// of others.
    fn commit(
        &self,
        turn: &mut Turn<'_>,
        memory: &dyn Memory,
        receipts: &[Receipt],
        first: usize,
        among: &mut Among<'_>,
        is_anew: bool,
    ) -> Result<usize, EngineError> {
        let history = turn.history();
        let mut left = Vec::new();
        let mut known = Vec::new();
        for (number, receipt) in (first..).zip(receipts) {
            let filter = LogFilter { receipt: Some(receipt.id.to_string()), ..LogFilter::newest(1) };
            // Only the first of a batch can have been brought there by one that died: a batch is whole.
            let earlier = if left.is_empty() { history.log(&filter)?.pop() } else { None };
            match earlier {
                Some(commit) => known.push((receipt.id.clone(), commit.oid.to_string())),
                None => left.push((number, receipt)),
            }
        }
        if !known.is_empty() {
            memory.committed(&known)?;
        }
        let mut files: HashMap<SafeName, Option<Arc<[u8]>>> = HashMap::new();
        let mut batch = Batch::default();
        for (number, receipt) in &left {
            for group in among.before(*number) {
                batch.add(None, self.commit_of_found(group, among.not_before(*number)));
                batch.flush_large(turn, memory)?;
            }
            let mut after = self.bytes_after(history, memory, receipt, &files)?;
            if let After::Known(bytes) = &after {
                let is_first = is_anew && !files.contains_key(&receipt.name);
                files.insert(receipt.name.clone(), bytes.clone());
                if is_first && let Some(found) = self.lost_base(history, receipt, bytes.as_ref())? {
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
                batch.add(None, self.commit_of_found(group, among.not_before(first)));
                batch.flush_large(turn, memory)?;
            }
        }
        batch.flush(turn, memory)?;
        Ok(batch.commits)
    }

    /// What `receipt` stands on, where this history lacks it: the bytes before an addition; of any other
    /// change all of `after`, for nobody can tell any more which of its lines are new. `None`: it is there,
    /// or there was nothing.
    fn lost_base(
        &self,
        history: &History,
        receipt: &Receipt,
        after: Option<&Arc<[u8]>>,
    ) -> Result<Option<Arc<[u8]>>, EngineError> {
        let (Some(base), Some(after)) = (&receipt.base, after) else { return Ok(None) };
        // Whoever wrote without asking is told apart from nobody by what was there before.
        if receipt.actor == Actor::External
            || history.show(&Rev::Tip, &receipt.name)?.is_some_and(|bytes| Sha256::of(&bytes) == *base)
        {
            return Ok(None);
        }
        let stood = match &receipt.kept {
            Kept::Added(added) => self.memory()?.kept(added)?.and_then(|added| after.strip_suffix(&*added)),
            Kept::Whole(_) | Kept::Nothing => None,
        };
        Ok(Some(stood.map_or_else(|| Arc::clone(after), Arc::from)))
    }

    /// Takes up a history that was thrown away before the next change makes it guess: what stands there is
    /// recorded as found while it can still be read.
    pub(crate) fn take_up_history(&self, memory: &dyn Memory) -> Result<(), EngineError> {
        let Some(home) = &self.history else { return Ok(()) };
        if home.git_dir.symlink_metadata().is_ok() || !History::available() {
            return Ok(());
        }
        if !memory.has_committed()? {
            return Ok(());
        }
        self.flush_history()?;
        self.record_beginning(&mut self.history()?.turn()?, memory, self.clock.now())?;
        Ok(())
    }

    /// The whole file as a receipt left it.
    fn bytes_after(
        &self,
        history: &History,
        memory: &dyn Memory,
        receipt: &Receipt,
        files: &HashMap<SafeName, Option<Arc<[u8]>>>,
    ) -> Result<After, EngineError> {
        let kept = |sha256: &Sha256| memory.kept(sha256)?.ok_or_else(|| lost("came of", receipt));
        Ok(match &receipt.kept {
            Kept::Nothing => After::Known(None),
            Kept::Whole(sha256) => After::Known(Some(kept(sha256)?.into())),
            Kept::Added(sha256) => {
                let added = kept(sha256)?;
                let before = match files.get(&receipt.name) {
                    Some(bytes) => bytes.as_deref().map(<[u8]>::to_vec),
                    None => history.show(&Rev::Tip, &receipt.name)?,
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

    /// What an addition stands on, as the file still begins with it: the repository that knew it was thrown
    /// away. `None`: nobody can tell any more.
    fn base_in_file(&self, receipt: &Receipt, added: &[u8]) -> Result<Option<Vec<u8>>, EngineError> {
        let (Some(base), Some(content)) = (&receipt.base, self.content(&receipt.name)?) else {
            return Ok(None);
        };
        let bytes = &*content.bytes;
        let mut ends = (0..bytes.len()).filter(|&end| bytes[end..].starts_with(added));
        Ok(ends.find(|&end| Sha256::of(&bytes[..end]) == *base).map(|end| bytes[..end].to_vec()))
    }

    /// Brings receipts into history for who will only read it. Where nothing may be written, what is there is read as it
    /// stands; [`history_behind`](Self::history_behind) tells what it lacks.
    pub(crate) fn flush_to_read(&self) -> Result<(), EngineError> {
        match self.flush_history() {
            Err(error) if matches!(error.code, Code::DiskReadOnly | Code::LockUnavailable) => Ok(()),
            flushed => flushed.map(drop),
        }
    }

    /// What whoever has read the history should know: how many changes are not in it, since nothing may be written into
    /// it. Without `git`, or with history off, they wait for that.
    pub fn history_behind(&self) -> Result<Option<Notice>, EngineError> {
        if self.history.is_none() || !History::available() {
            return Ok(None);
        }
        let Some(memory) = self.memory_if_made()? else { return Ok(None) };
        let waiting = memory.waiting()?.len();
        let message = format!("{waiting} change(s) are not in the history, since it may not be written.");
        let hint = "They are kept. Where you may write the home, any look at the history brings them in.";
        Ok((waiting > 0).then(|| Notice::new(HISTORY_BEHIND, message, hint)))
    }

    /// What happened, newest first. Errors: `git_missing`, `history_failed`.
    pub fn history_log(&self, filter: &LogFilter) -> Result<Vec<Logged>, EngineError> {
        self.flush_to_read()?;
        match self.recorded()? {
            Some(history) => Ok(history.log(filter)?),
            None => Ok(Vec::new()),
        }
    }

    /// The states before and after the last change of a file, or of the workspace; `None` where nothing was
    /// recorded. Errors: as [`history_log`](Self::history_log), and `not_recorded` for a file that history
    /// knows nothing of.
    pub fn last_change(&self, name: Option<&SafeName>) -> Result<Option<(Rev, Rev)>, EngineError> {
        self.flush_to_read()?;
        let unknown = || match name {
            Some(name) => Err(EngineError::new(Code::NotRecorded, format!("`{name}` is not recorded."))),
            None => Ok(None),
        };
        let Some(history) = self.recorded()? else { return unknown() };
        let newest = LogFilter { name: name.cloned(), ..LogFilter::newest(1) };
        let Some(change) = history.log(&newest)?.pop() else { return unknown() };
        let all = history.log(&LogFilter::newest(CHANGE_LOOKS_AT_MAX))?;
        let before = all.iter().skip_while(|commit| commit.oid != change.oid).nth(1);
        Ok(before.map(|before| (before.oid.into(), change.oid.into())))
    }

    /// What differs between two states, as a unified diff. Errors: `revision_unknown`, `not_recorded` for a
    /// file that history knows nothing of up to `to`.
    pub fn history_diff(&self, from: &Rev, to: &Rev, name: Option<&SafeName>) -> Result<String, EngineError> {
        self.flush_to_read()?;
        let history = self.recorded()?.ok_or_else(|| unrecorded(from))?;
        if let Some(name) = name
            && !history.is_recorded(to, name)?
            && !history.is_recorded(from, name)?
        {
            return Err(not_recorded(name, to));
        }
        Ok(history.diff(from, to, name)?)
    }

    /// A file as it was. Errors: `revision_unknown`, `file_missing` where its removal is recorded,
    /// `not_recorded` where nothing is.
    pub fn history_show(&self, at: &Rev, name: &SafeName) -> Result<Vec<u8>, EngineError> {
        self.flush_to_read()?;
        let history = self.recorded()?.ok_or_else(|| unrecorded(at))?;
        match history.show(at, name)? {
            Some(bytes) => Ok(bytes),
            None if history.is_recorded(at, name)? => {
                let message = format!("`{name}` was removed before {at}.");
                Err(EngineError::new(Code::FileMissing, message))
            }
            None => Err(not_recorded(name, at)),
        }
    }

    /// Proposes to bring a file back to what it was: a person sees the difference before it is written. A
    /// removal is proposed only where history records one. Errors: `revision_unknown`, `not_recorded`.
    pub fn restore_file(&self, at: &Rev, name: &SafeName, person: &Person) -> Result<Outcome, EngineError> {
        self.flush_history()?;
        let history = self.recorded()?.ok_or_else(|| unrecorded(at))?;
        let past = history.show(at, name)?;
        if past.is_none() && !history.is_recorded(at, name)? {
            return Err(not_recorded(name, at));
        }
        let current = self.content(name)?;
        let op = match past {
            Some(bytes) if current.as_ref().is_some_and(|content| *content.bytes == *bytes) => {
                return Ok(Outcome::Unchanged(name.clone()));
            }
            Some(bytes) => Op::Put(bytes.into()),
            None if current.is_none() => return Ok(Outcome::Unchanged(name.clone())),
            None => Op::Remove,
        };
        let bytes = current.as_ref().map(|content| &*content.bytes);
        if let Op::Put(after) = &op {
            self.stays_forgotten(self.memory()?.as_ref(), bytes, after)?;
        }
        let base = current.as_ref().map(|content| content.sha256);
        let mut change = Change::new(name.clone(), op, base, Author::owner(person))
            .because(format!("bring it back to what it was at {at}"));
        // A secret that stood there may be looked at; whether it may stand there again is asked at approval.
        change.allow_secret = true;
        let held = hold(&self.policy(), bytes, change)?;
        self.keep_proposal(held, bytes, &Scope::Main)
    }

    /// What taking a change back would do: the last one that is not taken back yet, or the one named. The
    /// file must be what that change left. Writes nothing. Errors: `receipt_unknown`, `stale`.
    pub fn plan_undo(&self, receipt: Option<&ReceiptId>) -> Result<Undoing, EngineError> {
        let nothing =
            || EngineError::new(Code::ReceiptUnknown, "There is no change that could be taken back.");
        let memory = self.memory_if_made()?.ok_or_else(nothing)?;
        let receipt = match receipt {
            Some(id) => memory.receipt(id)?.ok_or_else(|| {
                EngineError::new(Code::ReceiptUnknown, format!("There is no receipt {id}."))
            })?,
            None => last_of_ours(memory.as_ref())?.ok_or_else(nothing)?,
        };
        let current = self.content(&receipt.name)?;
        if current.as_ref().map(|content| content.sha256) != receipt.result {
            let message = format!("`{}` was changed again since {}.", receipt.name, receipt.id);
            return Err(EngineError::new(Code::Stale, message));
        }
        let after = match &receipt.base {
            None => None,
            Some(base) => Some(self.bytes_of(memory.as_ref(), &receipt, base)?),
        };
        Ok(Undoing { before: current.map(|content| content.bytes), after, receipt })
    }

    /// Takes back what was planned. Errors: `stale` when the file changed meanwhile, and those of writing.
    pub fn undo(&self, undoing: &Undoing, person: &Person) -> Result<Outcome, EngineError> {
        let receipt = &undoing.receipt;
        if let Some(after) = &undoing.after {
            self.stays_forgotten(self.memory()?.as_ref(), undoing.before.as_deref(), after)?;
        }
        let op = undoing.after.as_ref().map_or(Op::Remove, |bytes| Op::Put(Arc::clone(bytes)));
        let mut change = Change::new(receipt.name.clone(), op, receipt.result, Author::owner(person));
        change.undoes = Some(receipt.id.clone());
        // What stood there before may stand there again.
        change.allow_secret = true;
        if let Some(first) = &receipt.undoes
            && let Some(first) = self.memory()?.receipt(first)?
        {
            // Taking back a taking back brings words that somebody else wrote.
            change.words_of = Some(first.actor);
            change.taint = change.taint.join(first.taint);
        }
        self.write(change.because(format!("take back {}", receipt.id)))
    }

    /// The bytes a file had before `receipt`, from where they are.
    fn bytes_of(
        &self,
        memory: &dyn Memory,
        receipt: &Receipt,
        base: &Sha256,
    ) -> Result<Arc<[u8]>, EngineError> {
        if let Some(bytes) = memory.kept(base)? {
            return Ok(bytes.into());
        }
        self.flush_history()?;
        let past = past_bytes(&self.history()?, &receipt.name, base)?;
        past.ok_or_else(|| lost("stood there before", receipt))
    }

    /// The bytes of a file by their hash, `None` where they are neither kept nor in history.
    pub(crate) fn bytes_of_name(
        &self,
        memory: &dyn Memory,
        name: &SafeName,
        sha256: &Sha256,
    ) -> Result<Option<Arc<[u8]>>, EngineError> {
        if let Some(bytes) = memory.kept(sha256)? {
            return Ok(Some(bytes.into()));
        }
        self.flush_history()?;
        match self.history_or_none()? {
            Some(history) => past_bytes(&history, name, sha256),
            None => Ok(None),
        }
    }

    /// The history, made where it is not. Errors: `git_missing`, `history_unavailable` where it is off.
    fn history(&self) -> Result<History, EngineError> {
        let Some(home) = &self.history else {
            let message = "This agent keeps no history: `history.location` is off.";
            return Err(EngineError::new(Code::HistoryUnavailable, message));
        };
        let (place, now) = (&home.git_dir, self.clock.now());
        Ok(home.applied_to(match home.lock_wait {
            Some(wait) => History::open_or_init_within(place, now, wait)?,
            None => History::open_or_init(place, now)?,
        }))
    }

    /// The history as far as there is one: looking makes none. Errors: as [`history`](Self::history).
    pub(crate) fn recorded(&self) -> Result<Option<History>, EngineError> {
        match &self.history {
            Some(home) => Ok(History::open(&home.git_dir)?.map(|history| home.applied_to(history))),
            None => self.history().map(Some),
        }
    }

    fn history_or_none(&self) -> Result<Option<History>, EngineError> {
        if self.history.is_none() || !History::available() {
            return Ok(None);
        }
        self.history().map(Some)
    }
}

/// What was found, in its place among receipts.
struct Among<'f> {
    /// Each group before the receipt of that number.
    groups: VecDeque<(usize, &'f [Found])>,
    /// When each receipt was written, going by the one before where a clock was set back.
    moments: Vec<Timestamp>,
}

impl<'f> Among<'f> {
    /// Each group comes behind the receipts of its own files, and before the first that is later.
    fn new(receipts: &[Receipt], found: &'f [Found]) -> Self {
        let mut latest = Timestamp::MIN;
        let moments = receipts.iter().map(|receipt| {
            latest = latest.max(receipt.at);
            latest
        });
        let moments: Vec<Timestamp> = moments.collect();
        let mut own: HashMap<&SafeName, usize> = HashMap::new();
        receipts.iter().enumerate().for_each(|(at, receipt)| _ = own.insert(&receipt.name, at + 1));
        let mut least = 0;
        let groups = grouped(found, FOUND_COMMIT_BYTES_MAX).into_iter().map(|group| {
            let last = group.last().map_or(Timestamp::MIN, |last| last.at);
            let behind = group.iter().filter_map(|found| own.get(&found.name).copied()).max().unwrap_or(0);
            least = least.max(behind).max(moments.partition_point(|moment| *moment <= last));
            (least, group)
        });
        Self { groups: groups.collect(), moments }
    }

    /// The groups that come before the receipt `number`.
    fn before(&mut self, number: usize) -> Vec<&'f [Found]> {
        let ready = self.groups.partition_point(|(before, _)| *before <= number);
        self.groups.drain(..ready).map(|(_, group)| group).collect()
    }

    /// The moment that what comes before the receipt `number` is not earlier than.
    fn not_before(&self, number: usize) -> Timestamp {
        number.checked_sub(1).and_then(|before| self.moments.get(before)).copied().unwrap_or(Timestamp::MIN)
    }
}

/// Commits that are about to be made, with the receipts they are of.
#[derive(Default)]
struct Batch {
    receipts: Vec<Option<ReceiptId>>,
    waiting: Vec<Commit>,
    bytes: u64,
    commits: usize,
}

impl Batch {
    fn add(&mut self, receipt: Option<ReceiptId>, commit: Commit) {
        if receipt.is_none() && commit.changes.is_empty() {
            return;
        }
        self.bytes +=
            commit.changes.iter().filter_map(|(_, bytes)| Some(bytes.as_ref()?.len() as u64)).sum::<u64>();
        self.receipts.push(receipt);
        self.waiting.push(commit);
    }

    /// Makes the commits where they hold too much to wait for the others.
    fn flush_large(&mut self, turn: &mut Turn<'_>, memory: &dyn Memory) -> Result<(), EngineError> {
        if self.bytes > FOUND_COMMIT_BYTES_MAX { self.flush(turn, memory) } else { Ok(()) }
    }

    fn flush(&mut self, turn: &mut Turn<'_>, memory: &dyn Memory) -> Result<(), EngineError> {
        let oids = turn.commit(&std::mem::take(&mut self.waiting))?;
        let pairs = std::mem::take(&mut self.receipts).into_iter().zip(&oids);
        let pairs: Vec<(ReceiptId, String)> =
            pairs.filter_map(|(id, oid)| Some((id?, oid.to_string()))).collect();
        memory.committed(&pairs)?;
        (self.bytes, self.commits) = (0, self.commits + oids.len());
        Ok(())
    }
}

/// The bytes of `name` by their hash, from its commits.
pub(crate) fn past_bytes(
    history: &History,
    name: &SafeName,
    sha256: &Sha256,
) -> Result<Option<Arc<[u8]>>, EngineError> {
    let filter = LogFilter { name: Some(name.clone()), ..LogFilter::newest(UNDO_LOOKS_AT_MAX) };
    for commit in history.log(&filter)? {
        let bytes = history.show(&commit.oid.into(), name)?;
        if let Some(bytes) = bytes.filter(|bytes| Sha256::of(bytes) == *sha256) {
            return Ok(Some(bytes.into()));
        }
    }
    Ok(None)
}

/// Whether inwit keeps it for itself: nobody asked for it, so nobody means it by "the last change".
fn is_of_machine(receipt: &Receipt) -> bool {
    let own = [FileKind::Dreams, FileKind::Heartbeat].map(|kind| kind.spec().path);
    match receipt.actor {
        Actor::Engine => true,
        Actor::Dream => own.contains(&receipt.name.as_str()),
        _ => false,
    }
}

/// The last change that was made through inwit by owner or agent and is not taken back.
fn last_of_ours(memory: &dyn Memory) -> Result<Option<Receipt>, EngineError> {
    let all = memory.receipts(&ReceiptFilter { limit: UNDO_LOOKS_AT_MAX, ..ReceiptFilter::default() })?;
    let undone: Vec<&ReceiptId> = all.iter().filter_map(|receipt| receipt.undoes.as_ref()).collect();
    let ours = |receipt: &&Receipt| {
        receipt.ended != Ended::Void
            && !is_of_machine(receipt)
            && receipt.actor != Actor::External
            && receipt.undoes.is_none()
            && !undone.contains(&&receipt.id)
    };
    Ok(all.iter().find(ours).cloned())
}

fn unrecorded(at: &Rev) -> EngineError {
    let message = format!("Nothing was recorded so far, so there is no state `{at}`.");
    EngineError::new(Code::RevisionUnknown, message)
}

fn not_recorded(name: &SafeName, at: &Rev) -> EngineError {
    EngineError::new(Code::NotRecorded, format!("`{name}` is not recorded at {at}."))
}

fn lost(what: &str, receipt: &Receipt) -> EngineError {
    let message = format!("What {what} {} is neither kept nor in history.", receipt.id);
    EngineError::new(Code::BytesLost, message)
}

/// What a file held behind a receipt.
enum After {
    /// These bytes, `None`: it was gone.
    Known(Option<Arc<[u8]>>),
    /// Nobody can tell: the receipt becomes a commit that changes nothing, since a part is not the whole.
    Unknown,
}

/// What stood in the file of `receipt` when its history began anew.
fn found_commit(receipt: &Receipt, bytes: Arc<[u8]>) -> Commit {
    Commit {
        subject: format!("what was found: {}", receipt.name).chars().take(SUBJECT_CHARS_MAX).collect(),
        body: "An earlier history of it is gone.".to_owned(),
        at: receipt.at,
        actor: Actor::External.to_string(),
        trailers: Vec::new(),
        changes: vec![(receipt.name.clone(), Some(bytes))],
    }
}

fn commit_of(receipt: &Receipt, after: After) -> Commit {
    let named = ["dream: ", "session-close: "];
    let is_named = matches!(receipt.actor, Actor::Dream | Actor::Engine)
        && named.iter().any(|prefix| receipt.reason.starts_with(prefix));
    let (subject, body) = if is_named {
        (receipt.reason.clone(), String::new())
    } else {
        (format!("{} {}", receipt.deed, receipt.name), receipt.reason.clone())
    };
    let mut trailers = vec![(trailer::RECEIPT, receipt.id.to_string())];
    let session = receipt.session.as_ref().map(|session| (trailer::SESSION, session.to_string()));
    let proposal = receipt.proposal.as_ref().map(|proposal| (trailer::PROPOSAL, proposal.to_string()));
    trailers.extend(session.into_iter().chain(proposal));
    trailers.push((trailer::TAINT, receipt.taint.to_string()));
    if receipt.actor == Actor::External {
        trailers.push((trailer::FILE, receipt.name.to_string()));
    }
    // Found before its first change, and still what `init` gave: nobody outside wrote it.
    let is_seed = receipt.actor == Actor::External
        && receipt.base.is_none()
        && matches!(&after, After::Known(Some(bytes)) if is_seed(&receipt.name, bytes));
    let actor = if is_seed { Actor::Engine } else { receipt.actor };
    Commit {
        subject: subject.chars().take(SUBJECT_CHARS_MAX).collect(),
        body,
        at: receipt.at,
        actor: actor.to_string(),
        trailers,
        changes: match after {
            After::Known(bytes) => vec![(receipt.name.clone(), bytes)],
            After::Unknown => Vec::new(),
        },
    }
}

impl From<history::HistoryError> for EngineError {
    fn from(error: history::HistoryError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}
