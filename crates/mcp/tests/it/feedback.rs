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
    let whole = world.called("memory_feedback", json!({ "hits": ["rooms/kitchen.md"], "verdict": "useful" }));
    assert!(!whole.answer.to_string().contains("number"), "{:?}", whole.answer);
    assert_eq!(failed("rooms/kitchen.md#L1"), "", "its own");
}

/// An agent names outcomes at will: whatever it says, a passage has one a day.
#[test]
fn ten_names_of_outcomes_count_once_a_day_and_the_schema_says_how_many_fit() {
    let world = world(NOTES, Scope::Main, &[Set::Feedback]);
    let say = |outcome: u32| {
        let outcome = outcome.to_string();
        let said = json!({ "hits": ["MEMORY.md#L1"], "verdict": "useful", "outcome": outcome });
        world.answer("memory_feedback", said)["passages"][0]["feedback"].clone()
    };
    let told = (0..10).map(say).last().expect("ten");
    assert_eq!((&told["tools"]["all"], told.get("graduate")), (&json!(1), None), "{told}");
    let tool = tools::all().find(|tool| tool.name == "memory_feedback").expect("the tool");
    let schema = tools::param::schema(tool.params);
    let hits = &schema["properties"]["hits"];
    let most = inwit_engine::learning::feedback::FEEDBACK_PASSAGES_MAX;
    assert_eq!((&hits["minItems"], &hits["maxItems"]), (&json!(1), &json!(most)));
    let many = vec!["MEMORY.md#L1"; most + 1];
    for (hits, is_refused) in [(&many[..0], true), (&many[1..], false), (&many[..], true)] {
        let answer = world.called("memory_feedback", json!({ "hits": hits, "verdict": "useful" })).answer;
        let told = answer.to_string();
        assert_eq!(told.contains("a list of 1 to 50 texts"), is_refused, "{told}");
    }
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
