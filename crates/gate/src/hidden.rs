//! Finds invisible characters and words in mixed scripts.
//!
//! [`inwit_model::invisible`] decides what is invisible; this module sets the severity. Invariants: ordinary text in
//! any script has no hit above [`Tier::Warn`]; the result of [`reveal`] has no character that a terminal interprets.
//!
//! ```
//! use inwit_gate::hidden::{HiddenKind, reveal, scan};
//! use inwit_model::invisible::InvisibleKind;
//!
//! let text = "pay to \u{202e}ecila";
//! assert_eq!(scan(text)[0].kind, HiddenKind::Invisible(InvisibleKind::Bidi));
//! assert_eq!(reveal(text), "pay to ⟦U+202E⟧ecila");
//! assert!(scan("family: 👨‍👩‍👧").is_empty());
//! ```

use std::ops::Range;

pub use inwit_model::invisible::reveal;
use inwit_model::invisible::{self, InvisibleKind};
use unicode_script::{Script, UnicodeScript as _};
use unicode_security::MixedScript as _;

use crate::secrets::Tier;

/// Deceptive characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenRun {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Their effect.
    pub kind: HiddenKind,
    /// [`Tier::Block`], or [`Tier::Warn`] if a person decides.
    pub tier: Tier,
}

/// The kind of deceptive characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HiddenKind {
    /// Invisible characters.
    Invisible(InvisibleKind),
    /// A word with look-alike letters of two scripts.
    MixedScript,
}

impl HiddenKind {
    /// Its word in findings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Invisible(InvisibleKind::Tag) => "tag",
            Self::Invisible(InvisibleKind::Bidi) => "bidi",
            Self::Invisible(InvisibleKind::ZeroWidth) => "zero_width",
            Self::Invisible(InvisibleKind::Joiner) => "joiner",
            Self::Invisible(InvisibleKind::Selector) => "selector",
            Self::Invisible(InvisibleKind::Annotation) => "annotation",
            Self::Invisible(InvisibleKind::Control) => "control",
            Self::Invisible(InvisibleKind::Private) => "private",
            Self::Invisible(InvisibleKind::Marks) => "marks",
            Self::MixedScript => "mixed_script",
        }
    }
}

/// Finds every run of hidden characters, in order.
pub fn scan(text: &str) -> Vec<HiddenRun> {
    if text.is_ascii() {
        return unseen(text).collect();
    }
    let mut found: Vec<HiddenRun> = unseen(text).collect();
    let mut word_start = None;
    for (at, char) in text.char_indices() {
        match (may_be_alike(char) && char.is_alphanumeric(), word_start) {
            (true, None) => word_start = Some(at),
            (false, Some(start)) if !invisible::is_joiner(char) && !invisible::is_mark(char) => {
                found.extend(mixed(text, start..at));
                word_start = None;
            }
            _ => {}
        }
    }
    found.extend(word_start.and_then(|start| mixed(text, start..text.len())));
    found.sort_by_key(|run| run.span.start);
    found
}

fn unseen(text: &str) -> impl Iterator<Item = HiddenRun> {
    let runs = invisible::scan(text).into_iter();
    runs.map(|run| HiddenRun { span: run.span, kind: HiddenKind::Invisible(run.kind), tier: Tier::Block })
}

/// Whether the word mixes scripts that are never written together.
fn mixed(text: &str, span: Range<usize>) -> Option<HiddenRun> {
    let word = &text[span.clone()];
    if word.is_ascii() {
        return None;
    }
    let alike = |char: char| matches!(char.script(), Script::Latin | Script::Cyrillic | Script::Greek);
    let scripts = word.chars().filter(|char| char.is_alphabetic() && alike(*char));
    let mut scripts: Vec<Script> = scripts.filter(|char| !is_unit(*char)).map(|char| char.script()).collect();
    scripts.dedup();
    let suspicious = scripts.len() > 1 && !word.is_single_script();
    let first = span.start..span.start + word.chars().next()?.len_utf8();
    suspicious.then_some(HiddenRun { span: first, kind: HiddenKind::MixedScript, tier: Tier::Warn })
}

/// Whether `char` may belong to one of the three look-alike scripts, by its block; other characters end a word here.
fn may_be_alike(char: char) -> bool {
    !matches!(char, '\u{530}'..='\u{1c7f}' | '\u{2000}'..='\u{2070}' | '\u{2e00}'..='\u{a63f}' | '\u{a7ff}'..='\u{ab2f}' | '\u{ab70}'..='\u{faff}'
        | '\u{fb07}'..='\u{ff20}' | '\u{20000}'..)
}

/// Greek letters that are common beside Latin ones in science.
fn is_unit(char: char) -> bool {
    matches!(
        char,
        'µ' | 'μ'
            | 'Ω'
            | 'π'
            | 'Δ'
            | 'α'
            | 'β'
            | 'γ'
            | 'λ'
            | 'σ'
            | 'θ'
            | 'ε'
            | 'δ'
            | 'φ'
            | 'ω'
            | 'τ'
            | 'χ'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_two_alphabets_is_a_warning_and_stays_readable() {
        let text = "log in at p\u{0430}ypal today";
        let hit = scan(text);
        assert_eq!((hit.len(), hit[0].kind, hit[0].tier), (1, HiddenKind::MixedScript, Tier::Warn));
        assert_eq!(hit[0].span, 10..11);
        assert_eq!(reveal(text), text);
    }

    #[test]
    fn what_is_invisible_is_blocked() {
        let hits = scan("a\u{202e}b p\u{0430}ypal");
        let found: Vec<_> = hits.iter().map(|hit| (hit.kind.word(), hit.tier)).collect();
        assert_eq!(found, [("bidi", Tier::Block), ("mixed_script", Tier::Warn)]);
    }
}
