//! Contract chapters on feedback.

use super::{Chapter, at, name, sha};
use crate::memory::{
    Counted, LastHit, Memory, OUTCOMES_KEPT_MAX, PassageKey, RatedPassage, Rater, Rating, Tally, Votes,
    outcome_of_search,
};
use crate::{SetKey, TextKey};

pub const CHAPTERS: &[Chapter] = &[
    ("an outcome counts once for each rater", counted_once),
    ("ratings of one set are not those of another", apart),
    ("who graduates is decided where an outcome is counted", judged),
    ("ratings are forgotten on request", forgotten),
    ("the words about some passages are those of all, and no others", of_some),
    ("what is too old to be known again stays in the sums", added_up),
    ("the last answer of a set takes the place of the one before", last),
];

fn set(text: &str) -> SetKey {
    SetKey::from_stored(text.to_owned())
}

fn rated(set: &SetKey, path: &str, text: &str) -> RatedPassage {
    RatedPassage { key: TextKey::of(set, text), passage: PassageKey { path: name(path), text: sha(text) } }
}

fn rating(text: &str, useful: bool, rater: Rater, outcome: &str, seconds: i64) -> Rating {
    let set = set("main");
    let rated = rated(&set, "memory/2026-11-20.md", text);
    Rating { set, rated, useful, rater, outcome: outcome.to_owned(), at: at(seconds) }
}

fn rate(memory: &dyn Memory, rating: Rating) -> (Counted, Tally) {
    memory.rate(&[rating], &|tally| tally.graduate).expect("counted").remove(0)
}

fn counted_once(memory: &dyn Memory) {
    let word = |useful, rater, outcome, seconds| {
        let (counted, tally) = rate(memory, rating("bread", useful, rater, outcome, seconds));
        (counted, tally.owner, tally.tool)
    };
    let votes = |useful, all| Votes { useful, all };
    let none = Votes::default();
    assert_eq!(word(true, Rater::Owner, "s1#1", 1), (Counted::New, votes(1, 1), none));
    assert_eq!(word(true, Rater::Owner, "s1#1", 2), (Counted::Again, votes(1, 1), none));
    assert_eq!(word(false, Rater::Owner, "s1#1", 3), (Counted::Changed, votes(0, 1), none));
    assert_eq!(word(true, Rater::Tool, "s1#1", 4), (Counted::New, votes(0, 1), votes(1, 1)));
    assert_eq!(word(true, Rater::Owner, "s1#2", 5), (Counted::New, votes(1, 2), votes(1, 1)));
    let moved = Rating {
        rated: RatedPassage {
            passage: PassageKey { path: name("memory/topics/bread.md"), text: sha("- bread") },
            ..rated(&set("main"), "MEMORY.md", "bread")
        },
        ..rating("bread", true, Rater::Owner, "s2#1", 6)
    };
    let (_, tally) = rate(memory, moved.clone());
    assert_eq!((tally.owner, &tally.rated, tally.last), (votes(2, 3), &moved.rated, at(6)), "it moved");
}

fn apart(memory: &dyn Memory) {
    let kitchen = set("room:kitchen");
    let there = Rating {
        rated: rated(&kitchen, "rooms/kitchen.md", "bread"),
        set: kitchen.clone(),
        ..rating("bread", true, Rater::Owner, "o", 1)
    };
    rate(memory, there);
    rate(memory, rating("bread", false, Rater::Owner, "o", 2));
    let of = |set: &SetKey| memory.tallies(Some(set)).expect("tallies");
    assert_eq!(of(&kitchen).len(), 1);
    assert_eq!((of(&kitchen)[0].owner.useful, of(&set("main"))[0].owner.useful), (1, 0));
    assert_eq!(of(&set("room:garden")), []);
    assert_eq!(memory.tallies(None).expect("tallies").len(), 2);
}

fn judged(memory: &dyn Memory) {
    let with = |graduate: Option<Rater>, outcome: &str| {
        let rating = rating("bread", true, Rater::Owner, outcome, 1);
        memory.rate(&[rating], &|_| graduate).expect("counted").remove(0).1.graduate
    };
    let kept = || memory.tallies(None).expect("tallies")[0].graduate;
    assert_eq!((with(None, "1"), kept()), (None, None));
    assert_eq!((with(Some(Rater::Tool), "2"), kept()), (Some(Rater::Tool), Some(Rater::Tool)));
    assert_eq!((with(Some(Rater::Owner), "3"), kept()), (Some(Rater::Owner), Some(Rater::Owner)));
    assert_eq!(with(None, "3"), Some(Rater::Owner), "an outcome that counted before decides nothing");
    assert_eq!((with(None, "4"), kept()), (None, None), "it fell back");
}

fn forgotten(memory: &dyn Memory) {
    for (text, outcome) in [("bread", "1"), ("bread", "2"), ("oats", "1")] {
        let all = rating(text, true, Rater::Owner, outcome, 1);
        memory.rate(&[all], &|_| Some(Rater::Owner)).expect("counted");
    }
    let main = set("main");
    let bread = TextKey::of(&main, "bread");
    assert_eq!(memory.forget_ratings(&set("room:kitchen"), &[bread]).expect("nothing"), 0);
    assert_eq!(memory.forget_ratings(&main, &[bread]).expect("forgotten"), 2);
    let left = memory.tallies(None).expect("tallies");
    assert_eq!((left.len(), left[0].rated.key), (1, TextKey::of(&main, "oats")));
    let again = rate(memory, rating("bread", true, Rater::Owner, "3", 2)).1;
    assert_eq!((again.owner.all, again.graduate), (1, None), "it is no graduate from before");
}

fn of_some(memory: &dyn Memory) {
    for (text, outcomes) in [("bread", 1..3), ("oats", 1..2), ("figs", 1..4)] {
        for outcome in outcomes {
            rate(memory, rating(text, true, Rater::Owner, &outcome.to_string(), outcome));
        }
    }
    rate(memory, rating("rye", true, Rater::Tool, "1", 1));
    let main = set("main");
    let all = memory.tallies(Some(&main)).expect("tallies");
    let key = |text: &str| TextKey::of(&main, text);
    for asked in
        [vec!["oats"], vec!["figs", "rye", "bread"], vec!["figs", "figs", "a", "b", "c", "d"], vec![]]
    {
        let keys: Vec<TextKey> = asked.iter().map(|text| key(text)).collect();
        let wanted: Vec<&Tally> = all.iter().filter(|tally| keys.contains(&tally.rated.key)).collect();
        let found = memory.tallies_of(&main, &keys).expect("tallies");
        assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{asked:?}");
        let votes = memory.owner_votes_of(&main, &keys).expect("votes");
        let wanted = wanted.iter().filter(|tally| tally.owner.all > 0);
        assert_eq!(
            votes,
            wanted.map(|tally| (tally.rated.key, tally.owner)).collect::<Vec<_>>(),
            "{asked:?}"
        );
    }
    assert_eq!(memory.tallies_of(&set("room:kitchen"), &[key("oats")]).expect("tallies"), []);
}

fn added_up(memory: &dyn Memory) {
    let kept = u64::from(OUTCOMES_KEPT_MAX);
    let words: Vec<Rating> = (0..kept + 2)
        .map(|outcome| rating("bread", true, Rater::Owner, &outcome.to_string(), outcome as i64))
        .collect();
    memory.rate(&words, &|_| None).expect("counted");
    rate(memory, rating("bread", false, Rater::Tool, "0", 0));
    let votes = || memory.tallies(None).expect("tallies")[0].owner;
    assert_eq!(votes(), Votes { useful: kept + 2, all: kept + 2 }, "nothing is lost of the sums");
    assert_eq!(rate(memory, words[2].clone()).0, Counted::Again, "it is among the newest");
    let changed = Rating { useful: false, ..words[2].clone() };
    assert_eq!(rate(memory, changed).0, Counted::Changed);
    assert_eq!(rate(memory, words[1].clone()).0, Counted::New, "so old a one is not known again");
    assert_eq!(votes(), Votes { useful: kept + 2, all: kept + 3 });
    let bread = TextKey::of(&set("main"), "bread");
    assert_eq!(memory.forget_ratings(&set("main"), &[bread]).expect("forgotten"), kept + 4);
    assert_eq!(memory.tallies(None).expect("tallies"), []);
}

fn last(memory: &dyn Memory) {
    let main = set("main");
    let hit = |text: &str, seconds| LastHit {
        rated: rated(&main, "MEMORY.md", text),
        outcome: outcome_of_search("Which Bread? ", at(seconds)),
    };
    assert_eq!(memory.last_answer(&main).expect("none"), []);
    memory.keep_last_answer(&main, &[hit("a", 1), hit("b", 1)]).expect("kept");
    memory.keep_last_answer(&main, &[hit("b", 2), hit("c", 2)]).expect("kept");
    assert_eq!(memory.last_answer(&main).expect("hits"), [hit("b", 2), hit("c", 2)]);
    let kitchen = set("room:kitchen");
    assert_eq!(memory.last_answer(&kitchen).expect("none"), []);
    memory.keep_last_answer(&kitchen, &[hit("a", 3)]).expect("kept");
    assert_eq!(memory.last_answer(&main).expect("none"), [], "the last answer is another one's");
    assert_eq!(memory.last_answer(&kitchen).expect("hits"), [hit("a", 3)]);
    memory.keep_last_answer(&main, &[]).expect("forgotten");
    assert_eq!(memory.last_answer(&kitchen).expect("none"), []);
    assert_eq!(outcome_of_search("which bread?", at(2)), hit("b", 2).outcome);
}
