//! `--as-of`: what was known at a moment, through the whole program.

use inwit_testkit::Cli;

use crate::newcomer;

/// Agent `main`, in whose notes something was written, changed and taken away; and the moments of that.
fn changed() -> (Cli, Vec<String>) {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    for text in ["- Ana bakes rye bread.\n", "- Ana bakes spelt bread.\n", "- Nothing is baked.\n"] {
        home.run_with(["edit", "MEMORY.md", "--content-from", "-"], text).mentions("Wrote");
        home.run(["history", "log", "-n", "1"]).mentions("change MEMORY.md");
    }
    let log = home.run(["history", "log", "MEMORY.md", "-n", "3", "--json"]).json();
    let at = |at: usize| log["commits"][at]["at"].as_str().expect("a moment").to_owned();
    (home, vec![at(2), at(1), at(0)])
}

/// Proves X55.
#[test]
fn every_moment_of_a_history_is_searched_as_it_was() {
    if !inwit_testkit::has_git() {
        return;
    }
    let (home, moments) = changed();
    let found = |moment: &str| home.run(["search", "who bakes bread", "--as-of", moment, "--json"]).json();
    for (moment, text) in moments.iter().zip(["- Ana bakes rye bread.", "- Ana bakes spelt bread."]) {
        let answer = found(moment);
        assert_eq!(answer["results"][0]["text"], text, "{answer}");
        assert_eq!(answer["results"][0]["seenFrom"], **moment);
        assert_eq!(answer["asOf"]["recordedAt"], **moment);
        assert_eq!(answer["asOf"]["isNow"], false);
        assert_eq!(answer["asOf"]["commit"].as_str().map(str::len), Some(40));
    }
    assert_eq!(found(&moments[0])["results"][0]["seenUntil"], *moments[1]);
    assert_eq!(found(&moments[2])["results"][0]["text"], "- Nothing is baked.");
    assert_eq!(found("today")["asOf"]["isNow"], true);
    assert!(
        home.run(["search", "bread", "--json"]).json()["asOf"].is_null(),
        "the present says nothing of it"
    );
    home.run(["search", "bread", "--as-of", &moments[0], "--explain"])
        .mentions("since 20")
        .mentions(", until ")
        .mentions("as of ")
        .mentions("= words");
    home.run(["prompt", "--as-of", &moments[0]]).mentions("rye bread").hides("spelt");
    home.run(["prompt", "--as-of", &moments[1], "--report"]).mentions("MEMORY.md");
    let prompt = home.run(["prompt", "--as-of", &moments[1], "--json"]).json();
    assert_eq!(prompt["asOf"]["recordedAt"], *moments[1]);
    home.run(["show", "MEMORY.md", "--as-of", &moments[0]]).mentions("rye bread");
    let batch = home.run_with(
        ["search", "--batch", "-", "--jsonl", "--as-of", &moments[1]],
        "{\"id\": 1, \"query\": \"bread\"}\n{\"id\": 2, \"query\": \"Ana\"}\n",
    );
    assert_eq!(
        batch.stdout().matches("spelt bread").count(),
        4,
        "text and snippet, twice: {}",
        batch.stdout()
    );
}

/// Without `--rewrite-history` the history keeps an erased text; only the owner's `show --as-of` prints it.
#[test]
fn no_model_reads_an_erased_text_in_the_past() {
    if !inwit_testkit::has_git() {
        return;
    }
    let (home, moments) = changed();
    home.run(["forget", "--everywhere", "ana bakes RYE", "--apply", "--yes"]).exits(1);
    let hides = |run: inwit_testkit::cli::Run| run.hides("rye").mentions("[masked: forgotten] bread");
    hides(home.run(["search", "bread", "--as-of", &moments[0], "--json"]));
    hides(home.run(["prompt", "--as-of", &moments[0]]));
    let called = |tool: &str, arguments: serde_json::Value| {
        let call = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments } });
        home.run_with(["mcp", "--main"], &format!("{}\n{call}\n", crate::mcp::begin()))
    };
    let then = &moments[0];
    hides(called("memory_get", serde_json::json!({ "path": "MEMORY.md", "as_of": then })));
    hides(called("memory_search", serde_json::json!({ "query": "bread", "as_of": then })));
    home.run(["show", "MEMORY.md", "--as-of", then]).mentions("rye bread");
    let later = serde_json::json!({ "path": "MEMORY.md", "as_of": &moments[1] });
    called("memory_get", later).mentions("spelt bread").hides("masked");
}

#[test]
fn what_cannot_be_told_of_the_past_is_said() {
    if !inwit_testkit::has_git() {
        return;
    }
    let (home, moments) = changed();
    home.run(["search", "bread", "--as-of", "2001-01-01"])
        .mentions("The history has no record of that time. It starts at 20")
        .hides("- Ana");
    home.run(["search", "bread", "--as-of", "whenever"]).mentions("cannot be parsed as a time").exits(2);
    let room = home.run(["search", "bread", "--as-of", &moments[0], "--room", "kitchen", "--json"]).json();
    assert!(
        room["asOf"]["commit"].is_null() && room["results"].as_array().is_some_and(Vec::is_empty),
        "{room}"
    );
    // Files that stand as they stood are told of, so nothing is said of where a history begins.
    assert!(room["notices"][0].is_null(), "{room}");
    let code = |words: &[&str]| home.run_words(words).exits(1).json_error()["error"]["code"].clone();
    let words = ["search", "bread", "--as-of", &moments[0], "--json"];
    std::fs::rename(home.home("inwit/agents/main/history.git"), home.home("elsewhere")).expect("moved");
    assert_eq!(code(&words), "bytes_lost");
    std::fs::rename(home.home("elsewhere"), home.home("inwit/agents/main/history.git")).expect("moved back");
    home.run(["config", "set", "history.location", "off"]).exits(0);
    assert_eq!(code(&words), "history_unavailable");
    let home = home.env("PATH", "/nowhere");
    home.run(["config", "set", "history.location", "beside"]).exits(0);
    assert_eq!(home.run_words(&words).exits(1).json_error()["error"]["code"], "git_missing");
}
