//! Redacts an entry before it is written.
//!
//! Off by default: a transcript is evidence, and omissions are a choice. Removed text becomes `[REDACTED:<label>]`,
//! irreversibly. The order of rules: secrets of the gate, home folders, long tokens, the user's own patterns.
//! Invariant: a bad pattern is an error before anything is written, and no message repeats removed text.

use std::borrow::Cow;
use std::sync::Arc;

use inwit_gate::secrets::{Repeated, SecretHashes};
use regex::{Regex, RegexBuilder};

/// Hexadecimal digits in a row from which they count as a token.
const HEX_DIGITS_MIN: usize = 64;

/// Longest label, in characters.
const LABEL_CHARS_MAX: usize = 32;

/// Most patterns of a person's own.
pub const PATTERNS_MAX: usize = 64;

/// Largest compiled pattern, in bytes: a pattern is data, and data may not eat the memory.
const PATTERN_BYTES_MAX: usize = 1024 * 1024;

/// Takes secrets out of a text: the port that the gate's table fills.
pub type Redactor = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// The rules that entries pass before they are written.
#[derive(Clone)]
pub struct Redaction {
    secrets: Option<Redactor>,
    known: Option<SecretHashes>,
    own: Vec<(Regex, String)>,
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The label is not a plain word.
    #[error("label {0} must have 1 to {LABEL_CHARS_MAX} of a-z, 0-9, `_` and `-`")]
    Label(usize),
    /// The expression cannot be read, or is too large.
    #[error("pattern {0} (`{1}`) is not a valid regular expression")]
    Expression(usize, String),
    /// It would match everywhere.
    #[error("pattern {0} (`{1}`) matches the empty text")]
    Empty(usize, String),
    /// There are too many.
    #[error("there are more than {PATTERNS_MAX} patterns")]
    TooMany,
    /// A line without both parts.
    #[error("line {0} is not `label=expression`")]
    Form(usize),
}

impl Redaction {
    /// The built-in rules, `secrets` before them, and `own` pairs of label and regular expression behind
    /// them. Patterns are counted from 1 in errors.
    pub fn new<'p>(
        secrets: Option<Redactor>,
        own: impl IntoIterator<Item = (&'p str, &'p str)>,
    ) -> Result<Self, PatternError> {
        let mut rules = Vec::new();
        for (at, (label, expression)) in own.into_iter().enumerate() {
            if at == PATTERNS_MAX {
                return Err(PatternError::TooMany);
            }
            rules.push((compiled(at + 1, label, expression)?, format!("[REDACTED:{label}]")));
        }
        Ok(Self { secrets, known: None, own: rules })
    }

    /// The same from text: a line for each pattern, `label=expression`; empty lines count for nothing.
    pub fn parse(secrets: Option<Redactor>, own: &str) -> Result<Self, PatternError> {
        let lines = own.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let pairs: Result<Vec<(&str, &str)>, PatternError> =
            lines.map(|(at, line)| line.trim().split_once('=').ok_or(PatternError::Form(at + 1))).collect();
        Self::new(secrets, pairs?)
    }

    /// The secrets that one of `messages`, which are written together, gives away for the others.
    pub fn repeated<'m>(&self, messages: impl IntoIterator<Item = &'m str>) -> Repeated {
        if self.secrets.is_some() { Repeated::of(messages) } else { Repeated::default() }
    }

    /// The same, which take out these values too where they take secrets out.
    pub fn knowing(self, known: SecretHashes) -> Self {
        Self { known: self.secrets.is_some().then_some(known), ..self }
    }

    /// The text with everything taken out that a rule finds.
    pub fn apply(&self, text: &str) -> String {
        let text = self.secrets.as_ref().map_or(Cow::Borrowed(text), |redact| Cow::Owned(redact(text)));
        let text = match &self.known {
            Some(known) => Cow::Owned(known.redact(text.into_owned())),
            None => text,
        };
        let text = without_tokens(&without_homes(&text)).into_owned();
        self.own.iter().fold(text, |text, (rule, mark)| {
            match rule.replace_all(&text, regex::NoExpand(mark)) {
                Cow::Borrowed(_) => text,
                Cow::Owned(changed) => changed,
            }
        })
    }
}

fn compiled(at: usize, label: &str, expression: &str) -> Result<Regex, PatternError> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    if label.is_empty() || label.len() > LABEL_CHARS_MAX || !label.chars().all(plain) {
        return Err(PatternError::Label(at));
    }
    let built = RegexBuilder::new(expression).size_limit(PATTERN_BYTES_MAX).build();
    let rule = built.map_err(|_| PatternError::Expression(at, label.to_owned()))?;
    if rule.is_match("") { Err(PatternError::Empty(at, label.to_owned())) } else { Ok(rule) }
}

/// `/home/ana` and `/Users/ana` name a person; what stands below them stays.
fn without_homes(text: &str) -> Cow<'_, str> {
    const ROOTS: [&str; 2] = ["/home/", "/Users/"];
    let mut out = String::new();
    let mut rest = text;
    while let Some((at, root)) =
        ROOTS.iter().filter_map(|root| Some((rest.find(root)?, *root))).min_by_key(|(at, _)| *at)
    {
        let behind = &rest[at + root.len()..];
        let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let length = behind.find(|c| !name(c)).unwrap_or(behind.len());
        // A dot behind the name ends the sentence.
        let length = behind[..length].trim_end_matches('.').len();
        out.push_str(&rest[..at]);
        out.push_str(if length == 0 { root } else { "[REDACTED:home_path]" });
        rest = &behind[length..];
    }
    if out.is_empty() && rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Keys, digests and session secrets, wherever they come from.
fn without_tokens(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut done, mut at) = (0, 0);
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if length >= HEX_DIGITS_MIN {
            out.push_str(&text[done..at]);
            out.push_str("[REDACTED:hex_token]");
            done = at + length;
        }
        at += length.max(1);
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn built_in(text: &str) -> String {
        Redaction::new(None, []).expect("no patterns").apply(text)
    }

    #[test]
    fn homes_and_long_tokens_are_taken_out_and_the_rest_stays() {
        assert_eq!(built_in("see /home/ana/notes/a.md"), "see [REDACTED:home_path]/notes/a.md");
        let two = ["/Users/", "Zoé", " and ", "/home/", "ana", "."].concat();
        assert_eq!(built_in(&two), "[REDACTED:home_path] and [REDACTED:home_path].");
        assert_eq!(built_in("/home/ and /homes/x"), "/home/ and /homes/x");
        let token = "0123456789abcdefABCDEF0123456789".repeat(2);
        assert_eq!(built_in(&format!("key {token}!")), "key [REDACTED:hex_token]!");
        assert_eq!(built_in(&format!("{token}00")), "[REDACTED:hex_token]");
        let commit = "d96554a0".repeat(5);
        assert_eq!(built_in(&commit), commit, "a short digest is no secret");
    }

    #[test]
    fn the_rules_of_a_person_come_last_and_those_of_the_gate_first() {
        let gate: Redactor = Arc::new(|text: &str| text.replace("hunter2", "[REDACTED:password]"));
        let rules = Redaction::parse(Some(gate), "ticket=TCK-[0-9]+\n\nmark=REDACTED:pass\n").expect("rules");
        assert_eq!(rules.apply("TCK-12 hunter2"), "[REDACTED:ticket] [[REDACTED:mark]word]");
    }

    #[test]
    fn a_bad_pattern_is_an_error_and_is_not_repeated() {
        let refused = |own: &str| Redaction::parse(None, own).err().expect("refused");
        assert_eq!(refused("ticket=TCK-[0-9"), PatternError::Expression(1, "ticket".into()));
        assert_eq!(refused("a=x\nticket=(x{1000}){1000}"), PatternError::Expression(2, "ticket".into()));
        assert_eq!(refused("any=x*"), PatternError::Empty(1, "any".into()));
        assert_eq!(refused("Two Words=x"), PatternError::Label(1));
        assert_eq!(refused("\nnothing"), PatternError::Form(2));
        assert_eq!(refused(&"a=x\n".repeat(PATTERNS_MAX + 1)), PatternError::TooMany);
        assert!(!refused("ticket=hunter2[").to_string().contains("hunter2"));
    }

    proptest! {
        #[test]
        fn what_no_rule_finds_stays_and_what_is_found_is_gone(before in "[^0-9a-fA-F/]*", after in "[^0-9a-fA-F/]*") {
            let token = "ab".repeat(40);
            prop_assert_eq!(built_in(&before), before.clone());
            prop_assert_eq!(
                built_in(&format!("{before}{token}{after}")),
                format!("{before}[REDACTED:hex_token]{after}")
            );
        }
    }
}
