//! Due work while a conversation or a client is idle.

use std::fs;

use inwit_testkit::model_server::{Form, Turn, model_server};
use inwit_testkit::server::Server;
use inwit_testkit::{Cli, fixture};

use crate::{newcomer, user_of_a_shell};

const FACT: &str = "Vera prefers rye bread from Mill Street.";

/// A log whose day never leaves the window.
const LOG: &str = "memory/2099-01-02.md";

/// A home with one log, whose engine `logs` dreams with `server` after a second without calls.
fn home(server: &Server) -> Cli {
    let home = newcomer()
        .env("INWIT_LLM_PROVIDER", "http")
        .env("INWIT_LLM_URL", &format!("{}/v1", server.url))
        .env("INWIT_LLM_MODEL", "small")
        .env("INWIT_DREAM_ENGINES", "logs")
        .env("INWIT_UPKEEP_IDLE_SECONDS", "1");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    fixture::put(&home.home("inwit/agents/main/workspace"), LOG, format!("- {FACT}\n").as_bytes());
    home
}

fn memory(home: &Cli) -> String {
    fs::read_to_string(home.home("inwit/agents/main/workspace/MEMORY.md")).unwrap_or_default()
}

/// Runs a command without input until `is_time`.
fn idle_until(home: &Cli, command: &[&str], is_time: &dyn Fn() -> bool) {
    let mut running = home.running(command);
    running.wait_until(is_time);
    running.end().exits(0);
}

/// From the hour before this one to the end of the next one (UTC).
fn hours_around_now() -> String {
    let since = std::time::UNIX_EPOCH.elapsed().expect("a time after 1970").as_secs();
    let hour = |later: u64| (since / 3_600 + later) % 24;
    format!("{:02}:00-{:02}:00", hour(23), hour(2))
}

/// The outcomes of the passes with their triggers, newest first.
fn passes(home: &Cli) -> Vec<(String, String)> {
    let log = home.run(["dream", "log", "--json"]).json();
    let passes = log["dreams"].as_array().expect("passes").iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    passes.map(|pass| (text(&pass["trigger"]), text(&pass["outcome"]))).collect()
}

/// Proves W34, W51, N29m.
#[test]
fn a_dream_that_is_due_runs_while_a_client_or_a_conversation_is_idle() {
    for command in [["mcp", "--main"].as_slice(), &["chat"]] {
        let server = model_server(Form::OpenAiChat, vec![Turn::says(&format!("- {FACT} [{LOG}#L1]\n"))]);
        let home = home(&server);
        idle_until(&home, command, &|| memory(&home).contains(FACT));
        assert_eq!(passes(&home), [("timer".to_owned(), "appended".to_owned())], "{command:?}");
    }
}

/// A server does the work of agents that nobody has asked.
#[test]
fn a_dream_that_is_due_runs_while_a_server_is_idle() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&format!("- {FACT} [{LOG}#L1]\n"))]);
    let home = home(&server);
    let mut running = home.running(&["serve", "--addr", "127.0.0.1:0", "--json"]);
    running.wait_until(&|| memory(&home).contains(FACT));
    running.signal(rustix::process::Signal::TERM);
    running.end().exits(0);
    assert_eq!(passes(&home), [("timer".to_owned(), "appended".to_owned())]);
}

/// Proves X32.
#[test]
fn both_engines_run_in_one_check_of_the_scheduler() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&format!("- {FACT} [{LOG}#L1]\n"))]);
    let home = home(&server).env("INWIT_DREAM_ENGINES", "recall, logs");
    idle_until(&home, &["mcp", "--main"], &|| memory(&home).contains(FACT));
    let pass = |outcome: &str| ("timer".to_owned(), outcome.to_owned());
    assert_eq!(passes(&home), [pass("appended"), pass("nothing_to_promote")]);
}

/// Proves W34.
///
/// Another agent, which starts later and waits longer, shows that the time has come.
#[test]
fn nothing_is_sent_in_a_room_in_quiet_hours_or_without_an_engine() {
    let answer = format!("- {FACT} [{LOG}#L1]\n");
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&answer)]);
    for (home, command) in [
        (home(&server), ["mcp", "--room", "kitchen"].as_slice()),
        (home(&server).env("INWIT_UPKEEP_QUIET_HOURS", &hours_around_now()), &["mcp", "--main"]),
        (home(&server).env("INWIT_DREAM_ENGINES", "off"), &["mcp", "--main"]),
    ] {
        let later = model_server(Form::OpenAiChat, vec![Turn::says(&answer)]);
        let later = self::home(&later).env("INWIT_UPKEEP_IDLE_SECONDS", "2");
        let has_dreamed = || {
            idle_until(&later, &["mcp", "--main"], &|| memory(&later).contains(FACT));
            true
        };
        idle_until(&home, command, &has_dreamed);
        assert_eq!((passes(&home), server.requests().len()), (vec![], 0), "{command:?}");
    }
}

/// Proves M26.
#[test]
fn facts_that_were_forgotten_long_ago_are_removed_while_a_client_is_idle() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = newcomer().env("INWIT_UPKEEP_IDLE_SECONDS", "1");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let added = home.run(["facts", "add", FACT, "--json"]).json();
    home.run(["facts", "forget", added["fact"]["id"].as_str().expect("an id")]).exits(0);
    let memory = home.home("inwit/agents/main/memory.db");
    let sql = |statement: &str| {
        let script = format!("sqlite3 '{}' '{statement}'", memory.display());
        user_of_a_shell().env("PATH", "/usr/local/bin:/usr/bin:/bin").run(["-ec", &script]).exits(0).stdout()
    };
    assert_eq!(sql("SELECT count(*) FROM memories").trim(), "1");
    let days = 31 * 24 * 3_600 * 1_000_i64;
    sql(&format!("UPDATE memories SET deleted_ms = deleted_ms - {days}, deleted_at = NULL"));
    let is_gone = || sql("SELECT count(*) FROM memories").trim() == "0";
    assert!(!is_gone(), "no other work removes it");
    idle_until(&home, &["mcp", "--main"], &is_gone);
    assert!(is_gone());
}

/// Proves N29n.
#[test]
fn the_end_of_the_process_stops_a_call_and_a_later_pass_reads_the_same_logs() {
    let server =
        model_server(Form::OpenAiChat, vec![Turn::Stalls, Turn::says(&format!("- {FACT} [{LOG}#L1]\n"))]);
    let home = home(&server);
    idle_until(&home, &["mcp", "--main"], &|| !server.requests().is_empty());
    assert_eq!(passes(&home), [("timer".to_owned(), "stopped".to_owned())]);
    let status = home.run(["dream", "status", "--json"]).json();
    assert_eq!(status["engines"][1]["failures"], 0, "{status}");
    home.run(["dream", "--engine", "logs"]).mentions(FACT);
}
