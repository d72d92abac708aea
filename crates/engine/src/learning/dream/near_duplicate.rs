//! Whether a note only repeats another one in other words, so that a dream promotes one of them.
//!
//! `Vera likes the rye bread of Mill Street best` adds nothing to `Vera prefers rye bread from Mill Street`. A note with a
//! name, a figure, a negation or any word of its own beyond the light ones is another fact: `… cancelled` is never taken for
//! a repetition of the appointment. Invariant: what is left out has no content word that the kept note lacks.

use std::collections::BTreeSet;

use inwit_recall::Analyser;
use inwit_recall::analyse::plain_words;
use inwit_recall::language::empty_in;

/// Fewest terms of a note that is compared: of two short notes one is too easily part of the other.
const TERMS_MIN: usize = 4;

/// Words that change how a fact is put and not the fact: liking, having, getting and saying.
pub(crate) const LIGHT_WORDS: &[&str] = &[
    "like", "likes", "liked", "love", "loves", "loved", "prefer", "prefers", "preferred", "enjoy", "enjoys",
    "favourite", "favorite", "best", "really", "usually", "normally", "generally", "buy", "buys", "bought",
    "get", "gets", "got", "say", "says", "said", "mention", "mentions", "mentioned", "told", "noted", "mag",
    "liebt", "bevorzugt", "gern", "gerne", "lieber", "liebsten", "lieblings", "meistens", "kauft", "kaufte",
    "gekauft", "sagt", "sagte", "gusta", "prefiere", "encanta", "favorito", "favorita", "compra", "dice",
    "dijo", "aime", "prefere", "prefers", "achete", "dit",
];

/// Words that turn a statement round. A note with one is no repetition of a note without it.
pub(crate) const NEGATIONS: &[&str] = &[
    "not", "no", "never", "none", "without", "anymore", "longer", "stopped", "quit", "except", "instead",
    "dont", "doesnt", "didnt", "isnt", "wasnt", "wont", "cant", "cannot", "nicht", "nie", "kein", "keine",
    "keinen", "ohne", "mehr", "statt", "pas", "jamais", "sans", "plus", "nunca", "sin", "ya", "non", "mai",
    "senza", "nao", "sem", "niet", "geen", "nooit", "inte", "aldrig", "не", "нет", "никогда", "без",
];

/// The same in scripts without blanks, as characters.
pub(crate) const NEGATIONS_HAN: [char; 8] = ['不', '没', '沒', '别', '別', '無', '无', '非'];

/// The content of a note, for comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gist {
    terms: BTreeSet<String>,
    words: BTreeSet<String>,
    /// Names and figures: words with a digit, or with a capital letter inside the text.
    marks: BTreeSet<String>,
    /// Words with a digit, in their order.
    figures: Vec<String>,
    negations: BTreeSet<String>,
}

impl Gist {
    /// Reads a note of one or more sentences.
    pub fn of(text: &str, analyser: &mut Analyser) -> Self {
        let words = plain_words(text);
        let is_content = |word: &String| empty_in(word) == 0 && !LIGHT_WORDS.contains(&word.as_str());
        let content: Vec<String> = words.iter().filter(|word| is_content(word)).cloned().collect();
        let terms = analyser.terms(&content.join(" ")).counts.into_iter().map(|(term, _)| term).collect();
        let named = text.split_whitespace().enumerate().filter(|(at, word)| {
            word.contains(char::is_numeric) || *at > 0 && word.contains(char::is_uppercase)
        });
        let marks = named.flat_map(|(_, word)| plain_words(word)).filter(is_content).collect();
        let negated = words.iter().filter(|word| NEGATIONS.contains(&word.as_str())).cloned();
        let han = text.chars().filter(|c| NEGATIONS_HAN.contains(c)).map(String::from);
        let negations = negated.chain(han).collect();
        let figures = words.iter().filter(|word| word.contains(char::is_numeric)).cloned().collect();
        Self { terms, marks, figures, negations, words: words.into_iter().collect() }
    }

    /// Whether `whole` has all terms, names, figures and negations of this note, and no other negation.
    pub fn is_within(&self, whole: &Self) -> bool {
        self.has_content()
            && self.terms.is_subset(&whole.terms)
            && self.negations == whole.negations
            && self.marks.is_subset(&whole.words)
    }

    fn has_content(&self) -> bool {
        !self.terms.is_empty() || !self.marks.is_empty()
    }

    /// Whether this note has nothing that `kept` lacks. `Bus 5 leaves at 7` does not repeat `Bus 7 leaves at 5`.
    pub fn only_repeats(&self, kept: &Self) -> bool {
        self.terms.len() >= TERMS_MIN
            && self.terms.is_subset(&kept.terms)
            && self.negations == kept.negations
            && self.marks.is_subset(&kept.words)
            && is_in_order(&self.figures, &kept.figures)
    }
}

/// Whether `all` has `some` in the same order, maybe with others between them.
pub(crate) fn is_in_order(some: &[String], all: &[String]) -> bool {
    let mut all = all.iter();
    some.iter().all(|one| all.any(|other| other == one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only_repeats(note: &str, kept: &str) -> bool {
        let mut analyser = Analyser::default();
        let (note, kept) = (Gist::of(note, &mut analyser), Gist::of(kept, &mut analyser));
        note.only_repeats(&kept)
    }

    const KEPT: &str = "Vera prefers rye bread from the bakery on Mill Street.";

    #[test]
    fn a_rephrased_note_only_repeats_the_kept_one() {
        for note in [
            "Vera likes the rye bread of the Mill Street bakery best.",
            "Bought rye bread at the bakery on Mill Street, which Vera prefers.",
            "Vera loves Mill Street rye bread.",
        ] {
            assert!(only_repeats(note, KEPT), "{note}");
        }
        assert!(only_repeats("我们每周五在公司食堂吃午饭", "我们每周五在公司食堂吃午饭，人很多"));
        assert!(only_repeats(
            "Ab März schliesst die Kita um 16 Uhr",
            "Die Kita schliesst ab März schon um 16 Uhr"
        ));
    }

    #[test]
    fn a_word_a_name_a_figure_or_a_negation_more_is_another_fact() {
        for note in [
            "Vera no longer prefers rye bread from the bakery on Mill Street.",
            "Vera never bought rye bread from the bakery on Mill Street.",
            "Jonas prefers rye bread from the bakery on Mill Street.",
            "Vera prefers rye bread from the bakery on Hill Street.",
            "Vera prefers 2 rye breads from the bakery on Mill Street.",
            "Vera hates the rye bread from the bakery on Mill Street.",
            "The rye bread from the bakery on Mill Street is sold out for Vera.",
        ] {
            assert!(!only_repeats(note, KEPT), "{note}");
        }
        let appointment = "Dentist appointment with Dr Novak on Friday morning";
        assert!(!only_repeats(&format!("{appointment} cancelled"), appointment));
        assert!(!only_repeats("The rent is 840 euros from March on", "The rent is 860 euros from March on"));
        let bus = "Bus 7 leaves Mill Street for the harbour at 5";
        assert!(!only_repeats("Bus 5 leaves Mill Street for the harbour at 7", bus));
        assert!(only_repeats("Bus 7 leaves at 5 from Mill Street for the harbour", bus));
        assert!(!only_repeats("我们每周五不在公司食堂吃午饭", "我们每周五在公司食堂吃午饭"));
        assert!(!only_repeats("rye bread", "rye bread"), "two words are too few to compare");
    }
}
