//! What a model sees of facts (D2).
//!
//! The gate let the words of a fact through as they were then. So a phrase that steers, or a character that nobody
//! sees, is shown where the words are still those, and masked where another hand wrote them; the hash that is kept
//! with a fact tells. A secret is masked always: whoever let it stay wanted it kept, and no model needs it.
//! Metadata are not part of that hash, so nothing vouches for them. Every interface that a model reads comes here;
//! `fact` gives what stands, as `get` gives a file. Invariants: masking changes nothing but what is noticed; a fact
//! answers a question by what is shown of it alone.

use std::collections::BTreeSet;

use inwit_gate::{Check, FactText, Finding};
use inwit_model::fact::{Category, When};
use inwit_model::{Hint, Scope};
use inwit_store::memory::{Fact, FactFilter};
use serde_json::Value;

use super::NAMED_MAX;
use super::look::FactAnswer;
use crate::core::mask::{MASKED, grave, mask_of, masked_where};
use crate::core::notice::named;
use crate::{EngineError, Facts, NamedValues, Notice};

impl Facts {
    /// [`facts`](Self::facts) as a model may see them, what is masked in them, and what cannot be read.
    pub fn facts_masked(
        &self,
        scope: &Scope,
        filter: &FactFilter,
    ) -> Result<(Vec<Fact>, Vec<Notice>), EngineError> {
        let mut facts = self.facts(scope, filter)?;
        let told = see(&mut facts, &self.core.named_values(scope));
        Ok((facts, notice(&told).into_iter().chain(self.unread_notice(scope)?).collect()))
    }

    /// [`search_facts`](Self::search_facts) as a model may see it: what is masked in a fact is not found in it either.
    pub fn search_facts_masked(
        &self,
        scope: &Scope,
        query: &str,
        when: &When,
        limit: usize,
    ) -> Result<FactAnswer, EngineError> {
        let named = self.core.named_values(scope);
        self.answered(scope, query, when, limit, Some((&|fact| shown(fact, &named), &named)), true)
    }

    /// Retired facts for `scope` that answer `query` by what is shown of them, best first, at most
    /// [`RETIRED_MAX`](super::RETIRED_MAX), and what is masked in them.
    pub fn search_retired_masked(
        &self,
        scope: &Scope,
        query: &str,
    ) -> Result<(Vec<Fact>, Option<Notice>), EngineError> {
        let named = self.core.named_values(scope);
        let mut facts = self.search_retired(scope, query, Some(&|fact| shown(fact, &named)))?;
        let told = see(&mut facts, &named);
        Ok((facts, notice(&told)))
    }
}

/// By what a fact answers a model; `None` where that is all of it. What stands in the place of something masked
/// answers nothing: its words may be those that it hides.
pub(super) fn shown(fact: &Fact, named: &NamedValues) -> Option<FactText> {
    let (mut text, classes) = masked(fact, named)?;
    for class in &classes {
        text.content = text.content.replace(&mask_of(class), " ");
    }
    if text.category != fact.text.category {
        text.category = Category::of_row("masked");
    }
    Some(text)
}

/// What is masked in a fact: its number, and the classes.
pub(super) type Told = (i64, BTreeSet<String>);

/// Lets facts say what a model sees of them, and gives what is masked.
pub(super) fn see(facts: &mut [Fact], named: &NamedValues) -> Vec<Told> {
    let mut told = Vec::new();
    for fact in facts {
        if let Some((text, classes)) = masked(fact, named) {
            told.push((fact.number, classes));
            fact.text = text;
        }
    }
    told
}

/// A fact of which something is masked, as a model sees it, and the classes of that.
fn masked(fact: &Fact, named: &NamedValues) -> Option<(FactText, BTreeSet<String>)> {
    let (mut text, mut classes) = masked_as_listed(fact, named);
    if let Some(metadata) =
        fact.text.metadata.as_deref().filter(|metadata| is_noticed_in_json(metadata, named))
    {
        let mut mask = |words: &str| {
            let words = &*named.masked_of(words, &mut classes);
            let is_masked = |finding: &Finding| {
                classes.insert(finding.class.clone());
                true
            };
            masked_where(words, is_masked).into_owned()
        };
        let seen = match serde_json::from_str::<Value>(metadata) {
            Ok(value) => in_json(value, &mut mask).to_string(),
            Err(_) => mask(metadata),
        };
        // A name and its value may be grave together alone.
        let is_clean = mask(&seen) == seen;
        text.metadata = Some(if is_clean { seen } else { "{\"masked\":true}".to_owned() });
    }
    (!classes.is_empty()).then_some((text, classes))
}

/// What a prompt shows of a fact, which is what the list of facts shows, and the classes of what is masked.
pub(crate) fn in_prompt(fact: &Fact, named: &NamedValues) -> (FactText, BTreeSet<String>) {
    masked_as_listed(fact, named)
}

/// Category and words of a fact without secrets, and without what nobody vouched for.
fn masked_as_listed(fact: &Fact, named: &NamedValues) -> (FactText, BTreeSet<String>) {
    masked_words(fact, named, |finding| finding.check == Check::Secret || !fact.is_as_written())
}

/// Category and words of a fact without what `is_masked` says, and the classes of that.
fn masked_words(
    fact: &Fact,
    named: &NamedValues,
    is_masked: impl Fn(&Finding) -> bool,
) -> (FactText, BTreeSet<String>) {
    let (mut text, mut classes) = (fact.text.clone(), BTreeSet::new());
    let mut mask = |words: &str| {
        let words = &*named.masked_of(words, &mut classes);
        let is_masked = |finding: &Finding| {
            let is_masked = is_masked(finding);
            if is_masked {
                classes.insert(finding.class.clone());
            }
            is_masked
        };
        masked_where(words, is_masked).into_owned()
    };
    text.content = mask(&text.content);
    let category = mask(text.category.as_str());
    if category != text.category.as_str() {
        text.category = Category::of_row(&category);
    }
    // What begins in the one may end in the other.
    let joined = format!("{}: {}", text.category, text.content);
    if mask(&joined) != joined {
        text.category = Category::of_row("masked");
    }
    (text, classes)
}

/// Whether something grave stands in metadata, as they are written or as they are read.
fn is_noticed_in_json(metadata: &str, named: &NamedValues) -> bool {
    let is_grave = |words: &str| !grave(words).is_empty() || named.masked(words) != words;
    let mut is_noticed = is_grave(metadata);
    // An escape hides from whoever does not read the JSON.
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

/// `value` with all its names and texts changed.
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

/// What a reader of masked facts is told (D12).
pub(super) fn notice(told: &[Told]) -> Option<Notice> {
    notice_of(told.iter().map(|(number, classes)| (format!("fact {number}"), classes.clone())))
}

/// The same of anything that is kept as rows, each with what it is called.
pub(crate) fn notice_of(told: impl Iterator<Item = (String, BTreeSet<String>)>) -> Option<Notice> {
    let one = |(name, classes): (String, BTreeSet<String>)| {
        format!("{name} ({})", classes.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
    };
    let names: Vec<String> = told.map(one).collect();
    let hint = Hint::MendFacts;
    let message = format!("Masked: {}.", named(&names, NAMED_MAX, "; "));
    (!names.is_empty()).then(|| Notice::new(MASKED, message, hint))
}
