//! `memory_search` with `fts`: an expression over passages, under the masks and scopes of every search.

use std::collections::BTreeSet;

use inwit_model::Scope;
use inwit_testkit::room;
use inwit_wire::tools::Set;
use serde_json::{Value, json};

use crate::world::{ADA, World, ada, token, world};

fn asked(world: &World, query: &str, more: Value) -> Value {
    let mut arguments = json!({ "query": query, "limit": 50 });
    let (all, more) = (arguments.as_object_mut().expect("an object"), more.as_object().expect("an object"));
    all.extend(more.clone());
    world.answer("memory_search", arguments)
}

fn citations(answer: &Value) -> BTreeSet<String> {
    let hits = answer["results"].as_array().expect("a list");
    hits.iter().map(|hit| hit["citation"].as_str().expect("a citation").to_owned()).collect()
}

/// How many there are, where that is told.
fn more_hold(answer: &Value) -> String {
    let mut notices = answer["notices"].as_array().into_iter().flatten();
    let told = notices.find(|notice| notice["code"] == "more_hold");
    told.and_then(|notice| notice["message"].as_str()).unwrap_or_default().to_owned()
}

/// Proves X46b.
#[test]
fn an_expression_gives_what_it_holds_of_and_pages_through_it() {
    let world = ada(Scope::Main);
    let lines = |query: &str| citations(&asked(&world, query, json!({ "fts": true })));
    let of = |places: &[&str]| places.iter().map(|&place| place.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(lines("loaves NOT sold"), of(&["memory/2026-11-21.md#L3"]));
    assert_eq!(lines("\"rye flour\" OR lyon"), of(&["MEMORY.md#L6", "memory/2026-11-20.md#L3"]));
    assert_eq!(lines("like"), of(&[]), "by its letters");
    assert!(!citations(&asked(&world, "like", json!({}))).is_empty(), "and without it by its words");
    let first = asked(&world, "rye OR oven OR loaves", json!({ "fts": true, "limit": 2 }));
    let notice = &first["notices"][0];
    assert_eq!(notice["code"], "more_hold");
    assert!(notice["hint"].as_str().is_some_and(|hint| hint.contains("cursor")), "{notice}");
    let mut seen = citations(&first);
    let mut next = first["nextCursor"].clone();
    while next.is_string() {
        let page = asked(
            &world,
            "rye OR oven OR loaves",
            json!({ "fts": true, "limit": 2, "cursor": next.clone() }),
        );
        assert!(citations(&page).is_disjoint(&seen));
        seen.extend(citations(&page));
        next = page["nextCursor"].clone();
    }
    assert_eq!(seen, lines("rye OR oven OR loaves"));
    let unread = asked(&world, "the \"rye", json!({ "fts": true }));
    assert_eq!(unread["notices"][0]["code"], "expression_unread");
    assert!(!citations(&unread).is_empty());
}

/// What a room gets by an expression, a plain search shows it too; how many there are counts its own alone, and no
/// guess at what is masked changes an answer.
///
/// Proves I1.
#[test]
fn a_room_gets_nothing_by_an_expression_that_a_plain_search_would_not_show() {
    let key = token();
    let notes = format!(
        "{ADA}//- rooms/cellar.md\n# cellar\n\n- The kitchen key is {key} and lies here.\n- The oven.\n"
    );
    for (scope, all) in [
        (room("kitchen"), "kitchen OR cleaned OR the"),
        (room("cellar"), "kitchen OR cellar OR the"),
        (Scope::Shared, "ada OR bake OR the"),
    ] {
        let world = world(&notes, scope.clone(), &[Set::Default]);
        let plain =
            asked(&world, "Ada bake kitchen cellar oven cleaned closes key name emoji six", json!({}));
        for query in [all, "r*", "oven", "bo OR rye OR loaves", "flour NOT kitchen", "a* OR b* OR t* OR k*"] {
            let found = asked(&world, query, json!({ "fts": true, "limit": 1 }));
            let whole = asked(&world, query, json!({ "fts": true }));
            assert!(citations(&whole).is_subset(&citations(&plain)), "{scope:?} {query}: {whole}");
            let (count, shown) = (citations(&whole).len(), citations(&found).len());
            let told = more_hold(&found);
            if count > shown {
                assert_eq!(told, format!("The expression matches {count} passages."), "{scope:?} {query}");
            } else {
                assert_eq!(told, "", "{scope:?} {query}");
            }
        }
        assert!(!citations(&asked(&world, all, json!({ "fts": true }))).is_empty(), "{scope:?}");
    }
    let cellar = world(&notes, room("cellar"), &[Set::Default]);
    let with_key = asked(&cellar, "lies", json!({ "fts": true })).to_string();
    assert!(with_key.contains("[masked: ") && !with_key.contains(&key), "{with_key}");
    let begins = &key.rsplit('_').next().expect("a part")[..6];
    let (right, wrong) = (begins, format!("{}zz", &begins[..4]));
    for around in ["\"{}\"*", "lies AND \"{}\"*", "oven OR \"{}\"*", "lies NOT \"{}\"*"] {
        let [right, wrong] = [right, &wrong]
            .map(|guess| citations(&asked(&cellar, &around.replace("{}", guess), json!({ "fts": true }))));
        assert_eq!(right, wrong, "{around}");
    }
}
