//! Values that one message gives away, wherever the others of the same talk repeat them.
//!
//! `the staging password is …` names a value; the reply that says it again has no label beside it. Invariant: a short value
//! is not looked for, since it may be an ordinary word elsewhere.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Tier, is_public, marker, scan, values_of};

/// Lengths in bytes of values that are looked for in other messages, and most values of one talk.
const VALUE_BYTES: Range<usize> = 8..513;
const VALUES_MAX: usize = 256;

/// Most bytes of a message that are read together with the one before it or behind it.
const TALK_BYTES_MAX: usize = 1_000;

/// What two messages say one after the other, as a talk that a mask reads: `what is the password?` names the answer to it.
/// `None` where nothing can be asked, since one of them says nothing.
pub fn as_talk(asked: &str, answered: &str) -> Option<String> {
    let part = |text: &str| text[..text.floor_char_boundary(TALK_BYTES_MAX)].trim().to_owned();
    let (asked, answered) = (part(asked), part(answered));
    (!asked.is_empty() && !answered.is_empty())
        .then(|| format!("**User:** {asked}\n\n**Assistant:** {answered}\n"))
}

/// The values that messages give away, each with its class, the longest first: a shorter one may be a part of it.
#[derive(Debug, Default)]
pub struct Repeated(Vec<(String, &'static str)>);

impl Repeated {
    /// Those of `messages`, in the order in which they were said: one that answers another gives away what that asks for.
    pub fn of<'m>(messages: impl IntoIterator<Item = &'m str>) -> Self {
        let mut known: BTreeMap<String, &'static str> = BTreeMap::new();
        let mut learn = |text: &str| {
            for hit in scan(text) {
                if hit.tier < Tier::Doubt || is_public(hit.class) {
                    continue;
                }
                for value in values_of(text, &hit.span) {
                    let value = text[value].trim_matches(|c: char| c.is_ascii_punctuation());
                    if VALUE_BYTES.contains(&value.len()) && known.len() < VALUES_MAX {
                        known.entry(value.to_owned()).or_insert(hit.class);
                    }
                }
            }
        };
        let mut before = "";
        for message in messages {
            learn(message);
            if let Some(talk) = as_talk(before, message) {
                learn(&talk);
            }
            before = message;
        }
        let mut values: Vec<_> = known.into_iter().collect();
        values.sort_by_key(|(value, _)| usize::MAX - value.len());
        Self(values)
    }

    /// `text` without them.
    pub fn redact(&self, text: String) -> String {
        let held = self.0.iter().filter(|(value, _)| text.contains(value)).collect::<Vec<_>>();
        held.into_iter().fold(text, |text, (value, class)| text.replace(value, &marker(class)))
    }
}
