//! A contradiction from the command line: stated, judged by a model over HTTP, seen as of two days.

use inwit_testkit::Cli;
use inwit_testkit::server::{Reply, Server};

use crate::newcomer;

/// An answer of a judge in OpenAI's form.
fn says(answer: &str) -> Reply {
    Reply::good(serde_json::json!({ "choices": [{ "message": { "content": answer } }] }).to_string())
}

const SUPERSEDE: &str = r#"{"decision":"supersede","fact":1,"reason":"she moved"}"#;

fn starts(home: &Cli) -> String {
    home.run(["session", "start"]).json()["session"].as_str().expect("an id").to_owned()
}

/// An agent wanted two facts kept, and its owner let both through: they are the agent's words still.
fn kept_by_the_agent() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    for (text, since) in [("Ana lives in Porto", "2020-01-01"), ("Ana lives in Lisbon", "2026-06-01")] {
        let add = ["facts", "add", text, "--from", since, "--as", "agent", "--json"];
        let_through(&home, text, &add);
        let again = home.run(add).json();
        assert_eq!(again["outcome"], "unchanged", "what is known needs no word: {again}");
    }
    home.run(["status"]).mentions("2, 2 of them pending consolidation");
    home
}

fn let_through(home: &Cli, text: &str, add: &[&str]) {
    let id = home.run_words(add).json()["proposal"].as_str().expect("it waits").to_owned();
    home.run(["inbox"]).mentions(&format!("fact “{text}”"));
    let shown = home.run(["inbox", "show", &id, "--json"]).json();
    home.run(["inbox", "approve", &id, "--confirm", shown["confirm"].as_str().expect("digits")]).exits(0);
}

fn judged_by(home: Cli, server: &Server) -> Cli {
    home.env("INWIT_JUDGE_PROVIDER", "http")
        .env("INWIT_JUDGE_URL", &format!("{}/v1", server.url))
        .env("INWIT_JUDGE_MODEL", "small")
}

/// Proves M8.
#[test]
fn a_contradiction_is_judged_when_a_session_ends_and_seen_as_of_two_days() {
    let server = Server::answering(vec![says(SUPERSEDE)]);
    let home = judged_by(kept_by_the_agent(), &server);
    let id = starts(&home);
    let ended = home.run(["session", "end", "--input", &format!("{{\"session\":\"{id}\"}}")]).exits(0);
    ended.mentions("facts_retired");
    assert_eq!(server.requests().len(), 1);
    let list = || home.run(["facts", "list"]).stdout();
    let on = |day: &str| home.run(["facts", "list", "--as-of", day]).stdout();
    let now = list();
    assert!(now.contains("Lisbon") && !now.contains("Porto"), "{now}");
    let (then, later) = (on("2026-05-31"), on("2026-06-01"));
    assert!(then.contains("Porto") && !then.contains("Lisbon"), "{then}");
    assert!(later.contains("Lisbon") && !later.contains("Porto"), "{later}");
    home.run(["facts", "list", "--include-retired"]).mentions("Porto  (ended 2026-06-01)  (retired)");
    let ended = "Porto  (2020-01-01 to 2026-06-01)  (retired)";
    assert!(then.contains(ended), "with the end that is known: {then}");
    // Before it was decided nobody knew of one.
    let said = home.run(["facts", "read", "2", "--json"]).json()["createdAt"].as_str().map(str::to_owned);
    let then = ["facts", "list", "--as-of", "2026-05-31", "--believed-at", &said.expect("a moment")];
    home.run(then).mentions("Porto  (since 2020-01-01)").hides("retired");
    let found = home.run(["facts", "search", "where does Ana live"]).stdout();
    assert!(found.contains("Lisbon") && !found.contains("Porto"), "{found}");
    home.run(["facts", "search", "Porto", "--include-retired"]).mentions("(retired)");
    let marks = |args: &[&str]| -> Vec<_> {
        let told = home.run_words(args).json();
        let facts = told["facts"].as_array().expect("facts").iter();
        facts.map(|of| (of["number"].clone(), of["status"].clone(), of["retiredBy"].clone())).collect()
    };
    let lisbon = home.run(["facts", "read", "2", "--json"]).json();
    let stands = (2.into(), "settled".into(), serde_json::Value::Null);
    let retired = (1.into(), "retired".into(), lisbon["id"].clone());
    assert_eq!(marks(&["facts", "list", "--json"]), std::slice::from_ref(&stands));
    assert_eq!(marks(&["facts", "list", "--include-retired", "--json"]), [stands.clone(), retired.clone()]);
    let best = ["facts", "search", "Ana in Porto", "--include-retired", "--json"];
    assert_eq!(marks(&best), [stands, retired], "behind the answer, however well it answers");
    let prompt = home.run(["prompt"]).stdout();
    assert!(prompt.contains("Lisbon") && !prompt.contains("Porto"), "{prompt}");
    home.run(["facts", "decisions"]).mentions("supersede").mentions("she moved").mentions("small");
    let read = home.run(["facts", "read", "1", "--json"]).json();
    assert_eq!(
        (&read["status"], &read["heldTo"]),
        (&"retired".into(), &"2026-06-01T00:00:00.000Z".into()),
        "{read}"
    );
    assert!(read["retiredAt"].as_str() > lisbon["createdAt"].as_str(), "{read}");
    home.run(["facts", "restore", "1"]).mentions("Saved: 1");
    assert!(list().contains("Porto"));
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
}

/// Since when a fact holds that took the place of another is shown, and its owner may say otherwise; what was so before is
/// told with its times.
/// Proves M8.
#[test]
fn since_when_a_fact_holds_is_shown_and_said_otherwise() {
    let server = Server::answering(vec![says(SUPERSEDE)]);
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    for text in ["Ana lives in Porto", "Ana lives in Lisbon"] {
        let_through(&home, text, &["facts", "add", text, "--as", "agent", "--json"]);
    }
    let home = judged_by(home, &server);
    home.run(["facts", "consolidate"]).mentions("superseded");
    let read = || home.run(["facts", "read", "2", "--json"]).json();
    let on = |day: &str| home.run(["facts", "list", "--as-of", day]).stdout();
    let before = read();
    assert!(before["heldFrom"].is_string() && before["heldFrom"] == before["createdAt"], "{before}");
    assert!(!on("2001-01-01").contains("Lisbon"));
    let held = before["heldFrom"].as_str().expect("a moment").to_owned();
    home.run(["facts", "read", "2"]).mentions(&format!("valid     since {}, when it replaced", &held[..10]));
    home.run(["facts", "list"]).mentions(&format!("Lisbon  (since {})", &held[..10]));
    home.run(["facts", "list", "--include-retired"])
        .mentions(&format!("Porto  (ended {})  (retired)", &held[..10]));
    let said = home.run(["facts", "update", "2", "--from", "none", "--json"]).json();
    assert_eq!(
        (&said["outcome"], &said["notices"][0]["code"]),
        (&"applied".into(), &"facts_ended_elsewhere".into())
    );
    assert!(read()["heldFrom"].is_null() && on("2001-01-01").contains("Lisbon"), "{}", read());
    home.run(["facts", "read", "2"]).hides("holds");
    for day in ["2031-01-01", "2032-01-01"] {
        home.run(["facts", "update", "2", "--to", day]).exits(0);
    }
    let history = home.run(["facts", "read", "2", "--history"]).stdout();
    let spans: Vec<&str> = history
        .lines()
        .filter(|line| line.starts_with("before"))
        .filter_map(|line| line.split_once("; held ").map(|(_, span)| span))
        .collect();
    assert_eq!(spans, [format!("since {}", &held[..10]).as_str(), "until 2031-01-01"], "{history}");
}

/// Who asks again for words that wait, and says more of them, is told that it was not kept.
#[test]
fn an_agent_is_told_what_of_its_wish_is_not_in_what_waits() {
    let home = newcomer();
    home.run(["init"]).exits(0);
    let add = ["facts", "add", "likes rye", "--as", "agent"];
    assert!(home.run_words(&[&add[..], &["--json"]].concat()).json()["notices"].is_null());
    let more = [&add[..], &["--metadata", r#"{"sure":true}"#]].concat();
    home.run_words(&more).mentions("were not kept: its metadata.");
    let again = home.run_words(&[&more[..], &["--json"]].concat()).json();
    assert_eq!(
        (&again["outcome"], &again["notices"][0]["code"]),
        (&"pending".into(), &"fact_waits_otherwise".into())
    );
}

/// Who forgets a word that inwit has for its decisions too loses none of them: only what somebody said goes.
#[test]
fn decisions_stand_when_their_word_is_forgotten() {
    let keep = r#"{"decision":"supersede","fact":1,"reason":"zorblax: keep the later"}"#;
    let server = Server::answering(vec![says(keep)]);
    let home = judged_by(kept_by_the_agent(), &server);
    home.run(["facts", "consolidate"]).mentions("Kept");
    let decisions = || home.run(["facts", "decisions", "--json"]).json()["decisions"].clone();
    let before = decisions();
    let words = |decisions: &serde_json::Value| -> Vec<String> {
        let each = decisions.as_array().expect("decisions").iter();
        each.map(|one| format!("{} {} {}", one["decision"], one["fact"], one["model"])).collect()
    };
    assert_eq!(words(&before).iter().filter(|one| one.starts_with("\"keep\"")).count(), 1, "{before:#}");
    home.run(["forget", "--everywhere", "keep"]).mentions("zorblax: keep the later");
    home.run(["forget", "--everywhere", "keep", "--apply", "--yes"]).mentions("Erased: 0 facts").exits(1);
    let after = decisions();
    assert_eq!(words(&after), words(&before), "each stands as it was decided");
    home.run(["facts", "decisions"]).mentions("zorblax: [forgotten] the later").hides("keep the later");
    home.run(["facts", "list", "--include-retired"])
        .mentions("Lisbon")
        .mentions("Porto")
        .mentions("(retired)");
    home.run(["facts", "consolidate"]).hides("Kept");
    home.run(["forget", "--everywhere", "Ana lives in Porto", "--apply", "--yes"])
        .mentions("1 fact")
        .exits(0);
    assert_eq!(
        decisions().as_array().map(Vec::len),
        Some(2),
        "who was decided about is gone, that it was is not"
    );
    home.run(["facts", "decisions"]).mentions("deleted");
}

/// That a fact was held against another one is told when that one is gone for good, and of no fact that was held
/// against none.
/// Proves M43.
#[test]
fn a_decision_tells_that_the_other_fact_is_gone() {
    let server = Server::answering(vec![says(SUPERSEDE)]);
    let home = judged_by(kept_by_the_agent(), &server);
    home.run(["facts", "consolidate"]).mentions("superseded");
    let read = |number: &str| home.run(["facts", "read", number, "--json"]).json()["id"].clone();
    let [porto, lisbon] = ["1", "2"].map(|number| read(number).as_str().expect("an id").to_owned());
    let decisions = || home.run(["facts", "decisions", "--json"]).json()["decisions"].clone();
    home.run(["facts", "decisions"]).mentions(&format!("supersede  {lisbon} against {porto}, small"));
    assert_eq!(decisions()[0]["other"], porto.as_str());
    assert!(decisions()[0]["otherGone"].is_null(), "it is there");
    home.run(["facts", "purge", "1", "--yes"]).exits(0);
    let told = home.run(["facts", "decisions"]).stdout();
    assert!(told.contains(&format!("supersede  {lisbon} against deleted, small")), "{told}");
    assert!(told.contains("keep  deleted\n"), "it was compared with none: {told}");
    let [superseded, kept] = [0, 1].map(|at| decisions()[at].clone());
    assert_eq!(
        (&superseded["other"], &superseded["otherGone"]),
        (&serde_json::Value::Null, &true.into()),
        "{superseded}"
    );
    assert!(kept["otherGone"].is_null() && kept["fact"].is_null(), "{kept}");
}

#[test]
fn the_shadow_decides_and_does_nothing_and_off_does_not_even_decide() {
    let babble = || says("both!");
    let server =
        Server::answering(vec![says(SUPERSEDE), says(SUPERSEDE), babble(), babble(), babble(), babble()]);
    let home = judged_by(kept_by_the_agent(), &server);
    home.run(["config", "set", "facts.consolidation", "off"]).exits(0);
    let off = home.run(["facts", "consolidate", "--json"]).json();
    assert_eq!((&off["waiting"], off["decided"].as_array().map(Vec::len)), (&2.into(), Some(0)), "{off}");
    assert_eq!(off["mode"], "off");
    home.run(["facts", "consolidate"]).mentions("No decisions (facts.consolidation is off); pending: 2.");
    home.run(["config", "set", "facts.consolidation", "shadow"]).exits(0);
    let dry = home.run(["facts", "consolidate", "--dry-run", "--json"]).json();
    assert_eq!(
        (&dry["dryRun"], &dry["mode"], &dry["decided"][1]["decision"]),
        (&true.into(), &"shadow".into(), &"supersede".into()),
        "{dry}"
    );
    assert_eq!(home.run(["facts", "decisions", "--json"]).json()["decisions"], serde_json::json!([]));
    home.run(["facts", "consolidate"]).mentions("shadow mode").mentions("Lisbon").mentions("Porto");
    assert!(home.run(["facts", "list"]).stdout().contains("Porto"));
    home.run(["config", "set", "facts.consolidation", "on"]).exits(0);
    home.run(["facts", "consolidate"]).mentions("strict_answer");
    assert!(home.run(["facts", "list"]).stdout().contains("Porto"), "what cannot be read does nothing");
    // It is asked again, and not for ever.
    (0..3).for_each(|_| drop(home.run(["facts", "consolidate"]).exits(0)));
    assert_eq!(server.requests().len(), 2 + 3);
}

/// What a switch leaves to be done, and that what is done is told: each decision is a row, and a row of the record.
/// Proves M10.
#[test]
fn each_switch_of_facts_stops_what_it_names_and_the_rest_is_recorded() {
    // The switch; questions to the judge, decisions, those by the judge; whether the contradiction is gone.
    for (key, value, asked, decided, judged, is_gone) in [
        ("facts.consolidation", "off", 0, 0, 0, false),
        ("facts.consolidation", "shadow", 1, 2, 1, false),
        ("judge.enabled", "false", 0, 2, 0, false),
        ("judge.enabled", "true", 1, 2, 1, true),
    ] {
        let server = Server::answering(vec![says(SUPERSEDE), says(SUPERSEDE)]);
        let home = judged_by(kept_by_the_agent(), &server);
        home.run(["config", "set", key, value]).exits(0);
        let id = starts(&home);
        home.run(["session", "end", "--input", &format!("{{\"session\":\"{id}\"}}")]).exits(0);
        let switch = format!("{key} = {value}");
        assert_eq!(server.requests().len(), asked, "{switch}");
        let decisions = home.run(["facts", "decisions", "--json"]).json()["decisions"].clone();
        let decisions = decisions.as_array().expect("decisions");
        let by_judge = decisions.iter().filter(|one| one["model"] == "small").count();
        assert_eq!((decisions.len(), by_judge), (decided, judged), "{switch}: {decisions:?}");
        let is_shadow = |one: &serde_json::Value| one["shadow"] == true;
        assert_eq!(decisions.iter().all(is_shadow), decided == 0 || value == "shadow", "{switch}");
        let rows = home.run(["history", "audit", "show", "--limit", "99", "--json"]).json()["rows"].clone();
        let settled = rows.as_array().expect("rows").iter().filter(|row| row["verb"] == "fact_settle");
        assert_eq!(settled.count(), decided, "{switch}: {rows}");
        let list = home.run(["facts", "list"]).stdout();
        assert_eq!((list.contains("Porto"), list.contains("Lisbon")), (!is_gone, true), "{switch}: {list}");
    }
}

/// Proves M10.
#[test]
fn an_embedder_of_facts_that_is_switched_off_is_asked_nothing() {
    for (provider, is_asked) in [("disabled", false), ("ollama", true)] {
        let vector = || Reply::good(r#"{"embeddings":[[1,0]]}"#);
        let server = Server::answering((0..20).map(|_| vector()).collect());
        let home = newcomer()
            .env("INWIT_EMBEDDING_PROVIDER", provider)
            .env("INWIT_EMBEDDING_URL", &server.url)
            .env("INWIT_EMBEDDING_MODEL", "tiny")
            .env("INWIT_EMBEDDING_DIMENSION", "2")
            .write("work/notes/MEMORY.md", "- The cat sleeps.\n");
        let kept = home.run(["facts", "add", "bakes on Fridays", "-w", "notes"]);
        kept.exits(0);
        let _ = home.run(["doctor", "--fix", "--apply", "--only", "embeddings", "-w", "notes"]);
        home.run(["facts", "search", "loaf", "-w", "notes"]).exits(0);
        assert_eq!(!server.requests().is_empty(), is_asked, "{provider}");
        let health = home.run(["doctor", "-w", "notes", "--json"]).json()["health"].clone();
        assert_eq!(health.get("factVectors").is_some(), is_asked, "{provider}: {health}");
    }
}

/// Proves M42.
#[test]
fn a_judge_that_is_switched_off_or_badly_configured_lets_facts_be() {
    let home = kept_by_the_agent();
    let home = home.env("INWIT_JUDGE_PROVIDER", "http");
    home.run(["facts", "consolidate", "--json"]).mentions("judge.url").mentions("\"waiting\": 1");
    let later = "Ana lives in Lima";
    let_through(&home, later, &["facts", "add", later, "--from", "2999-01-01", "--as", "agent", "--json"]);
    home.run(["facts", "consolidate"])
        .mentions("No decisions (facts.consolidation is on); pending: 2.")
        .mentions("Of those, pending until they become true: 1.");
    let home = home.env("MEMORY_CONSOLIDATION_ENABLED", "0");
    let report = home.run(["facts", "consolidate", "--json"]).json();
    assert_eq!((&report["waiting"], &report["notYet"]), (&0.into(), &0.into()), "{report}");
    let long = "x".repeat(501);
    let refused = home.run(["config", "set", "judge.guidance", &long, "--json"]).exits(2).json_error();
    assert_eq!(refused["error"]["code"], "setting_bad");
}

/// A judge that thinks for long holds nobody who ends a session: what it did not decide waits, and is told.
#[test]
fn the_end_of_a_session_waits_for_no_judge() {
    let server = Server::answering(vec![Reply::Held(Vec::new())]);
    let home = judged_by(kept_by_the_agent(), &server);
    let id = starts(&home);
    let began = std::time::Instant::now();
    let ended = home.run(["session", "end", "--input", &format!("{{\"session\":\"{id}\"}}")]).exits(0);
    let most = std::time::Duration::from_millis(2 * inwit_model::limit::JUDGE_IDLE_MS_MAX);
    assert!(began.elapsed() < most, "{:?}", began.elapsed());
    let notices = ended.json()["notices"].to_string();
    assert!(notices.contains("facts_wait") && notices.contains("Facts still waiting: 1."), "{notices}");
    assert!(!notices.contains("judge_silent"), "told once: {notices}");
    home.run(["status"]).mentions("1 of them pending consolidation");
}
