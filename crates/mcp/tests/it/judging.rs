//! `memory_feedback`: a host's word on results, kept apart and within its scope.

use inwit_model::Scope;
use inwit_testkit::room;
use inwit_wire::tools::{self, Set};
use serde_json::json;

use crate::world::{ADA, world};

const NOTES: &str = "//- MEMORY.md\n- Rye bread on Sundays.\n//- rooms/kitchen.md\n- The oven is shared.\n";

#[test]
fn a_hosts_word_counts_as_a_tools_and_once_an_outcome() {
    let world = world(NOTES, Scope::Main, &[Set::Default, Set::Feedback]);
    let say = || {
        world.answer(
            "memory_feedback",
            json!({ "hits": ["MEMORY.md#L1"], "verdict": "useful", "outcome": "s1#3" }),
        )
    };
    let told = say();
    assert_eq!(told["passages"][0]["counted"], "new", "{told}");
    assert_eq!(told["passages"][0]["feedback"]["tools"]["useful"], 1);
    assert_eq!(told["passages"][0]["feedback"]["owner"]["all"], 0);
    assert_eq!(say()["passages"][0]["counted"], "again");
    let found = world.answer("memory_search", json!({ "query": "rye bread", "explain": true }));
    assert_eq!(found["results"][0]["parts"]["feedback"], 0.0, "it moves no score: {found}");
    assert_eq!(found["results"][0]["feedback"]["tools"]["all"], 1, "and is told: {found}");
}

#[test]
fn a_room_rates_what_it_sees_and_numbers_are_the_owners() {
    let world = world(NOTES, room("kitchen"), &[Set::Feedback]);
    let failed = |hit: &str| {
        let called = world.called("memory_feedback", json!({ "hits": [hit], "verdict": "useful" }));
        let code = &called.answer["error"]["code"];
        code.as_str().or(called.answer["code"].as_str()).unwrap_or_default().to_owned()
    };
    assert_eq!(failed("MEMORY.md#L1"), "file_missing");
    assert_eq!(failed("memory/never.md#L1"), "file_missing", "there or not is the same");
    assert_eq!(failed("1"), "usage_bad");
    assert_eq!(failed("rooms/kitchen.md#L1"), "", "its own");
}

/// The tool that few hosts can use costs the others nothing.
#[test]
fn no_other_set_offers_it() {
    for set in Set::ALL.iter().filter(|set| **set != Set::Feedback) {
        let world = world(ADA, Scope::Main, &[*set]);
        assert!(world.connection.tools().all(|tool| tool.name != "memory_feedback"), "{set:?}");
    }
    assert_eq!(tools::all().filter(|tool| tool.set == Set::Feedback).count(), 1);
}
