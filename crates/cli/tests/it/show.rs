//! `inwit show`, `inwit agent list`, and the former names of commands.

use inwit_testkit::cli::Cli;

use crate::newcomer;

fn home() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana bakes rye bread."]).exits(0);
    home
}

#[test]
fn show_takes_a_file_a_citation_and_a_word() {
    let home = home();
    home.run(["show"]).mentions("MEMORY.md").mentions("SOUL.md");
    let memory = home.run(["show", "memory"]).mentions("rye bread").stdout();
    assert_eq!(home.run(["show", "MEMORY.md"]).stdout(), memory);
    let cited = home.run(["search", "rye", "--json"]).json()["results"][0]["citation"].clone();
    home.run(["show", cited.as_str().expect("a citation")]).mentions("rye bread");
    home.run(["show", "knowledge"]).mentions("Ana bakes rye bread.");
    home.run(["show", "knowledge", "--section", "nowhere"]).hides("rye");
    home.run(["show", "self"]).mentions("agent      main");
    home.run(["show", "stats"]).mentions("sessions   0");
}

#[test]
fn a_flag_of_another_word_is_refused() {
    let home = home();
    for words in [
        &["show", "memory", "--section", "x"][..],
        &["show", "self", "-n", "1"],
        &["show", "knowledge", "--as-of", "2026-05-01"],
        &["show", "--as-of", "2026-05-01"],
    ] {
        home.run_words(words).exits(2);
    }
}

#[test]
fn agents_are_listed_and_the_current_one_is_marked() {
    let home = newcomer();
    home.run(["agent", "list"]).mentions("No agent in").mentions("inwit init");
    for agent in ["main", "work"] {
        home.run(["init", "--timezone", "UTC", "--agent", agent]).exits(0);
    }
    home.run(["agent", "list"]).mentions("* main  $HOME/inwit/agents/main/workspace").mentions("  work  ");
    let work = home.run(["agent", "list", "--agent", "work", "--json"]).json();
    let current: Vec<bool> =
        work["agents"].as_array().into_iter().flatten().filter_map(|row| row["current"].as_bool()).collect();
    assert_eq!(current, [false, true]);
}

#[test]
fn a_search_rates_and_explains() {
    let home = home();
    home.run(["search", "rye"]).mentions("MEMORY.md");
    home.run(["search", "--rate", "useful", "1"]).mentions("1 of 1 useful");
    home.run(["learn", "feedback", "list"]).mentions("Ana bakes rye bread.");
    home.run(["search", "--rate", "useful"]).exits(2);
    home.run(["search", "--rate", "nice", "1"]).exits(2);
    home.run(["search", "zeppelin", "--why-not", "rye bread"]).mentions("MEMORY.md#L");
    home.run(["search", "rye", "--why-not", "rye bread", "--since", "2026-01-01"]).exits(2);
}

/// For one version a script that uses a former name goes on as before.
#[test]
fn former_names_of_commands_answer_and_stand_in_no_help() {
    let home = home();
    for line in [
        &["why-not", "rye bread", "--for", "bread"][..],
        &["feedback", "list"],
        &["get", "MEMORY.md"],
        &["workspace", "show"],
        &["self", "who"],
        &["edges", "top"],
        &["profile"],
        &["methods", "list"],
        &["decisions", "list"],
        &["roles", "list"],
        &["preferences", "list"],
        &["audit", "verify"],
        &["model", "list"],
        &["transcript", "list"],
    ] {
        home.run_words(line).exits(0);
        let help = home.run(["--help"]).stdout();
        assert!(!help.contains(&format!("\n  {} ", line[0])), "{line:?}");
    }
}
