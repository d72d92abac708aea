//! What was changed by hand: dated by its own stamp, told of by nobody else.

use super::*;

/// Proves X55.
#[test]
fn what_was_done_by_hand_is_dated_by_the_files_own_stamps() {
    if !has_git() {
        return;
    }
    let world = world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n"));
    world.clock.set("2026-05-01T10:00:00Z");
    leaves(&world, "MEMORY.md", Some("- Tea at four.\n"));
    // Made by hand after the first change, before anything was brought into history.
    world.shelf.write_at("notes/oven.md", "- The oven is from Lyon.\n", "2026-05-03T10:00:00Z");
    world.clock.set("2026-05-04T10:00:00Z");
    leaves(&world, "notes/rye.md", Some("- Ana bakes rye bread.\n"));
    world.agent.history.flush_history().expect("recorded");
    assert_eq!(found(&world, "2026-05-02", "oven"), []);
    assert_eq!(found(&world, "2026-05-03", "oven")[0].1, "2026-05-03T10:00:00Z..");
    // An edit that the next change found has a life of its own.
    world.shelf.write_at("notes/oven.md", "- The oven is from Nancy.\n", "2026-05-06T10:00:00Z");
    world.clock.set("2026-05-08T10:00:00Z");
    leaves(&world, "notes/oven.md", Some("- The oven is from Turin.\n"));
    world.clock.set("2026-05-12T10:00:00Z");
    let oven = |day: &str| found(&world, day, "oven");
    let life = |town: &str, days: &str| vec![(format!("- The oven is from {town}."), days.to_owned())];
    assert_eq!(oven("2026-05-05"), life("Lyon", "2026-05-03T10:00:00Z..2026-05-06T10:00:00Z"));
    assert_eq!(oven("2026-05-07"), life("Nancy", "2026-05-06T10:00:00Z..2026-05-08T10:00:00Z"));
    assert_eq!(oven("2026-05-09"), life("Turin", "2026-05-08T10:00:00Z.."));
}

/// Proves X55.
#[test]
fn what_was_taken_away_changed_or_renamed_by_hand_is_dated_by_its_own_stamp() {
    if !has_git() {
        return;
    }
    let world = world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n"));
    world.clock.set("2026-05-01T10:00:00Z");
    let rye = "- Ana bakes rye bread.\n";
    for (file, text) in [("notes/rye.md", rye), ("notes/gone.md", "- Bread goes stale.\n")] {
        leaves(&world, file, Some(text));
    }
    leaves(&world, "notes/oats.md", Some("- Oat bread at six.\n"));
    world.agent.history.flush_history().expect("recorded");
    world.shelf.write_at("notes/oats.md", "- Oat bread at ten.\n", "2026-05-03T10:00:00Z");
    world.shelf.remove("notes/rye.md");
    world.shelf.write_at("notes/spelt/rye.md", rye, "2026-05-04T10:00:00Z");
    world.shelf.remove("notes/gone.md");
    world.clock.set("2026-05-06T10:00:00Z");
    // Looked for twice: nothing is recorded twice.
    for _ in 0..2 {
        world.agent.history.record_found().expect("recorded");
        let mut bread = found(&world, "2026-05-05", "bread");
        bread.sort();
        let until_found = "2026-05-01T10:00:00Z..2026-05-06T10:00:00Z";
        assert_eq!(
            bread,
            [
                ("- Ana bakes rye bread.", "2026-05-04T10:00:00Z.."),
                ("- Bread goes stale.", until_found),
                ("- Oat bread at ten.", "2026-05-03T10:00:00Z.."),
            ]
            .map(|(text, seen)| (text.to_owned(), seen.to_owned()))
        );
        assert_eq!(world.agent.history.history_log(&LogFilter::newest(100)).expect("a log").len(), 8);
        world.clock.set("2026-05-07T10:00:00Z");
    }
    let log = world.agent.history.history_log(&LogFilter::newest(100)).expect("a log");
    let by_hand: Vec<_> = log.iter().filter(|one| one.subject.starts_with("found by hand")).collect();
    assert!(by_hand.len() >= 2 && by_hand.iter().all(|one| one.actor == "external"), "{by_hand:?}");
    let rye = found(&world, "2026-05-03", "rye");
    assert_eq!(rye[0].1, "2026-05-01T10:00:00Z..2026-05-04T10:00:00Z", "renamed then");
    assert!(found(&world, "2026-05-06", "stale").is_empty());
    // A change through inwit goes on from what was found.
    leaves(&world, "notes/oats.md", Some("- Oat bread at noon.\n"));
    world.clock.set("2026-05-09T10:00:00Z");
    assert_eq!(found(&world, "2026-05-06", "oat")[0].1, "2026-05-03T10:00:00Z..2026-05-07T10:00:00Z");
}

#[test]
fn a_clock_that_was_set_back_leaves_no_life_that_begins_after_the_moment_asked() {
    if !has_git() {
        return;
    }
    let world = world(profile("personal"), Shelf::default());
    for (at, bread) in [("05-01", "rye"), ("05-09", "spelt"), ("05-03", "oat"), ("05-05", "corn")] {
        world.clock.set(&format!("2026-{at}T10:00:00Z"));
        let text = format!("- Ana bakes {bread} bread.\n- The oven is new.\n- Since {bread}.\n");
        leaves(&world, "notes/bread.md", Some(&text));
    }
    world.clock.set("2026-05-20T10:00:00Z");
    for (day, bread) in [("2026-05-02", "rye"), ("2026-05-04", "oat"), ("2026-05-06", "corn")] {
        let past = past(&world, &Scope::Main, day);
        let moment = past.of().moment;
        for word in ["bread", "since", "oven"] {
            for hit in past.search(&search(word, &Scope::Main)).expect("an answer").hits {
                let seen = hit.seen.expect("recorded");
                assert!(
                    seen.from <= moment && seen.until.is_none_or(|until| moment < until),
                    "{day} {hit:?}"
                );
            }
        }
        assert!(past.search(&search(bread, &Scope::Main)).expect("an answer").hits[0].text.contains(bread));
    }
}

/// A page of a room that somebody wrote by hand stood when it stood, whether or not private changes made a history.
#[test]
fn a_page_written_by_hand_is_told_of_without_a_history() {
    if !has_git() {
        return;
    }
    let kitchen = room("kitchen");
    let worlds = [0, 1].map(|_| world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n")));
    for world in &worlds {
        world.shelf.write_at("rooms/kitchen.md", "- The dishwasher is from Lyon.\n", "2026-05-02T10:00:00Z");
        world.clock.set("2026-05-04T10:00:00Z");
    }
    leaves(&worlds[1], "notes/bread.md", Some("- Private.\n"));
    for (day, hits) in [("2026-05-03", 1), ("2026-05-01", 0)] {
        let moment = worlds[0].agent.core.moment(day, DayEdge::End).expect("a moment");
        let [never, recorded] = [0, 1].map(|at| told(&worlds[at], &kitchen, moment, "dishwasher"));
        assert_eq!(never, recorded, "{day}");
        let answer =
            past(&worlds[0], &kitchen, day).search(&search("dishwasher", &kitchen)).expect("an answer");
        assert_eq!(answer.hits.len(), hits, "{answer:?}");
        assert!(answer.notices.is_empty(), "{answer:?}");
    }
}

/// One change under a dead clock says nothing of when the others were made.
#[test]
fn a_change_under_a_dead_clock_moves_no_other() {
    if !has_git() {
        return;
    }
    let world = three_days();
    world.clock.set("1972-01-01T00:00:00Z");
    leaves(&world, "notes/oats.md", Some("- Oats.\n"));
    world.clock.set("2026-05-09T10:00:00Z");
    leaves(&world, "notes/tea.md", Some("- Tea.\n"));
    let rye = ("- Ana bakes rye bread.".to_owned(), "2026-05-01T10:00:00Z..2026-05-03T10:00:00Z".to_owned());
    assert_eq!(found(&world, "2026-05-02", "rye bread").first(), Some(&rye));
    assert_eq!(found(&world, "1980-01-01", "bread oats"), []);
    world.clock.set("2026-05-10T10:00:00Z");
    assert_eq!(found(&world, "2026-05-09", "oats"), [("- Oats.".into(), "2026-05-06T10:00:00Z..".into())]);
}
