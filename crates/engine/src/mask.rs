//! What stands in a file without having passed the gate is not shown to a model (D2).
//!
//! A person, a sync tool or an importer may write what they like: it stands. But a key, a character that
//! nobody sees and a phrase that steers agents are masked where a prompt, a search or an excerpt would show
//! them, until the owner says that they may be there. What passed the gate was vouched for then, by the
//! hash of its file, class and text. Invariant: masking keeps the lines of a text, changes nothing but the
//! noticed spans, and depends on nothing but the text and what was vouched for in its own file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use inwit_gate::{Approved, Change, Check, Finding, Person, Weight, noticed};
use inwit_model::{SafeName, Sha256, Taint};
use inwit_store::memory::{AuditDetail, Mark};
use inwit_workspace::Sight as _;

use crate::{Agent, EngineError, Notice};

/// Something that is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    /// The file; `None` for text that is made of several.
    pub name: Option<SafeName>,
    /// The line of the text it begins in, from 1.
    pub line: usize,
    /// By which check.
    pub check: Check,
    /// Its class, such as `github_pat`.
    pub class: String,
}

impl Agent {
    /// `text` of the file `name` as a model may see it; what was masked is added to `masked`.
    pub(crate) fn masked<'t>(
        &self,
        name: Option<&SafeName>,
        text: &'t str,
        masked: &mut Vec<Masked>,
    ) -> Cow<'t, str> {
        let found = self.unvouched(name, text.as_bytes());
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut out, mut done) = (String::with_capacity(text.len()), 0);
        for finding in &found {
            // Two classes may notice the same words: the first one masks them.
            if finding.span.start < done {
                continue;
            }
            out.push_str(&text[done..finding.span.start]);
            out.push_str(&mask(finding, &text[finding.span.clone()]));
            done = finding.span.end;
        }
        out.push_str(&text[done..]);
        masked.extend(found.into_iter().map(|finding| Masked {
            name: name.cloned(),
            line: finding.line,
            check: finding.check,
            class: finding.class,
        }));
        Cow::Owned(out)
    }

    /// The same of a part that begins in line `first`.
    pub(crate) fn masked_from(
        &self,
        name: &SafeName,
        first: u32,
        text: &str,
        masked: &mut Vec<Masked>,
    ) -> String {
        let before = masked.len();
        let shown = self.masked(Some(name), text, masked).into_owned();
        masked[before..].iter_mut().for_each(|one| one.line += first as usize - 1);
        shown
    }

    /// What is noticed in a file and was never let through; its spans are of `bytes`. Where that cannot be
    /// looked up, nothing was (D11).
    pub(crate) fn unvouched(&self, name: Option<&SafeName>, bytes: &[u8]) -> Vec<Finding> {
        let mut found = self.noticed.of(bytes);
        if found.is_empty() {
            return found;
        }
        if let (Some(name), Ok(Some(memory))) = (name, self.memory_if_made()) {
            found.retain(|finding| {
                let key = key(name, &finding.class, &bytes[finding.span.clone()]);
                !matches!(memory.taint_of(&key), Ok(Some(_)))
            });
        }
        found
    }

    /// Remembers what the gate let through, so that it is shown. Before the write: what is vouched for and
    /// not written does no harm.
    pub(crate) fn vouch(
        &self,
        approved: &Approved<Change>,
        current: Option<&[u8]>,
    ) -> Result<(), EngineError> {
        if !approved.findings().iter().any(is_grave) {
            return Ok(());
        }
        let Some(result) = approved.change().op.result(current) else { return Ok(()) };
        let marks = self.vouchers(&approved.change().target, &result, approved.findings());
        Ok(self.memory()?.mark_ahead(&marks)?)
    }

    fn vouchers(&self, name: &SafeName, bytes: &[u8], findings: &[Finding]) -> Vec<Mark> {
        let at = self.clock.now();
        let grave = findings.iter().filter(|finding| is_grave(finding));
        let marks = grave.filter_map(|finding| {
            let entry = key(name, &finding.class, bytes.get(finding.span.clone())?);
            Some(Mark { entry, taint: Taint::Owner, session: None, at })
        });
        marks.collect()
    }

    /// What is masked in `name` now, by class and line. Errors: those of reading.
    pub fn masked_in(&self, name: &SafeName) -> Result<Vec<Finding>, EngineError> {
        Ok(self.unvouched(Some(name), &self.workspace.private().read(name)?.bytes))
    }

    /// The owner says that what is masked in `name` may be shown: what it was, class and line. Errors: those
    /// of reading, `audit_unwritable`.
    pub fn accept(&self, _owner: &Person, name: &SafeName) -> Result<Vec<Finding>, EngineError> {
        let content = self.workspace.private().read(name)?;
        let found = self.unvouched(Some(name), &content.bytes);
        if found.is_empty() {
            return Ok(found);
        }
        let detail = AuditDetail::default().with("sha256", content.sha256).with("count", found.len());
        self.record("accept", name.as_str(), detail)?;
        self.memory()?.mark_all(&self.vouchers(name, &content.bytes, &found))?;
        Ok(found)
    }
}

/// What was noticed in texts that are shown again and again: the parts of a prompt. It depends on their bytes
/// alone, so it is known by their hash.
#[derive(Default)]
pub(crate) struct Noticed(Mutex<HashMap<Sha256, Vec<Finding>>>);

/// Fewest bytes of a text that is worth remembering; the hits of a search are looked at each time.
const REMEMBERED_BYTES_MIN: usize = 2 * 1024;

/// Most texts that are remembered; then all are looked at anew.
const REMEMBERED_MAX: usize = 512;

impl Noticed {
    /// What is noticed in `bytes` and grave, in its order.
    fn of(&self, bytes: &[u8]) -> Vec<Finding> {
        let look = || {
            let mut found = noticed(bytes);
            found.retain(is_grave);
            found
        };
        if bytes.len() < REMEMBERED_BYTES_MIN {
            return look();
        }
        let hash = Sha256::of(bytes);
        let hold = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = hold().get(&hash) {
            return known.clone();
        }
        let found = look();
        let mut known = hold();
        if known.len() >= REMEMBERED_MAX {
            known.clear();
        }
        known.insert(hash, found.clone());
        found
    }
}

/// What a reader of masked text is told (D12).
pub(crate) fn notice(masked: &[Masked]) -> Option<Notice> {
    let mut names: Vec<String> = Vec::new();
    for one in masked {
        let name = one.name.as_ref().map_or("a skill", SafeName::as_str);
        let shown = format!("{name}, line {} ({})", one.line, one.class);
        if !names.contains(&shown) {
            names.push(shown);
        }
    }
    let more = names.len().saturating_sub(NAMED_MAX);
    names.truncate(NAMED_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let hint = "Take it out of the file, or say with `inwit accept FILE` that it may be shown.";
    (!names.is_empty()).then(|| Notice::new("masked", format!("Masked: {}{more}.", names.join("; ")), hint))
}

/// Places that a notice names; the rest is counted.
const NAMED_MAX: usize = 5;

/// Whether the gate would have stopped it, or asked a person.
fn is_grave(finding: &Finding) -> bool {
    finding.weight >= Weight::Ask && finding.check != Check::Encoding
}

/// By what something that may stand in a file is known again.
fn key(name: &SafeName, class: &str, text: &[u8]) -> Sha256 {
    Sha256::of(&[format!("vouched {name}\n{class}\n").as_bytes(), text].concat())
}

/// What is shown instead. The lines stay as many as they are, so that what names a line names the right one.
fn mask(finding: &Finding, text: &str) -> String {
    match (finding.check, text.chars().next()) {
        (Check::Hidden, Some(c)) => format!("⟦U+{:04X}⟧", u32::from(c)),
        _ => format!("[masked: {}]{}", finding.class, "\n".repeat(text.matches('\n').count())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noticed_once_is_known_again_by_the_bytes_alone() {
        let kept = Noticed::default();
        let plain = "- rye bread\n".repeat(REMEMBERED_BYTES_MIN / 8);
        let hidden = plain.replacen("rye", "r\u{202e}ye", 1);
        for _ in 0..2 {
            assert_eq!(kept.of(plain.as_bytes()), []);
            assert_eq!(kept.of(hidden.as_bytes()).len(), 1);
        }
        for number in 0..=REMEMBERED_MAX {
            assert_eq!(kept.of(format!("{hidden}{number}").as_bytes()).len(), 1);
        }
        assert!(kept.0.lock().expect("no panic").len() <= REMEMBERED_MAX);
    }
}
