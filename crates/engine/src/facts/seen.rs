//! Masks facts for models (D2).
//!
//! The gate accepted the text of a fact at that time, by a hash stored with it. Injection phrases are shown if the hash
//! matches, and masked if another program changed the text. Secrets and invisible characters are always masked: no model
//! needs them, and who pasted an invisible character did not see it. Metadata are not part of the hash, so findings in
//! them are masked. Every interface for models uses this; `fact` returns the stored text, as `get` does for files.
//! Invariants: masking changes only findings; a fact matches a query by its masked text alone.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::ops::Deref;

use inwit_gate::{Check, FactDeed, FactText, Finding};
use inwit_model::fact::{Category, When};
use inwit_model::{Hint, Scope};
use inwit_store::memory::facts::ShownOf;
use inwit_store::memory::{Fact, FactFilter, ProfileEntry};
use jiff::Timestamp;
use serde_json::Value;

use super::NAMED_MAX;
use super::look::FactAnswer;
use crate::core::mask::{MASKED, ModelText, grave, mask_of, masked_row};
use crate::core::notice::named;
use crate::{EngineError, Facts, NamedValues, Notice};

/// A masked fact.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownFact {
    /// Its category.
    pub category: ModelText,
    /// The statement, on one line.
    pub content: ModelText,
    /// Metadata from its author, as JSON.
    pub metadata: Option<ModelText>,
    /// The fact, with the same masked text.
    fact: Fact,
}

/// A masked value of the user profile.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownProfileEntry {
    /// Its key.
    pub key: ModelText,
    /// What is known, on one line.
    pub value: ModelText,
    /// When it was last set.
    pub updated: Timestamp,
}

impl Deref for ShownFact {
    type Target = Fact;

    fn deref(&self) -> &Fact {
        &self.fact
    }
}

impl Borrow<Fact> for ShownFact {
    fn borrow(&self) -> &Fact {
        &self.fact
    }
}

impl Facts {
    /// [`facts`](Self::facts) for a model: masked, with the masked findings and unreadable rows.
    pub fn facts_masked(
        &self,
        scope: &Scope,
        filter: &FactFilter,
    ) -> Result<(Vec<ShownFact>, Vec<Notice>), EngineError> {
        let mut seen = MaskedFacts::by(self.core.named_values(scope));
        let facts = self.facts(scope, filter)?.into_iter().map(|fact| seen.of(fact)).collect();
        Ok((facts, notice(&seen.told).into_iter().chain(self.unread_notice(scope)?).collect()))
    }

    /// [`search_facts`](Self::search_facts) for a model: masked text does not match.
    pub fn search_facts_masked(
        &self,
        scope: &Scope,
        query: &str,
        when: &When,
        limit: usize,
    ) -> Result<FactAnswer<ShownFact>, EngineError> {
        self.answered_masked(scope, query, when, limit, true)
    }

    /// The same, with or without embeddings.
    pub(super) fn answered_masked(
        &self,
        scope: &Scope,
        query: &str,
        when: &When,
        limit: usize,
        by_meaning: bool,
    ) -> Result<FactAnswer<ShownFact>, EngineError> {
        let named = self.core.named_values(scope);
        let mut seen = MaskedFacts::by(named.clone());
        let shown: &ShownOf<'_> = &|fact| shown(fact, &named);
        let answer =
            self.answered(scope, query, when, limit, Some(shown), by_meaning, |fact| seen.of(fact))?;
        Ok(FactAnswer { masked: seen.told, ..answer })
    }

    /// [`user_profile`](Self::user_profile) for a model: masked, with the masked findings.
    pub fn user_profile_masked(
        &self,
        scope: &Scope,
    ) -> Result<(Vec<ShownProfileEntry>, Vec<Notice>), EngineError> {
        let named = self.core.named_values(scope);
        let mut told = Vec::new();
        let shown = |entry: ProfileEntry| {
            let name = FactDeed::UnsetProfile { key: entry.key.clone() }.name();
            // A name and its value may be a finding only together.
            let (line, classes) =
                self.core.masked_row(&name, &format!("{}: {}", entry.key, entry.value), &named);
            let (key, value) = match line.strip_prefix(&format!("{}: ", entry.key)) {
                Some(value) => (entry.key.as_str(), value),
                None => ("masked", &*line),
            };
            let part = |text| ModelText::made_of(&[&line], text);
            let shown = ShownProfileEntry { key: part(key), value: part(value), updated: entry.updated };
            if !classes.is_empty() {
                told.push((format!("profile value {}", shown.key), classes));
            }
            shown
        };
        let entries = self.user_profile(scope)?.into_iter().map(shown).collect();
        Ok((entries, notice_of(told.into_iter()).into_iter().chain(self.unread_notice(scope)?).collect()))
    }

    /// Retired facts for `scope` whose masked text matches `query`, best first, at most
    /// [`RETIRED_MAX`](super::RETIRED_MAX), and what is masked.
    pub fn search_retired_masked(
        &self,
        scope: &Scope,
        query: &str,
    ) -> Result<(Vec<ShownFact>, Option<Notice>), EngineError> {
        let named = self.core.named_values(scope);
        let facts = self.search_retired(scope, query, Some(&|fact| shown(fact, &named)))?;
        let mut seen = MaskedFacts::by(named);
        let facts = facts.into_iter().map(|fact| seen.of(fact)).collect();
        Ok((facts, notice(&seen.told)))
    }
}

/// What is masked in a fact: its number and the classes.
pub(super) type MaskedFact = (i64, BTreeSet<String>);

/// Masked facts, and what is masked in them.
struct MaskedFacts {
    named: NamedValues,
    told: Vec<MaskedFact>,
}

impl MaskedFacts {
    fn by(named: NamedValues) -> Self {
        Self { named, told: Vec::new() }
    }

    fn of(&mut self, fact: Fact) -> ShownFact {
        let (seen, classes) = masked(fact, &self.named);
        if !classes.is_empty() {
            self.told.push((seen.number, classes));
        }
        seen
    }
}

/// The text by which a fact matches for a model; `None` if nothing is masked. The text of a mask never matches: it
/// may equal the hidden text.
fn shown(fact: &Fact, named: &NamedValues) -> Option<FactText> {
    let (seen, classes) = masked(fact.clone(), named);
    if classes.is_empty() {
        return None;
    }
    let mut text = seen.fact.text;
    for class in &classes {
        text.content = text.content.replace(&mask_of(class), " ");
    }
    if text.category != fact.text.category {
        text.category = Category::of_row("masked");
    }
    Some(text)
}

/// A masked fact, and the classes of what is masked.
fn masked(mut fact: Fact, named: &NamedValues) -> (ShownFact, BTreeSet<String>) {
    let ([category, content], mut classes) = as_listed(&fact, named);
    let metadata = fact.text.metadata.as_deref().map(|metadata| {
        let mut mask = |words: &str| masked_row(words, named, |_| true, &mut classes);
        if !is_noticed_in_json(metadata, named) {
            return mask(metadata);
        }
        let seen = match serde_json::from_str::<Value>(metadata) {
            Ok(value) => in_json(value, &mut |words| mask(words).into_string()).to_string(),
            Err(_) => mask(metadata).into_string(),
        };
        // A name and its value may be a finding only together.
        let shown = mask(&seen);
        if shown == seen { shown } else { ModelText::own("{\"masked\":true}") }
    });
    if !classes.is_empty() {
        if category != fact.text.category.as_str() {
            fact.text.category = Category::of_row(&category);
        }
        fact.text.content = content.to_string();
        fact.text.metadata = metadata.as_ref().map(ModelText::to_string);
    }
    (ShownFact { category, content, metadata, fact }, classes)
}

/// Category and text of a fact, in lists and prompts, masked; and the classes of what is masked.
pub(crate) fn as_listed(fact: &Fact, named: &NamedValues) -> ([ModelText; 2], BTreeSet<String>) {
    let mut classes = BTreeSet::new();
    let is_masked =
        |finding: &Finding| matches!(finding.check, Check::Secret | Check::Hidden) || !fact.is_as_written();
    let mut mask = |words: &str| masked_row(words, named, is_masked, &mut classes);
    let (content, mut category) = (mask(&fact.text.content), mask(fact.text.category.as_str()));
    if category != fact.text.category.as_str() {
        // Brackets of a mask are not part of a word.
        category = ModelText::made_of(&[], Category::of_row(&category).as_str());
    }
    // A finding may begin in the one and end in the other.
    let joined = format!("{category}: {content}");
    if mask(&joined) != joined {
        category = ModelText::own("masked");
    }
    ([category, content], classes)
}

/// Whether metadata have a grave finding, as written or as parsed.
fn is_noticed_in_json(metadata: &str, named: &NamedValues) -> bool {
    let is_grave = |words: &str| !grave(words).is_empty() || named.masked(words) != words;
    let mut is_noticed = is_grave(metadata);
    // JSON escapes hide it in the raw text.
    if !is_noticed
        && metadata.contains('\\')
        && let Ok(value) = serde_json::from_str::<Value>(metadata)
    {
        in_json(value, &mut |words| {
            is_noticed |= is_grave(words);
            words.to_owned()
        });
    }
    is_noticed
}

/// `value` with all its names and strings changed.
pub(super) fn in_json(value: Value, change: &mut dyn FnMut(&str) -> String) -> Value {
    match value {
        Value::String(words) => Value::String(change(&words)),
        Value::Array(all) => all.into_iter().map(|one| in_json(one, change)).collect(),
        Value::Object(all) => {
            all.into_iter().map(|(name, one)| (change(&name), in_json(one, change))).collect()
        }
        other => other,
    }
}

/// The notice for a reader of masked facts (D12).
pub(super) fn notice(told: &[MaskedFact]) -> Option<Notice> {
    notice_of(told.iter().map(|(number, classes)| (format!("fact {number}"), classes.clone())))
}

/// The same for any rows, each with its name.
pub(crate) fn notice_of(told: impl Iterator<Item = (String, BTreeSet<String>)>) -> Option<Notice> {
    let one = |(name, classes): (String, BTreeSet<String>)| {
        format!("{name} ({})", classes.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
    };
    let names: Vec<String> = told.map(one).collect();
    let hint = Hint::MendFacts;
    let message = format!("Masked: {}.", named(&names, NAMED_MAX, "; "));
    (!names.is_empty()).then(|| Notice::new(MASKED, message, hint))
}
