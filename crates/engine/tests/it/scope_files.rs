//! Who is given which file: one table for all profiles, which a profile may narrow and never widen.

use std::sync::Arc;

use inwit_engine::{Agent, Bounds, Lines, Search};
use inwit_model::{RoomId, Scope};
use inwit_testkit::{Shelf, room, story};

use crate::prompt_contents::EVERYTHING;
use crate::{PROFILES, agent, profile, prompt, whole};

/// The word of a file, and who may ever be given it: m(ain), k(itchen), s(hared), sub(a)gent, s(c)heduled.
const ROWS: &[(&str, &str)] = &[
    ("soulword", "mksc"),
    ("agentsword", "mksac"),
    ("identityword", "mksc"),
    ("userword", "mc"),
    ("memoryword", "m"),
    ("coreword", "m"),
    ("toolsword", "m"),
    ("heartbeatword", "mc"),
    ("bootstrapword", "m"),
    ("dreamsword", ""),
    ("todayword", "m"),
    ("eveword", "m"),
    ("yesterdayword", "m"),
    ("olderword", ""),
    ("topicword", ""),
    ("kitchenword", "k"),
    ("kitchentoday", "k"),
    ("kitchenolder", ""),
    ("gardenword", ""),
    ("gardentoday", ""),
    ("skillword", "mks"),
    ("secretrecipe", ""),
];

fn listeners() -> [(char, Scope); 5] {
    [
        ('m', Scope::Main),
        ('k', room("kitchen")),
        ('s', Scope::Shared),
        ('a', Scope::Subagent),
        ('c', Scope::Scheduled),
    ]
}

/// Proves X14, X18.
#[test]
fn no_profile_gives_a_listener_more_than_the_one_table_allows() {
    for name in PROFILES {
        for (letter, scope) in listeners() {
            let text = whole(&prompt(name, EVERYTHING, &scope)).to_lowercase();
            for (word, audience) in ROWS {
                assert!(audience.contains(letter) || !text.contains(word), "{name}: {scope} is given {word}");
            }
        }
    }
}

/// Proves W12, R28, R5, R29.
#[test]
fn the_default_profile_gives_every_listener_all_that_the_table_allows() {
    for (letter, scope) in listeners() {
        let text = whole(&prompt("personal", EVERYTHING, &scope)).to_lowercase();
        for (word, audience) in ROWS {
            assert_eq!(audience.contains(letter), text.contains(word), "{scope}: {word}");
        }
    }
}

/// Proves X18.
#[test]
fn the_diary_of_dreams_is_neither_shown_nor_found_by_anybody() {
    for name in PROFILES {
        let agent: Agent = agent(profile(name), Arc::new(Shelf::of(EVERYTHING)));
        for (_, scope) in listeners() {
            let told = format!("{:?}", agent.sessions.prompt(&scope));
            assert!(!told.contains("dreamsword") && !told.contains("DREAMS.md"), "{name}, {scope}");
            let search = Search {
                query: "dreamsword",
                scope: &scope,
                limit: 9,
                budget_chars: None,
                bounds: Bounds::default(),
            };
            assert!(agent.notes.search(&search).expect("an answer").hits.is_empty(), "{name}, {scope}");
        }
        assert!(
            agent.notes.get(&Scope::Main, "DREAMS.md", Lines::default()).is_ok(),
            "its owner may open it"
        );
    }
}

/// Proves N8.
#[test]
fn soul_is_shown_to_the_letter_and_agents_with_its_peers_to_every_listener() {
    let soul = "---\nmood: dry\n---\n\n# Who\n\n<!-- trigger: x -->\n* I *am*  Ada.\r\n\n\n## Vibe\n\tCalm.";
    let peers = "## Peers\n\n- **Bruno** keeps the accounts.";
    for name in PROFILES {
        let shelf = Arc::new(Shelf::default());
        shelf.write("SOUL.md", format!("{soul}\n"));
        shelf.write("AGENTS.md", peers);
        shelf.write("IDENTITY.md", "- Name: Ada\n");
        let agent = agent(profile(name), shelf);
        for (letter, scope) in listeners() {
            let prompt = agent.sessions.prompt(&scope).expect("a prompt");
            let text = whole(&prompt);
            assert!(text.contains(&format!("# AGENTS\n\n{peers}")), "{name}, {scope}: {text}");
            assert_eq!(text.contains(&format!("# SOUL\n\n{soul}")), letter != 'a', "{name}, {scope}: {text}");
        }
    }
    story("//- IDENTITY.md\n- Name: Ada\n//- SOUL.md\nI bake.\n")
        .profile("nexo")
        .prompt(Scope::Shared)
        .prompt_orders(&["# IDENTITY\n\nname=Ada\n\n# SOUL\n\nI bake."])
        .end();
}

/// Proves R13, R19, X14.
#[test]
fn a_room_of_any_name_has_a_file_and_a_folder_that_no_other_room_sees() {
    let hostile = "!kitchen:../../example.org";
    let folder = RoomId::parse(hostile).expect("a room").folder().to_owned();
    assert!(folder.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{folder}");
    for name in ["personal", "openclaw", "minara", "mindroom"] {
        story("//- SOUL.md\nAda\n")
            .profile(name)
            .write(&format!("rooms/{folder}.md"), "- Bakes on Fridays.\n")
            .write(&format!("memory/rooms/{folder}/2026-11-21.md"), "- Sold a loaf.\n")
            .prompt(room(hostile))
            .prompt_shows("Bakes on Fridays.")
            .prompt(room("kitchen"))
            .prompt_shows("Ada")
            .prompt_hides("Fridays")
            .prompt_hides("loaf")
            .search(room(hostile), "loaf")
            .finds("Sold a loaf.")
            .search(room("kitchen"), "loaf")
            .finds_nothing()
            .end();
    }
    // OpenClaw shows no daily log to a group; the other profiles show a room its own.
    for (name, shows) in [("personal", true), ("minara", true), ("mindroom", true), ("openclaw", false)] {
        let told = story("//- SOUL.md\nAda\n")
            .profile(name)
            .write(&format!("memory/rooms/{folder}/2026-11-21.md"), "- Sold a loaf.\n")
            .prompt(room(hostile));
        if shows { told.prompt_shows("Sold a loaf.").end() } else { told.prompt_hides("loaf").end() }
    }
}
