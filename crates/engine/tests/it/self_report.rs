//! What an agent tells about itself: who it is, what it knows, what it counts; and to whom.

use std::sync::Arc;

use inwit_engine::self_report::{MyStats, Stats, Whereabouts};
use inwit_engine::{Agent, ModelText};
use inwit_model::Scope;
use inwit_model::limit::SOUL_EXCERPT_CHARS_MAX;
use inwit_testkit::{Shelf, cases, parts, private::PRIVATE, room};
use proptest::prelude::*;
use proptest::sample::select;

const HOME: &str = "
//- SOUL.md
I am Ada and I bake.
//- IDENTITY.md
- **Name:** Ada
- **Emoji:** 🍞
- **Vibe:** warm
//- MEMORY.md
# Memory

## Food

- Likes rye. <!-- importance: 7 -->
- Dislikes coriander.

## People

- Tomás bakes.
//- memory/CORE.md
## Core

- Ana is the owner.
//- rooms/kitchen.md
## Kitchen

- Bakes on Fridays.
";

fn agent(shelf: &Arc<Shelf>) -> Agent {
    Agent::new(parts(Arc::clone(shelf) as _))
}

fn whereabouts() -> Whereabouts {
    Whereabouts { agent_id: "ada".into(), model: Some("m-1".into()), workspace_dir: "/home/ana/w".into() }
}

fn scopes() -> [Scope; 5] {
    [Scope::Main, room("kitchen"), Scope::Shared, Scope::Subagent, Scope::Scheduled]
}

fn stats(agent: &Agent, scope: &Scope) -> MyStats {
    let tags = (0..12).map(|at| (ModelText::own("rye"), 20 - at)).collect();
    let counts =
        Stats { sessions_total: 3, memories_stored: 40, top_concept_tags_7d: tags, ..Stats::default() };
    agent.my_stats(scope, "ada", &mut || Ok(counts.clone())).expect("counted")
}

#[test]
fn an_agent_says_who_it_is_with_the_beginning_of_its_soul() {
    let shelf = Arc::new(Shelf::of(HOME));
    let agent = agent(&shelf);
    let who = agent.who_am_i(&Scope::Main, None, &whereabouts());
    assert_eq!((who.agent_id.as_str(), who.model.as_deref()), ("ada", Some("m-1")));
    assert_eq!(who.workspace_dir.as_deref(), Some("/home/ana/w"));
    assert_eq!(who.identity.line(), "name=Ada, emoji=🍞, vibe=warm");
    assert_eq!((who.soul_excerpt.as_str(), who.soul_truncated), ("I am Ada and I bake.", false));
    for (chars, cut) in [(SOUL_EXCERPT_CHARS_MAX, false), (SOUL_EXCERPT_CHARS_MAX + 1, true)] {
        shelf.write("SOUL.md", "é".repeat(chars));
        let who = agent.who_am_i(&Scope::Main, None, &whereabouts());
        assert_eq!((who.soul_excerpt.chars().count(), who.soul_truncated), (SOUL_EXCERPT_CHARS_MAX, cut));
    }
    shelf.spoil("SOUL.md");
    let who = agent.who_am_i(&Scope::Main, None, &whereabouts());
    assert!(who.soul_excerpt.is_empty() && who.notices[0].message.contains("SOUL.md"));
}

#[test]
fn others_are_told_who_it_is_by_the_files_that_they_see() {
    let agent = agent(&Arc::new(Shelf::of(HOME)));
    for scope in scopes().into_iter().skip(1) {
        let who = agent.who_am_i(&scope, None, &whereabouts());
        assert_eq!(who.workspace_dir, None, "{scope}: the path names the owner's account");
        let sees_soul = scope != Scope::Subagent;
        assert_eq!(who.soul_excerpt.is_empty(), !sees_soul, "{scope}");
        assert_eq!(who.identity.name.is_some(), sees_soul, "{scope}");
    }
}

/// Proves N21.
#[test]
fn what_is_known_comes_in_sections_of_the_pages_that_the_scope_keeps() {
    let shelf = Arc::new(Shelf::of(HOME));
    let agent = agent(&shelf);
    let headings = |scope: &Scope, section, limit| -> Vec<String> {
        let known = agent.what_do_i_know(scope, section, limit);
        known.sections.into_iter().map(|section| section.heading.into_string()).collect()
    };
    assert_eq!(headings(&Scope::Main, None, None), ["Food", "People", "Core"]);
    assert_eq!(headings(&Scope::Main, Some("pEO"), None), ["People"]);
    assert_eq!(headings(&Scope::Main, None, Some(1)), ["Food"]);
    assert_eq!(headings(&room("kitchen"), None, None), ["Kitchen"]);
    assert!(headings(&room("garden"), None, None).is_empty());
    for scope in [Scope::Shared, Scope::Subagent, Scope::Scheduled] {
        assert!(headings(&scope, None, None).is_empty(), "{scope}");
    }
    let known = agent.what_do_i_know(&Scope::Main, Some("food"), None);
    assert_eq!(known.sections[0].bullets, ["Likes rye.", "Dislikes coriander."]);
    assert!(!known.truncated && agent.what_do_i_know(&Scope::Main, None, Some(1)).truncated);
    shelf.remove("MEMORY.md");
    shelf.write("memory.md", "## Old\n- x\n");
    assert_eq!(headings(&Scope::Main, None, None), ["Old", "Core"]);
    shelf.write("memory.md", (0..60).map(|at| format!("## S{at}\n- x\n")).collect::<String>());
    let count = |limit| headings(&Scope::Main, None, limit).len();
    assert_eq!((count(None), count(Some(50)), count(Some(60))), (20, 50, 50));
}

/// Proves N22.
#[test]
fn the_owner_is_told_the_counts_and_everybody_the_files_they_see() {
    let agent = agent(&Arc::new(Shelf::of(HOME)));
    let told = stats(&agent, &Scope::Main);
    let counts = told.counts.expect("counts");
    assert_eq!((counts.sessions_total, counts.memories_stored), (3, 40));
    assert_eq!(counts.top_concept_tags_7d.len(), 10);
    assert_eq!(told.workspace_files_present, ["SOUL.md", "IDENTITY.md", "MEMORY.md", "memory/CORE.md"]);
    for scope in scopes().into_iter().skip(1) {
        let never = &mut || -> Result<Stats, inwit_engine::EngineError> { panic!("{scope} asks for counts") };
        let told = agent.my_stats(&scope, "ada", never).expect("told");
        assert_eq!(told.counts, None, "{scope}");
        let seen: &[&str] = if scope == Scope::Subagent { &[] } else { &["SOUL.md", "IDENTITY.md"] };
        assert_eq!(told.workspace_files_present, seen, "{scope}");
    }
}

type Page = (usize, String, bool);

fn pages(names: usize) -> impl Strategy<Value = Vec<Page>> {
    let line = select(&["## Food\n", "## kitchen\n", "- rye\n", "* oat\n", "- Name: Eve\n", "\n", "x\n"][..]);
    let text = prop::collection::vec(line, 0..12).prop_map(|lines| lines.concat());
    prop::collection::vec((0..names, text, prop::bool::weighted(0.9)), 0..8)
}

const SHARED: &[&str] = &["SOUL.md", "AGENTS.md", "IDENTITY.md", "rooms/kitchen.md"];

fn lay(shelf: &Shelf, names: &[&str], pages: &[Page]) {
    for (at, text, readable) in pages {
        shelf.write(names[*at], text);
        if *readable { shelf.mend(names[*at]) } else { shelf.spoil(names[*at]) }
    }
}

fn tells(agent: &Agent, scope: &Scope, section: Option<&str>) -> String {
    format!(
        "{:?} {:?} {:?}",
        agent.who_am_i(scope, None, &whereabouts()),
        agent.what_do_i_know(scope, section, None),
        stats(agent, scope)
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64, 256) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Proves I1.
    #[test]
    fn private_files_change_no_byte_of_what_an_agent_tells_others_about_itself(
        shared in pages(SHARED.len()),
        private in pages(PRIVATE.len()),
        other in pages(PRIVATE.len()),
        later in pages(PRIVATE.len()),
        section in prop::option::of(select(&["food", "kit", ""][..])),
    ) {
        let (left, right) = (Arc::new(Shelf::default()), Arc::new(Shelf::default()));
        lay(&left, SHARED, &shared);
        lay(&left, PRIVATE, &private);
        lay(&right, PRIVATE, &other);
        lay(&right, SHARED, &shared);
        let (one, two) = (agent(&left), agent(&right));
        let _ = tells(&two, &Scope::Main, section);
        for scope in [room("kitchen"), Scope::Shared] {
            prop_assert_eq!(tells(&one, &scope, section), tells(&two, &scope, section));
            lay(&right, PRIVATE, &later);
            prop_assert_eq!(tells(&one, &scope, section), tells(&two, &scope, section));
        }
    }
}
