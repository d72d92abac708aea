//! Edits entries of a file: replace, remove, or several steps in one change.
//!
//! An entry is selected by words that only it has. The result is computed on the current bytes and parsed before it
//! is written: all other entries and headings must be unchanged. Invariant: a change with an expected sha256 is
//! refused if the file differs (W24), and a caller changes only what it sees: masked words select no entry and are
//! never repeated.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use inwit_gate::MASK_BEGIN;
use inwit_markdown::{Edit, GapKind, Outline, Section, apply, outline};
use inwit_model::ports::Content;
use inwit_model::{Actor, Code, FileClass, Op, Place, SafeName, Scope, Sha256};
use inwit_workspace::ScopedReader as _;

use crate::core::mask::ModelText;
use crate::core::parse_name;
use crate::notes::remember::{self, Entry};
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Notes};

/// Most characters of an entry in an error.
pub const PREVIEW_CHARS_MAX: usize = 80;

/// Most entries in an error.
pub const PREVIEWS_MAX: usize = 5;

/// Most matching entries that an error counts exactly.
pub const COUNTED_MAX: usize = 100;

/// Entries processed together, if none has masked text.
pub const ENTRIES_TOGETHER: usize = 256;

/// Fewest hex digits of an entry's hash that select it.
pub const ENTRY_DIGITS_MIN: usize = 8;

/// A change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revise<'a> {
    /// The file.
    pub file: &'a str,
    /// The steps, each applied to the result of the one before.
    pub steps: &'a [Step<'a>],
    /// Expected sha256 of the file, if it was read.
    pub expected: Option<Sha256>,
    /// Whether to only report the effect.
    pub dry_run: bool,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<'a> {
    /// Adds an entry; no change if it exists.
    Add(Entry<'a>),
    /// Replaces the text of an entry; its list mark (`- `, `3. `) stays.
    Replace {
        /// The entry.
        pick: Pick<'a>,
        /// The text. Line ends become blanks.
        with: &'a str,
    },
    /// Removes an entry.
    Remove {
        /// The entry.
        pick: Pick<'a>,
    },
}

/// Selects an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick<'a> {
    /// By words that only it has, as written.
    Words(&'a str),
    /// By a prefix of its text's hash.
    Hash(&'a str),
}

/// The result of a change.
#[derive(Debug)]
pub struct Revised {
    /// The file.
    pub name: SafeName,
    /// `None` for a dry run.
    pub outcome: Option<Outcome>,
    /// The selected entries, before the change.
    pub touched: Vec<Touched>,
    /// Sha256 of the base; `None` if the file did not exist.
    pub sha256: Option<Sha256>,
    /// Number of entries in the file now.
    pub entries: usize,
    /// Number of characters in the file now.
    pub chars: usize,
}

/// A selected entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Its first line, from 1.
    pub line: u32,
    /// Its text.
    pub text: ModelText,
}

/// Why nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviseError {
    /// The file differs from the expected one.
    #[error("{}", stale(.name, .current))]
    Stale {
        /// The file.
        name: SafeName,
        /// Its current sha256, `None` if it was removed.
        current: Option<Sha256>,
    },
    /// No entry, or more than one, matches.
    #[error("{message}")]
    Unclear {
        /// `entry_missing` or `entry_ambiguous`.
        code: Code,
        /// One sentence.
        message: String,
        /// The beginning of each matching entry.
        previews: Vec<ModelText>,
    },
    /// Any other error.
    #[error("{0}")]
    Failed(#[from] EngineError),
}

impl From<ReviseError> for EngineError {
    fn from(error: ReviseError) -> Self {
        let message = error.to_string();
        match error {
            ReviseError::Stale { .. } => Self::new(Code::Stale, message),
            ReviseError::Unclear { code, .. } => Self::new(code, message),
            ReviseError::Failed(error) => error,
        }
    }
}

impl Notes {
    /// Refuses to replace a whole file of which a model of `scope` sees a part masked: it can only drop that part or
    /// guess it, and no answer may depend on the guess. Error: `mask_refused`.
    pub(crate) fn is_unmasked(&self, scope: &Scope, name: &SafeName) -> Result<(), EngineError> {
        let view = self.core.view(scope);
        let Ok(current) = view.read(name) else { return Ok(()) };
        self.core.load_named_of_files(&view);
        match self.hash_shown(scope, name, &current.bytes, current.sha256) == current.sha256 {
            true => Ok(()),
            false => Err(masked_part(name)),
        }
    }
}

/// The refusal of a change by somebody who sees a part of it masked.
fn masked_part(name: &SafeName) -> EngineError {
    let message = format!("`{name}` was not written: a part of what would be replaced is masked for you.");
    EngineError::new(Code::MaskRefused, message)
}

fn stale(name: &SafeName, current: &Option<Sha256>) -> String {
    match current {
        Some(current) => format!("`{name}` has changed since it was read: its sha256 is {current}."),
        None => format!("`{name}` has changed since it was read: it no longer exists."),
    }
}

impl Notes {
    /// Changes entries of a file that `scope` sees. Errors: `stale` with the current hash, `entry_missing`,
    /// `entry_ambiguous`, `file_missing` also for invisible files, `policy_refused` for an agent in a daily log, and
    /// as [`write`](Self::write).
    pub fn revise(
        &self,
        scope: &Scope,
        ask: &Revise<'_>,
        behalf: &WriteContext,
    ) -> Result<Revised, ReviseError> {
        let name = self.writable_in(scope, ask.file, behalf)?;
        self.core.load_named_of_files(&self.core.view(scope));
        let current = match self.core.view(scope).read(&name) {
            Ok(content) => Some(content),
            Err(error) if error.code == Code::FileMissing => None,
            Err(error) => return Err(EngineError::from(error).into()),
        };
        let known_by = |content: &Content| self.hash_shown(scope, &name, &content.bytes, content.sha256);
        let sha256 = current.as_ref().map(known_by);
        // With the file's own hash in the answer, a model could test guesses of a masked value.
        let is_owner = behalf.author.actor() == Actor::Owner;
        let is_whole =
            |expected| is_owner && current.as_ref().is_some_and(|content| content.sha256 == expected);
        let is_expected = |expected| sha256 == Some(expected) || is_whole(expected);
        if ask.expected.is_some_and(|expected| !is_expected(expected)) {
            return Err(ReviseError::Stale { name, current: sha256 });
        }
        let adds = ask.steps.iter().all(|step| matches!(step, Step::Add(_)));
        if current.is_none() && !adds {
            return Err(EngineError::new(Code::FileMissing, format!("`{name}` does not exist.")).into());
        }
        let before = current.as_ref().map(|content| &*content.bytes);
        let seen = |bytes: &[u8], look: &Look<'_>| {
            let page = self.core.page(scope, &name, bytes);
            look(&|span| self.core.shown_span(&page, span))
        };
        let (after, touched) = worked_out(&name, before, ask.steps, &seen)?;
        let replaces = ask.steps.iter().any(|step| matches!(step, Step::Replace { .. }));
        if !is_owner && replaces && touched.iter().any(|entry| entry.text.contains(MASK_BEGIN)) {
            return Err(masked_part(&name).into());
        }
        let outcome = if ask.dry_run {
            None
        } else if before == Some(&*after) {
            Some(Outcome::Unchanged(name.clone()))
        } else {
            let change = behalf.change(name.clone(), Op::Put(Arc::clone(&after)), current.as_ref());
            match self.write_in(scope, change) {
                Err(error) if error.code == Code::Stale => {
                    let current = self.core.view(scope).read(&name).ok().as_ref().map(known_by);
                    return Err(ReviseError::Stale { name, current });
                }
                done => Some(done?),
            }
        };
        let stands = match &outcome {
            Some(Outcome::Applied { .. }) => &*after,
            _ => before.unwrap_or_default(),
        };
        let (entries, chars) =
            (outline(stands).entries.len(), String::from_utf8_lossy(stands).chars().count());
        Ok(Revised { name, outcome, touched, sha256, entries, chars })
    }

    /// Replaces or creates a whole file that `scope` sees, or removes it (`content` is `None`), over the version that
    /// its author read: `expected` as in [`revise`](Self::revise), `None` if the file must not exist. A request that
    /// is repeated after a lost answer changes nothing. Errors: as [`revise`](Self::revise).
    pub fn replace(
        &self,
        scope: &Scope,
        file: &str,
        content: Option<&[u8]>,
        expected: Option<Sha256>,
        behalf: &WriteContext,
    ) -> Result<(SafeName, Outcome), ReviseError> {
        let name = self.writable_in(scope, file, behalf)?;
        let current = match self.core.view(scope).read(&name) {
            Ok(current) => Some(current),
            Err(error) if error.code == Code::FileMissing => None,
            Err(error) => return Err(EngineError::from(error).into()),
        };
        self.core.load_named_of_files(&self.core.view(scope));
        let is_owner = behalf.author.actor() == Actor::Owner;
        let known_by = |current: &Content| match is_owner {
            true => current.sha256,
            false => self.hash_shown(scope, &name, &current.bytes, current.sha256),
        };
        let sha256 = current.as_ref().map(known_by);
        // Whoever sees a part masked can only drop it or guess it, and no answer may depend on the guess.
        if content.is_some() && sha256 != current.as_ref().map(|current| current.sha256) {
            return Err(masked_part(&name).into());
        }
        if current.as_ref().map(|current| &*current.bytes) == content {
            return match content {
                Some(_) => Ok((name.clone(), Outcome::Unchanged(name))),
                None => Err(EngineError::new(Code::FileMissing, format!("`{name}` does not exist.")).into()),
            };
        }
        if sha256 != expected {
            return Err(ReviseError::Stale { name, current: sha256 });
        }
        let op = content.map_or(Op::Remove, |content| Op::Put(content.into()));
        let change = behalf.change(name.clone(), op, current.as_ref());
        match self.write_in(scope, change) {
            Err(error) if error.code == Code::Stale => {
                let current = self.core.view(scope).read(&name).ok().as_ref().map(known_by);
                Err(ReviseError::Stale { name, current })
            }
            done => Ok((name, done?)),
        }
    }

    /// Adds one entry to the memory of `scope`: MEMORY.md or its equivalent, in a room the room's page; or to `file`,
    /// if visible. Errors: as [`remember`](Self::remember), `refused` for a scope without memory.
    pub fn remember_in(
        &self,
        scope: &Scope,
        file: Option<&str>,
        entry: &Entry<'_>,
        behalf: &WriteContext,
    ) -> Result<Outcome, EngineError> {
        let page = match file {
            Some(file) => self.writable_in(scope, file, behalf)?,
            None => self.page_of(scope)?,
        };
        self.remember(Some(page.as_str()), entry, &behalf.within(scope))
    }

    /// The memory page of `scope`. Error: `refused` if it has none.
    pub fn page_of(&self, scope: &Scope) -> Result<SafeName, EngineError> {
        match scope {
            Scope::Main => self.memory_file(),
            Scope::Room(room) => parse_name(&format!("rooms/{}.md", room.folder())),
            _ => Err(EngineError::new(Code::Refused, "This scope cannot write notes.")),
        }
    }

    /// A name that `scope` sees and whose entries `behalf` may change.
    fn writable_in(&self, scope: &Scope, file: &str, behalf: &WriteContext) -> Result<SafeName, EngineError> {
        let name = parse_name(file)?;
        // Other scopes see only name and description of a skill (D3).
        let is_seen = Place::of(&name).is_some_and(|place| {
            scope.sees(&place) && (*scope == Scope::Main || !matches!(place, Place::Skill { .. }))
        });
        if !is_seen || !matches!(scope, Scope::Main | Scope::Room(_)) {
            return Err(EngineError::new(Code::FileMissing, format!("`{name}` does not exist.")));
        }
        let is_log = inwit_gate::ward_of(&name)? == Some(FileClass::Journals);
        if is_log && behalf.author.actor() != Actor::Owner {
            let message = format!("`{name}` was not written: past entries cannot be rewritten.");
            return Err(EngineError::new(Code::PolicyRefused, message));
        }
        Ok(name)
    }
}

/// Returns a masked part of a file: a secret is also recognised by the text around the part.
type SpanView<'s> = dyn Fn(Range<usize>) -> ModelText + 's;

/// Searches a masked file for the selected entry; returns its place and text.
type Look<'l> = dyn Fn(&SpanView<'_>) -> Result<(usize, ModelText), ReviseError> + 'l;

/// Gives a masked view of a file to a search.
type FileView<'s> = dyn Fn(&[u8], &Look<'_>) -> Result<(usize, ModelText), ReviseError> + 's;

/// The result of all steps, and the selected entries.
fn worked_out(
    name: &SafeName,
    before: Option<&[u8]>,
    steps: &[Step<'_>],
    seen: &FileView<'_>,
) -> Result<(Arc<[u8]>, Vec<Touched>), ReviseError> {
    let mut bytes: Arc<[u8]> = before.unwrap_or_default().into();
    let mut touched = Vec::new();
    for step in steps {
        let is_there = before.is_some() || !bytes.is_empty();
        let (pick, with) = match step {
            Step::Add(entry) => {
                let added = remember::with_entry(name, is_there.then_some(&*bytes), entry)?;
                bytes = added.unwrap_or(bytes);
                continue;
            }
            Step::Replace { pick, with } => (*pick, Some(*with)),
            Step::Remove { pick } => (*pick, None),
        };
        let document = outline(&bytes);
        let (at, text) = seen(&bytes, &|shown| picked(name, &document, pick, shown))?;
        let span = document.entries[at].span.clone();
        touched.push(Touched { line: line_of(&bytes, span.start), text });
        let edit = match with {
            Some(with) => {
                let words = remember::words(with)?;
                let mark = mark_of(&bytes[span.clone()]);
                Edit { with: [mark, words.as_bytes()].concat(), span: span.clone() }
            }
            None => Edit { span: with_its_lines(&document, &span), with: Vec::new() },
        };
        let changed = apply(&bytes, &[edit]).map_err(|error| {
            EngineError::new(Code::Refused, format!("`{name}` was not written: {error}."))
        })?;
        if !reads_as_before(&document, &outline(&changed), at, with.is_some()) {
            let message = format!(
                "`{name}` was not written: the change would alter how the text around the entry is read."
            );
            return Err(EngineError::new(Code::Refused, message).into());
        }
        bytes = changed.into();
    }
    Ok((bytes, touched))
}

/// The selected entry; of equal ones the first. A file may have millions of entries and each check is costly, so the
/// search stops early.
fn picked(
    name: &SafeName,
    document: &Outline<'_>,
    pick: Pick<'_>,
    shown: &SpanView<'_>,
) -> Result<(usize, ModelText), ReviseError> {
    let raw = |at: usize| &document.bytes()[document.entries[at].span.clone()];
    let text = |at: usize| shown(document.entries[at].span.clone());
    let is_meant = |text: &str| match pick {
        Pick::Words(words) => !words.trim().is_empty() && text.contains(words.trim()),
        Pick::Hash(start) => {
            start.len() >= ENTRY_DIGITS_MIN && Sha256::of(text.as_bytes()).to_string().starts_with(start)
        }
    };
    let fits = |at: &usize| is_meant(&text(*at));
    let unclear = |code, message, shown: &mut dyn Iterator<Item = usize>| {
        let previews = shown.take(PREVIEWS_MAX).map(|at| preview(&text(at))).collect();
        ReviseError::Unclear { code, message, previews }
    };
    let could_fit = candidates(document, &is_meant, shown);
    let mut rest = could_fit.iter().copied();
    let Some(first) = rest.find(fits) else {
        let message = format!("No entry of `{name}` contains these words.");
        return Err(unclear(Code::EntryMissing, message, &mut (0..document.entries.len())));
    };
    if rest.any(|at| raw(at) != raw(first) && fits(&at)) {
        let found: Vec<usize> = could_fit.into_iter().filter(fits).take(COUNTED_MAX + 1).collect();
        let count = match found.len() {
            many if many > COUNTED_MAX => format!("More than {COUNTED_MAX}"),
            few => few.to_string(),
        };
        let message =
            format!("{count} entries of `{name}` contain these words; give more words of the entry.");
        return Err(unclear(Code::EntryAmbiguous, message, &mut found.into_iter()));
    }
    Ok((first, text(first)))
}

/// Candidate entries: where nothing is masked only those that match as stored.
fn candidates(document: &Outline<'_>, is_meant: &dyn Fn(&str) -> bool, shown: &SpanView<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    for (group, entries) in document.entries.chunks(ENTRIES_TOGETHER).enumerate() {
        let whole = entries[0].span.start..entries[entries.len() - 1].span.end;
        let is_as_it_stands = shown(whole.clone()) == *document.text(&whole);
        let may_be = |span| !is_as_it_stands || is_meant(&document.text(span));
        let fitting = (group * ENTRIES_TOGETHER..).zip(entries).filter(|(_, entry)| may_be(&entry.span));
        found.extend(fitting.map(|(at, _)| at));
    }
    found
}

fn preview(text: &ModelText) -> ModelText {
    let words = text.on_one_line();
    words.shortened(PREVIEW_CHARS_MAX).unwrap_or(words)
}

/// The line of a byte, from 1.
pub(crate) fn line_of(bytes: &[u8], at: usize) -> u32 {
    let ends = bytes[..at.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count();
    u32::try_from(ends + 1).unwrap_or(u32::MAX)
}

/// The list mark of an entry: `- `, `* `, `12. `, with its box `[x] `; empty for a paragraph.
fn mark_of(entry: &[u8]) -> &[u8] {
    let digits = entry.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = match entry.get(digits) {
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        Some(b'.' | b')') if digits > 0 => digits + 1,
        _ => return &[],
    };
    let blanks = |from: usize| entry[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let mut end = sign + blanks(sign);
    if end == sign {
        return &[];
    }
    if let Some([b'[', b' ' | b'x' | b'X', b']', ..]) = entry.get(end..) {
        end += 3 + blanks(end + 3);
    }
    &entry[..end]
}

/// The lines of an entry with their line end, with a `§` separator after it, and without leaving two blank lines.
fn with_its_lines(document: &Outline<'_>, span: &Range<usize>) -> Range<usize> {
    let bytes = document.bytes();
    let line_end = |from: usize| {
        let end = bytes[from..].iter().position(|byte| *byte == b'\n');
        end.map_or(bytes.len(), |end| from + end + 1)
    };
    let is_blank = |range: Range<usize>| bytes[range].iter().all(u8::is_ascii_whitespace);
    let start = bytes[..span.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let start = if is_blank(start..span.start) { start } else { span.start };
    let mut end = line_end(span.end);
    let separators = || document.gaps.iter().filter(|gap| gap.kind == GapKind::Separator);
    if let Some(next) = separators().find(|gap| gap.span.start >= end && is_blank(end..gap.span.start)) {
        return start..line_end(next.span.end);
    }
    if let Some(last) = separators().rfind(|gap| gap.span.end <= start && is_blank(gap.span.end..start)) {
        return last.span.start..end;
    }
    let above = start == 0 || bytes[..start].ends_with(b"\n\n") || bytes[..start].ends_with(b"\n\r\n");
    if above && end < bytes.len() && is_blank(end..line_end(end)) {
        end = line_end(end);
    }
    start..end
}

/// Whether everything but the entry `at` is unchanged.
fn reads_as_before(old: &Outline<'_>, new: &Outline<'_>, at: usize, replaced: bool) -> bool {
    let heading = |section: &Section| (section.level, section.title.clone());
    fn texts<'d>(
        document: &'d Outline<'_>,
        gone: Option<usize>,
    ) -> impl Iterator<Item = (u32, Cow<'d, str>)> {
        let kept = document.entries.iter().enumerate().filter(move |(index, _)| Some(*index) != gone);
        kept.map(|(_, entry)| (entry.section, document.text(&entry.span)))
    }
    old.sections.iter().map(heading).eq(new.sections.iter().map(heading))
        && new.entries.len() + usize::from(!replaced) == old.entries.len()
        && texts(old, Some(at)).eq(texts(new, replaced.then_some(at)))
}

#[cfg(test)]
mod tests;
