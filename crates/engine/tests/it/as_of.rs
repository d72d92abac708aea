//! Answers from the past: they are those that the files of then would have given, to everybody.

mod by_hand;
mod drawn;
mod kept;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use inwit_engine::history::past::LogFilter;
use inwit_engine::{
    Agent, AgentDeps, AgentPorts, Answer, AsOf, Bounds, CheckId, DayEdge, Hit, Lines, NewFact, Part, Past,
    PastHome, PastPorts, Prompt, Search, WriteContext,
};
use inwit_gate::{Author, Change};
use inwit_model::fact::{Span, When};
use inwit_model::{Clock, Code, FileError, Files, Op, SafeName, Scope, Sha256};
use inwit_store::{Compared, IndexError, Life, Lifetimes, NewStep, PassageMark, Step};
use inwit_store_sqlite::SqliteLifetimes;
use inwit_testkit::{Chance, FakeClock, Shelf, has_git, keeping, name, owner, parts, past_in_memory, room};
use inwit_workspace::MemFiles;
use inwit_workspace::lock::{LockGuard, WriteLock};
use jiff::{SignedDuration, Timestamp};

use self::kept::dump;
use crate::profile;
use crate::world::{World, past_in, world};

/// The owner writes a whole file, or takes it away.
fn leaves(world: &World, file: &str, text: Option<&str>) {
    let file = name(file);
    let base = world.shelf.read(&file).ok().map(|content| content.sha256);
    let op = text.map_or(Op::Remove, |text| Op::Put(text.as_bytes().into()));
    let mut change = Change::new(file, op, base, Author::owner(&owner()));
    change.allow_secret = true;
    world.agent.notes.write(change).expect("written");
}

fn search<'q>(query: &'q str, scope: &'q Scope) -> Search<'q> {
    Search { query, scope, limit: 10, budget_chars: None, bounds: Bounds::default() }
}

fn past<'a>(world: &'a World, scope: &Scope, moment: &str) -> Past<'a> {
    world
        .agent
        .as_of(scope, world.agent.core.moment(moment, DayEdge::End).expect("a moment"))
        .expect("a past")
}

/// What a search as of a moment finds: text, since when and until when.
fn found(world: &World, moment: &str, query: &str) -> Vec<(String, String)> {
    let answer = past(world, &Scope::Main, moment).search(&search(query, &Scope::Main)).expect("an answer");
    answer.hits.iter().map(seen).collect()
}

/// A hit's text, since when and until when; `?` where that is not recorded.
fn seen(hit: &Hit) -> (String, String) {
    let seen = hit.seen.map_or_else(
        || "?".to_owned(),
        |seen| format!("{}..{}", seen.from, seen.until.map(|at| at.to_string()).unwrap_or_default()),
    );
    (hit.text.to_string(), seen)
}

/// Everything that a reader in a scope is shown as of a time, byte for byte.
fn told(world: &World, scope: &Scope, moment: Timestamp, query: &str) -> String {
    match world.agent.as_of(scope, moment) {
        Ok(past) => {
            let of: &AsOf = past.of();
            assert_eq!(of.commit, None, "the name of a commit is the owner's to know");
            let answer = past.search(&search(query, scope));
            format!(
                "{of:?} {answer:?} {:?} {:?}",
                past.prompt_believing(None, None),
                past.get("rooms/kitchen.md", Lines::default())
            )
        }
        Err(error) => format!("{error:?}"),
    }
}

/// A note that is written, changed and taken away on three days.
fn three_days() -> World {
    let world = world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n"));
    world.clock.set("2026-05-01T10:00:00Z");
    leaves(&world, "notes/bread.md", Some("- Ana bakes rye bread.\n- The oven is new.\n"));
    // History begins with every file that is there.
    world.agent.history.flush_history().expect("recorded");
    world.clock.set("2026-05-03T10:00:00Z");
    leaves(&world, "notes/bread.md", Some("- Ana bakes spelt bread.\n- The oven is new.\n"));
    world.clock.set("2026-05-06T10:00:00Z");
    leaves(&world, "notes/bread.md", None);
    world.clock.set("2026-05-09T10:00:00Z");
    world
}

#[test]
fn a_prompt_as_of_a_day_has_the_facts_that_were_believed_then() {
    if !has_git() {
        return;
    }
    let world = three_days();
    let behalf = WriteContext::of(Author::owner(&owner()));
    let fact = |text: &str| {
        world.agent.facts.fact_add(&NewFact { text, ..NewFact::default() }, &behalf).expect("kept");
    };
    world.clock.set("2026-05-04T10:00:00Z");
    fact("Ana likes rye.");
    world.clock.set("2026-05-07T10:00:00Z");
    fact("Ana likes oats.");
    world.agent.facts.profile_set("home_language", "en", &behalf).expect("known");
    world.clock.set("2026-05-09T10:00:00Z");
    let prompt = |day: &str| {
        past(&world, &Scope::Main, day).prompt_believing(None, None).expect("a prompt").text(Part::Prefix)
    };
    for (day, told) in [("2026-05-03", 0), ("2026-05-05", 1), ("2026-05-08", 3)] {
        let prompt = prompt(day);
        let seen = ["Ana likes rye.", "Ana likes oats.", "home_language"].map(|fact| prompt.contains(fact));
        assert_eq!(seen, [told >= 1, told >= 3, told >= 3], "{day}");
    }
}

/// Which facts hold is asked of the moment, and what was believed of another one where the owner says so.
#[test]
fn a_prompt_as_of_a_day_has_the_facts_that_hold_then() {
    if !has_git() {
        return;
    }
    let world = three_days();
    world.clock.set("2026-05-02T10:00:00Z");
    let behalf = WriteContext::of(Author::owner(&owner()));
    let day = |text: &str| Some(text.parse().expect("a moment"));
    for (text, from, to) in [
        ("Ana lived in Porto.", None, day("2026-05-04T00:00:00Z")),
        ("Ana lives in Lisbon.", day("2026-05-04T00:00:00Z"), None),
    ] {
        let fact = NewFact { text, valid: Span { from, to }, ..NewFact::default() };
        world.agent.facts.fact_add(&fact, &behalf).expect("kept");
    }
    world.clock.set("2026-05-09T10:00:00Z");
    world
        .agent
        .facts
        .fact_add(&NewFact { text: "Ana liked rye.", ..NewFact::default() }, &behalf)
        .expect("kept");
    let seen = |prompt: Prompt| {
        let text = prompt.text(Part::Prefix);
        ["Porto", "Lisbon", "rye."].map(|word| text.contains(word))
    };
    let now = Some(world.clock.now());
    for (moment, then, later) in [
        ("2026-05-01", [false; 3], [true, false, true]),
        ("2026-05-03", [true, false, false], [true, false, true]),
        ("2026-05-05", [false, true, false], [false, true, true]),
        // A day that is not over: its files are those of now, and its facts those that hold then.
        ("2026-05-09", [false, true, true], [false, true, true]),
    ] {
        let past = past(&world, &Scope::Main, moment);
        assert_eq!(seen(past.prompt_believing(None, None).expect("a prompt")), then, "{moment}");
        assert_eq!(
            seen(past.prompt_believing(None, now).expect("a prompt")),
            later,
            "{moment}, as known now"
        );
    }
    let before = When { believed_at: day("2026-05-08T00:00:00Z"), ..When::default() };
    let prompt = world.agent.sessions.prompt_of_facts(&Scope::Main, None, before).expect("a prompt");
    assert_eq!(seen(prompt), [true, true, false], "the files of now, and what was believed before");
    let now = world.agent.sessions.prompt(&Scope::Main).expect("a prompt");
    assert_eq!(seen(now), [false, true, true], "what has ended is left out");
}

/// Proves X55.
#[test]
fn a_search_as_of_a_day_answers_from_the_files_of_its_end() {
    if !has_git() {
        return;
    }
    let world = three_days();
    let rye = ("- Ana bakes rye bread.", "2026-05-01T10:00:00Z..2026-05-03T10:00:00Z");
    let spelt = ("- Ana bakes spelt bread.", "2026-05-03T10:00:00Z..2026-05-06T10:00:00Z");
    let owned = |(text, seen): (&str, &str)| vec![(text.to_owned(), seen.to_owned())];
    for (moment, wanted) in [
        ("2026-05-01", owned(rye)),
        ("2026-05-02", owned(rye)),
        ("2026-05-03T09:59:59Z", owned(rye)),
        ("2026-05-03T10:00:00Z", owned(spelt)),
        ("2026-05-03", owned(spelt)),
        ("last Tuesday", owned(spelt)),
        ("2026-05-06", vec![]),
        ("2026-05-09", vec![]),
        // Back again: the index follows in both directions.
        ("2026-05-01", owned(rye)),
    ] {
        let hits: Vec<_> =
            found(&world, moment, "bread").into_iter().filter(|(text, _)| text.contains("bread")).collect();
        assert_eq!(hits, wanted, "{moment}");
    }
    let oven = found(&world, "2026-05-02", "oven");
    assert_eq!(oven[0].1, "2026-05-01T10:00:00Z..2026-05-06T10:00:00Z", "{oven:?}");
    let asked = past(&world, &Scope::Main, "2026-05-02");
    let answer = asked.search(&search("rye", &Scope::Main)).expect("an answer");
    assert_eq!(answer.hits[0].sha256, Sha256::of(b"- Ana bakes rye bread.\n- The oven is new.\n"));
    assert_eq!(asked.of().recorded, Some("2026-05-01T10:00:00Z".parse().expect("a moment")));
    assert!(asked.of().commit.is_some() && !asked.of().is_now);
    // Half of a moment is none: what is left over might mean another one.
    for half in [
        "some day", "2026-05-01T10", "2026-05-01T10:00:00 Europe/London", "2026-05-01T10:00[Nowhere/City]",
        "yesterday at 9:00", "not on 2026-05-01", "2026-05-01 or 2026-05-02", "2026-02-30", "2026-13-01",
    ] {
        let read = world.agent.core.moment(half, DayEdge::End);
        assert!(read.as_ref().is_err_and(|error| error.code == Code::TimeBad), "{half}: {read:?}");
    }
    let tokyo = world.agent.core.moment("2026-05-01T10:00[Asia/Tokyo]", DayEdge::End).expect("a moment");
    assert_eq!(tokyo.to_string(), "2026-05-01T01:00:00Z");
}

/// Of a Friday the last one is meant, of a week or a month its end; what is not over is answered as of now. The clock
/// of these tests stands at Saturday 9 May 2026, 10:00 UTC.
#[test]
fn words_that_may_mean_several_moments_mean_the_end_of_the_last_one_that_has_begun() {
    if !has_git() {
        return;
    }
    let world = three_days();
    let moment = |text: &str| world.agent.core.moment(text, DayEdge::End).expect("a moment").to_string();
    for (text, day) in [
        ("Friday", "2026-05-08"),
        ("el viernes", "2026-05-08"),
        ("as of Friday", "2026-05-08"),
        ("last week", "2026-05-03"),
        ("April", "2026-04-30"),
        ("December", "2025-12-31"),
        ("until April", "2026-04-30"),
        ("a month ago", "2026-04-09"),
    ] {
        assert_eq!(moment(text), format!("{day}T23:59:59.999999999Z"), "{text}");
    }
    for open in ["since April", "after April", "seit April"] {
        let error = world.agent.core.moment(open, DayEdge::End).expect_err("no end");
        assert!(error.code == Code::TimeBad && error.message.contains("no end"), "{open}: {error:?}");
    }
    let now = world.agent.core.moment("2026-05-09T10:00:00Z", DayEdge::End).expect("a moment");
    assert_eq!(world.agent.core.moment("now", DayEdge::Start), Ok(now));
    for coming in ["May", "now", "this week", "Saturday", "next Friday", "2027-01-01"] {
        let asked = past(&world, &Scope::Main, coming);
        assert_eq!((asked.of().moment, asked.of().is_now), (now, true), "{coming}");
    }
    let friday = past(&world, &Scope::Main, "Friday");
    assert!(!friday.of().is_now);
}

#[test]
fn a_moment_that_is_not_over_is_answered_from_the_files_as_they_are() {
    if !has_git() {
        return;
    }
    let world = three_days();
    leaves(&world, "MEMORY.md", Some("- Tea at four.\n"));
    // In an editor: no receipt tells of it, but its own stamp does.
    world.shelf.write_at("notes/new.md", "- Tea from Assam.\n", "2026-05-09T09:30:00Z");
    for moment in ["2026-05-09", "2026-05-09T10:00:00Z", "2027-01-01"] {
        let tea = found(&world, moment, "tea");
        assert_eq!(tea.len(), 2, "{tea:?}");
        assert!(tea.contains(&("- Tea from Assam.".into(), "2026-05-09T09:30:00Z..".into())), "{tea:?}");
        assert!(tea.contains(&("- Tea at four.".into(), "2026-05-09T10:00:00Z..".into())), "{tea:?}");
    }
    assert!(past(&world, &Scope::Main, "today").of().is_now);
    assert_eq!(found(&world, "2026-05-08", "tea"), []);
}

#[test]
fn a_moment_before_history_is_answered_with_nothing_and_a_notice() {
    if !has_git() {
        return;
    }
    let world = three_days();
    let before = past(&world, &Scope::Main, "2026-04-30");
    let answer = before.search(&search("bread", &Scope::Main)).expect("an answer");
    assert!(answer.hits.is_empty());
    assert_eq!(answer.notices[0].code, "before_history");
    assert!(answer.notices[0].message.contains("2026-05-01 10:00 UTC"), "{:?}", answer.notices);
    assert_eq!((before.of().commit.clone(), before.of().recorded), (None, None));
    let prompt = before.prompt_believing(None, None).expect("a prompt");
    assert_eq!(prompt.notices[0].code, "before_history");
    assert!(prompt.blocks.iter().all(|block| !block.text.contains("Ada")), "never today's");
}

#[test]
fn a_prompt_and_a_file_are_those_of_then() {
    if !has_git() {
        return;
    }
    let world = three_days();
    leaves(&world, "memory/2026-05-09.md", Some("- Today.\n"));
    leaves(&world, "SOUL.md", Some("I am Eve.\n"));
    world.clock.set("2026-05-12T10:00:00Z");
    let prompt = |moment| {
        let prompt = past(&world, &Scope::Main, moment).prompt_believing(None, None).expect("a prompt");
        prompt.blocks.iter().map(|block| block.text.clone()).collect::<Vec<_>>().join("\n")
    };
    let then = prompt("2026-05-02");
    assert!(then.contains("I am Ada.") && then.contains("Saturday, 2 May 2026"), "{then}");
    let later = prompt("2026-05-09");
    assert!(later.contains("I am Eve.") && later.contains("- Today."), "{later}");
    let get = |moment| past(&world, &Scope::Main, moment).get("notes/bread.md", Lines::default());
    assert_eq!(get("2026-05-02").expect("read").content, b"- Ana bakes rye bread.\n- The oven is new.\n");
    assert_eq!(get("2026-05-07").expect_err("gone").code, Code::FileMissing);
}

#[test]
fn without_history_git_or_its_repository_the_past_is_refused_with_a_code() {
    let without = Agent::new(parts(Arc::new(MemFiles::new())));
    let moment = without.core.moment("2026-05-01", DayEdge::End).expect("a moment");
    for scope in [Scope::Main, room("kitchen"), Scope::Shared] {
        let error = without.as_of(&scope, moment).err().expect("refused");
        assert_eq!(error.code, Code::HistoryUnavailable, "{scope}");
    }
    if !has_git() {
        return;
    }
    let world = three_days();
    assert!(!found(&world, "2026-05-02", "rye").is_empty());
    std::fs::remove_dir_all(world.folder.path().join("history.git")).expect("thrown away");
    let error = world.agent.as_of(&Scope::Main, moment).err().expect("refused");
    assert_eq!(error.code, Code::BytesLost, "{error}");
}

/// What did not pass the gate is masked in what it was, too.
#[test]
fn what_the_gate_masks_is_masked_in_the_past() {
    if !has_git() {
        return;
    }
    let world = world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n"));
    let key = inwit_testkit::secret::positives("github_pat", 1, &mut Chance::of(1)).remove(0).value;
    world.shelf.write("notes/keys.md", format!("- Deploy key: {key}\n"));
    world.clock.set("2026-05-01T10:00:00Z");
    leaves(&world, "MEMORY.md", Some("- Tea.\n"));
    // History begins with every file that is there.
    world.agent.history.flush_history().expect("recorded");
    world.clock.set("2026-05-02T10:00:00Z");
    world.shelf.write_at("notes/keys.md", "- Nothing.\n", "2026-05-02T09:00:00Z");
    leaves(&world, "notes/keys.md", None);
    world.clock.set("2026-05-04T10:00:00Z");
    let asked = past(&world, &Scope::Main, "2026-05-01");
    let answer = asked.search(&search("deploy key", &Scope::Main)).expect("an answer");
    assert_eq!(answer.hits.len(), 1);
    assert!(!answer.hits[0].text.contains(&key) && answer.hits[0].text.contains("masked"), "{answer:?}");
    assert!(answer.notices.iter().any(|notice| notice.code == "masked"));
}

#[test]
fn a_history_that_lacks_what_was_committed_is_told_to_everybody_who_asks() {
    if !has_git() {
        return;
    }
    let world = three_days();
    leaves(&world, "rooms/kitchen.md", Some("- Tea at four.\n"));
    world.agent.history.flush_history().expect("recorded");
    let (home, kept) = (world.folder.path().join("history.git"), world.folder.path().join("kept.git"));
    copy(&home, &kept);
    world.clock.set("2026-05-11T10:00:00Z");
    leaves(&world, "rooms/kitchen.md", Some("- Tea at five.\n"));
    world.clock.set("2026-05-13T10:00:00Z");
    leaves(&world, "notes/bread.md", Some("- Oats.\n"));
    world.agent.history.flush_history().expect("recorded");
    world.clock.set("2026-05-15T10:00:00Z");
    let told = |scope: &Scope, day: &str| {
        let past = past(&world, scope, day);
        past.notices().iter().filter(|notice| notice.code == "history_incomplete").count()
    };
    let kitchen = room("kitchen");
    assert_eq!([told(&Scope::Main, "2026-05-12"), told(&kitchen, "2026-05-12")], [0, 0]);
    let found_by_doctor = || crate::doctor::found(&world.agent, CheckId::HistoryIncomplete).len();
    assert_eq!(found_by_doctor(), 0);
    // An older one comes back from a backup.
    std::fs::remove_dir_all(&home).expect("gone");
    copy(&kept, &home);
    assert_eq!([told(&Scope::Main, "2026-05-12"), told(&kitchen, "2026-05-12")], [1, 1]);
    assert_eq!(found_by_doctor(), 1);
    // A room is told of its own files alone.
    assert_eq!(told(&room("cellar"), "2026-05-12"), 0);
}

/// A folder as it is, somewhere else.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).expect("copied");
        }
    }
}

#[test]
fn a_profile_key_that_was_set_since_is_an_omission_and_no_silence() {
    if !has_git() {
        return;
    }
    let world = three_days();
    let behalf = WriteContext::of(Author::owner(&owner()));
    world.agent.facts.profile_set("home_language", "en", &behalf).expect("known");
    world.clock.set("2026-05-11T10:00:00Z");
    let prompt = past(&world, &Scope::Main, "2026-05-08").prompt_believing(None, None).expect("a prompt");
    let omitted = prompt.omitted.iter().find(|omission| omission.reason.word() == "set_since");
    assert!(omitted.expect("told").reason.sentence().contains("home_language"));
    assert!(prompt.notices.iter().any(|notice| notice.code == "profile_set_since"));
    let later = past(&world, &Scope::Main, "2026-05-10").prompt_believing(None, None).expect("a prompt");
    assert!(later.omitted.iter().all(|omission| omission.reason.word() != "set_since"));
}

/// Proves X55.
#[test]
fn who_the_agent_is_was_known_to_a_room_before_any_receipt_tells_of_it() {
    if !has_git() {
        return;
    }
    let shelf = Shelf::default();
    shelf.write_at("SOUL.md", "I am Ada.\n", "2026-05-02T10:00:00Z");
    let world = world(profile("personal"), shelf);
    world.clock.set("2026-05-04T10:00:00Z");
    leaves(&world, "MEMORY.md", Some("- Private.\n"));
    world.clock.set("2026-05-09T10:00:00Z");
    let prompt = |day: &str| {
        let prompt = past(&world, &room("kitchen"), day).prompt_believing(None, None).expect("a prompt");
        prompt.blocks.iter().map(|block| block.text.clone()).collect::<Vec<_>>().join("\n")
    };
    assert!(!prompt("2026-05-01").contains("I am Ada."), "nobody knows what stood there then");
    for day in ["2026-05-02", "2026-05-03", "2026-05-08"] {
        let prompt = prompt(day);
        assert!(prompt.contains("I am Ada.") && !prompt.contains("Private"), "{day}: {prompt}");
    }
}
