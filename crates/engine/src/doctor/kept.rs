//! Checks of the storage beside the files.
//!
//! Checks create nothing. Invariant: a part that cannot be checked is a finding and hides no other.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use inwit_gate::Check;
use inwit_model::plural::counted;
use inwit_model::ports::StateFile;
use inwit_model::time;
use inwit_model::{Code, Hint, SafeName};
use inwit_store::memory::{
    AuditState, FactFilter, IndexState, Memory, MethodFilter, ProposalFilter, ReceiptFilter,
};
use inwit_workspace::History;
use inwit_workspace::history::Oid;
use jiff::{SignedDuration, Timestamp};

use super::{CheckId, DiskProbe, Finding, finding};
use crate::learning::dream::Quarantine;
use crate::{Agent, EngineError, Notice};

/// Age in days from which a waiting proposal is reported.
pub const WAITING_DAYS_MAX: i64 = 3;

/// Most findings of one check that are reported for one file; the rest is counted.
const TOLD_OF_A_FILE_MAX: usize = 10;

/// All checks of the storage.
pub(super) fn kept(agent: &Agent, beside: &dyn DiskProbe, findings: &mut Vec<Finding>) {
    if beside.has_foreign_git() {
        let message = "inwit did not create it and never opens it. Its own history is in the agent's home.";
        findings.push(finding(CheckId::ForeignGit, Some(".git".into()), message));
    }
    for path in beside.staged() {
        let message = "A write that was killed, or is still running, staged it.";
        findings.push(finding(CheckId::LeftBehind, Some(path), message));
    }
    quarantined(agent, findings);
    let looked = match agent.core.memory_if_made() {
        Ok(Some(memory)) => in_memory(agent, memory.as_ref(), findings),
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    if let Err(error) = looked {
        let check = match error.code {
            // An error that prevents another check is already reported.
            Code::MemoryIndexStale if findings.iter().any(|of| of.check == CheckId::MemoryIndexStale) => {
                return;
            }
            Code::MemoryIndexStale => CheckId::MemoryIndexStale,
            Code::MemoryUnreadable | Code::Locked => CheckId::MemoryUnreadable,
            _ => CheckId::MemoryDamaged,
        };
        findings.push(finding(check, None, error.message));
    }
}

fn in_memory(agent: &Agent, memory: &dyn Memory, findings: &mut Vec<Finding>) -> Result<(), EngineError> {
    let damages = memory.check()?;
    let is_damaged = !damages.is_empty();
    for told in damages {
        findings.push(finding(CheckId::MemoryDamaged, None, format!("memory.db: {told}.")));
    }
    let IndexState { stale, clashes } = match memory.indexes() {
        // An error that prevents this check is already reported.
        Err(_) if is_damaged => IndexState::default(),
        state => state?,
    };
    // An altered trigger of ours is reported with the indexes.
    let is_told = |part: &String| stale.contains(&part.replace('`', ""));
    for part in memory.foreign_parts()?.into_iter().filter(|part| !is_told(part)) {
        let message = format!("memory.db contains a {part} that inwit did not create.");
        findings.push(finding(CheckId::MemoryForeignPart, None, message));
    }
    for name in stale {
        let is_gone = ["table ", "full text ", "index "].iter().any(|kind| name.starts_with(kind));
        let message = match name.strip_prefix("trigger ") {
            Some(trigger) => format!("memory.db: the trigger {trigger} is missing or was altered."),
            None if is_gone => format!("memory.db: the {name} is missing."),
            None => format!("memory.db: {name} disagrees with the rows."),
        };
        findings.push(finding(CheckId::MemoryIndexStale, None, message));
    }
    findings.extend(clashes.iter().map(|clash| finding(CheckId::MemoryRowsClash, None, clash.sentence())));
    findings.extend(memory.earlier_version().map(|what| finding(CheckId::MemoryEarlier, None, what)));
    findings.extend(memory.refuses_writing().map(|why| finding(CheckId::MemoryReadOnly, None, why)));
    if let AuditState::BrokenAt { seq, message } = memory.audit_verify()? {
        findings.push(finding(CheckId::RecordBroken, None, format!("Row {seq}: {message}")));
    }
    let long_ago = long_ago(agent);
    for kept in memory.proposals(ProposalFilter::Open)? {
        let proposal = kept.proposal;
        if proposal.created < long_ago {
            let message = format!(
                "{} has waited since {}.",
                proposal.id,
                time::day(proposal.created, &agent.core.day_zone())
            );
            findings.push(finding(CheckId::Waiting, Some(proposal.target.to_string()), message));
        }
    }
    for (_, intent) in memory.unsettled()? {
        let message = format!("Its {} of {} has no recorded end.", intent.op.deed(), time::minute(intent.at));
        findings.push(finding(CheckId::Unsettled, Some(intent.name.to_string()), message));
    }
    for unread in memory.unread_rows()? {
        findings.push(finding(CheckId::FactUnread, None, format!("memory.db: {unread}.")));
    }
    for unread in memory.learning_unread()? {
        findings.push(finding(CheckId::LearningUnread, None, format!("memory.db: {unread}.")));
    }
    for id in memory.meddled_facts()? {
        let message = format!("{id} differs from what was written.");
        findings.push(finding(CheckId::FactMeddled, None, message));
    }
    for method in memory.methods(MethodFilter::All)? {
        if !method.is_as_written {
            let message = format!("Method {} differs from what was written.", method.number);
            findings.push(finding(CheckId::MethodMeddled, None, message));
        }
    }
    let all = FactFilter { retired: true, limit: usize::MAX, ..FactFilter::default() };
    for fact in memory.facts(&all)? {
        if fact.retirement.is_some_and(|retirement| retirement.by.is_none()) {
            let message = format!("Fact {} was retired because of a fact that was erased.", fact.number);
            findings.push(finding(CheckId::FactStaysRetired, None, message));
        }
    }
    if agent.history.home.is_some() && !History::available() {
        let waiting = memory.waiting()?.len();
        if waiting > 0 {
            let message =
                format!("{} cannot be recorded, because `git` is not installed.", counted(waiting, "change"));
            findings.push(finding(CheckId::HistoryWaits, None, message));
        }
    }
    if let Some(history) = agent.history.home.as_ref().filter(|_| History::available()) {
        of_history(&history.git_dir, memory, findings)?;
    }
    Ok(())
}

/// Checks of the history: unreadable parts, and commits of receipts that it lacks.
fn of_history(git_dir: &Path, memory: &dyn Memory, findings: &mut Vec<Finding>) -> Result<(), EngineError> {
    let all = memory.receipts(&ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() })?;
    let mut committed = all.iter().filter_map(|receipt| receipt.commit.as_deref()).peekable();
    if committed.peek().is_none() {
        return Ok(());
    }
    let looked = History::open(git_dir).and_then(|history| {
        let Some(history) = history else { return Ok(HashSet::new()) };
        history.verify()?;
        history.line()
    });
    let held = match looked {
        Ok(held) => held,
        Err(error) => {
            findings.push(finding(CheckId::HistoryBroken, None, format!("history: {error}")));
            return Ok(());
        }
    };
    let gone = committed.filter(|commit| Oid::parse(commit).is_none_or(|oid| !held.contains(&oid))).count();
    if gone > 0 {
        let message = format!("It lacks {}.", counted(gone, "committed change"));
        findings.push(finding(CheckId::HistoryIncomplete, None, message));
    }
    Ok(())
}

impl Agent {
    /// The error of a damaged history; `None` if it is intact or empty. Error: `memory_unavailable`.
    pub fn history_fault(&self) -> Result<Option<Notice>, EngineError> {
        let history = self.history.home.as_ref().filter(|_| History::available());
        let (Some(history), Some(memory)) = (history, self.core.memory_if_made()?) else { return Ok(None) };
        let mut findings = Vec::new();
        of_history(&history.git_dir, memory.as_ref(), &mut findings)?;
        let broken = findings.into_iter().find(|one| one.check == CheckId::HistoryBroken);
        Ok(broken.map(|broken| {
            let hint = Hint::BackupHolds;
            Notice::new("history_broken", format!("The history is broken: {}", broken.message), hint)
        }))
    }
}

/// Proposals made before this time are overdue.
pub(super) fn long_ago(agent: &Agent) -> Timestamp {
    let wait = SignedDuration::from_hours(24 * WAITING_DAYS_MAX);
    agent.core.clock.now().checked_sub(wait).unwrap_or(Timestamp::MIN)
}

/// Number of quarantined logs; an unreadable list is a finding.
pub(super) fn quarantined_logs(agent: &Agent) -> u64 {
    let bytes = agent.core.files.read_state(StateFile::Quarantine).ok().flatten().unwrap_or_default();
    let (quarantine, _) = Quarantine::parse(&bytes);
    let logs: HashSet<String> =
        quarantine.entries().into_iter().flat_map(|(_, entry)| entry.log_filenames).collect();
    logs.len() as u64
}

/// Logs that dreams skip.
fn quarantined(agent: &Agent, findings: &mut Vec<Finding>) {
    let bytes = match agent.core.files.read_state(StateFile::Quarantine) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return,
        Err(error) if error.code == Code::FileMissing => return,
        Err(error) => return findings.push(finding(CheckId::Unreadable, None, error.message)),
    };
    let (quarantine, notice) = Quarantine::parse(&bytes);
    let path = || Some(StateFile::Quarantine.name().to_owned());
    findings.extend(notice.map(|notice| finding(CheckId::Quarantined, path(), notice.message)));
    for (_, entry) in quarantine.entries() {
        let message = format!("A dream found {} in it.", entry.pattern);
        let logs = entry.log_filenames.into_iter();
        findings.extend(logs.map(|log| finding(CheckId::Quarantined, Some(log), message.clone())));
    }
}

/// Masked findings of one file: each line once, with its classes, never the value. Text that a person wrote in an
/// editor is not changed.
pub(super) fn noticed(agent: &Agent, name: &SafeName, bytes: &[u8], findings: &mut Vec<Finding>) {
    let all = agent.core.unvouched(name, bytes);
    let rows = [
        (Check::Secret, CheckId::SecretInFile),
        (Check::Hidden, CheckId::HiddenText),
        (Check::Injection, CheckId::SteeringText),
    ];
    for (check, row) in rows {
        let mut lines: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for noticed in all.iter().filter(|noticed| noticed.check == check) {
            lines.entry(noticed.line).or_default().insert(&noticed.class);
        }
        let more = lines.len().saturating_sub(TOLD_OF_A_FILE_MAX);
        for (line, classes) in lines.into_iter().take(TOLD_OF_A_FILE_MAX) {
            let classes: Vec<&str> = classes.into_iter().collect();
            let message = format!("Line {line}: {}.", classes.join(", "));
            findings.push(finding(row, Some(name.to_string()), message));
        }
        if more > 0 {
            findings.push(finding(row, Some(name.to_string()), format!("And {more} more lines.")));
        }
    }
}
