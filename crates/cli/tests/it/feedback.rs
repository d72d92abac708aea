//! `inwit learn feedback`: what was useful, as a person says it and sees it.

use std::path::Path;

use expect_test::expect;

use crate::{user, user_of_a_shell};

/// The guide, as it stands, line by line.
#[test]
fn every_line_of_the_guide_to_feedback_runs_and_says_something() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/feedback.md");
    let page = std::fs::read_to_string(guide).expect("the guide");
    let programs = Path::new(env!("CARGO_BIN_EXE_inwit")).parent().expect("a folder").display().to_string();
    let home = user_of_a_shell().env("PATH", &format!("{programs}:/usr/local/bin:/usr/bin:/bin"));
    let mut count = 0;
    for block in page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        for line in block.lines() {
            let run = home.run(["-ec", line]).exits(0);
            assert!(!run.stdout().is_empty() || !run.stderr().is_empty(), "`{line}` says nothing");
            count += 1;
        }
    }
    assert!(count >= 9, "the guide shows the verbs: {count}");
}

#[test]
fn a_result_is_named_by_its_number_or_its_place_and_counts_once_an_outcome() {
    let home = user();
    home.run(["search", "caraway", "-n", "1", "-w", "notes"]).exits(0);
    let say = ["learn", "feedback", "1", "--useful", "-w", "notes"];
    home.run(say).prints(expect![[r#"
        MEMORY.md#L3  main
            - Likes rye bread with caraway.
            feedback owner: 1 of 1 useful (bound 0.21)
    "#]]);
    home.run(["learn", "feedback", "MEMORY.md#L3", "--useful", "-w", "notes"]).prints(expect![[r#"
        MEMORY.md#L3  main  (already rated for this outcome; counted once)
            - Likes rye bread with caraway.
            feedback owner: 1 of 1 useful (bound 0.21)
    "#]]);
    home.run([
        "learn", "feedback", "MEMORY.md#L3", "--useless", "--as", "agent", "--outcome", "s1#2", "-w", "notes",
    ])
    .prints(expect![[r#"
            MEMORY.md#L3  main
                - Likes rye bread with caraway.
                feedback owner: 1 of 1 useful (bound 0.21); agents: 0 of 1 useful (bound 0.00)
        "#]]);
    let explained = home.run(["search", "caraway", "-n", "1", "-w", "notes", "--explain"]);
    assert!(explained.stdout().contains("date 0.000 + feedback 0.021"), "{}", explained.stdout());
    assert!(explained.stdout().contains("MEMORY.md#L3  1.021"), "the parts add up: {}", explained.stdout());
    assert!(explained.stdout().contains("agents: 0 of 1 useful"), "{}", explained.stdout());
    let json = home.run(["learn", "feedback", "list", "-w", "notes", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&json.stdout()).expect("JSON");
    assert_eq!(list["passages"][0]["citation"], "MEMORY.md#L3");
    assert_eq!(list["passages"][0]["feedback"]["owner"]["useful"], 1);
    assert_eq!(list["passages"][0]["feedback"]["tools"]["all"], 1);
    home.run(["learn", "feedback", "forget", "--all", "-w", "notes"]).says(expect![[r#"
        Deleted 2 rating(s).
    "#]]);
    home.run(["learn", "feedback", "list", "-w", "notes"]).says(expect![[r#"
        No feedback yet.
    "#]]);
}

#[test]
fn a_weight_is_a_setting_like_any_other() {
    let home = user();
    home.run(["learn", "feedback", "MEMORY.md#L3", "--useful", "-w", "notes"]).exits(0);
    let lift = |home: &inwit_testkit::Cli| {
        home.run(["search", "caraway", "-n", "1", "-w", "notes", "--explain"]).stdout().contains("+ feedback")
    };
    assert!(lift(&home));
    home.run(["config", "set", "weights.feedback", "0"]).exits(0);
    assert!(!lift(&home), "0 is nothing");
    home.run(["config", "set", "weights.feedback", "51"]).exits(2);
    let listed = home.run(["config", "list"]).stdout();
    assert!(listed.contains("weights.feedback") && listed.contains("weights.lend"), "{listed}");
}

#[test]
fn diversity_is_asked_for_and_tells_what_it_moved() {
    let home = user();
    let plain = home.run(["search", "bread", "-w", "notes"]);
    assert!(!plain.stdout().contains("moved from"));
    let asked = home.run(["search", "bread", "--diverse", "--explain", "-w", "notes"]);
    assert!(
        asked.stderr().contains("diverse: near-duplicates are ranked lower, by words, λ 0.70"),
        "{}",
        asked.stderr()
    );
    let one = home.run(["search", "bread", "--mmr", "1", "-w", "notes"]);
    assert_eq!(one.stdout(), plain.stdout(), "λ = 1 is the plain order");
    home.run(["search", "bread", "--mmr", "1.5", "-w", "notes"]).exits(2);
}

/// After an answer of the past no number names a result of the one before it; a program's search changes nothing.
#[test]
fn a_number_is_never_of_an_answer_that_is_not_on_the_screen() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = user().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["search", "caraway", "-n", "1", "-w", "notes"]).exits(0);
    home.run(["search", "nothing of the kind", "--json", "-w", "notes"]).exits(0);
    home.run(["learn", "feedback", "1", "--useful", "-w", "notes"]).exits(0);
    home.run(["search", "caraway", "--as-of", "today", "-w", "notes"]).exits(0);
    home.run(["learn", "feedback", "1", "--useful", "-w", "notes"]).exits(2);
}
