//! What an agent read of its own files, told apart from what the world gave it (C21).
//!
//! A host hands in every tool's result, and a result taints a session (D9). Reading one's own memory brings
//! nothing new, but a name proves nothing, since whoever calls a tool `memory_search` could hand in a page.
//! So what such a tool gave is held against the files: every line of it must stand in one that the session
//! may see, as a model is shown it. Invariant: a line that stands nowhere, or only where nobody vouches for
//! it, is trusted no more than a tool's or than those words are.

use std::collections::{HashMap, HashSet};

use inwit_model::{FileKind, Place, Scope, Taint};
use inwit_workspace::ScopedReader as _;

use super::Read;
use crate::notes::trust;
use crate::{EngineError, Sessions};

/// Tools that read the agent's own files. Their name says only where looking is worth it.
const OWN_TOOLS: &[&str] = &["memory_search", "memory_get", "inwit_search", "inwit_get"];

/// Most bytes of files that a result is held against; in a larger workspace it counts as any tool's.
const HELD_AGAINST_BYTES_MAX: u64 = 16 * 1024 * 1024;

impl Sessions {
    /// From whom the least trusted of what was read comes.
    pub(super) fn taint_of_reads(&self, reads: &[Read], scope: &Scope) -> Taint {
        let (own, others): (Vec<&Read>, Vec<&Read>) =
            reads.iter().partition(|read| OWN_TOOLS.contains(&read.tool.as_str()));
        if !others.is_empty() {
            return Taint::Tool;
        }
        if own.iter().all(|read| read.text.trim().is_empty()) {
            return Taint::Owner;
        }
        // What cannot be looked up is not believed.
        let wanted: HashSet<&str> = own.iter().flat_map(|read| lines_of(&read.text)).collect();
        let Ok(Some(known)) = self.own_lines(scope, &wanted) else { return Taint::Tool };
        wanted.iter().map(|line| known.taint_of(line)).fold(Taint::Owner, Taint::join)
    }

    /// The lines of the agent's files that `scope` sees, of those files that hold one that is `wanted`.
    /// `None`: the files are more than is looked through.
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

/// Whether people and inwit write there. What lies beside it may be somebody else's: a page that was kept, a
/// skill that was installed, the words of logs in a diary of dreams.
fn is_own(place: Place) -> bool {
    match place {
        Place::File(kind) => kind != FileKind::Dreams,
        Place::LegacyMemory | Place::Memory | Place::Topic | Place::Note | Place::Journal(_) => true,
        Place::Room { .. } | Place::RoomMemory { .. } => true,
        Place::Skill { .. } | Place::Report | Place::Foreign | Place::Loose => false,
    }
}

/// Lines, each with the most that anybody vouches for it.
#[derive(Debug, Default)]
struct Lines(HashMap<String, Taint>);

impl Lines {
    /// Adds what is `shown` of a file; `taints` are those of its lines, which masking keeps.
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

/// The lines that say something.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(key).filter(|line| !line.is_empty())
}

fn key(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}')
}
