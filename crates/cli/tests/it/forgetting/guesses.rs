//! Nobody learns by guessing what was forgotten: answers to a right guess and to a wrong one are alike, and the record
//! has nothing to try a guess at.

use super::approving;
use crate::newcomer;

/// Who guesses gets one answer, whether the owner forgot it or not: an agent and a room, of notes and of facts. What they
/// say waits like anything else, and the owner is told at approval. Of the page of a room nobody learns what was rejected.
#[test]
fn nobody_but_the_owner_can_ask_what_was_forgotten_or_rejected() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "We play chess", "--file", "rooms/kitchen.md"]).exits(0);
    home.run(["facts", "add", "Ana sails a zorblax"]).exits(0);
    home.run(["forget", "--everywhere", "sails a zorblax", "--apply", "--yes"]).exits(0);
    let shape = |answer: &serde_json::Value| {
        let answer = answer.as_object().expect("an answer").iter();
        let told = answer.filter(|(key, _)| !matches!(key.as_str(), "proposal" | "id" | "notices"));
        told.map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
    };
    let kitchen: &[&str] = &["--file", "rooms/kitchen.md"];
    for (verb, place) in [(&["remember"][..], kitchen), (&["remember"], &[]), (&["facts", "add"], &[])] {
        let say = |text: &str| {
            let words = [verb, &[text, "--as", "agent", "--json"], place].concat();
            home.run_words(&words).exits(0).json()
        };
        let (forgotten, other) = (say("Ana sails a zorblax"), say("Ana sails a dinghy"));
        assert_eq!(shape(&forgotten), shape(&other), "{verb:?}");
        approving(&home, &forgotten).exits(5).mentions("words that were erased");
        if place.is_empty() {
            continue;
        }
        let rejected = forgotten["proposal"].as_str().or(forgotten["id"].as_str()).expect("it waits");
        home.run(["inbox", "reject", rejected]).exits(0);
        assert_eq!(shape(&say("Ana sails a zorblax")), shape(&other), "a guess at what was rejected");
    }
    home.run(["show", "rooms/kitchen.md"]).hides("zorblax");
    home.run(["facts", "list"]).hides("zorblax");
}

/// The record is never altered, so nothing goes into it by which a guess at a short text could be tried.
#[test]
fn the_record_has_no_hash_of_what_a_fact_or_a_proposal_says() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "her PIN is 4471"]).exits(0);
    home.run(["facts", "add", "her PIN is 4472", "--as", "agent"]).exits(0);
    home.run(["facts", "purge", "1", "--yes"]).exits(0);
    let rows = home.run(["history", "audit", "show", "--json"]).stdout();
    let is_hex = |word: &&str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let chain: Vec<serde_json::Value> =
        serde_json::from_str::<serde_json::Value>(&rows).expect("JSON")["rows"]
            .as_array()
            .expect("rows")
            .clone();
    assert!(chain.len() >= 4, "{rows}");
    for row in &chain {
        let detail = row["detail"].to_string();
        let hashes: Vec<&str> = detail.split(|c: char| !c.is_ascii_alphanumeric()).filter(is_hex).collect();
        let is_of_facts =
            matches!(row["verb"].as_str(), Some("propose" | "fact_add" | "fact_purge" | "memory_removed"));
        assert!(!is_of_facts || hashes.is_empty(), "{row}");
    }
}
