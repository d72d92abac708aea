//! A parsed query: its weighted terms, and its filters.

mod draft;

use std::collections::HashSet;

use inwit_model::limit::{QUERY_BYTES_MAX, QUERY_TERMS_MAX};
use inwit_model::name::shown;
use jiff::civil::Date;

use crate::analyse::{Analyser, plain_words};
use crate::expression::Expression;
use crate::fold::Folded;
use crate::language::{Evidence, Language, bit, empty_in};
use crate::time::bound::{Side, is_time, meant};
use crate::time::calendar::Unit;
use crate::time::passage::asks_when;
use crate::time::{self, Grain, Interval, Reading, When};
use draft::{QuestionDraft, plain_word};

/// A parsed query.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its text.
    pub text: String,
    /// Terms to search, in order, without repetition.
    pub terms: Vec<QuestionTerm>,
    /// Stop words.
    pub stop_words: Vec<String>,
    /// Terms beyond [`TERMS_COMPARED_MAX`]; search adds those that it omits.
    pub beyond_limit: Vec<String>,
    /// Its possible languages other than English.
    pub languages: Vec<Language>,
    /// Whether it asks for a time.
    pub asks_when: bool,
    /// The time that it names, or that was given separately.
    pub when: When,
    /// Its time words.
    pub time_words: Vec<String>,
    /// The time words as terms, searched only if no passage is of that time.
    pub time_terms: Vec<QuestionTerm>,
    /// The event that it counts days from.
    pub event: Option<Event>,
    /// The date of the query.
    pub today: Date,
    /// Only passages of these days.
    pub days: Option<Interval>,
    /// Only passages that match; all matches are results.
    pub only: Option<Expression>,
    /// λ of [`diverse`](crate::diverse::diverse) in hundredths, if near-duplicates rank lower.
    pub diverse_percent: Option<u8>,
    /// All its analysed words, including stop words: a label is named if all its words are here.
    pub said: HashSet<String>,
}

/// An event that a query counts days from: "three days after the dentist".
#[derive(Debug, Clone)]
pub struct Event {
    /// Terms of the event.
    pub terms: Vec<QuestionTerm>,
    /// Terms of the query without those of the event.
    pub rest: Vec<QuestionTerm>,
    /// The unit of the count.
    pub unit: Unit,
    /// The count; negative before the event.
    pub count: i32,
}

/// One term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionTerm {
    /// The term in the index.
    pub term: String,
    /// Its weight, 0 to 1.
    pub share: f32,
    /// Joined with an adjacent word, as another spelling (`note book`, `notebook`).
    pub joined: Vec<String>,
    /// The word as written and folded, for stemming in the languages of the notes.
    pub words: Vec<String>,
    /// Other spellings (`munchen`, `muenchen`).
    pub spelled: Vec<String>,
    /// Whether it is in the context of the asked sentence.
    pub is_context: bool,
    /// It is written as a name: with a capital, within a sentence that has words without one.
    pub is_name: bool,
}

/// Explicit parameters of a query: time bounds (see [`meant`]), diversity, and the form of results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds<'b> {
    /// Only passages of this time or later.
    pub since: Option<&'b str>,
    /// Only passages of this time or earlier.
    pub until: Option<&'b str>,
    /// Boosts passages near this time.
    pub around: Option<&'b str>,
    /// See [`Question::diverse_percent`].
    pub diverse_percent: Option<u8>,
    /// The query is an [`Expression`]; if it is invalid, its words are searched.
    pub is_expression: bool,
    /// Searches only MEMORY.md, USER.md and files below `memory/`.
    pub only_memory: bool,
    /// Most characters of one result. If set, adjacent passages of one entry are merged, equal passages are shown
    /// once, and results are extended by neighbours.
    pub result_chars: Option<usize>,
}

/// Why a query is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// It has no letter, digit or emoji.
    #[error("the query contains no words.")]
    Empty,
    /// The given time cannot be parsed.
    #[error("cannot parse `{0}` as a time.")]
    NoTime(String),
    /// The given time has a word for another bound.
    #[error("`{0}` contains a bound of its own that contradicts the requested one: write only the time.")]
    OtherBound(String),
    /// The bounds are empty.
    #[error("the time ends on {1}, before it starts on {0}.")]
    NoDays(Date, Date),
    /// It is too long.
    #[error("the query has {0} bytes; the maximum is {QUERY_BYTES_MAX}.")]
    TooLong(usize),
}

/// Most languages of a query.
const LANGUAGES_MAX: usize = 4;

impl Question {
    /// Analyses `text` for the date `today`. Any text with a word within the limit is valid. Of a long text the last
    /// sentence and the last one with a question mark are asked; the rest is context.
    pub fn new(text: &str, today: Date, analyser: &mut Analyser) -> Result<Self, QuestionError> {
        if text.len() > QUERY_BYTES_MAX {
            return Err(QuestionError::TooLong(text.len()));
        }
        // The name of a file asks for its words.
        let text = text.trim_end().strip_suffix(".md").filter(|name| !name.is_empty()).unwrap_or(text);
        let whole = Self::of_one(text, today, analyser)?;
        if whole.terms.len() <= QUERY_TERMS_MAX {
            return Ok(whole);
        }
        let asked = asked_sentences(text).and_then(|asked| Self::of_one(&asked, today, analyser).ok());
        let has_content = |asked: &Self| {
            let is_empty =
                |term: &QuestionTerm| asked.stop_words.iter().any(|word| term.words.contains(word));
            let full = asked.terms.iter().filter(|term| term.share == 1.0 && !is_empty(term)).count();
            full >= ASKED_TERMS_MIN && asked.terms.len() <= QUERY_TERMS_MAX
        };
        Ok(match asked.filter(has_content) {
            Some(asked) => asked.in_context_of(whole),
            None => whole,
        })
    }

    /// Adds the surrounding words with a lower weight.
    fn in_context_of(self, whole: Self) -> Self {
        let known: HashSet<&str> = self.terms.iter().map(|term| term.term.as_str()).collect();
        let context = whole.terms.iter().filter(|term| !known.contains(term.term.as_str()));
        let context: Vec<QuestionTerm> = context
            .map(|term| QuestionTerm { share: term.share * CONTEXT_SHARE, is_context: true, ..term.clone() })
            .collect();
        let mut terms = self.terms;
        terms.extend(context);
        Self {
            text: whole.text,
            terms,
            stop_words: whole.stop_words,
            beyond_limit: whole.beyond_limit,
            ..self
        }
    }

    fn of_one(text: &str, today: Date, analyser: &mut Analyser) -> Result<Self, QuestionError> {
        let folded = Folded::of(text);
        let words = plain_words(text);
        let mut evidence = Evidence::default();
        evidence.add_letters(&folded.composed);
        words.iter().for_each(|word| evidence.add_word(empty_in(word)));
        let likely = evidence.likely(LANGUAGES_MAX);
        let when = time::read_question(&folded, &likely, today);
        let rest = folded.without(&when.nameless_places());
        let mut asked = QuestionDraft::new(&rest, evidence, &likely);
        asked.look_up(analyser);
        let mut draft = |text: &str| {
            let mut draft = QuestionDraft::new(text, evidence, &likely);
            draft.look_up(analyser);
            if draft.is_of_stop_words { Vec::new() } else { draft.terms }
        };
        let event = when.offsets.first().map(|offset| {
            let text = folded.composed.get(folded.origin(offset.event.clone())).unwrap_or_default();
            let mut places = when.places.clone();
            places.push(offset.event.clone());
            places.sort_by_key(|place| place.start);
            let rest = draft(&folded.without(&places));
            Event { terms: draft(text), rest, unit: offset.unit, count: offset.count }
        });
        if asked.terms.is_empty() && when.places.is_empty() {
            return Err(QuestionError::Empty);
        }
        if asked.is_of_stop_words && !when.is_empty() {
            // "What happened last Friday?" asks for the day, not for its stop words.
            asked.terms.clear();
        }
        let beyond = asked.terms.split_off(asked.terms.len().min(TERMS_COMPARED_MAX));
        let mut said = HashSet::new();
        words.iter().for_each(|word| {
            analyser.each_term(word, &mut |term, _| {
                said.insert(term.to_owned());
            })
        });
        let time_words =
            when.places.iter().filter_map(|place| folded.composed.get(folded.origin(place.clone())));
        let time_words: Vec<String> = time_words.map(str::to_owned).collect();
        let time_terms = time_terms(&time_words, evidence, &likely, analyser);
        Ok(Self {
            text: text.to_owned(),
            terms: asked.terms,
            stop_words: asked.stop_words,
            beyond_limit: beyond.into_iter().map(|term| term.term).collect(),
            languages: asked.languages,
            asks_when: asks_when(text, &words),
            time_words,
            time_terms,
            when,
            event: event.filter(|event| !event.terms.is_empty()),
            today,
            days: None,
            only: None,
            diverse_percent: None,
            said,
        })
    }

    /// The same for an expression: matches are ranked by its possible words.
    pub fn expressed(
        expression: Expression,
        today: Date,
        analyser: &mut Analyser,
    ) -> Result<Self, QuestionError> {
        let question = Self::new(&expression.wanted().join(" "), today, analyser)?;
        Ok(Self { only: Some(expression), ..question })
    }
}

/// Most terms whose rarity is looked up; [`QUERY_TERMS_MAX`] of them are searched.
pub const TERMS_COMPARED_MAX: usize = 512;

/// Fewest content terms of the asked sentence; otherwise the whole text is asked.
const ASKED_TERMS_MIN: usize = 2;

/// Weight of a word in the context of the asked sentence.
const CONTEXT_SHARE: f32 = 0.1;

/// The last sentence of `text` and the last one with a question mark, if there are others before.
fn asked_sentences(text: &str) -> Option<String> {
    let mut sentences: Vec<&str> = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let behind = &text[at + c.len_utf8()..];
        // A full stop within a name or number does not end a sentence.
        let ends = matches!(c, '。' | '？' | '！' | '\n')
            || matches!(c, '.' | '?' | '!') && behind.starts_with(char::is_whitespace);
        if ends {
            sentences.push(&text[start..at + c.len_utf8()]);
            start = at + c.len_utf8();
        }
    }
    sentences.push(&text[start..]);
    sentences.retain(|sentence| sentence.contains(char::is_alphanumeric));
    let last = sentences.len().checked_sub(1).filter(|last| *last > 0)?;
    let is_question = |sentence: &&str| sentence.trim_end().ends_with(['?', '？']);
    match sentences.iter().rposition(is_question).filter(|at| *at < last) {
        Some(at) => Some(format!("{} {}", sentences[at].trim(), sentences[last].trim())),
        None => Some(sentences[last].trim().to_owned()),
    }
}

/// Reach of "around" in days, with the boost at that distance.
const AROUND: [(i32, Grain); 2] = [(3, Grain::Week), (15, Grain::Month)];

impl Question {
    /// Applies `bounds`, for the date `today`.
    pub fn within(mut self, bounds: &Bounds<'_>, today: Date) -> Result<Self, QuestionError> {
        self.diverse_percent = bounds.diverse_percent;
        let read = |text: &str, side| {
            meant(text, side, today).ok_or_else(|| match is_time(text, today) {
                true => QuestionError::OtherBound(shown(text).to_string()),
                false => QuestionError::NoTime(shown(text).to_string()),
            })
        };
        let since = bounds.since.map(|text| read(text, Side::Since)).transpose()?.and_then(|read| read.since);
        let until = bounds.until.map(|text| read(text, Side::Until)).transpose()?.and_then(|read| read.until);
        if let (Some(since), Some(until)) = (since, until)
            && since > until
        {
            return Err(QuestionError::NoDays(since, until));
        }
        if since.is_some() || until.is_some() {
            self.days = Some(Interval { since, until });
        }
        if let Some(text) = bounds.around {
            let interval = read(text, Side::Around)?;
            self.when.readings.push(Reading::of(interval));
            for (days, grain) in AROUND {
                let moved = |day: Date, days| time::calendar::moved(day, Unit::Day, days);
                let since = interval.since.map(|day| moved(day, -days));
                let until = interval.until.map(|day| moved(day, days));
                self.when.readings.push(Reading::with(Interval { since, until }, grain));
            }
            self.time_words.push(text.to_owned());
        }
        Ok(self)
    }
}

/// The time words as terms with half weight.
fn time_terms(
    words: &[String],
    evidence: Evidence,
    likely: &[Language],
    analyser: &mut Analyser,
) -> Vec<QuestionTerm> {
    const TIME_WORD_SHARE: f32 = 0.5;
    let text = words.join(" ");
    let mut asked = QuestionDraft::new(&text, evidence, likely);
    asked.look_up(analyser);
    let halved =
        asked.terms.into_iter().map(|term| QuestionTerm { share: term.share * TIME_WORD_SHARE, ..term });
    halved.filter(|_| !asked.is_of_stop_words).collect()
}

/// Whether a word is a stop word: `the`, `und`. Capitalised it may be a name in other languages than English.
pub fn is_stop_word(word: &str) -> bool {
    let mask = if word.starts_with(char::is_uppercase) { bit(Language::English) } else { !0 };
    empty_in(&plain_word(word)) & mask != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::run_terms;

    fn question(text: &str) -> Question {
        Question::new(text, jiff::civil::date(2026, 11, 21), &mut Analyser::default()).expect("a question")
    }

    fn terms(text: &str) -> Vec<String> {
        question(text).terms.into_iter().map(|term| term.term).collect()
    }

    #[test]
    fn content_words_are_looked_up_and_stop_words_are_named() {
        let asked = question("Which bread does she like?");
        assert_eq!(asked.terms.iter().map(|term| term.term.as_str()).collect::<Vec<_>>(), ["bread", "like"]);
        assert_eq!(asked.stop_words, ["which", "does", "she"]);
        assert_eq!(terms("who is who"), ["who", "be"]);
        assert_eq!(terms("What is Ben's cat called?"), ["ben", "cat", "call"], "a name is no word of Dutch");
        let asked = question("Was haben Sie dem Bäcker gesagt?");
        assert!(asked.stop_words.contains(&"sie".to_owned()), "a courtesy is empty in its own language");
    }

    #[test]
    fn pairs_carry_a_spaceless_question() {
        let shares: Vec<(String, f32)> =
            question("用户名").terms.into_iter().map(|term| (term.term, term.share)).collect();
        let expected = [("用", 0.25), ("户", 0.25), ("用户", 1.0), ("名", 0.25), ("户名", 1.0)];
        assert_eq!(shares, expected.map(|(term, share)| (term.to_owned(), share)));
        assert_eq!(question("藕").terms[0].share, 1.0);
    }

    #[test]
    fn two_words_may_be_written_as_one() {
        let asked = question("note book");
        assert_eq!(asked.terms[0].joined, ["notebook"]);
        assert_eq!(asked.terms[1].joined, ["notebook"]);
    }

    /// Whether every content word of a query matches a note.
    fn leads(text: &str, note: &str) -> bool {
        let mut analyser = Analyser::default();
        let held: Vec<String> = analyser.terms(note).counts.into_iter().map(|(term, _)| term).collect();
        let asked = Question::new(text, jiff::civil::date(2026, 11, 21), &mut analyser).expect("a question");
        let words = plain_words(text);
        let leads = |word: &String| {
            let terms = run_terms(word, &mut analyser);
            terms.iter().any(|(term, ..)| held.contains(term))
        };
        !asked.terms.is_empty() && words.iter().all(leads)
    }

    #[test]
    fn a_name_of_code_is_found_by_what_people_type_of_it() {
        let wrong: Vec<String> = [
            (
                "HTTPServer2Client",
                "server|client|http|server2|httpserver2client|HTTPServer2Client|serverclient?",
            ),
            ("utf8Decoder", "decoder|utf8|utf|utf8decoder"),
            ("IPv6Address", "ip address|ipv6|address|ipv6address|IPv6"),
            ("oauth2 token", "oauth|oauth2|oauth2 token"),
            ("GPT4All", "gpt4|gpt|all|gpt4all|GPT4All"),
            ("parseHttpHeader2Json", "http header json|parsehttp|parsehttpheader2json"),
            ("10 km", "10km|10 km"),
            ("10km", "10 km|km|10km"),
            ("WebSocketClient", "websocketclient|websocket|socketclient|WebSocket|web socket"),
            ("WebSocketClient's", "websocketclient"),
            ("sync_user_accounts", "syncuseraccounts|useraccounts|syncUserAccounts"),
            ("maxRetryCount", "retrycount|retry_count|retries"),
            ("fooBarBaz", "foobar|barbaz|fooBar|foobarbaz"),
            ("v2 5k e29b", "2?|5?|29?"),
            ("a3f4b5c6d7ee99", "99?|ee?"),
        ]
        .iter()
        .flat_map(|(note, typed)| typed.split('|').map(move |typed| (*note, typed)))
        .filter(|(note, typed)| leads(typed.trim_end_matches('?'), note) == typed.ends_with('?'))
        .map(|(note, typed)| format!("{typed} in {note}"))
        .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_time_is_read_in_the_language_of_all_its_words() {
        for text in
            ["avant-hier", "avant hier", "hier soir", "Hier soir ?", "vorgestern", "anteayer", "ce matin"]
        {
            assert!(!question(text).when.is_empty(), "{text}");
        }
        assert!(question("Wer ist hier?").when.is_empty(), "a word of German");
        assert!(question("What did Domingo say?").when.is_empty(), "a name in an English question");
    }

    #[test]
    fn of_a_long_text_the_last_question_is_asked_and_the_rest_is_context() {
        let chat: String = (0..100).map(|at| format!("We saw thing{at} yesterday. ")).collect();
        let asked = question(&format!("{chat}What is wrong with the ladder? Thanks for v1.2 help."));
        let own: Vec<&str> =
            asked.terms.iter().filter(|term| !term.is_context).map(|term| term.term.as_str()).collect();
        assert!(own.contains(&"ladder") && own.contains(&"help") && !own.contains(&"thing1"), "{own:?}");
        assert!(asked.terms.iter().any(|term| term.is_context && term.term == "thing1"));
        assert!(asked.when.is_empty(), "a time in the context is none of the question");
        let asked = question(&format!("{chat}And why?"));
        assert!(asked.terms.iter().all(|term| !term.is_context), "nothing is asked there");
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let refused = |text: &str| {
            Question::new(text, jiff::civil::date(2026, 11, 21), &mut Analyser::default())
                .expect_err("refused")
        };
        assert_eq!(refused("?!  …"), QuestionError::Empty);
        assert_eq!(refused(&"x".repeat(QUERY_BYTES_MAX + 1)), QuestionError::TooLong(QUERY_BYTES_MAX + 1));
        let many: String = (0..100).map(|at| format!("word{at} ")).collect();
        assert_eq!(question(&many).beyond_limit.len(), 0);
        let more: String = (0..TERMS_COMPARED_MAX + 100).map(|at| format!("word{at} ")).collect();
        assert_eq!(question(&more).beyond_limit.len(), 100);
        // A text without blanks is one word; regression: each of its terms had a copy of it.
        let han: String = (0..10_000).filter_map(|at| char::from_u32(0x4e00 + at)).collect();
        let asked = question(&han);
        let copies = asked.terms.iter().flat_map(|term| &term.words).filter(|word| word.len() == han.len());
        assert!(copies.count() <= QUERY_TERMS_MAX && asked.beyond_limit.len() > 1_000);
    }
}
