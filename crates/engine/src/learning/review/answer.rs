//! Parses the model's answer.
//!
//! Invariant: an answer is one object of a fixed form within its limits; anything else is refused as a whole, so a
//! part of a bad answer is never kept.

use serde_json::{Map, Value};

use crate::core::model_answer::{pairs, pairs_of, without_fence, without_thought};

/// Longest accepted answer, in bytes.
pub const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Most facts of an answer; those above [`FACTS_MAX`](super::question::FACTS_MAX) are not kept.
pub const FACTS_READ_MAX: usize = 50;

/// Longest fact, in characters.
pub const FACT_CHARS_MAX: usize = 400;

/// Longest quote, in characters.
pub const QUOTE_CHARS_MAX: usize = 600;

/// Longest summary, in characters.
pub const SUMMARY_CHARS_MAX: usize = 1_500;

/// Most open loops of an answer.
pub const LOOPS_MAX: usize = 10;

/// Longest open loop, in characters.
pub const LOOP_CHARS_MAX: usize = 200;

/// The categories (M33).
pub const CATEGORIES: [&str; 5] = ["preference", "fact", "observation", "lesson", "personalization"];

/// A parsed answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewAnswer {
    /// Its facts.
    pub facts: Vec<StatedFact>,
    /// Its summary on one line; empty for none.
    pub summary: String,
    /// Its open loops, each on one line.
    pub open_loops: Vec<String>,
}

/// A fact as the model states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedFact {
    /// The statement, on one line.
    pub text: String,
    /// One of [`CATEGORIES`].
    pub category: String,
    /// The turn that it cites.
    pub turn: u64,
    /// The words that it cites.
    pub quote: String,
}

/// Parses an answer; a reasoning block before it and one code fence around it are skipped. `None`: it is refused.
pub fn parse(answer: &str) -> Option<ReviewAnswer> {
    if answer.len() > ANSWER_BYTES_MAX {
        return None;
    }
    let json = without_fence(without_thought(answer));
    let value: Value = serde_json::from_str(json).ok()?;
    let object = value.as_object().filter(|object| object.len() == 3 && pairs_of(&value) == pairs(json))?;
    let facts = object.get("facts")?.as_array().filter(|facts| facts.len() <= FACTS_READ_MAX)?;
    let loops = object.get("open_loops")?.as_array().filter(|loops| loops.len() <= LOOPS_MAX)?;
    Some(ReviewAnswer {
        facts: facts.iter().map(fact).collect::<Option<_>>()?,
        summary: line(object.get("summary")?, SUMMARY_CHARS_MAX)?,
        open_loops: loops
            .iter()
            .map(|one| line(one, LOOP_CHARS_MAX).filter(|text| !text.is_empty()))
            .collect::<Option<_>>()?,
    })
}

fn fact(value: &Value) -> Option<StatedFact> {
    let object: &Map<String, Value> = value.as_object().filter(|object| object.len() == 4)?;
    let category = object.get("category")?.as_str().filter(|word| CATEGORIES.contains(word))?;
    let quote = object.get("quote")?.as_str().filter(|quote| quote.chars().count() <= QUOTE_CHARS_MAX)?;
    Some(StatedFact {
        text: line(object.get("text")?, FACT_CHARS_MAX).filter(|text| !text.is_empty())?,
        category: category.to_owned(),
        turn: object.get("turn")?.as_u64()?,
        quote: quote.to_owned(),
    })
}

/// A text on one line.
fn line(value: &Value, chars_max: usize) -> Option<String> {
    let text = value.as_str().filter(|text| text.chars().count() <= chars_max)?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FACT: &str = r#"{"text":"The user  bakes.","category":"fact","turn":3,"quote":"I \"bake\": rye"}"#;

    fn whole(facts: &str, summary: &str, loops: &str) -> String {
        format!(r#"{{"facts":{facts},"summary":{summary},"open_loops":{loops}}}"#)
    }

    /// Proves M4.
    #[test]
    fn one_form_is_read_also_behind_a_thought_and_in_a_fence() {
        let answer = whole(&format!("[{FACT}]"), r#""They\ntalked.""#, r#"["call Bob"]"#);
        let read = ReviewAnswer {
            facts: vec![StatedFact {
                text: "The user bakes.".into(),
                category: "fact".into(),
                turn: 3,
                quote: "I \"bake\": rye".into(),
            }],
            summary: "They talked.".into(),
            open_loops: vec!["call Bob".into()],
        };
        for answer in [
            answer.clone(),
            format!("<think>hm {{\"facts\": 1}}</think>\n{answer}\n"),
            format!("```json\n{answer}\n```"),
            format!("```\n{answer}\n```\n"),
        ] {
            assert_eq!(parse(&answer), Some(read.clone()), "{answer}");
        }
        assert_eq!(parse(&whole("[]", "\"\"", "[]")), Some(ReviewAnswer::default()));
    }

    #[test]
    fn any_other_form_is_refused_as_a_whole() {
        let many = |one: &str, count: usize| format!("[{}]", vec![one; count].join(","));
        let good = whole(&format!("[{FACT}]"), "\"\"", "[]");
        let long = |chars: usize| format!("\"{}\"", "x".repeat(chars));
        for bad in [
            String::new(),
            "Nothing to keep.".into(),
            format!("Here it is: {good}"),
            format!("{good} {good}"),
            format!("[{good}]"),
            good.replace("\"summary\":\"\",", ""),
            good.replace("\"summary\"", "\"also\":1,\"summary\""),
            good.replace("\"summary\"", "\"facts\":[],\"summary\""),
            good.replace("\"summary\"", "\"f\\u0061cts\":[],\"summary\""),
            good.replace("\"turn\":3", "\"turn\":\"3\""),
            good.replace("\"turn\":3", "\"turn\":-3"),
            good.replace("\"turn\":3", "\"turn\":3,\"turn\":4"),
            good.replace("\"turn\":3,", ""),
            good.replace("\"category\":\"fact\"", "\"category\":\"secret plan\""),
            good.replace("The user  bakes.", " "),
            whole("null", "\"\"", "[]"),
            whole("[]", "null", "[]"),
            whole("[]", "\"\"", "[1]"),
            whole("[]", "\"\"", "[\" \"]"),
            whole("[]", &long(SUMMARY_CHARS_MAX + 1), "[]"),
            whole("[]", "\"\"", &many("\"call\"", LOOPS_MAX + 1)),
            whole("[]", "\"\"", &format!("[{}]", long(LOOP_CHARS_MAX + 1))),
            whole(&many(FACT, FACTS_READ_MAX + 1), "\"\"", "[]"),
            whole(&format!("[{}]", FACT.replace("bakes", &"x".repeat(FACT_CHARS_MAX))), "\"\"", "[]"),
            whole(&format!("[{}]", FACT.replace("rye", &"x".repeat(QUOTE_CHARS_MAX))), "\"\"", "[]"),
            " ".repeat(ANSWER_BYTES_MAX) + &good,
        ] {
            assert_eq!(parse(&bad), None, "{}", bad.chars().take(200).collect::<String>());
        }
    }

    proptest! {
        #[test]
        fn any_answer_is_parsed_without_a_panic(answer in "\\PC{0,80}") {
            let _ = parse(&answer);
        }
    }
}
