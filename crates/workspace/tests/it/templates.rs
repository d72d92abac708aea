//! What a new workspace says: the sections that five systems look for, and nothing that counts as said.

use inwit_model::{Domain, FileKind};
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

/// Proves C9, R6.
#[test]
fn agents_md_tells_to_write_things_down_and_names_peers() {
    assert!(text(FileKind::Agents).contains("### Write It Down\n"));
    let memory = section(FileKind::Agents, "Memory");
    for wanted in ["\"Remember this\" means a line in a file, now", "suggest the line you would keep"] {
        assert!(memory.contains(wanted), "{wanted}");
    }
    assert!(section(FileKind::Agents, "Peers").contains("one bullet each (name, what they are good at"));
}

/// Proves W9, W69.
#[test]
fn finance_asks_for_risk_tolerance_watchlist_and_default_venue() {
    let labels = |domain| -> Vec<&str> {
        let user = template::in_domain(FileKind::User, domain).expect("a template");
        user.lines()
            .filter_map(|line| line.strip_prefix("- **")?.split_once(":**"))
            .map(|(label, _)| label)
            .collect()
    };
    let own = ["Risk tolerance", "Watchlist", "Default venue"];
    let (mut finance, general) = (labels(Domain::Finance), labels(Domain::General));
    assert!(own.iter().all(|label| finance.contains(label) && !general.contains(label)), "{general:?}");
    finance.retain(|label| !own.contains(label));
    assert_eq!(finance, general);

    let page = template::in_domain(FileKind::Bootstrap, Domain::Finance).expect("a template");
    let (_, turns) = page.split_once("## Turn 1: ask\n").expect("a first turn");
    let (ask, write) = turns.split_once("## Turn 2: write\n").expect("a second turn");
    let question = |line: &'static str| Some(line.split_once(". **")?.1.split_once("**")?.0);
    let questions: Vec<&str> = ask.lines().filter_map(question).collect();
    assert_eq!(questions[..5], ["Name.", "Time zone.", "Focus.", "Risk tolerance.", "Default venue."]);
    assert!(!ask.contains("BOOTSTRAP_DONE"), "the first turn does not end it");
    assert!(write.contains("USER.md") && write.trim_end().ends_with("\nBOOTSTRAP_DONE\n```"), "{write}");
    for (name, domain) in [("minara", Domain::Finance), ("personal", Domain::General)] {
        assert_eq!(profile::named(name).expect("a profile").domain, domain, "{name}");
    }
}

/// Proves W8, W12.
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

/// Proves W74.
#[test]
fn agents_md_says_that_what_is_written_wins_over_what_is_derived() {
    let soul = section(FileKind::Agents, "Soul");
    let rank =
        "MEMORY.md, SOUL.md and AGENTS.md stand above inferred preferences, learned methods and playbooks.";
    assert!(soul.contains(rank), "{soul}");
    assert!(soul.contains("MEMORY.md says \"prefers trains\""), "an example: {soul}");
}

/// Proves W5.
#[test]
fn what_a_new_workspace_is_given_is_what_openclaw_reads() {
    const OPENCLAW: [&str; 8] = [
        "AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md",
        "MEMORY.md",
    ];
    for name in ["personal", "minara", "openclaw"] {
        for seed in profile::named(name).expect("a profile").seeds {
            assert!(OPENCLAW.contains(&seed.as_str()), "{name}: {seed}");
        }
    }
    for row in inwit_model::FILES.iter().filter(|row| OPENCLAW.contains(&row.path)) {
        assert!(text(row.kind).starts_with("# "), "{}", row.path);
    }
    for label in ["Name", "Creature", "Vibe", "Emoji", "Avatar"] {
        assert!(text(FileKind::Identity).contains(&format!("\n- **{label}:** ")), "{label}");
    }
    for wanted in ["Session Startup", "Red Lines"] {
        assert!(sections(FileKind::Agents).contains(&wanted), "{wanted}");
    }
}

/// Proves R6.
#[test]
fn agents_md_says_that_what_is_not_written_down_is_lost() {
    let memory = section(FileKind::Agents, "Memory");
    assert!(memory.contains("Good intentions are not storage."), "{memory}");
    assert!(memory.contains("means a line in a file, now"), "{memory}");
}
