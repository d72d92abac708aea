//! Redacts values named in one message wherever the other messages of the conversation repeat them.
//!
//! `the staging password is …` names a value; a reply that repeats it has no label. Invariant: a short value is not
//! searched for, since it may be an ordinary word elsewhere.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Tier, is_public, marker, scan, values_of};

/// Byte lengths of values that are searched for in other messages, and most values of one conversation.
const VALUE_BYTES: Range<usize> = 8..513;
const VALUES_MAX: usize = 256;

/// Most bytes of a message that are read together with the previous or next one.
const TALK_BYTES_MAX: usize = 1_000;

/// Two consecutive messages as one conversation, in which a question names its answer: `what is the password?`.
/// `None` if one of them is empty.
pub fn as_talk(asked: &str, answered: &str) -> Option<String> {
    let part = |text: &str| text[..text.floor_char_boundary(TALK_BYTES_MAX)].trim().to_owned();
    let (asked, answered) = (part(asked), part(answered));
    (!asked.is_empty() && !answered.is_empty())
        .then(|| format!("**User:** {asked}\n\n**Assistant:** {answered}\n"))
}

/// Named values with their classes, longest first: a shorter one may be part of it.
#[derive(Debug, Default)]
pub struct Repeated(Vec<(String, &'static str)>);

impl Repeated {
    /// The values of `messages`, in the order they were sent; an answer gives the value that a question asks for.
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

    /// `text` with these values redacted.
    pub fn redact(&self, text: String) -> String {
        let held = self.0.iter().filter(|(value, _)| text.contains(value)).collect::<Vec<_>>();
        held.into_iter().fold(text, |text, (value, class)| text.replace(value, &marker(class)))
    }
}
