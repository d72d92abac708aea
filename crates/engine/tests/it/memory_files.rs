//! Long-term memory and identity in the forms that people and five systems write them.

use std::sync::Arc;

use inwit_model::Scope;
use inwit_testkit::{Shelf, room, story};

use crate::{PROFILES, agent, profile};

/// Sections of Minara, of nexo, entries of Hermes and of MindRoom, and what no system names.
const MEMORY: &str = "\
//- MEMORY.md
A sentence before any heading.

## Facts

- The mill closes on Mondays.

## Preferences

- Prefers spelt over wheat.

## Decisions

* 2026-03-02: the starter stays in the fridge.

## People

- Tomás delivers sourdough.

## Dreamed 2026-04-23 03:00 UTC

- Ana bakes at dawn _(score=0.42, hits=5, days=3)_

## Imported

The oven is from 1974.
§
The cat is called Bolt.

- [id=m_20260215143000_0a1b2c3d] The bakery opens at six.
";

/// Proves W30, N9, X30.
#[test]
fn memory_is_free_markdown_whose_bullets_are_known_by_their_sections() {
    let agent = agent(profile("personal"), Arc::new(Shelf::of(MEMORY)));
    for (query, section, text) in [
        ("mill", "Facts", "- The mill closes on Mondays."),
        ("spelt", "Preferences", "- Prefers spelt over wheat."),
        ("fridge", "Decisions", "* 2026-03-02: the starter stays in the fridge."),
        ("delivers", "People", "- Tomás delivers sourdough."),
        ("dawn", "Dreamed 2026-04-23 03:00 UTC", "- Ana bakes at dawn _(score=0.42, hits=5, days=3)_"),
        ("1974", "Imported", "The oven is from 1974."),
        ("Bolt", "Imported", "The cat is called Bolt."),
        ("six", "Imported", "- [id=m_20260215143000_0a1b2c3d] The bakery opens at six."),
        ("sentence", "", "A sentence before any heading."),
    ] {
        let search = inwit_engine::Search {
            query,
            scope: &Scope::Main,
            limit: 1,
            budget_chars: None,
            bounds: inwit_engine::Bounds::default(),
        };
        let answer = agent.notes.search(&search).expect("an answer");
        let hit = answer.hits.first().unwrap_or_else(|| panic!("`{query}` is not found"));
        assert_eq!((hit.heading.as_str(), hit.text.trim_end()), (section, text), "`{query}`");
    }
    let body = MEMORY.strip_prefix("//- MEMORY.md\n").expect("one file").trim_end();
    for name in PROFILES.into_iter().filter(|name| *name != "carapace") {
        story(MEMORY)
            .profile(name)
            .prompt(Scope::Main)
            .prompt_shows(&format!("# MEMORY\n\n{body}"))
            .prompt(room("kitchen"))
            .prompt_hides("mill")
            .end();
    }
}

/// Proves X29, C2.
#[test]
fn memory_md_comes_first_and_core_md_is_read_beside_it_or_alone() {
    let core = "//- memory/CORE.md\n- Likes rye.\n";
    story(core).prompt(Scope::Main).prompt_shows("# CORE\n\n- Likes rye.").end();
    story(&format!("{core}//- MEMORY.md\n- Likes oats.\n"))
        .prompt(Scope::Main)
        .prompt_orders(&["# MEMORY\n\n- Likes oats.", "# CORE\n\n- Likes rye."])
        .end();
    for name in PROFILES {
        story(core)
            .profile(name)
            .write("memory/topics/bread.md", "- Crumb is open.\n")
            .write("memory/daily/2026-11-20.md", "- Sold a loaf.\n")
            .search(Scope::Main, "rye")
            .first_at("memory/CORE.md#L1")
            .search(Scope::Main, "crumb")
            .first_at("memory/topics/bread.md#L1")
            .search(Scope::Main, "loaf")
            .first_at("memory/daily/2026-11-20.md#L1")
            .search(room("kitchen"), "rye")
            .finds_nothing()
            .end();
    }
    story(core)
        .profile("carapace")
        .write("memory/daily/2026-11-20.md", "- Sold a loaf.\n")
        .prompt(Scope::Main)
        .prompt_orders(&["- Sold a loaf.", "# CORE\n\n- Likes rye."])
        .prompt(room("kitchen"))
        .prompt_hides("rye")
        .end();
}

/// Proves R12, X13, W8.
#[test]
fn who_the_agent_is_stands_in_its_own_file_or_in_a_section_of_soul() {
    let soul = "//- SOUL.md\n# Soul\n\n## Identity\n\n- Name: Ada\n- Vibe: calm\n- Emoji: 🍞\n\n## Vibe\n\n- Name: Eve\n";
    let shelf = Arc::new(Shelf::of(soul));
    let agent = agent(profile("mindroom"), Arc::clone(&shelf) as _);
    let line = || agent.status(&mut inwit_model::watch::unwatched).expect("a status").identity.line();
    assert_eq!(line(), "name=Ada, emoji=🍞, vibe=calm");
    shelf.write("IDENTITY.md", "- **Name:** Kate\n- **Emoji:** 🐙\n- **Vibe:** warm but sharp\n");
    assert_eq!(line(), "name=Kate, emoji=🐙, vibe=warm but sharp");
    story(soul)
        .profile("mindroom")
        .prompt(Scope::Main)
        .prompt_shows("## Identity\n\n- Name: Ada")
        .prompt_hides("IDENTITY.md")
        .end();
}

/// Proves X13.
#[test]
fn nexo_tells_who_the_agent_is_from_a_section_of_soul_where_there_is_no_identity_md() {
    story("//- SOUL.md\n# SOUL\n\n## Identity\n\n- **Name:** Ada\n- **Emoji:** 🐙\n\n## Vibe\n\nCalm.\n")
        .profile("nexo")
        .prompt(Scope::Main)
        .prompt_shows("# IDENTITY\n\nname=Ada, emoji=🐙")
        .end();
}
