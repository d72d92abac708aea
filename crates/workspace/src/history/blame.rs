//! The author of each line of a file, and the approver.
//!
//! Invariant: every line at the requested commit has one result, in order.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use inwit_model::SafeName;
use jiff::Timestamp;

use super::error::HistoryError;
use super::log::CommitHead;
use super::message::trailer;
use super::{History, Oid, Rev};

/// One line and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlamedLine {
    /// Its number, counted from 1.
    pub line: usize,
    /// Its number in the file as that commit left it.
    pub first_line: usize,
    /// Its text without the line end; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// The commit that brought it.
    pub oid: Oid,
    /// When that was.
    pub at: Timestamp,
    /// Who wrote it.
    pub actor: String,
    /// The receipt of that change.
    pub receipt: Option<String>,
    /// The session it was made in.
    pub session: Option<String>,
    /// The proposal that a person approved.
    pub proposal: Option<String>,
}

impl History {
    /// Where each line of `name` came from, or of `lines` of it, counted from 1. A file that does not
    /// stand at the tip has no lines, and a range that leaves the file ends with it.
    /// Errors: `history_failed`.
    pub fn blame(
        &self,
        name: &SafeName,
        lines: Option<RangeInclusive<usize>>,
    ) -> Result<Vec<BlamedLine>, HistoryError> {
        let tip = self.tip()?;
        let bytes = self.show(&Rev::Commit(tip), name)?.unwrap_or_default();
        let count = bytes.split_inclusive(|&byte| byte == b'\n').count();
        let lines = lines.unwrap_or(1..=count);
        let (first, last) = ((*lines.start()).max(1), (*lines.end()).min(count));
        if first > last {
            return Ok(Vec::new());
        }
        let (tip, range) = (tip.to_string(), format!("-L{first},{last}"));
        let words = ["blame", "--porcelain", "--no-ext-diff", "--no-textconv", "--encoding=none", &range];
        let words = [words.as_slice(), &[&tip, "--", name.as_str()]].concat();
        let answer = self.git.read(&words, None)?;
        let owned = owned(&answer).ok_or(HistoryError::Odd { asked: "blame" })?;
        let told = self.told_once(&owned)?;
        let odd = HistoryError::Odd { asked: "blame" };
        let blamed = owned.into_iter().map(|line| Some(line.blamed(told.get(&line.oid)?)));
        blamed.collect::<Option<_>>().ok_or(odd)
    }

    fn told_once(&self, lines: &[Owned]) -> Result<HashMap<Oid, CommitHead>, HistoryError> {
        let mut oids: Vec<Oid> = lines.iter().map(|line| line.oid).collect();
        oids.sort_unstable();
        oids.dedup();
        let names: Vec<String> = oids.iter().map(Oid::to_string).collect();
        Ok(self.told(&names)?.into_iter().map(|told| (told.oid, told)).collect())
    }
}

/// One line as git gives it.
struct Owned {
    oid: Oid,
    line: usize,
    first_line: usize,
    text: String,
}

impl Owned {
    fn blamed(&self, told: &CommitHead) -> BlamedLine {
        BlamedLine {
            line: self.line,
            first_line: self.first_line,
            text: self.text.clone(),
            oid: self.oid,
            at: told.at(),
            actor: told.actor(),
            receipt: told.line(trailer::RECEIPT),
            session: told.line(trailer::SESSION),
            proposal: told.line(trailer::PROPOSAL),
        }
    }
}

/// Reads `<commit> <old line> <line> …`, then words about the commit, then a tab and the line.
fn owned(answer: &[u8]) -> Option<Vec<Owned>> {
    let mut found = Vec::new();
    let mut head = None;
    for row in answer.split_inclusive(|&byte| byte == b'\n') {
        if let Some(text) = row.strip_prefix(b"\t") {
            let (oid, first_line, line) = head.take()?;
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            found.push(Owned { oid, line, first_line, text: String::from_utf8_lossy(text).into_owned() });
        } else if head.is_none() {
            let row = std::str::from_utf8(row).ok()?;
            let mut words = row.split_whitespace();
            let oid = Oid::parse(words.next()?)?;
            head = Some((oid, words.next()?.parse().ok()?, words.next()?.parse().ok()?));
        }
    }
    Some(found)
}
