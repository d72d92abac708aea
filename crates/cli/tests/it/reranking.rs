//! Reranking as a person meets it: the setting, the order, and a folder that holds no such model.

use inwit_testkit::bert::SmallBert;
use inwit_testkit::{Cli, fixture};
use serde_json::Value;

use crate::newcomer;

const NOTES: &[u8] = b"# Notes\n\n## Harbour\n\n- boat boat boat painted.\n\n## Shed\n\n- boat with a red sail.\n\n## Cellar\n\n- sail sail sail sail boat.\n";

/// An agent with three notes, and a reranker that prefers `sail` in the folder `reranker`.
fn home() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    fixture::put(&home.home("inwit/agents/main/workspace"), "memory/2026-11-20.md", NOTES);
    SmallBert::counting("sail", &["boat", "red", "painted", ".", ":", "a", "with"])
        .put(&home.home("reranker"));
    home
}

fn texts(answer: &Value) -> Vec<&str> {
    answer["results"].as_array().expect("results").iter().filter_map(|hit| hit["text"].as_str()).collect()
}

#[test]
fn a_reranker_in_a_folder_orders_the_results_and_its_part_is_shown() {
    let home = home();
    let search = |home: &Cli| home.run(["search", "boat", "--explain", "--json"]).json();
    let plain = search(&home);
    assert!(texts(&plain)[0].contains("boat boat boat"), "{plain}");
    assert!(plain["results"][0]["parts"].get("rerank").is_none(), "{plain}");
    home.run(["config", "set", "recall.reranker", home.home("reranker").to_str().expect("UTF-8")]).exits(0);
    let reranked = search(&home);
    assert!(texts(&reranked)[0].contains("sail sail sail"), "{reranked}");
    assert_eq!(texts(&reranked).len(), texts(&plain).len());
    for hit in reranked["results"].as_array().expect("results") {
        let parts = hit["parts"].as_object().expect("parts");
        assert!(parts["rerank"].as_f64().is_some_and(|part| part != 0.0), "{hit}");
        let sum: f64 = parts.values().filter_map(Value::as_f64).sum();
        assert!((sum - hit["score"].as_f64().expect("a score")).abs() < 1e-5, "{hit}");
    }
    home.run(["search", "boat", "--explain"]).mentions("rerank");
    home.run(["config", "unset", "recall.reranker"]).exits(0);
    assert_eq!(search(&home)["results"], plain["results"], "without the setting nothing changes");
}

#[test]
fn without_a_usable_model_the_results_stay_and_the_reason_is_shown() {
    let home = home();
    let plain = home.run(["search", "boat", "--json"]).json();
    let reranker = home.home("reranker");
    home.run(["config", "set", "recall.reranker", reranker.to_str().expect("UTF-8")]).exits(0);
    for (name, bytes, says) in [
        ("config.json", &b"{}"[..], "it is not a BERT model"),
        ("model.safetensors", b"", "it ends too early"),
    ] {
        SmallBert::counting("sail", &["boat"]).put(&reranker);
        fixture::put(&reranker, name, bytes);
        let answer = home.run(["search", "boat", "--json"]).json();
        assert_eq!(answer["results"], plain["results"]);
        let notice = &answer["notices"][0];
        assert_eq!(notice["code"], "reranker_unused");
        assert!(notice["message"].as_str().is_some_and(|message| message.contains(says)), "{notice}");
        assert!(notice["hint"].as_str().is_some_and(|hint| hint.contains("recall.reranker")), "{notice}");
    }
    home.run(["doctor", "--json"]).mentions("reranker_unusable");
}
