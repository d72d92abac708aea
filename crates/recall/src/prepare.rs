//! A passage as the index keeps it: analysed once, when its file changes.

use inwit_store::{IndexedPassage, SetKey, StoredPassage, TextKey, Traits};
use jiff::civil::Date;

use crate::analyse::{Analyser, plain_words};
use crate::lexical::HEADING_MARK;
use crate::meaning;
use crate::time::tells_time;

/// A passage as it was cut from a file.
#[derive(Debug, Clone)]
pub struct RawPassage<'t> {
    /// What is kept of it.
    pub stored: StoredPassage,
    /// The label of its entry (`Ana` in `- Ana: …`).
    pub label: Option<&'t str>,
    /// The day it tells of.
    pub date: Option<Date>,
}

/// Analyses a passage of `set`.
pub fn prepare(raw: RawPassage<'_>, set: &SetKey, analyser: &mut Analyser) -> IndexedPassage {
    let mut terms = analyser.terms(&raw.stored.text);
    let heading = analyser.terms(&raw.stored.heading);
    terms
        .counts
        .extend(heading.counts.into_iter().map(|(term, count)| (format!("{HEADING_MARK}{term}"), count)));
    let label = raw.label.map(|label| label_terms(label, analyser)).filter(|label| !label.is_empty());
    let traits = Traits {
        asks: asks(&raw.stored.text),
        tells_time: tells_time(&raw.stored.text, &plain_words(without_tag(&raw.stored.text))),
    };
    let key = TextKey::of(set, &meaning::text(&raw.stored.text));
    let section = fingerprint(&raw.stored.heading);
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

fn label_terms(label: &str, analyser: &mut Analyser) -> String {
    let mut terms: Vec<String> = Vec::new();
    analyser.each_term(label, &mut |term, counts| {
        if counts {
            terms.push(term.to_owned());
        }
    });
    terms.join(" ")
}

/// Ends with a question mark, whatever closes behind it: quotes, brackets, a bracketed remark.
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

/// The text behind a leading bullet and `[tag]`: numbers of a tag are no time.
fn without_tag(text: &str) -> &str {
    let text = text.trim_start_matches(['-', '*', '+', ' ']);
    match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) => rest,
        None => text,
    }
}

/// FNV-1a over the heading path: equal headings, equal numbers, on every machine.
fn fingerprint(heading: &str) -> u32 {
    heading.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_model::Scope;

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
    fn headings_and_labels_are_fields_of_their_own() {
        let stored = StoredPassage {
            start: 0,
            end: 9,
            first_line: 1,
            last_line: 1,
            heading: "Baking › Rye".into(),
            text: "- Ana María: slept well".into(),
        };
        let prepared = prepare(
            RawPassage { stored, label: Some("Ana María"), date: None },
            &SetKey::of(&Scope::Main),
            &mut Analyser::default(),
        );
        assert_eq!(prepared.label.as_deref(), Some("ana maria"));
        let terms: Vec<&str> = prepared.terms.iter().map(|(term, _)| term.as_str()).collect();
        assert_eq!(terms, ["ana", "maria", "sleep", "well", "#bake", "#rye"]);
        assert_eq!(prepared.length, 4);
    }
}
