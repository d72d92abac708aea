//! `inwit config`: settings with their origins.

use expect_test::expect;

use crate::{newcomer, user};

#[test]
fn a_setting_is_changed_and_its_origin_is_told() {
    let home = newcomer();
    home.run(["config", "set", "search.limit", "5"]).prints(expect![[""]]).says(expect![[r#"
        search.limit = 5 in $HOME/.config/inwit/config.toml
    "#]]);
    home.run(["config", "get", "search.limit", "--origin"]).prints(expect![[r#"
        5  ($HOME/.config/inwit/config.toml)
    "#]]);
    let home = home.env("INWIT_SEARCH_LIMIT", "7");
    home.run(["config", "get", "search.limit", "--origin"]).prints(expect![[r#"
        7  (environment INWIT_SEARCH_LIMIT)
    "#]]);
    home.run(["config", "get", "search.limt"])
        .says(expect![[r#"
            error: Unknown setting `search.limt`; did you mean `search.limit`?
            hint: Run `inwit config list` to see every setting.
        "#]])
        .exits(2);
    home.run(["config", "set", "search.limit", "many"])
        .says(expect![[r#"
        error: `search.limit` takes a whole number from 1 to 1000, not `many`.
        hint: Run `inwit config list --json` to see which values each setting accepts.
    "#]])
        .exits(2);
    home.run(["config", "list"]).mentions("load.max_file_chars");
    assert!(home.run(["config", "list", "--json"]).json()["settings"].is_array());
}

/// Proves R32.
#[test]
fn retention_has_the_key_that_its_notice_names() {
    let mindroom = newcomer().env("INWIT_PROFILE", "mindroom");
    mindroom.run(["config", "get", "journal.retention_days"]).prints(expect![[r#"
        30
    "#]]);
    let seed = mindroom.env("DAILY_LOG_RETENTION_DAYS", "7");
    seed.run(["config", "get", "journal.retention_days", "--origin"]).prints(expect![[r#"
        7  (environment DAILY_LOG_RETENTION_DAYS)
    "#]]);
}

/// Proves W66a.
#[test]
fn the_environment_names_of_minara_are_listed_as_the_origin() {
    for (name, key, value) in [
        ("WORKSPACE_DREAM_ENABLED", "dream.engines", "1"),
        ("WORKSPACE_DREAM_INTERVAL_HOURS", "dream.interval_hours", "6"),
        ("WORKSPACE_DREAM_TOTAL_INPUT_BYTES", "dream.total_input_bytes", "1000000"),
        ("WORKSPACE_DREAM_LOCK_TTL_MS", "dream.lock_ttl_ms", "60000"),
        ("WORKSPACE_DAILY_LOG_INTERVAL", "journal.cadence", "7"),
    ] {
        let listed = newcomer().env(name, value).run(["config", "list", "--json"]).json();
        let row = listed["settings"]
            .as_array()
            .and_then(|rows| rows.iter().find(|row| row["key"] == key))
            .expect(key);
        assert_eq!((&row["value"], &row["origin"]), (&value.into(), &format!("environment {name}").into()));
        newcomer().env(name, "x").run(["status"]).exits(2).mentions(name);
    }
}

#[test]
fn a_name_of_another_system_that_changes_nothing_is_reported() {
    let told = |home: &inwit_testkit::Cli| {
        let report = home.run(["doctor", "--json"]).json();
        let findings = report["findings"].as_array().into_iter().flatten();
        let unread = findings.filter(|finding| finding["check"] == "environment_unread");
        let text = |finding: &serde_json::Value| finding["message"].as_str().expect("a text").to_owned();
        unread.map(text).collect::<Vec<_>>()
    };
    let home = user().write("work/notes/MEMORY.md", "- Ana bakes.\n");
    let notes = home.work("notes").display().to_string();
    let home = home.env("INWIT_WORKSPACE_DIR", &notes);
    assert_eq!(told(&home), [""; 0]);
    let read = home.env("WORKSPACE_DREAM_INTERVAL_HOURS", "6").env("WORKSPACE_DREAM_LOCK_TTL_MS", "60000");
    assert_eq!(told(&read), [""; 0], "these are read");
    let unread = read.env("WORKSPACE_DREAM_WINDOW_DAYS", "30").env("MINARA_NON_INTERACTIVE", "1");
    let found = told(&unread);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("MINARA_NON_INTERACTIVE: "), "{found:?}");
    unread.run(["doctor"]).mentions("MINARA_NON_INTERACTIVE").exits(0);
}

#[test]
fn a_setting_decides_what_a_search_brings() {
    let home = user().write(".config/inwit/config.toml", "[search]\nlimit = 1\n");
    let count = |home: &inwit_testkit::Cli| {
        home.run(["search", "bread", "--json", "-w", "notes"]).json()["results"].as_array().map(Vec::len)
    };
    assert_eq!(count(&home), Some(1));
    assert_eq!(count(&home.env("INWIT_SEARCH_LIMIT", "3")), Some(3));
}

#[test]
fn what_differs_between_profiles_can_be_seen() {
    newcomer().run(["config", "profile", "list"]).mentions("personal").mentions("mindroom");
    newcomer().run(["config", "profile", "diff", "personal", "nexo"]).mentions("marker").mentions("nexo");
    newcomer()
        .run(["config", "profile", "show", "nemo"])
        .says(expect![[r#"
        error: Unknown profile `nemo`.
        hint: The profiles are personal, openclaw, minara, nexo, mindroom and carapace.
    "#]])
        .exits(2);
}

#[test]
fn a_config_file_in_the_workspace_chooses_nothing() {
    let home = user()
        .write("work/notes/config.toml", "search.limit = 1\n")
        .write("work/notes/agent.toml", "search.limit = 1\n");
    let answer = home.run(["search", "bread", "--json", "-w", "notes"]).json();
    assert!(answer["results"].as_array().is_some_and(|hits| hits.len() > 1));
}
