//! Facts: one statement a row, with where it comes from and when it holds.
//!
//! Every writer comes this way: judge, then write or let it wait for a person, as for files (X43). Facts are the
//! owner's own: no other scope has them, and what it is answered does not depend on them (D3). Invariants: a
//! memory that was never made is not made by looking; who changes a fact names what it says now.

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

/// The notice of facts that were retired for one that goes, or says something else now.
const STAY_RETIRED: &str = "facts_stay_retired";

/// What can be done about it.
const RESTORE_HINT: Hint = Hint::RestoreFact;

/// The notice of facts that were superseded by one that holds at other times now.
const ENDED_ELSEWHERE: &str = "facts_ended_elsewhere";

/// What can be done about it, in this order: what is retired is not changed.
const ENDED_HINT: Hint = Hint::RestoreAndEndFact;

/// What is to be kept.
#[derive(Debug, Clone, Default)]
pub struct NewFact<'a> {
    /// The statement; ends of lines become blanks.
    pub text: &'a str,
    /// Of which kind; an observation when unsaid.
    pub category: Option<&'a str>,
    /// What else is known of it: one JSON object.
    pub metadata: Option<String>,
    /// When it holds.
    pub valid: Span,
    /// Where its author says that it comes from; believed as far as the gate believes it (D9).
    pub source: Option<&'a str>,
}

/// What is to be said instead; what is unsaid stays.
#[derive(Debug, Clone, Default)]
pub struct FactEdit<'a> {
    /// The statement.
    pub text: Option<&'a str>,
    /// The kind.
    pub category: Option<&'a str>,
    /// What else is known of it: one JSON object; `Some(None)`: nothing.
    pub metadata: Option<Option<String>>,
    /// The first moment at which it holds; `Some(None)`: at any before, also where another one gave way to it.
    pub from: Option<Option<Timestamp>>,
    /// The first moment at which it holds no more; `Some(None)`: there is none.
    pub to: Option<Option<Timestamp>>,
}

/// What became of a change of facts.
#[derive(Debug, Clone)]
pub enum FactOutcome {
    /// The fact as it is now.
    Written {
        /// The fact.
        fact: Box<Fact>,
        /// What was noticed and let pass.
        findings: Vec<Finding>,
    },
    /// The fact that says it already.
    Unchanged(Box<Fact>),
    /// It is gone for good: its id, or the number of a row that could not be read.
    Purged(String),
    /// What is known of the user.
    Profile {
        /// It changed; `false`: it was so already.
        changed: bool,
        /// What was noticed and let pass.
        findings: Vec<Finding>,
    },
    /// A person decides.
    Pending {
        /// The proposal.
        id: ProposalId,
        /// Why a person is asked.
        why: Why,
        /// What was noticed.
        findings: Vec<Finding>,
        /// What of it is not in the proposal.
        notices: Vec<Notice>,
    },
}

impl Facts {
    /// Whether what an agent of `scope` wants kept as a fact may be kept at all, at once or by a person's word (M10).
    pub fn agents_keep_facts(&self, scope: &Scope) -> bool {
        *scope == Scope::Main && self.core.policy().rule(FileClass::Facts) != WriteMode::HumanOnly
    }

    /// Keeps a fact. Errors: `usage_bad`, and what the gate refuses.
    pub fn fact_add(&self, fact: &NewFact<'_>, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        let category = fact.category.map_or_else(|| Ok(Category::observation()), category)?;
        let category = self.category_without_known(category, behalf);
        let metadata = fact.metadata.as_deref().map(|json| object(json, behalf)).transpose()?;
        let metadata = metadata.map(|json| self.metadata_without_known(json, behalf));
        let words = self.core.without_known_secrets(behalf.author, &behalf.scope, fact.text);
        let text = FactText { metadata, valid: told(fact.valid)?, ..FactText::new(category, &words) };
        self.write_fact(FactDeed::Add(text), fact.source, behalf)
    }

    /// Lets a fact say something else from now on; what it said stays known as what was believed. Errors:
    /// `fact_unknown`, `fact_known` where another one says it already, `usage_bad`, and what the gate refuses.
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
        // Of what another hand wrote, only what is said here passes the gate here.
        let is_carried =
            edit.text.is_none() || edit.category.is_none() && is_grave_with(&text.category, &text.content);
        let deed = FactDeed::Update { id: fact.id, base, text };
        let mut change = FactChange::new(deed, behalf.author, Some(fact.source.word()));
        (change.is_carried, change.is_always) = (is_carried, edit.from == Some(None));
        self.write_change(change, behalf)
    }

    /// A category that is no known secret.
    fn category_without_known(&self, category: Category, behalf: &WriteContext) -> Category {
        let words = self.core.without_known_secrets(behalf.author, &behalf.scope, category.as_str());
        if words == category.as_str() { category } else { Category::of_row("masked") }
    }

    /// An object as JSON, without known secrets in its names and values.
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

    /// The last moment at which a forgotten fact can be restored; `None`: that is over, so it goes at the next write, or
    /// it was not forgotten.
    pub fn restorable_until(&self, fact: &Fact) -> Option<Timestamp> {
        let at =
            fact.forgotten.filter(|at| at.as_millisecond() >= self.forgotten_before().as_millisecond())?;
        Some(at.checked_add(self.kept_forgotten()).unwrap_or(Timestamp::MAX))
    }

    /// Shows a forgotten fact again. Errors: `fact_unknown`, also for one that was forgotten too long ago.
    pub fn fact_restore(&self, id: &str, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        self.expire_forgotten()?;
        let fact = self.fact(id)?;
        self.write_fact(FactDeed::Restore { id: fact.id }, None, behalf)
    }

    /// Takes a fact away for good, with all it ever said; one that cannot be read too, by its number. Errors:
    /// `fact_unknown`, and what the gate refuses.
    pub fn fact_purge(&self, id: &str, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        let deed = match self.unread_fact(id)?.and_then(|unread| unread.number()) {
            Some(number) => FactDeed::PurgeRow { number },
            None => FactDeed::Purge { id: self.fact(id)?.id },
        };
        let outcome = self.write_fact(deed, None, behalf)?;
        // The fact is gone. A vector that cannot go now names nothing, and goes with the next fill.
        let _ = self.prune_fact_vectors();
        Ok(outcome)
    }

    /// What whoever corrected a fact, which was `before`, should know: others gave way to what it said. They stay
    /// retired where its words are others now; and what was superseded ended on another day than the one since which it
    /// holds now, or holds longer than it does, so there are days on which none of them holds, or both. Errors: as
    /// [`fact`](Self::fact).
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
        let another_day = "Superseded on another day than the one from which this fact now holds";
        let sooner = "Superseded by this fact, which now ends sooner";
        let notices = [
            told(ENDED_ELSEWHERE, another_day, &is_of_another_day, ENDED_HINT),
            told(ENDED_ELSEWHERE, sooner, &is_longer, ENDED_HINT),
        ];
        Ok(notices.into_iter().flatten().collect())
    }

    /// Takes facts away for good, all of them or none; answers with how many, since others may have taken some away
    /// meanwhile. Errors: what the gate refuses, and those of writing.
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
                // The owner's own word waits for nobody.
                FactVerdict::Pending(_) => {}
            }
        }
        if approved.is_empty() {
            return Ok(0);
        }
        let count = memory.purge_facts(&approved, self.core.clock.now())?;
        // As with one of them.
        let _ = self.prune_fact_vectors();
        Ok(count)
    }

    /// What whoever forgets or purges a fact should know first: other facts were retired for it, and stay so. What says
    /// the same is not told. Errors: as [`fact`](Self::fact).
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

    /// What whoever forgets words for good should know first: facts were retired for what goes, and stay so; those that
    /// go too are not told.
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
            format!("Retired because of what is erased, and not restored by the erasure: fact {named}.");
        let hint = Hint::RestoreFact;
        Ok((!numbers.is_empty()).then(|| Notice::new("facts_stay_retired", message, hint)))
    }

    /// Every fact whose text holds the words, shown or not.
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

    /// Removes for good what was forgotten more than `facts_retention_days` of the profile ago. Returns how many facts
    /// that were.
    pub fn expire_forgotten(&self) -> Result<u64, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(0) };
        let before = self.forgotten_before();
        // Looking waits for nobody, and mostly there is nothing.
        if memory.forgotten_count(before)? == 0 {
            return Ok(0);
        }
        let change = FactChange::new(FactDeed::Expire { before }, Author::ENGINE, None);
        match judge_fact(&self.core.policy(), None, change) {
            FactVerdict::Approved(approved) => {
                let now = self.core.clock.now();
                match memory.write_fact(&approved, &FactId::new(now, self.core.entropy.ten()), now)? {
                    FactWritten::Expired(count) => {
                        // As with a purge.
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

    /// The same, at most every [`EXPIRY_LOOK_MINUTES`] of this process, or whenever the clock was set back.
    fn expire_at_times(&self, now: Timestamp) -> Result<(), EngineError> {
        let minutes = now.as_millisecond() / 60_000;
        let last = self.expiry_looked.load(Ordering::Relaxed);
        if (last..last.saturating_add(EXPIRY_LOOK_MINUTES)).contains(&minutes) {
            return Ok(());
        }
        self.expiry_looked.store(minutes, Ordering::Relaxed);
        self.expire_forgotten().map(drop)
    }

    /// What was forgotten before this moment is gone for good.
    pub(super) fn forgotten_before(&self) -> Timestamp {
        self.core.clock.now().checked_sub(self.kept_forgotten()).unwrap_or(Timestamp::MIN)
    }

    /// How long a forgotten fact is kept.
    fn kept_forgotten(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.core.profile.facts_retention_days))
    }

    /// Knows something of the user. Errors: `usage_bad`, and what the gate refuses.
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

    /// Knows it no more. Errors: as [`profile_set`](Self::profile_set).
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
        // As with files: what the owner had forgotten waits, also where the agent may write by itself.
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
                // What is long forgotten goes when somebody writes anyway. What was written stands, so what cannot go now is
                // no error of it: it goes with the next one.
                let _ = self.expire_at_times(now);
                Ok(outcome(written, findings))
            }
            FactVerdict::Pending(held) => {
                // What is known already needs nobody's word.
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

    /// Remembers what of the user's profile the gate let through: its rows have no hash of their own.
    pub(super) fn vouch_profile(&self, change: &FactChange) -> Result<(), EngineError> {
        let FactDeed::SetProfile { key, value } = &change.deed else { return Ok(()) };
        let words = format!("{key}: {value}");
        self.core.vouch_row(&change.deed.name(), &words, &grave(&words))
    }
}

/// What became of a change that was written.
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
