//! Classifies a sentence of a person: a question or a command asks for something, a statement says what holds.
//!
//! Questions and commands are searchable and never injected: having asked before does not answer the question (D20).
//! Invariant: a sentence counts as a statement only by a form listed here.

use super::unit;

/// Words before a sentence without meaning: "ok", "and", "thanks".
const LEADING: &[&str] = &[
    "ok", "okay", "yes", "no", "hm", "thanks", "thx", "fine", "great", "good", "perfect", "and", "then",
    "now", "also", "but", "so", "btw", "super", "morning", "und", "ja", "nein", "gut", "danke", "dann",
    "aber", "vale", "gracias", "bueno", "pero", "please", "pls", "bitte", "well", "oh", "ah", "sorry",
];

/// First words of a question or command, in English, German, Spanish and Chinese.
const ASKING: &[&str] = &[
    "what", "why", "how", "when", "where", "who", "which", "whose", "can", "could", "would", "will",
    "should", "shall", "is", "are", "do", "does", "did", "has", "have", "was", "were", "any", "add", "fix",
    "make", "change", "write", "run", "create", "remove", "delete", "update", "use", "put", "set", "show",
    "tell", "give", "check", "look", "find", "go", "let", "lets", "try", "move", "rename", "build", "deploy",
    "explain", "help", "start", "stop", "continue", "refactor", "implement", "test", "plan", "book", "list",
    "draft", "send", "remind", "translate", "summarize", "summarise", "compare", "suggest", "warum", "wieso",
    "wie", "wann", "wo", "wer", "welche", "welcher", "welches", "kannst", "könntest", "kann", "soll",
    "sollen", "ist", "sind", "hat", "haben", "mach", "schreib", "zeig", "gib", "such", "plane", "qué",
    "cómo", "cuándo", "dónde", "quién", "cuál", "puedes", "podrías", "haz", "por", "dime",
];

/// Beginnings of Chinese questions and commands.
const ASKING_HAN: &[&str] = &[
    "请", "請", "帮", "幫", "什么", "什麼", "怎么", "怎麼", "为什么", "哪", "谁", "能不能", "可以", "给我",
    "查",
];

/// Ends of Chinese questions.
const ASKED_HAN: &[&str] = &["吗", "嗎", "呢", "么", "？", "?"];

/// Words of a rule: always or never, preferred, or from some day on.
const RULES: &[&str] = &[
    "always", "never", "prefer", "from now on", "from today", "from tomorrow", "from next", "as of ",
    "starting ", "don't want", "dont want", "do not want", "must not", "no longer", "house rule",
    "as a rule", "for your notes", "for the record", "remember that", "keep in mind", "immer", "niemals",
    "nie ", "ab jetzt", "ab heute", "ab sofort", "ab morgen", "ab nächst", "bevorzug", "nicht mehr",
    "merk dir", "denk dran", "denk daran", "siempre", "nunca", "a partir de", "desde hoy", "prefiero",
    "recuerda que", "ten en cuenta", "记住", "总是", "从不", "从今", "从现在", "以后", "不要", "必须",
];

/// Those that make a command permanent: `please use pnpm from now on`.
const LASTING_RULES: &[&str] = &[
    "from now on", "from today", "as of ", "ab jetzt", "ab heute", "ab sofort", "a partir de ahora",
    "desde hoy", "从今", "从现在", "以后",
];

/// Words that make a command a decision: `use Valkey instead of Redis`.
const SETTLING: &[&str] =
    &["instead of", "rather than", " statt ", "anstelle ", "en lugar de", "en vez de", "而不是", "不用"];

/// The same after the choice: `use tabs, never spaces`.
const OVER: &[&str] = &[", never ", ", not ", " always", ", nie ", ", nicht ", ", nunca ", ", no "];

/// First words of such a command: `show me the log instead` decides nothing.
const CHOOSING: &[&str] = &["use", "take", "keep", "make", "switch", "nimm", "verwende", "usa", "toma"];

/// First words of a sentence about its speakers.
const SPEAKING: &[&str] = &[
    "we", "our", "my", "wir", "unser", "unsere", "mein", "meine", "nosotros", "nuestro", "nuestra", "我们",
    "我們",
];

/// Words of a lasting state: a sentence with one counts as a statement unless it has the form of a request.
const LASTING: &[&str] = &[
    "must", "we use", "i use", "my ", "our ", "i'm ", "i am ", "is now", "is gone", "since then",
    "since yesterday", "since last", "since mon", "since tue", "since wed", "since thu", "since fri",
    "since sat", "since sun", "moved", "lives", "we decided", "decided", "name is", "mein", "unser",
    "seit gestern", "seit heute", "seit letzte", "wohnt", "ich bin", "ich heiße", "mi ", "me llamo", "我",
    "搬",
];

/// Words of restrictions, as whole words.
const LIMITS: &[&str] = &[
    "no", "not", "nothing", "nobody", "none", "neither", "only", "without", "must", "dont", "don't", "cant",
    "can't", "wont", "won't", "isnt", "isn't", "arent", "aren't", "mustn't", "shouldn't", "allergic", "kein",
    "keine", "keinen", "keinem", "keiner", "nicht", "nichts", "nur", "nie", "ohne", "sin", "solo", "sólo",
    "nada", "ningún", "ninguna", "tampoco",
];

/// Words after `no` that make it an answer, not a restriction.
const ANSWERS: &[&str] = &[
    "the", "it", "that", "this", "these", "i", "we", "you", "he", "she", "they", "idea", "clue", "problem",
    "worries", "need", "rush", "hurry", "matter", "wonder", "luck", "one", "way",
];

/// The same in a script without blanks.
const LIMITS_HAN: &[&str] = &["不能", "不可", "不要", "不吃", "没有", "沒有", "只能", "只有", "别", "別"];

/// Fewest words of a statement, and of a rule: `Prefiero respuestas cortas.`
const WORDS_MIN: usize = 4;
const RULE_WORDS_MIN: usize = 3;

/// Fewest characters of a statement where words have no blanks between them.
const CHARS_MIN: usize = 6;

/// Whether `sentence` states something that remains valid.
pub(crate) fn is_statement(sentence: &str) -> bool {
    let plain = sentence.trim();
    let lower = plain.to_lowercase();
    is_telling(plain)
        && (RULES.iter().chain(LASTING).any(|word| lower.contains(word))
            || SETTLING.iter().any(|word| lower.contains(word))
            || (limits(&lower) && !unit::is_failure(&lower))
            || (is_speaking(&lower) && !unit::is_failure(&lower))
            || (is_sentence(plain) && unit::weight(plain) > 0))
}

/// Whether a sentence of some length is neither a question nor a command, by its form.
fn is_telling(plain: &str) -> bool {
    let lower = plain.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let words_min = if has(RULES) { RULE_WORDS_MIN } else { WORDS_MIN };
    let is_long = plain.split_whitespace().count() >= words_min
        || (plain.chars().any(|c| c >= '\u{2e80}') && plain.chars().count() >= CHARS_MIN);
    let mut words = words(&lower).filter(|word| !LEADING.contains(word));
    let first = words.next();
    let settles = (has(SETTLING) || has(OVER)) && first.is_some_and(|first| CHOOSING.contains(&first));
    let asks = match first {
        Some("do") => words.next() != Some("not"),
        Some(first) => ASKING.contains(&first) || ASKING_HAN.iter().any(|start| plain.starts_with(start)),
        None => true,
    };
    is_long && !plain.starts_with('>') && !is_question(plain) && (!asks || has(LASTING_RULES) || settles)
}

/// Whether a lower-case sentence of some length says what its speakers do or have: `we ship to Japan first, then Korea`.
fn is_speaking(lower: &str) -> bool {
    let mut words = words(lower).filter(|word| !LEADING.contains(word));
    words.next().is_some_and(|first| SPEAKING.contains(&first)) && words.count() >= WORDS_MIN
}

/// The typed part of a message: the lines before the first program output.
pub(crate) fn typed<'a, 't>(lines: &'a [&'t str]) -> &'a [&'t str] {
    let end = lines.iter().position(|line| unit::is_output(line) && !is_rule(line)).unwrap_or(lines.len());
    &lines[..end]
}

/// Whether a sentence next to a rule belongs to it: `45 days, then gone` after `we can't keep them forever`.
pub(crate) fn goes_with(sentence: &str) -> bool {
    is_telling(sentence.trim())
}

/// The words of a text in lower case.
fn words(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

/// Whether a lower-case sentence is a restriction.
fn limits(lower: &str) -> bool {
    let opening = words(lower).take_while(|word| LEADING.contains(word)).count();
    // `No emojis, please` and `and please no mocks` restrict; `no, the other one` and `no idea` answer.
    let mut behind = words(lower).skip(opening.saturating_sub(1));
    let begins = behind.next() == Some("no")
        && lower.contains(&format!("no {}", words(lower).nth(opening).unwrap_or_default()))
        && behind.next().is_some_and(|word| !ANSWERS.contains(&word));
    begins
        || words(lower).skip_while(|word| LEADING.contains(word)).any(|word| LIMITS.contains(&word))
        || LIMITS_HAN.iter().any(|word| lower.contains(word))
}

/// Worth of a person's statement: rules most, then restrictions; 0 for one by form alone.
pub(crate) fn worth(sentence: &str) -> u32 {
    let lower = sentence.to_lowercase();
    match () {
        () if !is_statement(sentence) => 0,
        () if RULES.iter().any(|word| lower.contains(word)) => RULE_WORTH,
        () if SETTLING.iter().any(|word| lower.contains(word)) => LIMIT_WORTH,
        () if limits(&lower) && !unit::is_failure(&lower) => LIMIT_WORTH,
        () => u32::from(is_sentence(sentence.trim()) || LASTING.iter().any(|word| lower.contains(word))),
    }
}

/// Worth of a rule.
const RULE_WORTH: u32 = 4;

/// Worth of a restriction.
const LIMIT_WORTH: u32 = 2;

/// Whether `text` has the form of a sentence: pasted text rarely has a capital and a full stop.
fn is_sentence(text: &str) -> bool {
    let begins = text.chars().next().is_some_and(|first| first.is_uppercase() || first >= '\u{2e80}');
    begins && text.ends_with(['.', '!', '。', '！'])
}

/// Whether a statement is a rule.
pub(crate) fn is_rule(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    RULES.iter().any(|word| lower.contains(word)) && is_statement(sentence)
}

/// Whether a sentence only introduces what follows: `These files were touched:`
pub(crate) fn is_opening(sentence: &str) -> bool {
    sentence.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}

/// Whether `sentence` is a question.
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
            "Please use pnpm from now on, never npm",
            "Do not push to main.",
            "and please no floating point for money anywhere, i had that once",
            "also btw house rule for dbt: staging models stay views",
            "since wednesday its the embedded postgres, listens on 5874",
            "for your notes: i got a bad rash from penicillin as a student",
            "No emojis in commit messages, please.",
            "Prefiero respuestas cortas.",
            "My name is Ana.",
            "we ship to customers in Japan first, then Korea",
            "No, use Valkey instead of Redis for the session cache, the licence is a problem.",
            "use tabs in this repo, never spaces",
            "the coop computes the irrigation plan from our api that day and any hiccup ends up on my phone.",
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
            "> we never ship on Fridays",
            "no idea what that is",
            "no, the other one there",
            "ok no i meant the other one",
            "and no, it looks bad over here",
            "show me the log instead of the summary",
            "can you check why it is a 404 rather than a 500",
            "i will be back in ten minutes",
            "it looks a bit better over here",
            "do you never sleep",
            "请帮我订机票",
            "我们什么时候去北京吗",
        ] {
            assert!(!is_statement(said), "{said}");
        }
    }

    #[test]
    fn a_message_is_typed_up_to_what_a_program_printed() {
        let lines = ["restore failed, what was that", "ERROR: no such extension.", "It must be installed."];
        assert_eq!(typed(&lines), ["restore failed, what was that"]);
    }

    #[test]
    fn what_stands_beside_a_rule_goes_with_it() {
        assert!(goes_with("45 days then gone, really gone, also aggregated copies"));
        assert!(!goes_with("can you check the job for that"));
        assert!(!goes_with("is that clear to everybody?"));
    }
}
