//! Changes of facts: statements as rows, with source and period.
//!
//! Every writer uses this: judge, then write or propose, as for files (X43). Facts belong to the owner's scope: other
//! scopes have none, and their answers do not depend on facts (D3). Invariants: reading never creates a memory; a
//! change names the current content of its fact.

use std::sync::atomic::Ordering;

use inwit_gate::{
    Author, FactChange, FactDeed, FactText, FactVerdict, Finding, HeldFact, HumanConsent, Proposal, Why,
    judge_fact,
};
use inwit_model::fact::{Category, EXPIRY_LOOK_MINUTES, Span, fact_line};
use inwit_model::{Actor, FactId, FileClass, Hint, Op, ProposalId, Scope, WriteMode};
use inwit_store::Memory;
use inwit_store::memory::{Fact, FactFilter, FactWritten};
use jiff::{SignedDuration, Timestamp};

use super::input::{category, is_grave_with, object, profile_key, told};
use super::{NAMED_MAX, seen};
use crate::core::forgotten::Matcher;
use crate::core::mask::grave;
use crate::core::notice::named;
use crate::{EngineError, Facts, Notice, WriteContext};

/// Code of the notice that facts stay retired though the fact that replaced them goes or changes.
const STAY_RETIRED: &str = "facts_stay_retired";

/// Its hint.
const RESTORE_HINT: Hint = Hint::RestoreFact;

/// Code of the notice that superseded facts ended at another time than the fact that replaced them now begins.
const ENDED_ELSEWHERE: &str = "facts_ended_elsewhere";

/// Its hint; the order matters, since retired facts cannot be changed.
const ENDED_HINT: Hint = Hint::RestoreAndEndFact;

/// A fact to add.
#[derive(Debug, Clone, Default)]
pub struct NewFact<'a> {
    /// The statement; line ends become blanks.
    pub text: &'a str,
    /// Its category; default `observation`.
    pub category: Option<&'a str>,
    /// Metadata: one JSON object.
    pub metadata: Option<String>,
    /// When it is valid.
    pub valid: Span,
    /// The source that its author claims; the gate decides (D9).
    pub source: Option<&'a str>,
}

/// An update of a fact; `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct FactEdit<'a> {
    /// The statement.
    pub text: Option<&'a str>,
    /// The category.
    pub category: Option<&'a str>,
    /// Metadata: one JSON object; `Some(None)` removes it.
    pub metadata: Option<Option<String>>,
    /// Start of validity; `Some(None)`: unlimited, also if the fact superseded another one.
    pub from: Option<Option<Timestamp>>,
    /// End of validity, excluded; `Some(None)`: unlimited.
    pub to: Option<Option<Timestamp>>,
}

/// The result of a change of facts.
#[derive(Debug, Clone)]
pub enum FactOutcome {
    /// It was written.
    Written {
        /// The fact after the change.
        fact: Box<Fact>,
        /// Findings that did not prevent it.
        findings: Vec<Finding>,
    },
    /// An existing fact has this content.
    Unchanged(Box<Fact>),
    /// It was destroyed: its id, or the number of an unreadable row.
    Purged(String),
    /// A change of the user profile.
    Profile {
        /// Whether the value changed.
        changed: bool,
        /// Findings that did not prevent it.
        findings: Vec<Finding>,
    },
    /// It waits for approval.
    Pending {
        /// The proposal.
        id: ProposalId,
        /// Why approval is needed.
        why: Why,
        /// The findings.
        findings: Vec<Finding>,
        /// Notices about parts that are not in the proposal.
        notices: Vec<Notice>,
    },
}

impl Facts {
    /// Whether agents of `scope` may store facts, directly or by approval (M10).
    pub fn agents_keep_facts(&self, scope: &Scope) -> bool {
        *scope == Scope::Main && self.core.policy().rule(FileClass::Facts) != WriteMode::HumanOnly
    }

    /// Adds a fact. Errors: `usage_bad`, and refusals of the gate.
    pub fn fact_add(&self, fact: &NewFact<'_>, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        let category = fact.category.map_or_else(|| Ok(Category::observation()), category)?;
        let category = self.category_without_known(category, behalf);
        let metadata = fact.metadata.as_deref().map(|json| object(json, behalf)).transpose()?;
        let metadata = metadata.map(|json| self.metadata_without_known(json, behalf));
        let words = self.core.without_known_secrets(behalf.author, &behalf.scope, fact.text);
        let text = FactText { metadata, valid: told(fact.valid)?, ..FactText::new(category, &words) };
        self.write_fact(FactDeed::Add(text), fact.source, behalf)
    }

    /// Replaces the content of a fact; the old content remains in its history. Errors: `fact_unknown`, `fact_known`
    /// if another fact has this content, `usage_bad`, and refusals of the gate.
    pub fn fact_update(
        &self,
        id: &str,
        edit: &FactEdit<'_>,
        behalf: &WriteContext,
    ) -> Result<FactOutcome, EngineError> {
        let fact = self.fact(id)?;
        let base = fact.text.sha256();
        let mut text = fact.text;
        if let Some(words) = edit.text {
            text.content = fact_line(&self.core.without_known_secrets(behalf.author, &behalf.scope, words));
        }
        if let Some(kind) = edit.category {
            text.category = self.category_without_known(category(kind)?, behalf);
        }
        if let Some(metadata) = &edit.metadata {
            let metadata = metadata.as_deref().map(|json| object(json, behalf)).transpose()?;
            text.metadata = metadata.map(|json| self.metadata_without_known(json, behalf));
        }
        text.valid.from = edit.from.unwrap_or(text.valid.from);
        text.valid.to = edit.to.unwrap_or(text.valid.to);
        text.valid = told(text.valid)?;
        // Of a row written by another program, only the new values pass the gate here.
        let is_carried =
            edit.text.is_none() || edit.category.is_none() && is_grave_with(&text.category, &text.content);
        let deed = FactDeed::Update { id: fact.id, base, text };
        let mut change = FactChange::new(deed, behalf.author, Some(fact.source.word()));
        (change.is_carried, change.is_always) = (is_carried, edit.from == Some(None));
        self.write_change(change, behalf)
    }

    /// The category, unless it contains a known secret.
    fn category_without_known(&self, category: Category, behalf: &WriteContext) -> Category {
        let words = self.core.without_known_secrets(behalf.author, &behalf.scope, category.as_str());
        if words == category.as_str() { category } else { Category::of_row("masked") }
    }

    /// A JSON object without known secrets in its names and values.
    fn metadata_without_known(&self, json: String, behalf: &WriteContext) -> String {
        let mut clean =
            |words: &str| self.core.without_known_secrets(behalf.author, &behalf.scope, words).into_owned();
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&json) else { return clean(&json) };
        let cleaned = seen::in_json(value.clone(), &mut clean);
        if cleaned == value { json } else { cleaned.to_string() }
    }

    /// Hides a fact; it can be restored for `facts_retention_days` of the profile. Errors: as
    /// [`fact_update`](Self::fact_update).
    pub fn fact_forget(&self, id: &str, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        let fact = self.fact(id)?;
        let base = fact.text.sha256();
        self.write_fact(FactDeed::Forget { id: fact.id, base }, None, behalf)
    }

    /// The time until which a forgotten fact can be restored; `None` if that has passed, so that the next write
    /// removes it, or if it was not forgotten.
    pub fn restorable_until(&self, fact: &Fact) -> Option<Timestamp> {
        let at =
            fact.forgotten.filter(|at| at.as_millisecond() >= self.forgotten_before().as_millisecond())?;
        Some(at.checked_add(self.kept_forgotten()).unwrap_or(Timestamp::MAX))
    }

    /// Restores a forgotten fact. Errors: `fact_unknown`, also for one that was forgotten too long ago.
    pub fn fact_restore(&self, id: &str, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        self.expire_forgotten()?;
        let fact = self.fact(id)?;
        self.write_fact(FactDeed::Restore { id: fact.id }, None, behalf)
    }

    /// Destroys a fact with its history; an unreadable row by its number. Errors: `fact_unknown`, and refusals of the
    /// gate.
    pub fn fact_purge(&self, id: &str, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        let deed = match self.unread_fact(id)?.and_then(|unread| unread.number()) {
            Some(number) => FactDeed::PurgeRow { number },
            None => FactDeed::Purge { id: self.fact(id)?.id },
        };
        let outcome = self.write_fact(deed, None, behalf)?;
        // The fact is destroyed. If its vector cannot be removed now, the next fill removes it.
        let _ = self.prune_fact_vectors();
        Ok(outcome)
    }

    /// Notices after a correction of the fact `before`: facts that it replaced stay retired, though its statement may
    /// be another now; and superseded facts may end before or after its new beginning, so that for some days neither
    /// or both hold. Errors: as [`fact`](Self::fact).
    pub fn fact_took_over(&self, before: &Fact) -> Result<Vec<Notice>, EngineError> {
        let fact = self.fact(before.id.as_str())?;
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Vec::new()) };
        let retired = memory.retired_for(&fact.id)?;
        let told = |code, what: &str, is_told: &dyn Fn(&Fact) -> bool, hint| {
            let told = retired.iter().filter(|retired| is_told(retired));
            let numbers: Vec<String> = told.map(|retired| retired.number.to_string()).collect();
            let message = format!("{what}: fact {}.", named(&numbers, NAMED_MAX, ", "));
            (!numbers.is_empty()).then(|| Notice::new(code, message, hint))
        };
        let plain = fact.text.plain();
        if plain != before.text.plain() {
            let what = "Retired because of the earlier text of this fact, and still retired";
            let is_told = |retired: &Fact| retired.text.plain() != plain;
            return Ok(told(STAY_RETIRED, what, &is_told, RESTORE_HINT).into_iter().collect());
        }
        let end = |retired: &Fact| retired.retirement.as_ref().and_then(|retirement| retirement.held_to);
        let (since, until) = (fact.holds_from(), fact.text.valid.to);
        let is_of_another_day = |retired: &Fact| {
            since != before.holds_from() && end(retired).is_some_and(|end| Some(end) != since)
        };
        let is_longer = |retired: &Fact| {
            let is_sooner = until.is_some_and(|until| retired.text.valid.to.is_none_or(|to| until < to));
            until != before.text.valid.to && end(retired).is_some() && is_sooner
        };
        let another_day = "Superseded on another day than the new start of this fact";
        let sooner = "Superseded by this fact, which now ends sooner";
        let notices = [
            told(ENDED_ELSEWHERE, another_day, &is_of_another_day, ENDED_HINT),
            told(ENDED_ELSEWHERE, sooner, &is_longer, ENDED_HINT),
        ];
        Ok(notices.into_iter().flatten().collect())
    }

    /// Destroys facts, all or none; returns their number, since some may have been removed concurrently. Errors:
    /// refusals of the gate, and those of writing.
    pub(crate) fn purge_facts(
        &self,
        memory: &dyn Memory,
        facts: Vec<Fact>,
        person: &HumanConsent,
    ) -> Result<u64, EngineError> {
        let mut approved = Vec::with_capacity(facts.len());
        for fact in facts {
            let standing = fact.standing();
            let change = FactChange::new(FactDeed::Purge { id: fact.id }, Author::owner(person), None);
            match judge_fact(&self.core.policy(), Some(&standing), change) {
                FactVerdict::Approved(change) => approved.push(change),
                FactVerdict::Refused(refusal) => return Err(refusal.into()),
                // The owner's changes need no approval.
                FactVerdict::Pending(_) => {}
            }
        }
        if approved.is_empty() {
            return Ok(0);
        }
        let count = memory.purge_facts(&approved, self.core.clock.now())?;
        // As for a single one.
        let _ = self.prune_fact_vectors();
        Ok(count)
    }

    /// A notice before forgetting or destroying a fact: facts that it replaced stay retired. Duplicates are not
    /// reported. Errors: as [`fact`](Self::fact).
    pub fn fact_gave_way(&self, id: &str) -> Result<Option<Notice>, EngineError> {
        let fact = self.fact(id)?;
        let Some(memory) = self.core.memory_if_made()? else { return Ok(None) };
        let plain = fact.text.plain();
        let retired: Vec<Fact> = memory.retired_for(&fact.id)?;
        let numbers: Vec<String> = retired
            .iter()
            .filter(|retired| retired.text.plain() != plain)
            .map(|retired| retired.number.to_string())
            .collect();
        let named = named(&numbers, NAMED_MAX, ", ");
        let message =
            format!("Retired because of this fact, and not restored when it is removed: fact {named}.");
        Ok((!numbers.is_empty()).then(|| Notice::new(STAY_RETIRED, message, RESTORE_HINT)))
    }

    /// A notice before an erasure: facts that the erased ones replaced stay retired, except those that are erased
    /// too.
    pub fn gave_way_to_forgotten(&self, wording: &Matcher) -> Result<Option<Notice>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(None) };
        let going = self.facts_holding(memory.as_ref(), wording)?;
        let mut numbers = Vec::new();
        for fact in &going {
            let retired = memory.retired_for(&fact.id)?.into_iter();
            let left = retired.filter(|retired| going.iter().all(|fact| fact.id != retired.id));
            numbers.extend(left.map(|retired| retired.number.to_string()));
        }
        let named = named(&numbers, NAMED_MAX, ", ");
        let message =
            format!("Retired because of the erased text, and not restored by the erasure: fact {named}.");
        let hint = Hint::RestoreFact;
        Ok((!numbers.is_empty()).then(|| Notice::new("facts_stay_retired", message, hint)))
    }

    /// Every fact whose text contains the words, visible or not.
    pub(crate) fn facts_holding(
        &self,
        memory: &dyn Memory,
        wording: &Matcher,
    ) -> Result<Vec<Fact>, EngineError> {
        let mut holding = Vec::new();
        for forgotten in [false, true] {
            let all = FactFilter { forgotten, retired: true, limit: usize::MAX, ..FactFilter::default() };
            let facts = memory.facts(&all)?.into_iter();
            holding.extend(facts.filter(|fact| wording.stands_in(fact.text.content.as_bytes())));
        }
        Ok(holding)
    }

    /// Destroys facts that were forgotten more than `facts_retention_days` of the profile ago. Returns their number.
    pub fn expire_forgotten(&self) -> Result<u64, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(0) };
        let before = self.forgotten_before();
        // Checking needs no lock, and usually there are none.
        if memory.forgotten_count(before)? == 0 {
            return Ok(0);
        }
        let change = FactChange::new(FactDeed::Expire { before }, Author::ENGINE, None);
        match judge_fact(&self.core.policy(), None, change) {
            FactVerdict::Approved(approved) => {
                let now = self.core.clock.now();
                match memory.write_fact(&approved, &FactId::new(now, self.core.entropy.ten()), now)? {
                    FactWritten::Expired(count) => {
                        // As for a purge.
                        let _ = self.prune_fact_vectors();
                        Ok(count)
                    }
                    _ => Ok(0),
                }
            }
            FactVerdict::Pending(_) => Ok(0),
            FactVerdict::Refused(refusal) => Err(refusal.into()),
        }
    }

    /// The same, at most once per [`EXPIRY_LOOK_MINUTES`] of this process, or after the clock was set back.
    fn expire_at_times(&self, now: Timestamp) -> Result<(), EngineError> {
        let minutes = now.as_millisecond() / 60_000;
        let last = self.expiry_looked.load(Ordering::Relaxed);
        if (last..last.saturating_add(EXPIRY_LOOK_MINUTES)).contains(&minutes) {
            return Ok(());
        }
        self.expiry_looked.store(minutes, Ordering::Relaxed);
        self.expire_forgotten().map(drop)
    }

    /// Facts forgotten before this time are destroyed.
    pub(super) fn forgotten_before(&self) -> Timestamp {
        self.core.clock.now().checked_sub(self.kept_forgotten()).unwrap_or(Timestamp::MIN)
    }

    /// Retention of a forgotten fact.
    fn kept_forgotten(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.core.profile.facts_retention_days))
    }

    /// Sets a value of the user profile. Errors: `usage_bad`, and refusals of the gate.
    pub fn profile_set(
        &self,
        key: &str,
        value: &str,
        behalf: &WriteContext,
    ) -> Result<FactOutcome, EngineError> {
        let key = profile_key(key)?;
        let value = self.core.without_known_secrets(behalf.author, &behalf.scope, value);
        self.write_fact(FactDeed::SetProfile { key, value: fact_line(&value) }, None, behalf)
    }

    /// Removes a value of the user profile. Errors: as [`profile_set`](Self::profile_set).
    pub fn profile_unset(&self, key: &str, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        self.write_fact(FactDeed::UnsetProfile { key: profile_key(key)? }, None, behalf)
    }

    pub(crate) fn write_fact(
        &self,
        deed: FactDeed,
        claimed: Option<&str>,
        behalf: &WriteContext,
    ) -> Result<FactOutcome, EngineError> {
        self.write_change(FactChange::new(deed, behalf.author, claimed), behalf)
    }

    fn write_change(&self, change: FactChange, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        let mut change = change.because(&behalf.reason);
        if let Some(taint) = behalf.taint {
            change.taint = taint;
        }
        change.session.clone_from(&behalf.session);
        change.project.clone_from(&behalf.project);
        change.allow_secret = behalf.allow_secret;
        let memory = self.core.memory()?;
        let current = match change.deed.about() {
            Some(id) => memory.fact(id)?.map(|fact| fact.standing()),
            None => None,
        };
        let is_its_own = change.author.actor() == Actor::Agent && !change.taint.is_tainted();
        let wanted = is_its_own.then(|| change.clone());
        let mut verdict =
            judge_fact(&self.notes.policy_in(behalf.session.as_ref())?, current.as_ref(), change);
        // As for files: an erased text waits for approval, even if the agent may write directly.
        if let (FactVerdict::Approved(approved), Some(change)) = (&verdict, wanted) {
            let held = HeldFact { change, findings: approved.findings().to_vec(), why: Why::Asked };
            let now = self.core.clock.now();
            let asked = Proposal::of_fact(ProposalId::new(now, self.core.entropy.ten()), now, held.clone());
            if let Op::Put(said) | Op::Append(said) = &asked.op
                && self.core.brings_back(None, said)?
            {
                verdict = FactVerdict::Pending(held);
            }
        }
        match verdict {
            FactVerdict::Approved(approved) => {
                let findings = approved.findings().to_vec();
                self.vouch_profile(approved.change())?;
                let now = self.core.clock.now();
                let id = FactId::new(now, self.core.entropy.ten());
                let written = memory.write_fact(&approved, &id, now)?;
                // Expired facts are removed with the next write. A failure to do so is not an error of this write;
                // the next one tries again.
                let _ = self.expire_at_times(now);
                Ok(outcome(written, findings))
            }
            FactVerdict::Pending(held) => {
                // A known value needs no approval.
                if let FactDeed::Add(text) = &held.change.deed
                    && let Some(known) = memory.fact_saying(text)?.and_then(|id| memory.fact(&id).transpose())
                {
                    return Ok(FactOutcome::Unchanged(Box::new(known?)));
                }
                self.keep_fact_proposal(memory.as_ref(), held)
            }
            FactVerdict::Refused(refusal) => Err(refusal.into()),
        }
    }

    /// Records what the gate accepted in the user profile: its rows have no hash.
    pub(super) fn vouch_profile(&self, change: &FactChange) -> Result<(), EngineError> {
        let FactDeed::SetProfile { key, value } = &change.deed else { return Ok(()) };
        let words = format!("{key}: {value}");
        self.core.vouch_row(&change.deed.name(), &words, &grave(&words))
    }
}

/// The result of a written change.
fn outcome(written: FactWritten, findings: Vec<Finding>) -> FactOutcome {
    match written {
        FactWritten::Fact(fact) => FactOutcome::Written { fact, findings },
        FactWritten::Unchanged(fact) => FactOutcome::Unchanged(fact),
        FactWritten::Purged(id) => FactOutcome::Purged(id.to_string()),
        FactWritten::PurgedRow(number) => FactOutcome::Purged(format!("fact {number}")),
        FactWritten::Profile(changed) => FactOutcome::Profile { changed, findings },
        FactWritten::Expired(_) => FactOutcome::Profile { changed: false, findings },
    }
}
