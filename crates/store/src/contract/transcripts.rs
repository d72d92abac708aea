//! The contract of [`TranscriptIndex`], as chapters.

use inwit_model::limit::QUERY_TERMS_MAX;
use inwit_model::{RoomId, Scope, SessionId, Sha256, Stamp};
use jiff::Timestamp;

use crate::{
    IndexError, IndexedEntry, Matching, SetKey, TranscriptIndex, TranscriptSearch, TranscriptUpdate,
};

/// A chapter: its claim, and the proof. It takes a fresh, empty index.
pub type TranscriptChapter = (&'static str, fn(&mut dyn TranscriptIndex));

/// Every promise of [`TranscriptIndex`].
pub fn transcript_chapters() -> &'static [TranscriptChapter] {
    &[
        ("an empty index answers with nothing", empty),
        ("what was said is found by its words, case and accents apart", found),
        ("no operator in a search means anything", quoted),
        ("a phrase stands in a row, words stand anywhere", phrase_and_words),
        ("more words than a search takes find nothing", many_words),
        ("a scope hears its own sessions only", scopes_are_apart),
        ("an agent hears its own sessions only", agents_are_apart),
        ("hits come newest first, and no more than asked for", newest_first),
        ("what is read on is added, and an older reading is refused", read_on),
        ("a forgotten session is gone, and so is everything after clearing", forgotten),
        ("a snippet marks the match and stays short", snippets),
    ]
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_795_269_780 + second).expect("a moment")
}

fn id(session: &str) -> SessionId {
    SessionId::parse(session).expect("an id")
}

fn entry(second: i64, content: &str) -> IndexedEntry {
    let content = content.to_owned();
    IndexedEntry { timestamp: at(second), role: "user".into(), source_plugin: "cli".into(), content }
}

fn update(session: &str, scope: &Scope, entries: Vec<IndexedEntry>) -> TranscriptUpdate {
    TranscriptUpdate {
        session: id(session),
        scope: SetKey::of(scope),
        agent_id: "kate".into(),
        based_on: 0,
        stamp: Some(Stamp { bytes: 100, changed_ns: 7, inode: 1 }),
        consumed: 100,
        tail: Sha256::of(session.as_bytes()),
        entries,
    }
}

fn add(index: &mut dyn TranscriptIndex, session: &str, contents: &[&str]) {
    let entries = contents.iter().enumerate().map(|(second, text)| entry(second as i64, text)).collect();
    index.apply(&update(session, &Scope::Main, entries)).expect("applied");
}

/// The search of the owner for a phrase.
fn owner(text: &str) -> TranscriptSearch<'_> {
    TranscriptSearch { text, matching: Matching::Phrase, scope: None, agent_id: "kate", limit: 500 }
}

fn count(index: &mut dyn TranscriptIndex, search: &TranscriptSearch<'_>) -> usize {
    index.search(search).expect("searched").len()
}

fn kitchen() -> Scope {
    Scope::Room(RoomId::parse("kitchen").expect("a room"))
}

fn empty(index: &mut dyn TranscriptIndex) {
    assert!(index.known().expect("known").is_empty());
    assert_eq!(count(index, &owner("bread")), 0);
    assert_eq!(count(index, &owner("")), 0);
    index.forget(&id("a")).expect("nothing to forget");
}

fn found(index: &mut dyn TranscriptIndex) {
    add(index, "a", &["Which BREAD does Zoé like?", "rye"]);
    let hits = index.search(&owner("bread does zoe")).expect("searched");
    assert_eq!(hits.len(), 1);
    assert_eq!(
        (hits[0].session.as_str(), hits[0].role.as_str(), hits[0].source_plugin.as_str()),
        ("a", "user", "cli")
    );
    assert_eq!(hits[0].timestamp, at(0));
    let known = index.known().expect("known");
    assert_eq!((known[0].entries, known[0].first, known[0].last), (2, Some(at(0)), Some(at(1))));
    assert_eq!((known[0].consumed, known[0].stamp.map(|stamp| stamp.bytes)), (100, Some(100)));
}

fn quoted(index: &mut dyn TranscriptIndex) {
    add(index, "a", &["rye or oat", "rye"]);
    for (text, hits) in [
        ("rye OR oat", 1),
        ("rye NOT oat", 0),
        ("ry*", 0),
        ("content:rye", 0),
        ("\"rye", 2),
        ("rye\" OR \"oat", 1),
        ("NEAR(rye oat)", 0),
        ("^rye", 2),
        ("?!", 0),
        ("'; DROP TABLE entries; --", 0),
        ("a\0b", 0),
    ] {
        assert_eq!(count(index, &owner(text)), hits, "{text}");
    }
    for text in ["rye OR oat", "rye \" oat", "AND AND", "(", "", "*"] {
        let search = TranscriptSearch { matching: Matching::Words, ..owner(text) };
        assert!(count(index, &search) <= 1, "{text}");
    }
}

fn phrase_and_words(index: &mut dyn TranscriptIndex) {
    add(index, "a", &["bread of rye", "rye bread", "bread"]);
    assert_eq!(count(index, &owner("rye bread")), 1);
    let words = TranscriptSearch { matching: Matching::Words, ..owner("rye bread") };
    assert_eq!(count(index, &words), 2);
}

fn many_words(index: &mut dyn TranscriptIndex) {
    let said = |words: usize| vec!["[a](b)"; words / 2].join(" ");
    let private = "\u{e000}, ".repeat(QUERY_TERMS_MAX + 1);
    add(index, "s1", &[&said(2 * QUERY_TERMS_MAX), &private]);
    for matching in [Matching::Phrase, Matching::Words] {
        let mut count = |text: &str| count(index, &TranscriptSearch { matching, ..owner(text) });
        assert_eq!(count(&said(QUERY_TERMS_MAX)), 1, "{matching:?}");
        assert_eq!(count(&said(QUERY_TERMS_MAX + 2)), 0, "{matching:?}");
        assert_eq!(count(&private), 0, "{matching:?}");
    }
}

fn scopes_are_apart(index: &mut dyn TranscriptIndex) {
    add(index, "a", &["private bread"]);
    index.apply(&update("k", &kitchen(), vec![entry(0, "shared bread")])).expect("applied");
    let key = SetKey::of(&kitchen());
    let hits = index.search(&TranscriptSearch { scope: Some(&key), ..owner("bread") }).expect("searched");
    assert_eq!(hits.iter().map(|hit| hit.session.as_str()).collect::<Vec<_>>(), ["k"]);
    for matching in [Matching::Phrase, Matching::Words] {
        let private = TranscriptSearch { scope: Some(&key), matching, ..owner("private bread") };
        assert_eq!(count(index, &private), 0);
    }
    assert_eq!(count(index, &owner("bread")), 2);
}

fn agents_are_apart(index: &mut dyn TranscriptIndex) {
    let bruno =
        TranscriptUpdate { agent_id: "bruno".into(), ..update("b", &Scope::Main, vec![entry(0, "bread")]) };
    index.apply(&bruno).expect("applied");
    assert_eq!(count(index, &owner("bread")), 0);
    assert_eq!(count(index, &TranscriptSearch { agent_id: "bruno", ..owner("bread") }), 1);
}

fn newest_first(index: &mut dyn TranscriptIndex) {
    let said =
        |seconds: &[i64]| seconds.iter().map(|second| entry(*second, &format!("bread {second}"))).collect();
    index.apply(&update("a", &Scope::Main, said(&[1, 5, 5]))).expect("applied");
    index.apply(&update("b", &Scope::Main, said(&[9, 2]))).expect("applied");
    let hits = index.search(&TranscriptSearch { limit: 4, ..owner("bread") }).expect("searched");
    let order: Vec<_> = hits.iter().map(|hit| (hit.session.as_str(), hit.timestamp)).collect();
    assert_eq!(order, [("b", at(9)), ("a", at(5)), ("a", at(5)), ("b", at(2))]);
}

fn read_on(index: &mut dyn TranscriptIndex) {
    add(index, "a", &["one bread"]);
    let more = TranscriptUpdate {
        based_on: 100,
        consumed: 180,
        ..update("a", &Scope::Main, vec![entry(9, "two bread")])
    };
    index.apply(&more).expect("applied");
    assert!(matches!(index.apply(&more), Err(IndexError::Moved)));
    let anew = update("a", &Scope::Main, vec![entry(9, "three bread")]);
    assert!(matches!(index.apply(&anew), Err(IndexError::Moved)));
    assert_eq!(count(index, &owner("bread")), 2);
    let known = index.known().expect("known");
    assert_eq!((known.len(), known[0].consumed, known[0].entries), (1, 180, 2));
    assert_eq!((known[0].first, known[0].last), (Some(at(0)), Some(at(9))));
}

fn forgotten(index: &mut dyn TranscriptIndex) {
    add(index, "a", &["bread"]);
    add(index, "b", &["bread"]);
    index.forget(&id("a")).expect("forgotten");
    assert_eq!(count(index, &owner("bread")), 1);
    assert_eq!(index.known().expect("known").len(), 1);
    add(index, "a", &["bread"]);
    index.clear().expect("cleared");
    assert!(index.known().expect("known").is_empty());
    assert_eq!(count(index, &owner("bread")), 0);
}

fn snippets(index: &mut dyn TranscriptIndex) {
    let words = |from: u32| (from..from + 100).map(|at| format!("w{at}")).collect::<Vec<_>>().join(" ");
    add(index, "a", &[&format!("{} rye bread {}", words(0), words(200))]);
    let hit = index.search(&owner("rye bread")).expect("searched").remove(0);
    assert_eq!(hit.content, format!("{} rye bread {}", words(0), words(200)));
    let snippet = hit.snippet.expect("an entry of some hundred words");
    assert!(snippet.contains("[rye bread]"), "{snippet}");
    assert!(snippet.starts_with('…') && snippet.ends_with('…'), "{snippet}");
    assert!(snippet.split_whitespace().count() <= 14, "{snippet}");
    add(index, "b", &[&"oven ".repeat(40_000)]);
    let hit = index.search(&owner("oven")).expect("searched").remove(0);
    assert_eq!(hit.snippet, None, "one word that is said without end");
}
