//! The folders of OpenClaw, of both generations, in every profile: read as they are and left as they are.

use std::path::Path;
use std::sync::Arc;

use inwit_engine::{Bounds, Lines, Search};
use inwit_model::{Scope, Sha256};
use inwit_testkit::{Tree, fixture, room, story};
use inwit_workspace::FsFiles;

use crate::{PROFILES, agent, profile, prompt};

const GENERATIONS: [&str; 3] = ["2026-03", "2026-09", "crowded"];

fn scopes() -> [Scope; 5] {
    [Scope::Main, Scope::Shared, room("guild"), Scope::Subagent, Scope::Scheduled]
}

/// Proves W92, W5.
#[test]
fn no_reading_verb_in_any_scope_or_profile_changes_a_byte_a_mode_or_a_time() {
    for generation in GENERATIONS {
        let folder = fixture::openclaw(generation);
        let before = Tree::of(folder.path());
        for name in PROFILES {
            let files = Arc::new(FsFiles::open(folder.path()).expect("open"));
            let agent = agent(profile(name), files);
            for scope in scopes() {
                let search = Search {
                    query: "the paper",
                    scope: &scope,
                    limit: 9,
                    budget_chars: Some(900),
                    bounds: Bounds::default(),
                };
                agent.search(&search).expect("an answer");
                let prompt = agent.prompt(&scope).expect("a prompt");
                for block in prompt.blocks.iter().filter_map(|block| block.source.as_ref()) {
                    let excerpt = agent.get(&scope, block.as_str(), Lines::default()).expect("the file");
                    assert_eq!(excerpt.bytes, bytes(folder.path(), block.as_str()), "{generation}: {block}");
                }
            }
            agent.status(&mut |_, _| {}).expect("a status");
            agent.rebuild(&Scope::Main, &mut |_, _| {}).expect("rebuilt");
        }
        assert_eq!(Tree::of(folder.path()), before, "{generation}");
    }
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).expect(name)
}

/// Proves W5, W92, X56.
#[test]
fn the_prompts_of_both_generations_hold_their_files_as_they_were_written() {
    for (generation, order) in [
        (
            "2026-03",
            "AGENTS.md SOUL.md TOOLS.md IDENTITY.md USER.md HEARTBEAT.md MEMORY.md memory/2026-03-10.md \
             memory/2026-03-09.md",
        ),
        (
            "2026-09",
            "AGENTS.md SOUL.md IDENTITY.md USER.md MEMORY.md memory/2026-09-05-otley-bats.md \
             memory/2026-09-04-1432.md",
        ),
        (
            "crowded",
            "AGENTS.md SOUL.md TOOLS.md IDENTITY.md USER.md memory.md memory/groups/feria/2026-08-31.md \
             memory/2026-08-30 (copia).md memory/2026-08-30.md memory/groups/almacén/2026-08-30.md \
             BOOTSTRAP.md",
        ),
    ] {
        let folder = fixture::openclaw(generation);
        let files = Arc::new(FsFiles::open(folder.path()).expect("open"));
        let day = match generation {
            "2026-03" => "2026-03-10T12:00:00Z",
            "2026-09" => "2026-09-05T12:00:00Z",
            _ => "2026-08-31T12:00:00Z",
        };
        let clock = Arc::new(inwit_testkit::FakeClock::at(day));
        let parts =
            inwit_engine::Parts { clock, profile: profile("openclaw"), ..inwit_testkit::parts(files) };
        let prompt = inwit_engine::Agent::new(parts).prompt(&Scope::Main).expect("a prompt");
        let sources: Vec<&str> = prompt
            .blocks
            .iter()
            .filter_map(|block| block.source.as_ref())
            .map(|name| name.as_str())
            .collect();
        assert_eq!(sources.join(" "), order, "{generation}");
        for block in &prompt.blocks {
            let Some(name) = &block.source else { continue };
            let bytes = bytes(folder.path(), name.as_str());
            assert_eq!(block.source_sha256, Sha256::of(&bytes), "{generation}: {name}");
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_start_matches('\u{FEFF}').trim();
            // Of the larger ones comments for machines are left away, and of AGENTS.md the end.
            if !text.contains("<!--") && !block.is_cut() {
                assert!(block.text.ends_with(text), "{generation}: {name}: {}", block.text);
            }
        }
    }
}

/// Proves X56.
#[test]
fn front_matter_reaches_the_prompt_to_the_letter_and_is_not_demanded() {
    let front = "---\ntitle: \"Alma\"   # a comment\nsummary:   Who she is\nread_when:\n  - always\n---";
    for name in PROFILES {
        let profile = profile(name);
        for kind in profile.order.iter().filter_map(|block| block.file()) {
            let path = kind.spec().path;
            if kind == inwit_model::FileKind::Identity && name == "nexo" {
                continue; // One line of labels.
            }
            let title = kind.spec().title;
            story("//- notes/a.md\nx\n")
                .profile(name)
                .write(path, format!("{front}\n\n# Heading\n"))
                .prompt(Scope::Main)
                .prompt_shows(&format!("# {title}\n\n{front}\n\n# Heading"))
                .write(path, "# Heading\n")
                .prompt(Scope::Main)
                .prompt_shows(&format!("# {title}\n\n# Heading"))
                .prompt_hides("Alma")
                .end();
        }
    }
    let text = prompt("personal", "//- SOUL.md crlf\n---\na: b\n---\nAda\n", &Scope::Main);
    assert!(crate::whole(&text).contains("# SOUL\n\n---\r\na: b\r\n---\r\nAda"));
}
