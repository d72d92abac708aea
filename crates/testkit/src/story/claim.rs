//! What can be claimed of an answer. A claim that fails shows the whole answer.
//!
//! Here the claims about prompts will stand too; a prompt is one more variant of `Outcome`.

use inwit_engine::Hit;
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

    /// There are hits, and the answer says whether they are near: `near(false)` is abstaining.
    #[track_caller]
    pub fn near(mut self, near: bool) -> Self {
        self.claim(format_args!("near is not {near}"), |told| told.answer().nothing_near != near);
        self
    }

    /// `text` stands nowhere in what came back, in any case of letters: no text, no name, no heading,
    /// no notice, no label, no error.
    #[track_caller]
    pub fn hides(mut self, text: &str) -> Self {
        self.claim(format_args!("`{text}` shows"), |told| !told.seen().contains(&text.to_lowercase()));
        self
    }

    /// `passages` passages hold the term, which is written as the index knows it.
    #[track_caller]
    pub fn counts(mut self, term: &str, passages: u32) -> Self {
        self.claim(format_args!("`{term}` is not in {passages} passage(s)"), |told| {
            told.answer().terms.iter().any(|found| found.term == term && found.passages == passages)
        });
        self
    }

    /// The answer carries exactly the notices of these codes.
    #[track_caller]
    pub fn notices(mut self, codes: &[&str]) -> Self {
        self.claim(format_args!("the notices are not {codes:?}"), |told| {
            told.answer().notices.iter().map(|notice| notice.code).eq(codes.iter().copied())
        });
        self
    }

    /// The question was refused with this code.
    #[track_caller]
    pub fn fails(mut self, code: Code) -> Self {
        self.claim(
            format_args!("it did not fail with `{}`", code.spec().name),
            |told| matches!(&told.outcome, Outcome::Failed(error) if error.code == code),
        );
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
    #[should_panic(expected = "a story without a question proves nothing")]
    fn a_story_without_a_question_fails() {
        story(RYE).end();
    }
}
