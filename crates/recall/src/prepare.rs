//! Prepares a passage for the index, once per change of its file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use inwit_store::{IndexedPassage, SetKey, StoredPassage, TextKey, Traits};
use jiff::civil::Date;

use crate::analyse::{Analyser, Kind, Run, Runs, Terms};
use crate::carried::Carried;
use crate::language::{Evidence, Language, PRESENCE_TERM};
use crate::lexical::{HEADING_MARK, TRIGGER_MARK};
use crate::meaning;
use crate::related;
use crate::time::passage::{may_tell, tells_time, told};

/// A passage cut from a file.
#[derive(Debug, Clone)]
pub struct RawPassage<'t> {
    /// Its stored data.
    pub stored: StoredPassage,
    /// Its indexed text, if different from the stored one.
    pub read: Option<ReadAs>,
    /// Whether it is a part of the entry that the passage before it is a part of.
    pub continues_entry: bool,
    /// Lines of its entry above it that say what it is about; their words count as those of a heading.
    pub context: String,
    /// The label of its entry (`Ana` in `- Ana: …`).
    pub label: Option<&'t str>,
    /// Its date.
    pub date: Option<Date>,
    /// Whether its importance and triggers count ([`Carried`]).
    pub is_vouched_for: bool,
}

/// The indexed text of a passage with masked parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAs {
    /// Its text without comments.
    pub text: String,
    /// Its heading path.
    pub heading: String,
    /// All of it, with comments.
    pub whole: String,
}

impl RawPassage<'_> {
    /// Its text, without comments.
    fn text(&self) -> Cow<'_, str> {
        match &self.read {
            Some(read) => Cow::Borrowed(&read.text),
            None => inwit_markdown::shown(&self.stored.text),
        }
    }

    fn heading(&self) -> &str {
        self.read.as_ref().map_or(&self.stored.heading, |read| &read.heading)
    }

    fn whole(&self) -> &str {
        self.read.as_ref().map_or(&self.stored.text, |read| &read.whole)
    }
}

/// Most distinct indexed terms of one file: novels have fewer, data has millions.
pub const FILE_TERMS_MAX: usize = 200_000;

/// Most indexed postings of one file: each takes memory until the file is written.
pub const FILE_POSTINGS_MAX: usize = 1_500_000;

/// Analyses the passages of one file of `set`; the words of `page` count as a heading above all. A passage of unknown
/// language gets its file's. Text beyond [`FILE_TERMS_MAX`] terms or [`FILE_POSTINGS_MAX`] postings is stored and not
/// indexed.
pub fn prepare(
    raws: Vec<RawPassage<'_>>,
    page: &str,
    set: &SetKey,
    analyser: &mut Analyser,
) -> Vec<IndexedPassage> {
    within(FILE_POSTINGS_MAX, raws, page, set, analyser)
}

fn within(
    postings_max: usize,
    raws: Vec<RawPassage<'_>>,
    page: &str,
    set: &SetKey,
    analyser: &mut Analyser,
) -> Vec<IndexedPassage> {
    let mut of_file = Evidence::default();
    let bytes: usize = raws.iter().map(|raw| raw.stored.text.len()).sum();
    // The hash of each term: no copy of so many words.
    let mut known = (bytes > FILE_TERMS_MAX).then(HashSet::<u64>::new);
    let state = RandomState::new();
    let mut postings = 0;
    let analysed: Vec<(RawPassage<'_>, Terms)> = raws
        .into_iter()
        .map(|raw| {
            let is_full = known.as_ref().is_some_and(|known| known.len() >= FILE_TERMS_MAX);
            if is_full || postings >= postings_max {
                return (raw, Terms::default());
            }
            let mut terms = analyser.terms(&raw.text());
            postings += terms.counts.len();
            if let Some(known) = &mut known {
                known.extend(terms.counts.iter().map(|(term, _)| state.hash_one(term)));
            }
            // A speaker's name is no evidence of a language: Ben is not the Turkish word for "I".
            if let Some(label) = raw.label {
                terms.evidence.subtract(&analyser.terms(label).evidence);
            }
            of_file.add(&terms.evidence);
            (raw, terms)
        })
        .collect();
    let of_file = of_file.foreign(LANGUAGES_MAX).unwrap_or_default();
    let related = related::levels(analysed.iter().map(|(_, terms)| terms));
    let mut present: Vec<Language> = Vec::new();
    let mut headed = Headed { page: page.to_owned(), left: postings_max, ..Headed::default() };
    let prepared = analysed.into_iter().zip(related).map(|((raw, terms), related)| {
        let languages = terms.evidence.foreign(LANGUAGES_MAX).unwrap_or_else(|| of_file.clone());
        let mut passage = one(raw, terms, related, &languages, set, &mut headed, analyser);
        if present.is_empty() && !languages.is_empty() {
            passage.terms.push((PRESENCE_TERM.to_owned(), 1));
        }
        for language in languages {
            if !present.contains(&language) {
                present.push(language);
                passage.terms.push((language.presence_term(), 1));
            }
        }
        passage
    });
    prepared.collect()
}

/// Whether `passages` exceed these limits, so that later ones are not indexed.
pub fn has_too_many_terms<'t>(mut passages: impl Iterator<Item = &'t str>) -> bool {
    let (mut seen, mut postings): (HashSet<&str>, usize) = (HashSet::new(), 0);
    passages.any(|passage| {
        let mut own: HashSet<&str> = HashSet::new();
        for run in Runs::of(passage) {
            match run {
                Run::Word(word) => own.extend([word]),
                Run::Spaceless(run) | Run::Pictures(run) => {
                    let starts: Vec<usize> =
                        run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
                    own.extend(starts.windows(3).map(|pair| &run[pair[0]..pair[2]]));
                }
            }
        }
        postings += own.len();
        seen.extend(own);
        seen.len() > FILE_TERMS_MAX || postings > FILE_POSTINGS_MAX
    })
}

/// Most languages other than English of a passage.
const LANGUAGES_MAX: usize = 2;

fn one(
    raw: RawPassage<'_>,
    mut terms: Terms,
    related: u8,
    languages: &[Language],
    set: &SetKey,
    headed: &mut Headed,
    analyser: &mut Analyser,
) -> IndexedPassage {
    let (text, heading_path) = (raw.text(), raw.heading());
    let text = text.as_ref();
    let tells_time = tells_time(text, without_tag(text));
    if may_tell(text, tells_time) {
        let languages = terms.evidence.likely(LANGUAGES_MAX);
        terms.counts.extend(told(text, &languages, raw.date).into_iter().map(|term| (term, 1)));
    }
    if !languages.is_empty() && terms.length > 0 {
        terms.counts.extend(analyser.foreign_terms(text, languages));
    }
    headed.read(heading_path, &raw.context, languages, analyser);
    terms.counts.extend_from_slice(headed.terms());
    if raw.date.is_none() {
        terms.counts.extend_from_slice(&headed.times);
    }
    let carried = if raw.is_vouched_for { Carried::of(raw.whole()) } else { Carried::default() };
    terms.counts.extend(called_up_by(&carried.triggers, languages, analyser));
    let label = raw.label.map(|label| label_terms(label, analyser)).filter(|label| !label.is_empty());
    let (importance, continues_entry) = (carried.importance, raw.continues_entry);
    let traits = Traits { asks: asks(text), tells_time, importance, related, continues_entry };
    let key = TextKey::of(set, &meaning::text(text));
    let section = fingerprint(heading_path);
    IndexedPassage {
        stored: raw.stored,
        section,
        label,
        traits,
        date: raw.date,
        key,
        length: terms.length,
        terms: terms.counts,
    }
}

/// The trigger terms of a passage, each once.
fn called_up_by(triggers: &[&str], languages: &[Language], analyser: &mut Analyser) -> Vec<(String, u32)> {
    let text = triggers.join("\n");
    if text.is_empty() {
        return Vec::new();
    }
    let mut terms: Vec<(String, u32)> = analyser.terms(&text).counts;
    terms.extend(analyser.foreign_terms(&text, languages));
    terms.into_iter().map(|(term, _)| (format!("{TRIGGER_MARK}{term}"), 1)).collect()
}

fn label_terms(label: &str, analyser: &mut Analyser) -> String {
    let mut terms: Vec<String> = Vec::new();
    analyser.each_term(label, &mut |term, kind| {
        if kind == Kind::Word {
            terms.push(term.to_owned());
        }
    });
    terms.join(" ")
}

/// Whether it ends with a question mark, before closing quotes or brackets.
fn asks(text: &str) -> bool {
    let mut rest = text.trim_end();
    loop {
        rest = rest.trim_end_matches(|c: char| {
            c.is_whitespace() || matches!(c, '"' | '\'' | '”' | '’' | ')' | '*' | '_' | '」')
        });
        if !rest.ends_with(']') {
            return rest.ends_with(['?', '？']);
        }
        match rest.rfind('[') {
            Some(at) => rest = &rest[..at],
            None => return false,
        }
    }
}

/// Terms of the last headings, shared by the passages of a section. Invariant: at most [`FILE_POSTINGS_MAX`] per
/// file.
#[derive(Default)]
struct Headed {
    /// Heading words of the file.
    page: String,
    path: Option<String>,
    context: String,
    languages: Vec<Language>,
    terms: Vec<(String, u32)>,
    /// Times named in them: "May 2026" above a passage is not a date, but a time.
    times: Vec<(String, u32)>,
    left: usize,
}

impl Headed {
    /// Reads `path`, where it is another one than that of the passage before. Where the file has too many terms of headings
    /// already, nothing is read: their words would cost more than those of all passages.
    fn read(&mut self, path: &str, context: &str, languages: &[Language], analyser: &mut Analyser) {
        if self.left == 0 {
            (self.terms, self.times) = (Vec::new(), Vec::new());
        } else if self.path.as_deref() != Some(path) || self.context != context || self.languages != languages
        {
            let words = match self.page.is_empty() && context.is_empty() {
                true => Cow::Borrowed(path),
                false => Cow::Owned(format!("{path}\n{}\n{context}", self.page)),
            };
            self.context = context.to_owned();
            let mut counts = analyser.terms(&words).counts;
            if !languages.is_empty() {
                counts.extend(analyser.foreign_terms(&words, languages));
            }
            let marked = counts.into_iter().map(|(term, count)| (format!("{HEADING_MARK}{term}"), count));
            (self.path, self.languages, self.terms) =
                (Some(path.to_owned()), languages.to_vec(), marked.collect());
            let times =
                if may_tell(path, tells_time(path, path)) { told(path, &[], None) } else { Vec::new() };
            self.times = times.into_iter().map(|term| (term, 1)).collect();
        }
    }

    /// Its terms, marked as heading terms; none once the file has too many.
    fn terms(&mut self) -> &[(String, u32)] {
        let left = self.left.checked_sub(self.terms.len());
        self.left = left.unwrap_or(0);
        if left.is_some() { &self.terms } else { &[] }
    }
}

/// The text after a leading bullet and `[tag]`: numbers in a tag are not times.
fn without_tag(text: &str) -> &str {
    let text = text.trim_start_matches(['-', '*', '+', ' ']);
    match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) => rest,
        None => text,
    }
}

/// FNV-1a of the heading path: equal on every machine.
fn fingerprint(heading: &str) -> u32 {
    heading.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_model::Scope;

    fn raw(text: &str) -> RawPassage<'static> {
        let stored = StoredPassage {
            start: 0,
            end: text.len() as u64,
            first_line: 1,
            last_line: 1,
            heading: String::new(),
            text: text.to_owned(),
        };
        RawPassage {
            stored,
            read: None,
            continues_entry: false,
            context: String::new(),
            label: None,
            date: None,
            is_vouched_for: true,
        }
    }

    /// Data without repeated words: earlier text of the file stays searchable, and doctor reports it.
    #[test]
    fn of_a_file_of_too_many_words_the_first_are_indexed() {
        let words = |numbers: std::ops::Range<usize>| -> String {
            numbers.map(|number| format!("w{}x ", char_word(number))).collect()
        };
        let raws = (0..60).map(|at| words(at * 10_000..(at + 1) * 10_000) + "kiln");
        let texts: Vec<String> = raws.collect();
        let raws = texts.iter().map(|text| raw(text)).collect();
        let passages = prepare(raws, "", &SetKey::of(&Scope::Main), &mut Analyser::default());
        let distinct: HashSet<&str> =
            passages.iter().flat_map(|passage| &passage.terms).map(|(term, _)| term.as_str()).collect();
        let says_kiln = |passage: &IndexedPassage| passage.terms.iter().any(|(term, _)| term == "kiln");
        assert!(distinct.len() < FILE_TERMS_MAX + 10_000, "{}", distinct.len());
        let found = passages.iter().filter(|passage| says_kiln(passage)).count();
        assert!((20..45).contains(&found) && passages.len() == 60, "{found}");
        assert!(passages[..found].iter().all(says_kiln));
        assert!(has_too_many_terms(texts.iter().map(String::as_str)));
        let few = "the kiln ".repeat(200_000);
        assert!(!has_too_many_terms(std::iter::once(few.as_str())));
    }

    /// Few distinct words, all of them in each passage.
    #[test]
    fn of_a_file_of_too_many_postings_the_first_passages_are_indexed() {
        let words: String = (0..100).map(|number| format!("w{}x ", char_word(number))).collect();
        let texts = vec![words; 20];
        let raws = texts.iter().map(|text| raw(text)).collect();
        let passages = within(1_000, raws, "", &SetKey::of(&Scope::Main), &mut Analyser::default());
        let found: Vec<bool> = passages.iter().map(|passage| passage.terms.len() >= 100).collect();
        assert_eq!(found, [vec![true; 10], vec![false; 10]].concat());
        let all = |count: usize| texts.iter().map(String::as_str).cycle().take(count);
        assert!(has_too_many_terms(all(FILE_POSTINGS_MAX / 100 + 1)) && !has_too_many_terms(all(1_000)));
    }

    /// A heading counts for each passage of its section.
    #[test]
    fn the_headings_of_a_file_have_a_bound_of_their_own() {
        let mut raws: Vec<RawPassage<'_>> = (0..20).map(|_| raw("rye")).collect();
        raws.iter_mut().for_each(|raw| raw.stored.heading = "Bread in the oven chest".into());
        let passages = within(30, raws, "", &SetKey::of(&Scope::Main), &mut Analyser::default());
        let headed = |passage: &IndexedPassage| {
            passage.terms.iter().filter(|(term, _)| term.starts_with(HEADING_MARK)).count()
        };
        assert!(headed(&passages[0]) >= 3 && headed(&passages[19]) == 0);
        assert!(passages.iter().map(headed).sum::<usize>() <= 30);
    }

    /// A number in letters.
    fn char_word(number: usize) -> String {
        number.to_string().bytes().map(|digit| char::from(b'a' + digit - b'0')).collect()
    }

    #[test]
    fn a_passage_that_asks_is_known_through_what_closes_it() {
        for text in ["Which bread?", "- [D1:3] Ana: \"Which one?\" [image: a loaf]", "哪个？", "(really?)"]
        {
            assert!(asks(text), "{text}");
        }
        for text in ["Rye.", "Why? Because.", "]", "a]"] {
            assert!(!asks(text), "{text}");
        }
    }

    #[test]
    fn the_name_of_who_speaks_tells_no_language() {
        let raw = |text| RawPassage { label: Some("Ben"), ..raw(text) };
        for (text, is_foreign) in [("- Ben: rye bread", false), ("- Ben: dün seninle ve onlarla ekmek", true)]
        {
            let set = SetKey::of(&Scope::Main);
            let prepared = prepare(vec![raw(text)], "", &set, &mut Analyser::default()).remove(0);
            let marked = prepared.terms.iter().any(|(term, _)| term.starts_with(PRESENCE_TERM));
            assert_eq!(marked, is_foreign, "{text}");
        }
    }

    #[test]
    fn headings_and_labels_are_fields_of_their_own() {
        let stored = StoredPassage {
            start: 0,
            end: 9,
            first_line: 1,
            last_line: 1,
            heading: "Baking › Rye".into(),
            text: "- Ana María: slept well".into(),
        };
        let raw = RawPassage {
            stored,
            read: None,
            continues_entry: false,
            context: String::new(),
            label: Some("Ana María"),
            date: None,
            is_vouched_for: true,
        };
        let prepared = prepare(vec![raw], "", &SetKey::of(&Scope::Main), &mut Analyser::default()).remove(0);
        assert_eq!(prepared.label.as_deref(), Some("ana maria"));
        let terms: Vec<&str> =
            prepared.terms.iter().map(|(term, _)| term.as_str()).filter(|term| !term.contains('~')).collect();
        assert_eq!(terms, ["ana", "maria", "sleep", "well", "#bake", "#rye"]);
        assert_eq!(prepared.length, 4);
    }
}
