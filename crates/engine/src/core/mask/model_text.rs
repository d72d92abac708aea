//! The type of text that may be shown to a model.
//!
//! Interfaces output this type, so the compiler rejects unmasked stored text. Invariant: it is created only in this
//! module tree: from our own words, from masked text, or from others of its type that were checked again after
//! joining or cutting.
//!
//! ```compile_fail,E0423
//! inwit_engine::ModelText("what stands in a file".to_owned());
//! ```
//! ```compile_fail,E0277
//! let text: inwit_engine::ModelText = "what stands in a file".to_owned().into();
//! ```
//! ```compile_fail,E0521
//! # let stored = "what stands in a file".to_owned();
//! fn shown(stored: &str) -> inwit_engine::ModelText {
//!     inwit_engine::ModelText::own(stored)
//! }
//! ```

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::ops::{Deref, Range};

use serde_json::Value;

use super::text::{grave, grave_in, until_nothing_is_found};
use super::voucher::alike;
use crate::core::memory_fence::without_fence;

/// Text that may be shown to a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelText(String);

impl ModelText {
    /// A text that a mask produced.
    pub(super) fn looked_at(text: String) -> Self {
        Self(text)
    }

    /// Our own words, with no content of a file.
    pub fn own(words: &'static str) -> Self {
        Self(words.to_owned())
    }

    /// A text `made` of `parts` and our own words, with findings masked that appear only in the combination. Findings
    /// inside one part were decided there.
    pub fn made_of(parts: &[&Self], made: impl Into<String>) -> Self {
        let parts: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
        Self(made_of(&parts, made.into()))
    }

    /// The text form of an `answer`: its strings were masked one by one; a label and a value, or two halves of a
    /// comment, may meet only here.
    pub fn beside(answer: &Value, made: impl Into<String>) -> Self {
        fn strings<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
            match value {
                Value::String(text) => out.push(text),
                Value::Array(values) => values.iter().for_each(|value| strings(value, out)),
                Value::Object(fields) => fields.values().for_each(|value| strings(value, out)),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        let mut parts = Vec::new();
        strings(answer, &mut parts);
        Self(made_of(&parts, made.into()))
    }

    /// `parts` with `joint` between them. The text around each joint is checked again: a label may end one part, or
    /// be our heading, and its value begin the next. A mask is not longer than the masked text, so the result keeps
    /// its size.
    pub fn joined<P: Borrow<Self>>(parts: &[P], joint: &'static str) -> Self {
        let parts: Vec<&Self> = parts.iter().map(Borrow::borrow).collect();
        let mut text = parts.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(joint);
        let mut end = 0;
        let spans: Vec<Range<usize>> = parts
            .iter()
            .map(|part| {
                let start = end;
                end = start + part.len() + joint.len();
                start..start + part.len()
            })
            .collect();
        let noticed = |span: Range<usize>| {
            let found = grave_in(&text.as_bytes()[span.clone()]);
            found
                .into_iter()
                .map(|finding| alike(&finding, &text.as_bytes()[span.clone()]))
                .collect::<HashSet<_>>()
        };
        let is_clean = |start: usize| {
            let Range { start: from, end } = around(&text, start);
            let found = noticed(from..end);
            // A finding on one side of the joint was decided there.
            found.is_empty() || {
                let (before, behind) = (noticed(from..start - joint.len()), noticed(start..end));
                found.iter().all(|found| before.contains(found) || behind.contains(found))
            }
        };
        if spans.iter().skip(1).all(|span| is_clean(span.start)) {
            return Self(text);
        }
        let meets = |one: &Range<usize>, other: &Range<usize>| one.start < other.end && other.start < one.end;
        let is_of_a_part = |found: &Range<usize>| {
            spans.iter().zip(&parts).filter(|(span, _)| meets(span, found)).any(|(span, part)| {
                let own =
                    grave(part).into_iter().map(|own| span.start + own.span.start..span.start + own.span.end);
                own.into_iter().any(|own| meets(&own, found))
            })
        };
        let mut across: Vec<Range<usize>> = grave(&text).into_iter().map(|finding| finding.span).collect();
        across.retain(|span| !span.is_empty() && !is_of_a_part(span));
        across.sort_unstable_by_key(|span| Reverse(span.end));
        let mut masked_from = text.len();
        for span in across {
            if span.end <= masked_from {
                masked_from = span.start;
                text.replace_range(span.clone(), &SHORT_MASK[..SHORT_MASK.len().min(span.len())]);
            }
        }
        Self::made_of(&parts, text)
    }

    /// Text of several lines that neither opens nor closes the fence of rows.
    pub(crate) fn outside_fence(self) -> Self {
        let text = without_fence(&self.0);
        if text == self.0 { self } else { Self::made_of(&[&self], text) }
    }

    /// At most the first `chars_max` characters. Findings caused by the cut are masked; `None` if all of it fits.
    pub fn cut(&self, chars_max: usize) -> Option<Self> {
        let (end, _) = self.0.char_indices().nth(chars_max)?;
        Some(Self(self.head(end).0.chars().take(chars_max).collect()))
    }

    /// The same with `…` as the last character.
    pub fn shortened(&self, chars_max: usize) -> Option<Self> {
        self.0.char_indices().nth(chars_max)?;
        let mut shown = self.cut(chars_max.saturating_sub(1))?;
        shown.0.push('…');
        Some(shown)
    }

    /// With one blank for each run of blanks and line ends; findings that appear then are masked.
    pub fn on_one_line(&self) -> Self {
        Self::made_of(&[self], self.0.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The first `end` bytes; findings caused by the cut are masked.
    pub fn head(&self, end: usize) -> Self {
        Self::made_of(&[self], &self.0[..end])
    }

    /// Without surrounding blanks, which cannot cause findings.
    #[must_use]
    pub fn trimmed(self) -> Self {
        let trimmed = self.0.trim();
        if trimmed.len() == self.0.len() { self } else { Self(trimmed.to_owned()) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, to be written.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Mask for a finding around a joint; cut if the finding is shorter.
const SHORT_MASK: &str = "[masked]";

/// Maximum distance of a label from a joint, in bytes, then to the end of the line.
const LABEL_REACH_BYTES: usize = 512;

/// The whole lines around the byte `at` of `text`.
fn around(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = bytes[..at.saturating_sub(LABEL_REACH_BYTES)].iter().rposition(|byte| *byte == b'\n');
    let far = (at + LABEL_REACH_BYTES).min(bytes.len());
    let end = bytes[far..].iter().position(|byte| *byte == b'\n');
    start.map_or(0, |start| start + 1)..end.map_or(bytes.len(), |end| far + end)
}

fn made_of(parts: &[&str], made: String) -> String {
    let mut settled = None;
    let mut look = |made: &str| {
        let mut found = grave(made);
        if !found.is_empty() {
            let settled: &HashSet<_> = settled.get_or_insert_with(|| {
                let all = parts.iter().flat_map(|part| {
                    let found = grave(part).into_iter();
                    found.map(|finding| alike(&finding, part.as_bytes())).collect::<Vec<_>>()
                });
                all.collect()
            });
            found.retain(|finding| !settled.contains(&alike(finding, made.as_bytes())));
        }
        found
    };
    let found = look(&made);
    if found.is_empty() { made } else { until_nothing_is_found(&made, found, look) }
}

impl Deref for ModelText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for ModelText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ModelText {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<ModelText> for String {
    fn from(text: ModelText) -> Self {
        text.0
    }
}

impl fmt::Display for ModelText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl PartialEq<str> for ModelText {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for ModelText {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl PartialEq<String> for ModelText {
    fn eq(&self, other: &String) -> bool {
        self.0 == *other
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(words: &str) -> ModelText {
        ModelText::looked_at(words.to_owned())
    }

    #[test]
    fn what_is_found_only_because_a_text_is_cut_is_masked() {
        let key = inwit_testkit::secret::positives("aws_access_key", 1, &mut inwit_testkit::Chance::of(7));
        let key = key[0].value.as_str();
        let whole = text(&format!("Use {key}QZ7 today."));
        assert!(grave(&whole).is_empty(), "it is longer than any key: {whole}");
        let cut = whole.cut("Use ".len() + key.len()).expect("it was cut");
        assert!(!cut.contains(key) && cut.starts_with("Use [masked: "), "{cut}");
        assert_eq!(whole.cut(whole.len()), None, "all of it fits");
        let cut = whole.shortened("Use ".len() + key.len() + 1).expect("it was cut");
        assert!(!cut.contains(key) && cut.starts_with("Use [masked: ") && cut.ends_with('…'), "{cut}");
    }

    #[test]
    fn a_shortened_text_says_that_it_is_cut_within_its_limit() {
        assert_eq!(text("短").shortened(700), None);
        let shown = text(&"é".repeat(701)).shortened(700).expect("it was cut");
        assert_eq!(shown.chars().count(), 700);
        assert!(shown.ends_with('…'));
        assert_eq!(text(&"é".repeat(700)).shortened(700), None);
    }

    #[test]
    fn a_value_that_our_own_heading_labels_is_masked() {
        let value = text(&format!("- lavendel-8-{}\n", "Quark"));
        assert!(grave(&value).is_empty(), "alone it is a word");
        let headed = |heading| ModelText::joined(&[ModelText::own(heading), value.clone()], "\n\n");
        let shown = headed("# Passwords");
        assert!(shown.starts_with("# Passwords\n\n") && !shown.contains("lavendel"), "{shown}");
        assert_eq!(headed("# Notes"), format!("# Notes\n\n{value}"));
    }

    /// Also in later parts, and only if no part shows it by itself.
    #[test]
    fn a_value_is_masked_whose_label_ends_the_part_before() {
        let (label, value) = (text("The database password:"), text("zebra!42x5582$"));
        let filler = text(&"Bo prefers rye toast.\n".repeat(100));
        assert!(grave(&value).is_empty(), "alone it is a word");
        let shown = ModelText::joined(&[&filler, &label, &value, &filler], "\n");
        assert!(!shown.contains(value.as_str()) && shown.contains(label.as_str()), "{shown}");
        let apart = ModelText::joined(&[&label, &filler, &value], "\n");
        assert_eq!(apart, format!("{label}\n{filler}\n{value}"), "they do not stand together");
        let allowed = text("The database password: zebra!42x5582$");
        let twice = ModelText::joined(&[&allowed, &allowed], "\n");
        assert_eq!(twice, format!("{allowed}\n{allowed}"), "what a part shows by itself it shows");
    }

    #[test]
    fn the_mask_around_a_joint_is_no_longer_than_what_it_covers() {
        let joined =
            |below: &str| ModelText::joined(&[text("# USER\n\nThe database password:"), text(below)], "\n\n");
        assert!(grave("zebra!42x5582$").is_empty(), "by itself it is no secret");
        assert_eq!(joined("zebra!42x5582$"), "# USER\n\nThe database password:\n\n[masked]");
        let shown = joined("password: zebra!42x5582$");
        assert!(shown.ends_with("\n\npassword: zebra!42x5582$"), "its own file let it through: {shown}");
    }

    /// A label in a heading names the text below it once both are on one line.
    #[test]
    fn what_is_found_only_in_a_line_made_of_two_texts_is_masked() {
        let value = text(&format!("=mu1v1okTShKQsF{}", "IjCN"));
        let line = format!("[AGENTS.md#L3] (PGPASSWORD) {value} today");
        assert!(grave(&value).is_empty(), "alone it is a word");
        let shown = ModelText::made_of(&[&value, &text("PGPASSWORD")], line);
        assert!(!shown.contains(&value[1..]) && shown.ends_with(" today"), "{shown}");
        let allowed = text(&format!("PGPASSWORD{value}"));
        assert_eq!(
            ModelText::made_of(&[&allowed], allowed.as_str()),
            allowed,
            "what its part shows it shows"
        );
    }

    /// Two results are masked separately; in the text form of the answer one may label the other.
    #[test]
    fn a_value_that_is_labelled_only_where_an_answer_is_joined_is_masked() {
        let value = ["lavendel", "8", "Quark"].join("-");
        let label = "The password of the mill database:";
        let answer = json!({ "results": [{ "text": label }, { "text": value }], "count": 2, "next": null });
        let shown = ModelText::beside(&answer, format!("- {label}\n- {value}"));
        assert!(shown.contains(label) && !shown.contains(&value), "{shown}");
        let accepted = format!("{label} {value}");
        let alone = json!({ "results": [{ "text": accepted }] });
        assert_eq!(
            ModelText::beside(&alone, accepted.as_str()),
            accepted,
            "what one of them shows by itself is shown"
        );
    }
}
