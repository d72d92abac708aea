//! `inwit dream --engine logs`: daily logs, a model on this machine, and what comes of it.

use std::fs;

use inwit_testkit::model_server::{Form, Turn, model_server};
use inwit_testkit::server::Server;
use inwit_testkit::{Cli, fixture};

use crate::newcomer;

/// A log whose day never leaves the window.
const LOG: &str = "memory/2099-01-02.md";

const FACT: &str = "Vera prefers rye bread from Mill Street.";

fn kept() -> String {
    format!("- {FACT} [{LOG}#L1]\n")
}

/// A home with one log, and with `server` as its language model if there is one.
fn home(server: Option<&Server>) -> Cli {
    let mut home = newcomer();
    if let Some(server) = server {
        home = home
            .env("INWIT_LLM_PROVIDER", "http")
            .env("INWIT_LLM_URL", &format!("{}/v1", server.url))
            .env("INWIT_LLM_MODEL", "small");
    }
    home.run(["init", "--timezone", "UTC"]).exits(0);
    put(&home, LOG, &format!("- {FACT}\n- The bus was late.\n"));
    home
}

fn put(home: &Cli, name: &str, text: &str) {
    fixture::put(&home.home("inwit/agents/main/workspace"), name, text.as_bytes());
}

fn read(home: &Cli, name: &str) -> String {
    fs::read_to_string(home.home("inwit/agents/main/workspace").join(name)).unwrap_or_default()
}

/// Proves W35, W44, W64.
#[test]
fn a_model_keeps_facts_of_logs_and_every_step_is_explained_and_reversible() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&kept()), Turn::says("NOTHING_TO_PROMOTE")]);
    let home = home(Some(&server));
    let before = read(&home, "MEMORY.md");
    home.run(["dream", "status"])
        .mentions("unread       1 log,")
        .mentions("logs         no pass yet; runs only by command");
    home.run(["dream", "--engine", "logs", "--dry-run"])
        .mentions("would send")
        .mentions(LOG)
        .mentions("no changes made");
    assert_eq!((server.requests().len(), read(&home, "MEMORY.md")), (0, before.clone()), "nothing is sent");
    home.run(["dream", "--engine", "logs"]).mentions("promoted").mentions(FACT).mentions("receipt   rcpt-");
    let after = read(&home, "MEMORY.md");
    let section = after.strip_prefix(&before).expect("what stood there is unchanged");
    assert!(
        section.contains("## Dreamed 20") && section.contains(&format!("- {FACT} <!-- source: {LOG}#L1 -->")),
        "{section}"
    );
    let request = &server.requests()[0].body;
    assert!(request.contains("L1: - Vera prefers") && request.contains("NOTHING_TO_PROMOTE"), "{request}");
    let usage = home.run(["llm", "usage", "--json"]).json();
    assert_eq!((&usage["rows"][0]["task"], &usage["rows"][0]["calls"]), (&"dream".into(), &1.into()));
    home.run(["dream", "why", "rye bread"]).mentions("promoted").mentions(FACT);
    home.run(["dream", "why", "bus", "was", "late"]).mentions("which did not keep it").mentions(LOG);
    home.run(["dream", "log"]).mentions("logs").mentions("appended");
    let status = home.run(["dream", "status", "--json"]).json();
    assert_eq!(
        (&status["engines"][1]["engine"], &status["waiting"]),
        (&"logs".into(), &serde_json::json!([]))
    );
    assert!(status["watermarkMs"].is_number(), "{status}");

    let number = home.run(["dream", "log", "--json"]).json()["dreams"][0]["number"].to_string();
    home.run(["dream", "revert", &number, "--dry-run"])
        .mentions("- Vera prefers")
        .mentions("no changes made");
    home.run(["dream", "revert", &number]).exits(0);
    assert_eq!(read(&home, "MEMORY.md"), before);
    home.run(["dream", "revert", "99"]).exits(3).mentions("There is no dream pass 99.");
    put(&home, "memory/2099-01-03.md", "- Vera sings.\n");
    home.run(["dream", "--engine", "logs"]).mentions("Nothing was promoted.");
    let empty = home.run(["dream", "log", "--json"]).json()["dreams"][0]["number"].to_string();
    home.run(["dream", "revert", &empty]).exits(3).mentions("wrote nothing into long-term memory");
}

#[test]
fn a_section_that_was_edited_since_is_not_reverted() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&kept())]);
    let home = home(Some(&server));
    home.run(["dream", "--engine", "logs"]).exits(0);
    let edited = read(&home, "MEMORY.md") + "\nMine.\n";
    put(&home, "MEMORY.md", &edited);
    let number = home.run(["dream", "log", "--json"]).json()["dreams"][0]["number"].to_string();
    home.run(["dream", "revert", &number]).exits(4).mentions("was changed again since");
    assert_eq!(read(&home, "MEMORY.md"), edited);
}

/// Proves W43, W61, W63.
#[test]
fn quarantined_logs_are_listed_and_released() {
    let leak = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    let server = model_server(
        Form::OpenAiChat,
        vec![Turn::says(&format!("- The token is {leak}.")), Turn::says(&kept())],
    );
    let home = home(Some(&server));
    let run = home.run(["dream", "--engine", "logs", "--json"]).json();
    assert_eq!(run["outcome"], "pii_detected_quarantine");
    assert!(!run.to_string().contains(&leak), "{run}");
    home.run(["dream", "quarantine", "list"]).mentions("github_pat").mentions("2099-01-02.md");
    home.run(["dream", "status"]).mentions("quarantined  1 log");
    home.run(["history", "audit", "show"]).mentions("pii_detected_quarantine").mentions("github_pat");
    home.run(["dream", "--engine", "logs"]).mentions("quarantined").mentions("Nothing was promoted");
    let cleared = home.run(["dream", "quarantine", "clear", LOG, "--json"]).json();
    assert_eq!(cleared["cleared"], serde_json::json!(["2099-01-02.md"]));
    let list = home.run(["dream", "quarantine", "list", "--json"]).json();
    assert_eq!(list["entries"], serde_json::json!([]));
    home.run(["dream", "--engine", "logs"]).mentions(FACT);
}

#[test]
fn without_a_usable_model_the_error_has_a_code_and_a_hint() {
    let home = home(None);
    let error = home.run(["dream", "--engine", "logs", "--json"]).exits(3).json_error();
    assert_eq!(error["error"]["code"], "model_unset", "{error}");
    assert!(error["error"]["hint"].as_str().is_some_and(|hint| hint.contains("inwit llm list")), "{error}");
    home.run(["dream", "log"]).mentions("llm error");
    let server = model_server(Form::OpenAiChat, vec![Turn::Garbles]);
    let home = self::home(Some(&server));
    home.run(["dream", "--engine", "logs"]).exits(1).mentions("not JSON");
    home.run(["dream", "status"]).mentions("1 failed in a row");
    assert!(!read(&home, "MEMORY.md").contains("Dreamed"));
}

/// Proves W75.
#[test]
fn the_engine_runs_when_a_session_ends_and_a_pass_is_due() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&kept())]);
    let home = home(Some(&server));
    let end_of_a_session = || {
        let id = home.run(["session", "start"]).json()["session"].as_str().expect("an id").to_owned();
        let ended = home.run(["session", "end", "--input", &format!("{{\"session\":\"{id}\"}}")]).json();
        let notices = ended["notices"].as_array().into_iter().flatten();
        notices.map(|notice| notice["code"].as_str().expect("a code").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((end_of_a_session(), server.requests().len()), (vec![], 0), "off by default");
    home.run(["config", "set", "dream.engines", "logs"]).exits(0);
    assert_eq!(end_of_a_session(), ["dreamed"]);
    assert!(read(&home, "MEMORY.md").contains(FACT));
    put(&home, "memory/2099-01-03.md", "- Vera sings.\n");
    assert_eq!((end_of_a_session(), server.requests().len()), (vec![], 1), "the next pass is tomorrow's");
    home.run(["dream", "status"]).mentions("logs         last pass").mentions("; due 20");
}

#[test]
fn both_engines_run_by_one_command() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&kept())]);
    let home = home(Some(&server));
    home.run(["config", "set", "dream.engines", "recall, logs"]).exits(0);
    let run = home.run(["dream", "--json"]).json();
    let engines: Vec<&str> =
        run["passes"].as_array().expect("passes").iter().filter_map(|pass| pass["engine"].as_str()).collect();
    assert_eq!(engines, ["recall", "logs"]);
}
