//! A secret that is masked cannot be guessed word by word.
//!
//! A review read a wallet's twelve words out of a masked note: a search for a right word found the line, one for a
//! wrong word found nothing, and two thousand questions are all the words there are. The score of the line beside it,
//! the count of a term, a vector and the room that a budget left told the same. Here two homes differ in the secret
//! alone, and must answer alike.

use std::fmt::Write as _;
use std::sync::Arc;

use inwit_engine::notes::why_not::WhyNot;
use inwit_engine::{Agent, AgentDeps, AgentPorts, Answer, Bounds, DayEdge, FeedbackAsk, Hit, Rater, Search};
use inwit_model::{Embedder, Files, Scope, Sha256};
use inwit_store_sqlite::SqliteIndex;
use inwit_testkit::meaning::FakeEmbedder;
use inwit_testkit::{Shelf, keeping, meaning, name, owner, parts, room};
use proptest::prelude::*;

use crate::profile;
use crate::world::world;

const WALLETS: [&str; 3] = [
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
    "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
];

fn page(secret: &str) -> String {
    format!(
        "# Keys\n\n- We bake on Sunday.\n- wallet: {secret}\n- The doctor eats a sausage.\n\n## Tin {secret}\n\n- lid\n"
    )
}

/// An agent over the same page in two places, with a model where `is_meant`.
fn agent(secret: &str, is_meant: bool) -> Agent {
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", page(secret));
    shelf.write("rooms/kitchen/MEMORY.md", page(secret));
    shelf.write(
        "notes/long.md",
        format!(
            "- Oven one.\n- Zwei, {secret}, Backofen. <!-- trigger: Drei, {secret}, -->\n- Oven three.\n"
        ),
    );
    let model = FakeEmbedder::of("one", &["sausage winner yellow", "doctor cage avoid", "oven lid about"]);
    let mut keeping = AgentDeps { records_recall: true, ..keeping() };
    if is_meant {
        keeping.meaning = Some(meaning(Arc::new(model) as Arc<dyn Embedder>));
    }
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf) as _) });
    for scope in [Scope::Main, room("kitchen")] {
        if is_meant {
            agent.notes.embed(&scope, None, &mut inwit_model::watch::unwatched).expect("filled");
        }
    }
    agent
}

/// An answer without what names the bytes of the file, which the secret is among.
fn told(mut answer: Answer) -> String {
    for hit in &mut answer.hits {
        (hit.start, hit.end, hit.sha256, hit.passage) = (0, 0, Sha256::of(b""), Sha256::of(b""));
    }
    format!("{answer:#?}")
}

fn bounds() -> [Bounds<'static>; 3] {
    let plain = Bounds::default();
    [plain, Bounds { is_expression: true, ..plain }, Bounds { diverse_percent: Some(50), ..plain }]
}

/// Everything that `query` is answered with: by each kind of search, for the owner and a room, with and without a
/// budget.
fn everything(agent: &Agent, query: &str) -> String {
    let mut out = String::new();
    for scope in [Scope::Main, room("kitchen")] {
        for bounds in bounds() {
            for budget_chars in [None, Some(120)] {
                let search = Search { query, scope: &scope, limit: 10, budget_chars, bounds };
                let answer = agent.notes.search(&search).expect("an answer");
                let _ = writeln!(out, "{scope} {bounds:?} {budget_chars:?}\n{}", told(answer));
            }
        }
        let reasons = agent
            .notes
            .why_not(&WhyNot { text: query, query: Some("lid"), scope: &scope, limit: 10 })
            .expect("reasons");
        let _ = writeln!(out, "{:#?}", reasons.passages);
    }
    out
}

fn hits(agent: &Agent, query: &str) -> Vec<Hit> {
    let search =
        Search { query, scope: &Scope::Main, limit: 10, budget_chars: None, bounds: Bounds::default() };
    agent.notes.search(&search).expect("an answer").hits
}

#[test]
fn a_right_word_of_a_masked_secret_is_answered_as_a_wrong_one() {
    for is_meant in [false, true] {
        let homes = [agent(WALLETS[0], is_meant), agent(WALLETS[1], is_meant)];
        for query in
            ["winner", "sausage", "yellow", "cage", "absurd", "zebra", "oven", "lid", "legal AND winner"]
        {
            let answers = homes.each_ref().map(|agent| everything(agent, query));
            assert_eq!(answers[0], answers[1], "{query}, with a model: {is_meant}");
        }
        assert!(hits(&homes[0], "winner").iter().all(|hit| hit.parts.words == 0.0));
        let wallet = hits(&homes[0], "wallet").remove(0);
        assert_eq!(wallet.text, "- wallet: [masked: bip39_mnemonic]", "what is beside it is found");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_answer_depends_on_what_a_masked_secret_says(
        pair in prop::sample::select(vec![(0usize, 1usize), (1, 2), (2, 0)]),
        at in 0usize..12,
        is_meant in any::<bool>(),
    ) {
        let secrets = [pair.0, pair.1].map(|at| WALLETS[at].to_owned());
        let words: Vec<&str> = secrets[0].split(' ').collect();
        let query = words[at % words.len()];
        let [one, other] = secrets.each_ref().map(|secret| everything(&agent(secret, is_meant), query));
        prop_assert_eq!(one, other, "{}", query);
    }
}

/// What may be shown may be found; what may no longer be is not.
#[test]
fn words_that_were_accepted_are_found_as_long_as_that_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Box::new(SqliteIndex::open(&folder.path().join("index.db")).expect("an index").0);
    let shelf: Arc<dyn Files> = Arc::new({
        let shelf = Shelf::default();
        shelf.write("MEMORY.md", format!("- wallet: {}\n- bread\n", WALLETS[0]));
        shelf
    });
    let agent = Agent::new(AgentPorts { index: open(), ..parts(Arc::clone(&shelf)) });
    assert_eq!(hits(&agent, "sausage").len(), 0);
    agent.notes.accept(&owner(), &name("MEMORY.md")).expect("accepted");
    assert!(hits(&agent, "sausage")[0].text.contains("sausage"));
    assert!(hits(&agent, "sausage")[0].text.contains("sausage"), "and again");
    // Another memory knows nothing of that.
    drop(agent);
    let agent = Agent::new(AgentPorts { index: open(), ..parts(shelf) });
    assert_eq!(hits(&agent, "sausage").len(), 0);
    assert_eq!(hits(&agent, "wallet")[0].text, "- wallet: [masked: bip39_mnemonic]");
}

/// What was said of a passage is found again by what may be read of it.
#[test]
fn a_passage_with_a_masked_secret_is_praised_like_any_other() {
    let agent = agent(WALLETS[0], false);
    let hit = ["MEMORY.md#L4-L4".to_owned()];
    let ask =
        FeedbackAsk { scope: &Scope::Main, hits: &hit, useful: true, rater: Rater::Owner, outcome: None };
    agent.learning.give_feedback(&ask).expect("counted");
    let wallet = hits(&agent, "wallet").remove(0);
    assert!(wallet.parts.feedback > 0.0, "{wallet:?}");
}

/// The past answers no more than the present.
#[test]
fn the_past_is_not_asked_word_by_word_either() {
    if !inwit_testkit::has_git() {
        return;
    }
    let told = [WALLETS[0], WALLETS[1]].map(|wallet| {
        let shelf = Shelf::of("//- SOUL.md\nI am Ada.\n");
        shelf.write("MEMORY.md", page(wallet));
        let world = world(profile("personal"), shelf);
        let op = inwit_model::Op::Put(b"- bread\n".as_slice().into());
        let author = inwit_gate::Author::owner(&owner());
        let change = inwit_gate::Change::new(name("notes/bread.md"), op, None, author);
        world.agent.notes.write(change).expect("written");
        world.clock.set("2026-11-22T10:00:00Z");
        world.agent.history.flush_history().expect("recorded");
        world.clock.set("2026-11-24T10:00:00Z");
        let then = world.agent.core.moment("2026-11-22", DayEdge::End).expect("a moment");
        let past = world.agent.as_of(&Scope::Main, then).expect("a past");
        let mut out = String::new();
        for query in ["winner", "sausage", "cage", "wallet"] {
            let search = Search {
                query,
                scope: &Scope::Main,
                limit: 10,
                budget_chars: None,
                bounds: Bounds::default(),
            };
            let mut answer = past.search(&search).expect("an answer");
            answer.hits.iter_mut().for_each(|hit| hit.seen = None);
            out += &self::told(answer);
        }
        out
    });
    assert_eq!(told[0], told[1]);
    assert!(told[0].contains("[masked: bip39_mnemonic]"), "{}", told[0]);
}

/// Values that only their label names, and of which the words of neither stand in the other.
const VALUES: [&str; 2] = ["q7Gx-Mondlicht42-tR9", "v3Kz-Sternbild77-hQ2"];

const REPEATING: [&str; 2] = ["MEMORY.md", "rooms/kitchen/MEMORY.md"];

/// Notes that repeat a value, and those that name it.
fn repeating(shelf: &Shelf, value: &str) {
    for file in REPEATING {
        let text = format!(
            "# Rye\n\n- We bake on Sunday.\n- The oven took {value} as well.\n- {value}: the tin.\n\n## Tin {value}\n\n- lid <!-- trigger: jar, {value} -->\n"
        );
        shelf.write(file, text);
    }
}

fn naming(shelf: &Shelf, value: &str) {
    shelf.write("TOOLS.md", format!("# Shop\n\n- SHOP_PASSWORD={value}\n"));
    shelf.write("rooms/kitchen/TOOLS.md", format!("# Shop\n\n- SHOP_PASSWORD={value}\n"));
}

/// A review spelled a password letter by letter: MEMORY.md repeated what TOOLS.md names, a search showed it masked, and
/// `mon*` found it where `mun*` did not.
#[test]
fn a_value_that_another_file_names_cannot_be_spelled_by_questions() {
    let queries = [
        "Mondlicht42", "mondlicht", "mon*", "Sternbild77", "ster*", "q7Gx", "oven AND q7*", "tr9", "oven",
        "jar", "lid", "42", "tin NOT mondlicht42",
    ];
    for is_meant in [false, true] {
        for names_first in [true, false] {
            let homes = VALUES.map(|value| {
                let shelf = Arc::new(Shelf::default());
                let model = FakeEmbedder::of("one", &["mondlicht42 sternbild77", "oven lid", "tin jar"]);
                let mut keeping = AgentDeps { records_recall: true, ..keeping() };
                if is_meant {
                    keeping.meaning = Some(meaning(Arc::new(model) as Arc<dyn Embedder>));
                }
                let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::clone(&shelf) as _) });
                if names_first {
                    naming(&shelf, value);
                    everything(&agent, "oven");
                }
                repeating(&shelf, value);
                everything(&agent, "oven");
                naming(&shelf, value);
                if is_meant {
                    for scope in [Scope::Main, room("kitchen")] {
                        agent.notes.embed(&scope, None, &mut inwit_model::watch::unwatched).expect("filled");
                    }
                }
                agent
            });
            for query in queries {
                let answers = homes.each_ref().map(|agent| everything(agent, query));
                assert_eq!(
                    answers[0], answers[1],
                    "{query}, named first: {names_first}, with a model: {is_meant}"
                );
            }
            let oven = hits(&homes[0], "oven").remove(0);
            assert!(oven.text.contains("oven took [masked: "), "{oven:?}");
        }
    }
}

/// What no file names any more, or what the owner accepted, is found again.
#[test]
fn a_value_is_found_where_it_is_repeated_once_no_file_names_it() {
    let shelf = Arc::new(Shelf::default());
    let agent = Agent::new(parts(Arc::clone(&shelf) as _));
    let found = |agent: &Agent| hits(agent, "Mondlicht42").iter().filter(|hit| hit.parts.words > 0.0).count();
    naming(&shelf, VALUES[0]);
    repeating(&shelf, VALUES[0]);
    assert_eq!(found(&agent), 0);
    for file in ["TOOLS.md", "rooms/kitchen/TOOLS.md"] {
        agent.notes.accept(&owner(), &name(file)).expect("accepted");
    }
    assert!(found(&agent) > 1, "what is accepted where it is named may be found");
    naming(&shelf, VALUES[1]);
    repeating(&shelf, VALUES[1]);
    let found = |agent: &Agent| hits(agent, "Sternbild77").iter().filter(|hit| hit.parts.words > 0.0).count();
    assert_eq!(found(&agent), 0);
    shelf.write("TOOLS.md", "# Shop\n\n- bread\n");
    shelf.write("rooms/kitchen/TOOLS.md", "# Shop\n\n- bread\n");
    assert!(found(&agent) > 0, "the same question after the change");
}
