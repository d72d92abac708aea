//! What people and agents say of results: how far it moves a score, and who is promoted by it.

use std::sync::Arc;

use inwit_engine::learning::dream::Gates;
use inwit_engine::learning::dreaming::{DreamAsk, DreamReport};
use inwit_engine::{
    Agent, AgentDeps, AgentPorts, Answer, Bounds, Counted, FeedbackAsk, Rater, Search, Weights,
};
use inwit_model::{Code, Files, Scope};
use inwit_testkit::{Shelf, keeping, parts, room};
use proptest::prelude::*;
use proptest::sample::select;

use crate::profile;
use crate::world::{World, put, remember, words, world};

const LOG: &str = "memory/2026-11-20.md";
const MEMORY: &str = "# MEMORY\n\n- Ana bakes.\n";

fn kept(log: &str) -> World {
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", MEMORY);
    shelf.write(LOG, log);
    shelf.write("rooms/kitchen.md", "# Kitchen\n\n- The oven is shared.\n- The bread is shared.\n");
    world(profile("personal"), shelf)
}

fn search(agent: &Agent, scope: &Scope, query: &str, diverse_percent: Option<u8>) -> Answer {
    let bounds = Bounds { diverse_percent, ..Bounds::default() };
    agent.notes.search(&Search { query, scope, limit: 5, budget_chars: None, bounds }).expect("an answer")
}

fn asks(agent: &Agent, query: &str) -> Answer {
    search(agent, &Scope::Main, query, None)
}

fn ask<'a>(hits: &'a [String], useful: bool, rater: Rater, outcome: Option<&'a str>) -> FeedbackAsk<'a> {
    FeedbackAsk { scope: &Scope::Main, hits, useful, rater, outcome }
}

/// Says `useful` of line `line` of the log, in so many outcomes.
fn says(agent: &Agent, line: u32, useful: bool, rater: Rater, outcomes: std::ops::Range<u32>) {
    let hits = [format!("{LOG}#L{line}")];
    for outcome in outcomes {
        let outcome = format!("s{outcome}#1");
        agent.learning.give_feedback(&ask(&hits, useful, rater, Some(&outcome))).expect("counted");
    }
}

fn dreams(world: &World) -> DreamReport {
    let ask = DreamAsk { gates: Gates::default(), dry_run: false, trigger: "manual".into() };
    world.agent.learning.dream(&ask).expect("a dream")
}

#[test]
fn a_useful_passage_rises_a_little_and_the_parts_add_up() {
    let world = kept("- The rye bread is baked on Sundays.\n- The rye bread is baked on Mondays.\n");
    let before = asks(&world.agent, "rye bread baked");
    let plain: Vec<f32> = before.hits.iter().map(|hit| hit.parts.sum()).collect();
    assert!(before.hits[0].text.contains("Sundays") && before.hits[1].text.contains("Mondays"));
    assert!(before.hits.iter().all(|hit| hit.parts.feedback == 0.0 && hit.feedback.is_none()));
    says(&world.agent, 2, true, Rater::Owner, 0..10);
    says(&world.agent, 1, false, Rater::Owner, 0..1);
    let after = asks(&world.agent, "rye bread baked");
    let (first, second) = (&after.hits[0], &after.hits[1]);
    assert!(first.text.contains("Mondays"), "{after:?}");
    let tally = first.feedback.as_ref().expect("it was rated");
    assert_eq!((tally.owner.useful, tally.owner.all), (10, 10));
    // Ten of ten have a bound of 0.7225, and ten hundredths are the most it moves.
    let rise = plain[1] * 0.10 * 0.7225;
    assert!((first.parts.feedback - rise).abs() < 0.000_1, "{:?}", first.parts);
    assert!((first.parts.sum() - plain[1] - rise).abs() < 0.000_1, "{:?}", first.parts);
    assert!(second.parts.feedback < 0.0 && second.parts.sum() < plain[0], "{:?}", second.parts);
}

/// A word is about what a passage says, not about where it stands.
#[test]
fn feedback_follows_a_passage_that_moves_and_not_one_that_is_edited() {
    let world = kept("- The rye bread is baked on Sundays.\n");
    says(&world.agent, 1, true, Rater::Owner, 0..10);
    let lift =
        |query: &str| asks(&world.agent, query).hits.iter().map(|hit| hit.parts.feedback).fold(0.0, f32::max);
    assert!(lift("rye bread") > 0.0);
    world
        .shelf
        .write(LOG, "# Day\n\nOther words.\n\n* The rye bread is baked on Sundays. <!-- importance: 5 -->\n");
    assert!(lift("rye bread") > 0.0, "another line, another bullet, a comment for machines");
    world.shelf.write(LOG, "- The rye bread is baked on Saturdays.\n");
    assert_eq!(lift("rye bread"), 0.0, "it says something else");
}

/// The list tells where a rated passage stands, whatever moved it, and that it is gone where its words are.
#[test]
fn what_was_rated_is_listed_where_it_stands_now() {
    let world = kept("- The rye bread is baked on Sundays.\n");
    says(&world.agent, 1, true, Rater::Owner, 0..1);
    let stands = || {
        let rated = world.agent.learning.feedback(None).expect("a list").remove(0);
        let path = rated.tally.rated.passage.path.to_string();
        rated.lines.map(|lines| (path, lines.0, rated.text.into_string()))
    };
    let at = |path: &str, line: u32| {
        Some((path.to_owned(), line, "- The rye bread is baked on Sundays.".to_owned()))
    };
    assert_eq!(stands(), at(LOG, 1));
    world.shelf.write(LOG, "# Day\n\nOther words.\n\n- The rye bread is baked on Sundays.\n");
    assert_eq!(stands(), at(LOG, 5), "further down");
    world.shelf.write(LOG, "# Day\n\n- The rye bread is baked on Sundays. <!-- importance: 5 -->\n");
    assert_eq!(stands(), at(LOG, 3), "with a comment for machines");
    world.shelf.write(LOG, "# Day\n");
    world.shelf.write("memory/topics/bread.md", "# Bread\n\n- The rye bread is baked on Sundays.\n");
    assert_eq!(stands(), at("memory/topics/bread.md", 3), "in another file");
    world.shelf.write("memory/topics/bread.md", "# Bread\n\n- The rye bread is baked on Saturdays.\n");
    assert_eq!(stands(), None, "it says something else");
}

/// What the list shows in a file is forgotten with that file, wherever it stood when it was rated.
#[test]
fn what_moved_is_forgotten_by_the_file_it_stands_in() {
    let world = kept("- The rye bread is baked on Sundays.\n- The oven is old.\n");
    says(&world.agent, 1, true, Rater::Owner, 0..3);
    says(&world.agent, 2, true, Rater::Owner, 0..1);
    world.shelf.write(LOG, "- The oven is old.\n");
    world.shelf.write("memory/topics/bread.md", "# Bread\n\n- The rye bread is baked on Sundays.\n");
    let forget = |path: &str| {
        world.agent.learning.forget_feedback(&Scope::Main, &[path.to_owned()]).expect("forgotten")
    };
    assert_eq!(forget("memory/topics/bread.md"), 3);
    assert_eq!(world.agent.learning.feedback(None).expect("a list").len(), 1);
    world.shelf.write(LOG, "- Other words.\n");
    assert_eq!(forget(LOG), 1, "what is gone goes by the file it was in");
}

/// A passage that stands in two files is forgotten by either of them, and a file of which nothing was said is told so.
#[test]
fn what_stands_in_two_files_is_forgotten_by_each_of_them() {
    let bread = "- The rye bread is baked on Sundays.\n";
    let (first, second) = ("memory/topics/a.md", "memory/topics/b.md");
    for path in [first, second] {
        let world = kept(bread);
        says(&world.agent, 1, true, Rater::Owner, 0..3);
        world.shelf.write(LOG, "- Other words.\n");
        world.shelf.write(first, bread);
        world.shelf.write(second, bread);
        let forget = || world.agent.learning.forget_feedback(&Scope::Main, &[path.to_owned()]);
        assert_eq!(forget(), Ok(3), "{path}");
        let error = forget().expect_err("nothing is left");
        assert_eq!(error.message, format!("No passage of `{path}` has feedback."));
        assert_eq!(error.code.spec().name, "feedback_missing");
    }
}

/// A graduate is promoted from where it stands by then.
#[test]
fn a_graduate_that_moved_to_another_log_is_promoted_from_there() {
    let world = kept("- The rye bread is baked on Sundays.\n");
    says(&world.agent, 1, true, Rater::Owner, 0..10);
    world.shelf.write(LOG, "# Nothing here\n");
    world.shelf.write("memory/2026-11-19.md", "# Day\n\n* The rye bread is baked on Sundays.\n");
    let report = dreams(&world);
    assert_eq!(report.outcome, "appended", "{report:?}");
    let memory = world.text("MEMORY.md");
    assert!(
        memory.contains("rye bread is baked on Sundays.") && memory.contains("memory/2026-11-19.md"),
        "{memory}"
    );
    assert_eq!(dreams(&world).outcome, "nothing_to_promote", "once");
}

/// The candidates of an answer are chosen before their ratings are read, and no rating is passed over by it: praise of
/// what would not be shown brings it in, and one look-up asks of no more passages than it could bring.
#[test]
fn what_stands_below_the_answer_comes_in_by_praise() {
    let days: String =
        (10..40).map(|day| format!("# {day}\n\n- The bread of day {day} was rye.\n\n")).collect();
    let world = kept(&days);
    let hits = |limit| {
        let bounds = Bounds::default();
        let query = Search { query: "rye bread", scope: &Scope::Main, limit, budget_chars: None, bounds };
        world.agent.notes.search(&query).expect("an answer").hits
    };
    let last = hits(30).pop().expect("thirty hits");
    assert!(hits(3).iter().all(|hit| hit.text != last.text));
    says(&world.agent, last.first_line, true, Rater::Owner, 0..10);
    assert_eq!(hits(3)[0].text, last.text, "{:?}", hits(3));
    assert_eq!(hits(1)[0].text, last.text, "{:?}", hits(1));
}

#[test]
fn one_outcome_counts_once_and_a_result_is_named_by_its_number() {
    let world = kept("- The rye bread is baked on Sundays.\n- The oven is old.\n");
    let query = Search {
        query: "rye bread",
        scope: &Scope::Main,
        limit: 5,
        budget_chars: None,
        bounds: Bounds::default(),
    };
    let mut answer = world.agent.notes.search(&query).expect("an answer");
    world.agent.learning.note_shown(&query, &mut answer);
    assert!(answer.notices.is_empty(), "{answer:?}");
    let first = ["1".to_owned()];
    let say = |useful| {
        world
            .agent
            .learning
            .give_feedback(&ask(&first, useful, Rater::Owner, None))
            .expect("counted")
            .remove(0)
    };
    let once = say(true);
    assert_eq!((once.counted, once.tally.owner.all), (Some(Counted::New), 1));
    assert!(once.text.contains("Sundays") && once.lines == Some((1, 1)), "{once:?}");
    assert_eq!((say(true).counted, say(true).tally.owner.all), (Some(Counted::Again), 1));
    let changed = say(false);
    assert_eq!((changed.counted, changed.tally.owner.useful), (Some(Counted::Changed), 0));
    let cited = [format!("{LOG}#L1")];
    let cited = world.agent.learning.give_feedback(&ask(&cited, false, Rater::Owner, None)).expect("counted");
    assert_eq!(cited[0].counted, Some(Counted::Again), "the same passage of the same search");
    for (hit, code) in [
        ("99", Code::UsageBad),
        ("0", Code::UsageBad),
        (LOG, Code::UsageBad),
        ("memory/2026-11-20.md#L9", Code::FileMissing),
        ("memory/2026-01-01.md#L1", Code::FileMissing),
        ("SOUL.md#L1", Code::FileMissing),
    ] {
        let refused = world.agent.learning.give_feedback(&ask(&[hit.to_owned()], true, Rater::Owner, None));
        assert_eq!(refused.expect_err(hit).code, code, "{hit}");
    }
    assert_eq!(
        world.agent.learning.feedback(None).expect("a list").len(),
        1,
        "what was refused left nothing"
    );
    assert_eq!(world.agent.learning.forget_feedback(&Scope::Main, &[LOG.to_owned()]).expect("forgotten"), 1);
    assert!(world.agent.learning.feedback(None).expect("a list").is_empty());
}

/// Proves X60.
#[test]
fn a_graduate_is_promoted_at_the_bar_and_not_below_it() {
    for (useful, useless, outcome) in [
        (8, 2, "nothing_to_promote"),
        (9, 0, "nothing_to_promote"),
        (9, 1, "appended"),
        (10, 2, "appended"),
        (15, 5, "nothing_to_promote"),
        (16, 4, "appended"),
    ] {
        let world = kept("- The rye bread is baked on Sundays.\n- The oven is old.\n");
        says(&world.agent, 1, false, Rater::Owner, 0..useless);
        says(&world.agent, 1, true, Rater::Owner, useless..useless + useful);
        let report = dreams(&world);
        assert_eq!(report.outcome, outcome, "{useful} of {}: {report:?}", useful + useless);
        let promoted = world.text("MEMORY.md").contains("- The rye bread is baked on Sundays.");
        assert_eq!(promoted, outcome == "appended");
        if promoted {
            let why = &report.judged[0].detail;
            assert!(why.contains(&format!("useful={useful}/{}, graduate=owner", useful + useless)), "{why}");
            assert!(!world.text("MEMORY.md").contains("oven"), "nobody spoke of it");
            assert_eq!(dreams(&world).outcome, "nothing_to_promote", "once");
        }
    }
}

/// What an agent says of what it reads is an agent's word: it moves no score, and promotes by a person's hand alone.
///
/// Proves X60.
#[test]
fn an_agents_word_moves_no_score_and_is_proposed() {
    let world = kept("- The rye bread is baked on Sundays.\n");
    let before = asks(&world.agent, "rye bread").hits[0].parts;
    says(&world.agent, 1, true, Rater::Owner, 0..5);
    let with_owner = asks(&world.agent, "rye bread").hits[0].parts;
    let agent_says = |days: std::ops::Range<u32>| {
        for day in days {
            world.clock.set(&format!("2026-11-{:02}T12:00:00Z", 10 + day));
            says(&world.agent, 1, true, Rater::Tool, day * 10..day * 10 + 10);
        }
        world.clock.set(inwit_testkit::NOW);
    };
    agent_says(0..9);
    let after = asks(&world.agent, "rye bread").hits[0].clone();
    assert!(with_owner.feedback > 0.0 && before.feedback == 0.0);
    assert_eq!(after.parts, with_owner, "nine words of an agent");
    let tally = after.feedback.expect("rated");
    assert_eq!((tally.owner.all, tally.tool.all, tally.graduate), (5, 9, None), "the two are not added up");
    agent_says(9..10);
    let report = dreams(&world);
    assert_eq!((report.outcome, world.text("MEMORY.md").as_str()), ("pending", MEMORY), "{report:?}");
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].proposal.reason, "an agent rated it useful 10 of 10 times");
}

/// The bar is looked at where an outcome is counted: a home whose rows say enough, and where nobody was made a
/// graduate, has none after a doctor, a dream, a search or a list.
///
/// Proves X60.
#[test]
fn neither_doctor_nor_dream_makes_a_graduate() {
    use inwit_store::memory::{Feedback as _, PassageKey, RatedPassage, Rating};
    use inwit_store::{SetKey, TextKey};
    let memory = Arc::new(inwit_store_sqlite::SqliteMemory::in_memory().expect("a memory"));
    let text = "- The rye bread is baked on Sundays.";
    let set = SetKey::of(&Scope::Main);
    let ratings: Vec<Rating> = (0..30)
        .map(|outcome| Rating {
            set: set.clone(),
            rated: RatedPassage {
                key: TextKey::of(&set, &inwit_recall::meaning::text(text)),
                passage: PassageKey {
                    path: inwit_testkit::name(LOG),
                    text: inwit_model::Sha256::of(text.as_bytes()),
                },
            },
            useful: true,
            rater: Rater::Owner,
            outcome: outcome.to_string(),
            at: inwit_testkit::NOW.parse().expect("a moment"),
        })
        .collect();
    memory.rate(&ratings, &|_| None).expect("counted");
    let shelf = Shelf::default();
    shelf.write(LOG, format!("{text}\n"));
    let keeping = AgentDeps::alone(Arc::clone(&memory) as _, Arc::new(inwit_testkit::Drawn::of(3)));
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf) as Arc<dyn Files>) });
    agent.doctor(&crate::doctor::Plain, &mut inwit_model::watch::unwatched).expect("examined");
    let dream = DreamAsk { gates: Gates::default(), dry_run: false, trigger: "manual".into() };
    assert_eq!(agent.learning.dream(&dream).expect("a dream").outcome, "nothing_to_promote");
    assert!(asks(&agent, "rye bread").hits[0].parts.feedback > 0.0, "the words count for the score");
    assert_eq!(agent.learning.feedback(None).expect("a list")[0].tally.graduate, None);
    says(&agent, 1, true, Rater::Owner, 50..51);
    assert_eq!(
        agent.learning.dream(&dream).expect("a dream").outcome,
        "appended",
        "the next outcome is where it is decided"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Feedback of one scope changes no digit of the answers of another.
    ///
    /// Proves X21.
    #[test]
    fn what_is_said_in_one_scope_moves_no_answer_of_another(
        words in prop::collection::vec((0usize..3, 1usize..4, any::<bool>(), any::<bool>()), 1..24),
        query in select(&["bread", "the oven", "shared bread oven"][..]),
    ) {
        let scopes = [Scope::Main, room("kitchen"), room("garden")];
        let files = || {
            let shelf = Shelf::default();
            shelf.write("MEMORY.md", "- The bread is dark.\n- The oven is old.\n- Shared bread.\n");
            for room in ["kitchen", "garden"] {
                shelf.write(&format!("rooms/{room}.md"), "- The bread is dark.\n- The oven is old.\n- Shared bread.\n");
            }
            Agent::new(AgentPorts { keeping: keeping(), ..parts(Arc::new(shelf) as Arc<dyn Files>) })
        };
        let pages = ["MEMORY.md", "rooms/kitchen.md", "rooms/garden.md"];
        let hears = |agent: &Agent, scope: &Scope| format!("{:?}", search(agent, scope, query, None));
        for (quiet, scope) in scopes.iter().enumerate() {
            let (silent, spoken) = (files(), files());
            for (outcome, (at, line, useful, owner)) in words.iter().enumerate() {
                if *at == quiet { continue }
                let hits = [format!("{}#L{line}", pages[*at])];
                let rater = if *owner { Rater::Owner } else { Rater::Tool };
                let outcome = outcome.to_string();
                let ask = FeedbackAsk { scope: &scopes[*at], hits: &hits, useful: *useful, rater, outcome: Some(&outcome) };
                spoken.learning.give_feedback(&ask).expect("counted");
            }
            prop_assert_eq!(hears(&silent, scope), hears(&spoken, scope));
            let silence = spoken.learning.feedback(Some(scope)).expect("a list");
            prop_assert!(silence.is_empty(), "{:?}", silence);
        }
    }
}

/// The property above would hold of feedback that moves nothing anywhere.
#[test]
fn what_is_said_in_a_room_moves_that_room() {
    let world = kept("- The bread is dark.\n");
    let kitchen = room("kitchen");
    let hits = ["rooms/kitchen.md#L4".to_owned()];
    let ask =
        FeedbackAsk { scope: &kitchen, hits: &hits, useful: true, rater: Rater::Owner, outcome: Some("o") };
    world.agent.learning.give_feedback(&ask).expect("counted");
    assert!(search(&world.agent, &kitchen, "bread", None).hits[0].parts.feedback > 0.0);
    assert!(asks(&world.agent, "bread").hits.iter().all(|hit| hit.parts.feedback == 0.0));
    let private = FeedbackAsk { hits: &[format!("{LOG}#L1")], ..ask };
    assert_eq!(
        world.agent.learning.give_feedback(&private).expect_err("not for a room").code,
        Code::FileMissing
    );
}

#[test]
fn diversity_brings_what_is_new_and_loses_nothing() {
    let log = "- The rye bread is baked on Sundays.\n- The rye bread is baked on Sundays again.\n- The rye bread is baked on Sundays, too.\n\n# Oven\n\n- For rye the oven must be hot.\n";
    let shelf = Shelf::default();
    shelf.write(LOG, log);
    let world = world(profile("personal"), shelf);
    let plain = search(&world.agent, &Scope::Main, "rye bread baked", None);
    let same = search(&world.agent, &Scope::Main, "rye bread baked", Some(100));
    let apart = search(&world.agent, &Scope::Main, "rye bread baked", Some(50));
    let texts = |answer: &Answer| answer.hits.iter().map(|hit| hit.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&plain), texts(&same), "λ = 1 is the plain order");
    assert!(plain.diversity.is_none() && same.diversity.is_some_and(|told| told.by == "words"));
    assert_eq!(texts(&plain)[0], texts(&apart)[0], "the best stays the best");
    assert!(texts(&apart)[1].contains("oven"), "{:?}", texts(&apart));
    assert!(apart.hits[1].place > 2, "it tells from where");
    let sorted = |answer: &Answer| {
        let mut texts = texts(answer);
        texts.sort();
        texts
    };
    assert_eq!(sorted(&plain), sorted(&apart), "nothing is lost");
}

/// `importance` and `trigger` are OpenClaw's comments: 1 is 0.80 of a score, 10 is 1.25.
#[test]
fn importance_and_triggers_count_as_openclaw_says_and_stay_byte_for_byte() {
    let page = "# Facts\n\n- Rye bread on Sundays. <!-- importance: 1 -->\n\n# Other\n\n- Rye bread on Mondays. <!-- trigger: breakfast, sour dough --> <!-- importance: 10 -->\n";
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", page);
    let world = world(profile("openclaw"), shelf);
    let plain = {
        let shelf = Shelf::default();
        shelf.write("MEMORY.md", inwit_markdown::shown(page).as_ref());
        Agent::new(parts(Arc::new(shelf) as Arc<dyn Files>))
    };
    let score = |answer: &Answer, day: &str| {
        answer.hits.iter().find(|hit| hit.text.contains(day)).map(|hit| hit.parts.sum()).expect("a hit")
    };
    let (carried, bare) = (asks(&world.agent, "rye bread"), asks(&plain, "rye bread"));
    assert!((score(&carried, "Sundays") / score(&bare, "Sundays") - 0.80).abs() < 0.000_1);
    assert!((score(&carried, "Mondays") / score(&bare, "Mondays") - 1.25).abs() < 0.000_1);
    assert!(carried.hits.iter().all(|hit| !hit.text.contains("<!--")), "no reader sees them");
    for called in ["breakfast", "what about breakfast", "dough"] {
        let parts = asks(&world.agent, called).hits[0].parts;
        assert!(parts.words.abs() < 0.000_1 && (parts.trigger - 1.0).abs() < 0.000_1, "{parts:?}");
        assert!((parts.sum() - 1.25).abs() < 0.000_1, "the importance counts for it too: {parts:?}");
        assert!(asks(&world.agent, called).hits[0].text.contains("Mondays"), "{called}");
        assert!(asks(&plain, called).hits.is_empty(), "{called} stands in no text");
    }
    assert!(asks(&world.agent, "trigger importance").hits.is_empty(), "the words of machines are no words");
    says_of(&world, "MEMORY.md#L3");
    assert_eq!(world.text("MEMORY.md"), page);
}

/// A word of the text is its text's, whatever its triggers say; a neighbour is no more than lent to.
#[test]
fn the_parts_tell_what_only_a_trigger_brought() {
    let shelf = Shelf::default();
    shelf.write(
        "MEMORY.md",
        "- Rye bread from the oven. <!-- trigger: breakfast, rye -->\n- Oats in the oven.\n",
    );
    let world = world(profile("openclaw"), shelf);
    let parts = |query: &str, text: &str| {
        let answer = asks(&world.agent, query);
        answer.hits.iter().find(|hit| hit.text.contains(text)).map(|hit| hit.parts).expect("a hit")
    };
    let plain = parts("rye bread", "Rye");
    assert!(plain.words > 0.9 && plain.trigger < 0.1, "no more than stands above its text: {plain:?}");
    let both = parts("rye breakfast", "Rye");
    assert!(both.words > 0.1 && both.trigger > 0.1 && (both.sum() - 1.0).abs() < 0.000_1, "{both:?}");
    let lent = parts("rye breakfast", "Oats");
    assert!(lent.words > 0.0 && lent.trigger == 0.0, "{lent:?}");
}

/// In a log stand the words of whoever spoke: a comment that they wrote lifts and calls up nothing.
#[test]
fn what_a_log_says_of_its_own_lines_counts_for_nothing() {
    let line = "- Rye bread on Mondays. <!-- trigger: breakfast --> <!-- importance: 10 -->\n";
    let counts = |path: &str, scope: &Scope| {
        let shelf = Shelf::default();
        shelf.write(path, line);
        let world = world(profile("personal"), shelf);
        let by_word = search(&world.agent, scope, "rye bread", None).hits[0].parts;
        (by_word.importance > 0.0, !search(&world.agent, scope, "breakfast", None).hits.is_empty())
    };
    let kitchen = room("kitchen");
    for (path, scope) in [
        (LOG, &Scope::Main),
        ("memory/2026-11-20-a1.md", &Scope::Main),
        ("memory/rooms/kitchen/2026-11-20.md", &kitchen),
    ] {
        assert_eq!(counts(path, scope), (false, false), "{path}");
    }
    for (path, scope) in [
        ("MEMORY.md", &Scope::Main),
        ("memory/topics/bread.md", &Scope::Main),
        ("notes/bread.md", &Scope::Main),
        ("rooms/kitchen.md", &kitchen),
    ] {
        assert_eq!(counts(path, scope), (true, true), "{path}");
    }
}

/// OpenClaw's agents write these comments themselves, so an agent's own counts; what a page or a
/// guest said to it waits for a person, and lifts nothing until then.
#[test]
fn a_comment_counts_when_the_agent_wrote_it_and_not_when_others_spoke_through_it() {
    let line = |day: &str| format!("Rye bread on {day}. <!-- importance: 10 -->");
    let lifted = |world: &World, scope: &Scope| {
        let hits = search(&world.agent, scope, "rye bread", None).hits;
        hits.iter().filter(|hit| hit.parts.importance > 0.0).map(|hit| hit.text.clone()).collect::<Vec<_>>()
    };
    let world = kept("- Something else.\n");
    let own = world.starts();
    assert_eq!(words(&world.says(&own, "note it", "Noted.", vec![remember(&line("Mondays"))])), ["applied"]);
    assert!(world.text("MEMORY.md").contains("- Rye bread on Mondays. <!-- importance: 10 -->"));
    let read = world.starts();
    let told = world.reads(&read, "a page: rye bread on Fridays", "Noted.", vec![remember(&line("Fridays"))]);
    assert_eq!(words(&told), ["pending:taint"]);
    assert_eq!(lifted(&world, &Scope::Main), ["- Rye bread on Mondays."]);

    let kitchen = room("kitchen");
    let guests = world.starts_in(kitchen.clone(), Some("kitchen"));
    let page = format!("# Kitchen\n\n- {}\n", line("Sundays"));
    let told = world.says(&guests, "note it", "Noted.", vec![put("rooms/kitchen.md", &page)]);
    assert_eq!(words(&told), ["pending:asked"]);
    assert_eq!(lifted(&world, &kitchen), [""; 0]);
}

fn says_of(world: &World, hit: &str) {
    let hits = [hit.to_owned()];
    world.agent.learning.give_feedback(&ask(&hits, true, Rater::Owner, None)).expect("counted");
}

#[test]
fn a_weight_of_nothing_does_nothing() {
    let agent = |weights: Weights| {
        let shelf = Shelf::default();
        shelf.write("MEMORY.md", "- Rye bread from the oven. <!-- importance: 10 -->\n- The oven is hot. <!-- trigger: breakfast -->\n");
        let keeping = AgentDeps { weights, ..keeping() };
        Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf) as Arc<dyn Files>) })
    };
    let plain = Weights::default();
    let off = Weights { importance: 0.0, trigger: 0.0, lend: 0.0, feedback: 0.0, ..plain };
    assert!(asks(&agent(plain), "rye bread").hits[0].parts.importance > 0.0);
    assert_eq!(
        asks(&agent(plain), "rye bread").hits.len(),
        2,
        "a match counts for a neighbour that it has a word in common with"
    );
    let asked = asks(&agent(off), "rye bread");
    assert_eq!((asked.hits.len(), asked.hits[0].parts.importance), (1, 0.0));
    assert!(asks(&agent(off), "breakfast").hits.is_empty());
}

/// Hits have numbers where they stand on the screen: the last plain answer's, in its own scope.
#[test]
fn a_number_is_of_the_answer_that_was_shown_last() {
    let world = kept("- The rye bread is baked on Sundays.\n");
    let kitchen = room("kitchen");
    let shows = |scope| {
        let bounds = Bounds::default();
        let query = Search { query: "bread", scope, limit: 5, budget_chars: None, bounds };
        world.agent.learning.note_shown(&query, &mut world.agent.notes.search(&query).expect("an answer"));
    };
    let first = ["1".to_owned()];
    let code = |scope| {
        let ask = FeedbackAsk { scope, hits: &first, useful: true, rater: Rater::Owner, outcome: None };
        world.agent.learning.give_feedback(&ask).err().map(|error| error.code)
    };
    shows(&Scope::Main);
    assert_eq!((code(&Scope::Main), code(&kitchen)), (None, Some(Code::UsageBad)));
    shows(&kitchen);
    assert_eq!((code(&Scope::Main), code(&kitchen)), (Some(Code::UsageBad), None));
    assert!(world.agent.learning.forget_shown(&Scope::Main).is_none());
    assert_eq!(code(&kitchen), Some(Code::UsageBad), "another answer stands there");
    // An answer that could not be noted does not wait for the same writer again.
    let bounds = Bounds::default();
    let query = Search { query: "bread", scope: &Scope::Main, limit: 5, budget_chars: None, bounds };
    let mut busy = world.agent.notes.search(&query).expect("an answer");
    busy.notices.push(inwit_engine::Notice::new("recall_not_noted", "It is being written.", "Wait."));
    world.agent.learning.note_shown(&query, &mut busy);
    assert_eq!(busy.notices.len(), 1);
    assert!(busy.notices[0].message.contains("number"), "{busy:?}");
    assert_eq!(code(&Scope::Main), Some(Code::UsageBad), "nothing was written");
}
