//! Which files are in the prompt of which profile, in which order and in which part of it.

use std::sync::Arc;

use inwit_engine::facts::NewFact;
use inwit_engine::{Prompt, WriteContext};
use inwit_gate::Author;
use inwit_model::Scope;
use inwit_model::profile::{BlockKind, Inject};
use inwit_testkit::{Shelf, room, story};

use crate::{agent, profile, prompt};

/// Every kind of file that a workspace can hold, each with a word of its own.
pub const EVERYTHING: &str = "
//- SOUL.md
soulword
//- AGENTS.md
agentsword
//- IDENTITY.md
- **Name:** Identityword
//- USER.md
userword
//- MEMORY.md
memoryword
//- memory/CORE.md
coreword
//- TOOLS.md
toolsword
//- HEARTBEAT.md
heartbeatword
//- BOOTSTRAP.md
bootstrapword
//- DREAMS.md
dreamsword
//- memory/2026-11-21.md
todayword
//- memory/2026-11-21-eve.md
eveword
//- memory/2026-11-20.md
yesterdayword
//- memory/2026-11-19.md
olderword
//- memory/topics/bread.md
topicword
//- rooms/kitchen.md
kitchenword
//- memory/rooms/kitchen/2026-11-21.md
kitchentoday
//- memory/rooms/kitchen/2026-11-19.md
kitchenolder
//- rooms/garden.md
gardenword
//- memory/rooms/garden/2026-11-21.md
gardentoday
//- skills/bread/SKILL.md
---
name: bread
description: skillword
---
secretrecipe
";

/// The sources of all blocks: prefix, then what precedes the user's message, then the tail.
fn shape(prompt: &Prompt) -> String {
    let mut shape: Vec<Vec<&str>> = vec![Vec::new(); 3];
    for block in &prompt.blocks {
        let made_of_many = || block.kind.map_or("day", BlockKind::word);
        let source = block.source.as_ref().map_or_else(made_of_many, |name| name.as_str());
        shape[block.part as usize].push(source);
    }
    shape.into_iter().map(|part| part.join(" ")).collect::<Vec<_>>().join(" | ")
}

fn shown(profile: &str, scope: &Scope) -> String {
    shape(&prompt(profile, EVERYTHING, scope))
}

/// The private prompt of an agent that also keeps a fact and a value of the user's profile.
fn shown_with_facts(name: &str) -> String {
    let agent = agent(profile(name), Arc::new(Shelf::of(EVERYTHING)));
    let owner = WriteContext::of(Author::owner(&inwit_testkit::owner()));
    agent.facts.fact_add(&NewFact { text: "likes factword", ..NewFact::default() }, &owner).expect("kept");
    agent.facts.profile_set("language", "en", &owner).expect("set");
    shape(&agent.sessions.prompt(&Scope::Main).expect("a prompt"))
}

/// Proves W4, W73, W72, W29.
#[test]
fn in_minara_who_the_agent_is_precedes_what_it_remembers_and_both_precede_what_is_derived() {
    assert_eq!(
        shown_with_facts("minara"),
        "SOUL.md AGENTS.md IDENTITY.md USER.md MEMORY.md TOOLS.md HEARTBEAT.md memory/2026-11-21-eve.md \
         memory/2026-11-21.md memory/2026-11-20.md skills facts |  | BOOTSTRAP.md day"
    );
    assert_eq!(
        shown_with_facts("personal"),
        "SOUL.md AGENTS.md IDENTITY.md USER.md MEMORY.md memory/CORE.md TOOLS.md HEARTBEAT.md \
         memory/2026-11-21-eve.md memory/2026-11-21.md memory/2026-11-20.md skills facts |  | BOOTSTRAP.md day"
    );
    story(EVERYTHING)
        .profile("minara")
        .prompt(Scope::Main)
        .prompt_shows("## 2026-11-21 · eve\n\neveword")
        .prompt_shows("bootstrapword")
        .remove("BOOTSTRAP.md")
        .prompt(Scope::Main)
        .prompt_hides("bootstrap")
        .end();
}

/// Proves N28, N11, N14.
#[test]
fn in_nexo_private_sessions_read_six_kinds_in_order_and_shared_ones_three() {
    assert_eq!(
        shown_with_facts("nexo"),
        "IDENTITY.md SOUL.md USER.md AGENTS.md memory/2026-11-21-eve.md memory/2026-11-21.md \
         memory/2026-11-20.md MEMORY.md facts |  | day"
    );
    for scope in [Scope::Shared, room("kitchen")] {
        assert_eq!(shown("nexo", &scope), "IDENTITY.md SOUL.md AGENTS.md |  | day", "{scope}");
    }
    story(EVERYTHING)
        .profile("nexo")
        .prompt(Scope::Main)
        .prompt_orders(&[
            "# IDENTITY\n\nname=Identityword",
            "# SOUL\n\nsoulword",
            "# USER\n\nuserword",
            "# AGENTS\n\nagentsword",
            "# RECENT NOTES\n\n## 2026-11-21 · eve\n\neveword\n\n## 2026-11-21\n\ntodayword",
            "# MEMORY\n\nmemoryword",
        ])
        .end();
}

/// Proves C3, C10, C20.
#[test]
fn in_carapace_core_and_two_days_are_always_there_and_the_rest_is_found_on_demand() {
    assert_eq!(
        shown_with_facts("carapace"),
        "AGENTS.md SOUL.md USER.md memory/2026-11-21-eve.md memory/2026-11-21.md memory/2026-11-20.md \
         memory/CORE.md skills facts |  | day"
    );
    assert_eq!(
        shown("carapace", &room("kitchen")),
        "AGENTS.md SOUL.md memory/rooms/kitchen/2026-11-21.md skills |  | day"
    );
    story(EVERYTHING)
        .profile("carapace")
        .prompt(Scope::Main)
        .prompt_shows("- bread: skillword")
        .prompt_hides("secretrecipe")
        .prompt_hides("topicword")
        .prompt_hides("olderword")
        .search(Scope::Main, "topicword")
        .first_at("memory/topics/bread.md#L1")
        .search(Scope::Main, "olderword")
        .first_at("memory/2026-11-19.md#L1")
        .end();
}

/// Proves R3, R4, R23, R60.
#[test]
fn in_mindroom_memory_and_logs_precede_the_message_and_a_group_gets_its_own_instead() {
    assert_eq!(
        shown_with_facts("mindroom"),
        "SOUL.md AGENTS.md | MEMORY.md memory/2026-11-21-eve.md memory/2026-11-21.md \
         memory/2026-11-20.md facts | day"
    );
    assert_eq!(
        shown("mindroom", &room("kitchen")),
        "SOUL.md AGENTS.md | memory/rooms/kitchen/2026-11-21.md rooms/kitchen.md | day"
    );
    assert_eq!(shown("mindroom", &Scope::Shared), "SOUL.md AGENTS.md |  | day");
    for scope in [Scope::Main, room("kitchen")] {
        story("//- SOUL.md\nsoulword\n")
            .profile("mindroom")
            .prompt(scope)
            .prompt_shows("soulword")
            .prompt_omits("AGENTS.md", "missing")
            .end();
    }
}

/// Proves W5.
#[test]
fn in_openclaw_the_order_is_that_of_openclaw() {
    assert_eq!(
        shown("openclaw", &Scope::Main),
        "AGENTS.md SOUL.md TOOLS.md IDENTITY.md USER.md HEARTBEAT.md MEMORY.md skills |  | memory/2026-11-21.md \
         memory/2026-11-21-eve.md memory/2026-11-20.md day"
    );
}

/// Proves X26, X27.
#[test]
fn the_order_and_the_place_of_memory_are_values_that_can_be_changed() {
    let mut changed = profile("personal");
    changed.order = vec![BlockKind::Journals, BlockKind::Memory, BlockKind::Soul];
    changed.journal_days = 1;
    let files = Arc::new(Shelf::of(EVERYTHING));
    let shape_of = |profile| {
        shape(&agent(profile, Arc::clone(&files) as _).sessions.prompt(&Scope::Main).expect("a prompt"))
    };
    assert_eq!(
        shape_of(changed.clone()),
        "memory/2026-11-21-eve.md memory/2026-11-21.md MEMORY.md SOUL.md |  | day"
    );
    changed.inject = Inject::UserPrefix;
    assert_eq!(shape_of(changed), "SOUL.md | memory/2026-11-21-eve.md memory/2026-11-21.md MEMORY.md | day");
}
