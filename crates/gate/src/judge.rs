//! The single judgement: policy, current bytes, change → approved, pending or refused (D2).
//!
//! Every check reads the result of the change. Only additions count: a note with an old secret can still be edited.
//! Invariant: a pure function; the same arguments give the same verdict, and tainted content is approved only for the
//! owner, or in the agent's own journal (D9).

use inwit_model::{Actor, Code, FileClass, Op, Place, SafeName, Sha256, Taint, WriteMode};

use crate::approved::Approved;
use crate::change::{Author, Change};
use crate::checks;
use crate::fact::is_fact_name;
use crate::finding::{Check, Finding, Weight};
use crate::name::{Refusal, within_depth};
use crate::policy::{Policy, Territory, territory};
use crate::proposal::{HeldChange, Why};
use crate::rules::Mode;

/// The verdict of the gate.
#[derive(Debug)]
pub enum Verdict {
    /// It may be written, once.
    Approved(Approved<Change>),
    /// It needs a person's approval.
    Pending(HeldChange),
    /// It may not be written.
    Refused(Refusal),
}

/// Judges `change`, whose file has the content `current` (`None`: it does not exist).
pub fn judge(policy: &Policy, current: Option<&[u8]>, change: Change) -> Verdict {
    match judged(policy, current, &change) {
        Ok((None, findings)) => Verdict::Approved(Approved::mint(change, findings)),
        Ok((Some(why), findings)) => Verdict::Pending(HeldChange { change, findings, why, said: None }),
        Err(refusal) => Verdict::Refused(refusal),
    }
}

/// Holds `change` back for approval, although its author may write directly: a restore first shows its effect.
/// Errors: every refusal of the gate.
pub fn hold(policy: &Policy, current: Option<&[u8]>, change: Change) -> Result<HeldChange, Refusal> {
    let (why, findings) = judged(policy, current, &change)?;
    Ok(HeldChange { change, findings, why: why.unwrap_or(Why::Asked), said: None })
}

/// Judges `words` for `target` from a requester who may not see the file: the answer does not depend on its content
/// (D3). Rules about the content are checked at approval. Errors: `name_refused`, `policy_refused`, `file_too_large`,
/// `rule_refused`, and refusals for agents in general.
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
    // Whether it creates the file or removes a line is unknown here, so an empty file stands for it.
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

/// What a change adds to a file and to the workspace: the name of a new file is text too.
pub fn findings(target: &SafeName, current: Option<&[u8]>, result: &[u8]) -> Vec<Finding> {
    let mut findings = match current {
        None if !is_fact_name(target) => checks::in_name(target),
        _ => Vec::new(),
    };
    findings.extend(checks::added(current.unwrap_or_default(), result));
    findings
}

/// Checks that the base is the current content. Error: `stale`.
fn stands_on(current: Option<&[u8]>, change: &Change) -> Result<(), Refusal> {
    if current.map(Sha256::of) == change.base {
        return Ok(());
    }
    refuse(
        Code::Stale,
        format!("`{}` has changed since the version that the change is based on.", change.target),
    )
}

/// A new file must be within the depth that is listed, or no search and no erasure would find it. An agent's also needs
/// a portable name and a possible date; the owner's may have any. Error: `name_refused`.
fn names_new(change: &Change) -> Result<(), Refusal> {
    let name = &change.target;
    within_depth(name)?;
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

/// Checks the size, and that there is an effect. A file over the limit may be written if it does not grow, so that
/// erasure and its owner can shrink it. Errors: `file_too_large`, `file_missing`.
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

/// Checks that sections of other writers are unchanged. Error: `policy_refused`.
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

/// Refuses a rewrite that replaces a value by the mask that the agent was shown. Error: `mask_refused`.
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

/// Checks that a daily log only grows (R70). Error: `policy_refused`.
fn grows(current: Option<&[u8]>, result: Option<&[u8]>, change: &Change) -> Result<(), Refusal> {
    let before = current.unwrap_or_default();
    let pruned = matches!(change.op, Op::Remove) && change.author.actor() == Actor::Engine;
    if pruned || result.is_some_and(|after| after.starts_with(before)) {
        return Ok(());
    }
    refuse(Code::PolicyRefused, format!("`{}` was not written: a daily log is append-only.", change.target))
}

/// Refuses what this author may never write. Errors: `secret_refused`, `hidden_refused`, `encoding_refused`.
pub(crate) fn refuse_stops(findings: &[Finding], change: &Change) -> Result<(), Refusal> {
    let is_owner = change.author.actor() == Actor::Owner;
    let stops = |finding: &&Finding| match finding.check {
        Check::Secret if is_owner => finding.weight == Weight::Stop && !change.allow_secret,
        _ => finding.weight == Weight::Stop && !is_owner,
    };
    // An encoding error is reported first: the other findings follow from it.
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
        // The name is not repeated: it contains what may not be stored.
        0 => refuse(code, format!("The file was not written: its name {what} ({class}).")),
        _ => refuse(code, format!("{} was not written: line {line} {what} ({class}).", named(change))),
    }
}

/// Applies the owner's rules; returns one that asks for a person. They apply to text that is not the owner's, also if
/// the owner authorises it; generated forms are exempt. Error: `rule_refused` if one blocks.
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

/// Whether approval is needed. Error: `policy_refused` if agents may not even propose it.
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
    // A tainted log entry is a record; its mark makes every display fence it.
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

/// The subject of a change for a sentence: facts have no file.
fn named(change: &Change) -> String {
    if is_fact_name(&change.target) { "The fact".to_owned() } else { format!("`{}`", change.target) }
}

fn refuse<T>(code: Code, message: String) -> Result<T, Refusal> {
    Err(Refusal { code, message })
}

#[cfg(test)]
mod tests;
