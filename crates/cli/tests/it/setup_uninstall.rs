//! What people and hosts do to a configuration between `inwit setup` and its `--uninstall`.
//!
//! Each of these once lost a byte of theirs, or left an entry of ours and called that success.

use std::os::unix::fs::symlink;

use inwit_cli::setup::{jsonc, table};
use inwit_testkit::{Cli, fixture};
use serde_json::{Value, json};

use crate::newcomer;
use crate::setup_configs::{self, FIXTURES};

const SETTINGS: &str = ".claude/settings.json";
const SERVERS: &str = ".claude.json";
const CODEX: &str = ".codex/config.toml";

fn text(cli: &Cli, path: &str) -> String {
    std::fs::read_to_string(cli.home(path)).expect("a file")
}

fn json_of(cli: &Cli, path: &str) -> Value {
    serde_json::from_str(&text(cli, path)).expect("JSON")
}

fn applied(host: &str, cli: Cli) -> Cli {
    cli.run(["setup", host, "--apply"]).exits(0).mentions("connected");
    cli
}

fn taken_out(host: &str, cli: &Cli) {
    cli.run(["setup", host, "--uninstall", "--apply"]).exits(0);
}

/// A server of the person's own under our name: their words and their key.
const KITCHEN: &str = r#"{"mcpServers": {"inwit": {"command": "inwit", "args": ["mcp", "--room", "kitchen"], "env": {"TOKEN": "t"}}}}"#;

#[test]
fn a_server_of_ones_own_under_our_name_is_neither_replaced_nor_taken_out() {
    let cli = newcomer().write(SERVERS, KITCHEN);
    for args in [["setup", "claude-code", "--quiet"], ["setup", "claude-code", "--apply"]] {
        cli.run(args).exits(4).mentions("`inwit mcp --room kitchen`").mentions("hint:");
        assert_eq!(text(&cli, SERVERS), KITCHEN);
        assert!(!cli.home(SETTINGS).exists(), "refused before anything is written");
    }
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0).mentions("stays unchanged");
    assert_eq!(text(&cli, SERVERS), KITCHEN);
    let table = "[mcp_servers.inwit]\ncommand = \"inwit\"\nargs = [\"mcp\", \"--room\", \"kitchen\"]\n";
    let cli = newcomer().write(CODEX, table);
    cli.run(["setup", "codex", "--apply"]).exits(4).mentions("`inwit mcp --room kitchen`");
    cli.run(["setup", "codex", "--uninstall", "--apply"]).exits(0).mentions("stays unchanged");
    assert_eq!(text(&cli, CODEX), table);
}

#[test]
fn a_server_of_ours_that_a_person_turned_into_theirs_is_theirs() {
    let cli = applied("claude-code", newcomer());
    let mut servers = json_of(&cli, SERVERS);
    servers["mcpServers"]["inwit"]["args"] = json!(["mcp", "--room", "kitchen"]);
    let cli = cli.write(SERVERS, &servers.to_string());
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0).mentions("stays unchanged");
    assert_eq!(json_of(&cli, SERVERS), servers);
    assert!(!cli.home(SETTINGS).exists(), "the hooks are out");
}

#[test]
fn what_a_person_adds_to_our_server_stays_at_a_second_apply_and_goes_with_it() {
    let cli = applied("claude-code", newcomer());
    let mut servers = json_of(&cli, SERVERS);
    servers["mcpServers"]["inwit"]["env"]["INWIT_SEARCH_LIMIT"] = json!("3");
    let cli = applied("claude-code", cli.write(SERVERS, &servers.to_string()));
    assert_eq!(json_of(&cli, SERVERS), servers);
    taken_out("claude-code", &cli);
    assert_eq!(json_of(&cli, SERVERS), json!({}));
}

#[test]
fn a_table_of_ours_leaves_the_lines_around_it_byte_for_byte() {
    let mine = "# mine\r\nmodel = \"o\"\r\n";
    let cli = applied("codex", newcomer().write(CODEX, mine));
    let with = text(&cli, CODEX);
    let tail = "\r\n# of the other\r\n[mcp_servers.other]\r\ncommand = \"x\" # why\r\n# the end\r\n";
    let cli = cli.write(CODEX, &format!("# new\r\n{with}{tail}"));
    taken_out("codex", &cli);
    assert_eq!(text(&cli, CODEX), format!("# new\r\n{mine}{tail}"));
}

/// Also where nobody knows any more what was put in, and where the table itself was changed.
#[test]
fn a_changed_table_of_ours_goes_and_every_comment_stays() {
    let cli = applied("codex", newcomer().write(CODEX, "model = \"o\"\n"));
    let ours = text(&cli, CODEX).replace("command", "# by hand\nstartup_timeout_sec = 20 # slow\ncommand");
    let cli = cli
        .write(CODEX, &format!("{ours}\n[mcp_servers.inwit.tools.x]\napproval_mode = \"auto\"\n\n# end\n"));
    std::fs::remove_file(cli.home(".local/state/inwit/setup/codex.json")).expect("a receipt");
    let before = text(&cli, CODEX);
    cli.run(["setup", "codex", "--uninstall", "--apply"]).mentions("stays unchanged");
    assert_eq!(text(&cli, CODEX), before, "nothing says that this is of our making");
    let cli = applied("codex", newcomer().write(CODEX, "model = \"o\"\n"));
    let cli = cli.write(CODEX, &before);
    taken_out("codex", &cli);
    assert_eq!(text(&cli, CODEX), "model = \"o\"\n# by hand\n# slow\n\n\n# end\n");
}

#[test]
fn a_file_that_cannot_be_read_any_more_is_named_and_nothing_is_called_done() {
    let cli = applied("claude-code", newcomer());
    let broken = text(&cli, SETTINGS).replacen('{', "{ oops", 1);
    let cli = cli.write(SETTINGS, &broken);
    let servers = text(&cli, SERVERS);
    cli.run(["setup", "claude-code", "--uninstall", "--apply"])
        .exits(2)
        .mentions("$HOME/.claude/settings.json cannot be used")
        .mentions("Nothing was changed.");
    assert_eq!((text(&cli, SETTINGS), text(&cli, SERVERS)), (broken, servers));
    let cli = applied("codex", newcomer());
    let cli = cli.write(CODEX, "not toml [");
    cli.run(["setup", "codex", "--uninstall", "--apply"]).exits(2).mentions("config.toml cannot be used");
}

#[test]
fn a_hook_that_a_person_put_beside_ours_stays_alone() {
    let cli = applied("claude-code", newcomer());
    let mut settings = json_of(&cli, SETTINGS);
    let bell = json!({"type": "command", "command": "say done"});
    settings["hooks"]["Stop"][0]["hooks"].as_array_mut().expect("a list").push(bell.clone());
    let cli = applied("claude-code", cli.write(SETTINGS, &settings.to_string()));
    assert_eq!(json_of(&cli, SETTINGS), settings, "ours is there already");
    taken_out("claude-code", &cli);
    assert_eq!(json_of(&cli, SETTINGS), json!({"hooks": {"Stop": [{"hooks": [bell]}]}}));
}

#[test]
fn a_hook_of_ours_inside_a_line_of_ones_own_is_left_and_named() {
    let cli = applied("claude-code", newcomer());
    let mut settings = json_of(&cli, SETTINGS);
    let ours = settings["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().expect("a command").to_owned();
    settings["hooks"]["Stop"][0]["hooks"][0]["command"] = json!(format!("say done; {ours}"));
    let cli = cli.write(SETTINGS, &settings.to_string());
    cli.run(["setup", "claude-code", "--apply"]).exits(0).mentions("say done; ").mentions("stays unchanged");
    assert_eq!(json_of(&cli, SETTINGS), settings, "it runs once");
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0).mentions("stays unchanged");
    assert_eq!(json_of(&cli, SETTINGS)["hooks"], json!({"Stop": settings["hooks"]["Stop"]}));
}

#[test]
fn a_hook_of_ours_at_another_moment_goes_too() {
    let cli = applied("claude-code", newcomer());
    let mut settings = json_of(&cli, SETTINGS);
    settings["hooks"]["SubagentStop"] = settings["hooks"]["Stop"].clone();
    settings["hooks"]["Notification"] = json!([{"hooks": [{"type": "command", "command": "say hi"}]}]);
    let cli = applied("claude-code", cli.write(SETTINGS, &settings.to_string()));
    assert_eq!(json_of(&cli, SETTINGS), settings, "a copy of one's own stays while it is wanted");
    taken_out("claude-code", &cli);
    let left = json!({"SubagentStop": [], "Notification": settings["hooks"]["Notification"]});
    assert_eq!(json_of(&cli, SETTINGS)["hooks"], left);
}

/// Another agent is another server; what a person added would be lost with the old one.
#[test]
fn a_server_with_additions_is_not_replaced_by_another() {
    let cli = applied("claude-code", newcomer());
    let mut servers = json_of(&cli, SERVERS);
    servers["mcpServers"]["inwit"]["env"]["TOKEN"] = json!("t");
    let cli = cli.write(SERVERS, &servers.to_string());
    cli.run(["setup", "claude-code", "--apply", "--agent", "bo"])
        .exits(4)
        .mentions("has additions of yours")
        .hides("TOKEN");
    assert_eq!(json_of(&cli, SERVERS), servers);
    std::fs::remove_file(cli.home(".local/state/inwit/setup/claude-code.json")).expect("a receipt");
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0).mentions("stays unchanged");
    assert_eq!(json_of(&cli, SERVERS), servers, "nothing says that it is of our making");
}

#[test]
fn a_timeout_of_ones_own_outlives_a_second_apply() {
    let cli = applied("claude-code", newcomer());
    let mut settings = json_of(&cli, SETTINGS);
    settings["hooks"]["Stop"][0]["hooks"][0]["timeout"] = json!(60);
    settings["hooks"].as_object_mut().expect("hooks").remove("SessionEnd");
    let cli = applied("claude-code", cli.write(SETTINGS, &settings.to_string()));
    let again = json_of(&cli, SETTINGS);
    assert_eq!(again["hooks"]["Stop"], settings["hooks"]["Stop"]);
    assert!(again["hooks"]["SessionEnd"][0]["hooks"][0]["command"].is_string(), "what was gone is back");
    taken_out("claude-code", &cli);
    assert_eq!(json_of(&cli, SETTINGS), json!({}));
}

#[test]
fn what_was_empty_before_is_empty_after() {
    let settings = "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n";
    let cli = newcomer().write(SERVERS, "{\n  \"mcpServers\": {}\n}\n").write(SETTINGS, settings);
    let cli = applied("claude-code", cli);
    let edited = |path: &str| text(&cli, path).replacen('{', "{\n  \"theme\": \"dark\",", 1);
    let (servers, hooks) = (edited(SERVERS), edited(SETTINGS));
    let cli = cli.write(SERVERS, &servers).write(SETTINGS, &hooks);
    taken_out("claude-code", &cli);
    assert_eq!(text(&cli, SERVERS), "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {}\n}\n");
    assert_eq!(text(&cli, SETTINGS), settings.replacen('{', "{\n  \"theme\": \"dark\",", 1));
}

#[test]
fn behind_a_link_to_nothing_the_file_is_made_and_the_link_stays() {
    let cli = newcomer().write("dots/keep", "");
    let link = cli.home(SERVERS);
    symlink("dots/claude.json", &link).expect("a link");
    let cli = applied("claude-code", cli);
    assert!(link.is_symlink() && cli.home("dots/claude.json").is_file());
    taken_out("claude-code", &cli);
    assert!(link.is_symlink() && !cli.home("dots/claude.json").exists(), "as it was");
    // A folder that is not there may be a disk that is not there.
    for (name, to) in [(SERVERS, "gone/claude.json"), (SERVERS, ".claude.json"), (".claude", "gone")] {
        let cli = newcomer();
        symlink(to, cli.home(name)).expect("a link");
        cli.run(["setup", "claude-code", "--apply"]).exits(2).mentions("cannot be used").mentions("link");
        assert_eq!(cli.home(name).read_link().expect("a link").to_str(), Some(to));
        assert!(!cli.home("gone").exists() && !cli.home("inwit/agents").exists(), "nothing was made");
    }
}

#[test]
fn a_folder_that_moved_between_is_cleaned_as_well() {
    let cli = applied("claude-code", newcomer());
    let cli = applied("claude-code", cli.env("CLAUDE_CONFIG_DIR", "$HOME/moved"));
    taken_out("claude-code", &cli);
    assert!(!cli.home("moved").exists() && !cli.home(".claude").exists() && !cli.home(SERVERS).exists());
}

#[test]
fn who_has_the_plugin_too_is_told() {
    let cli = newcomer().write(SETTINGS, "{\"enabledPlugins\": {\"inwit@inwit\": true, \"x@y\": true}}");
    let told = "every hook would run twice";
    cli.run(["setup", "claude-code"]).mentions("`inwit@inwit`").mentions(told);
    cli.run(["setup", "claude-code", "--apply"]).mentions(told);
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).hides(told);
    let cli = newcomer().write(SETTINGS, "{\"enabledPlugins\": {\"inwit@inwit\": false}}");
    cli.run(["setup", "claude-code", "--apply"]).hides(told);
}

#[test]
fn a_preview_names_files_as_people_know_them() {
    let cli = newcomer().write(SETTINGS, "{}\n");
    cli.run(["setup", "claude-code"]).hides("a//").mentions("--- a$HOME/.claude/settings.json");
}

/// What happens to a file in between.
#[derive(Debug, Clone, Copy)]
enum Edit {
    /// A person writes above and below.
    Around,
    /// The host parses it and prints it anew.
    Rewritten,
}

const EDITS: [Edit; 2] = [Edit::Around, Edit::Rewritten];

impl Edit {
    fn of(self, path: &str, text: &str) -> String {
        match (self, path.ends_with(".toml")) {
            (Self::Around, true) => format!("# above\r\n\r\n{text}\n[features.mine]\r\non = true # here"),
            (Self::Around, false) => text.replacen('{', "{ // mine\n\t\"mine\": true,", 1) + "\n// below",
            (Self::Rewritten, true) => text.parse::<toml::Table>().expect("TOML").to_string(),
            (Self::Rewritten, false) => serde_json::to_string_pretty(&meaning(path, text)).expect("JSON"),
        }
    }
}

/// What a host reads in a file.
fn meaning(path: &str, text: &str) -> Value {
    let read = if path.ends_with(".toml") { table::read(text) } else { jsonc::read(text) };
    read.unwrap_or_else(|why| panic!("{path}: {why}\n{text}"))
}

/// Every configuration, twice in, changed in between, twice in, out.
#[test]
fn every_configuration_that_changed_in_between_keeps_every_change() {
    for (fixture, edit) in FIXTURES.iter().flat_map(|fixture| EDITS.map(|edit| (fixture, edit))) {
        let place = format!("{}, {edit:?}", fixture.name);
        let mut cli = setup_configs::user(fixture);
        for _ in 0..2 {
            cli = applied(fixture.host, cli);
        }
        let files: Vec<String> = setup_configs::configuration(&cli)
            .into_keys()
            .filter(|path| !path.ends_with(['/', 'd']))
            .collect();
        assert_eq!(files.len(), 2, "{place}");
        for path in &files {
            let edited = edit.of(path, &text(&cli, path));
            cli = cli.write(path, &edited);
        }
        let with = setup_configs::configuration(&cli);
        for _ in 0..2 {
            cli = applied(fixture.host, cli);
            assert_eq!(setup_configs::configuration(&cli), with, "{place}: it is there already");
        }
        taken_out(fixture.host, &cli);
        for path in &files {
            let (after, before) = (text(&cli, path), fixture.files.iter().find(|(name, _)| name == path));
            let is_same_place = |before: &str| !before.is_empty();
            match (edit, before) {
                (Edit::Around, Some((_, before))) if is_same_place(before) => {
                    assert_eq!(after, edit.of(path, before), "{place}: {path}");
                }
                (Edit::Around, _) => {
                    let wanted = edit.of(path, if path.ends_with(".toml") { "" } else { "{}" });
                    assert_eq!(meaning(path, &after), meaning(path, &wanted), "{place}: {path}");
                }
                (Edit::Rewritten, before) => {
                    let before = before.map_or("{}", |(_, before)| before);
                    let wanted =
                        meaning(path, if path.ends_with(".toml") && before == "{}" { "" } else { before });
                    let wanted = if wanted.is_null() { json!({}) } else { wanted };
                    assert_eq!(meaning(path, &after), wanted, "{place}: {path}");
                }
            }
        }
    }
}

/// A killed `--apply` had left drafts with our hooks, and the folder of our skill.
#[test]
fn what_a_killed_setup_left_goes_with_the_uninstall() {
    let cli = newcomer().write(SETTINGS, "{\"a\":1}");
    let skill = cli.home(".claude/skills/inwit-memory");
    for folder in [cli.home(".claude"), skill.clone(), cli.home("")] {
        fixture::put(&folder, ".inwit-draft-a1B2c3", b"{\"hooks\":{}}");
    }
    cli.run(["setup", "claude-code", "--uninstall"]).exits(0);
    assert!(cli.home(".inwit-draft-a1B2c3").exists(), "without --apply nothing changes");
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0);
    assert!(!cli.home(".inwit-draft-a1B2c3").exists() && !cli.home(".claude/.inwit-draft-a1B2c3").exists());
    assert!(!skill.exists(), "the folder of our skill is gone");
    assert!(cli.home(".claude/skills").exists(), "an empty folder may be the user's");
    // What a person keeps beside our skill stays.
    fixture::put(&skill, "notes.md", b"mine");
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0);
    assert!(skill.join("notes.md").exists());
}

/// Hooks that run us in our own form, at a moment of ours and at another one.
const OWN_HOOKS: &str = r#"{"hooks": {"PreToolUse": [{"matcher": "x", "hooks": [{"type": "command", "command": "inwit hook stop"}]}], "Stop": [{"hooks": [{"type": "command", "command": "STOP"}]}]}}"#;

/// They went with `--uninstall`, since they have the form that we write.
#[test]
fn hooks_that_ran_us_before_setup_stay_when_it_is_taken_out() {
    let cli = applied("claude-code", newcomer());
    let ours = json_of(&cli, SETTINGS)["hooks"]["Stop"][0]["hooks"][0]["command"].clone();
    let settings = OWN_HOOKS.replace("STOP", ours.as_str().expect("a command"));
    taken_out("claude-code", &cli);
    let cli = cli.write(SETTINGS, &settings);
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    for _ in 0..2 {
        taken_out("claude-code", &cli);
        assert_eq!(text(&cli, SETTINGS), settings);
    }
    // Also where the host writes its file anew in between.
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    let anew = json_of(&cli, SETTINGS).to_string();
    let cli = cli.write(SETTINGS, &anew);
    taken_out("claude-code", &cli);
    assert_eq!(json_of(&cli, SETTINGS), serde_json::from_str::<Value>(&settings).expect("JSON"));
    // And where it was refused.
    let cli = newcomer().write(SETTINGS, &settings).write(SERVERS, KITCHEN);
    cli.run(["setup", "claude-code", "--apply"]).exits(4);
    taken_out("claude-code", &cli);
    assert_eq!((text(&cli, SETTINGS), text(&cli, SERVERS)), (settings, KITCHEN.to_owned()));
}

/// A server in the very form that we write, where `--apply` had nothing to do.
#[test]
fn a_server_that_ran_us_before_setup_stays_when_it_is_taken_out() {
    for (host, path) in [("claude-code", SERVERS), ("codex", CODEX)] {
        let cli = applied(host, newcomer());
        let before = text(&cli, path);
        // As if a person had written it.
        std::fs::remove_file(cli.home(&format!(".local/state/inwit/setup/{host}.json"))).expect("a receipt");
        let cli = applied(host, cli);
        cli.run(["setup", host, "--uninstall", "--apply"]).exits(0).mentions("stays unchanged");
        assert_eq!(text(&cli, path), before, "{host}");
    }
}
