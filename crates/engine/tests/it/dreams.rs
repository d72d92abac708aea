//! A dream: what is recalled again and again goes into lasting memory, and why the rest does not.

pub mod logs;
mod passes;
mod secrets;

use std::sync::Arc;

use inwit_engine::forget::{ErasureRequest, Matcher};
use inwit_engine::history::past::LogFilter;
use inwit_engine::learning::dream::Gates;
use inwit_engine::learning::dreaming::{DreamAsk, DreamDoor, DreamReport, DreamSchedule};
use inwit_engine::notes::inbox::Made;
use inwit_engine::{Agent, AgentDeps, AgentPorts, Bounds, Search};
use inwit_gate::HumanConsent;
use inwit_model::ports::StateFile;
use inwit_model::{Clock as _, DreamEngine, Files as _, Scope, Sha256};
use inwit_store::memory::{Dreams as _, KnownTexts, PassageKey, RecallEvent, Signals as _};
use inwit_store_sqlite::SqliteMemory;
use inwit_testkit::{Drawn, FakeClock, NOW, Shelf, owner, parts};
use inwit_workspace::dream_lock::{BusyReason, DreamBusy, Taken};
use jiff::SignedDuration;

use crate::profile;
use crate::world::{World, world};

const LOG: &str = "memory/2026-11-20.md";
const MEMORY: &str = "# MEMORY\n\n## Facts\n\n- Ana bakes.\n";

fn shelf(log: &str) -> Shelf {
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", MEMORY);
    shelf.write(LOG, log);
    shelf
}

fn dream(world: &World) -> DreamReport {
    dream_as(world, false)
}

fn dream_as(world: &World, dry_run: bool) -> DreamReport {
    let ask = DreamAsk { gates: Gates::default(), dry_run, trigger: "manual".into() };
    let report = world.agent.learning.dream(&ask).expect("a dream");
    world.clock.pass(SignedDuration::from_mins(1));
    report
}

/// Three questions on three days that find the passage about bread.
fn recalled(world: &World) {
    for query in ["sourdough starter", "feed the sourdough", "when is the starter fed"] {
        assert!(world.searches(query) > 0, "{query}");
        world.clock.pass(SignedDuration::from_hours(24));
    }
}

fn outcomes(report: &DreamReport) -> Vec<&str> {
    report.judged.iter().map(|judged| judged.outcome).collect()
}

/// Proves W10, N12, N29e.
#[test]
fn what_was_recalled_often_is_added_to_memory_and_nothing_else_changes() {
    let world = world(
        profile("nexo"),
        shelf("# 2026-11-20\n\n- The sourdough starter is fed on Sundays.\n- The bus was late.\n"),
    );
    recalled(&world);
    let report = dream(&world);
    assert_eq!(report.outcome, "appended", "{report:?}");
    let memory = world.text("MEMORY.md");
    assert!(memory.starts_with(MEMORY), "{memory}");
    let section = &memory[MEMORY.len()..];
    assert!(section.contains("## Dreamed 2026-11-24 12:00 UTC"), "{section}");
    assert!(section.contains("- The sourdough starter is fed on Sundays. _(score="), "{section}");
    assert!(section.contains("hits=3, days=3)_") && section.contains("memory/2026-11-20.md#L3"), "{section}");
    assert!(!section.contains("bus"), "{section}");
    assert!(world.text("DREAMS.md").contains("- promoted: 1"), "{}", world.text("DREAMS.md"));
    let again = dream(&world);
    assert_eq!(again.outcome, "nothing_to_promote");
    assert_eq!(world.text("MEMORY.md"), memory, "once is enough");
    assert!(outcomes(&again).contains(&"already_promoted"));
}

/// A passage is promoted once, from the log where it was recalled most.
#[test]
fn the_same_words_in_two_logs_are_promoted_once() {
    let line = "- The sourdough starter is fed on Sundays.\n";
    let shelf = shelf(&format!("# 2026-11-20\n\n{line}"));
    shelf.write("memory/2026-11-19.md", format!("# 2026-11-19\n\n{line}"));
    let world = world(profile("nexo"), shelf);
    recalled(&world);
    let report = dream(&world);
    assert_eq!(report.judged.len(), 2, "both were recalled: {report:?}");
    let memory = world.text("MEMORY.md");
    assert_eq!(memory.matches("is fed on Sundays").count(), 1, "{memory}");
}

/// A first-time user got three bullets for one fact, each with the clock time of its log and without a day.
#[test]
fn one_fact_in_three_logs_is_promoted_once_and_with_its_day() {
    let shelf = shelf("# 2026-11-20\n\n- 09:12 The sourdough starter in the kitchen is fed on Sundays.\n");
    let again = "10:02 On Sundays the sourdough starter in our kitchen is fed.";
    shelf.write("memory/2026-11-19.md", format!("# 2026-11-19\n\n- {again}\n"));
    let corrected = "18:40 The sourdough starter in the kitchen is no longer fed on Sundays.";
    shelf.write("memory/2026-11-21.md", format!("# 2026-11-21\n\n- {corrected}\n"));
    let world = world(profile("nexo"), shelf);
    recalled(&world);
    let report = dream(&world);
    let memory = world.text("MEMORY.md");
    let bullets: Vec<&str> = memory.lines().filter(|line| line.contains("sourdough")).collect();
    assert_eq!(bullets.len(), 2, "{memory}");
    let dated = |day: &str| bullets.iter().any(|line| line.starts_with(&format!("- {day}: ")));
    assert!(dated("2026-11-21") && (dated("2026-11-20") || dated("2026-11-19")), "{memory}");
    assert!(["09:12", "10:02", "18:40"].iter().all(|clock| !memory.contains(clock)), "{memory}");
    assert!(outcomes(&report).contains(&"near_duplicate"), "{report:?}");
    let second = dream(&world);
    assert_eq!(second.outcome, "nothing_to_promote", "{second:?}");
    assert_eq!(world.text("MEMORY.md"), memory);
}

/// A workspace of Minara: its watermark says which logs its own engine consumed.
///
/// Proves W49.
#[test]
fn a_pass_records_that_it_ran_and_keeps_the_watermark_of_others() {
    let state = |mark: &str, ran: &str| {
        format!(
            "{{\n  \"note\": \"mine\",\n  \"last_processed_mtime\": {mark},\n  \"last_run_at\": \"{ran}\"\n}}\n"
        )
    };
    let text_of = |world: &World| {
        let bytes = world.shelf.read_state(StateFile::Dreamed).expect("read");
        bytes.map(|bytes| String::from_utf8(bytes).expect("text"))
    };
    let clean = "- The sourdough starter is fed on Sundays.\n".to_owned();
    let key = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    let logs = [
        (clean.clone(), ["appended", "nothing_to_promote"]),
        (
            format!("- The sourdough starter token is {key}.\n"),
            ["pii_detected_quarantine", "nothing_to_promote"],
        ),
    ];
    let marks =
        ["1795000000123", "1795000000123.7517", "\"1795000000123\"", "\"2026-11-20T00:00:00Z\"", "null"];
    for (log, outcomes) in &logs {
        for mark in marks {
            let world = world(profile("minara"), shelf(log));
            recalled(&world);
            let before = state(mark, "2026-11-20T03:00:00Z");
            world.shelf.write_state(StateFile::Dreamed, Some(before.as_bytes())).expect("written");
            dream_as(&world, true);
            assert_eq!(text_of(&world).as_deref(), Some(before.as_str()), "a dry run");
            for (outcome, ran) in outcomes.iter().zip(["2026-11-24T12:01:00Z", "2026-11-24T12:02:00Z"]) {
                assert_eq!(dream(&world).outcome, *outcome, "{mark}");
                assert_eq!(text_of(&world), Some(state(mark, ran)));
            }
        }
    }
    let world = world(profile("minara"), shelf(&clean));
    recalled(&world);
    dream_as(&world, true);
    assert_eq!(text_of(&world), None, "a dry run makes no file");
    for broken in ["{", "[]"] {
        world.shelf.write_state(StateFile::Dreamed, Some(broken.as_bytes())).expect("written");
        let report = dream(&world);
        assert_eq!(text_of(&world).as_deref(), Some(broken), "a broken file is not overwritten");
        assert!(report.notices.iter().any(|notice| notice.code == "dreamed_state_unreadable"), "{report:?}");
    }
    world.shelf.write_state(StateFile::Dreamed, None).expect("removed");
    dream(&world);
    let made = text_of(&world).expect("made");
    assert!(made.contains("last_run_at") && !made.contains("last_processed_mtime"), "{made}");
}

/// Proves N29d.
#[test]
fn one_question_asked_on_many_days_is_one_question() {
    let world = world(profile("nexo"), shelf("- The sourdough starter is fed on Sundays.\n"));
    for _ in 0..5 {
        world.searches("sourdough starter");
        world.clock.pass(SignedDuration::from_hours(24));
    }
    let report = dream(&world);
    assert_eq!((report.outcome, outcomes(&report)), ("nothing_to_promote", vec!["too_few_queries"]));
    assert_eq!(world.text("MEMORY.md"), MEMORY);
    let why = world.agent.learning.dream_why(None, "sourdough", 9).expect("reasons");
    assert_eq!(why[0].reason.outcome, "too_few_queries");
    assert_eq!(why[0].reason.detail, "hits=5, relevance=1.00, queries=1, days=5");
}

#[test]
fn a_dry_run_says_the_same_and_writes_nothing() {
    let world = world(profile("nexo"), shelf("- The sourdough starter is fed on Sundays.\n"));
    recalled(&world);
    let report = dream_as(&world, true);
    assert_eq!((report.outcome, outcomes(&report)), ("dry_run", vec!["would_promote"]));
    assert_eq!(world.text("MEMORY.md"), MEMORY);
    assert_eq!(world.text("DREAMS.md"), "");
    assert_eq!(world.agent.learning.dreams(9).expect("passes"), []);
}

#[test]
fn a_passage_that_was_edited_or_is_gone_is_not_dreamed_of() {
    let world = world(profile("nexo"), shelf("- The sourdough starter is fed on Sundays.\n"));
    recalled(&world);
    world.shelf.write(LOG, "- The sourdough starter is fed on Mondays.\n");
    assert_eq!(outcomes(&dream(&world)), ["gone"]);
}

/// Whoever writes down again what the owner had forgotten does not bring it into lasting memory by it.
#[test]
fn what_was_forgotten_is_not_dreamed_of() {
    let world = world(profile("nexo"), shelf("- nothing\n"));
    let wording = Matcher::of(["starter is fed on Sundays".to_owned()]).expect("a wording");
    let aim = ErasureRequest::of(wording, false);
    world.agent.forget_everywhere(&aim, KnownTexts::default(), &owner()).expect("forgotten");
    world.shelf.write(LOG, "# 2026-11-20\n\n- The sourdough starter is fed on Sundays.\n");
    recalled(&world);
    let report = dream(&world);
    assert_eq!((report.outcome, outcomes(&report)), ("nothing_to_promote", vec!["forgotten"]), "{report:?}");
    assert!(!world.text("MEMORY.md").contains("Sundays"));
}

/// Words of others never become lasting memory by being repeated: a person decides.
#[test]
fn what_came_from_others_is_proposed_and_not_promoted() {
    let world = world(profile("personal"), shelf("- nothing\n"));
    let id = world.starts();
    let said = "The page says the sourdough starter is fed with gold.";
    world.reads(&id, "page", said, Vec::new());
    world.agent.sessions.session_end(&id).expect("ended");
    recalled(&world);
    let report = dream(&world);
    assert_eq!((report.outcome, world.text("MEMORY.md").as_str()), ("pending", MEMORY), "{report:?}");
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    assert_eq!(waiting.len(), 1);
    assert_eq!(dream(&world).pending, report.pending, "asked once");
    let shown = world.agent.notes.proposal(waiting[0].proposal.id.as_str(), &Made::AsIs).expect("shown");
    let person = HumanConsent::confirming(shown.seal, &shown.seal.to_string()).expect("confirmed");
    world.agent.approve(&shown, &person, false).expect("written");
    assert!(world.text("MEMORY.md").contains("fed with gold"));
    let promoted = || world.agent.counts().expect("counts").memories_promoted;
    assert_eq!(promoted(), 1, "what a person let in is in the ledger");
    let after = dream(&world);
    assert!(outcomes(&after).contains(&"already_promoted"), "{after:?}");
    assert_eq!((after.pending, promoted()), (None, 1), "once");
}

#[test]
fn what_was_asked_once_is_not_asked_again_in_other_company() {
    let world = world(profile("personal"), shelf("- nothing\n"));
    let hears = |said: &str| {
        let id = world.starts();
        world.reads(&id, "page", said, Vec::new());
        world.agent.sessions.session_end(&id).expect("ended");
        recalled(&world);
        dream(&world)
    };
    let first = hears("The page says the sourdough starter is fed with gold.");
    let second = hears("The page says to feed the sourdough starter when the moon is full.");
    let added = |report: &DreamReport| {
        let id = report.pending.as_ref().expect("it waits").to_string();
        let shown = world.agent.notes.proposal(&id, &Made::AsIs).expect("shown");
        let after = String::from_utf8(shown.after.expect("bytes").to_vec()).expect("text");
        (id, after.contains("gold"), after.contains("moon"))
    };
    let (gold, moon) = (added(&first), added(&second));
    assert_eq!((gold.1, gold.2, moon.1, moon.2), (true, false, false, true), "each by itself");
    world.agent.notes.reject(&gold.0, "no").expect("rejected");
    let third = hears("The page says the sourdough starter must be fed by night.");
    assert_eq!(
        third.pending.map(|id| world
            .agent
            .notes
            .inbox(false)
            .expect("an inbox")
            .iter()
            .any(|kept| kept.proposal.id == id)),
        Some(true)
    );
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    let texts: Vec<String> = waiting
        .iter()
        .map(|kept| {
            format!(
                "{:?}",
                kept.proposal.op.result(None).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            )
        })
        .collect();
    assert!(texts.iter().all(|text| !text.contains("gold")), "what was rejected stays rejected: {texts:?}");
    assert_eq!(texts.iter().filter(|text| text.contains("moon")).count(), 1, "{texts:?}");
}

/// Who spoke in which turns is inwit's own note: it lends its words to the entry and is no answer, and
/// where it was recalled before that was so, no dream takes it for a memory.
#[test]
fn the_name_lines_of_an_entry_are_no_answer_and_no_memory() {
    let names = "**Room:** #dev\n**User:** alice\n**Agent:** ada\n**Turns:** 1 (a1b2c3d4)";
    let entry =
        |hour: u32| format!("## 2026-11-20 {hour}:00 UTC\n\n{names}\n\n- The ferry leaves at {hour}.\n\n");
    let log: String = (10..22).map(entry).collect();
    let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let keeping = AgentDeps::alone(Arc::clone(&memory) as _, Arc::new(Drawn::of(7)));
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf(&log))) });
    for limit in [1, 3, 12] {
        let search = Search {
            query: "alice ada",
            scope: &Scope::Main,
            limit,
            budget_chars: None,
            bounds: Bounds::default(),
        };
        let hits = agent.notes.search(&search).expect("an answer").hits;
        assert_eq!(hits.len(), limit, "what alice said is found by her name");
        assert!(hits.iter().all(|hit| hit.text.contains("ferry")), "{hits:?}");
    }
    let passage = PassageKey { path: inwit_testkit::name(LOG), text: Sha256::of(names.as_bytes()) };
    let events = ["who", "who is it", "alice"].map(|query| RecallEvent {
        passage: passage.clone(),
        query: Sha256::of(query.as_bytes()),
        score: 1.0,
        at: FakeClock::at(NOW).now(),
        session: None,
    });
    memory.record(&events).expect("recalled");
    let ask = DreamAsk { gates: Gates::default(), dry_run: false, trigger: "manual".into() };
    let report = agent.learning.dream(&ask).expect("a dream");
    assert_eq!((report.outcome, outcomes(&report)), ("nothing_to_promote", vec!["name_lines"]));
}

/// What the user asked or ordered once is no memory; what holds on is, and what the agent answered.
#[test]
fn a_question_or_an_order_of_the_user_is_not_promoted() {
    let log = "## 2026-11-20 10:00 UTC\n\n**User:** alice\n**Agent:** ada\n**Turns:** 1 (a1b2c3d4)\n\n\
               - alice: when does the sourdough starter get its flour?\n\
               - ada: The sourdough starter gets 40 g of rye flour on Sundays.\n\
               - alice: always keep the sourdough starter at 21 °C, never warmer\n";
    let world = world(profile("nexo"), shelf(log));
    recalled(&world);
    let gates = Gates { min_score: 0.0, min_recall_count: 1, min_unique_queries: 1, ..Gates::default() };
    let report = world
        .agent
        .learning
        .dream(&DreamAsk { gates, dry_run: true, trigger: "manual".into() })
        .expect("a dream");
    let of = |words: &str| {
        let judged = report.judged.iter().find(|judged| judged.text.contains(words));
        judged.map(|judged| judged.outcome).unwrap_or_else(|| panic!("{words}: {:?}", report.judged))
    };
    assert_eq!(of("when does"), "asked");
    for words in ["40 g of rye", "never warmer"] {
        assert_eq!(of(words), "would_promote", "{words}");
    }
}

/// Emphasis, a sign and a number are words; only the mark of the list item is not.
#[test]
fn a_fact_is_promoted_in_the_words_it_has() {
    let log = "- **Decision:** feed the sourdough starter on Sundays\n- -5 °C is too cold for the sourdough starter\n\
               * +34 600 000 000 is who has the sourdough starter\n\n*Always* feed the sourdough starter.\n";
    let world = world(profile("nexo"), shelf(log));
    recalled(&world);
    let gates = Gates { min_score: 0.0, min_recall_count: 1, min_unique_queries: 1, ..Gates::default() };
    world
        .agent
        .learning
        .dream(&DreamAsk { gates, dry_run: false, trigger: "manual".into() })
        .expect("a dream");
    let memory = world.text("MEMORY.md");
    for line in [
        "- **Decision:** feed the sourdough starter on Sundays _(",
        "- -5 °C is too cold for the sourdough starter _(",
        "- +34 600 000 000 is who has the sourdough starter _(",
        "- *Always* feed the sourdough starter. _(",
    ] {
        assert!(memory.contains(line), "{line}: {memory}");
    }
    let diary = world.text("DREAMS.md");
    assert!(diary.contains("- **Decision:** feed") && diary.contains("- -5 °C"), "{diary}");
}

#[test]
fn a_fact_that_is_too_long_is_left_where_it_stands_and_told() {
    let long = format!("- The sourdough starter{}\n", " is fed by hand".repeat(60));
    let world = world(profile("nexo"), shelf(&long));
    recalled(&world);
    let report = dream(&world);
    assert_eq!((report.outcome, outcomes(&report)), ("nothing_to_promote", vec!["too_long"]));
    assert_eq!(world.text("MEMORY.md"), MEMORY, "no part of it");
    assert!(world.text("DREAMS.md").contains("- too_long: 1"), "{}", world.text("DREAMS.md"));
    assert_eq!(
        world.agent.learning.dream_why(None, "by hand", 9).expect("reasons")[0].reason.outcome,
        "too_long"
    );
}

#[test]
fn a_pass_that_has_nothing_new_to_say_leaves_the_diary_alone() {
    let world = world(profile("nexo"), shelf("- The sourdough starter is fed on Sundays.\n"));
    dream(&world);
    let first = world.text("DREAMS.md");
    assert!(first.contains("- promoted: 0"), "the first is told, though it is empty: {first}");
    (0..5).for_each(|_| drop(dream(&world)));
    assert_eq!(world.text("DREAMS.md"), first);
    assert_eq!(world.agent.learning.dreams(9).expect("passes").len(), 6, "each of them is known");
    recalled(&world);
    dream(&world);
    let grown = world.text("DREAMS.md");
    assert!(grown.starts_with(&first) && grown.contains("- promoted: 1"), "{grown}");
}

#[test]
fn where_everything_is_asked_for_a_dream_asks_too() {
    let world = world(profile("carapace"), shelf("- The sourdough starter is fed on Sundays.\n"));
    recalled(&world);
    assert_eq!(dream(&world).outcome, "pending");
    assert_eq!(world.text("MEMORY.md"), MEMORY);
}

/// Proves N29a.
#[test]
fn a_hit_counts_one_divided_by_its_rank() {
    let shelf = Shelf::default();
    for (day, weekday) in [(18, "Sundays"), (19, "Mondays"), (20, "Fridays")] {
        let log = format!("- The sourdough starter is fed on {weekday}.\n");
        shelf.write(&format!("memory/2026-11-{day}.md"), log);
    }
    let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let keeping = AgentDeps {
        records_recall: true,
        ..AgentDeps::alone(Arc::clone(&memory) as _, Arc::new(Drawn::of(7)))
    };
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf)) });
    let search = Search {
        query: "sourdough starter",
        scope: &Scope::Main,
        limit: 9,
        budget_chars: None,
        bounds: Bounds::default(),
    };
    assert_eq!(agent.notes.search(&search).expect("an answer").hits.len(), 3);
    let signals = memory.signals(jiff::Timestamp::MIN).expect("signals");
    let mut scores: Vec<i64> = signals.iter().map(|it| (it.mean_score * 1e4).round() as i64).collect();
    scores.sort_unstable();
    assert_eq!(scores, [3_333, 5_000, 10_000]);
    assert!(signals.iter().all(|signal| signal.hits == 1));
}

/// Proves N22.
#[test]
fn recalls_and_tags_are_those_of_seven_days_and_tags_are_ten() {
    let shelf = shelf("- The sourdough starter is fed on Sundays.\n");
    shelf.write("memory/2026-11-18.md", "- harbour ferry noon captain lighthouse anchor rope sail\n");
    shelf.write("memory/2026-11-19.md", "- orchard cherry ladder basket beekeeper blossom cider press\n");
    let world = world(profile("nexo"), shelf);
    let counts = || world.agent.counts().expect("counts");
    let has = |tag: &str| counts().top_concept_tags_7d.iter().any(|(known, _)| known == tag);
    world.searches("sourdough starter");
    world.clock.pass(SignedDuration::from_hours(24 * 7 - 1));
    assert_eq!((counts().recall_events_7d, has("sourdough")), (1, true));
    world.clock.pass(SignedDuration::from_hours(2));
    assert_eq!((counts().recall_events_7d, has("sourdough")), (0, false));
    for query in ["harbour ferry", "lighthouse captain", "orchard cherry"] {
        assert!(world.searches(query) > 0, "{query}");
    }
    assert_eq!(counts().recall_events_7d, 3);
    let tags: Vec<u64> = counts().top_concept_tags_7d.iter().map(|(_, count)| *count).collect();
    assert_eq!(tags, [2, 2, 2, 2, 2, 2, 2, 2, 1, 1]);
}
