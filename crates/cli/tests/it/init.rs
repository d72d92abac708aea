//! `inwit init`: an agent is made, for its owner only, or it is said how far it came.

use std::os::unix::fs::PermissionsExt as _;

use crate::{newcomer, shell_on, user_of_a_shell};

#[test]
fn the_home_and_its_files_are_for_the_owner_only() {
    let cli = newcomer();
    let _made = cli.run(["init"]);
    let mode = |path: &str| cli.home(path).metadata().expect("there").permissions().mode() & 0o777;
    assert_eq!(["inwit", "inwit/agents", "inwit/agents/main"].map(mode), [0o700; 3]);
    assert_eq!(mode("inwit/agents/main/agent.toml"), 0o600);
    let _set = cli.run(["config", "set", "search.limit", "5"]);
    assert_eq!(mode(".config/inwit/config.toml"), 0o600);
}

#[test]
fn the_header_of_an_agents_file_is_its_first_line() {
    let cli = newcomer();
    let _made = cli.run(["init"]);
    let text = std::fs::read_to_string(cli.home("inwit/agents/main/agent.toml")).expect("read");
    assert!(text.starts_with("# An agent of inwit."), "{text}");
}

#[test]
fn an_init_that_stops_says_what_is_there_and_goes_on_when_run_again() {
    // A limit on the size of files stands for a full disk: small files are made, a large one is not.
    let script = "ulimit -f 1; $0 init ws";
    let cli = user_of_a_shell();
    let run = shell_on(&cli, script).exits(1).mentions("The agent exists").mentions("init` again");
    drop(run.hides("Nothing was changed").hides(".tmp"));
    shell_on(&cli, "$0 init ws").mentions("create").mentions("Agent `main` is in");
}

#[test]
fn a_pipe_in_the_place_of_a_config_file_is_refused_at_once() {
    let script = "mkdir -p $HOME/.config/inwit && mkfifo $HOME/.config/inwit/config.toml && \
                  timeout 5 $0 status";
    shell_on(&user_of_a_shell(), script).exits(2).mentions("not a regular file").mentions("hint: ");
}

#[test]
fn an_agent_that_is_there_keeps_its_profile() {
    let cli = newcomer();
    let _made = cli.run(["init"]);
    let run = cli.run(["init", "--profile", "nexo"]).exits(4).mentions("with the profile personal");
    drop(run.mentions("inwit config set profile nexo --agent main"));
    cli.run(["init", "--timezone", "Europe/Madrid"]).exits(4).mentions("--agent main");
    let _same = cli.run(["init", "--profile", "personal"]);
}
