//! `inwit review`: a session, a model on this machine, and what comes of it.

use inwit_testkit::model_server::{Form, Turn, model_server};
use inwit_testkit::server::Server;
use inwit_testkit::{Cli, Tree};
use serde_json::json;

use crate::newcomer;

const MOVED: &str = "The user moved to Graz on 12 May.";

const SAID: &str = "we moved to Graz on 12 May";

fn answer() -> String {
    let fact =
        |text: &str, quote: &str| json!({ "text": text, "category": "fact", "turn": 1, "quote": quote });
    let facts = [fact(MOVED, SAID), fact("The user keeps goats.", "Congratulations")];
    json!({ "facts": facts, "summary": "They talked about the move.", "open_loops": ["call Bob"] })
        .to_string()
}

/// A home with `server` as its language model.
fn home(server: &Server) -> Cli {
    let home = newcomer()
        .env("INWIT_LLM_PROVIDER", "http")
        .env("INWIT_LLM_URL", &format!("{}/v1", server.url))
        .env("INWIT_LLM_MODEL", "small");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home
}

/// A session with one turn that ends.
fn talks(home: &Cli) -> String {
    let say = |verb: &str, input: serde_json::Value| {
        home.run(["session", verb, "--input", &input.to_string()]).exits(0).json()
    };
    let id = say("start", json!({}))["session"].clone();
    say(
        "turn",
        json!({ "session": id, "user": { "text": SAID }, "assistant": "Congratulations! Call Bob soon." }),
    );
    say("end", json!({ "session": id }));
    id.as_str().expect("an id").to_owned()
}

/// All text of the workspace.
fn notes(home: &Cli) -> String {
    let tree = Tree::of(&home.home("inwit/agents/main/workspace"));
    tree.paths()
        .iter()
        .filter_map(|path| std::fs::read_to_string(home.home("inwit/agents/main/workspace").join(path)).ok())
        .collect()
}

/// Proves M4, M47.
#[test]
fn a_review_by_hand_keeps_facts_and_explains_each_of_them() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&answer())]);
    let home = home(&server);
    let id = talks(&home);
    home.run(["review", "status"]).mentions("automatic  only by command").mentions("waiting    1 session");
    home.run(["review", "--dry-run"]).mentions("would send").mentions("turn 1").mentions("no changes made");
    assert_eq!(server.requests().len(), 0, "nothing is sent");
    home.run(["review"]).mentions("written").mentions(MOVED).mentions("the user did not write the quote");
    let request = &server.requests()[0].body;
    assert!(request.contains("U1: we moved to Graz") && request.contains("open_loops"), "{request}");
    home.run(["facts", "list"]).mentions(MOVED);
    let notes = notes(&home);
    assert!(
        notes.contains("Summary: They talked about the move.") && notes.contains("- call Bob"),
        "{notes}"
    );
    let usage = home.run(["llm", "usage", "--json"]).json();
    assert_eq!((&usage["rows"][0]["task"], &usage["rows"][0]["calls"]), (&"review".into(), &1.into()));
    home.run(["review", "why", "goats"]).mentions("the user did not write the quote").mentions(&id);
    home.run(["review"]).mentions("No session has new turns to read.");
    home.run(["review", "--session", "nobody-knows-it"]).exits(3).mentions("There is no session");
    home.run(["llm", "tasks"]).mentions("review").mentions("Read new turns of a session");
    home.run(["history", "audit", "show"]).mentions("review");
    assert_eq!(server.requests().len(), 1);
}

/// Each setting lets one part be kept when a session ends; without them no model is asked.
/// Proves M47.
#[test]
fn at_the_end_of_a_session_only_what_a_setting_wants_is_kept() {
    for (setting, kept) in [
        ("", [false; 3]),
        ("INWIT_REVIEW_FACTS", [true, false, false]),
        ("INWIT_REVIEW_SUMMARY", [false, true, false]),
        ("INWIT_REVIEW_OPEN_LOOPS", [false, false, true]),
    ] {
        let server = model_server(Form::OpenAiChat, vec![Turn::says(&answer())]);
        let home = home(&server);
        let home = if setting.is_empty() { home } else { home.env(setting, "true") };
        talks(&home);
        assert_eq!(server.requests().len(), usize::from(!setting.is_empty()), "{setting}");
        let notes = notes(&home);
        let facts = home.run(["facts", "list"]).stdout();
        let found = [facts.contains(MOVED), notes.contains("Summary: They"), notes.contains("- call Bob")];
        assert_eq!(found, kept, "{setting}");
    }
}

/// A host waits for its hooks, so they leave the review to the next command.
#[test]
fn a_hook_asks_no_model_and_a_command_reviews_its_session() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&answer())]);
    let home = home(&server).env("INWIT_REVIEW_FACTS", "true");
    for (moment, fields) in [
        ("session-start", json!({ "source": "startup" })),
        ("user-prompt", json!({ "prompt": SAID })),
        ("stop", json!({ "last_assistant_message": "Congratulations!" })),
        ("session-end", json!({ "reason": "clear" })),
    ] {
        let mut input = json!({ "session_id": "h-1", "cwd": "/x", "transcript_path": "" });
        input.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
        home.run_with(["hook", moment], &input.to_string()).exits(0);
    }
    assert_eq!(server.requests().len(), 0);
    home.run(["review"]).mentions("pending").mentions(MOVED);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_name_of_another_system_turns_facts_off_and_never_on() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says(&answer())]);
    let home = home(&server).env("MINARA_PERSONALIZATION_REBUILD", "enabled");
    talks(&home);
    assert_eq!(server.requests().len(), 0, "never on");
    home.run(["config", "set", "review.facts", "true"]).exits(0);
    let home = home.env("MINARA_PERSONALIZATION_REBUILD", "disabled");
    talks(&home);
    assert_eq!(server.requests().len(), 0, "off, although the file says true");
    home.run(["config", "get", "review.facts"]).mentions("false");
}

#[test]
fn an_answer_without_the_form_is_an_error_and_waits_for_its_pause() {
    let server = model_server(Form::OpenAiChat, vec![Turn::says("I would keep the move.")]);
    let home = home(&server);
    talks(&home);
    let error = home.run(["review", "--json"]).exits(1).json_error();
    assert_eq!(error["error"]["code"], "model_answer_bad", "{error}");
    home.run(["review"]).mentions("1 session with new turns: a failed attempt is repeated later");
    assert_eq!(server.requests().len(), 1);
}
