//! Names, figures, negations and other words of a text, to compare a fact with what the user said.
//!
//! Words that only frame a fact count for nothing: "the user", "always", "prefers". Invariant: a name, a figure or a
//! negation that the user did not say is never supported.

use std::collections::BTreeSet;

use inwit_recall::Analyser;
use inwit_recall::analyse::plain_words;
use inwit_recall::language::{Language, bit, empty_in};

use crate::learning::dream::near_duplicate::{LIGHT_WORDS, NEGATIONS, NEGATIONS_HAN};

/// Words that name the two speakers, or put a statement as a fact about one of them.
const FRAME_WORDS: &[&str] = &[
    "user", "users", "owner", "agent", "assistant", "always", "own", "want", "wants", "wanted", "must",
    "should", "give", "use", "uses", "used", "keep", "keeps", "make", "makes", "has", "have", "lives",
    "live", "works", "work", "home", "house", "nutzer", "nutzerin", "nutzers", "benutzer", "benutzerin",
    "anwender", "anwenderin", "immer", "heisst", "wohnt", "arbeitet", "usuario", "usuaria", "siempre", "usa",
    "tiene", "vive", "trabaja", "quiere", "utilisateur", "utilisatrice", "toujours", "doivent", "doit",
    "habite", "travaille", "veut",
];

/// The same in scripts without blanks.
const FRAME_HAN: [&str; 3] = ["用户的", "用户", "主人"];

/// Words that deny as a negation does, but in a fact of their own words.
const DENYING: &[&str] = &[
    "avoid", "avoids", "refuses", "dislikes", "hates", "hate", "lacks", "free", "only", "rather", "before",
    "until", "irreplaceable", "exempt", "intolerant", "allergic", "nur", "nunca", "solo", "seulement",
    "uniquement",
];

/// Words for a time that a fact may give as a date.
const TIMES: &[&str] = &[
    "today", "yesterday", "tomorrow", "tonight", "week", "month", "year", "ago", "now", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "weekend", "heute", "gestern", "morgen",
    "woche", "monat", "jahr", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
    "sonntag", "jetzt", "hoy", "ayer", "manana", "semana", "mes", "ano", "lunes", "martes", "miercoles",
    "jueves", "viernes", "sabado", "domingo", "aujourdhui", "hier", "demain", "semaine", "mois", "annee",
    "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
];

/// The same in Han characters.
const TIMES_HAN: [&str; 14] = [
    "今天", "昨天", "明天", "后天", "前天", "上周", "下周", "本周", "上个月", "下个月", "这个月", "去年",
    "今年", "明年",
];

/// Names of months, which a date may add.
const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "januar", "februar", "marz", "mai", "juni", "juli", "oktober", "dezember",
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
    "noviembre", "diciembre", "janvier", "fevrier", "mars", "avril", "juin", "juillet", "aout", "septembre",
    "octobre", "novembre", "decembre",
];

/// Part of the plain words of a fact that must be the user's, in hundredths.
const SUPPORTED_PERCENT_MIN: usize = 60;

/// The same of a fact with a name or a figure, all of which must be the user's.
const SUPPORTED_NAMED_PERCENT_MIN: usize = 30;

/// The content of a text.
#[derive(Debug, Clone, Default)]
pub struct Content {
    /// Stems of its words, without those of the frame.
    terms: BTreeSet<String>,
    /// All its words, folded.
    words: BTreeSet<String>,
    /// Words with a capital letter inside a sentence.
    names: Vec<String>,
    /// Runs of digits.
    figures: BTreeSet<String>,
    is_negated: bool,
    is_denying: bool,
    has_time: bool,
    is_german: bool,
}

impl Content {
    /// Reads a text.
    pub fn of(text: &str, analyser: &mut Analyser) -> Self {
        let text = FRAME_HAN.iter().fold(text.to_owned(), |text, frame| text.replace(frame, " "));
        let words = plain_words(&text);
        let is_content = |word: &String| {
            empty_in(word) == 0
                && !LIGHT_WORDS.contains(&word.as_str())
                && !FRAME_WORDS.contains(&word.as_str())
        };
        let content: Vec<String> = words.iter().filter(|word| is_content(word)).cloned().collect();
        let terms = analyser.terms(&content.join(" ")).counts.into_iter().map(|(term, _)| term);
        let terms = terms.filter(|term| !term.chars().all(|c| c.is_ascii_digit())).collect();
        let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let german = words.iter().filter(|word| empty_in(word) & bit(Language::German) != 0).count();
        let english = words.iter().filter(|word| empty_in(word) & bit(Language::English) != 0).count();
        Self {
            names: names(&text).filter(is_content).collect(),
            figures: figures(&text),
            is_negated: is(NEGATIONS) || text.contains(NEGATIONS_HAN),
            is_denying: is(DENYING),
            has_time: is(TIMES) || TIMES_HAN.iter().any(|time| text.contains(time)),
            is_german: german > english,
            words: words.into_iter().collect(),
            terms,
        }
    }

    /// Whether the user's words support this fact: `said` around the quote, `beside` in its sentences.
    pub fn is_supported_by(&self, said: &Self, beside: &Self, quote: &Self) -> bool {
        let is_dated = |figure: &String| said.has_time && is_of_date(figure);
        let has_figures = self.figures.iter().all(|figure| said.figures.contains(figure) || is_dated(figure));
        let has_name = |name: &String| said.says(name) || said.has_time && MONTHS.contains(&name.as_str());
        // Every noun of German has a capital letter.
        let has_names = self.is_german || self.names.iter().all(has_name);
        let has_negations = !self.is_negated || beside.is_negated || beside.is_denying;
        let keeps_negation = !quote.is_negated || self.is_negated || self.is_denying;
        let is_named = !self.figures.is_empty() || !self.is_german && !self.names.is_empty();
        let least = if is_named { SUPPORTED_NAMED_PERCENT_MIN } else { SUPPORTED_PERCENT_MIN };
        has_figures && has_names && has_negations && keeps_negation && self.share_in(said) >= least
    }

    /// Whether this fact has nothing that `known` lacks.
    pub fn only_repeats(&self, known: &Self) -> bool {
        !self.terms.is_empty()
            && self.terms.is_subset(&known.terms)
            && self.figures.is_subset(&known.figures)
            && self.is_negated == known.is_negated
            && self.names.iter().all(|name| known.words.contains(name))
    }

    /// How many hundredths of the terms are in `whole`.
    fn share_in(&self, whole: &Self) -> usize {
        let shared = self.terms.iter().filter(|term| whole.terms.contains(*term)).count();
        (100 * shared).checked_div(self.terms.len()).unwrap_or(if self.figures.is_empty() { 0 } else { 100 })
    }

    /// Whether a word, or a longer form of it, is among the words.
    fn says(&self, word: &str) -> bool {
        self.words.contains(word)
            || word.chars().count() >= 4 && self.words.iter().any(|said| said.starts_with(word))
    }
}

/// Words with a capital letter that do not begin a sentence, folded.
fn names(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut begins = true;
    let named = text.split_whitespace().filter(move |word| {
        let is_first = std::mem::replace(&mut begins, word.ends_with(['.', '!', '?', ':', '。']));
        !is_first && word.contains(char::is_uppercase)
    });
    named.flat_map(plain_words)
}

fn figures(text: &str) -> BTreeSet<String> {
    let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    runs.map(|run| run.trim_start_matches('0').to_owned()).collect()
}

/// A year, a month or a day.
fn is_of_date(figure: &str) -> bool {
    let number: u32 = figure.parse().unwrap_or(u32::MAX);
    (1..=31).contains(&number) || (1900..2200).contains(&number)
}
