//! The characters that a prompt may hold: kept for every file, for all together, and never in silence.

use std::sync::Arc;

use inwit_engine::sessions::prompt::Reason;
use inwit_engine::{Agent, AgentPorts, Prompt};
use inwit_model::profile::{BlockKind, Oversize};
use inwit_model::{AgentsMd, Host, Profile, Scope};
use inwit_testkit::{Shelf, cases, parts, room, story};
use proptest::prelude::*;
use proptest::sample::select;

use crate::{PROFILES, agent, profile};

const NAMES: &[&str] = &[
    "SOUL.md", "AGENTS.md", "IDENTITY.md", "USER.md", "MEMORY.md", "memory/CORE.md", "TOOLS.md",
    "HEARTBEAT.md", "BOOTSTRAP.md", "memory/2026-11-21.md", "memory/2026-11-20-late.md", "rooms/kitchen.md",
    "memory/rooms/kitchen/2026-11-21.md", "skills/bread/SKILL.md", "skills/jam/SKILL.md",
];

/// Lines without `#`, so that a heading is always one of ours.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(r"[a-z áé面🍞]{1,60}(\n|\r\n)", 1..24)
        .prop_map(|lines| format!("x{}", lines.concat()))
}

fn budgets() -> impl Strategy<Value = Profile> {
    let oversize = select(&[Oversize::TruncateHeadKeep, Oversize::SkipWithWarning][..]);
    let sizes = (0..900usize, 0..900usize, 0..3_000usize, 0..900usize, 200..2_000u64);
    (select(&PROFILES[..]), oversize, sizes).prop_map(
        |(name, oversize, (file, user, total, skills, bytes))| Profile {
            oversize,
            max_file_chars: file,
            max_user_chars: user,
            max_total_chars: total,
            max_skills_chars: skills,
            max_file_bytes: bytes,
            // One line of identity is not the file, whose size it does not have.
            identity: inwit_model::profile::IdentityForm::Verbatim,
            ..profile(name)
        },
    )
}

/// What stands below our headings.
fn content(text: &str) -> &str {
    let last = text
        .match_indices("\n\n")
        .take_while(|(at, _)| text[..*at].lines().last().is_some_and(is_heading))
        .last();
    last.map_or("", |(at, joint)| &text[at + joint.len()..])
}

fn is_heading(line: &str) -> bool {
    line.starts_with("# ") || line.starts_with("## ")
}

fn told(prompt: &Prompt) -> &str {
    prompt.notices.iter().find(|notice| notice.code == "prompt_cut").map_or("", |notice| &notice.message)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64, 256) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Proves X3, X1, N13.
    #[test]
    fn whatever_the_files_and_budgets_none_is_exceeded_and_nothing_is_cut_in_silence(
        profile in budgets(),
        files in prop::collection::btree_map(select(NAMES), text(), 0..NAMES.len()),
        in_room in any::<bool>(),
        said in prop::option::of(text()),
    ) {
        let shelf = Arc::new(Shelf::default());
        for (name, text) in &files {
            let skill = name.ends_with("SKILL.md");
            let front = text.lines().collect::<String>().repeat(4);
            let text = if skill { format!("---\ndescription: {front}\n---\n") } else { text.clone() };
            shelf.write(name, text);
        }
        let scope = if in_room { room("kitchen") } else { Scope::Main };
        let said = said.unwrap_or_default();
        let host = Host { role: said.clone(), instructions: said.clone(), system_prompt: said, agents_md: AgentsMd::Prepend, ..Host::default() };
        let agent = Agent::new(AgentPorts { host, profile: profile.clone(), ..parts(shelf) });
        let prompt = agent.sessions.prompt(&scope).expect("a prompt");

        let of_files: Vec<_> = prompt.blocks.iter().filter(|block| block.kind.is_some() && !block.is_startup_note()).collect();
        let in_total = of_files.iter().filter(|block| block.kind != Some(BlockKind::Skills));
        let joined: usize = in_total.map(|block| block.chars() + 2).sum();
        prop_assert!(joined <= profile.max_total_chars, "{joined} of {}", profile.max_total_chars);
        for block in &of_files {
            let own = match block.kind {
                Some(BlockKind::User) => profile.max_user_chars,
                Some(BlockKind::Skills) => profile.max_skills_chars,
                _ => profile.max_file_chars,
            };
            let shown = content(&block.text);
            prop_assert!(shown.chars().count() <= own, "{own}: {}", block.text);
            let Some(name) = &block.source else { continue };
            // Only the tail is ever left away.
            let head: String = files[name.as_str()].chars().take(block.shown_chars).collect();
            prop_assert!(shown.starts_with(head.trim_end()), "{name}: {shown} is not of {head}");
            prop_assert_eq!(block.shown_chars < block.total_chars, shown.contains("[… shown") || shown.contains("[truncated]"));
            if profile.oversize == Oversize::SkipWithWarning {
                prop_assert!(!block.is_cut(), "{name} is cut where files are left out whole");
            }
        }

        let startup: usize = prompt.blocks.iter().filter(|block| block.is_startup_note()).map(inwit_engine::sessions::prompt::Block::chars).sum();
        prop_assert!(startup <= profile.max_startup_chars, "{startup}");
        // What is cut or dropped for its size is named, each once, and nothing else is.
        let cut = of_files.iter().filter(|block| block.is_cut()).map(|block| (&block.source, block.kind));
        let over = prompt.omitted.iter().filter(|left| left.reason.word().starts_with("over_") && left.reason != Reason::OverStartupLimit);
        let lost = cut.chain(over.map(|left| (&left.source, Some(left.kind))));
        let mut lost: Vec<&str> = lost
            .map(|(source, kind)| source.as_ref().map_or_else(|| kind.map_or("", BlockKind::word), |name| name.as_str()))
            .collect();
        let mut named: Vec<&str> = told(&prompt)
            .split_once(" in all: ")
            .map_or(Vec::new(), |(_, named)| named.split("), ").filter_map(|item| item.split_once(" (")).map(|(name, _)| name).collect());
        lost.sort_unstable();
        named.sort_unstable();
        prop_assert_eq!(lost, named, "{}", told(&prompt));
        // Of what this profile shows this listener, everything that is there is shown or left out by name.
        for kind in &profile.order {
            let Some(file) = kind.file().filter(|file| file.visible_to(&scope)) else { continue };
            let path = file.spec().path;
            let is = |name: &Option<inwit_model::SafeName>| name.as_ref().is_some_and(|name| name.as_str() == path);
            let seen = of_files.iter().any(|block| is(&block.source)) || prompt.omitted.iter().any(|left| is(&left.source));
            prop_assert!(seen || !files.contains_key(path), "{path} vanished");
        }
    }
}

/// Proves N13, X3, X4.
#[test]
fn one_character_over_the_limit_of_a_file_is_cut_and_the_limit_itself_is_not() {
    for (name, file, limit) in [
        ("personal", "MEMORY.md", 12_000),
        ("minara", "SOUL.md", 12_000),
        ("nexo", "MEMORY.md", 12_000),
        ("carapace", "AGENTS.md", 12_000),
        ("openclaw", "MEMORY.md", 20_000),
        ("openclaw", "USER.md", 4_000),
    ] {
        let mark = if name == "nexo" { "\n\n[truncated]" } else { "[… shown " };
        story("//- SOUL.md\nAda\n")
            .profile(name)
            .write(file, "é".repeat(limit))
            .prompt(Scope::Main)
            .prompt_shows(&"é".repeat(limit))
            .prompt_hides(mark)
            .write(file, "é".repeat(limit + 1))
            .prompt(Scope::Main)
            .prompt_shows(mark)
            .prompt_shows(&"é".repeat(if name == "openclaw" { limit * 70 / 100 } else { limit - 100 }))
            .prompt_hides(&"é".repeat(limit))
            .end();
    }
}

/// Proves R69, R31.
#[test]
fn mindroom_states_its_aim_in_tokens_and_cuts_nothing_for_it_while_its_bytes_are_a_hard_limit() {
    let agent = |bytes: usize| {
        let shelf = Arc::new(Shelf::default());
        for name in ["SOUL.md", "AGENTS.md", "MEMORY.md"] {
            shelf.write(name, "word ".repeat(bytes / 5 + 1)[..bytes].trim_end());
        }
        shelf.write("memory/2026-11-21.md", "ñ".repeat(8_193));
        agent(profile("mindroom"), shelf).sessions.prompt(&Scope::Main).expect("a prompt")
    };
    // Three files of 16 KB are some ten thousand tokens.
    let prompt = agent(16_384);
    assert_eq!(prompt.token_budget, 4_000);
    assert_eq!(prompt.blocks.iter().filter(|block| block.kind.is_some() && !block.is_cut()).count(), 3);
    assert!(told(&prompt).contains("memory/2026-11-21.md (none of it)"), "{}", told(&prompt));
    for name in PROFILES.into_iter().filter(|name| *name != "mindroom") {
        assert_eq!(profile(name).token_budget, 0, "{name}");
    }
}
