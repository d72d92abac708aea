//! What a workspace need not have: a file that is not there is no error and takes no room.

use std::sync::Arc;

use inwit_engine::{Bounds, ModelText, Part, Search};
use inwit_model::Scope;
use inwit_testkit::{Shelf, room, story};

use crate::{PROFILES, agent, profile};

/// Proves X15, R11, R16, R17.
#[test]
fn bootstrap_tools_and_heartbeat_are_missed_by_nobody_and_read_where_they_are() {
    for file in ["BOOTSTRAP.md", "TOOLS.md", "HEARTBEAT.md"] {
        for name in PROFILES {
            let profile = profile(name);
            let shown =
                profile.order.iter().any(|block| block.file().is_some_and(|kind| kind.spec().path == file));
            let told = story("//- SOUL.md\nAda\n").profile(name).prompt(Scope::Main).prompt_shows("Ada");
            // Tools and a checklist are named as missing only where the profile begins with them.
            let missed = shown && file != "BOOTSTRAP.md" && profile.seeds.iter().any(|seed| seed == file);
            let told = if missed { told.prompt_omits(file, "missing") } else { told.prompt_hides(file) };
            let told = told.write(file, "zeppelin\n").prompt(Scope::Main);
            let told = if shown { told.prompt_shows("zeppelin") } else { told.prompt_hides("zeppelin") };
            told.prompt(room("kitchen")).prompt_hides("zeppelin").end();
        }
    }
    let mindroom = profile("mindroom");
    assert_eq!(mindroom.seeds, ["SOUL.md", "AGENTS.md", "MEMORY.md"]);
    story("//- SOUL.md\nAda\n")
        .profile("mindroom")
        .write("BOOTSTRAP.md", "zeppelin\n")
        .write("TOOLS.md", "zeppelin\n")
        .write("HEARTBEAT.md", "zeppelin\n")
        .prompt(Scope::Main)
        .prompt_hides("zeppelin")
        .end();
}

/// Proves R68.
#[test]
fn an_agent_without_files_gets_an_empty_prompt_and_empty_answers_and_no_error() {
    for name in PROFILES {
        let agent = agent(profile(name), Arc::new(Shelf::default()));
        for scope in [Scope::Main, Scope::Shared, room("kitchen"), Scope::Subagent, Scope::Scheduled] {
            let prompt = agent.sessions.prompt(&scope).expect("a prompt");
            assert_eq!(
                (prompt.text(Part::Prefix), prompt.text(Part::UserPrefix)),
                (ModelText::default(), ModelText::default())
            );
            assert_eq!(prompt.text(Part::Tail), "Today is Saturday, 21 November 2026 (UTC).");
            assert!(prompt.notices.is_empty(), "{name}, {scope}");
            let search = Search {
                query: "bread",
                scope: &scope,
                limit: 9,
                budget_chars: None,
                bounds: Bounds::default(),
            };
            assert!(agent.notes.search(&search).expect("an answer").hits.is_empty(), "{name}, {scope}");
        }
        let status = agent.status(&mut inwit_model::watch::unwatched).expect("a status");
        assert_eq!((status.searched_files, status.files.len()), (0, 0), "{name}");
    }
}
