//! The one judgement: policy, current bytes, change → approved, pending or refused (D2).
//!
//! Every check looks at the bytes the file would hold. What stood there before is the owner's affair:
//! only what a change adds is held against it, so that a note with an old secret can still be worked
//! on. Invariant: a pure function; the same arguments give the same verdict, and nothing that is
//! tainted is approved for anybody but the owner, except in its own journal (D9).

use inwit_model::{Actor, Code, FileClass, Op, Place, SafeName, Sha256, Taint, WriteMode};

use crate::approved::Approved;
use crate::change::{Author, Change};
use crate::checks;
use crate::fact::is_fact_name;
use crate::finding::{Check, Finding, Weight};
use crate::name::Refusal;
use crate::policy::{Policy, Territory, territory};
use crate::proposal::{HeldChange, Why};
use crate::rules::Mode;

/// What the gate says.
#[derive(Debug)]
pub enum Verdict {
    /// It may be written, once.
    Approved(Approved<Change>),
    /// A person must see it first.
    Pending(HeldChange),
    /// It may not be written.
    Refused(Refusal),
}

/// Judges `change`, whose file holds `current` (`None`: it is not there).
pub fn judge(policy: &Policy, current: Option<&[u8]>, change: Change) -> Verdict {
    match judged(policy, current, &change) {
        Ok((None, findings)) => Verdict::Approved(Approved::mint(change, findings)),
        Ok((Some(why), findings)) => Verdict::Pending(HeldChange { change, findings, why, said: None }),
        Err(refusal) => Verdict::Refused(refusal),
    }
}

/// Holds `change` back for a person, though its author might write it at once: a restore shows first what
/// it would do. Errors: what the gate refuses.
pub fn hold(policy: &Policy, current: Option<&[u8]>, change: Change) -> Result<HeldChange, Refusal> {
    let (why, findings) = judged(policy, current, &change)?;
    Ok(HeldChange { change, findings, why: why.unwrap_or(Why::Asked), said: None })
}

/// What can be said of `words` that somebody wants in `target` who may not see what stands there: nothing
/// of the answer depends on the file (D3). Rules that ask what stands there are left to the approval, which
/// judges again. Errors: `name_refused`, `policy_refused`, `file_too_large`, `rule_refused`, and what may not
/// be written by an agent at all.
pub fn heard(
    policy: &Policy,
    target: &SafeName,
    words: &[u8],
    taint: Option<Taint>,
) -> Result<Vec<Finding>, Refusal> {
    let op = Op::Put(words.into());
    let mut change = Change::new(target.clone(), op, None, Author::AGENT);
    change.taint = taint.unwrap_or(change.taint);
    let territory = territory(target)?;
    names_new(&change)?;
    fits(policy, None, Some(words), &change)?;
    owned(territory, None, Some(words), &change)?;
    let findings = findings(target, None, words);
    refuse_stops(&findings, &change)?;
    // An empty file is neither created nor deprived of a line: both are unknown here.
    let ruled = ruled(policy, territory, Some(b""), &findings, &change)?;
    needs_person(policy, territory, ruled, &findings, &change)?;
    Ok(findings)
}

type Judged = Result<(Option<Why>, Vec<Finding>), Refusal>;

fn judged(policy: &Policy, current: Option<&[u8]>, change: &Change) -> Judged {
    let territory = territory(&change.target)?;
    stands_on(current, change)?;
    if current.is_none() {
        names_new(change)?;
    }
    let result = change.op.result(current);
    let result = result.as_deref();
    fits(policy, current, result, change)?;
    owned(territory, current, result, change)?;
    keeps_values(current, result, change)?;
    let findings = findings(&change.target, current, result.unwrap_or_default());
    refuse_stops(&findings, change)?;
    let ruled = ruled(policy, territory, current, &findings, change)?;
    Ok((needs_person(policy, territory, ruled, &findings, change)?, findings))
}

/// What a change adds to a file, and to the workspace: the name of a file that is new is words as well.
pub fn findings(target: &SafeName, current: Option<&[u8]>, result: &[u8]) -> Vec<Finding> {
    let mut findings = match current {
        None if !is_fact_name(target) => checks::in_name(target),
        _ => Vec::new(),
    };
    findings.extend(checks::added(current.unwrap_or_default(), result));
    findings
}

/// The change stands on the bytes that are there. Error: `stale`.
fn stands_on(current: Option<&[u8]>, change: &Change) -> Result<(), Refusal> {
    if current.map(Sha256::of) == change.base {
        return Ok(());
    }
    refuse(
        Code::Stale,
        format!("`{}` has changed since the version that the change is based on.", change.target),
    )
}

/// A new file gets a name that every system, shell and address reads alike, and a date that there is. Its owner may
/// give it any. Error: `name_refused`.
fn names_new(change: &Change) -> Result<(), Refusal> {
    let name = &change.target;
    if change.author.actor() == Actor::Owner {
        return Ok(());
    }
    match name.unportable() {
        Some(reason) => Err(Refusal::name(name, reason)),
        None if Place::has_impossible_date(name) => Err(Refusal::name(name, "its date is invalid")),
        None if !name.as_str().ends_with(".md") => {
            Err(Refusal::name(name, "the name of a new file must end in `.md`"))
        }
        None => Ok(()),
    }
}

/// Size, and something to do. A file that is over the limit already may be written as long as it does not grow:
/// otherwise neither an erasure nor its owner could make it smaller. Errors: `file_too_large`, `file_missing`.
pub(crate) fn fits(
    policy: &Policy,
    current: Option<&[u8]>,
    result: Option<&[u8]>,
    change: &Change,
) -> Result<(), Refusal> {
    let (name, most) = (&change.target, policy.file_bytes_max());
    let grows = |bytes: &[u8]| current.is_none_or(|current| bytes.len() > current.len());
    match result {
        Some(bytes) if bytes.len() as u64 > most && grows(bytes) => refuse(
            Code::FileTooLarge,
            format!("`{name}` would have {} bytes; the maximum is {most}.", bytes.len()),
        ),
        None if change.base.is_none() => refuse(Code::FileMissing, format!("`{name}` does not exist.")),
        _ => Ok(()),
    }
}

/// Parts that belong to somebody else stay. Error: `policy_refused`.
fn owned(
    territory: Territory,
    current: Option<&[u8]>,
    result: Option<&[u8]>,
    change: &Change,
) -> Result<(), Refusal> {
    let name = &change.target;
    let refused = |why: &str| refuse(Code::PolicyRefused, format!("`{name}` was not written: {why}."));
    match (territory, change.author.actor()) {
        (_, Actor::External) => refused("its writer did not request it"),
        (_, Actor::Owner) => Ok(()),
        (Territory::Diary, Actor::Engine | Actor::Dream) => Ok(()),
        (Territory::Bootstrap, Actor::Engine) if matches!(change.op, Op::Archive) => Ok(()),
        (Territory::Diary | Territory::Bootstrap, _) => refused("agents cannot write it"),
        (Territory::FileClass(FileClass::Heartbeat), Actor::Engine)
            if checks::schedule(current.unwrap_or_default())
                == checks::schedule(result.unwrap_or_default()) =>
        {
            Ok(())
        }
        (Territory::FileClass(FileClass::Heartbeat), Actor::Engine) => {
            refused("only the owner can change its schedule")
        }
        (Territory::FileClass(FileClass::Journals), _) => grows(current, result, change),
        (Territory::FileClass(_), Actor::Engine) => refused("inwit writes only its own text"),
        _ => Ok(()),
    }
}

/// An agent that rewrites what it read puts the mask that it was shown in the place of the value. Error: `mask_refused`.
fn keeps_values(current: Option<&[u8]>, result: Option<&[u8]>, change: &Change) -> Result<(), Refusal> {
    let (Some(before), Some(after)) = (current, result) else { return Ok(()) };
    if change.author.actor() != Actor::Agent || !checks::puts_masks_over(before, after) {
        return Ok(());
    }
    refuse(
        Code::MaskRefused,
        format!("{} was not written: a mask would replace the value of a line.", named(change)),
    )
}

/// A daily log only grows: what happened is not rewritten (R70). Error: `policy_refused`.
fn grows(current: Option<&[u8]>, result: Option<&[u8]>, change: &Change) -> Result<(), Refusal> {
    let before = current.unwrap_or_default();
    let pruned = matches!(change.op, Op::Remove) && change.author.actor() == Actor::Engine;
    if pruned || result.is_some_and(|after| after.starts_with(before)) {
        return Ok(());
    }
    refuse(Code::PolicyRefused, format!("`{}` was not written: a daily log is append-only.", change.target))
}

/// What may not be written by this author at all. Errors: `secret_refused`, `hidden_refused`,
/// `encoding_refused`.
pub(crate) fn refuse_stops(findings: &[Finding], change: &Change) -> Result<(), Refusal> {
    let is_owner = change.author.actor() == Actor::Owner;
    let stops = |finding: &&Finding| match finding.check {
        Check::Secret if is_owner => finding.weight == Weight::Stop && !change.allow_secret,
        _ => finding.weight == Weight::Stop && !is_owner,
    };
    // What is no text is told first: the rest follows from it.
    let no_text = findings.iter().filter(|finding| finding.check == Check::Encoding).find(stops);
    let Some(finding) = no_text.or_else(|| findings.iter().find(stops)) else { return Ok(()) };
    let (code, what) = match finding.check {
        Check::Secret => (Code::SecretRefused, "contains a possible secret"),
        Check::Hidden => (Code::HiddenRefused, "contains an invisible character"),
        Check::Encoding => (Code::EncodingRefused, "is not plain UTF-8 text"),
        _ => (Code::Refused, "is not allowed"),
    };
    let (class, line) = (&finding.class, finding.line);
    match line {
        // The name is not repeated: it holds what may not be kept.
        0 => refuse(code, format!("The file was not written: its name {what} ({class}).")),
        _ => refuse(code, format!("{} was not written: line {line} {what} ({class}).", named(change))),
    }
}

/// What the owner's own rules say: whether one asks for a person. They hold for words that are not the
/// owner's, also when the owner would lend them their authority; inwit's own forms are no matter of theirs.
/// Error: `rule_refused` where one blocks.
pub(crate) fn ruled(
    policy: &Policy,
    territory: Territory,
    current: Option<&[u8]>,
    findings: &[Finding],
    change: &Change,
) -> Result<bool, Refusal> {
    let Territory::FileClass(ward) = territory else { return Ok(false) };
    if matches!(change.writer(), Actor::Owner | Actor::Engine) {
        return Ok(false);
    }
    let mut asks = false;
    for rule in policy.rules() {
        match rule.holds(ward, current, findings, change) {
            Some(Mode::Block) => {
                let (name, rule) = (named(change), &rule.name);
                let message = format!("{name} was not written: the rule `{rule}` blocks it.");
                return refuse(Code::RuleRefused, message);
            }
            Some(Mode::Ask) => asks = true,
            None => {}
        }
    }
    Ok(asks)
}

/// Whether a person must see it. Error: `policy_refused` where agents may not even ask.
pub(crate) fn needs_person(
    policy: &Policy,
    territory: Territory,
    ruled: bool,
    findings: &[Finding],
    change: &Change,
) -> Result<Option<Why>, Refusal> {
    let actor = change.author.actor();
    let rule = match (territory, actor) {
        (Territory::FileClass(FileClass::Journals), Actor::Engine)
            if change.taint.is_tainted() && !change.marked && !matches!(change.op, Op::Remove) =>
        {
            return refuse(
                Code::Refused,
                format!("`{}` was not written: its text is tainted and not marked.", change.target),
            );
        }
        (_, Actor::Owner | Actor::Engine) | (Territory::Diary | Territory::Bootstrap, _) => return Ok(None),
        (Territory::FileClass(ward), _) => policy.rule(ward),
    };
    if rule == WriteMode::HumanOnly {
        let message = format!("{} was not written: agents cannot write it.", named(change));
        return refuse(Code::PolicyRefused, message);
    }
    // A tainted entry says what happened; it is fenced wherever it is shown, because it was marked.
    let journal = territory == Territory::FileClass(FileClass::Journals) && change.marked;
    let asks = findings.iter().any(|finding| finding.weight >= Weight::Ask);
    Ok(match rule {
        WriteMode::Approve => Some(Why::Policy),
        _ if ruled => Some(Why::Rule),
        _ if change.taint.is_tainted() && !journal => Some(Why::Taint),
        _ if actor == Actor::Import => Some(Why::Taint),
        _ if asks => Some(Why::Finding),
        _ => None,
    })
}

/// What a change is of, in a sentence: facts have no file.
fn named(change: &Change) -> String {
    if is_fact_name(&change.target) { "The fact".to_owned() } else { format!("`{}`", change.target) }
}

fn refuse<T>(code: Code, message: String) -> Result<T, Refusal> {
    Err(Refusal { code, message })
}

#[cfg(test)]
mod tests;
