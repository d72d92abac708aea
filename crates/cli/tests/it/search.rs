//! `inwit search`, in every form it has.

use expect_test::expect;
use inwit_testkit::Tree;

use crate::{newcomer, user};

#[test]
fn a_search_prints_passages_with_their_places() {
    user()
        .run(["search", "caraway", "-n", "1", "-w", "notes"])
        .prints(expect![[r#"
            MEMORY.md#L3  Food
                - Likes rye bread with caraway.
        "#]])
        .says(expect![[""]]);
}

#[test]
fn a_room_hears_nothing_private() {
    user()
        .run(["search", "bread", "--room", "kitchen", "-w", "notes"])
        .prints(expect![[r#"
            memory/rooms/kitchen/2026-11-20.md#L1
                - Tomás brought a sourdough bread.
            rooms/kitchen.md#L1
                - The kitchen bakes bread on Fridays.
        "#]])
        .hides("rye")
        .hides("chest");
    user().run(["search", "rye", "--scope", "shared", "-w", "notes"]).prints(expect![[""]]).says(expect![[
        r#"
            No match.
        "#
    ]]);
}

#[test]
fn an_explanation_says_how_the_question_was_understood() {
    user()
        .run(["search", "which", "bread", "chest", "-n", "1", "--explain", "-w", "notes"])
        .prints(expect![[r#"
            memory/2026-11-20.md#L1  1.00
                - Bought a bread chest.
                = words 1.00 + meaning 0.00 + label 0.00 + time 0.00 + date 0.00
        "#]])
        .says(expect![[r#"
            term bread: 4 passages, weight 0.69
            term chest: 1 passage, weight 1.79
            left out, no content: which
            share of the query near the best result: 1.00
        "#]]);
}

#[test]
fn a_budget_is_filled_with_the_lines_around_and_what_did_not_fit_is_said() {
    user().run(["search", "chest", "-n", "1", "--budget-chars", "80", "-w", "notes"]).prints(expect![[r#"
        memory/2026-11-20.md#L1-L2
            - Bought a bread chest.
            - It stands under the stairs.
    "#]]);
    user()
        .run(["search", "bread", "--budget-chars", "25", "-w", "notes"])
        .mentions("did not fit into --budget-chars");
}

#[test]
fn json_holds_the_names_that_hosts_know() {
    let answer = user().run(["search", "caraway", "-n", "1", "--json", "-w", "notes"]).json();
    let hit = &answer["results"][0];
    assert_eq!(hit["path"], "MEMORY.md");
    assert_eq!((&hit["startLine"], &hit["endLine"]), (&3.into(), &3.into()));
    assert_eq!(hit["citation"], "MEMORY.md#L3");
    assert_eq!(hit["snippet"], hit["text"]);
    assert_eq!(hit["heading"], "Food");
    assert_eq!(answer["nothingNear"], false);
    assert_eq!(answer.get("explain"), None);
    let answer = user().run(["search", "caraway", "--json", "--explain", "-w", "notes"]).json();
    assert_eq!(answer["explain"]["terms"][0]["passages"], 1);
    assert!(answer["results"][0]["parts"]["words"].is_number());
}

#[test]
fn a_snippet_of_a_long_passage_is_cut_within_its_limit_and_says_so() {
    let long = format!("- Zeppelin {}end\n", "word ".repeat(190));
    let home = user().write("work/notes/MEMORY.md", &long);
    let answer = home.run(["search", "zeppelin", "-n", "1", "--json", "-w", "notes"]).json();
    let [text, snippet] = ["text", "snippet"].map(|key| answer["results"][0][key].as_str().expect("text"));
    assert_eq!((text.chars().count() > 700, snippet.chars().count()), (true, 700));
    assert_eq!(snippet.strip_suffix('…'), text.get(..699), "the text is whole beside it");
}

#[test]
fn a_batch_answers_line_by_line_in_order() {
    let questions = "{\"id\": \"a\", \"query\": \"chest\"}\n\n{\"id\": 7, \"query\": \"zeppelin\"}\n";
    let lines = user()
        .run_with(["search", "--batch", "-", "--jsonl", "-n", "1", "-w", "notes"], questions)
        .json_lines();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["id"], &lines[1]["id"]), (&"a".into(), &7.into()));
    assert_eq!(lines[0]["results"][0]["path"], "memory/2026-11-20.md");
    assert_eq!(lines[1]["results"].as_array().map(Vec::len), Some(0));
    let home =
        user().write("work/questions.jsonl", "{\"id\": 1, \"query\": \"chest\"}\n{\"query\": \"no id\"}\n");
    home.run(["search", "--batch", "questions.jsonl", "--jsonl", "-w", "notes"])
        .mentions("questions.jsonl line 2: cannot parse the question: missing field `id`.")
        .exits(1);
    home.run(["search", "--batch", "absent.jsonl", "--jsonl", "-w", "notes"])
        .says(expect![[r#"
        error: absent.jsonl cannot be read: No such file or directory (os error 2).
        hint: Name a file of questions, or `-` for stdin.
    "#]])
        .exits(3);
}

#[test]
fn what_was_edited_since_is_found_at_once() {
    let home = user();
    home.run(["search", "rye", "-w", "notes"]).mentions("rye bread");
    let home = home.write("work/notes/MEMORY.md", "- Likes spelt bread.\n");
    home.run(["search", "rye", "-w", "notes"]).prints(expect![[""]]).says(expect![[r#"
        No match.
    "#]]);
    home.run(["search", "spelt", "-n", "1", "-w", "notes"])
        .mentions("MEMORY.md#L1")
        .mentions("Likes spelt bread.");
}

/// Proves I1.
#[test]
fn two_workspaces_that_differ_in_private_files_answer_a_room_alike() {
    let answer = |home: &inwit_testkit::Cli| {
        let run =
            home.run(["search", "bread of Ana", "--room", "kitchen", "--json", "--explain", "-w", "notes"]);
        (run.stdout(), run.stderr())
    };
    let more = user()
        .workspace("notes", "//- memory/2026-11-19.md\n- bread bread Ana\n//- rooms/garden.md\n- bread\n");
    let fewer = user();
    std::fs::remove_file(fewer.work("notes/MEMORY.md")).expect("gone");
    assert_eq!(answer(&more), answer(&fewer));
    assert!(answer(&more).0.contains("on Fridays"));
}

#[test]
fn programs_that_search_at_once_all_answer() {
    let home = user();
    let runs = home.run_at_once(6, ["search", "caraway", "-n", "1", "-w", "notes"]);
    assert_eq!(runs.len(), 6);
    for run in runs {
        assert!(run.stdout().starts_with("MEMORY.md#L3  "), "{}", run.stdout());
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_command_quietly() {
    user().run_unread(["search", "bread", "-w", "notes"]).says(expect![[""]]).exits(0);
    user().run_unread(["search", "bread", "--json", "-w", "notes"]).says(expect![[""]]).exits(0);
}

#[test]
fn searching_writes_nothing_into_the_workspace() {
    let home = user();
    let before = Tree::of(&home.work("notes"));
    home.run(["search", "bread", "-w", "notes"]).mentions("rye");
    home.run(["search", "bread", "--room", "kitchen", "-w", "notes"]).mentions("Fridays");
    assert_eq!(Tree::of(&home.work("notes")), before);
    assert_eq!(
        Tree::of(&home.work("")).paths().iter().filter(|path| path.starts_with("notes")).count(),
        before.paths().len() + 1
    );
}

/// Proves X47.
#[test]
fn a_score_is_shown_to_who_asks_how_it_came_about() {
    let home = user();
    let plain = home.run(["search", "caraway", "-n", "1", "-w", "notes"]);
    assert!(!plain.stdout().contains("1.00"), "{}", plain.stdout());
    let explained = home.run(["search", "caraway", "-n", "1", "-w", "notes", "--explain"]);
    assert!(explained.stdout().contains("MEMORY.md#L3  1.00"), "{}", explained.stdout());
    assert!(explained.stdout().contains("= words 1.00"), "{}", explained.stdout());
}

/// Proves X47.
#[test]
fn data_hold_no_score_unless_it_is_asked_for() {
    let home = user();
    let hit = |answer: &serde_json::Value| answer["results"][0].as_object().expect("a result").clone();
    let plain = hit(&home.run(["search", "caraway", "-w", "notes", "--json"]).json());
    assert!(!plain.contains_key("score") && !plain.contains_key("parts"), "{plain:?}");
    let explained = hit(&home.run(["search", "caraway", "-w", "notes", "--json", "--explain"]).json());
    let parts = explained["parts"].as_object().expect("parts");
    let sum: f64 = parts.values().map(|part| part.as_f64().expect("a part")).sum();
    assert!((sum - explained["score"].as_f64().expect("a score")).abs() < 1e-5, "{explained:?}");

    let questions = "{\"id\":\"a\",\"query\":\"caraway\"}\n";
    let batch = |words: &[&str]| {
        let words = [&["search", "--batch", "-", "--jsonl", "-w", "notes"][..], words].concat();
        home.run_words_with(&words, questions).json_lines()
    };
    let plain = serde_json::to_string(&batch(&[])).expect("text");
    assert!(plain.contains("caraway") && !plain.contains("\"score\""), "{plain}");
    assert!(serde_json::to_string(&batch(&["--explain"])).expect("text").contains("\"score\""));
}

#[test]
fn an_expression_is_asked_for_by_a_flag_and_a_plain_question_has_no_operators() {
    let home = newcomer().write(
        "work/notes/MEMORY.md",
        "- The blue falcon lies in Vigo.\n- The falcon is blue.\n- He said NOT to paint the falcon.\n",
    );
    let phrase = home.run(["search", "-w", "notes", "--fts", "\"blue falcon\""]);
    drop(phrase.mentions("lies in Vigo").hides("is blue").hides("paint"));
    home.run(["search", "-w", "notes", "falcon NOT blue"]).mentions("is blue");
    home.run(["search", "-w", "notes", "--fts", "falcon NOT blue"]).mentions("paint").hides("is blue");
    let unread = home.run(["search", "-w", "notes", "--fts", "\"blue falcon"]);
    drop(unread.mentions("a quote is not closed").mentions("lies in Vigo"));
}

/// The guide to times, as it stands.
#[test]
fn every_line_of_the_guide_to_times_runs_and_says_something() {
    if !inwit_testkit::has_git() {
        return;
    }
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/times.md");
    let guide = std::fs::read_to_string(guide).expect("the guide");
    let programs = std::path::Path::new(env!("CARGO_BIN_EXE_inwit")).parent().expect("a folder").to_owned();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    let home = crate::user_of_a_shell().env("PATH", &path);
    home.run(["-ec", "inwit init && inwit remember 'Ana bakes rye bread.'"]).exits(0);
    let block = guide.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
    for line in block.lines() {
        let run = home.run(["-ec", line]).exits(0);
        assert!(!run.stderr().is_empty() || !run.stdout().is_empty(), "`{line}` says nothing");
    }
    assert!(block.lines().count() >= 4);
    // Each value that the guide says is refused.
    for bad in ["--since 'until May'", "--since soon", "--until someday", "--around '31 November'"] {
        let run = home.run(["-ec", &format!("inwit search rye {bad} --json")]).exits(2);
        assert_eq!(run.json_error()["error"]["code"], "time_bad", "{bad}");
    }
    let none = home.run(["-ec", "inwit search rye --since 2001-01-01 --until 2001-01-02"]);
    none.mentions("No match among notes dated 2001-01-01 to 2001-01-02.");
}

#[test]
fn a_question_is_read_from_stdin() {
    let home = crate::newcomer().write("work/notes/MEMORY.md", "- The heliotrope blooms by the kiln.\n");
    home.run_with(["search", "-", "-w", "notes"], "where does the heliotrope\nbloom?\n")
        .exits(0)
        .mentions("by the kiln");
    let error = home.run_with(["search", "-", "-w", "notes", "--json"], "").exits(2).json_error();
    assert_eq!(error["error"]["code"], "query_bad", "{error}");
}

/// `No match.` was all that a typo got.
#[test]
fn a_search_without_a_match_names_near_words_that_its_scope_sees() {
    let home = crate::newcomer()
        .write("work/notes/MEMORY.md", "- The heliotrope blooms by the kiln.\n")
        .write("work/notes/rooms/kitchen.md", "- The kettle sings.\n");
    let search = |query: &str, room: &[&str]| {
        let words = [&["search", query, "-w", "notes"], room].concat();
        home.run_words(&words).exits(0)
    };
    search("heliotrpoe", &[]).mentions("The heliotrope blooms");
    search("kinl", &[]).mentions("No match for `kinl`. Near words in the notes: kiln.");
    search("zeppelin", &[]).mentions("No match.").hides("Near words");
    let kitchen = &["--room", "kitchen"];
    search("heliotrpoe", kitchen).mentions("No match.").hides("heliotrope");
    search("kinl", kitchen).hides("kiln");
    search("ketle", kitchen).mentions("Near words in the notes: kettle.");
}
