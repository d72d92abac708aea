//! Recognises prompts about common knowledge or invented text, not the user's own work.
//!
//! "explain what a materialized view is" shares words with a project that has one, but no line of it helps. Only
//! fixed phrases count, and none if the prompt says *our* or *we*. Invariant: such a prompt is stored like any other;
//! only recall is reduced.

/// Longest prompt that is checked, in bytes: a longer one describes a task.
const PROMPT_BYTES_MAX: usize = 400;

/// The kind of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Anything else.
    Own,
    /// A comparison: only lines that name all its items help.
    Comparison,
    /// Common knowledge, a poem, ideas for a name: no line helps.
    General,
}

/// Phrases of comparisons, in English, German, Spanish, French and Chinese.
const COMPARISONS: &[&str] = &[
    "difference between", "differs from", "differ from", "unterschied zwischen", "unterscheidet sich",
    "diferencia entre", "différence entre", "的区别",
];

/// Phrases of general requests.
const GENERAL: &[&str] = &[
    "explain what a", "explain what an", "in general", "generally speaking", "in simple words",
    "like i'm five", "like im five", "stand for", "stands for", "pros and cons", "name ideas", "haiku",
    "limerick", "poem", "im allgemeinen", "in einfachen worten", "steht die abkürzung", "vor- und nachteile",
    "gedicht", "en general", "en palabras sencillas", "ventajas y desventajas", "poema", "en général",
    "avantages et inconvénients", "poème", "一般来说", "优缺点", "一首诗",
];

/// Words that refer to the user's own work.
const OURS: &[&str] = &[
    "our", "ours", "we", "us", "we're", "we've", "unser", "unsere", "unserem", "unseren", "unserer", "wir",
    "uns", "nuestro", "nuestra", "nuestros", "nuestras", "nosotros", "notre", "nos", "nous",
];

/// The same in Chinese, which has no spaces.
const OURS_UNSPACED: &[&str] = &["我们", "咱们"];

/// First character of scripts without spaces.
const FIRST_UNSPACED: char = '\u{2E80}';

/// The kind of `prompt`.
pub(super) fn form(prompt: &str) -> Form {
    if prompt.len() > PROMPT_BYTES_MAX {
        return Form::Own;
    }
    let plain = prompt.to_lowercase().replace('’', "'");
    let words: Vec<&str> = plain
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let is_ours =
        words.iter().any(|word| OURS.contains(word)) || OURS_UNSPACED.iter().any(|ours| plain.contains(ours));
    if is_ours {
        return Form::Own;
    }
    let spaced = format!(" {} ", words.join(" "));
    let says = |phrases: &[&str]| {
        phrases.iter().any(|phrase| {
            let is_unspaced = phrase.chars().all(|c| c >= FIRST_UNSPACED);
            if is_unspaced { plain.contains(phrase) } else { spaced.contains(&format!(" {phrase} ")) }
        })
    };
    if says(GENERAL) {
        Form::General
    } else if says(COMPARISONS) {
        Form::Comparison
    } else {
        Form::Own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_knowledge_and_invented_texts_are_general() {
        for prompt in [
            "explain what a materialized view is",
            "What does the letter g in gRPC stand for?",
            "write a haiku about rust",
            "Can a SwiftUI view be embedded in a Compose screen, generally speaking?",
            "explain monads to me like i’m five",
            "写一首诗，关于春天",
        ] {
            assert_eq!(form(prompt), Form::General, "{prompt}");
        }
    }

    #[test]
    fn two_things_are_compared() {
        for prompt in ["whats the difference between express and standard shipping", "B树和LSM的区别是什么"]
        {
            assert_eq!(form(prompt), Form::Comparison, "{prompt}");
        }
    }

    #[test]
    fn what_is_the_users_own_is_not_general() {
        for prompt in [
            "pros and cons of our retry, in general",
            "explain what a release needs before we ship it",
            "我们的方案有哪些优缺点",
            "explain what the retry does",
            "which generals are in the poems folder",
        ] {
            assert_eq!(form(prompt), Form::Own, "{prompt}");
        }
    }
}
