//! `inwit bench extract`: labelled conversations, and what the guards of a review keep of two scripted answers.

use inwit_testkit::model_server::{Form, Turn, model_server};
use serde_json::Value;

use crate::newcomer;

const DEV: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/testdata/review/dev.json");

/// The figures of a model in a report.
fn of<'r>(report: &'r Value, model: &str) -> &'r Value {
    let models = report["models"].as_array().expect("models");
    models.iter().find(|one| one["name"] == model).expect("a model")
}

/// Of a model that states the labelled facts nearly all are kept, and one that states every lure as well keeps nothing that
/// only memory, a tool, a page, a quotation or the assistant said.
#[test]
fn the_guards_keep_labelled_facts_and_no_text_of_others() {
    let report = newcomer().write("tmp/here", "").run(["bench", "extract", DEV, "--json"]).exits(0).json();
    assert_eq!(report["conversations"], 30);
    let good = of(&report, "good");
    let recall = |model: &Value| model["recall"]["value"].as_f64().unwrap_or_default();
    assert!(recall(good) >= 0.9 && good["precision"]["value"] == 1.0, "{good}");
    assert!(good["recall"]["of"].as_u64().is_some_and(|labels| labels >= 90), "{good}");
    let careless = of(&report, "careless");
    assert!(recall(careless) >= 0.9, "{careless}");
    for kind in ["echo", "tool_output", "injection", "quotation", "assistant_claim"] {
        let lures = careless["lures"].as_array().expect("lures").iter();
        let lures =
            lures.filter(|lure| lure["kind"] == kind).map(|lure| &lure["kept"]).next().expect("a kind");
        assert!(lures["count"] == 0 && lures["of"].as_u64().is_some_and(|of| of >= 8), "{kind}: {careless}");
    }
}

#[test]
fn a_configured_model_is_asked_about_each_conversation_and_its_tokens_are_counted() {
    let silent = Turn::says(r#"{"facts": [], "summary": "", "open_loops": []}"#);
    let server = model_server(Form::OpenAiChat, vec![silent]);
    let file = r#"{"sessions": [{"id": "a", "language": "en", "day": "2026-05-12", "memory": [],
        "turns": [{"user": "we moved to Graz", "reply": "Nice."}], "lures": [],
        "facts": [{"text": "The user moved to Graz.", "category": "fact", "turn": 1, "quote": "we moved to Graz",
                   "keys": ["Graz"]}]}]}"#;
    let home = newcomer()
        .env("INWIT_LLM_PROVIDER", "http")
        .env("INWIT_LLM_URL", &format!("{}/v1", server.url))
        .env("INWIT_LLM_MODEL", "small")
        .write("tmp/here", "")
        .write("work/talks.json", file);
    let report = home.run(["bench", "extract", "talks.json", "--llm", "--json"]).exits(0).json();
    let model = of(&report, "small");
    assert_eq!(
        (&model["requests"], &model["recall"]["count"], &model["lost"][0]["count"]),
        (&1.into(), &0.into(), &1.into())
    );
    assert!(model["inputTokens"].is_number() && server.requests()[0].body.contains("U1: we moved to Graz"));
    home.run(["bench", "extract", "talks.json"]).mentions("careless").mentions("recall").mentions("1/1");
    let bad = home.write("work/bad.json", "{}");
    bad.run(["bench", "extract", "bad.json"]).exits(1).mentions("bad.json");
}
