//! A language model from the command line: checked, counted, and its errors.

use std::sync::{Arc, Mutex};

use inwit_gate::secrets::{SECRETS, Tier};
use inwit_home::llm::metered::Metered;
use inwit_home::llm::price::Prices;
use inwit_home::llm::task::Task;
use inwit_home::llm::usage::UsageLog;
use inwit_model::{CompleteError, Completer, Completion, Question};
use inwit_testkit::model_server::{Form, Turn, model_server};
use inwit_testkit::server::Server;
use inwit_testkit::{Chance, Cli, fixture, secret};

use crate::newcomer;

const KEY: &str = "word-7";

/// A home whose language model is `server`.
fn home_with(server: &Server, provider: &str, api: &str) -> Cli {
    let url = format!("{}/v1", server.url);
    let home = newcomer()
        .env("INWIT_LLM_PROVIDER", provider)
        .env("INWIT_LLM_URL", &url)
        .env("INWIT_LLM_MODEL", "small")
        .env("INWIT_LLM_API", api)
        .env("INWIT_LLM_KEY_ENV", "TEST_KEY")
        .env("TEST_KEY", KEY);
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home
}

#[test]
fn each_api_is_checked_and_its_tokens_are_counted() {
    for (form, api, path) in Form::ALL {
        let server = model_server(form, vec![Turn::says("ready"), Turn::says("ready"), Turn::Garbles]);
        let home = home_with(&server, "http", api);
        home.run(["llm", "usage"]).mentions("No calls since");
        let check = home.run(["llm", "check", "--json"]).json();
        assert_eq!((&check["answer"], &check["api"]), (&"ready".into(), &api.into()), "{check}");
        assert_eq!((&check["tokens"]["input"], &check["tokens"]["cacheRead"]), (&20.into(), &8.into()));
        assert_eq!((&check["key"], &check["model"]), (&"TEST_KEY".into(), &"small".into()));
        assert_eq!(check["costUsd"], serde_json::Value::Null, "no price is set");
        assert!(check["address"] == server.url && check["firstMs"].is_u64(), "{check}");
        home.run(["llm", "check"])
            .mentions("answer    ready")
            .mentions("tokens    20 in (8 cached), 1 out")
            .mentions("cost      cost unknown");
        home.run(["llm", "check"]).exits(1).mentions("not JSON");
        let requests = server.requests();
        assert!(requests[0].line.starts_with(&format!("POST /v1{path}")), "{}", requests[0].line);
        assert!(requests.iter().all(|request| request.head.contains(KEY)), "the key is sent");
        let usage = home.run(["llm", "usage", "--json"]).json();
        let row = &usage["rows"][0];
        assert_eq!((&row["task"], &row["calls"], &row["failed"]), (&"check".into(), &3.into(), &1.into()));
        assert_eq!((&row["tokens"]["input"], &row["tokens"]["output"]), (&40.into(), &2.into()), "{usage}");
        home.run(["llm", "usage"])
            .mentions("3 calls, 1 failed; tokens 40 in (16 cached), 2 out; cost unknown");
    }
}

#[test]
fn concurrent_processes_lose_no_call() {
    let processes = 6;
    let server = model_server(Form::OpenAiResponses, vec![Turn::says("ready"); processes]);
    let home = home_with(&server, "http", "openai_responses");
    std::thread::scope(|scope| {
        for _ in 0..processes {
            scope.spawn(|| home.run(["llm", "check"]).mentions("answer    ready"));
        }
    });
    home.run(["llm", "usage"]).mentions("6 calls; tokens 120 in (48 cached), 6 out; cost unknown");
}

#[test]
fn a_cost_needs_the_price_of_each_kind_of_token() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says("ready"); 3]);
    let home = home_with(&server, "http", "openai_chat")
        .env("INWIT_LLM_INPUT_USD_PER_MILLION", "3")
        .env("INWIT_LLM_OUTPUT_USD_PER_MILLION", "15");
    home.run(["llm", "check"]).mentions("cost unknown");
    let home = home.env("INWIT_LLM_CACHE_READ_USD_PER_MILLION", "0.3");
    // 12 tokens for 3, 8 cached ones for 0.3 and one for 15 dollars per million.
    home.run(["llm", "check"]).mentions("0.000053 USD");
    let usage = home.run(["llm", "usage", "--json"]).json();
    assert_eq!(usage["rows"][0]["costUsd"], serde_json::Value::Null, "one call has no known cost: {usage}");
    let home = home.env("INWIT_LLM_CACHE_WRITE_USD_PER_MILLION", "free");
    home.run(["llm", "check"]).exits(2).mentions("US dollars");
}

#[test]
fn a_check_without_a_usable_provider_says_what_is_wrong() {
    let home = newcomer();
    home.run(["llm", "check"]).exits(3).mentions("No language model").mentions("inwit llm list");
    assert_eq!(home.run(["llm", "check", "--json"]).exits(3).json_error()["error"]["code"], "model_unset");
    let home = home.env("INWIT_LLM_PROVIDER", "http");
    home.run(["llm", "check"]).exits(3).mentions("needs the setting `llm.url`");
    let home = home.env("INWIT_LLM_PROVIDER", "ollama");
    home.run(["llm", "check"]).exits(3).mentions("needs the setting `llm.model`");
    // A port that was free a moment ago.
    let unreachable =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let home = home.env("INWIT_LLM_MODEL", "small").env("INWIT_LLM_URL", &format!("http://{unreachable}/v1"));
    home.run(["llm", "check"]).exits(1).mentions("could not be reached");
    let home = home.env("INWIT_LLM_URL", "http://192.0.2.1/v1");
    home.run(["llm", "check"]).exits(2).mentions("plain http is allowed only to this machine");
    for (turn, code, why) in [
        (
            Turn::Fails("401 No", &[], format!("Incorrect API key: {KEY}")),
            "model_key_refused",
            "rejected the key (status 401): Incorrect API key: …",
        ),
        (Turn::Fails("404 No", &[], "no such model".into()), "model_answer_bad", "no such model"),
        (Turn::Garbles, "model_answer_bad", "not JSON"),
        (Turn::Cuts, "model_unanswered", "early"),
        (Turn::Floods, "model_answer_bad", "answered more than"),
    ] {
        let server = model_server(Form::OpenAiChat, vec![turn.clone(), turn]);
        let home = home_with(&server, "http", "openai_chat");
        home.run(["llm", "check"]).exits(1).mentions(why).mentions("hint:").hides(KEY);
        let error = home.run(["llm", "check", "--json"]).exits(1).json_error();
        assert_eq!(error["error"]["code"], code, "{error}");
        home.run(["llm", "usage"]).mentions("2 calls, 2 failed");
    }
}

/// A stalled model; the default would wait for 90 seconds.
#[test]
fn a_timeout_ends_a_call_which_is_counted_with_an_estimate() {
    let server = model_server(Form::OpenAiChat, vec![Turn::Stalls]);
    let home = home_with(&server, "http", "openai_chat").env("INWIT_LLM_TIMEOUT_SECONDS", "1");
    let error = home.run(["llm", "check", "--json"]).exits(1).json_error();
    assert_eq!(error["error"]["code"], "model_timed_out", "{error}");
    home.run(["llm", "usage"]).mentions("1 calls, 1 failed (1 estimated); tokens");
    let row = home.run(["llm", "usage", "--json"]).json()["rows"][0].clone();
    assert!(row["estimated"] == 1 && row["tokens"]["input"].as_u64() > Some(20), "{row}");
}

#[test]
fn a_context_size_reduces_what_a_conversation_and_a_dream_send() {
    let long = "word ".repeat(900);
    let talk = |home: &Cli| {
        let input = format!("{long}one\n{long}two\n{long}three\n");
        home.run_with(["chat", "--json"], &input).exits(0).stdout()
    };
    for (tokens, is_reduced) in [(None, false), (Some("12000"), true)] {
        let server = model_server(Form::OpenAiChat, vec![Turn::says("Yes."); 3]);
        let home = home_with(&server, "http", "openai_chat");
        let home = tokens.into_iter().fold(home, |home, tokens| home.env("INWIT_LLM_CONTEXT_TOKENS", tokens));
        let said = talk(&home);
        let last = server.requests().last().expect("a request").body.clone();
        assert_eq!(last.contains("word one"), !is_reduced, "{last}");
        assert_eq!(said.contains("turns_dropped"), is_reduced, "{said}");
        assert_eq!(last.contains("8192"), !is_reduced, "the answer is limited too");
        let dream = home.run(["dream", "--engine", "logs", "--dry-run", "--json"]).stdout();
        assert_eq!(dream.contains("dream_input_reduced"), is_reduced, "{dream}");
    }
}

#[test]
fn a_key_comes_from_a_variable_a_file_or_a_command() {
    let keyed = |set: &dyn Fn(Cli) -> Cli| {
        let server = model_server(Form::Anthropic, vec![Turn::says("ready")]);
        let url = format!("{}/v1", server.url);
        let home = newcomer().env("INWIT_LLM_PROVIDER", "anthropic").env("INWIT_LLM_MODEL", "small");
        let home = set(home.env("INWIT_LLM_URL", &url));
        let run = home.run(["llm", "check"]).exits(0);
        (server.requests()[0].head.clone(), run.stdout())
    };
    let (head, said) = keyed(&|home| home.env("ANTHROPIC_API_KEY", KEY));
    assert!(head.contains("x-api-key: word-7") && said.contains("key       ANTHROPIC_API_KEY"), "{said}");
    let (head, said) = keyed(&|home| {
        fixture::put(&home.work("keys"), "key", b"word-7\n");
        let path = home.work("keys").join("key");
        home.env("ANTHROPIC_API_KEY_FILE", path.to_str().expect("a path"))
    });
    assert!(head.contains("x-api-key: word-7") && said.contains("ANTHROPIC_API_KEY_FILE"), "{said}");
    let (head, said) = keyed(&|home| home.env("INWIT_LLM_KEY_COMMAND", "echo word-7"));
    assert!(head.contains("x-api-key: word-7") && said.contains("llm.key_command"), "{said}");
    let (head, said) = keyed(&|home| home);
    assert!(!head.contains("x-api-key") && said.contains("key       none"), "{said}");
}

/// A model that keeps what it is sent.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<String>>);

impl Completer for Recorder {
    fn model(&self) -> &str {
        "recorder"
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        let mut sent = self.0.lock().expect("unpoisoned");
        *sent = format!("{}\n{}", question.rules, question.text);
        Ok(Completion { text: "ok".into(), is_cut: false, usage: None })
    }
}

/// Nothing is sent: the address is of a network that does not exist, and the answer comes before any request.
#[test]
fn notes_leave_this_machine_only_where_the_owner_allows_it() {
    let home = newcomer()
        .env("INWIT_LLM_PROVIDER", "http")
        .env("INWIT_LLM_URL", "https://model.invalid/v1")
        .env("INWIT_LLM_MODEL", "small");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let refused = "may not be sent to https://model.invalid, because `llm.allow` is";
    home.run(["run", "-p", "hello"]).exits(3).mentions("Private notes").mentions(refused);
    home.run(["run", "-p", "hello", "--room", "kitchen"])
        .exits(3)
        .mentions("Texts of rooms")
        .mentions(refused);
    let shared = home.env("INWIT_LLM_ALLOW", "shared");
    shared.run(["run", "-p", "hello"]).exits(3).mentions(refused);
    shared.run(["run", "-p", "hello", "--room", "kitchen"]).exits(1).hides(refused);
    shared.env("INWIT_LLM_ALLOW", "all").run(["run", "-p", "hello"]).exits(1).hides(refused);
}

#[test]
fn a_day_costs_no_more_than_the_owner_allows() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says("ready"); 3]);
    let home = home_with(&server, "http", "openai_chat").env("INWIT_LLM_USD_PER_DAY_MAX", "0.0001");
    home.run(["llm", "check"]).exits(1).mentions("needs the prices `llm.input_usd_per_million`");
    let home = home_with(&server, "http", "openai_chat")
        .env("INWIT_LLM_USD_PER_DAY_MAX", "0.0001")
        .env("INWIT_LLM_INPUT_USD_PER_MILLION", "3")
        .env("INWIT_LLM_CACHE_READ_USD_PER_MILLION", "3")
        .env("INWIT_LLM_OUTPUT_USD_PER_MILLION", "15");
    // 20 tokens in and one out: 0.000075 USD.
    home.run(["llm", "check"]).exits(0);
    home.run(["llm", "check"]).exits(0);
    home.run(["llm", "check"])
        .exits(1)
        .mentions("The calls of today cost 0.000150 USD, and `llm.usd_per_day_max` is 0.000100");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn no_secret_of_the_shapes_that_the_gate_hides_reaches_a_provider() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::default();
    let log = UsageLog::of(folder.path());
    let metered = Metered::new(recorder.clone(), Task::Check, "http", Prices::default(), log);
    let mut count = 0;
    for row in SECRETS.iter().filter(|row| row.everywhere && !row.public && row.tier >= Tier::Doubt) {
        let samples = secret::positives(row.class, 12, &mut Chance::of(24));
        for pair in samples.chunks(2) {
            let (rules, text) = (pair[0].text(), pair[1].text());
            let question = Question { rules: &rules, text: &text, answer_tokens_max: 9 };
            metered.complete(&question).expect("answered");
            let sent = recorder.0.lock().expect("unpoisoned").clone();
            for sample in pair {
                assert!(!sent.contains(&sample.value), "{}: {sent}", row.class);
                count += 1;
            }
            assert!(sent.matches("[REDACTED:").count() >= 2, "{}: {sent}", row.class);
        }
    }
    assert!(count >= 500, "{count}");
}

/// Two facts of an agent, and guidance with a secret beside them.
#[test]
fn a_judge_uses_the_model_and_no_secret_reaches_the_provider() {
    let answer = r#"{"decision":"supersede","fact":1,"reason":"she moved"}"#;
    let server = model_server(Form::Anthropic, vec![Turn::says(answer)]);
    let secret = format!("ghp{}", "_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    let home = home_with(&server, "anthropic", "anthropic")
        .env("INWIT_JUDGE_PROVIDER", "llm")
        .env("INWIT_JUDGE_GUIDANCE", &format!("The token is {secret}"));
    for (text, since) in [("Ana lives in Porto", "2020-01-01"), ("Ana lives in Lisbon", "2026-06-01")] {
        let add = ["facts", "add", text, "--from", since, "--as", "agent", "--json"];
        let id = home.run_words(&add).json()["proposal"].as_str().expect("it waits").to_owned();
        let shown = home.run(["inbox", "show", &id, "--json"]).json();
        let confirm = shown["confirm"].as_str().expect("a code").to_owned();
        home.run(["inbox", "approve", &id, "--confirm", &confirm]).exits(0);
    }
    home.run(["llm", "tasks"]).mentions("anthropic, small; at most 300 tokens per answer");
    home.run(["facts", "consolidate"]).mentions("superseded");
    let request = &server.requests()[0];
    assert!(request.line.starts_with("POST /v1/messages"), "{}", request.line);
    assert!(
        request.body.contains("[REDACTED:github_pat]") && !request.body.contains(&secret),
        "{}",
        request.body
    );
    let usage = home.run(["llm", "usage", "--json"]).json();
    assert_eq!((&usage["rows"][0]["task"], &usage["rows"][0]["calls"]), (&"judge".into(), &1.into()));
}

#[test]
fn the_list_names_each_provider_and_marks_the_configured_one() {
    let home = newcomer().env("INWIT_LLM_PROVIDER", "gemini").env("GOOGLE_API_KEY", KEY);
    home.run(["llm", "list"])
        .mentions("* gemini")
        .mentions("GEMINI_API_KEY or GOOGLE_API_KEY (key set)")
        .mentions("https://api.anthropic.com/v1")
        .hides(KEY);
    let list = home.run(["llm", "list", "--json"]).json();
    let rows = list["providers"].as_array().expect("rows");
    let with_key: Vec<_> = rows.iter().filter(|row| row["hasKey"] == true).map(|row| &row["name"]).collect();
    assert_eq!(with_key, ["gemini"]);
    home.run(["llm", "tasks", "--json"]).json()["tasks"].as_array().expect("rows");
}

#[test]
fn doctor_reports_a_language_model_that_is_needed_and_cannot_be_used() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["doctor"]).hides("A language model that a dream engine");
    let needs = home.env("INWIT_DREAM_ENGINES", "logs");
    needs
        .run(["doctor"])
        .mentions("A language model that a dream engine")
        .mentions("No language model is configured");
    let cloud = needs
        .env("INWIT_LLM_PROVIDER", "anthropic")
        .env("INWIT_LLM_MODEL", "small")
        .env("ANTHROPIC_API_KEY", "word-7");
    cloud.run(["doctor"]).mentions("may not be sent to").mentions("inwit llm check");
    cloud.env("INWIT_LLM_ALLOW", "all").run(["doctor"]).hides("A language model that a dream engine");
}
