//! The owner's own rules, as data: condition, file categories and effect (X40).
//!
//! A condition is a set of flags that the gate computes, or a plain sentence, which nothing evaluates. Invariant: a
//! rule only makes a verdict stricter; `block` refuses, and a plain sentence always asks a person, whatever its
//! effect says.
//!
//! ```
//! use inwit_gate::Rule;
//!
//! let rules = Rule::parse_all("after-web = web in memory topics => block").expect("a rule");
//! assert_eq!(rules[0].name, "after-web");
//! ```

use std::collections::BTreeSet;

use inwit_markdown::DiagnosticKind;
use inwit_model::{FileClass, Op, Taint};

use crate::change::Change;
use crate::finding::{Check, Finding};

/// Most rules of one agent.
pub const RULES_MAX: usize = 64;

/// Longest line of a rule, in bytes.
pub const RULE_BYTES_MAX: usize = 500;

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name in answers.
    pub name: String,
    trigger: Trigger,
    /// File categories; empty: all.
    wards: BTreeSet<FileClass>,
    mode: Mode,
}

/// The condition of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trigger {
    /// All of these flags are set.
    Flags(BTreeSet<Flag>),
    /// A plain sentence; it is not evaluated.
    Plain,
}

/// The effect of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// A person decides.
    Ask,
    /// The change is refused.
    Block,
}

/// A property of a change that the gate computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Flag {
    Always,
    Foreign(Taint),
    Noticed(Check),
    Creates,
    Removes,
}

/// Every flag: its word, its value, its meaning.
const FLAGS: &[(&str, Flag, &str)] = &[
    ("always", Flag::Always, "every change"),
    ("member", Flag::Foreign(Taint::Member), "based on text of a room's member, or on less trusted text"),
    ("tool", Flag::Foreign(Taint::Tool), "based on the output of a tool, or on less trusted text"),
    ("web", Flag::Foreign(Taint::Web), "based on a web page or on an import"),
    ("import", Flag::Foreign(Taint::Import), "based on an import"),
    (
        "secret",
        Flag::Noticed(Check::Secret),
        "something that looks like a secret, with high or low confidence",
    ),
    ("injection", Flag::Noticed(Check::Injection), "a phrase that gives instructions to agents"),
    ("behaviour", Flag::Noticed(Check::Behaviour), "a sentence that would change how the agent acts"),
    ("form", Flag::Noticed(Check::Form), "Markdown that would include the text after it"),
    ("creates", Flag::Creates, "the file does not exist yet"),
    ("removes", Flag::Removes, "lines are removed or commented out, or the file is removed"),
];

impl Rule {
    /// Parses one rule per line: `name = flag and flag in category category => ask`. Without `in` it applies
    /// everywhere, and a quoted sentence may replace the flags. Blank lines and lines that begin with `#` are ignored.
    /// The error is the end of a sentence that names the line.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, String> {
        let mut rules: Vec<Self> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let rule = Self::parse(line).map_err(|why| format!("line {}: {why}", at + 1))?;
            if rules.iter().any(|other| other.name == rule.name) {
                return Err(format!("line {}: the rule `{}` exists already", at + 1, rule.name));
            }
            rules.push(rule);
        }
        if rules.len() > RULES_MAX {
            return Err(format!("there are {} rules; the maximum is {RULES_MAX}", rules.len()));
        }
        Ok(rules)
    }

    fn parse(line: &str) -> Result<Self, String> {
        if line.len() > RULE_BYTES_MAX {
            return Err(format!("it is longer than {RULE_BYTES_MAX} bytes"));
        }
        let shape = || "a rule has the form `name = flag in category => ask` or `… => block`".to_owned();
        let (said, mode) = line.rsplit_once("=>").ok_or_else(shape)?;
        let (name, said) = said.split_once('=').ok_or_else(shape)?;
        let name = name.trim();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(plain) {
            return Err("the name of a rule may contain only a-z, 0-9 and `-`".to_owned());
        }
        let mode = match mode.trim() {
            "ask" => Mode::Ask,
            "block" => Mode::Block,
            _ => return Err("a rule must end with `=> ask` or `=> block`".to_owned()),
        };
        let (trigger, place) = Trigger::parse(said.trim())?;
        let ward = |word: &str| {
            let known = || format!("unknown place; the places are {}", FileClass::WORDS.join(", "));
            FileClass::parse(word).ok_or_else(known)
        };
        let wards = match place.split_once("in ").filter(|(before, _)| before.trim().is_empty()) {
            Some((_, words)) => words.split_whitespace().map(ward).collect::<Result<_, _>>()?,
            None if place.trim().is_empty() => BTreeSet::new(),
            None => return Err(shape()),
        };
        Ok(Self { name: name.to_owned(), trigger, wards, mode })
    }

    /// The effect on `change` of `ward`, if the rule matches.
    pub(crate) fn holds(
        &self,
        ward: FileClass,
        current: Option<&[u8]>,
        findings: &[Finding],
        change: &Change,
    ) -> Option<Mode> {
        if !(self.wards.is_empty() || self.wards.contains(&ward)) {
            return None;
        }
        let holds = |flag: &Flag| match flag {
            Flag::Always => true,
            Flag::Foreign(least) => change.taint >= *least,
            Flag::Noticed(check) => findings.iter().any(|finding| finding.check == *check),
            Flag::Creates => current.is_none(),
            Flag::Removes => removes(current.unwrap_or_default(), &change.op),
        };
        match &self.trigger {
            Trigger::Flags(flags) => flags.iter().all(holds).then_some(self.mode),
            Trigger::Plain => Some(Mode::Ask),
        }
    }
}

impl Trigger {
    /// Parses the condition, and returns the rest of the line.
    fn parse(text: &str) -> Result<(Self, &str), String> {
        if let Some(rest) = text.strip_prefix('"') {
            let (said, rest) = rest.split_once('"').ok_or("its sentence has no closing quote")?;
            let empty = said.trim().is_empty();
            return if empty { Err("its sentence is empty".into()) } else { Ok((Self::Plain, rest.trim())) };
        }
        let at = text.find(" in ").map_or(text.len(), |at| at + 1);
        let (flags, rest) = text.split_at(at);
        let words = flags.split_whitespace().filter(|word| *word != "and");
        let flag = |word: &str| {
            let known = FLAGS.iter().find(|(known, ..)| *known == word).map(|(_, flag, _)| *flag);
            known.ok_or_else(|| format!("unknown flag `{word}`; the flags are {}", flag_words().join(", ")))
        };
        let flags: BTreeSet<Flag> = words.map(flag).collect::<Result<_, String>>()?;
        if flags.is_empty() {
            return Err(format!("it names no flag; the flags are {}", flag_words().join(", ")));
        }
        Ok((Self::Flags(flags), rest))
    }
}

/// Whether a line of `before`, or of its rendering, would be removed.
fn removes(before: &[u8], op: &Op) -> bool {
    match op {
        Op::Append(_) => false,
        Op::Remove | Op::Archive => true,
        Op::Put(after) => {
            let is_short = |before: &[u8], after: &[u8]| {
                let mut left = lines(after);
                !lines(before).iter().all(|line| match left.binary_search(line) {
                    Ok(at) => {
                        left.remove(at);
                        true
                    }
                    Err(_) => false,
                })
            };
            // A line in a comment still exists but is no longer shown.
            is_short(before, after) || is_short(&uncommented(before), &uncommented(after))
        }
    }
}

/// The non-blank lines, trimmed and sorted.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> =
        bytes.split(|&byte| byte == b'\n').map(|line| line.trim_ascii().to_vec()).collect();
    lines.retain(|line| !line.is_empty());
    lines.sort();
    lines
}

/// The text outside comments; an unclosed comment extends to the end.
fn uncommented(bytes: &[u8]) -> Vec<u8> {
    let document = inwit_markdown::outline(bytes);
    let (mut shown, mut done) = (Vec::with_capacity(bytes.len()), 0);
    for comment in &document.comments {
        shown.extend_from_slice(bytes.get(done..comment.span.start).unwrap_or_default());
        done = done.max(comment.span.end);
    }
    let open = document.diagnostics.iter().find(|found| found.kind == DiagnosticKind::CommentUnclosed);
    let end = open.map_or(bytes.len(), |found| found.span.start);
    shown.extend_from_slice(bytes.get(done..end).unwrap_or_default());
    shown
}

fn flag_words() -> Vec<&'static str> {
    FLAGS.iter().map(|(word, ..)| *word).collect()
}

/// Every flag and its meaning, for reference pages.
pub fn flags() -> impl Iterator<Item = (&'static str, &'static str)> {
    FLAGS.iter().map(|(word, _, about)| (*word, *about))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        Rule::parse_all(text).expect_err("refused")
    }

    #[test]
    fn a_rule_that_cannot_be_read_is_named_by_its_line() {
        assert!(wrong("\n# fine\nafter-web web => block").starts_with("line 3: a rule has the form"));
        assert!(wrong("After = web => block").contains("a-z"));
        assert!(wrong("a = web => sometimes").contains("`=> ask` or `=> block`"));
        assert!(wrong("a = webb => ask").contains("the flags are always, member"));
        assert!(wrong("a = web in attic => ask").contains("the places are soul"));
        assert!(wrong("a = => ask").contains("names no flag"));
        assert!(wrong("a = \"no prices => ask").contains("no closing quote"));
        assert!(wrong("a = web => ask\na = tool => ask").contains("line 2: the rule `a` exists already"));
        assert!(wrong(&format!("a = \"{}\" => ask", "x".repeat(RULE_BYTES_MAX))).contains("longer than"));
        let many: Vec<String> = (0..=RULES_MAX).map(|at| format!("r{at} = web => ask")).collect();
        assert!(wrong(&many.join("\n")).contains("the maximum is 64"));
    }

    #[test]
    fn a_line_that_is_moved_is_not_taken_away() {
        let put = |after: &'static [u8]| Op::Put(std::sync::Arc::from(after));
        assert!(!removes(b"a\nb\n", &put(b"b\n\nc\na\n")));
        assert!(removes(b"a\na\n", &put(b"a\nb\n")));
        assert!(removes(b"a\n", &Op::Remove));
        assert!(!removes(b"a\n", &Op::Append(std::sync::Arc::from(*b"b\n"))));
    }

    #[test]
    fn a_line_that_nobody_is_shown_any_more_is_taken_away() {
        let put = |after: &'static [u8]| Op::Put(std::sync::Arc::from(after));
        for hidden in [
            &b"# M\n\n<!--\n- a\n-->\n\n- b\n"[..],
            b"# M\n\n- a\n<!--\n- b\n-->\n",
            b"# M\n\n<!-- x\n- a\n- b\n",
            b"# M\n\n- a <!--\n- b\n--> c\n",
        ] {
            assert!(removes(b"# M\n\n- a\n- b\n", &put(hidden)), "{}", String::from_utf8_lossy(hidden));
        }
        let commented = b"# M\n\n- a\n\n<!--\n- b\n-->\n";
        assert!(!removes(commented, &put(b"# M\n\n- c\n- a\n\n<!--\n- b\n-->\n")));
        assert!(!removes(b"- a\n", &put(b"- a\n\n<!-- a note -->\n\n```\n<!--\n```\n")));
        assert!(removes(commented, &put(b"# M\n\n- a\n")), "a comment is a line too");
    }
}
