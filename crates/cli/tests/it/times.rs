//! Times have one form for people and one in JSON, and facts say when they hold.

use crate::newcomer;

/// Whether `text` is `2026-11-28T17:06:45.212Z`.
fn is_json_time(text: &str) -> bool {
    text.len() == 24 && text.ends_with('Z') && text.as_bytes().get(19) == Some(&b'.')
}

#[test]
fn a_time_names_its_zone_for_people_and_has_milliseconds_in_json() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home =
        newcomer().env("INWIT_CLOCK", "2026-11-28T17:06:45Z").env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana bakes rye"]).exits(0);
    home.run(["facts", "add", "Ana bakes rye", "--from", "2020-01-01", "--to", "2030-01-01"]).exits(0);
    home.run(["dream"]).exits(0);
    home.run(["remember", "Ana bakes wheat", "--as", "agent", "--to", "SOUL.md"]).any_status();
    for words in [
        ["history", "log"].as_slice(),
        &["history", "blame", "MEMORY.md"],
        &["history", "audit", "show"],
        &["dream", "log"],
        &["facts", "read", "1"],
    ] {
        let run = home.run_words(words);
        assert!(run.stdout().contains("2026-11-28 17:0"), "{words:?}: {}", run.stdout());
        run.mentions(" UTC").hides(":45Z").exits(0);
    }
    home.run(["facts", "read", "1"]).mentions("valid     2020-01-01 to 2030-01-01");
    let commits = home.run(["history", "log", "--json"]).json();
    assert!(is_json_time(commits["commits"][0]["at"].as_str().expect("a time")), "{commits}");
    let fact = home.run(["facts", "read", "1", "--json"]).json();
    for key in ["createdAt", "updatedAt", "validFrom", "validTo", "believedFrom"] {
        assert!(is_json_time(fact[key].as_str().expect(key)), "{key}: {fact}");
    }
}

#[test]
fn facts_that_ended_or_have_not_begun_stand_behind_the_current_ones() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "The mill stands in Lisbon", "--from", "2024-01-01"]).exits(0);
    home.run(["facts", "add", "Bread came from Porto", "--to", "2024-01-01"]).exits(0);
    home.run(["facts", "add", "The oven moves to Rome", "--from", "2999-01-01"]).exits(0);
    let list = home.run(["facts", "list"]).stdout();
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].ends_with("Lisbon  (since 2024-01-01)"), "{list}");
    assert!(lines[1].ends_with("Rome  (from 2999-01-01)"), "{list}");
    assert!(lines[2].ends_with("Porto  (ended 2024-01-01)"), "{list}");
    // What holds now takes the places of a short list.
    assert!(home.run(["facts", "list", "-n", "1"]).stdout().contains("Lisbon"));
    let prompt = home.run(["prompt"]).stdout();
    assert!(!prompt.contains("Porto"), "{prompt}");
    let facts = "## Observations\n\n[observation] The mill stands in Lisbon (since 2024-01-01)\n\n\
                 ## Upcoming\n\n[observation] The oven moves to Rome (from 2999-01-01)\n";
    assert!(prompt.contains(facts), "{prompt}");
    home.run(["facts", "list", "--as-of", "2023-01-01"])
        .mentions("Porto  (until 2024-01-01)")
        .hides("Lisbon");
}

#[test]
fn a_time_that_is_printed_can_be_asked_for() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana bakes rye"]).exits(0);
    let at = home.run(["history", "log", "-n", "1"]).stdout();
    let at = at.get(9..29).expect("a time");
    assert!(at.ends_with(" UTC"), "{at}");
    home.run(["show", "MEMORY.md", "--as-of", at]).mentions("Ana bakes rye").exits(0);
    let commits = home.run(["history", "log", "-n", "1", "--json"]).json();
    let at = commits["commits"][0]["at"].as_str().expect("a time");
    home.run(["show", "MEMORY.md", "--as-of", at]).mentions("Ana bakes rye").exits(0);
}
