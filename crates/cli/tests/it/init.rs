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

/// What a folder got with `-w` belongs to the agent that is made over it.
#[test]
fn an_agent_takes_over_what_its_folder_got_before() {
    let cli = newcomer().write("work/notes/MEMORY.md", "# N\n");
    let _fact = cli.run(["facts", "add", "Ana is allergic to nuts", "-w", "notes"]).exits(0);
    let _note = cli.run(["remember", "--as", "agent", "Ana moves to Lima", "-w", "notes"]);
    let inbox = cli.run(["inbox", "-w", "notes", "--json"]).json();
    cli.run(["init", "notes", "--dry-run"]).mentions("would take over");
    cli.run(["init", "notes"]).exits(0).mentions("took over");
    cli.run(["facts", "list"]).mentions("allergic to nuts");
    cli.run(["facts", "list", "-w", "notes"]).mentions("allergic to nuts");
    assert_eq!(cli.run(["inbox", "--json"]).json(), inbox);
    let homes = std::fs::read_dir(cli.home("inwit/agents")).expect("a folder").flatten();
    let names: Vec<_> = homes.map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["main"], "no second home is left");
    cli.run(["init", "notes"]).exits(0).hides("took over");
}

/// A process that has the home open would go on writing into it.
#[test]
fn a_home_in_use_is_not_taken_over() {
    let cli = user_of_a_shell().write("work/notes/MEMORY.md", "# N\n");
    shell_on(&cli, "$0 facts add 'Ana is allergic to nuts' -w notes").exits(0);
    // Two answers say that its databases are open; the end of its input ends it.
    let script = r#"mkfifo in; : > out; $0 mcp --main -w notes < in > out 2> err & exec 3> in
        for line in \
            '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}' \
            '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
            '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"nuts"}}}'
        do printf '%s\n' "$line" >&3; done
        for try in $(seq 200); do [ "$(wc -l < out)" -ge 2 ] && break; sleep 0.05; done
        $0 init notes; status=$?; exec 3>&-; wait; exit $status"#;
    shell_on(&cli, script).exits(6).mentions("is open in").mentions("End that process");
    shell_on(&cli, "$0 init notes").exits(0).mentions("took over");
}
