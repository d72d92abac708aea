//! Distinguishes what an agent read of its own files from outside text (C21).
//!
//! A host submits every tool result, and a result taints a session (D9). Reading one's own memory adds no taint, but
//! a tool's name proves nothing: any program could pass a web page as the result of `memory_search`. So the result of
//! such a tool is compared with the files: every line must be in a file visible to the session, as masked for a
//! model. Invariant: a line that is in no file, or only in tainted text, is trusted no more than a tool or that text.

use std::collections::{HashMap, HashSet};

use inwit_model::{FileKind, Place, Scope, Taint};
use inwit_workspace::ScopedReader as _;

use super::Read;
use crate::notes::trust;
use crate::{EngineError, Sessions};

/// Tools that read the agent's own files. The name only says where the comparison is worthwhile.
const OWN_TOOLS: &[&str] = &["memory_search", "memory_get", "inwit_search", "inwit_get"];

/// Most bytes of files that a result is compared with; in a larger workspace it counts as tool output.
const HELD_AGAINST_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Whether a tool of this name may have read them.
pub(in crate::sessions) fn is_own_tool(name: &str) -> bool {
    OWN_TOOLS.contains(&name)
}

impl Sessions {
    /// The least trusted taint of what was read.
    pub(super) fn taint_of_reads(&self, reads: &[Read], scope: &Scope) -> Taint {
        let (own, others): (Vec<&Read>, Vec<&Read>) = reads.iter().partition(|read| is_own_tool(&read.tool));
        if !others.is_empty() {
            return Taint::Tool;
        }
        if own.iter().all(|read| read.text.trim().is_empty()) {
            return Taint::Owner;
        }
        // If the lookup fails, it counts as tainted.
        let wanted: HashSet<&str> = own.iter().flat_map(|read| lines_of(&read.text)).collect();
        let Ok(Some(known)) = self.own_lines(scope, &wanted) else { return Taint::Tool };
        wanted.iter().map(|line| known.taint_of(line)).fold(Taint::Owner, Taint::join)
    }

    /// The lines of files visible to `scope` that contain a `wanted` one. `None` if there are too many bytes to
    /// compare.
    fn own_lines(&self, scope: &Scope, wanted: &HashSet<&str>) -> Result<Option<Lines>, EngineError> {
        let view = self.core.view(scope);
        let listing = view.list()?;
        let names = listing.entries.iter().filter(|entry| Place::of(&entry.name).is_some_and(is_own));
        let is_wanted =
            |line: &str| wanted.contains(line) || wanted.contains(key(&inwit_markdown::shown(line)));
        let (marks, mut lines, mut bytes) = (self.notes.marks(), Lines::default(), 0);
        for entry in names {
            let Ok(content) = view.read(&entry.name) else { continue };
            bytes += content.bytes.len() as u64;
            if bytes > HELD_AGAINST_BYTES_MAX {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&content.bytes);
            if !lines_of(&text).any(is_wanted) {
                continue;
            }
            let shown = self.core.masked_for(scope, &entry.name, &text, &mut Vec::new());
            lines.add(&shown, &trust::taints(&entry.name, &text, &*marks));
        }
        Ok(Some(lines))
    }
}

/// Whether people and inwit write there. Other files may be third-party: a saved page, an installed skill, log text
/// in a dream diary.
fn is_own(place: Place) -> bool {
    match place {
        Place::File(kind) => kind != FileKind::Dreams,
        Place::LegacyMemory | Place::Memory | Place::Topic | Place::Note | Place::Journal(_) => true,
        Place::Room { .. } | Place::RoomMemory { .. } => true,
        Place::Skill { .. } | Place::Report | Place::Foreign | Place::Loose => false,
    }
}

/// Lines, each with its best trust.
#[derive(Debug, Default)]
struct Lines(HashMap<String, Taint>);

impl Lines {
    /// Adds the `shown` text of a file; `taints` are those of its lines, which masking keeps.
    fn add(&mut self, shown: &str, taints: &HashMap<usize, Taint>) {
        for (at, line) in shown.lines().enumerate() {
            let taint = taints.get(&at).copied().unwrap_or(Taint::Owner);
            self.vouch(line, taint);
            self.vouch(&inwit_markdown::shown(line), taint);
        }
    }

    fn vouch(&mut self, line: &str, taint: Taint) {
        let known = self.0.entry(key(line).to_owned()).or_insert(taint);
        if taint.join(*known) == *known {
            *known = taint;
        }
    }

    fn taint_of(&self, line: &str) -> Taint {
        self.0.get(line).copied().unwrap_or(Taint::Tool)
    }
}

/// The lines with content.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(key).filter(|line| !line.is_empty())
}

fn key(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}')
}
