//! What a session begins with, told as stories. Budgets and marks have their own tests beside the code.

use inwit_model::Scope;
use inwit_testkit::{Shelf, parts, room, story};
use std::sync::Arc;

const HOME: &str = "
//- SOUL.md
I am Ada and I bake.
//- AGENTS.md
Be brief.
//- USER.md
Ana lives in Vigo.
//- MEMORY.md
- Likes rye bread.
//- HEARTBEAT.md

//- memory/2026-11-20.md
- Bought a chest.
//- memory/2026-11-21.md
- Sold a loaf.
//- rooms/kitchen.md
- The kitchen bakes on Fridays.
//- memory/rooms/kitchen/2026-11-21.md
- Tomás brought sourdough.
//- memory/rooms/garden/2026-11-21.md
- The wheat is up.
";

/// Proves I1, X21.
#[test]
fn a_room_is_given_what_is_shared_and_its_own_and_never_what_is_private() {
    for profile in ["personal", "openclaw", "minara", "nexo", "mindroom", "carapace"] {
        story(HOME)
            .profile(profile)
            .at("2026-11-21T14:03:00Z")
            .prompt(room("kitchen"))
            .prompt_shows("I am Ada")
            .prompt_hides("rye")
            .prompt_hides("Vigo")
            .prompt_hides("chest")
            .prompt_hides("wheat")
            .prompt(Scope::Shared)
            .prompt_shows("I am Ada")
            .prompt_hides("Fridays")
            .prompt_hides("rye")
            .end();
    }
    story(HOME)
        .prompt(room("kitchen"))
        .prompt_shows("bakes on Fridays")
        .prompt_orders(&["I am Ada", "Fridays"])
        .end();
}

/// Proves W21.
#[test]
fn what_was_saved_between_sessions_is_what_the_next_one_reads() {
    story(HOME)
        .prompt(Scope::Main)
        .prompt_shows("Likes rye bread.")
        .write("MEMORY.md", "- Likes spelt bread.\n")
        .prompt(Scope::Main)
        .prompt_shows("Likes spelt bread.")
        .prompt_hides("rye")
        .remove("USER.md")
        .prompt(Scope::Main)
        .prompt_omits("USER.md", "missing")
        .spoil("MEMORY.md")
        .prompt(Scope::Main)
        .prompt_omits("MEMORY.md", "unreadable")
        .prompt_hides("spelt")
        .end();
}

/// Proves X22.
#[test]
fn today_is_a_day_of_the_agents_zone() {
    let nearly_tomorrow = "2026-11-21T11:30:00Z";
    story(HOME)
        .zone("Pacific/Auckland")
        .at(nearly_tomorrow)
        .write("memory/2026-11-22.md", "- Tomorrow came early.\n")
        .prompt(Scope::Main)
        .prompt_shows("Tomorrow came early.")
        .end();
    story(HOME)
        .zone("Europe/Madrid")
        .at(nearly_tomorrow)
        .write("memory/2026-11-22.md", "- Tomorrow came early.\n")
        .prompt(Scope::Main)
        .prompt_hides("Tomorrow came early.")
        .prompt_shows("Sold a loaf.")
        .end();
}

/// Proves X22.
#[test]
fn today_is_a_day_of_utc_where_the_profile_says_so() {
    for profile in ["nexo", "mindroom"] {
        story(HOME)
            .profile(profile)
            .zone("Pacific/Auckland")
            .at("2026-11-21T11:30:00Z")
            .write("memory/2026-11-22.md", "- Tomorrow came early.\n")
            .prompt(Scope::Main)
            .prompt_shows("Sold a loaf.")
            .prompt_hides("Tomorrow came early.")
            .end();
    }
}

/// Proves I6.
#[test]
fn the_prefix_is_the_same_bytes_whenever_the_files_are() {
    let prefix = |order: &[&str], at: &str| {
        let shelf = Shelf::default();
        order.iter().for_each(|name| shelf.write(name, format!("Words of {name}.\n")));
        let clock = Arc::new(inwit_testkit::FakeClock::at(at));
        let agent = inwit_engine::Agent::new(inwit_engine::AgentPorts { clock, ..parts(Arc::new(shelf)) });
        agent.sessions.prompt(&Scope::Main).expect("a prompt").prefix_sha256()
    };
    let names =
        ["SOUL.md", "AGENTS.md", "USER.md", "MEMORY.md", "memory/2026-11-21.md", "skills/bread/SKILL.md"];
    let mut turned = names;
    turned.reverse();
    let morning = prefix(&names, "2026-11-21T06:00:00Z");
    assert_eq!(morning, prefix(&turned, "2026-11-21T18:00:00Z"));
    assert_ne!(morning, prefix(&names[..4], "2026-11-21T06:00:00Z"), "the files do matter");
}
