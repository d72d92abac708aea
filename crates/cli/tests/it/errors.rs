//! What goes wrong is said in a sentence with a hint, and told apart by the exit status (D15).

use expect_test::expect;

use crate::{newcomer, shell_on, user, user_of_a_shell};

#[test]
fn a_workspace_that_is_not_there_is_not_found() {
    newcomer()
        .run(["search", "bread", "-w", "absent"])
        .prints(expect![[""]])
        .says(expect![[r#"
        error: The workspace $HOME/work/absent cannot be opened: No such file or directory (os error 2).
        hint: Check the path. `inwit init DIR` creates a workspace there.
    "#]])
        .exits(3);
    newcomer()
        .write("work/page.md", "x")
        .run(["search", "bread", "-w", "page.md"])
        .says(expect![[r#"
            error: The workspace `$HOME/work/page.md` is not a folder.
            hint: Check the path. `inwit init DIR` creates a workspace there.
        "#]])
        .exits(3);
}

#[test]
fn without_an_agent_the_way_to_one_is_told() {
    newcomer()
        .run(["search", "bread"])
        .says(expect![[r#"
        error: There is no agent in $HOME/inwit.
        hint: Run `inwit init` to create an agent, or use a folder of Markdown with `--workspace DIR`.
    "#]])
        .exits(3);
    newcomer()
        .run(["search", "bread", "--agent", "nobody"])
        .says(expect![[r#"
            error: There is no agent `nobody` in $HOME/inwit; existing agents: none.
            hint: Run `inwit agent list` to list the agents of this home, or `inwit init --agent ID` to create one.
        "#]])
        .exits(3);
    let error = newcomer().run(["search", "bread", "--json"]).exits(3).json_error();
    assert_eq!(error["error"]["code"], "no_agent");
    newcomer()
        .write(".openclaw/workspace/SOUL.md", "I am Juno.\n")
        .run(["search", "bread"])
        .mentions("an OpenClaw workspace is at $HOME/.openclaw/workspace.")
        .mentions("`--workspace DIR --profile openclaw`")
        .exits(3);
}

#[test]
fn what_cannot_be_understood_is_a_usage_error() {
    user()
        .run(["search", "--flat", "bread", "-w", "notes"])
        .says(expect![[r#"
            error: Unknown option `--flat`.
            hint: Write `-- --flat` to pass it as text. Run `inwit search --help` to see what it takes.
        "#]])
        .exits(2);
    user().run(["search", "-w", "notes"]).mentions("<QUERY>").exits(2);
    user()
        .run(["search", "?!", "-w", "notes"])
        .says(expect![[r#"
            error: The query contains no words.
            hint: Search with a few words, for example: inwit search "which bread does she like".
        "#]])
        .exits(2);
    user()
        .run(["search", "x", "--scope", "family", "-w", "notes"])
        .says(expect![[r#"
            error: `family` is not a scope: use main, room, shared, subagent or scheduled.
            hint: Run `inwit search --help` to see what it takes.
        "#]])
        .exits(2);
    user()
        .run(["search", "x", "--scope", "main", "--room", "kitchen", "-w", "notes"])
        .mentions("takes no room")
        .exits(2);
    user()
        .run(["search", "x", "-n", "0", "-w", "notes"])
        .mentions("--limit takes a whole number from 1 to 1000, not `0`.")
        .exits(2);
    user()
        .run(["search", "x", "--profile", "nemo", "-w", "notes"])
        .says(expect![[r#"
        error: `profile` takes one of personal, openclaw, minara, nexo, mindroom, carapace, not `nemo`.
        hint: Run `inwit config list --json` to see which values each setting accepts.
    "#]])
        .exits(2);
    user().run(["bake"]).mentions("Unknown command `bake`.").exits(2);
    newcomer().run([]).mentions("Usage: inwit").exits(2);
}

#[test]
fn a_bad_setting_is_refused_with_its_place() {
    let bad = |text: &str| user().write(".config/inwit/config.toml", text);
    bad("search.limit = 0\n")
        .run(["search", "bread", "-w", "notes"])
        .says(expect![[r#"
            error: $HOME/.config/inwit/config.toml: `search.limit` takes a whole number from 1 to 1000, not `0`.
            hint: Run `inwit config set KEY VALUE` to repair it. For an agent's file add `--agent ID`.
        "#]])
        .exits(2);
    bad("[search]\nlimt = 5\n").run(["search", "bread", "-w", "notes"]).says(expect![[r#"
        error: $HOME/.config/inwit/config.toml sets the unknown setting `search.limt`; did you mean `search.limit`?
        hint: Remove the line with an editor. Run `inwit config list` to see every setting.
    "#]]).exits(2);
    bad("search = \n")
        .run(["search", "bread", "-w", "notes"])
        .mentions("config.toml is not valid TOML, line 1")
        .exits(2);
    user()
        .env("INWIT_SEARCH_LIMIT", "many")
        .run(["search", "bread", "-w", "notes"])
        .says(expect![[r#"
            error: The environment variable INWIT_SEARCH_LIMIT is invalid: `search.limit` takes a whole number from 1 to 1000, not `many`.
            hint: Run `inwit config list --json` to see which values each setting accepts.
        "#]])
        .exits(2);
}

#[test]
fn a_home_that_cannot_be_written_gives_an_index_in_memory_and_a_notice() {
    // A file stands where the home should be, which stops everybody, root too.
    let home = user().write("file", "").env("INWIT_HOME", "$HOME/file/inwit");
    home.run(["search", "caraway", "-n", "1", "-w", "notes"])
        .mentions("rye bread with caraway")
        .says(expect![[r#"
            note: The index in $HOME/file/inwit/agents/ws-$HASH cannot be used (Not a directory (os error 20)), so it is kept in memory for this command.
            hint: Make the folder writable, or set INWIT_HOME to a writable folder.
        "#]]);
    let answer = home.run(["search", "caraway", "--json", "-w", "notes"]).json();
    assert_eq!(answer["notices"][0]["code"], "index_in_memory");
}

#[test]
fn a_damaged_index_is_built_anew_and_the_answer_is_right() {
    let home = user();
    home.run(["search", "caraway", "-w", "notes"]).mentions("rye bread");
    let agents = inwit_testkit::Tree::of(&home.home("inwit"));
    let index: Vec<String> = agents
        .paths()
        .iter()
        .filter(|path| path.ends_with("index.db"))
        .map(|path| format!("inwit/{path}"))
        .collect();
    assert_eq!(index.len(), 1, "{index:?}");
    let home = home.write(&index[0], &"no database ".repeat(2_000));
    home.run(["search", "caraway", "-n", "1", "-w", "notes"]).mentions("rye bread with caraway").says(
        expect![[r#"
            note: The index was damaged and dropped. It is being rebuilt from the notes.
            hint: Nothing is lost: the index contains nothing that the files do not.
        "#]],
    );
    home.run(["search", "caraway", "-n", "1", "-w", "notes"])
        .mentions("rye bread with caraway")
        .says(expect![[""]]);
}

/// What was typed may have been pasted, and a terminal obeys escapes wherever they stand.
#[test]
fn control_characters_of_arguments_never_reach_the_terminal() {
    let typed = "\u{1b}]0;title\u{7}\u{202e}\r\u{8}x\nerror: forged";
    for args in [
        ["search", &format!("--{typed}"), "bread"],
        [typed, "a", "b"],
        ["search", "--limit", typed],
        ["completions", typed, "--quiet"],
        ["hook", "--agent", &format!("--{typed}")],
    ] {
        let mut run = newcomer().run(args);
        for raw in ["\u{1b}", "\u{7}", "\u{202e}", "\r", "\u{8}", "\nerror: forged"] {
            run = run.hides(raw);
        }
        if args[0] != "hook" {
            run.mentions("⟦U+001B⟧]0;title⟦U+0007⟧⟦U+202E⟧").exits(2);
        }
    }
}

#[test]
fn help_that_cannot_be_written_is_a_failure_and_help_that_nobody_reads_is_none() {
    let full = |line: &str| shell_on(&user_of_a_shell(), &format!("\"$0\" {line} > /dev/full"));
    for line in ["--help", "help search", "search --help", "--version", "completions bash"] {
        full(line).mentions("error: the output cannot be written: No space left on device").exits(1);
    }
    newcomer().run_unread(["--help"]).exits(0);
}

#[test]
fn without_a_home_folder_the_missing_variable_is_named() {
    for home in ["", "HOME=", "HOME=relative"] {
        let script = format!("env -u HOME -u XDG_DATA_HOME -u INWIT_HOME {home} \"$0\" status");
        shell_on(&user_of_a_shell(), &script)
            .says(expect![[r#"
                error: HOME is not set to an absolute path, and neither is XDG_DATA_HOME.
                hint: Set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_STATE_HOME.
            "#]])
            .exits(2);
    }
    shell_on(&user_of_a_shell(), "env -u HOME \"$0\" status")
        .mentions("There is no agent in $HOME/inwit")
        .exits(3);
}

#[test]
fn a_home_that_may_not_be_read_is_not_taken_for_an_empty_one() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = newcomer();
    home.run(["init"]).exits(0);
    let Some(home) = home.bound_by_permissions() else { return };
    for (closed, named) in [
        ("inwit", "inwit/agents"),
        ("inwit/agents", "inwit/agents"),
        ("inwit/agents/main", "inwit/agents/main/agent.toml"),
    ] {
        let folder = home.home(closed);
        let open = std::fs::metadata(&folder).expect("there").permissions();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o000)).expect("closed");
        home.run(["status"])
            .mentions(&format!("error: $HOME/{named} cannot be read: the permissions do not allow it."))
            .hides("There is no agent")
            .exits(1);
        home.run(["status", "--agent", "main"])
            .mentions("the permissions do not allow it")
            .hides("There is no agent")
            .exits(1);
        std::fs::set_permissions(&folder, open).expect("opened");
    }
}
