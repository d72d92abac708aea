//! The tools over facts: offered to the owner's own agent, through the gate, in Minara's shapes.

use std::sync::Arc;

use inwit_engine::facts::{FactEdit, NewFact};
use inwit_engine::{Agent, AgentPorts, DayEdge, Notice, WriteContext};
use inwit_gate::Author;
use inwit_model::fact::Span;
use inwit_model::{Clock, Files, Scope};
use inwit_testkit::{FakeClock, fixture, owner, parts, room};
use inwit_wire::tools::Set;
use serde_json::json;

use crate::world::{ADA, World, ada, lent, world};

/// Ada, who knows two facts.
fn knowing(scope: Scope, sets: &[Set]) -> World {
    let files = Arc::new(fixture::mem(ADA));
    let agent = Agent::new(parts(Arc::clone(&files) as Arc<dyn Files>));
    let behalf = WriteContext::of(Author::owner(&owner()));
    for (text, category) in [("Bo prefers rye toast", "preference"), ("the oven trips the fuse", "alert")] {
        let fact = NewFact { text, category: Some(category), ..NewFact::default() };
        agent.facts.fact_add(&fact, &behalf).expect("kept");
    }
    World { connection: lent(agent, scope, sets), files }
}

/// Proves M36, M37.
#[test]
fn minaras_tools_write_search_and_read_facts() {
    let ada = knowing(Scope::Main, &[Set::Minara]);
    let found = ada.answer("memory_search", json!({ "query": "category:preference AND toa*" }));
    assert_eq!(
        (found["memories"][0]["id"].clone(), found["found_by"].clone()),
        (json!(1), json!("expression"))
    );
    let found = ada.answer("memory_search", json!({ "query": "what about the \"oven" }));
    assert_eq!(found["memories"][0]["content"], "the oven trips the fuse");
    let both = |limit| ada.answer("memory_search", json!({ "query": "rye OR oven", "limit": limit }));
    let told = [1, 2].map(|limit| both(limit)["memories"].as_array().map(Vec::len));
    assert_eq!(told, [Some(1), Some(2)], "as many as were asked for");
    for hostile in ["\"", "((((", "AND", "col:x", "\u{0}", "%"] {
        ada.answer("memory_search", json!({ "query": hostile }));
    }
    // Where no word is found, letters within words are looked for.
    let letters = ada.answer("memory_search", json!({ "query": "ove" }));
    assert_eq!(
        (&letters["memories"][0]["content"], &letters["found_by"]),
        (&json!("the oven trips the fuse"), &json!("letters"))
    );
    assert!(letters["memories"][0].get("score").is_none(), "{letters}");
    let read = ada.answer("memory_read", json!({ "category": "alert" }));
    assert_eq!(
        (read["memories"].as_array().map(Vec::len), &read["memories"][0]["source"]),
        (Some(1), &json!("user_manual"))
    );
    let newest = ada.answer("memory_read", json!({}));
    assert_eq!(newest["memories"][0]["category"], "alert");
    // Nobody vouches for the words of a tool, whatever they say of themselves.
    let asked = json!({ "category": "fact", "content": "the mill closes at six", "metadata": { "source": "user_manual", "confidence": 1 } });
    let written = ada.answer("memory_write", asked);
    assert_eq!((&written["status"], &written["why"]), (&json!("pending"), &json!("taint")));
    let shown = ada
        .connection
        .agent
        .notes
        .proposal(written["proposal"].as_str().expect("an id"), &inwit_engine::notes::inbox::Made::AsIs);
    let text = String::from_utf8(shown.expect("shown").after.expect("a text").to_vec()).expect("text");
    assert!(
        text.contains("source: agent_recorded\n") && text.ends_with("\n\nthe mill closes at six\n"),
        "{text}"
    );
    let learned = ada.answer("memory_learn", json!({ "content": "ask before baking" }));
    assert_eq!(learned["status"], "pending");
    let shown = ada
        .connection
        .agent
        .notes
        .proposal(learned["proposal"].as_str().expect("an id"), &inwit_engine::notes::inbox::Made::AsIs);
    let text = String::from_utf8(shown.expect("shown").after.expect("a text").to_vec()).expect("text");
    assert!(text.contains("\ncategory: lesson\n"), "{text}");
    assert_eq!(ada.fails("memory_write", json!({ "category": "a]b", "content": "x" })), "usage_bad");
    assert_eq!(
        ada.answer("memory_search", json!({ "query": "mill" }))["memories"],
        json!([]),
        "not before the owner's word"
    );
}

/// A search goes by BM25, a list by the last change.
/// Proves M36, M37.
#[test]
fn minaras_search_goes_by_words_and_its_list_by_the_last_change() {
    let agent = Agent::new(parts(Arc::new(fixture::mem(ADA)) as Arc<dyn Files>));
    let behalf = WriteContext::of(Author::owner(&owner()));
    for text in ["kiln, kiln and kiln", "the shed is near the kiln of the old mill by the river"] {
        agent.facts.fact_add(&NewFact { text, ..NewFact::default() }, &behalf).expect("kept");
    }
    let world =
        World { connection: lent(agent, Scope::Main, &[Set::Minara]), files: Arc::new(fixture::mem(ADA)) };
    let ids = |answer: &serde_json::Value| -> Vec<i64> {
        let memories = answer["memories"].as_array().expect("a list");
        memories.iter().map(|memory| memory["id"].as_i64().expect("a number")).collect()
    };
    assert_eq!(ids(&world.answer("memory_search", json!({ "query": "kiln" }))), [1, 2]);
    assert_eq!(ids(&world.answer("memory_read", json!({}))), [2, 1]);
    let edit = FactEdit { text: Some("kiln, kiln and a kiln"), ..FactEdit::default() };
    world.connection.agent.facts.fact_update("1", &edit, &behalf).expect("updated");
    assert_eq!(ids(&world.answer("memory_read", json!({}))), [1, 2]);
}

/// As many as were asked for, ten or twenty where nobody said, and a number that is no such number is refused.
/// Proves M36, M37.
#[test]
fn minaras_tools_give_no_more_memories_than_they_say() {
    let ada = knowing(Scope::Main, &[Set::Minara]);
    for number in 0..21 {
        let text = format!("oven number {number}");
        let fact = NewFact { text: &text, ..NewFact::default() };
        ada.connection.agent.facts.fact_add(&fact, &WriteContext::of(Author::owner(&owner()))).expect("kept");
    }
    let all = 23;
    for (tool, unsaid, most) in [("memory_search", 10, all - 1), ("memory_read", 20, all)] {
        let asked = |limit: Option<u64>| {
            let mut asked = json!({ "limit": limit });
            if tool == "memory_search" {
                asked["query"] = json!("oven");
            }
            asked
        };
        let count =
            |limit| ada.answer(tool, asked(limit))["memories"].as_array().map(Vec::len).expect("a list");
        assert_eq!(count(None), unsaid, "{tool}");
        assert_eq!([1, 3, 100].map(|limit| count(Some(limit))), [1, 3, most], "{tool}");
        for limit in [0, 101] {
            assert_eq!(ada.fails(tool, asked(Some(limit))), "usage_bad", "{tool}: {limit}");
        }
    }
}

/// Proves M37.
#[test]
fn a_memory_says_when_it_was_kept_when_it_changed_and_when_it_holds() {
    let clock = Arc::new(FakeClock::at("2026-05-01T10:00:00Z"));
    let files = Arc::new(fixture::mem(ADA)) as Arc<dyn Files>;
    let agent = Agent::new(AgentPorts { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..parts(files) });
    let day = |day| Some(agent.core.moment(day, DayEdge::Start).expect("a day"));
    let valid = Span { from: day("2026-04-01"), to: day("2026-09-01") };
    let fact = NewFact { text: "Bo lives in Oslo", valid, ..NewFact::default() };
    let behalf = WriteContext::of(Author::owner(&owner()));
    agent.facts.fact_add(&fact, &behalf).expect("kept");
    clock.set("2026-05-05T10:00:00Z");
    let edit = FactEdit { text: Some("Bo lives in Lisbon"), ..FactEdit::default() };
    agent.facts.fact_update("1", &edit, &behalf).expect("put right");
    let bo =
        World { connection: lent(agent, Scope::Main, &[Set::Minara]), files: Arc::new(fixture::mem(ADA)) };
    let told = json!({
        "id": 1, "category": "observation", "content": "Bo lives in Lisbon", "source": "user_manual",
        "created_at": "2026-05-01T10:00:00.000Z", "updated_at": "2026-05-05T10:00:00.000Z",
        "valid_from": "2026-04-01T00:00:00.000Z", "valid_to": "2026-09-01T00:00:00.000Z"
    });
    assert_eq!(bo.answer("memory_read", json!({}))["memories"], json!([told]));
    assert_eq!(bo.answer("memory_search", json!({ "query": "Bo" }))["memories"], json!([told]));
}

/// What went wrong with the copies behind a write is told with it, as our own tools tell it.
#[test]
fn what_is_to_be_known_behind_a_write_of_a_memory_is_told() {
    let mut ada = knowing(Scope::Main, &[Set::Minara]);
    ada.connection.after_write = Box::new(|| vec![Notice::new("copy_failed", "No copy was made.", "")]);
    for (tool, more) in [("memory_write", json!("fact")), ("memory_learn", json!(null))] {
        let mut asked = json!({ "content": format!("the mill closes at six, says {tool}") });
        if tool == "memory_write" {
            asked["category"] = more;
        }
        let called = ada.called(tool, asked);
        assert_eq!(called.answer["notices"][0]["code"], "copy_failed", "{}", called.answer);
        assert!(called.text.ends_with("note: No copy was made."), "{}", called.text);
    }
}

/// What goes wrong with the owner's copies is no business of a room.
#[test]
fn what_is_to_be_known_behind_a_write_is_not_told_in_a_room() {
    let mut kitchen = crate::world::ada(inwit_testkit::room("kitchen"));
    kitchen.connection.after_write = Box::new(|| vec![Notice::new("copy_failed", "No copy was made.", "")]);
    let called = kitchen.called("memory_remember", json!({ "text": "The kitchen opens at nine." }));
    assert_eq!(called.answer["outcome"], "pending", "{}", called.answer);
    assert!(called.answer.get("notices").is_none(), "{}", called.answer);
    assert!(!called.text.contains("No copy"), "{}", called.text);
}

/// Everything takes the one road: a row with its number, and a category of its own. What was stated as a fact is one that
/// waits to be settled, and stating it again writes nothing.
#[test]
fn what_minaras_tool_writes_becomes_a_row_with_a_number() {
    let ada = knowing(Scope::Main, &[Set::Minara]);
    let asked = json!({ "category": "fact", "content": "the mill closes at six", "metadata": { "source": "inferred", "confidence": 0.5 } });
    let written = ada.answer("memory_write", asked.clone());
    let agent = &ada.connection.agent;
    let shown = agent
        .notes
        .proposal(written["proposal"].as_str().expect("an id"), &inwit_engine::notes::inbox::Made::AsIs);
    let shown = shown.expect("shown");
    let person = inwit_gate::HumanConsent::confirming(shown.seal, &shown.seal.short(8)).expect("a person");
    agent.approve(&shown, &person, false).expect("approved");
    let again = ada.answer("memory_write", asked);
    assert_eq!((&again["status"], &again["id"]), (&json!("unchanged"), &json!(3)), "{again}");
    let read = ada.answer("memory_read", json!({ "category": "fact" }));
    let memory = &read["memories"][0];
    assert_eq!((&memory["id"], &memory["content"]), (&json!(3), &json!("the mill closes at six")), "{read}");
    assert_eq!(memory["source"], "inferred", "as far as the gate believes it");
    assert!(memory["metadata"].as_str().is_some_and(|kept| kept.contains("\"confidence\":0.5")), "{read}");
    let fact = agent.facts.fact("3").expect("kept");
    assert_eq!(fact.status, inwit_model::FactStatus::Pending, "the background looks at it");
    assert_eq!(agent.facts.fact("1").expect("kept").status, inwit_model::FactStatus::Settled);
    assert_eq!(ada.answer("memory_search", json!({ "query": "mill" }))["memories"][0]["id"], json!(3));
}

/// Passages and facts are asked for by their kind; what a tool wants kept waits for the owner.
#[test]
fn our_own_search_and_remember_know_facts() {
    let ada = knowing(Scope::Main, &[Set::Default]);
    let both = ada.answer("memory_search", json!({ "query": "rye", "kinds": ["passages", "facts"] }));
    assert_eq!(both["facts"][0]["content"], "Bo prefers rye toast");
    assert!(both["results"].as_array().is_some_and(|results| !results.is_empty()));
    let facts = ada.answer("memory_search", json!({ "query": " ", "kinds": ["facts"] }));
    assert_eq!((facts["facts"].as_array().map(Vec::len), &facts["results"]), (Some(2), &json!([])));
    let notes = ada.answer("memory_search", json!({ "query": "rye", "kinds": ["passages"] }));
    assert!(notes.get("facts").is_none(), "passages alone");
    let asked = json!({ "text": "the cellar is damp", "kind": "fact", "category": "observation" });
    assert_eq!(ada.answer("memory_remember", asked)["outcome"], "pending");
    let wrong = json!({ "text": "x", "kind": "fact", "path": "MEMORY.md" });
    assert_eq!(ada.fails("memory_remember", wrong), "usage_bad");
    assert_eq!(ada.fails("memory_remember", json!({ "text": "x", "category": "alert" })), "usage_bad");
}

/// A scope that others share is answered the same, whatever facts there are, and offered no tool over them.
#[test]
fn no_other_scope_is_offered_or_told_any_fact() {
    for scope in [room("kitchen"), Scope::Shared, Scope::Subagent, Scope::Scheduled] {
        let minara = knowing(scope.clone(), &[Set::Minara]);
        assert_eq!(minara.connection.tools().count(), 0, "{scope}");
        let (knows, plain) = (knowing(scope.clone(), &[Set::Default]), ada(scope.clone()));
        for asked in [
            json!({ "query": "rye", "kinds": ["facts"] }),
            json!({ "query": " ", "kinds": ["facts"] }),
            json!({ "query": "rye oven", "kinds": ["passages", "facts"] }),
        ] {
            assert_eq!(
                knows.answer("memory_search", asked.clone()),
                plain.answer("memory_search", asked),
                "{scope}"
            );
        }
    }
    let kitchen = knowing(room("kitchen"), &[Set::Default]);
    assert_eq!(kitchen.fails("memory_remember", json!({ "text": "x", "kind": "fact" })), "usage_bad");
    assert_eq!(world(ADA, Scope::Main, &[Set::Minara]).connection.tools().count(), 4);
}

/// What the owner keeps as a fact is known to whoever asks without a word about kinds; what only shares a word with
/// the question stands beside nothing, and nobody is told that the notes know.
#[test]
fn a_fact_that_answers_stands_beside_the_notes() {
    let ada = knowing(Scope::Main, &[Set::Default]);
    let fact = NewFact { text: "Ana's code is swordfishkiwi", ..NewFact::default() };
    ada.connection.agent.facts.fact_add(&fact, &WriteContext::of(Author::owner(&owner()))).expect("kept");
    for query in ["swordfishkiwi", "what is Ana's code"] {
        let found = ada.called("memory_search", json!({ "query": query }));
        assert_eq!(
            found.answer["facts"][0]["content"], "Ana's code is swordfishkiwi",
            "{query}: {}",
            found.answer
        );
        assert_eq!(found.answer["nothingNear"], json!(false), "{query}");
        assert!(found.text.starts_with("3 [observation] Ana's code is swordfishkiwi"), "{}", found.text);
    }
    let far = ada.answer("memory_search", json!({ "query": "which zeppelin crossed Ana's fjord yesterday" }));
    assert!(far.get("facts").is_none(), "{far}");
    let later = ada.answer("memory_search", json!({ "query": "swordfishkiwi", "since": "2026-01-01" }));
    assert!(later.get("facts").is_none(), "a fact is of no day: {later}");
    let room = knowing(room("kitchen"), &[Set::Default]);
    let asked = json!({ "query": "which toast does Bo prefer" });
    assert!(room.answer("memory_search", asked).get("facts").is_none());
}

/// Facts that nobody asked for leave room to passages, and say what they left.
#[test]
fn facts_beside_the_notes_are_few_and_say_so() {
    let ada = knowing(Scope::Main, &[Set::Default]);
    for number in 0..9 {
        let text = format!("swordfishkiwi number {number}");
        let fact = NewFact { text: &text, ..NewFact::default() };
        ada.connection.agent.facts.fact_add(&fact, &WriteContext::of(Author::owner(&owner()))).expect("kept");
    }
    let found = ada.answer("memory_search", json!({ "query": "swordfishkiwi" }));
    assert_eq!(found["facts"].as_array().map(Vec::len), Some(inwit_engine::facts::FACTS_BESIDE_MAX));
    assert_eq!(found["notices"][0]["code"], "more_facts", "{found}");
    let found = ada
        .answer("memory_search", json!({ "query": "swordfishkiwi rye", "max_tokens": 200, "explain": true }));
    assert_eq!(found["facts"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found["results"].as_array().map(Vec::len), Some(1), "{found}");
}

/// The owner let a key stay among their facts; no tool tells it, not even by which facts answer.
#[test]
fn no_tool_shows_a_secret_that_the_owner_keeps() {
    let token = crate::world::token();
    for set in [Set::Default, Set::Minara] {
        let ada = knowing(Scope::Main, &[set]);
        let metadata = Some(format!("{{\"note\":\"{token}\",\"n\":1}}"));
        let text = format!("the mill token is {token}");
        let fact = NewFact { text: &text, metadata, ..NewFact::default() };
        let behalf = WriteContext { allow_secret: true, ..WriteContext::of(Author::owner(&owner())) };
        ada.connection.agent.facts.fact_add(&fact, &behalf).expect("kept");
        let facts = |query: &str| {
            let called = ada.called(
                "memory_search",
                match set {
                    Set::Minara => json!({ "query": query }),
                    _ => json!({ "query": query, "kinds": ["facts"], "explain": true }),
                },
            );
            assert!(!called.failed && !called.text.contains(&token), "{}", called.text);
            let (list, said) =
                (if set == Set::Minara { "memories" } else { "facts" }, called.answer.to_string());
            assert!(!said.contains(&token), "{said}");
            called.answer[list].as_array().cloned().unwrap_or_default()
        };
        let found = facts("mill");
        if set == Set::Minara {
            let told = ada.called("memory_search", json!({ "query": "mill" }));
            assert_eq!(told.answer["notices"][0]["code"], "masked", "{}", told.answer);
        }
        assert_eq!(found[0]["content"], "the mill token is [masked: github_pat]");
        assert_eq!(found[0]["metadata"], "{\"note\":\"[masked: github_pat]\",\"n\":1}");
        let begin: String = token.chars().take(8).collect();
        for query in [token.clone(), format!("{begin}*"), begin.clone(), format!("content:{begin}*")] {
            assert_eq!(facts(&query), Vec::<serde_json::Value>::new(), "{query}");
        }
        assert_eq!(facts(&format!("mill NOT {begin}*")).len(), 1, "nor by leaving it out");
        if set == Set::Minara {
            let read = ada.called("memory_read", json!({}));
            assert!(
                !read.answer.to_string().contains(&token)
                    && read.text.contains("note: Masked: fact 3 (github_pat)")
            );
        }
    }
}

/// A note names a value as a secret; facts, their metadata, a skill and a log repeat it. No tool, resource or prompt of any
/// set shows it to the owner's model.
#[test]
fn a_value_that_a_note_names_stands_in_no_answer() {
    const VALUE: &str = "Tr1ckyV4lue!x9";
    let repeats = [
        ("MEMORY.md", format!("# MEMORY\n\n## Oven {VALUE}\n\n- The oven took {VALUE} too.\n")),
        ("memory/2026-11-21.md", format!("# 2026-11-21\n\n- Tried {VALUE} at the oven.\n")),
        ("IDENTITY.md", format!("- Name: Ada\n- Vibe: {VALUE}\n")),
        (
            "skills/oven/SKILL.md",
            format!("---\nname: oven {VALUE}\ndescription: The oven, {VALUE}.\n---\n\n# Oven\n"),
        ),
        ("memory/safe.md", format!("# Safe\n\nThe password is {VALUE}\n")),
    ];
    let text: String = repeats.iter().map(|(name, text)| format!("//- {name}\n{text}")).collect();
    let others = format!("{{\"note\":\"oven {VALUE}\",\"{VALUE}\":[\"{VALUE}\"]}}");
    for set in Set::ALL {
        let ada = world(&text, Scope::Main, &[*set]);
        let agent = &ada.connection.agent;
        for (text, metadata) in
            [("The oven is from Lyon", Some(others.clone())), (&format!("{VALUE} fits the oven"), None)]
        {
            let fact = NewFact { text, metadata, ..NewFact::default() };
            agent.facts.fact_add(&fact, &WriteContext::of(Author::owner(&owner()))).expect("kept");
        }
        for tool in ada.connection.tools() {
            for arguments in [
                json!({}),
                json!({ "query": "oven" }),
                json!({ "query": "oven", "explain": true, "kinds": ["facts"] }),
                json!({ "query": "oven", "explain": true }),
                json!({ "path": "MEMORY.md" }),
                json!({ "path": "skills/oven/SKILL.md" }),
                json!({ "path": "MEMORY.md", "old_text": "The oven" }),
                json!({ "action": "recall", "query": "oven" }),
                json!({ "about": "what_do_i_know" }),
                json!({ "about": "my_stats" }),
            ] {
                let called = ada.called(tool.name, arguments.clone());
                let told = format!("{} {}", called.answer, called.text);
                assert!(!told.contains(VALUE), "{} {arguments}: {told}", tool.name);
            }
        }
        let blocks = format!("{:?}", agent.sessions.prompt(&Scope::Main).expect("a prompt"));
        assert!(blocks.contains("skills/oven/SKILL.md") && !blocks.contains(VALUE), "{blocks}");
        let session = format!(
            "{:?}",
            agent.sessions.pack(inwit_engine::sessions::hook::Packed::default()).expect("a pack")
        );
        assert!(session.contains("oven") && !session.contains(VALUE), "{session}");
    }
}

/// What a tool says of where a fact comes from is its own word: approved, it is still nobody's but the agent's.
/// Proves M22.
#[test]
fn a_tool_that_claims_that_the_user_asked_gets_no_right_by_it() {
    let ada = knowing(Scope::Main, &[Set::Minara]);
    let asked = json!({ "category": "fact", "content": "Ana lives in Porto", "metadata": { "source": "user_explicit" } });
    let written = ada.answer("memory_write", asked);
    let agent = &ada.connection.agent;
    let shown = agent
        .notes
        .proposal(written["proposal"].as_str().expect("an id"), &inwit_engine::notes::inbox::Made::AsIs);
    let shown = shown.expect("shown");
    let person = inwit_gate::HumanConsent::confirming(shown.seal, &shown.seal.short(8)).expect("a person");
    agent.approve(&shown, &person, false).expect("approved");
    let fact = agent.facts.fact("3").expect("kept");
    assert_eq!(fact.source.word(), "user_explicit", "the word is kept");
    assert!(!fact.standing().is_the_persons());
}

/// A model cannot read the program's help.
#[test]
fn what_is_wrong_with_a_fact_tells_a_model_what_it_can_do() {
    let ada = knowing(Scope::Main, &[Set::Minara]);
    let called = ada.called("memory_write", json!({ "category": "a]b", "content": "x" }));
    let hint = called.answer["error"]["hint"].as_str().expect("a hint");
    assert!(!hint.contains("inwit help") && hint.contains("call the tool again"), "{hint}");
}

/// `as_of` asks what held on a day as is known now, in every set of tools; `believed_at`, which Minara's set has, what
/// was believed on it: a fact that was corrected was never so, and was believed.
#[test]
fn a_fact_that_was_superseded_is_found_by_the_day_that_is_meant() {
    let clock = Arc::new(FakeClock::at("2026-05-01T10:00:00Z"));
    let agent = || {
        clock.set("2026-05-01T10:00:00Z");
        let files = Arc::new(fixture::mem(ADA)) as Arc<dyn Files>;
        let agent = Agent::new(AgentPorts { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..parts(files) });
        let behalf = WriteContext::of(Author::owner(&owner()));
        let fact = NewFact { text: "Bo lives in Oslo", category: Some("fact"), ..NewFact::default() };
        agent.facts.fact_add(&fact, &behalf).expect("kept");
        clock.set("2026-05-05T10:00:00Z");
        let from = agent.core.moment("2026-04-01", DayEdge::Start).expect("a day");
        let edit =
            FactEdit { text: Some("Bo lives in Lisbon"), from: Some(Some(from)), ..FactEdit::default() };
        agent.facts.fact_update("1", &edit, &behalf).expect("put right");
        clock.set("2026-05-09T10:00:00Z");
        agent
    };
    for (set, list) in [(Set::Default, "facts"), (Set::Minara, "memories")] {
        let bo = World { connection: lent(agent(), Scope::Main, &[set]), files: Arc::new(fixture::mem(ADA)) };
        let asking = |more: serde_json::Value| {
            let mut asked = json!({ "query": "Bo" });
            if set == Set::Default {
                asked["kinds"] = json!(["facts"]);
            }
            more.as_object().expect("named").iter().for_each(|(name, value)| asked[name] = value.clone());
            asked
        };
        let said = |more: serde_json::Value| -> Vec<String> {
            let answer = bo.answer("memory_search", asking(more));
            let facts = answer[list].as_array().expect("a list").iter();
            facts.map(|fact| fact["content"].as_str().expect("words").to_owned()).collect()
        };
        assert_eq!(said(json!({})), ["Bo lives in Lisbon"]);
        // Known now: since April it is Lisbon, and Oslo never was.
        assert_eq!(said(json!({ "as_of": "2026-05-02" })), ["Bo lives in Lisbon"]);
        assert_eq!(said(json!({ "as_of": "2026-03-01" })), [""; 0], "it did not hold yet");
        if set == Set::Default {
            assert_eq!(
                bo.fails("memory_search", asking(json!({ "believed_at": "2026-05-02" }))),
                "usage_bad"
            );
            continue;
        }
        assert_eq!(said(json!({ "believed_at": "2026-05-02" })), ["Bo lives in Oslo"]);
        assert_eq!(said(json!({ "believed_at": "2026-05-06" })), ["Bo lives in Lisbon"]);
        assert_eq!(said(json!({ "believed_at": "2026-04-01" })), [""; 0], "nobody had said anything");
        let both = json!({ "as_of": "2026-03-01", "believed_at": "2026-05-02" });
        assert_eq!(said(both), ["Bo lives in Oslo"], "what was believed then of a time before");
        assert_eq!(bo.fails("memory_search", asking(json!({ "believed_at": "whenever" }))), "time_bad");
    }
}
