//! Queries against the files as they were at a time.
//!
//! The past follows today's rules: an agent over the files of one commit searches, builds prompts and masks as
//! today's does, with a separate index for the last requested time. Lifetimes of passages come from the commits
//! ([`crate::history::lifetimes`]). Invariants: an answer depends only on commits that changed files in the reader's
//! scope, and only the owner sees commit ids (D3); a time before the history gets an empty answer and a notice, never
//! today's files.

mod lent;
mod scoped_history;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use inwit_model::fact::When;
use inwit_model::plural::counted;
use inwit_model::ports::Content;
use inwit_model::time;
use inwit_model::{Code, FILES, Hint, Place, SafeName, Scope, Stamp};
use inwit_store::memory::ReceiptFilter;
use inwit_store::{Index, IndexError, PassageMark, Step};
use inwit_workspace::history::PastFiles;
use inwit_workspace::{History, ScopedReader as _};
use jiff::Timestamp;

use self::lent::{Lent, Steady, Then};
use self::scoped_history::ScopedHistory;
use crate::history::found::changed;
use crate::history::history_view::HistoryView;
use crate::history::lifetimes::{grown, steps_of};
use crate::history::lives::Lives;
use crate::notes::get::{Excerpt, Lines};
use crate::notes::search::{Answer, Search};
use crate::sessions::prompt::Prompt;
use crate::{Agent, EngineError, Lifetime, ModelText, Notice, PastHome, PastPorts, Spare};

/// The state that an answer about the past is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsOf {
    /// The requested time, at most now.
    pub moment: Timestamp,
    /// The last commit at that time, for the owner only; `None` also if the history has none.
    pub commit: Option<String>,
    /// The time of that commit.
    pub recorded: Option<Timestamp>,
    /// The requested time is now: the current files answer.
    pub is_now: bool,
}

/// Retries of a query while another process uses the index for another time.
const LOOKS_MAX: usize = 8;

impl Agent {
    /// What `scope` saw at `moment`. Uncommitted changes count; a time that has not passed is answered from the
    /// current files. Errors: `git_missing`, `history_unavailable` (off), `bytes_lost` (the repository was deleted),
    /// `history_foreign`, `history_failed`. If the workspace is read-only, the history answers as it is.
    pub fn as_of(&self, scope: &Scope, moment: Timestamp) -> Result<Past<'_>, EngineError> {
        self.as_of_told(scope, moment).map_err(|error| match error.code {
            // Git errors contain commit ids and paths, which only the owner may see.
            Code::HistoryFailed | Code::IndexUnavailable if *scope != Scope::Main => {
                EngineError::new(Code::HistoryFailed, "The past cannot be read.")
            }
            _ => error,
        })
    }

    fn as_of_told(&self, scope: &Scope, moment: Timestamp) -> Result<Past<'_>, EngineError> {
        let is_now = moment >= self.core.clock.now();
        if *scope == Scope::Main {
            self.not_lost()?;
        }
        let home = self.history.past.as_ref().ok_or_else(|| match self.history.recorded() {
            Err(error) => error,
            Ok(_) => EngineError::new(Code::HistoryUnavailable, "This agent keeps no history."),
        })?;
        let opened = OpenPast::of(home, self)?;
        let view = opened.view;
        let mut notices = if *scope == Scope::Main { opened.notices } else { Vec::new() };
        notices.extend(self.incomplete(scope, &opened.steps, (!is_now).then_some(moment))?);
        let course = ScopedHistory::new(scope.clone(), opened.steps, self.core.clock.now());
        let last = course.last((!is_now).then_some(moment));
        let commit = last.and_then(|at| course.step(at)).filter(|_| !is_now);
        let of = AsOf {
            moment: moment.min(self.core.clock.now()),
            commit: commit.map(|step| step.commit.clone()).filter(|_| *scope == Scope::Main),
            recorded: last.filter(|_| !is_now).and_then(|at| course.moment(at)),
            is_now,
        };
        let unchanged = if is_now { BTreeMap::new() } else { self.unchanged_since(scope, &course, moment)? };
        // Unchanged files need no history, so that a reader does not learn when it began.
        if last.is_none() && unchanged.is_empty() && !is_now {
            notices.push(before_history(course.begins()));
        }
        let since =
            unchanged.iter().map(|(name, content)| (name.clone(), changed(content.stamp, moment))).collect();
        let recorded = match (&view, last) {
            (Some(view), Some(at)) => Some(PastFiles::new(History::clone(view), course.standing(at)?)),
            _ if !unchanged.is_empty() => Some(PastFiles::none()),
            _ => None,
        };
        let then = match recorded {
            _ if is_now => None,
            Some(recorded) => {
                let files = Arc::new(recorded.and(unchanged));
                let index = Steady { index: opened.index, files: Arc::clone(&files), seen: Mutex::default() };
                Some(self.at_moment(files, Box::new(index), moment)?)
            }
            None => Some(self.at_moment(Arc::new(PastFiles::none()), (home.spare)()?.index, moment)?),
        };
        if let Some(then) = &then {
            // Text that is masked today is masked there too.
            then.core.named.keep_also(self.core.named_values(scope));
            // So is text that was erased from the files and stands in the history.
            if let Some(erased) = self.core.erased_texts()? {
                let _ = then.core.erased.set(erased);
            }
        }
        let (scope, lives) = (scope.clone(), Mutex::new(opened.lives));
        Ok(Past { now: self, then, scope, of, _view: view, course, at: last, since, lives, notices })
    }

    /// Files that `scope` sees, without receipts and unchanged since `moment`: they had the same content then. For
    /// the owner the history has them.
    fn unchanged_since(
        &self,
        scope: &Scope,
        course: &ScopedHistory,
        moment: Timestamp,
    ) -> Result<BTreeMap<SafeName, Content>, EngineError> {
        if *scope == Scope::Main {
            return Ok(BTreeMap::new());
        }
        let view = self.core.view(scope);
        let stood = |stamp: Stamp| i128::from(stamp.changed_ns) <= moment.as_nanosecond();
        let mut unchanged = BTreeMap::new();
        for entry in view.list()?.entries {
            if stood(entry.stamp)
                && !course.has_receipt(&entry.name)
                && let Ok(content) = view.read(&entry.name)
                && stood(content.stamp)
            {
                unchanged.insert(entry.name, content);
            }
        }
        Ok(unchanged)
    }

    /// A notice if changes of files in `scope` are missing from the history, though they were committed: it is an
    /// older copy or damaged. `None` if they are later than `moment` and were recovered.
    fn incomplete(
        &self,
        scope: &Scope,
        steps: &[Step],
        moment: Option<Timestamp>,
    ) -> Result<Option<Notice>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(None) };
        let sees = |name: &SafeName| {
            *scope == Scope::Main || Place::of(name).is_some_and(|place| scope.sees(&place))
        };
        let known: HashSet<&str> = steps.iter().map(|step| step.commit.as_str()).collect();
        let all = memory.receipts(&ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() })?;
        let gone = all.iter().filter(|receipt| {
            sees(&receipt.name) && receipt.commit.as_deref().is_some_and(|commit| !known.contains(commit))
        });
        let gone: Vec<Timestamp> = gone.map(|receipt| receipt.at).collect();
        let newest = all
            .iter()
            .filter(|receipt| sees(&receipt.name) && receipt.commit.is_some())
            .max_by_key(|it| it.number);
        let is_old = newest.is_some_and(|newest| gone.contains(&newest.at));
        let Some(last) = gone.iter().max() else { return Ok(None) };
        if !is_old && moment.is_none_or(|moment| moment > *last) {
            return Ok(None);
        }
        let message = format!(
            "The history lacks {} up to {}: it is an older copy, or a part of it is lost.",
            counted(gone.len(), "change"),
            time::minute(*last)
        );
        let hint = "Restore a newer history.git from a backup. Answers about the past lack what the history \
                    lacks.";
        Ok(Some(Notice::new("history_incomplete", message, hint)))
    }

    /// Error: `bytes_lost`, if commits were made and their repository is missing.
    fn not_lost(&self) -> Result<(), EngineError> {
        let (Some(home), Some(memory)) = (&self.history.home, self.core.memory_if_made()?) else {
            return Ok(());
        };
        if home.git_dir.symlink_metadata().is_ok() || !History::available() {
            return Ok(());
        }
        if !memory.has_committed()? {
            return Ok(());
        }
        let message = format!("The history is missing: `{}` does not exist.", home.git_dir.display());
        Err(EngineError::new(Code::BytesLost, message))
    }

    /// This agent at `moment` over `files`: it writes nothing and records no search.
    fn at_moment(
        &self,
        files: Arc<PastFiles>,
        index: Box<dyn Index>,
        moment: Timestamp,
    ) -> Result<Self, EngineError> {
        let spare: Spare = match &self.history.past {
            Some(home) => {
                let home = Arc::clone(home);
                Box::new(move || Ok((home.spare)()?.index))
            }
            None => Box::new(|| Err(IndexError::Unwritable("there is no other index".into()))),
        };
        let store = Arc::new(Lent(self.core.memory_if_made()?));
        Ok(self.over(files, index, spare, Arc::new(Then(moment)), store))
    }
}

/// An agent at a past time, for one scope.
pub struct Past<'a> {
    now: &'a Agent,
    /// `None` if the time is now.
    then: Option<Agent>,
    scope: Scope,
    of: AsOf,
    /// The view that the files of `then` are read from.
    _view: Option<HistoryView>,
    course: ScopedHistory,
    /// Index of the history step that answers.
    at: Option<usize>,
    /// Start times of files without receipts.
    since: BTreeMap<SafeName, Timestamp>,
    lives: Mutex<Lives>,
    notices: Vec<Notice>,
}

impl Past<'_> {
    /// The state that answers are based on.
    pub fn of(&self) -> &AsOf {
        &self.of
    }

    /// Notices for the reader.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Searches the notes as they were; time words are relative to that time. Each hit has its lifetime. Errors:
    /// those of [`Notes::search`](crate::Notes::search).
    pub fn search(&self, search: &Search<'_>) -> Result<Answer, EngineError> {
        let search = Search { scope: &self.scope, ..search.clone() };
        let mut answer = self.answer(&search)?;
        let seen = match self.seen(&answer) {
            Err(IndexError::Damaged(_)) => self.mend().and_then(|()| Ok(self.seen(&answer)?)),
            seen => seen.map_err(EngineError::from),
        };
        match seen {
            Ok(seen) => answer.hits.iter_mut().zip(seen).for_each(|(hit, seen)| hit.seen = seen),
            Err(error) if self.scope == Scope::Main => answer.notices.push(untold(&error)),
            Err(_) => {}
        }
        let pending = answer.notices.iter_mut().find(|notice| notice.code == "embeddings_pending");
        pending.into_iter().for_each(|notice| {
            notice.hint =
                "Text that was removed later keeps the vectors it had, and gets no new ones.".into();
        });
        answer.notices.splice(0..0, self.notices.iter().cloned());
        Ok(answer)
    }

    fn answer(&self, search: &Search<'_>) -> Result<Answer, EngineError> {
        let Some(then) = &self.then else { return self.now.notes.search(search) };
        for _ in 1..LOOKS_MAX {
            match then.notes.search_unnoted(search) {
                Err(error) if error.code == Code::Locked => {}
                done => return done,
            }
        }
        then.notes.search_unnoted(search)
    }

    /// Builds the prompt from the files as they were, with results for `question`, and with facts valid at the time,
    /// as believed at `believed_at`. Its default is the same time, so that nothing later is included. Errors: those
    /// of [`Sessions::prompt_for`](crate::Sessions::prompt_for).
    pub fn prompt_believing(
        &self,
        question: Option<&str>,
        believed_at: Option<Timestamp>,
    ) -> Result<Prompt, EngineError> {
        let believed_at = believed_at.or(self.agent().sessions.facts_at.believed_at);
        let facts = When { as_of: Some(self.of.moment), believed_at };
        self.prompt_by(|agent| agent.sessions.prompt_of_facts(&self.scope, question, facts))
    }

    fn prompt_by(
        &self,
        assemble: impl FnOnce(&Agent) -> Result<Prompt, EngineError>,
    ) -> Result<Prompt, EngineError> {
        let names = FILES.iter().filter_map(|file| SafeName::parse(file.path).ok());
        self.agent().core.files.expect(&names.collect::<Vec<_>>().iter().collect::<Vec<_>>());
        let mut prompt = assemble(self.agent())?;
        prompt.notices.splice(0..0, self.notices.iter().cloned());
        Ok(prompt)
    }

    /// Reads lines of a file as it was. Errors: those of [`Notes::get`](crate::Notes::get).
    pub fn get(&self, path: &str, lines: Lines) -> Result<Excerpt, EngineError> {
        self.agent().notes.get(&self.scope, path, lines)
    }

    /// The same, masked for a model. Errors: those of [`Notes::get_masked`](crate::Notes::get_masked).
    pub fn get_masked(
        &self,
        path: &str,
        lines: Lines,
    ) -> Result<(Excerpt<ModelText>, Option<Notice>), EngineError> {
        self.agent().notes.get_masked(&self.scope, path, lines)
    }

    fn agent(&self) -> &Agent {
        self.then.as_ref().unwrap_or(self.now)
    }

    /// Rebuilds the cache of past states.
    fn mend(&self) -> Result<(), EngineError> {
        self.lives.lock().unwrap_or_else(PoisonError::into_inner).mend()
    }

    /// The lifetime of each hit.
    fn seen(&self, answer: &Answer) -> Result<Vec<Option<Lifetime>>, IndexError> {
        let mut lives = self.lives.lock().unwrap_or_else(PoisonError::into_inner);
        let hits = answer.hits.iter();
        hits.map(|hit| self.life(&mut lives, &hit.name, PassageMark::of(&hit.passage))).collect()
    }

    /// The lifetime of a passage around the time; `None` if it is not recorded.
    fn life(
        &self,
        lives: &mut Lives,
        name: &SafeName,
        passage: PassageMark,
    ) -> Result<Option<Lifetime>, IndexError> {
        if let Some(&from) = self.since.get(name) {
            return Ok(Some(Lifetime { from, until: None }));
        }
        let Some(at) = self.at else { return Ok(None) };
        let lives = lives.of(name, passage)?;
        let seen = self.course.seen(at, name, &lives);
        if seen.is_none() && !self.of.is_now {
            return Err(IndexError::Damaged(format!("the lifetime of a passage of `{name}` is missing")));
        }
        Ok(seen)
    }
}

/// The cache of past states, opened and updated to the history, with a view of the history.
struct OpenPast {
    lives: Lives,
    index: Box<dyn Index>,
    view: Option<HistoryView>,
    steps: Vec<Step>,
    notices: Vec<Notice>,
}

impl OpenPast {
    /// If it cannot be stored on disk, it stays in memory.
    fn of(home: &PastHome, agent: &Agent) -> Result<Self, EngineError> {
        let kept = (home.open)().map_err(EngineError::from).and_then(|parts| Self::grown(parts, agent));
        match kept {
            Err(error) if error.code == Code::IndexUnavailable => {
                let mut opened = Self::grown((home.spare)()?, agent)?;
                opened.notices.push(in_memory(&error));
                Ok(opened)
            }
            done => done,
        }
    }

    fn grown(mut parts: PastPorts, agent: &Agent) -> Result<Self, EngineError> {
        let mut notices = Vec::new();
        let recorded = agent.history.recorded()?;
        // Before the view, which then has at least the commits that git has now.
        let (mut steps, mut is_anew) = grown(parts.lifetimes.as_mut(), recorded.as_ref())?;
        let view = match agent.history.history_view(Some(parts.lifetimes.as_mut())) {
            Ok(view) => view,
            Err(error) => {
                if error.code == Code::IndexUnavailable {
                    parts.lifetimes.clear()?;
                    steps = grown(parts.lifetimes.as_mut(), recorded.as_ref())?.0;
                    is_anew = true;
                }
                notices.push(unfound(&error));
                agent.history.history_view(None)?
            }
        };
        notices.extend(is_anew.then(rebuilt));
        let waiting = match &view {
            Some(view) => steps_of(view, steps.last())?.ok_or(IndexError::Moved)?,
            None => Vec::new(),
        };
        let (base, added) = (steps.len(), waiting.iter().map(|new| new.step.clone()));
        steps.extend(added);
        let lives = Lives::new(parts.lifetimes, recorded, base, waiting);
        Ok(Self { lives, index: parts.index, view, steps, notices })
    }
}

fn unfound(error: &EngineError) -> Notice {
    let message = format!("Manual edits since the last change may be missing: {}", error.message);
    Notice::new("found_unrecorded", message, Hint::ExamineHome)
}

fn before_history(known: Option<Timestamp>) -> Notice {
    let message = match known {
        Some(known) => {
            let known = time::minute(known);
            format!("The history has no record of that time. It starts at {known}.")
        }
        None => "The history has no record of that time. Nothing is recorded yet.".to_owned(),
    };
    Notice::new("before_history", message, Hint::ListHistory)
}

fn rebuilt() -> Notice {
    let message = "The index of the past did not match the history, so it was rebuilt from the history.";
    Notice::new(
        "past_rebuilt",
        message,
        "Nothing is lost: the index contains nothing that the history does not.",
    )
}

fn in_memory(error: &EngineError) -> Notice {
    let why = error.message.trim_end_matches('.');
    let message = format!("The index of the past cannot be stored ({why}), so it is kept in memory for now.");
    Notice::new("past_in_memory", message, "Free some space, or make the inwit home writable.")
}

fn untold(error: &EngineError) -> Notice {
    let message = format!("Cannot determine since when the results existed: {}", error.message);
    Notice::new("lifetimes_untold", message, Hint::ExamineHome)
}
