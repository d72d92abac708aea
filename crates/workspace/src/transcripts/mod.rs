//! Transcripts: one append-only JSON lines file per session (N16–N18).
//!
//! Transcripts are for replay, audit and review. Nothing here enters a prompt or recall. A file starts with a header
//! under a kernel lock on the file, so that two processes write one header; each entry is one write under the lock,
//! synced when [`Transcripts::append`] returns. Invariant: existing bytes are changed only by an erasure of the owner
//! ([`mod@rewrite`]); an unreadable line is skipped and counted, never repaired.
//!
//! Reading order: [`mod@line`] (the format), [`Transcripts`], `lines` (bounded reading), `disk`, [`redact`].

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use inwit_gate::secrets::Repeated;
use inwit_model::limit::TRANSCRIPT_LINE_BYTES_MAX;
use inwit_model::{Code, FileError, SessionId};
use jiff::Timestamp;

use crate::fault::Fault;
use disk::{Folder, HoldError, LockedTranscript};
use lines::Span;

pub use disk::{SessionFile, missing};
pub use line::{Line, Record, Role, Said, SessionHeader};
pub use redact::{PatternError, Redaction, Redactor};

mod disk;
pub mod line;
mod lines;
pub mod redact;
mod rewrite;

/// The transcripts of one agent.
pub struct Transcripts {
    path: PathBuf,
    /// Empty while the folder is not there: a server may begin before anything was said.
    folder: OnceLock<Folder>,
    redaction: Option<Redaction>,
    /// When an append stops waiting for another process, where that is sooner than usual.
    until: Option<Instant>,
}

/// What an append did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// The file was begun with its header.
    pub begun: bool,
    /// The file ended in a torn line, which now has an end.
    pub repaired: bool,
    /// How many bytes it has now.
    pub bytes: u64,
}

/// Lines that gave no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Skips {
    /// Of a type that we do not know.
    pub unknown: u64,
    /// Torn, or no such JSON.
    pub bad: u64,
    /// Over the limit of a line.
    pub too_long: u64,
}

impl Skips {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.unknown + self.bad + self.too_long
    }
}

/// What going through a transcript found besides its records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scan {
    /// Its header, where the first line that can be read is one.
    pub header: Option<SessionHeader>,
    /// Things said.
    pub entries: u64,
    /// Boundaries of compaction.
    pub compactions: u64,
    /// When the first thing was said.
    pub first: Option<Timestamp>,
    /// When the last thing was said.
    pub last: Option<Timestamp>,
    /// Lines that were passed over.
    pub skips: Skips,
    /// The place behind the last whole line.
    pub consumed: u64,
}

impl Transcripts {
    /// Opens the transcripts in `folder` for reading; makes nothing. A folder that is not there holds none until it is.
    /// Error: `file_unreadable`.
    pub fn open(folder: &Path) -> Result<Self, FileError> {
        let transcripts =
            Self { path: folder.to_owned(), folder: OnceLock::new(), redaction: None, until: None };
        transcripts.folder()?;
        Ok(transcripts)
    }

    /// Opens the transcripts in `folder` for appending; makes it for the owner only where it is not there.
    /// Errors: `disk_full`, `disk_read_only`, `write_failed`.
    pub fn open_or_make(folder: &Path) -> Result<Self, FileError> {
        let opened = Folder::open_or_make(folder).map_err(|fault| {
            let code = match fault {
                Fault::Full => Code::DiskFull,
                Fault::ReadOnly => Code::DiskReadOnly,
                _ => Code::WriteFailed,
            };
            disk::folder(folder, &fault, code)
        })?;
        Ok(Self { path: folder.to_owned(), folder: OnceLock::from(opened), redaction: None, until: None })
    }

    /// The same, with every entry passing `redaction` before it is written.
    pub fn redacting(self, redaction: Redaction) -> Self {
        Self { redaction: Some(redaction), ..self }
    }

    /// The same, with appends that wait for another process no longer than `until`.
    pub fn waiting_until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Whether the folder is there.
    pub fn is_there(&self) -> bool {
        matches!(self.folder(), Ok(Some(_)))
    }

    /// The folder, `None` where it is not there yet. Error: `file_unreadable`.
    fn folder(&self) -> Result<Option<&Folder>, FileError> {
        if self.folder.get().is_none() {
            let opened = Folder::open(&self.path)
                .map_err(|fault| disk::folder(&self.path, &fault, Code::FileUnreadable))?;
            return Ok(opened.map(|folder| self.folder.get_or_init(|| folder)));
        }
        Ok(self.folder.get())
    }

    /// Adds `records` to the session of `header`, in order, and begins the file with `header` where it is
    /// new; no record at all only begins it. All of them or none, on the disk when this returns. A tool's
    /// result that no line can hold keeps its beginning and says how much is left out; of what people and
    /// agents said nothing is cut. Errors: `entry_too_large`, `session_clash` (the file belongs to another session,
    /// agent or scope), `locked`, `disk_full`, `disk_read_only`, `write_failed`.
    pub fn append(&self, header: &SessionHeader, records: &[Record]) -> Result<Appended, FileError> {
        let id = SessionId::parse(&header.id)
            .map_err(|error| FileError { code: Code::SessionIdBad, message: error.to_string() })?;
        let mut lines = self.lines_of(&id, records)?;
        let Some(folder) = self.folder()? else {
            return Err(disk::folder(&self.path, &Fault::Missing, Code::WriteFailed));
        };
        let mut held = folder.hold(&id, self.until).map_err(|error| match error {
            HoldError::Locked => locked(&id),
            HoldError::Fault(fault) => disk::writing(&id, &fault),
        })?;
        let fault = |fault: Fault| disk::writing(&id, &fault);
        let standing = first_line(&held).map_err(fault)?;
        match &standing {
            First::Nothing => lines.insert(0, line::header(header)),
            First::Header(standing) => same_session(&id, standing, header)?,
            First::Other => return Err(clash(&id, "has no readable header")),
        }
        let repaired = !ends_whole(&held).map_err(fault)?;
        if repaired && !lines.is_empty() {
            lines[0].insert(0, b'\n');
        }
        let bytes = held.bytes + lines.iter().map(|line| line.len() as u64).sum::<u64>();
        held.add(&lines).map_err(fault)?;
        let begun = standing == First::Nothing;
        Ok(Appended { begun, repaired: repaired && !lines.is_empty(), bytes })
    }

    /// Whether [`append`](Self::append) could write `records`, as far as their length goes. Error:
    /// `entry_too_large`.
    pub fn fit(&self, id: &SessionId, records: &[Record]) -> Result<(), FileError> {
        self.lines_of(id, records).map(drop)
    }

    fn lines_of(&self, id: &SessionId, records: &[Record]) -> Result<Vec<Vec<u8>>, FileError> {
        let said = records.iter().filter_map(|record| match record {
            Record::Said(said) => Some(said.content.as_str()),
            _ => None,
        });
        let repeated = self.redaction.as_ref().map(|redaction| redaction.repeated(said)).unwrap_or_default();
        let line = |(at, record)| {
            let record = self.redacted(record, &repeated);
            let line = line::record(&record);
            match record {
                Record::Said(said) if said.role == Role::Tool && line.len() >= TRANSCRIPT_LINE_BYTES_MAX => {
                    fitting(id, at, line::record(&Record::Said(said.shortened())))
                }
                _ => fitting(id, at, line),
            }
        };
        records.iter().enumerate().map(line).collect()
    }

    /// Every session, last written first; equal times by id. Error: `file_unreadable`.
    pub fn sessions(&self) -> Result<Vec<SessionFile>, FileError> {
        let Some(folder) = self.folder()? else { return Ok(Vec::new()) };
        folder.list().map_err(|fault| disk::folder(&self.path, &fault, Code::FileUnreadable))
    }

    /// The header of a session, `None` where it has none. Errors: `session_not_found`, `file_unreadable`.
    pub fn header(&self, id: &SessionId) -> Result<Option<SessionHeader>, FileError> {
        let mut header = None;
        self.lines(id, 0, &mut |line, _| match line {
            Some(Line::Header(found)) => {
                header = Some(found);
                ControlFlow::Break(())
            }
            Some(Line::Bad) | None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        })?;
        Ok(header)
    }

    /// Goes through a session from the byte `start` on, which is 0 or the end of a line, and shows each
    /// record with the place behind it. The scan counts what was gone through; it is whole unless `visit`
    /// broke off. Errors: `session_not_found`, `file_unreadable`.
    pub fn read(
        &self,
        id: &SessionId,
        start: u64,
        visit: &mut dyn FnMut(Record, u64) -> ControlFlow<()>,
    ) -> Result<Scan, FileError> {
        let mut scan = Scan { consumed: start, ..Scan::default() };
        let mut is_first = start == 0;
        let torn = self.lines(id, start, &mut |line, at| {
            scan.consumed = at;
            match line {
                None => scan.skips.too_long += 1,
                Some(Line::Bad) => scan.skips.bad += 1,
                Some(Line::Unknown) => scan.skips.unknown += 1,
                // Only the first line that can be read is the header.
                Some(Line::Header(header)) if is_first => scan.header = Some(header),
                Some(Line::Header(_)) => scan.skips.unknown += 1,
                Some(Line::Record(record)) => {
                    is_first = false;
                    match &record {
                        Record::Said(said) => {
                            scan.entries += 1;
                            scan.first.get_or_insert(said.timestamp);
                            scan.last = Some(said.timestamp);
                        }
                        Record::Compaction { .. } => scan.compactions += 1,
                    }
                    return visit(record, at);
                }
            }
            is_first &= scan.header.is_none() && scan.skips.unknown == 0;
            ControlFlow::Continue(())
        })?;
        scan.skips.bad += u64::from(torn);
        Ok(scan)
    }

    /// The last `limit` records of a session that `keep` wants, in the order in which they were written.
    /// Only the end of the file is read. Errors: `session_not_found`, `file_unreadable`.
    pub fn recent<T>(
        &self,
        id: &SessionId,
        limit: usize,
        keep: &mut dyn FnMut(Record) -> Option<T>,
    ) -> Result<(Vec<T>, Skips), FileError> {
        let (file, bytes) = self.opened(id)?;
        let (mut kept, mut skips) = (Vec::new(), Skips::default());
        let done = lines::backwards(&file, bytes, &mut |span| {
            if kept.len() == limit {
                return ControlFlow::Break(());
            }
            match span {
                Span::TooLong => skips.too_long += 1,
                Span::Torn => skips.bad += 1,
                Span::Whole(bytes) => match line::parse(bytes) {
                    Line::Record(record) => kept.extend(keep(record)),
                    Line::Unknown => skips.unknown += 1,
                    Line::Bad => skips.bad += 1,
                    Line::Header(_) => {}
                },
            }
            ControlFlow::Continue(())
        });
        done.map_err(|error| disk::reading(id, &error.into()))?;
        kept.reverse();
        Ok((kept, skips))
    }

    /// The bytes of a session before the place `end`, at most `most`: by these an index knows that what it
    /// has read still stands. Errors: `session_not_found`, `file_unreadable`.
    pub fn before(&self, id: &SessionId, end: u64, most: usize) -> Result<Vec<u8>, FileError> {
        use std::os::unix::fs::FileExt as _;
        let (file, bytes) = self.opened(id)?;
        let end = end.min(bytes);
        let length = usize::try_from(end).unwrap_or(usize::MAX).min(most);
        let mut buffer = vec![0; length];
        file.read_exact_at(&mut buffer, end - length as u64)
            .map_err(|error| disk::reading(id, &error.into()))?;
        Ok(buffer)
    }

    /// Shows each whole line from `start` on; `None` is a line over the limit. Whether a torn one follows.
    fn lines(
        &self,
        id: &SessionId,
        start: u64,
        visit: &mut dyn FnMut(Option<Line>, u64) -> ControlFlow<()>,
    ) -> Result<bool, FileError> {
        let (file, bytes) = self.opened(id)?;
        let mut torn = false;
        let done = lines::forwards(&file, start, bytes, &mut |span, at| match span {
            Span::Whole(bytes) => visit(Some(line::parse(bytes)), at),
            Span::TooLong => visit(None, at),
            Span::Torn => {
                torn = true;
                ControlFlow::Continue(())
            }
        });
        done.map_err(|error| disk::reading(id, &error.into()))?;
        Ok(torn)
    }

    fn opened(&self, id: &SessionId) -> Result<(std::fs::File, u64), FileError> {
        let folder = self.folder()?.ok_or_else(|| disk::missing(id))?;
        match folder.read(id).map_err(|fault| disk::reading(id, &fault))? {
            // Begun a moment ago, or its first write was refused: nothing was said.
            (_, 0) => Err(disk::missing(id)),
            opened => Ok(opened),
        }
    }

    fn redacted(&self, record: &Record, repeated: &Repeated) -> Record {
        match (&self.redaction, record) {
            (Some(redaction), Record::Said(said)) => {
                let content = repeated.redact(redaction.apply(&said.content));
                Record::Said(Said { content, ..said.clone() })
            }
            _ => record.clone(),
        }
    }
}

/// The first line of a file that is held.
#[derive(Debug, PartialEq, Eq)]
enum First {
    /// There is no whole line that can be read.
    Nothing,
    /// A header.
    Header(SessionHeader),
    /// Something else.
    Other,
}

fn first_line(held: &LockedTranscript<'_>) -> Result<First, Fault> {
    let mut first = First::Nothing;
    lines::forwards(&held.reader()?, 0, held.bytes, &mut |span, _| {
        let Span::Whole(bytes) = span else { return ControlFlow::Continue(()) };
        match line::parse(bytes) {
            Line::Bad => return ControlFlow::Continue(()),
            Line::Header(header) => first = First::Header(header),
            Line::Record(_) | Line::Unknown => first = First::Other,
        }
        ControlFlow::Break(())
    })?;
    Ok(first)
}

/// Whether the file is empty or ends with a line end.
fn ends_whole(held: &LockedTranscript<'_>) -> Result<bool, Fault> {
    let mut last = [b'\n'];
    if held.bytes > 0 {
        held.read_at(&mut last, held.bytes - 1)?;
    }
    Ok(last == [b'\n'])
}

fn fitting(id: &SessionId, at: usize, line: Vec<u8>) -> Result<Vec<u8>, FileError> {
    // One byte is kept for the line end that a torn tail may need.
    if line.len() < TRANSCRIPT_LINE_BYTES_MAX {
        return Ok(line);
    }
    let message = format!(
        "entry {} for the transcript of session `{id}` has {} bytes as a line; the maximum is \
         {TRANSCRIPT_LINE_BYTES_MAX}.",
        at + 1,
        line.len()
    );
    Err(FileError { code: Code::EntryTooLarge, message })
}

/// An id is used once: what a room may read can never be added to in private, nor the other way round.
fn same_session(id: &SessionId, standing: &SessionHeader, wanted: &SessionHeader) -> Result<(), FileError> {
    if standing.id != wanted.id {
        Err(clash(id, "belongs to another session"))
    } else if standing.agent_id != wanted.agent_id {
        Err(clash(id, "belongs to another agent"))
    } else if standing.scope != wanted.scope {
        Err(clash(id, "was started in another scope"))
    } else {
        Ok(())
    }
}

fn clash(id: &SessionId, why: &str) -> FileError {
    FileError { code: Code::SessionClash, message: format!("the transcript of session `{id}` {why}.") }
}

fn locked(id: &SessionId) -> FileError {
    let message = format!("another process is writing the transcript of session `{id}`.");
    FileError { code: Code::Locked, message }
}
