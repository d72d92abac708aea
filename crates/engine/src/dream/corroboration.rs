//! When text that is not the owner's may become lasting memory without a person's word.
//!
//! Whoever can put a sentence into one page can put it into ten, so repetition proves nothing: it takes
//! two untainted sources of different days and sessions, of which neither comes from the other or from
//! one origin (reliability.md §6.3). Invariant: more tainted sources never help.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

/// One piece of text and what it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What names it: a citation, a fact, an earlier dream.
    pub key: String,
    /// The day it was written.
    pub day: Date,
    /// The session it was written in.
    pub session: String,
    /// Whether it was written by or after reading others.
    pub tainted: bool,
    /// Keys of what it was derived from.
    pub parents: Vec<String>,
}

/// Whether what `sources` say may be promoted. `known` holds all origins that parents may name; a parent
/// that is not there counts as tainted, since nobody can say what it was. `approved`: a person said yes.
pub fn is_corroborated(sources: &[Origin], known: &[Origin], approved: bool) -> bool {
    let mut by_key: Named<'_> = BTreeMap::new();
    known.iter().chain(sources).for_each(|origin| by_key.entry(&origin.key).or_default().push(origin));
    let ancestry: Vec<Ancestry<'_>> = sources.iter().map(|source| Ancestry::of(source, &by_key)).collect();
    let clean: Vec<usize> = (0..sources.len()).filter(|at| !ancestry[*at].tainted).collect();
    let independent = |a: usize, b: usize| {
        sources[a].day != sources[b].day
            && sources[a].session != sources[b].session
            && ancestry[a].keys.is_disjoint(&ancestry[b].keys)
    };
    let untainted = !sources.is_empty() && clean.len() == sources.len();
    let pair = clean.iter().enumerate().any(|(n, a)| clean[n + 1..].iter().any(|b| independent(*a, *b)));
    approved || untainted || pair
}

/// Origins by key; whoever claims a key that another has shares its taint.
type Named<'a> = BTreeMap<&'a str, Vec<&'a Origin>>;

/// A source with all it was derived from.
struct Ancestry<'a> {
    keys: BTreeSet<&'a str>,
    tainted: bool,
}

impl<'a> Ancestry<'a> {
    fn of(source: &'a Origin, known: &Named<'a>) -> Self {
        let mut ancestry = Self { keys: BTreeSet::from([source.key.as_str()]), tainted: source.tainted };
        let mut left: Vec<&str> = source.parents.iter().map(String::as_str).collect();
        while let Some(key) = left.pop() {
            if ancestry.keys.insert(key) {
                let origins = known.get(key).map(Vec::as_slice).unwrap_or_default();
                ancestry.tainted |= origins.is_empty() || origins.iter().any(|origin| origin.tainted);
                left.extend(origins.iter().flat_map(|origin| origin.parents.iter().map(String::as_str)));
            }
        }
        ancestry
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    fn origin(key: &str, day: i8, session: &str, tainted: bool, parents: &[&str]) -> Origin {
        Origin {
            key: key.to_owned(),
            day: date(2026, 11, day),
            session: session.to_owned(),
            tainted,
            parents: parents.iter().map(|parent| (*parent).to_owned()).collect(),
        }
    }

    fn holds(sources: &[Origin]) -> bool {
        is_corroborated(
            sources,
            &[origin("own", 1, "s0", false, &[]), origin("web", 1, "s0", true, &[])],
            false,
        )
    }

    #[test]
    fn tainted_text_needs_two_untainted_sources_that_do_not_know_each_other() {
        let tainted = origin("t", 20, "s9", true, &[]);
        let a = origin("a", 1, "s1", false, &[]);
        let b = origin("b", 2, "s2", false, &[]);
        assert!(holds(std::slice::from_ref(&a)), "the owner's own needs nobody");
        assert!(!holds(std::slice::from_ref(&tainted)));
        assert!(!holds(&[tainted.clone(), a.clone()]));
        assert!(holds(&[tainted.clone(), a.clone(), b.clone()]));
        assert!(is_corroborated(std::slice::from_ref(&tainted), &[], true), "a person's word is enough");
        let same_day = origin("b", 1, "s2", false, &[]);
        let same_session = origin("b", 2, "s1", false, &[]);
        for not_apart in [
            same_day,
            same_session,
            origin("b", 2, "s2", false, &["a"]),
            origin("b", 2, "s2", false, &["web"]),
            origin("b", 2, "s2", false, &["gone"]),
            a.clone(),
        ] {
            assert!(!holds(&[tainted.clone(), a.clone(), not_apart.clone()]), "{not_apart:?}");
        }
        let twins = [origin("c", 3, "s3", false, &["own"]), origin("d", 4, "s4", false, &["own"])];
        assert!(!holds(&[&[tainted][..], &twins].concat()), "two copies of one origin are one");
        assert!(!holds(&[]));
    }

    /// A dream that dreams of dreams finds its own words again and again.
    #[test]
    fn repetition_does_not_corroborate() {
        let mut sources = vec![origin("t", 1, "s", true, &[])];
        for tick in 2..28 {
            let parent = sources.last().expect("one").key.clone();
            sources.push(origin(&format!("dream{tick}"), tick, &format!("s{tick}"), false, &[&parent]));
        }
        assert!(!holds(&sources));
        let cycle = [
            origin("x", 1, "s1", false, &["y"]),
            origin("y", 2, "s2", false, &["x"]),
            origin("t", 3, "s3", true, &[]),
        ];
        assert!(!holds(&cycle));
    }

    proptest! {
        #[test]
        fn one_tainted_source_more_never_helps(
            all in prop::collection::vec((0usize..6, 1i8..5, 0usize..4, any::<bool>(), prop::option::of(0usize..6)), 0..7)
        ) {
            let sources: Vec<Origin> = all.iter().map(|(key, day, session, tainted, parent)| {
                let parent = parent.map(|parent| format!("k{parent}"));
                let parents: Vec<&str> = parent.iter().map(String::as_str).collect();
                origin(&format!("k{key}"), *day, &format!("s{session}"), *tainted, &parents)
            }).collect();
            let more = [&sources[..], &[origin("new", 9, "s9", true, &[])]].concat();
            prop_assert!(is_corroborated(&sources, &[], false) || !is_corroborated(&more, &[], false));
        }
    }
}
