//! Forgetting for good: words are taken out of everything an agent keeps, and known again when they come back.
//!
//! Only the owner at their own terminal does this: a [`HumanConsent`] is asked for, and no interface of an agent has the verb.
//! It is planned first. Then tombstones are laid, so that nothing brings the words back meanwhile; then facts go,
//! lines go out of the files through the gate, transcripts, the rows of memory.db and, where that is asked for, the
//! commits of history are rewritten. Every step looks for what still stands, so a run that was killed is made
//! whole by the next one. Invariant: no receipt, row or message of a deed holds a word of what goes; a plan quotes
//! what would go, since a person judges by it.
//! Reading order: [`ErasureRequest`], [`Matcher`] (see [`forgotten`](crate::core::forgotten)), this file, [`quotation`], [`hashes`], [`standing`].

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
use crate::notes::{line_project, trust};
use crate::{Agent, EngineError, WriteContext};

inwit_model::words! {
    /// What becomes of a place in which the words stand.
    Fate {
        /// It goes.
        Goes = "goes",
        /// A mark takes the place of the words, or their lines go.
        Rewritten = "rewritten",
        /// Sessions that were given it end.
        Ends = "ends",
        /// It is dropped and rebuilt from what is left.
        Rebuilt = "rebuilt",
        /// The scan finds no words in it; it is processed nevertheless, to remove hashes.
        Scanned = "scanned",
        /// It stays and is reported to the owner.
        Stays = "stays",
    }
}

/// One place in which the words stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// What kind of place it is, such as `file` or `transcript`.
    pub kind: &'static str,
    /// Its name, as it may be shown.
    pub name: String,
    /// How often: lines, rows, commits.
    pub count: u64,
    /// What becomes of it.
    pub fate: Fate,
    /// What stands there; empty where only machines read it, such as an index or a history.
    pub shows: Vec<Quotation>,
}

/// What was done.
#[derive(Debug, Clone, Default)]
pub struct Forgotten {
    /// Facts that went.
    pub facts: u64,
    /// Files whose lines went.
    pub files: u64,
    /// Transcripts that were rewritten.
    pub transcripts: u64,
    /// Other rows of memory.db that went or were rewritten.
    pub rows: u64,
    /// Commits that were rewritten.
    pub commits: u64,
    /// The log of memory.db could be emptied; otherwise a process that reads holds it.
    pub log_emptied: bool,
    /// By what texts are known now, so that copies of memory.db let go of the same hashes.
    pub known: KnownTexts,
}

impl Agent {
    /// Where the words stand in what this agent keeps, and what would become of it; writes nothing.
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
                // What a table says is quoted once, also where some of its rows go and some stay.
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

    /// Refuses a deed that would not find everything. Error: `memory_index_stale`, since what an index does not show would
    /// stay, and half a forgetting is none.
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

    /// Takes the words away, from the commits of history too where `aim` says so: their names change by it. `known`
    /// is by what they were known when the deed began ([`known_by`](Self::known_by)). Errors: what the gate refuses,
    /// `memory_index_stale` before anything is done, `locked`, `audit_unwritable`, and those of the disk; what was done
    /// by then stays done.
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
        // Fail-closed: what cannot be recorded is not begun. The hash is salted, as tombstones are.
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
            // What waits for history is rewritten with it, so that no receipt loses its bytes.
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

    /// A proposal holds the whole file that it was made for. One that adds something else is rebased onto the file without
    /// the words.
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

    /// By what the words are known now, and what would lose them: kept while a deed is at work, so that one that was
    /// killed can let go of it, since afterwards nobody knows the words.
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

    /// Puts right what a deed that was killed left of history: half a new one goes, and receipts name the commits as
    /// they are called now.
    pub fn settle_history(&self) -> Result<(), EngineError> {
        let (Some(history), Some(memory)) = (self.history.history_kept()?, self.core.memory_if_made()?)
        else {
            return Ok(());
        };
        history.clear_drafts()?;
        self.take_up_names(memory.as_ref(), &history)
    }

    /// All that a fact says and ever said. Error: `fact_unknown`.
    pub fn fact_wordings(&self, id: &str) -> Result<Vec<String>, EngineError> {
        let fact = self.facts.fact(id)?;
        let mut texts = vec![fact.text.content];
        texts.extend(self.core.memory()?.said_before(&fact.id)?);
        Ok(texts)
    }

    /// The text of a note, by whose lines words are named. Errors: those of reading.
    pub fn text_of(&self, name: &SafeName) -> Result<String, EngineError> {
        let content = self.core.workspace.private().read(name)?;
        Ok(String::from_utf8_lossy(&content.bytes).into_owned())
    }

    /// Copies beside notes that a sync tool, or a write that met an edit, left: their paths in the workspace.
    pub fn conflict_copies(&self) -> Result<Vec<String>, EngineError> {
        let skipped = self.core.workspace.private().list()?.skipped.into_iter();
        Ok(skipped.filter(|one| one.reason == SkipReason::SyncConflict).map(|one| one.shown).collect())
    }

    /// Whether the log of memory.db, where pages of before stand until then, could be emptied.
    pub fn empty_log(&self) -> Result<bool, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.empty_log()?),
            None => Ok(true),
        }
    }

    /// The notes that are larger than any that is read, and so keep their lines.
    pub fn notes_too_large(&self) -> Result<Vec<SafeName>, EngineError> {
        let entries = self.core.workspace.private().list()?.entries.into_iter();
        Ok(entries.filter(|entry| entry.stamp.bytes > FILE_READ_BYTES_MAX).map(|entry| entry.name).collect())
    }

    /// What stands in a note. `None`: it is not there, or is larger than any that is read. Such a note stops no erasure of
    /// what stands elsewhere; the scan of all bytes finds the words in it.
    fn forgettable(&self, name: &SafeName) -> Result<Option<Content>, EngineError> {
        // Changes of facts wait under names of no file.
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
        // One that holds them beside its text goes with the rows of memory.db.
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

    /// Takes the lines out of a file; answers with the marks by which they were known. `None`: none stood there.
    fn forget_lines(
        &self,
        memory: &dyn Memory,
        name: &SafeName,
        wording: &Matcher,
        person: &HumanConsent,
    ) -> Result<Option<HashSet<Sha256>>, EngineError> {
        // What inwit never writes stays, and is told, so that all else goes nevertheless.
        if !is_written(name) {
            return Ok(None);
        }
        let Some(content) = self.forgettable(name)? else { return Ok(None) };
        let Some(left) = wording.without_lines(&content.bytes, b"") else { return Ok(None) };
        self.mark_what_is_left(memory, name, &content.bytes, wording)?;
        let behalf = WriteContext {
            // What stands beside the words stood there before.
            allow_secret: true,
            reason: "forget for good".to_owned(),
            ..WriteContext::of(Author::owner(person))
        };
        self.notes.amend(name, &behalf, &|bytes| {
            let left = bytes.and_then(|bytes| wording.without_lines(bytes, b""));
            Ok(left.map(|left| Op::Put(left.into())))
        })?;
        let stands = self.marks_of(name, &left);
        Ok(Some(self.marks_of(name, &content.bytes).difference(&stands).copied().collect()))
    }

    /// Nobody's words stay nobody's when the lines by which they were known go: what is left of a tainted entry is
    /// marked anew (D9).
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
        // A flush that began before the erasure may hold the words still. One that begins now cannot.
        drop(history.turn()?);
        // A run that was killed may have rewritten it and said so to nobody.
        self.take_up_names(memory, history)?;
        let lines = |bytes: &[u8]| wording.without_lines(bytes, wording.mark_line().as_bytes());
        let mut is_held = history.holding(&lines)?.objects > 0;
        if !is_held {
            // A commit that died half-way leaves objects that no commit reaches.
            history.each_object(&mut |_, bytes| is_held |= lines(bytes).is_some())?;
        }
        if !is_held {
            return Ok(0);
        }
        let held = history.rewrite(&lines)?;
        self.take_up_names(memory, history)?;
        Ok(held.commits as u64)
    }

    /// Lets receipts name the commits as they are called now.
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

/// Whether the gate lets anything be written there.
fn is_written(name: &SafeName) -> bool {
    !matches!(
        Place::of(name),
        None | Some(Place::Report | Place::Skill { .. } | Place::Loose | Place::Foreign)
    )
}

fn place(kind: &'static str, name: &str, fate: Fate, shows: Vec<Quotation>) -> Occurrence {
    Occurrence { kind, name: inwit_model::name::shown(name), count: shows.len() as u64, fate, shows }
}
