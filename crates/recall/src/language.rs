//! Detects the language of a text, and stems its words.
//!
//! Stop words identify the language: they are looked up anyway. A text without any has no language; a passage then
//! gets its file's, a query uses all. A wrong guess costs little: foreign stems are indexed beside the plain words,
//! prefixed with [`STEM_MARK`], so identical spellings always match.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use crate::fold::fold;
use crate::words::{FORMS_FRENCH, FORMS_GERMAN, FORMS_SPANISH, STOP_WORDS};

/// Prefix of a stem in a language other than English.
pub const STEM_MARK: char = '~';

/// Term in each file with passages in a language other than English.
pub const PRESENCE_TERM: &str = "~:";

/// A language with a stemmer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Its stems are the plain terms of the index.
    English,
    /// Spanish.
    Spanish,
    /// German.
    German,
    /// French.
    French,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Dutch.
    Dutch,
    /// Swedish.
    Swedish,
    /// Danish.
    Danish,
    /// Norwegian.
    Norwegian,
    /// Finnish.
    Finnish,
    /// Hungarian.
    Hungarian,
    /// Romanian.
    Romanian,
    /// Turkish.
    Turkish,
    /// Russian; other languages in Cyrillic letters share many of its endings.
    Russian,
    /// Greek.
    Greek,
    /// Arabic.
    Arabic,
    /// Tamil.
    Tamil,
}

use Language::{
    Arabic, Danish, Dutch, English, Finnish, French, German, Greek, Hungarian, Italian, Norwegian,
    Portuguese, Romanian, Russian, Spanish, Swedish, Tamil, Turkish,
};

/// Number of languages.
const COUNT: usize = 18;

impl Language {
    /// All, in the order of their numbers.
    pub const ALL: [Self; COUNT] = [
        English, Spanish, German, French, Italian, Portuguese, Dutch, Swedish, Danish, Norwegian, Finnish,
        Hungarian, Romanian, Turkish, Russian, Greek, Arabic, Tamil,
    ];

    /// Its two-letter code.
    pub fn code(self) -> &'static str {
        const CODES: [&str; COUNT] = [
            "en", "es", "de", "fr", "it", "pt", "nl", "sv", "da", "no", "fi", "hu", "ro", "tr", "ru", "el",
            "ar", "ta",
        ];
        CODES[self as usize]
    }

    /// Whether it uses the Latin script.
    fn is_latin(self) -> bool {
        self < Russian
    }

    fn algorithm(self) -> Algorithm {
        match self {
            English => Algorithm::English,
            Spanish => Algorithm::Spanish,
            German => Algorithm::German,
            French => Algorithm::French,
            Italian => Algorithm::Italian,
            Portuguese => Algorithm::Portuguese,
            Dutch => Algorithm::Dutch,
            Swedish => Algorithm::Swedish,
            Danish => Algorithm::Danish,
            Norwegian => Algorithm::Norwegian,
            Finnish => Algorithm::Finnish,
            Hungarian => Algorithm::Hungarian,
            Romanian => Algorithm::Romanian,
            Turkish => Algorithm::Turkish,
            Russian => Algorithm::Russian,
            Greek => Algorithm::Greek,
            Arabic => Algorithm::Arabic,
            Tamil => Algorithm::Tamil,
        }
    }

    /// Term in each file with passages in this language.
    pub fn presence_term(self) -> String {
        format!("{STEM_MARK}:{}", self.code())
    }
}

/// A bit set of languages in which a word is a stop word.
pub type Mask = u32;

static MASKS: LazyLock<HashMap<&'static str, Mask>> = LazyLock::new(|| {
    let mut masks: HashMap<&str, Mask> = HashMap::new();
    for (language, words) in STOP_WORDS {
        words.split_whitespace().for_each(|word| *masks.entry(word).or_default() |= bit(*language));
    }
    masks
});

/// The languages in which `word` (lower-case, folded) is a stop word.
pub fn empty_in(word: &str) -> Mask {
    MASKS.get(word).copied().unwrap_or(0)
}

/// The bit of a language.
pub fn bit(language: Language) -> Mask {
    1 << language as u32
}

/// Evidence for each language in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence([u32; COUNT]);

impl Evidence {
    /// Adds a word by its mask.
    pub fn add_word(&mut self, mask: Mask) {
        let mut rest = mask;
        while rest != 0 {
            self.0[rest.trailing_zeros() as usize] += 1;
            rest &= rest - 1;
        }
    }

    /// Adds distinctive letters of a composed text.
    pub fn add_letters(&mut self, text: &str) {
        if text.is_ascii() {
            return;
        }
        for c in text.chars().filter(|c| !c.is_ascii()) {
            letter_languages(c).iter().for_each(|&language| self.0[language as usize] += 1);
        }
    }

    /// Adds the evidence of another text.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, other)| *mine += other);
    }

    /// Subtracts the evidence of a part.
    pub fn subtract(&mut self, part: &Self) {
        self.0.iter_mut().zip(part.0).for_each(|(mine, part)| *mine = mine.saturating_sub(part));
    }

    /// Whether there is no evidence.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; COUNT]
    }

    /// The most likely languages, at most `most`; English included on ties.
    pub fn likely(&self, most: usize) -> Vec<Language> {
        let best = self.0.iter().copied().max().filter(|best| *best > 0);
        let likely = |language: &Language| Some(self.0[*language as usize]) == best;
        Language::ALL.into_iter().filter(likely).take(most).collect()
    }

    /// The likely languages other than English, with as much evidence as any; `None` without evidence.
    pub fn foreign(&self, most: usize) -> Option<Vec<Language>> {
        let english = self.0[English as usize];
        let best = self.0[1..].iter().copied().max().unwrap_or(0);
        if self.is_empty() {
            return None;
        }
        let likely = |language: &Language| {
            let found = self.0[*language as usize];
            found > 0 && found == best && found >= english
        };
        Some(Language::ALL[1..].iter().copied().filter(likely).take(most).collect())
    }
}

/// The languages that a letter indicates; none for common letters.
fn letter_languages(c: char) -> &'static [Language] {
    match c {
        'ñ' | 'Ñ' | '¿' | '¡' => &[Spanish],
        'ß' | 'ẞ' => &[German],
        'ä' | 'Ä' => &[German, Swedish, Finnish],
        'ö' | 'Ö' => &[German, Swedish, Finnish, Hungarian, Turkish],
        'ü' | 'Ü' => &[German, Hungarian, Turkish],
        'á' | 'í' | 'ú' | 'Á' | 'Í' | 'Ú' => &[Spanish, Portuguese, Hungarian],
        'ó' | 'Ó' => &[Spanish, Portuguese, Hungarian, Italian],
        'é' | 'É' => &[Spanish, French, Portuguese, Hungarian, Italian],
        'è' | 'ù' | 'ì' | 'ò' => &[French, Italian],
        'à' | 'À' => &[French, Italian, Portuguese],
        'ê' | 'â' | 'ô' => &[French, Portuguese],
        'œ' | 'û' | 'ë' | 'ï' | 'È' | 'Ê' => &[French],
        'ç' | 'Ç' => &[French, Portuguese, Turkish],
        'ã' | 'õ' => &[Portuguese],
        'å' | 'Å' => &[Swedish, Danish, Norwegian],
        'ø' | 'æ' | 'Ø' | 'Æ' => &[Danish, Norwegian],
        'ő' | 'ű' => &[Hungarian],
        'ğ' | 'ş' | 'ı' | 'İ' => &[Turkish],
        'ă' | 'ț' | 'ș' | 'î' => &[Romanian],
        'Ͱ'..='Ͽ' => &[Greek],
        'Ѐ'..='ӿ' => &[Russian],
        '\u{0600}'..='\u{06FF}' => &[Arabic],
        '\u{0B80}'..='\u{0BFF}' => &[Tamil],
        _ => &[],
    }
}

/// A cache of stems.
#[derive(Default)]
pub struct Stems {
    known: [HashMap<String, Vec<String>>; COUNT],
}

/// Most cached words per language.
const WORDS_REMEMBERED_MAX: usize = 100_000;

/// The shortest word that is stemmed, in characters.
const WORD_CHARS_MIN: usize = 2;

impl Stems {
    /// The marked stems of `word` (composed, lower-case) in `language`.
    pub fn of(&mut self, language: Language, word: &str) -> Cow<'_, [String]> {
        let known = &mut self.known[language as usize];
        if !known.contains_key(word) {
            let stems = stems(language, word);
            if known.len() == WORDS_REMEMBERED_MAX {
                return Cow::Owned(stems);
            }
            known.insert(word.to_owned(), stems);
        }
        Cow::Borrowed(&known[word])
    }
}

/// The marked stems of `word` (composed, lower-case) in `language`.
pub fn stems(language: Language, word: &str) -> Vec<String> {
    let fits = word.chars().all(|c| c.is_alphabetic() || c == '\'') && word.chars().count() >= WORD_CHARS_MIN;
    let is_latin =
        word.chars().all(|c| c.is_ascii() || matches!(c as u32, 0x00C0..=0x024F | 0x1E00..=0x1EFF));
    if !fits || is_latin != language.is_latin() || language == English {
        return Vec::new();
    }
    let folded = fold(word);
    let stemmer = Stemmer::create(language.algorithm());
    let mut stems: Vec<String> = Vec::new();
    let mut add = |word: &str| {
        let stem = fold(&stemmer.stem(word)).into_owned();
        for stem in if language == German { german(stem) } else { vec![stem] } {
            let term = format!("{STEM_MARK}{}", crate::analyse::bounded(&stem));
            if !stems.contains(&term) {
                stems.push(term);
            }
        }
    };
    add(word);
    // People type words without diacritics.
    add(&folded);
    irregular(language, &folded).into_iter().for_each(&mut add);
    if language == German {
        umlauts(&folded).iter().for_each(|word| add(word));
    }
    if language == Arabic {
        stems.extend(stems.first().and_then(|stem| arabic_root(stem.trim_start_matches(STEM_MARK))));
    }
    stems
}

/// Shortest root of an Arabic word, in letters.
const ROOT_LETTERS_MIN: usize = 3;

/// The letters of a stem that its plural keeps: a broken plural changes the long vowels within a word (مفتاح and مفاتيح).
/// None where too few are left.
fn arabic_root(stem: &str) -> Option<String> {
    let is_weak = |c: &char| matches!(c, 'ا' | 'أ' | 'إ' | 'آ' | 'و' | 'ي' | 'ى' | 'ة' | 'ء' | 'ؤ' | 'ئ');
    let root: String = stem.chars().filter(|c| !is_weak(c)).collect();
    (root.chars().count() >= ROOT_LETTERS_MIN).then(|| format!("{STEM_MARK}{STEM_MARK}{root}"))
}

fn irregular(language: Language, folded: &str) -> Option<&'static str> {
    static HEADS: LazyLock<HashMap<(Language, &str), &str>> = LazyLock::new(|| {
        let tables = [(Spanish, FORMS_SPANISH), (German, FORMS_GERMAN), (French, FORMS_FRENCH)];
        let rows =
            tables.into_iter().flat_map(|(language, rows)| rows.iter().map(move |row| (language, *row)));
        let pairs = rows.filter_map(|(language, row)| {
            let (head, forms) = row.split_once(' ')?;
            Some(forms.split(' ').map(move |form| ((language, form), head)))
        });
        pairs.flatten().collect()
    });
    HEADS.get(&(language, folded)).copied()
}

/// Snowball does not reduce German "kauft" and "gekauft" to one stem.
fn german(stem: String) -> Vec<String> {
    const STEM_CHARS_MIN: usize = 4;
    const BEFORE_GE: [&str; 16] = [
        "ab", "an", "auf", "aus", "bei", "ein", "fest", "her", "hin", "los", "mit", "nach", "um", "vor",
        "weg", "zu",
    ];
    let long = |word: &str| word.len() >= STEM_CHARS_MIN;
    let mut forms = Vec::new();
    let bare = stem.strip_suffix("et").or_else(|| stem.strip_suffix('t')).filter(|bare| long(bare));
    for form in [Some(stem.as_str()), bare].into_iter().flatten() {
        let inner = form.strip_prefix("ge").filter(|inner| long(inner)).map(str::to_owned);
        let split = BEFORE_GE.iter().find_map(|prefix| {
            let inner = form.strip_prefix(prefix)?.strip_prefix("ge").filter(|inner| long(inner))?;
            Some(format!("{prefix}{inner}"))
        });
        forms.extend([Some(form.to_owned()), inner, split].into_iter().flatten());
    }
    forms
}

/// A German word with `ae`, `oe`, `ue` as umlauts (not `ue` after a, e, q).
pub fn umlauts(folded: &str) -> Option<String> {
    let bytes = folded.as_bytes();
    let mut out = String::with_capacity(folded.len());
    let mut at = 0;
    while at < bytes.len() {
        let Some(c) = folded[at..].chars().next() else { break };
        let is_pair = matches!(c, 'a' | 'o' | 'u') && bytes.get(at + 1) == Some(&b'e');
        let is_diphthong = at > 0 && matches!(bytes[at - 1], b'a' | b'e' | b'q');
        out.push(c);
        at += c.len_utf8() + usize::from(is_pair && !is_diphthong);
    }
    (out != folded).then_some(out)
}

/// A word with umlauts spelled out: `ä` as `ae`.
pub fn spelled_out(word: &str) -> Option<String> {
    if word.is_ascii() {
        return None;
    }
    let spelled: String = word
        .chars()
        .map(|c| match c {
            'ä' => "ae".to_owned(),
            'ö' | 'ø' => "oe".to_owned(),
            'ü' => "ue".to_owned(),
            'å' => "aa".to_owned(),
            other => other.to_string(),
        })
        .collect();
    (spelled != word).then_some(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(text: &str) -> Evidence {
        let mut evidence = Evidence::default();
        fold(&text.to_lowercase())
            .split(|c: char| !c.is_alphanumeric())
            .for_each(|word| evidence.add_word(empty_in(word)));
        evidence.add_letters(text);
        evidence
    }

    #[test]
    fn a_sentence_tells_its_language() {
        for (text, language) in [
            ("Who brought the bread to the guild?", English),
            ("¿Quién trajo el pan a la reunión?", Spanish),
            ("Wer hat das Brot mitgebracht?", German),
            ("Qui a apporté le pain à la réunion ?", French),
            ("Chi ha portato il pane alla riunione?", Italian),
            ("Quem trouxe o pão para a reunião?", Portuguese),
            ("Wie heeft het brood naar de vergadering gebracht?", Dutch),
            ("Кто принёс хлеб?", Russian),
        ] {
            assert_eq!(evidence(text).likely(1), [language], "{text}");
        }
        assert_eq!(evidence("caraway").foreign(4), None);
        assert_eq!(evidence("the caraway").foreign(4), Some(Vec::new()));
    }

    #[test]
    fn forms_of_a_word_meet() {
        let mut stems = Stems::default();
        for (language, forms) in [
            (Spanish, "comprar compró compre compramos comprado"),
            (Spanish, "zapato zapatos"),
            (Spanish, "canción canciones cancion"),
            (Spanish, "ir fue fuimos voy"),
            (German, "kaufen kauft kaufte gekauft"),
            (German, "einkaufen eingekauft"),
            (German, "Häuser Haus Haeuser"),
            (German, "gehen ging gegangen"),
            (French, "chanter chanté chantait chante"),
            (French, "cheval chevaux"),
            (Russian, "книга книги книгу"),
            (Dutch, "boeken boek"),
            (Arabic, "مفتاح مفاتيح المفتاح"),
            (Arabic, "مدرسة مدارس"),
            (Arabic, "رواتب راتب الرواتب"),
        ] {
            let mut each = forms.split(' ').map(|form| stems.of(language, &form.to_lowercase()).into_owned());
            let first = each.next().expect("a form");
            for other in each {
                assert!(other.iter().any(|stem| first.contains(stem)), "{forms}: {first:?} {other:?}");
            }
        }
    }

    #[test]
    fn umlauts_are_spelled_both_ways() {
        assert_eq!(umlauts("muenchen").as_deref(), Some("munchen"));
        assert_eq!(umlauts("neuer"), None);
        assert_eq!(umlauts("quelle"), None);
        assert_eq!(spelled_out("münchen").as_deref(), Some("muenchen"));
        assert_eq!(spelled_out("munchen"), None);
    }
}
