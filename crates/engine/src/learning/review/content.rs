//! Names, figures, negations and other words of a text, to compare a fact with what the user said.
//!
//! Words that only frame a fact count for nothing: "the user", "always", "prefers". Invariant: a name, a figure or a
//! negation that the user did not say is never supported.

use std::collections::BTreeSet;

use inwit_recall::Analyser;
use inwit_recall::analyse::plain_words;
use inwit_recall::language::empty_in;
use jiff::civil::Date;

use crate::learning::dream::near_duplicate::{LIGHT_WORDS, NEGATIONS, NEGATIONS_HAN, is_in_order};

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
    "avoid", "avoids", "refuse", "refuses", "dislike", "dislikes", "hate", "hates", "lack", "lacks",
    "intolerant", "allergic", "vermeidet", "evita", "evite",
];

/// Words for a time that a fact may give as a date.
const TIMES: &[&str] = &[
    "today", "yesterday", "tomorrow", "tonight", "week", "month", "year", "ago", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "weekend", "heute", "gestern", "morgen",
    "woche", "monat", "jahr", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
    "sonntag", "jetzt", "hoy", "ayer", "manana", "semana", "lunes", "martes", "miercoles", "jueves",
    "viernes", "sabado", "domingo", "aujourdhui", "demain", "semaine", "mois", "annee", "lundi", "mardi",
    "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
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

/// Part of the words of a fact that must be the user's, in hundredths.
const SUPPORTED_PERCENT_MIN: usize = 60;

/// The content of a text.
#[derive(Debug, Clone, Default)]
pub struct Content {
    /// Stems of its words, without those of the frame.
    terms: BTreeSet<String>,
    /// All its words, folded.
    words: BTreeSet<String>,
    /// Words with a capital letter inside a sentence, and a first word that frames nothing, with their stems.
    names: Vec<(String, Vec<String>)>,
    /// Runs of digits in their order, without those of dates.
    figures: Vec<String>,
    /// Runs of digits of `YYYY-MM-DD`, and years beside the name of a month.
    dated: Vec<String>,
    is_negated: bool,
    is_denying: bool,
    has_time: bool,
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
        let (figures, dated) = figures(&text);
        let names: Vec<String> = names(&text).filter(is_content).collect();
        let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        Self {
            names: names.into_iter().map(|name| stems(name, analyser)).collect(),
            figures,
            dated,
            is_negated: is(NEGATIONS) || text.contains(NEGATIONS_HAN),
            is_denying: is(DENYING),
            has_time: is(TIMES) || TIMES_HAN.iter().any(|time| text.contains(time)),
            words: words.into_iter().collect(),
            terms,
        }
    }

    /// Whether the user's words support this fact: `said` around the quote, `beside` in its sentences.
    pub fn is_supported_by(&self, said: &Self, beside: &Self, quote: &Self) -> bool {
        let has = |figure: &String| said.figures.contains(figure) || said.dated.contains(figure);
        let has_figures = self.figures.iter().all(has) && (said.has_time || self.dated.iter().all(has));
        let has_name = |(name, stems): &(String, Vec<String>)| {
            said.says(name)
                || !stems.is_empty() && stems.iter().all(|stem| said.terms.contains(stem))
                || said.has_time && MONTHS.contains(&name.as_str())
        };
        let has_names = self.names.iter().all(has_name);
        let has_negations = !self.is_negated || beside.is_negated || beside.is_denying;
        let keeps_negation = !quote.is_negated || self.is_negated || self.is_denying;
        has_figures
            && has_names
            && has_negations
            && keeps_negation
            && self.share_in(said) >= SUPPORTED_PERCENT_MIN
    }

    /// Whether this fact has nothing that `known` lacks.
    pub fn only_repeats(&self, known: &Self) -> bool {
        !self.terms.is_empty()
            && self.terms.is_subset(&known.terms)
            && is_in_order(&self.figures, &known.figures)
            && is_in_order(&self.dated, &known.dated)
            && self.is_negated == known.is_negated
            && self.names.iter().all(|(name, _)| known.words.contains(name))
    }

    /// Whether `said` has its names and figures, and most of its words.
    pub fn is_about(&self, said: &Self) -> bool {
        let has = |figure: &String| said.figures.contains(figure) || said.dated.contains(figure);
        self.figures.iter().chain(&self.dated).all(has) && self.share_in(said) >= SUPPORTED_PERCENT_MIN
    }

    /// How many hundredths of the terms are in `whole`.
    fn share_in(&self, whole: &Self) -> usize {
        let shared = self.terms.iter().filter(|term| whole.terms.contains(*term)).count();
        (100 * shared)
            .checked_div(self.terms.len())
            .unwrap_or(if self.figures.is_empty() && self.dated.is_empty() { 0 } else { 100 })
    }

    /// Whether a word, or a longer form of it, is among the words.
    fn says(&self, word: &str) -> bool {
        self.words.contains(word)
            || word.chars().count() >= 4 && self.words.iter().any(|said| said.starts_with(word))
    }
}

/// Words with a capital letter that do not begin a sentence, and the first one, folded.
fn names(text: &str) -> impl Iterator<Item = String> + '_ {
    let first = text.split_whitespace().next().filter(|word| word.contains(char::is_uppercase));
    first.into_iter().flat_map(plain_words).chain(names_inside(text))
}

fn names_inside(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut begins = true;
    let named = text.split_whitespace().filter(move |word| {
        let is_first = std::mem::replace(&mut begins, word.ends_with(['.', '!', '?', ':', '。']));
        !is_first && word.contains(char::is_uppercase)
    });
    named.flat_map(plain_words)
}

fn stems(name: String, analyser: &mut Analyser) -> (String, Vec<String>) {
    let stems = analyser.terms(&name).counts.into_iter().map(|(term, _)| term).collect();
    (name, stems)
}

/// Runs of digits: those of figures, and those of dates.
fn figures(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut figures, mut dated) = (Vec::new(), Vec::new());
    let mut before = String::new();
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_day = bare.len() == 10 && bare.parse::<Date>().is_ok();
        let is_year = bare.len() == 4 && bare.starts_with(['1', '2']) && MONTHS.contains(&before.as_str());
        let runs = word.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
        let runs = runs.map(|run| run.trim_start_matches('0').to_owned());
        if is_day || is_year {
            dated.extend(runs)
        } else {
            figures.extend(runs)
        }
        before = plain_words(bare).into_iter().next_back().unwrap_or_default();
    }
    (figures, dated)
}
