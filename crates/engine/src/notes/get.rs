//! Reads a file or lines of it: as stored for the owner, masked for a model.

use std::borrow::Cow;
use std::ops::Range;

use inwit_model::place::is_text_extension;
use inwit_model::plural::counted;
use inwit_model::ports::Content;
use inwit_model::{Code, Place, SafeName, Scope, Sha256, Taint};
use inwit_workspace::ScopedReader;

use crate::core::mask::{self, ModelText};
use crate::notes::trust;
use crate::{EngineError, Notes, Notice};

/// Lines of a file: the stored bytes, for the owner, or the [`ModelText`] for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt<T = Vec<u8>> {
    /// The file.
    pub name: SafeName,
    /// First line returned, from 1.
    pub first_line: u32,
    /// Last line returned, included.
    pub last_line: u32,
    /// Number of lines in the file.
    pub total_lines: u32,
    /// The lines, with line ends.
    pub content: T,
    /// Sha256 of the whole file; for a model see [`Notes::get_masked`](crate::Notes::get_masked).
    pub sha256: Sha256,
    /// The taint of the lines, if any; set for a model.
    pub taint: Option<Taint>,
}

/// Requested lines: from 1, both included; `None` is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lines {
    /// First line.
    pub from: Option<u32>,
    /// Last line.
    pub to: Option<u32>,
}

/// Parses `PATH`, `PATH:FROM`, `PATH:FROM-TO`, `PATH#L3`, `PATH#L3-L9`, so that citations can be read. A `#` or `:`
/// within a file name is part of it.
pub fn parse_address(address: &str) -> Result<(String, Lines), EngineError> {
    let split = address.rsplit_once("#L").map(|(path, lines)| (path, lines.replace('L', "")));
    let split = split.or_else(|| address.rsplit_once(':').map(|(path, lines)| (path, lines.to_owned())));
    let is_name = |text: &str| text.rsplit_once('.').is_some_and(|(_, end)| is_text_extension(end));
    let Some((path, lines)) = split.filter(|_| !is_name(address)) else {
        return Ok((address.to_owned(), Lines::default()));
    };
    let bad = || {
        EngineError::new(
            Code::UsageBad,
            format!("`{address}` does not name valid lines. Write PATH:3 or PATH:3-9."),
        )
    };
    let number = |text: &str| text.parse().ok().filter(|line: &u32| *line > 0).ok_or_else(bad);
    let lines = match lines.split_once('-') {
        None => number(&lines).map(|line| Lines { from: Some(line), to: Some(line) })?,
        Some((from, "")) => Lines { from: Some(number(from)?), to: None },
        Some((from, to)) => Lines { from: Some(number(from)?), to: Some(number(to)?) },
    };
    if lines.to.is_some_and(|to| Some(to) < lines.from) {
        return Err(bad());
    }
    Ok((path.to_owned(), lines))
}

impl Notes {
    /// Reads `lines` of `path`. An invisible file is reported like a missing one. Errors: `name_refused`,
    /// `file_missing`, `file_unreadable`, `file_too_large`.
    pub fn get(&self, scope: &Scope, path: &str, lines: Lines) -> Result<Excerpt, EngineError> {
        let (name, content) = self.seen(scope, path)?;
        let (cut, span) = cut(name, &content.bytes, content.sha256, lines)?;
        Ok(cut.of(content.bytes[span].to_vec()))
    }

    /// The same for a model: findings are masked, and bytes that are not UTF-8 are U+FFFD. The hash is that of the
    /// file, or of the masked text if something is masked: a hash of the file would allow testing guesses of a short
    /// secret. Errors: as [`get`](Self::get).
    pub fn get_masked(
        &self,
        scope: &Scope,
        path: &str,
        lines: Lines,
    ) -> Result<(Excerpt<ModelText>, Option<Notice>), EngineError> {
        let (name, content) = self.seen(scope, path)?;
        let text = String::from_utf8_lossy(&content.bytes);
        let mut masked = Vec::new();
        self.core.load_named_of_files(&self.core.view(scope));
        let shown = self.core.masked_for(scope, &name, &text, &mut masked);
        let tainted = trust::taints(&name, &text, &*self.marks());
        let sha256 = hash_of(matches!(shown, Cow::Owned(_)), &shown, content.sha256);
        let (cut, span) = cut(name, shown.as_bytes(), sha256, lines)?;
        let (from, to) = (cut.first_line as usize, cut.last_line as usize);
        masked.retain(|one| (from..=to).contains(&one.line));
        let read = &shown[span];
        let content = self.core.masked_words(scope, &cut.name, &content.bytes, read, &mut masked);
        let taint = trust::taint_within(&tainted, cut.first_line, cut.last_line);
        Ok((Excerpt { taint, ..cut.of(content) }, mask::notice(&masked)))
    }

    /// The hash of `path` as in [`get_masked`](Self::get_masked); `None` if it cannot be read.
    pub fn hash_masked(&self, scope: &Scope, path: &str) -> Option<Sha256> {
        let (name, content) = self.seen(scope, path).ok()?;
        self.core.load_named_of_files(&self.core.view(scope));
        Some(self.hash_shown(scope, &name, &content.bytes, content.sha256))
    }

    /// The hash of the file `name` with the content `bytes` for a model of `scope`.
    pub(crate) fn hash_shown(&self, scope: &Scope, name: &SafeName, bytes: &[u8], sha256: Sha256) -> Sha256 {
        let text = String::from_utf8_lossy(bytes);
        let shown = self.core.masked_for(scope, name, &text, &mut Vec::new());
        hash_of(matches!(shown, Cow::Owned(_)), &shown, sha256)
    }

    /// A file by its name, if it is visible.
    fn seen(&self, scope: &Scope, path: &str) -> Result<(SafeName, Content), EngineError> {
        let name =
            SafeName::parse(path).map_err(|error| EngineError::new(Code::NameRefused, error.to_string()))?;
        // Other scopes see only name and description of a skill (D3).
        if *scope != Scope::Main && matches!(Place::of(&name), Some(Place::Skill { .. })) {
            return Err(EngineError::new(Code::FileMissing, format!("`{name}` does not exist.")));
        }
        let content = self.core.view(scope).read(&name)?;
        Ok((name, content))
    }
}

fn hash_of(is_masked: bool, shown: &str, sha256: Sha256) -> Sha256 {
    if is_masked { Sha256::of(shown.as_bytes()) } else { sha256 }
}

impl Excerpt<()> {
    /// With the content of its lines.
    fn of<T>(self, content: T) -> Excerpt<T> {
        let Self { name, first_line, last_line, total_lines, sha256, taint, content: () } = self;
        Excerpt { name, first_line, last_line, total_lines, sha256, taint, content }
    }
}

/// Which lines of `bytes` are given, and where they stand. Error: `line_missing` behind the end.
fn cut(
    name: SafeName,
    bytes: &[u8],
    sha256: Sha256,
    lines: Lines,
) -> Result<(Excerpt<()>, Range<usize>), EngineError> {
    let ends: Vec<usize> = line_ends(bytes);
    let total = ends.len() as u32;
    let from = lines.from.unwrap_or(1);
    if from > total.max(1) {
        let lines = counted(total as usize, "line");
        let message = format!("`{name}` has {lines}; line {from} is out of range.");
        return Err(EngineError::new(Code::LineMissing, message));
    }
    if lines.to.is_some_and(|to| to < from) {
        return Err(EngineError::new(
            Code::UsageBad,
            format!("The lines of `{name}` end before they begin."),
        ));
    }
    let to = lines.to.unwrap_or(total).min(total);
    let start = if from == 1 { 0 } else { ends[from as usize - 2] };
    let end = if to == 0 { 0 } else { ends[to as usize - 1] };
    let (first_line, last_line, total_lines) = (from, to, total);
    let excerpt = Excerpt { name, first_line, last_line, total_lines, content: (), sha256, taint: None };
    Ok((excerpt, start..end))
}

/// End of each line after its line end; the last line may have none.
fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends: Vec<usize> =
        bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    if ends.last().copied().unwrap_or(0) < bytes.len() {
        ends.push(bytes.len());
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_path_with_or_without_lines() {
        let parsed = |text: &str| parse_address(text).map(|(path, lines)| (path, lines.from, lines.to));
        assert_eq!(parsed("MEMORY.md"), Ok(("MEMORY.md".into(), None, None)));
        assert_eq!(parsed("memory/a.md:3"), Ok(("memory/a.md".into(), Some(3), Some(3))));
        assert_eq!(parsed("a.md:3-9"), Ok(("a.md".into(), Some(3), Some(9))));
        assert_eq!(parsed("a:b #3.md"), Ok(("a:b #3.md".into(), None, None)));
        assert_eq!(parsed("a:b #Lx.md#L3-L4"), Ok(("a:b #Lx.md".into(), Some(3), Some(4))));
        assert_eq!(parsed("12:30 x.md:7"), Ok(("12:30 x.md".into(), Some(7), Some(7))));
        assert_eq!(parsed("a.md:3-"), Ok(("a.md".into(), Some(3), None)));
        assert_eq!(parsed("a.md#L3-L9"), Ok(("a.md".into(), Some(3), Some(9))));
        for bad in ["a.md:0", "a.md:9-3", "a.md:x", "a.md:-3", "a.md#L"] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_are_cut_at_their_ends() {
        assert_eq!(line_ends(b""), Vec::<usize>::new());
        assert_eq!(line_ends(b"a\r\nb"), [3, 4]);
        assert_eq!(line_ends(b"a\n"), [2]);
    }
}
