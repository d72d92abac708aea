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

#[test]
fn a_mistyped_room_is_refused_and_a_new_one_is_not() {
    let home = home();
    home.run(["journal", "add", "--room", "kitchen", "The oven is hot."]).exits(0);
    for line in
        [&["search", "oven"][..], &["journal", "show"], &["show"], &["search", "--why-not", "The oven"]]
    {
        let words = [line, &["--room", "kichen"]].concat();
        home.run_words(&words).mentions("did you mean `kitchen`").exits(3);
    }
    home.run(["search", "oven", "--room", "kitchen"]).mentions("The oven is hot.");
    home.run(["search", "oven", "--room", "garden"]).exits(0);
}

#[test]
fn a_setting_is_removed_again() {
    let home = home();
    home.run(["config", "set", "search.limit", "7"]).exits(0);
    home.run(["config", "unset", "search.limit"]).mentions("Removed search.limit");
    home.run(["config", "get", "search.limit"]).mentions("10");
    home.run(["config", "unset", "search.limit"]).mentions("is not set in");
    home.run(["config", "unset", "agent", "--agent", "main"]).exits(2);
    home.run(["config", "unset", "nope"]).exits(2);
}

/// What the script of a shell asks for.
#[test]
fn a_shell_completes_files_settings_and_agents() {
    for (words, expected) in [
        (&["inwit", "show", "M"][..], "MEMORY.md"),
        (&["inwit", "config", "get", "search.l"], "search.limit"),
        (&["inwit", "--agent", "m"], "main"),
    ] {
        let index = (words.len() - 1).to_string();
        let home = home()
            .env("INWIT_COMPLETE", "bash")
            .env("_CLAP_COMPLETE_INDEX", &index)
            .env("_CLAP_COMPLETE_COMP_TYPE", "9")
            .env("_CLAP_IFS", "\n");
        assert_eq!(home.run_words(&[&["--"], words].concat()).stdout().trim(), expected, "{words:?}");
    }
}

#[test]
fn a_mistyped_command_suggests_the_nearest() {
    newcomer().run(["serach", "x"]).mentions("'search'").hides("bench").exits(2);
}
