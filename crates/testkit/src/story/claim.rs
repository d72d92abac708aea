//! Assertions about an answer. A failed assertion shows the whole answer.

use inwit_engine::{Hit, Part};
use inwit_model::Code;

use super::Story;
use super::told::Outcome;

impl Story {
    /// Some hit shows `text`.
    #[track_caller]
    pub fn finds(mut self, text: &str) -> Self {
        self.claim(format_args!("no hit shows `{text}`"), |told| {
            told.answer().hits.iter().any(|hit| shows(hit, text))
        });
        self
    }

    /// The best hit shows `text`.
    #[track_caller]
    pub fn finds_first(mut self, text: &str) -> Self {
        self.claim(format_args!("the best hit does not show `{text}`"), |told| {
            told.answer().hits.first().is_some_and(|hit| shows(hit, text))
        });
        self
    }

    /// The best hit is from this place: `MEMORY.md#L3` or `MEMORY.md#L3-L5`.
    #[track_caller]
    pub fn first_at(mut self, expected: &str) -> Self {
        self.claim(format_args!("the best hit is not at `{expected}`"), |told| {
            told.answer().hits.first().is_some_and(|hit| place(hit) == expected)
        });
        self
    }

    /// The hits, best first, are from these places: `MEMORY.md#L3` or `MEMORY.md#L3-L5`.
    #[track_caller]
    pub fn finds_at(mut self, places: &[&str]) -> Self {
        self.claim(format_args!("the hits are not at {places:?}"), |told| {
            told.answer().hits.iter().map(place).collect::<Vec<_>>() == places
        });
        self
    }

    /// There is no hit.
    #[track_caller]
    pub fn finds_nothing(mut self) -> Self {
        self.claim("there are hits", |told| told.answer().hits.is_empty());
        self
    }

    /// There are hits, and the answer reports whether they are close: `near(false)` means no close match.
    #[track_caller]
    pub fn near(mut self, near: bool) -> Self {
        self.claim(format_args!("near is not {near}"), |told| told.answer().nothing_near != near);
        self
    }

    /// `text` occurs nowhere in the answer, in any case: text, name, heading, notice, label or error.
    #[track_caller]
    pub fn hides(mut self, text: &str) -> Self {
        self.claim(format_args!("`{text}` shows"), |told| !told.seen().contains(&text.to_lowercase()));
        self
    }

    /// `passages` passages contain the term, in its indexed form.
    #[track_caller]
    pub fn counts(mut self, term: &str, passages: u32) -> Self {
        self.claim(format_args!("`{term}` is not in {passages} passage(s)"), |told| {
            told.answer().terms.iter().any(|found| found.term == term && found.passages == passages)
        });
        self
    }

    /// The answer has exactly the notices of these codes.
    #[track_caller]
    pub fn notices(mut self, codes: &[&str]) -> Self {
        self.claim(format_args!("the notices are not {codes:?}"), |told| {
            told.answer().notices.iter().map(|notice| notice.code).eq(codes.iter().copied())
        });
        self
    }

    /// The query was refused with this code.
    #[track_caller]
    pub fn fails(mut self, code: Code) -> Self {
        self.claim(
            format_args!("it did not fail with `{}`", code.spec().name),
            |told| matches!(&told.outcome, Outcome::Failed(error) if error.code == code),
        );
        self
    }
}

/// Assertions about a prompt.
impl Story {
    /// `text` is in the prompt: in the prefix, before the user's message or in the tail.
    #[track_caller]
    pub fn prompt_shows(mut self, text: &str) -> Self {
        self.claim(format_args!("the prompt does not show `{text}`"), |told| {
            told.assembled().blocks.iter().any(|block| block.text.contains(text))
        });
        self
    }

    /// `text` is neither in the prompt nor in its report, in any case.
    #[track_caller]
    pub fn prompt_hides(mut self, text: &str) -> Self {
        self.claim(format_args!("`{text}` shows in the prompt"), |told| {
            let _ = told.assembled();
            !told.seen().contains(&text.to_lowercase())
        });
        self
    }

    /// The report lists `file` as left out for this reason: `not_for_scope`, `missing` …
    #[track_caller]
    pub fn prompt_omits(mut self, file: &str, reason: &str) -> Self {
        self.claim(format_args!("`{file}` is not left out as `{reason}`"), |told| {
            told.assembled().omitted.iter().any(|left| {
                left.source.as_ref().is_some_and(|name| name.as_str() == file) && left.reason.word() == reason
            })
        });
        self
    }

    /// These words are in the prefix in this order.
    #[track_caller]
    pub fn prompt_orders(mut self, texts: &[&str]) -> Self {
        self.claim(format_args!("the prefix does not have {texts:?} in this order"), |told| {
            let prefix = told.assembled().text(Part::Prefix);
            let places: Option<Vec<usize>> = texts.iter().map(|text| prefix.find(text)).collect();
            places.is_some_and(|places| places.is_sorted())
        });
        self
    }
}

fn shows(hit: &Hit, text: &str) -> bool {
    hit.text.contains(text)
}

fn place(hit: &Hit) -> String {
    if hit.first_line == hit.last_line {
        format!("{}#L{}", hit.name, hit.first_line)
    } else {
        format!("{}#L{}-L{}", hit.name, hit.first_line, hit.last_line)
    }
}

#[cfg(test)]
mod tests {
    use inwit_model::Scope;

    use crate::story;

    const RYE: &str = "//- MEMORY.md\n- Likes rye bread.\n";

    #[test]
    #[should_panic(expected = "no hit shows `spelt`")]
    fn a_claim_that_does_not_hold_fails() {
        story(RYE).search(Scope::Main, "bread").finds("spelt").end();
    }

    #[test]
    #[should_panic(expected = "`RYE` shows")]
    fn what_must_be_hidden_is_looked_for_in_any_case_of_letters() {
        story(RYE).search(Scope::Main, "bread").hides("RYE").end();
    }

    #[test]
    #[should_panic(expected = "nothing is claimed of the search")]
    fn a_question_without_a_claim_fails() {
        story(RYE).search(Scope::Main, "bread").search(Scope::Main, "rye").finds("rye").end();
    }

    #[test]
    #[should_panic(expected = "a story in which nobody asks proves nothing")]
    fn a_story_without_a_question_fails() {
        story(RYE).end();
    }
}
