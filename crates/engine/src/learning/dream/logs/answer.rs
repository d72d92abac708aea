//! Parses the model's answer into claims with their cited sources.
//!
//! The form is asked for and not relied on: plain list items without a source are claims too. Invariant: only an
//! answer that is exactly the token, apart from white space around it, means that nothing is promoted; an answer that
//! only mentions it is read as any other (W58).

use super::curator::NOTHING_TO_PROMOTE;
use crate::core::model_answer::without_thought;
use crate::learning::dream::bullet::{Source, unmarked};

/// Most claims that are read of one answer.
pub const CLAIMS_MAX: usize = 500;

/// A parsed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Nothing is worth keeping.
    Nothing,
    /// Its claims; empty if it has no line with words.
    Claims(Vec<Claim>),
}

/// One fact that the model wants to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The fact, on one line.
    pub text: String,
    /// The sources that the model cited, as written; they may not exist.
    pub cited: Vec<Source>,
}

/// Parses an answer. A reasoning block before it is skipped.
pub fn parse(answer: &str) -> Answer {
    if answer.trim() == NOTHING_TO_PROMOTE {
        return Answer::Nothing;
    }
    let answer = without_thought(answer);
    if answer.trim() == NOTHING_TO_PROMOTE {
        return Answer::Nothing;
    }
    let lines = || answer.lines().filter(|line| is_content(line));
    let has_items = lines().any(is_item);
    let mut texts: Vec<String> = Vec::new();
    for line in lines() {
        match texts.last_mut() {
            _ if is_item(line) => texts.push(unmarked(without_number(line)).to_owned()),
            // An indented line continues its item.
            Some(last) if has_items && line.starts_with([' ', '\t']) => *last += &format!(" {}", line.trim()),
            _ if has_items || line.trim_end().ends_with(':') => {}
            _ => texts.push(line.trim().to_owned()),
        }
    }
    let claims = texts.iter().map(|text| claim(text)).filter(|claim| has_words(&claim.text));
    Answer::Claims(claims.take(CLAIMS_MAX).collect())
}

/// Neither blank, nor a heading, nor the mark of a code block.
fn is_content(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#') && !line.starts_with("```") && !line.starts_with("---")
}

fn is_item(line: &str) -> bool {
    unmarked(line) != line.trim() || without_number(line) != line
}

/// `3. Vera bakes` without its number.
fn without_number(line: &str) -> &str {
    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.trim_start().len();
    rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).filter(|_| is_numbered).unwrap_or(line)
}

fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Splits the sources off the end of a line.
fn claim(line: &str) -> Claim {
    let mut text = line.trim();
    let mut cited = Vec::new();
    while let Some((rest, sources)) = last_bracket(text) {
        text = rest.trim_end();
        cited.extend(sources);
    }
    Claim { text: text.to_owned(), cited }
}

/// The text before the last bracket, and the bracket's sources, if it has nothing else.
fn last_bracket(text: &str) -> Option<(&str, Vec<Source>)> {
    // A full stop may follow the bracket.
    let text = text.trim_end_matches(['.', ' ']);
    [("[", "]"), ("(", ")"), ("<!--", "-->")].into_iter().find_map(|(open, shut)| {
        let (rest, inner) = text.strip_suffix(shut)?.rsplit_once(open)?;
        let inner = inner.trim();
        let label = |word: &str| inner.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        let skipped = ["sources:", "source:"].into_iter().find(|word| label(word)).map_or(0, str::len);
        let parts = inner[skipped..].split([',', ';']);
        let sources: Option<Vec<Source>> = parts.map(Source::parse).collect();
        Some((rest, sources?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(answer: &str) -> Vec<String> {
        match parse(answer) {
            Answer::Nothing => vec!["nothing".into()],
            Answer::Claims(claims) => claims.into_iter().map(|claim| claim.text).collect(),
        }
    }

    /// Proves W58, W42.
    #[test]
    fn the_empty_answer_counts_only_as_an_exact_match() {
        for answer in
            ["NOTHING_TO_PROMOTE", "  NOTHING_TO_PROMOTE\n\n", "<think>hm</think>\nNOTHING_TO_PROMOTE"]
        {
            assert_eq!(parse(answer), Answer::Nothing, "{answer}");
        }
        let mention = "### Facts\n- discussed the NOTHING_TO_PROMOTE marker behaviour";
        assert_eq!(texts(mention), ["discussed the NOTHING_TO_PROMOTE marker behaviour"]);
        for answer in ["NOTHING_TO_PROMOTE.", "nothing_to_promote", "NOTHING_TO_PROMOTE\n- Vera bakes"] {
            assert_ne!(parse(answer), Answer::Nothing, "{answer}");
        }
    }

    #[test]
    fn a_claim_may_cite_its_lines_in_several_forms_or_not_at_all() {
        let source = |text: &str| Source::parse(text).expect("a source");
        let one = source("memory/2026-11-20.md#L3-L5");
        for end in [
            "[memory/2026-11-20.md#L3-L5]",
            "(memory/2026-11-20.md#L3-5)",
            "[memory/2026-11-20.md:3-5].",
            "(source: memory/2026-11-20.md#L3-L5)",
            "<!-- source: memory/2026-11-20.md#L3-L5 -->",
        ] {
            let answer = parse(&format!("Here is what I found:\n\n* Vera bakes. {end}\n"));
            let claim = Claim { text: "Vera bakes.".into(), cited: vec![one.clone()] };
            assert_eq!(answer, Answer::Claims(vec![claim]), "{end}");
        }
        let two = "- Vera bakes [memory/a-2026.md#L1, memory/2026-11-20.md#L3-L5]";
        let Answer::Claims(claims) = parse(two) else { panic!("claims") };
        assert_eq!(claims[0].cited.len(), 2);
        let plain =
            "- Vera bakes (on Sundays) [see above]\n  and sells it\n1. Ana [rarely] sings\n---\n```\n";
        assert_eq!(texts(plain), ["Vera bakes (on Sundays) [see above] and sells it", "Ana [rarely] sings"]);
    }

    #[test]
    fn an_answer_without_list_items_is_read_line_by_line() {
        assert_eq!(
            texts("# Facts\nThese are new:\nVera bakes.\nAna sings.\n"),
            ["Vera bakes.", "Ana sings."]
        );
        assert_eq!(texts("\n## Facts\n- \n***\n"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_answer_is_parsed(answer in "[-*#L0-9a-c:/.()\\[\\]<>! \n]{0,80}") {
            if let Answer::Claims(claims) = parse(&answer) {
                prop_assert!(claims.iter().all(|claim| !claim.text.contains('\n')));
            }
        }
    }
}
