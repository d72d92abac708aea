//! `inwit facts` and `inwit facts profile`, from the command line, and what other tools see of them.

use std::path::Path;

use expect_test::expect;
use inwit_testkit::Cli;

use crate::{newcomer, user_of_a_shell};

/// A person with an agent and three facts.
fn knowing() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    home.run(["facts", "add", "always sets slippage to 0.5%", "--category", "preference"])
        .mentions("Saved: 1");
    home.run(["facts", "add", "avoided meme coins", "--from", "2026-01-01", "--to", "2026-04-01"])
        .mentions("Saved: 2");
    home.run(["facts", "add", "stops trail by 8%", "--category", "lesson"]).mentions("Saved: 3");
    home
}

/// A user of a shell who finds the program, and `sqlite3`.
fn shell() -> Cli {
    let programs = Path::new(env!("CARGO_BIN_EXE_inwit")).parent().expect("a folder").display().to_string();
    user_of_a_shell().env("PATH", &format!("{programs}:/usr/local/bin:/usr/bin:/bin"))
}

/// The same with an agent and three facts.
fn knowing_shell() -> Cli {
    let home = shell();
    for line in [
        "inwit init --timezone UTC",
        "inwit facts add 'always sets slippage to 0.5%' --category preference",
        "inwit facts add 'avoided meme coins'",
        "inwit facts add 'stops trail by 8%' --category lesson",
    ] {
        home.run(["-ec", line]).exits(0);
    }
    home
}

/// What is asked of the database by hand, as it has always been asked.
/// Proves X51, M79.
#[test]
fn the_stock_shell_of_sqlite_answers_what_others_ask_it() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = knowing_shell();
    let asks = |sql: &str| {
        let database = home.home("inwit/agents/main/memory.db").display().to_string();
        let script = format!("sqlite3 -readonly '{database}' \"{sql}\"");
        home.run(["-ec", &script]).exits(0).stdout()
    };
    let counts = asks("SELECT category, COUNT(*) FROM memories GROUP BY category ORDER BY 2 DESC;");
    let mut counts: Vec<&str> = counts.lines().collect();
    counts.sort_unstable();
    assert_eq!(counts, ["lesson|1", "observation|1", "preference|1"]);
    let newest = asks("SELECT category, content FROM memories ORDER BY updated_at DESC LIMIT 50;");
    assert_eq!(newest.lines().count(), 3);
    let rebuilt = asks("SELECT MAX(updated_at) FROM memories WHERE category='lesson';");
    let is_moment = |text: &str| text.len() == 19 && text.as_bytes()[10] == b' ';
    assert!(is_moment(rebuilt.trim()), "{rebuilt}");
    let found = asks(
        "SELECT m.* FROM memories m JOIN memories_fts f ON m.id=f.rowid
         WHERE memories_fts MATCH 'slippage' ORDER BY rank LIMIT 5;",
    );
    assert!(found.starts_with("1|preference|always sets slippage to 0.5%||user_manual||"), "{found}");
    assert_eq!(asks("SELECT tool_call FROM audit_log ORDER BY id LIMIT 1;").trim(), "fact_add");
    assert_eq!(asks("SELECT key, value FROM user_profile;"), "");
}

/// Whatever zone the agent's days are of, moments are kept in UTC and shown in ISO 8601.
/// Proves X51.
#[test]
fn moments_are_kept_in_utc_and_shown_in_iso_8601_in_any_zone() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = shell();
    for line in ["inwit init --timezone Pacific/Auckland", "inwit facts add 'likes rye'"] {
        home.run(["-ec", line]).exits(0);
    }
    let database = home.home("inwit/agents/main/memory.db").display().to_string();
    let sql = "SELECT (CAST(strftime('%s', created_at) AS INTEGER) = created_ms / 1000) FROM memories";
    let equal = home.run(["-ec", &format!("sqlite3 -readonly '{database}' \"{sql}\"")]).stdout();
    assert_eq!(equal, "1\n", "the text and the number are one moment");
    let is_moment = |value: &serde_json::Value| {
        let text = value.as_str().expect("a text");
        assert!(text.ends_with('Z') && text.parse::<jiff::Timestamp>().is_ok(), "{text}");
    };
    let listed = home.run(["-ec", "inwit facts list --json"]).json();
    let fact = &listed["facts"][0];
    is_moment(fact.get("createdAt").or_else(|| fact.get("created_at")).expect("a moment"));
    let audit = home.run(["-ec", "inwit history audit show --json"]).json();
    let rows = audit["rows"].as_array().expect("rows");
    assert!(!rows.is_empty());
    rows.iter().for_each(|row| is_moment(&row["at"]));
}

/// A plain DELETE by hand is a delete: nothing is left of the row in any answer.
#[test]
fn a_row_that_is_deleted_by_hand_is_in_no_answer() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = knowing_shell();
    let database = home.home("inwit/agents/main/memory.db").display().to_string();
    home.run(["-ec", &format!("sqlite3 '{database}' 'DELETE FROM memories WHERE id = 1'")]).exits(0);
    home.run(["-ec", "inwit facts search slippage --json"]).mentions("\"facts\": []");
    home.run(["-ec", "inwit facts read 1"]).exits(3);
    home.run(["-ec", "inwit facts add 'a new one'"]).mentions("Saved: 4");
    home.run(["-ec", "inwit history audit verify"]).mentions("The audit log is intact");
}

/// Proves X10.
#[test]
fn a_fact_is_corrected_forgotten_restored_and_purged() {
    let home = knowing();
    home.run(["facts", "update", "3", "--text", "stops trail by 5%", "--json"])
        .mentions("\"outcome\": \"applied\"");
    home.run(["facts", "list"]).mentions("stops trail by 5%");
    home.run(["facts", "list", "--as-of", "2026-02-01"]).mentions("meme coins");
    assert!(!home.run(["facts", "list", "--as-of", "2026-04-01"]).stdout().contains("meme coins"));
    assert_eq!(home.run(["facts", "list", "--believed-at", "2020-01-01"]).stdout(), "");
    home.run(["facts", "forget", "2"]).mentions("Forgotten: 2").mentions("restore 2");
    home.run(["facts", "list", "--forgotten"]).mentions("meme coins");
    home.run(["facts", "restore", "2"]).mentions("Saved: 2");
    assert_eq!(home.run(["facts", "purge", "2", "--json"]).exits(0).json()["outcome"], "planned");
    home.run(["facts", "purge", "2", "--yes"]).mentions("from memory.db");
    let unknown = home.run(["facts", "read", "2", "--json"]).exits(3).json_error();
    assert_eq!(unknown["error"]["code"], "fact_unknown");
    let twice = ["facts", "update", "1", "--text", "stops trail by 5%", "--category", "lesson", "--json"];
    let known = home.run(twice).exits(4).json_error();
    assert_eq!(known["error"]["code"], "fact_known");
    home.run(["facts", "list", "--as-of", "9999-12-31", "--believed-at", "9999-12-31"]).mentions("trail");
    home.run(["facts", "add", "holds for ever", "--to", "9999-12-31"]).exits(0);
    home.run(["facts", "update", "4", "--to", "9999-12-30T22:00:00.9Z"]).exits(0);
    home.run(["facts", "list"]).mentions("holds for ever");
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
    home.run(["history", "audit", "show"]).mentions("fact_purge");
    home.run(["prompt"]).mentions("<memory-context>").mentions("[lesson] stops trail by 5%");
    home.run(["prompt", "--report"]).mentions("facts");
    assert!(!home.run(["prompt", "--room", "kitchen"]).stdout().contains("stops trail"));
    let bad = home.run(["facts", "add", "x", "--from", "someday", "--json"]).exits(2).json_error();
    assert_eq!(bad["error"]["code"], "time_bad");
}

/// Proves M25.
#[test]
fn retention_of_forgotten_facts_is_a_setting_that_the_name_of_minara_sets_too() {
    for name in ["INWIT_FACTS_RETENTION_DAYS", "FIN_PROFILE_MEMORY_SOFT_DELETE_RETENTION_DAYS"] {
        let home = newcomer().env(name, "2");
        home.run(["init"]).exits(0);
        home.run(["facts", "add", "likes rye"]).exits(0);
        let forgotten = home.run(["facts", "forget", "1"]).exits(0).stderr();
        let read = home.run(["facts", "read", "1"]).exits(0).stdout();
        let line = read.lines().find(|line| line.starts_with("forgotten ")).expect("a line");
        let at = line[10..].split_once(';').expect("a moment").0;
        let at: jiff::Timestamp = at.replace(" UTC", "Z").parse().expect("a moment");
        let last = at + jiff::SignedDuration::from_hours(48);
        let day = last.to_zoned(jiff::tz::TimeZone::UTC).date();
        assert!(line.ends_with(&format!("; the last day to restore it is {day}.")), "{line}");
        assert!(forgotten.contains(&format!("restores it until {day}.")), "{forgotten}");
        home.run(["config", "get", "facts.retention_days", "--origin"])
            .mentions(&format!("environment {name}"));
        for bad in ["0", "x"] {
            let error = newcomer().env(name, bad).run(["status", "--json"]).exits(2).json_error();
            assert_eq!(error["error"]["code"], "setting_bad", "{bad}");
        }
    }
}

/// What was forgotten is believed no more, and the day up to which it can come back is told, until that is over.
/// Proves M25.
#[test]
fn a_forgotten_fact_tells_the_last_day_on_which_it_comes_back() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = knowing_shell();
    let read = || home.run(["-ec", "inwit facts read 2"]).exits(0).stdout();
    let line = |word: &str| {
        let read = read();
        read.lines().find(|line| line.starts_with(word)).expect("a line").to_owned()
    };
    assert!(line("believed").starts_with("believed  since 2"), "{}", read());
    home.run(["-ec", "inwit facts forget 2"]).exits(0);
    // The clock is the real one: the day that is told is counted from the day that is told beside it.
    let forgotten = line("forgotten");
    let at = forgotten[10..].split_once(';').expect("a moment").0;
    let moment: jiff::Timestamp = at.replace(" UTC", "Z").parse().expect("a moment");
    let last = moment + jiff::SignedDuration::from_hours(24 * 30);
    let day = last.to_zoned(jiff::tz::TimeZone::UTC).date();
    assert_eq!(forgotten, format!("forgotten {at}; the last day to restore it is {day}."));
    let believed = line("believed");
    assert!(!believed.contains("since") && believed.ends_with(&format!(" to {at}")), "{believed}");
    let database = home.home("inwit/agents/main/memory.db").display().to_string();
    let older = "UPDATE memories SET deleted_ms = deleted_ms - 2592060000 WHERE id = 2";
    home.run(["-ec", &format!("sqlite3 '{database}' '{older}'")]).exits(0);
    let overdue = line("forgotten");
    assert!(
        overdue.ends_with("; it can no longer be restored, and is deleted at the next write."),
        "{overdue}"
    );
    home.run(["-ec", "inwit facts restore 2"]).exits(3);
    home.run(["-ec", "inwit facts read 2"]).exits(3);
}

#[test]
fn what_is_known_of_the_user_is_set_shown_and_unset() {
    let home = knowing();
    home.run(["facts", "profile", "set", "home_language", "en"]).mentions("Profile updated.");
    home.run(["facts", "profile", "set", "home_language", "en"]).mentions("unchanged");
    home.run(["facts", "profile", "get", "home_language"]).mentions("home_language: en");
    home.run(["prompt"]).mentions("- home_language: en");
    home.run(["facts", "profile", "unset", "home_language", "--json"]).mentions("applied");
    let unknown = home.run(["facts", "profile", "get", "home_language", "--json"]).exits(3).json_error();
    assert_eq!(unknown["error"]["code"], "fact_unknown");
}

/// The guide, as it stands, line by line.
#[test]
fn every_line_of_the_guide_to_facts_runs_and_says_something() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/facts.md");
    let page = std::fs::read_to_string(guide).expect("the guide");
    let home = shell();
    let mut count = 0;
    for block in page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        for line in block.lines() {
            let run = home.run(["-ec", line]).exits(0);
            assert!(!run.stdout().is_empty(), "`{line}` says nothing: {}", run.stderr());
            count += 1;
        }
    }
    assert!(count >= 15, "the guide shows the main verbs: {count}");
}

/// A row has a number and an id, and both stay: a correction changes neither, and no number is given twice.
/// Proves X50.
#[test]
fn a_fact_is_named_by_a_number_and_by_an_id_that_stay() {
    let home = knowing();
    let read = |name: &str| home.run(["facts", "read", name, "--json"]).json();
    let id = read("3")["id"].as_str().expect("an id").to_owned();
    let uuid = id.strip_prefix("fact-").expect("its kind is said");
    assert!(uuid.len() == 36 && uuid.as_bytes()[14] == b'7', "a UUID that knows its time: {id}");
    assert_eq!(read(&id)["number"], 3);
    home.run(["facts", "update", &id, "--text", "stops trail by 5%"]).exits(0);
    assert_eq!(
        (read("3")["id"].as_str(), read(&id)["content"].as_str()),
        (Some(id.as_str()), Some("stops trail by 5%"))
    );
    home.run(["facts", "purge", "3", "--yes"]).exits(0);
    home.run(["facts", "add", "a new one"]).mentions("Saved: 4");
    home.run(["facts", "read", "3"]).exits(3);
    home.run(["facts", "read", &id]).exits(3);
}

/// Nothing outside is needed: no other program, no network, no model, no vectors.
/// Proves M2.
#[test]
fn a_machine_with_nothing_else_on_it_keeps_finds_and_forgets() {
    let home = newcomer().env("PATH", "/nowhere").env("INWIT_EMBEDDING_PROVIDER", "disabled");
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    home.run(["facts", "add", "Ana bakes rye on Fridays"]).mentions("Saved: 1");
    home.run(["facts", "add", "the mill closes at six"]).mentions("Saved: 2");
    home.run(["remember", "The oven trips the fuse"]).mentions("Wrote");
    let found = home.run(["facts", "search", "when does Ana bake", "--json"]).json();
    assert_eq!(found["facts"][0]["number"], 1, "{found}");
    assert!(found["notices"].as_array().is_none_or(Vec::is_empty), "nothing is missing: {found}");
    home.run(["search", "fuse"]).mentions("The oven trips the fuse");
    home.run(["prompt"]).mentions("[observation] Ana bakes rye on Fridays");
    let id = home.run(["session", "start"]).json()["session"].as_str().expect("an id").to_owned();
    home.run(["session", "end", "--input", &format!("{{\"session\":\"{id}\"}}")]).exits(0);
    home.run(["facts", "consolidate"]).exits(0);
    home.run(["facts", "forget", "2"]).mentions("Forgotten: 2");
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
    assert!(!home.home("inwit/agents/main/embeddings.db").exists(), "and nothing is kept of vectors");
}

/// What facts name, from the command line and as data.
#[test]
fn edges_are_shown_counted_and_followed() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    home.run(["facts", "edges", "top"]).exits(0).mentions("No fact names an entity yet.");
    home.run(["facts", "add", "met Ana in Porto"]).mentions("Saved: 1");
    home.run(["facts", "add", "bakes with Ana and Bo, #baking"]).mentions("Saved: 2");
    home.run(["facts", "edges", "show", "2"]).prints(expect![[r#"
        mentions             name:ana
        mentions             name:bo
        mentions             tag:baking
    "#]]);
    home.run(["facts", "edges", "top", "-n", "1"]).mentions("    2  name:ana");
    home.run(["facts", "edges", "neighborhood", "Ana"]).mentions("name:porto").mentions("tag:baking");
    home.run(["facts", "edges", "neighborhood", "porto", "--depth", "2"]).mentions("via name:ana");
    let json = home.run(["facts", "edges", "neighborhood", "#baking", "--json"]).json();
    assert_eq!(
        (json["of"][0]["entity"]["kind"].as_str(), json["of"][0]["facts"].as_u64()),
        (Some("tag"), Some(1))
    );
    let shown = home.run(["facts", "edges", "show", "1", "--json"]).json();
    assert_eq!((shown["edges"][0]["type"].as_str(), shown.get("notices")), (Some("mentions"), None));
    home.run(["facts", "forget", "1"]).exits(0);
    home.run(["facts", "edges", "show", "1"]).mentions("was forgotten").mentions("facts restore");
    let hidden = home.run(["facts", "edges", "show", "1", "--json"]).exits(0).json();
    assert_eq!(hidden["notices"][0]["code"], "fact_forgotten", "{hidden}");
    home.run(["facts", "restore", "1"]).exits(0);
    home.run(["facts", "edges", "show", "1"]).mentions("name:ana");
    let unknown = home.run(["facts", "edges", "neighborhood", "Zoe", "--json"]).exits(3).json_error();
    assert_eq!(unknown["error"]["code"], "entity_unknown");
    home.run(["facts", "edges", "neighborhood", "Ana", "--depth", "4"]).exits(2);
    home.run(["config", "set", "facts.domain", "finance"]).exits(0);
    home.run(["facts", "add", "sold ETH, 做多BTC"]).mentions("Saved: 3");
    home.run(["facts", "edges", "show", "3"])
        .mentions("exited               ticker:ETH")
        .mentions("co_occurs_with       pair:BTC+ETH");
}
