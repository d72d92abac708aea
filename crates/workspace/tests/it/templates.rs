//! What a new workspace says: the sections that five systems look for, and nothing that counts as said.

use inwit_model::FileKind;
use inwit_workspace::{identity, profile, template};

fn text(kind: FileKind) -> &'static str {
    template::of(kind).expect("a template")
}

fn sections(kind: FileKind) -> Vec<&'static str> {
    text(kind).lines().filter_map(|line| line.strip_prefix("## ")).collect()
}

/// The lines below `## title`, joined by blanks.
fn section(kind: FileKind, title: &str) -> String {
    let lines = text(kind).lines().skip_while(|line| *line != format!("## {title}")).skip(1);
    lines.take_while(|line| !line.starts_with("## ")).collect::<Vec<_>>().join(" ")
}

/// Proves R7, R8, W7, W30.
#[test]
fn the_templates_have_the_sections_that_the_systems_ask_for() {
    assert_eq!(sections(FileKind::Soul), ["Core Truths", "Boundaries", "Vibe", "Continuity"]);
    assert!(section(FileKind::Soul, "Continuity").contains("If you change this file, tell the user"));
    let agents = sections(FileKind::Agents);
    for wanted in
        ["First Run", "Session Startup", "Soul", "Memory", "Red Lines", "External vs Internal", "Group Chats"]
    {
        assert!(agents.contains(&wanted), "{wanted}");
    }
    assert!(section(FileKind::Agents, "Session Startup").contains("search before you answer"));
    assert!(section(FileKind::Agents, "Red Lines").contains("Nothing destructive without a question first"));
    assert_eq!(sections(FileKind::Memory), ["Facts", "Preferences", "Decisions"]);
}

/// Proves N15, C9.
#[test]
fn agents_md_tells_to_write_things_down_and_names_peers() {
    assert!(text(FileKind::Agents).contains("### Write It Down\n"));
    let memory = section(FileKind::Agents, "Memory");
    for wanted in ["\"Remember this\" means a line in a file, now", "suggest the line you would keep"] {
        assert!(memory.contains(wanted), "{wanted}");
    }
    assert!(section(FileKind::Agents, "Peers").contains("one bullet each (name, what they are good at"));
}

/// Proves W8, W9, W12.
#[test]
fn identity_user_and_tools_ask_for_what_they_are_for() {
    let labels = |kind| -> Vec<&str> {
        let line = |line: &'static str| line.strip_prefix("- **")?.split_once(":**").map(|(label, _)| label);
        text(kind).lines().filter_map(line).collect()
    };
    assert_eq!(labels(FileKind::Identity), ["Name", "Creature", "Vibe", "Emoji", "Avatar"]);
    assert_eq!(identity::read(Some(text(FileKind::Identity)), None), identity::Identity::default());
    let filled = text(FileKind::Identity).replace("_(pick something you like)_", "Kate");
    assert_eq!(identity::read(Some(&filled), None).name.as_deref(), Some("Kate"));
    for wanted in ["Name", "Timezone", "Language", "Focus"] {
        assert!(labels(FileKind::User).contains(&wanted), "{wanted}");
    }
    assert_eq!(sections(FileKind::Tools), ["Machines", "Devices and services", "Conventions"]);
}

/// Proves X15, R11, R16, R17.
#[test]
fn the_files_that_a_workspace_begins_with_are_a_value_of_the_profile() {
    let seeds = |name: &str| profile::named(name).expect("a profile").seeds.join(" ");
    let whole = "SOUL.md AGENTS.md IDENTITY.md USER.md MEMORY.md TOOLS.md BOOTSTRAP.md";
    assert_eq!(seeds("personal"), whole);
    assert_eq!(seeds("minara"), whole);
    assert_eq!(seeds("nexo"), "IDENTITY.md SOUL.md USER.md AGENTS.md");
    assert_eq!(seeds("mindroom"), "SOUL.md AGENTS.md MEMORY.md");
    assert_eq!(seeds("carapace"), "AGENTS.md SOUL.md USER.md TOOLS.md HEARTBEAT.md memory/CORE.md");
    assert_eq!(seeds("openclaw"), "AGENTS.md SOUL.md IDENTITY.md USER.md BOOTSTRAP.md");
}
