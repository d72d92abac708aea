//! What kind of sentence a person typed: a question or a command asks for something, a statement tells something.
//!
//! A person's questions and commands are searched and never shown in passing (D20): whoever asks again is not helped by
//! having asked before. Only forms that are sure count as a statement. Invariant: what is no statement is never shown.

use crate::journal::unit;

/// Words with which a question or a command begins, in English, German, Spanish and Chinese.
const ASKING: &[&str] = &[
    "what",
    "why",
    "how",
    "when",
    "where",
    "who",
    "which",
    "whose",
    "can",
    "could",
    "would",
    "will",
    "should",
    "shall",
    "is",
    "are",
    "do",
    "does",
    "did",
    "has",
    "have",
    "was",
    "were",
    "please",
    "pls",
    "ok",
    "okay",
    "yes",
    "no",
    "hm",
    "thanks",
    "add",
    "fix",
    "make",
    "change",
    "write",
    "run",
    "create",
    "remove",
    "delete",
    "update",
    "use",
    "put",
    "set",
    "show",
    "tell",
    "give",
    "check",
    "look",
    "find",
    "go",
    "let",
    "lets",
    "try",
    "move",
    "rename",
    "build",
    "deploy",
    "explain",
    "help",
    "do",
    "start",
    "stop",
    "continue",
    "and",
    "then",
    "now",
    "also",
    "refactor",
    "implement",
    "test",
    "plan",
    "book",
    "list",
    "draft",
    "send",
    "remind",
    "translate",
    "summarize",
    "summarise",
    "compare",
    "suggest",
    "was",
    "warum",
    "wieso",
    "wie",
    "wann",
    "wo",
    "wer",
    "welche",
    "welcher",
    "welches",
    "kannst",
    "könntest",
    "kann",
    "soll",
    "sollen",
    "ist",
    "sind",
    "hat",
    "haben",
    "bitte",
    "mach",
    "schreib",
    "zeig",
    "gib",
    "such",
    "plane",
    "und",
    "qué",
    "cómo",
    "cuándo",
    "dónde",
    "quién",
    "cuál",
    "puedes",
    "podrías",
    "haz",
    "por",
    "dime",
];

/// Beginnings of Chinese questions and commands.
const ASKING_HAN: &[&str] = &[
    "请",
    "請",
    "帮",
    "幫",
    "什么",
    "什麼",
    "怎么",
    "怎麼",
    "为什么",
    "哪",
    "谁",
    "能不能",
    "可以",
    "给我",
    "查",
];

/// Ends of Chinese questions.
const ASKED_HAN: &[&str] = &["吗", "嗎", "呢", "么", "？", "?"];

/// Words of a rule: what is always or never done, or preferred.
const RULES: &[&str] = &[
    "always",
    "never",
    "prefer",
    "from now on",
    "don't want",
    "dont want",
    "do not want",
    "must not",
    "no longer",
    "immer",
    "niemals",
    "nie ",
    "ab jetzt",
    "bevorzug",
    "nicht mehr",
    "siempre",
    "nunca",
    "prefiero",
    "总是",
    "从不",
    "以后",
    "不要",
    "必须",
];

/// Words of a lasting matter, by which a sentence without a form of asking counts as a statement.
const LASTING: &[&str] = &[
    "must",
    "we use",
    "i use",
    "my ",
    "our ",
    "i'm ",
    "i am ",
    "is now",
    "moved",
    "lives",
    "we decided",
    "decided",
    "mein",
    "unser",
    "wohnt",
    "ich bin",
    "mi ",
    "我",
    "搬",
];

/// Fewest words of a statement.
const WORDS_MIN: usize = 4;

/// Fewest characters of a statement where words have no blanks between them.
const CHARS_MIN: usize = 6;

/// Whether a person tells something with `sentence` that holds beyond the moment.
pub(crate) fn is_statement(sentence: &str) -> bool {
    let plain = sentence.trim();
    let lower = plain.to_lowercase();
    let first = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    let is_long = plain.split_whitespace().count() >= WORDS_MIN
        || (plain.chars().any(|c| c >= '\u{2e80}') && plain.chars().count() >= CHARS_MIN);
    is_long
        && !is_question(plain)
        && !ASKING.contains(&first)
        && !ASKING_HAN.iter().any(|start| plain.starts_with(start))
        && (RULES.iter().chain(LASTING).any(|word| lower.contains(word))
            || (is_sentence(plain) && unit::weight(plain) > 0))
}

/// Whether `text` is written as a sentence: what is pasted seldom begins with a capital and ends with a full stop.
fn is_sentence(text: &str) -> bool {
    let begins = text.chars().next().is_some_and(|first| first.is_uppercase() || first >= '\u{2e80}');
    begins && text.ends_with(['.', '!', '。', '！'])
}

/// Whether a statement is a rule.
pub(crate) fn is_rule(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    RULES.iter().any(|word| lower.contains(word)) && is_statement(sentence)
}

/// Whether a sentence only leads to what stands below it: `These files were touched:`
pub(crate) fn is_opening(sentence: &str) -> bool {
    sentence.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}

/// Whether somebody asks something with `sentence`.
pub(crate) fn is_question(sentence: &str) -> bool {
    let plain = sentence.trim().trim_end_matches(['。', '.', '"', ')']);
    ASKED_HAN.iter().any(|end| plain.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_tells_something_that_lasts() {
        for said in [
            "we never deploy on fridays, always before noon",
            "my sister moved to Graz last week",
            "Ab jetzt immer ohne Zucker bitte",
            "我姐姐搬到格拉茨了",
        ] {
            assert!(is_statement(said), "{said}");
        }
    }

    #[test]
    fn questions_commands_and_small_talk_are_none() {
        for said in [
            "tests fail again, same as last week",
            "add a google analytics tag, but never on checkout",
            "why do we always use 5433?",
            "can you move my files",
            "ok go on",
            "请帮我订机票",
            "我们什么时候去北京吗",
        ] {
            assert!(!is_statement(said), "{said}");
        }
    }
}
