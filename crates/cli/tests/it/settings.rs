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
        error: `search.limt` is no setting; did you mean `search.limit`.
        hint: `inwit config list` shows every setting.
    "#]])
        .exits(2);
    home.run(["config", "set", "search.limit", "many"])
        .says(expect![[r#"
        error: `search.limit` takes a whole number from 1 to 1000, not `many`.
        hint: `inwit config list --json` shows what every setting takes.
    "#]])
        .exits(2);
    home.run(["config", "list"]).mentions("load.max_file_chars");
    assert!(home.run(["config", "list", "--json"]).json().is_array());
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
        error: `nemo` is no profile.
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
