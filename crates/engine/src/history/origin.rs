//! The origin of each line of a file (blame).
//!
//! Invariant: every current line has one origin, in order, and no line is credited to anyone who neither wrote nor
//! requested it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::RangeInclusive;

use inwit_model::plural::counted;
use inwit_model::{Actor, Code, Op, ProposalId, SafeName};
use inwit_store::memory::Memory;
use inwit_workspace::diff;
use inwit_workspace::history::{BlamedLine, History as Repository, Oid, Rev};

use crate::history::bytes::past_bytes;
use crate::{EngineError, History};

/// One line of a file and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Committed.
    Recorded(BlamedLine),
    /// An external change without a receipt.
    Unrecorded {
        /// Line number, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
}

impl History {
    /// The origin of each line of a file: author, time, session and proposal. External changes without a receipt are
    /// marked. In a proposal that a person edited, unchanged lines belong to the requester. Error: `file_missing`,
    /// also for lines out of range.
    pub fn blame(
        &self,
        name: &SafeName,
        lines: Option<RangeInclusive<usize>>,
    ) -> Result<Vec<Origin>, EngineError> {
        let Some(current) = self.core.content(name)? else {
            return Err(EngineError::new(Code::FileMissing, format!("`{name}` does not exist.")));
        };
        let count = current.bytes.split_inclusive(|&byte| byte == b'\n').count();
        let wanted = lines.unwrap_or(1..=count);
        if *wanted.start() > count.max(1) {
            let lines = counted(count, "line");
            let message = format!("`{name}` has {lines}; line {} is out of range.", wanted.start());
            return Err(EngineError::new(Code::LineMissing, message));
        }
        let wanted = (*wanted.start()).max(1)..=(*wanted.end()).min(count);
        let Some(history) = self.history_view(None)? else {
            return Ok(traced(&[], &current.bytes, &wanted, &HashMap::new()));
        };
        let recorded = history.show(&Rev::Tip, name)?.unwrap_or_default();
        let is_same = *recorded == *current.bytes;
        let before =
            if is_same { Some(wanted.clone()) } else { stood_at(&recorded, &current.bytes, &wanted) };
        let blamed = before.map(|lines| history.blame(name, Some(lines))).transpose()?.unwrap_or_default();
        let blamed = self.credited(&history, name, blamed)?;
        if is_same {
            return Ok(blamed.into_iter().map(Origin::Recorded).collect());
        }
        let blamed = blamed.into_iter().map(|line| (line.line, line)).collect();
        Ok(traced(&recorded, &current.bytes, &wanted, &blamed))
    }

    /// Credits lines of edited proposals to the requester, if the owner left them unchanged.
    fn credited(
        &self,
        history: &Repository,
        name: &SafeName,
        mut blamed: Vec<BlamedLine>,
    ) -> Result<Vec<BlamedLine>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(blamed) };
        let mut asked: HashMap<Oid, Option<(Actor, Vec<bool>)>> = HashMap::new();
        for line in blamed.iter_mut().filter(|line| line.actor == Actor::Owner.word()) {
            let Some(id) = line.proposal.as_deref().and_then(ProposalId::parse) else { continue };
            let known = match asked.entry(line.oid) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => {
                    free.insert(self.asked_lines(history, memory.as_ref(), name, &line.oid.into(), &id)?)
                }
            };
            if let Some((actor, lines)) = known
                && lines.get(line.first_line - 1) == Some(&true)
            {
                line.actor = actor.word().to_owned();
            }
        }
        Ok(blamed)
    }

    /// The requester of the change at `at`, and for each line whether it is as requested.
    fn asked_lines(
        &self,
        history: &Repository,
        memory: &dyn Memory,
        name: &SafeName,
        at: &Rev,
        id: &ProposalId,
    ) -> Result<Option<(Actor, Vec<bool>)>, EngineError> {
        let (Some(kept), Some(written)) = (memory.proposal(id)?, history.show(at, name)?) else {
            return Ok(None);
        };
        let before = match (&kept.proposal.op, &kept.proposal.base) {
            (Op::Append(_), Some(base)) => past_bytes(history, name, base)?,
            _ => None,
        };
        let asked = kept.proposal.op.result(before.as_deref()).unwrap_or_default();
        let lines = diff::kept_lines(&asked, &written).iter().map(Option::is_some).collect();
        Ok(Some((kept.proposal.actor, lines)))
    }
}

/// The line numbers in `recorded` of the `wanted` lines of `current`; `None` if none exists there.
fn stood_at(
    recorded: &[u8],
    current: &[u8],
    wanted: &RangeInclusive<usize>,
) -> Option<RangeInclusive<usize>> {
    let kept = diff::kept_lines(recorded, current);
    let stood = || kept.iter().take(*wanted.end()).skip(wanted.start() - 1).flatten();
    Some(stood().min()? + 1..=stood().max()? + 1)
}

/// Origins of the `wanted` lines of `current`, which differs from the history: lines in both keep theirs.
fn traced(
    recorded: &[u8],
    current: &[u8],
    wanted: &RangeInclusive<usize>,
    blamed: &HashMap<usize, BlamedLine>,
) -> Vec<Origin> {
    let kept = diff::kept_lines(recorded, current);
    let lines = current.split_inclusive(|&byte| byte == b'\n').zip(1..);
    let lines = lines.take(*wanted.end()).skip(wanted.start() - 1);
    let origin = |(text, line): (&[u8], usize)| {
        let before = kept.get(line - 1).copied().flatten();
        match before.and_then(|before| blamed.get(&(before + 1))) {
            Some(known) => Origin::Recorded(BlamedLine { line, ..known.clone() }),
            None => {
                let text = text.strip_suffix(b"\n").unwrap_or(text);
                Origin::Unrecorded { line, text: String::from_utf8_lossy(text).into_owned() }
            }
        }
    };
    lines.map(origin).collect()
}
