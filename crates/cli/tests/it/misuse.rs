//! A command line that is wrong gets one sentence and a hint that helps with it.

use crate::{newcomer, user};

#[test]
fn a_wrong_value_is_answered_with_the_valid_ones() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana bakes rye"]).exits(0);
    home.run(["search", "rye"]).exits(0);
    for (words, message, hint) in [
        (
            ["open", "99"].as_slice(),
            "There is no result 99; the last search has 1 result.",
            "inwit open --help",
        ),
        (&["undo", "rcpt"], "`rcpt` is a part of 2 receipts: rcpt-", "inwit undo --help"),
        (&["forget", "--everywhere", "ab"], "at least 4 letters or digits", "inwit forget --help"),
        (
            &["search", "x", "--scope", "rom"],
            "use main, room, shared, subagent or scheduled",
            "inwit search --help",
        ),
        (&["show", "MEMORY.md:x"], "Write PATH:3 or PATH:3-9.", "inwit show --help"),
        (&["facts", "search", ""], "The query has no word in it.", "inwit facts search --help"),
    ] {
        home.run_words(words).mentions(message).mentions(hint).hides("to list the commands").exits(2);
    }
    home.run(["show", "MEMORY.md:9999"])
        .mentions("line 9999 is out of range")
        .mentions("hint: Use a line number within the file.")
        .exits(3);
    home.run(["config", "get", "nope"]).mentions("error: Unknown setting `nope`.").exits(2);
    home.run(["config", "get", "search.limt"]).mentions("did you mean `search.limit`?").exits(2);
    let error = home.run(["serach", "--json"]).exits(2).json_error();
    assert_eq!(error["error"]["hint"], "Did you mean `inwit search`?");
    let error = home.run(["help", "serach", "--json"]).exits(2).json_error();
    assert_eq!(error["error"]["hint"], "Did you mean `inwit search`?");
    home.run(["backup", "/proc/x"]).mentions("its folder does not exist").exits(1);
    home.run(["doctor", "--only", "edges"]).mentions("Nothing to repair.").exits(0);
}

#[test]
fn a_path_that_is_not_utf_8_is_named_as_such() {
    crate::shell_on(&crate::user_of_a_shell(), "\"$0\" search x -w \"$(printf '/tmp/\\377')\"")
        .mentions("is not UTF-8")
        .exits(2);
}

#[test]
fn a_former_name_is_read_as_the_new_one_and_noted_once() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let run = home.run(["methods", "list"]);
    assert_eq!(run.stderr().matches("note: `methods` is now `learn methods`.").count(), 1);
    run.exits(0);
    home.run(["feedback"]).mentions("inwit learn feedback --help").exits(2);
}

#[test]
fn a_method_is_of_any_domain() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["learn", "methods", "list"]).mentions("run the tests before a release").exits(0);
    home.run(["learn", "methods", "add", "feed the starter", "--class", "baking"])
        .mentions("[baking/rule]")
        .exits(0);
    home.run(["learn", "methods", "list", "--json"]).mentions("\"assetClass\": \"baking\"").exits(0);
    home.run(["learn", "methods", "add", "x", "--class", "Baking!"]).mentions("lower-case words").exits(2);
}

#[test]
fn words_to_forget_need_no_quotes() {
    let home = user();
    home.run(["forget", "--check", "a", "bread", "chest", "-w", "notes"]).mentions("found: ").exits(1);
    let json =
        home.run(["forget", "--everywhere", "bread", "chest", "-w", "notes", "--json"]).exits(0).json();
    assert!(json.to_string().contains("2026-11-20"), "{json}");
}

#[test]
fn what_the_agent_says_of_itself_has_the_keys_of_every_answer() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["show", "stats", "--json"]).mentions("\n  \"agentId\": \"main\",\n").hides("agent_id").exits(0);
    home.run(["show", "self", "--json"]).mentions("\n  \"agentId\": \"main\",\n").hides("agent_id").exits(0);
}

#[test]
fn a_folder_of_markdown_is_described_as_one() {
    let home = user().write("work/vault/one.md", "# One\n\nBread.\n").write("work/vault/two.md", "Two.\n");
    home.run(["status", "-w", "vault"]).mentions("layout     Markdown folder").mentions("files      2 notes");
    home.run(["show", "-w", "vault"])
        .mentions("No agent files here; `inwit status --files` lists the notes.");
    home.run(["doctor", "--fix", "-w", "vault"]).prints(expect_test::expect![[r#"
        Nothing to repair.
    "#]]);
}
