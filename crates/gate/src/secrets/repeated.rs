//! Redacts values named in one message wherever the other messages of the conversation repeat them.
//!
//! `the staging password is …` names a value; a reply that repeats it has no label. Invariant: a short value is not
//! searched for, since it may be an ordinary word elsewhere.

use std::collections::BTreeMap;
use std::ops::Range;

use super::label::joined_letters;
use super::{Tier, is_public, marker, scan, values_of};

/// Byte lengths of values that are searched for in other messages, and most values of one conversation.
const VALUE_BYTES: Range<usize> = 8..513;
const VALUES_MAX: usize = 256;

/// Most bytes of a message that are read together with the previous or next one.
const TALK_BYTES_MAX: usize = 1_000;

/// Two consecutive messages as one conversation, in which a question names its answer: `what is the password?`.
/// `None` if one of them is empty.
pub fn as_talk(asked: &str, answered: &str) -> Option<String> {
    let (asked, answered) = (part(asked)?, part(answered)?);
    Some(format!("**User:** {asked}\n\n**Assistant:** {answered}\n"))
}

/// What is read of a message; `None`: it says nothing.
fn part(message: &str) -> Option<&str> {
    let part = message[..message.floor_char_boundary(TALK_BYTES_MAX)].trim();
    (!part.is_empty()).then_some(part)
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
                    for value in std::iter::once(value.to_owned()).chain(joined_letters(value)) {
                        if VALUE_BYTES.contains(&value.len()) && known.len() < VALUES_MAX {
                            known.entry(value).or_insert(hit.class);
                        }
                    }
                }
            }
        };
        let (mut earlier, mut before) = ("", "");
        for message in messages {
            learn(message);
            if let Some(talk) = as_talk(before, message) {
                learn(&talk);
            }
            // `What is the password?`, `I don't know. What is it?`, and the answer.
            if before.contains(['?', '？'])
                && let Some(asked_back) = as_talk(earlier, before)
                && let Some(answer) = part(message)
            {
                learn(&format!("{asked_back}\n**User:** {answer}\n"));
            }
            (earlier, before) = (before, message);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_to_a_question_that_was_asked_back_and_each_item_of_a_list_are_known() {
        let value = "Zq7vKx93mTbWR";
        for said in [
            ["what's the password of the NAS?", "I don't know. What is it?", value],
            ["please remember the NAS password", "Sure, what is it?", value],
            ["make me 3 strong passwords", "1. Wq8vKx94mTbWF\n2. Zq7vKx93mTbWR\n3. Xq9vKx95mTbWG", "thanks"],
        ] {
            let known = Repeated::of(said);
            assert!(!known.redact(format!("ok, using {value}")).contains(value), "{said:?}");
        }
        let known = Repeated::of(["what's the plan?", "Which one do you mean?", value]);
        assert!(known.redact(value.into()).contains(value), "nothing asks for a secret");
    }

    #[test]
    fn a_password_said_letter_by_letter_is_known_as_a_word() {
        for said in ["the wifi password is Z q 7 v K x 9 3", "the wifi password is spelled Z-q-7-v-K-x-9-3"] {
            let known = Repeated::of([said]);
            assert_eq!(
                known.redact("Noted: Zq7vKx93.".into()),
                "Noted: [REDACTED:generic_secret].",
                "{said}"
            );
        }
    }
}
