//! Erasure: removes texts from everything that an agent stores, and refuses them later.
//!
//! Only the owner at their own terminal may erase: it requires a [`HumanConsent`], and no interface for agents has
//! it. It is planned first. Then tombstones are written, so that nothing restores the text concurrently; then facts
//! are destroyed, lines are removed from files through the gate, and transcripts, rows of memory.db and, on request,
//! commits are rewritten. Every step searches for the remaining occurrences, so the next run completes an interrupted
//! one. Invariant: no receipt, row or message of an erasure contains an erased word; a plan quotes the occurrences,
//! since a person decides by them. Reading order: [`ErasureRequest`], [`Matcher`] (see
//! [`forgotten`](crate::core::forgotten)), this file, [`quotation`], [`hashes`], [`standing`].

mod aim;
mod hashes;
mod quotation;
mod standing;

use std::collections::{BTreeMap, HashSet};

use inwit_gate::{Author, HumanConsent};
use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::ports::{Content, SkipReason};
use inwit_model::{Code, Op, Place, SafeName, SessionId, Sha256};
use inwit_store::memory::{KnownTexts, Memory, ProposalFilter, RowFate};
use inwit_workspace::{History, ScopedReader as _, Transcripts};

pub use aim::ErasureRequest;
pub use quotation::Quotation;

pub use crate::core::forgotten::{
    CUT_LETTERS_MIN, Edges, FORGET_CHARS_MAX, FORGET_CHARS_MIN, How, MARK, MARK_LINE, Matcher,
    TombstoneMatcher, TombstoneSet, automaton, usual, usual_bytes,
};
use crate::core::record::AuditDetail;
use crate::notes::undo::ERASURE_REASON;
use crate::notes::{line_project, trust};
use crate::{Agent, EngineError, WriteContext};

inwit_model::words! {
    /// What happens to a place with an occurrence.
    Fate {
        /// It is removed.
        Goes = "goes",
        /// The text is replaced by a mark, or its lines are removed.
        Rewritten = "rewritten",
        /// Sessions that received it end.
        Ends = "ends",
        /// It is dropped and rebuilt from the rest.
        Rebuilt = "rebuilt",
        /// The scan finds no text in it; it is processed anyway, to remove hashes.
        Scanned = "scanned",
        /// It stays and is reported to the owner.
        Stays = "stays",
    }
}

/// One place with occurrences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The kind of place, such as `file` or `transcript`.
    pub kind: &'static str,
    /// Its name, for display.
    pub name: String,
    /// Number of lines, rows or commits.
    pub count: u64,
    /// What happens to it.
    pub fate: Fate,
    /// Quotations; empty for data that only programs read, such as an index or a history.
    pub shows: Vec<Quotation>,
}

/// The result of an erasure.
#[derive(Debug, Clone, Default)]
pub struct Forgotten {
    /// Facts destroyed.
    pub facts: u64,
    /// Files with removed lines.
    pub files: u64,
    /// Transcripts rewritten.
    pub transcripts: u64,
    /// Other rows of memory.db removed or rewritten.
    pub rows: u64,
    /// Commits rewritten.
    pub commits: u64,
    /// Whether the write-ahead log of memory.db was emptied; otherwise another process is reading.
    pub log_emptied: bool,
    /// Hashes of the remaining texts, so that copies of memory.db drop the same hashes.
    pub known: KnownTexts,
}

impl Agent {
    /// Finds the occurrences in this agent's storage and their fate; read-only.
    pub fn plan_forgetting(&self, aim: &ErasureRequest) -> Result<Vec<Occurrence>, EngineError> {
        let wording = &aim.wording;
        let without = |bytes: &[u8]| wording.without(bytes);
        let mut plan = Vec::new();
        for name in self.core.workspace.private().list()?.entries.into_iter().map(|entry| entry.name) {
            if let Some(content) = self.forgettable(&name)? {
                let shows = wording.quotations(&content.bytes);
                if !shows.is_empty() {
                    let fate = if is_written(&name) { Fate::Rewritten } else { Fate::Stays };
                    plan.push(place("file", name.as_str(), fate, shows));
                }
            }
        }
        if let Some(memory) = self.core.memory_if_made()? {
            let mut values: BTreeMap<String, Vec<Quotation>> = BTreeMap::new();
            let told = memory.standing(&without, &mut |table, value| {
                let shows = wording.quotations(value).into_iter().map(Quotation::of_a_value);
                values.entry(table.to_owned()).or_default().extend(shows);
            })?;
            for standing in told {
                let fate = match standing.fate {
                    RowFate::Goes => Fate::Goes,
                    RowFate::Rewritten => Fate::Rewritten,
                    RowFate::Ends => Fate::Ends,
                    RowFate::Stays => Fate::Stays,
                };
                // A table value is quoted once, even if some of its rows are removed and some stay.
                let shows = values.remove(&standing.table).unwrap_or_default();
                let stand = place("memory.db", &standing.table, fate, shows);
                plan.push(Occurrence { count: standing.rows, ..stand });
            }
        }
        for (transcripts, id) in self.transcripts_of_all()? {
            let told = transcripts.holding(&id, &without)?;
            if !told.is_empty() {
                let shows = told.iter().flat_map(|(line, text)| {
                    wording.quotations(text).into_iter().map(|quoted| quoted.in_line(*line))
                });
                plan.push(place("transcript", id.as_str(), Fate::Rewritten, shows.collect()));
            }
        }
        if let Some(history) = self.history.history_kept()? {
            for (words, fate) in [(&aim.rewritten, Fate::Rewritten), (&aim.kept, Fate::Stays)] {
                let Some(words) = words else { continue };
                let held = history.holding(&|bytes| words.without(bytes))?;
                if held.objects > 0 {
                    let stand = place("history", "commits", fate, Vec::new());
                    plan.push(Occurrence { count: held.commits as u64, ..stand });
                }
            }
        }
        Ok(plan)
    }

    /// Refuses an incomplete erasure. Error: `memory_index_stale`, since rows missing from an index would be kept.
    pub fn can_forget(&self) -> Result<(), EngineError> {
        match self.core.memory()?.indexes()?.stale.first() {
            None => Ok(()),
            Some(name) => {
                let message = format!(
                    "{name} of memory.db disagrees with its rows, so not everything would be found: nothing \
                     was forgotten."
                );
                Err(EngineError::new(Code::MemoryIndexStale, message))
            }
        }
    }

    /// Erases the texts, also from commits if `aim` says so, which changes their ids. `known` are the hashes at the
    /// start ([`known_by`](Self::known_by)). Errors: refusals of the gate, `memory_index_stale` before any change,
    /// `locked`, `audit_unwritable`, and those of the disk; completed steps stay done.
    pub fn forget_everywhere(
        &self,
        aim: &ErasureRequest,
        known: KnownTexts,
        person: &HumanConsent,
    ) -> Result<Forgotten, EngineError> {
        self.can_forget()?;
        let wording = &aim.wording;
        let memory = self.core.memory()?;
        let salt = memory.salt()?;
        let stones = wording.stones(&salt);
        let rewritten = aim.rewritten.as_ref().map(|words| words.stones(&salt)).unwrap_or_default();
        // Fail-closed: what cannot be recorded is not started. The hash is salted, like tombstones.
        for stone in &stones {
            let detail = AuditDetail::default().with("salted", stone.hash).with("words", stone.words);
            self.core.record(
                "forget_everywhere",
                "agent",
                detail.with("history", rewritten.contains(stone)),
            )?;
        }
        memory.bury(&stones, self.core.clock.now())?;
        let facts = self.forget_facts(wording, person)?;
        let mut done = Forgotten { facts, known, ..Forgotten::default() };
        for name in self.core.workspace.private().list()?.entries.into_iter().map(|entry| entry.name) {
            if let Some(marks) = self.forget_lines(memory.as_ref(), &name, wording, person)? {
                done.files += 1;
                done.known.marks.extend(marks);
            }
        }
        self.propose_without(memory.as_ref(), wording)?;
        let without = |bytes: &[u8]| wording.without(bytes);
        for (transcripts, id) in self.transcripts_of_all()? {
            if transcripts.rewrite(&id, &without)? {
                done.transcripts += 1;
                done.known.sessions.push(id);
            }
        }
        if aim.rewritten.is_some() {
            // Receipts waiting for the history are rewritten with it, so that none loses its bytes.
            self.history.flush_history()?;
        }
        self.know_what_stands(wording, &mut done.known)?;
        memory.let_go_of_hashes(&done.known)?;
        let lines = |bytes: &[u8]| wording.without_lines(bytes, b"");
        let erased = memory.erase(&without, &lines, self.core.clock.now())?;
        done.rows = erased.rows;
        done.log_emptied = erased.log_emptied;
        if let Some(words) = &aim.rewritten
            && let Some(history) = self.history.history_kept()?
        {
            done.commits = self.rewrite_history(memory.as_ref(), &history, words)?;
        }
        self.core.index().clear()?;
        Ok(done)
    }

    /// A proposal stores the whole file. One that adds something else is rebased onto the file without the text.
    fn propose_without(&self, memory: &dyn Memory, wording: &Matcher) -> Result<(), EngineError> {
        let cleaned = |bytes: &[u8]| wording.without_lines(bytes, b"").unwrap_or_else(|| bytes.to_vec());
        for kept in memory.proposals(ProposalFilter::Open)? {
            let proposal = kept.proposal;
            let (Op::Put(bytes), Some(base)) = (&proposal.op, &proposal.base) else { continue };
            let Some(current) = self.forgettable(&proposal.target)? else { continue };
            let Some(before) = self.history.bytes_of_name(memory, &proposal.target, base)? else { continue };
            let after = cleaned(bytes);
            let is_same_file = cleaned(&before) == *current.bytes && *before != *current.bytes;
            if is_same_file && after != *current.bytes && wording.without(&after).is_none() {
                let rebased = proposal.rebased(&current.bytes, Op::Put(after.into()));
                memory.rebase(&rebased, proposal.base, self.core.clock.now())?;
            }
        }
        Ok(())
    }

    /// The hashes of the texts before an erasure, kept while it runs so that a resumed run can remove them:
    /// afterwards the texts are gone.
    pub fn known_by(&self, wording: &Matcher) -> Result<KnownTexts, EngineError> {
        let mut known = KnownTexts::default();
        known.marks.extend(wording.texts().iter().flat_map(|text| trust::hashes(text).collect::<Vec<_>>()));
        known.marks.extend(wording.texts().iter().flat_map(|text| line_project::hashes_of(text.as_bytes())));
        for name in self.core.workspace.private().list()?.entries.into_iter().map(|entry| entry.name) {
            let Some(content) = self.forgettable(&name)?.filter(|_| is_written(&name)) else { continue };
            let Some(left) = wording.without_lines(&content.bytes, b"") else { continue };
            let stands = self.marks_of(&name, &left);
            known.marks.extend(self.marks_of(&name, &content.bytes).difference(&stands));
        }
        for (transcripts, id) in self.transcripts_of_all()? {
            if !transcripts.holding(&id, &|bytes| wording.without(bytes))?.is_empty() {
                known.sessions.push(id);
            }
        }
        Ok(known)
    }

    /// Completes an interrupted rewrite of the history: removes half of a new one, and updates commit ids in
    /// receipts.
    pub fn settle_history(&self) -> Result<(), EngineError> {
        let (Some(history), Some(memory)) = (self.history.history_kept()?, self.core.memory_if_made()?)
        else {
            return Ok(());
        };
        history.clear_drafts()?;
        self.take_up_names(memory.as_ref(), &history)
    }

    /// All texts that a fact has or had. Error: `fact_unknown`.
    pub fn fact_wordings(&self, id: &str) -> Result<Vec<String>, EngineError> {
        let fact = self.facts.fact(id)?;
        let mut texts = vec![fact.text.content];
        texts.extend(self.core.memory()?.said_before(&fact.id)?);
        Ok(texts)
    }

    /// The text of a note, whose lines select the texts. Errors: those of reading.
    pub fn text_of(&self, name: &SafeName) -> Result<String, EngineError> {
        let content = self.core.workspace.private().read(name)?;
        Ok(String::from_utf8_lossy(&content.bytes).into_owned())
    }

    /// Paths of conflict copies beside notes, from a sync tool or a write conflict.
    pub fn conflict_copies(&self) -> Result<Vec<String>, EngineError> {
        let skipped = self.core.workspace.private().list()?.skipped.into_iter();
        Ok(skipped.filter(|one| one.reason == SkipReason::SyncConflict).map(|one| one.shown).collect())
    }

    /// Whether the write-ahead log of memory.db, which has old pages, could be emptied.
    pub fn empty_log(&self) -> Result<bool, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.empty_log()?),
            None => Ok(true),
        }
    }

    /// Notes over the size limit, which keep their lines.
    pub fn notes_too_large(&self) -> Result<Vec<SafeName>, EngineError> {
        let entries = self.core.workspace.private().list()?.entries.into_iter();
        Ok(entries.filter(|entry| entry.stamp.bytes > FILE_READ_BYTES_MAX).map(|entry| entry.name).collect())
    }

    /// The content of a note; `None` if it does not exist or is over the size limit. Such a note does not stop the
    /// erasure; the scan of all bytes finds its occurrences.
    fn forgettable(&self, name: &SafeName) -> Result<Option<Content>, EngineError> {
        // Changes of facts wait under names that are not files.
        if inwit_gate::is_fact_name(name) {
            return Ok(None);
        }
        match self.core.workspace.private().read_listed(name) {
            Err(error) if matches!(error.code, Code::FileTooLarge | Code::FileMissing) => Ok(None),
            read => Ok(Some(read?)),
        }
    }

    fn forget_facts(&self, wording: &Matcher, person: &HumanConsent) -> Result<u64, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(0) };
        let behalf = WriteContext::of(Author::owner(person));
        // One that has it outside its text goes with the rows of memory.db.
        let holding = self.facts.facts_holding(memory.as_ref(), wording)?;
        let mut count = self.facts.purge_facts(memory.as_ref(), holding, person)?;
        for entry in memory.user_profile()? {
            if wording.stands_in(entry.value.as_bytes()) {
                self.facts.profile_unset(entry.key.as_str(), &behalf)?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Removes the lines from a file; returns the marks of these lines. `None` if there were none.
    fn forget_lines(
        &self,
        memory: &dyn Memory,
        name: &SafeName,
        wording: &Matcher,
        person: &HumanConsent,
    ) -> Result<Option<HashSet<Sha256>>, EngineError> {
        // Files that inwit never writes stay and are reported, so that the erasure continues.
        if !is_written(name) {
            return Ok(None);
        }
        let Some(content) = self.forgettable(name)? else { return Ok(None) };
        let Some(left) = wording.without_lines(&content.bytes, b"") else { return Ok(None) };
        self.mark_what_is_left(memory, name, &content.bytes, wording)?;
        let behalf = WriteContext {
            // Text beside the erased words existed before.
            allow_secret: true,
            reason: ERASURE_REASON.to_owned(),
            ..WriteContext::of(Author::owner(person))
        };
        self.notes.amend(name, &behalf, &|bytes| {
            let left = bytes.and_then(|bytes| wording.without_lines(bytes, b""));
            Ok(left.map(|left| Op::Put(left.into())))
        })?;
        let stands = self.marks_of(name, &left);
        Ok(Some(self.marks_of(name, &content.bytes).difference(&stands).copied().collect()))
    }

    /// Tainted text stays tainted when its marked lines are removed: the rest of a tainted entry is marked again
    /// (D9).
    fn mark_what_is_left(
        &self,
        memory: &dyn Memory,
        name: &SafeName,
        bytes: &[u8],
        wording: &Matcher,
    ) -> Result<(), EngineError> {
        if !matches!(Place::of(name), Some(Place::Journal(_) | Place::RoomMemory { .. })) {
            return Ok(());
        }
        let mut marks = Vec::new();
        for part in trust::parts(bytes) {
            let Ok(text) = std::str::from_utf8(&bytes[part]) else { continue };
            let taint = memory.taint_of_any(&mut trust::hashes(text))?.filter(inwit_model::Taint::is_tainted);
            let (Some(taint), Some(left)) = (taint, wording.without_lines(text.as_bytes(), b"")) else {
                continue;
            };
            let left = String::from_utf8_lossy(&left).into_owned();
            let at = self.core.clock.now();
            let mark = |entry| inwit_store::memory::Mark { entry, taint, session: None, project: None, at };
            marks.extend(trust::hashes(&left).map(mark));
        }
        if marks.is_empty() { Ok(()) } else { Ok(memory.mark_all(&marks)?) }
    }

    fn rewrite_history(
        &self,
        memory: &dyn Memory,
        history: &History,
        wording: &Matcher,
    ) -> Result<u64, EngineError> {
        history.clear_drafts()?;
        // A flush that began before the erasure may still have the text. A new one cannot.
        drop(history.turn()?);
        // An interrupted run may have rewritten it without updating receipts.
        self.take_up_names(memory, history)?;
        let lines = |bytes: &[u8]| wording.without_lines(bytes, wording.mark_line().as_bytes());
        let mut is_held = history.holding(&lines)?.objects > 0;
        if !is_held {
            // An interrupted commit leaves unreachable objects.
            history.each_object(&mut |_, bytes| is_held |= lines(bytes).is_some())?;
        }
        if !is_held {
            return Ok(0);
        }
        let held = history.rewrite(&lines)?;
        self.take_up_names(memory, history)?;
        Ok(held.commits as u64)
    }

    /// Updates commit ids in receipts.
    fn take_up_names(&self, memory: &dyn Memory, history: &History) -> Result<(), EngineError> {
        let names = history.renames()?;
        if !names.is_empty() {
            memory.rename_commits(&names)?;
            history.renamed()?;
        }
        Ok(())
    }

    fn transcripts_of_all(&self) -> Result<Vec<(Transcripts, SessionId)>, EngineError> {
        let Some(home) = &self.sessions.transcripts else { return Ok(Vec::new()) };
        let sessions = Transcripts::open(&home.folder)?.sessions()?;
        let opened = |id| Ok((Transcripts::open(&home.folder)?, id));
        sessions.into_iter().map(|file| opened(file.id)).collect()
    }
}

/// Whether the gate allows any write there.
fn is_written(name: &SafeName) -> bool {
    !matches!(
        Place::of(name),
        None | Some(Place::Report | Place::Skill { .. } | Place::Loose | Place::Foreign)
    )
}

fn place(kind: &'static str, name: &str, fate: Fate, shows: Vec<Quotation>) -> Occurrence {
    Occurrence { kind, name: inwit_model::name::shown(name), count: shows.len() as u64, fate, shows }
}
