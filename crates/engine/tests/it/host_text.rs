//! What a host says of an agent, beside its files.

use std::sync::Arc;

use inwit_engine::{Agent, AgentPorts, Part, Prompt, Reason};
use inwit_model::profile::BlockKind;
use inwit_model::{AgentsMd, Host, Scope};
use inwit_testkit::{fixture, parts, room};

fn host(agents_md: AgentsMd) -> Host {
    Host {
        role: "You are the built-in helper.".into(),
        instructions: "Answer in one line.".into(),
        system_prompt: "Sell nothing.".into(),
        agents_md,
        ..Host::default()
    }
}

fn prompt(files: &str, host: Host, scope: &Scope) -> Prompt {
    let agent = Agent::new(AgentPorts { host, ..parts(Arc::new(fixture::mem(files))) });
    agent.sessions.prompt(scope).expect("a prompt")
}

/// Proves R65, R21, R22, X24.
#[test]
fn without_files_the_host_speaks_and_a_file_takes_its_place() {
    let before = prompt("", host(AgentsMd::Replace), &Scope::Main).text(Part::Prefix);
    assert!(before.contains("# SOUL\n\nYou are the built-in helper."), "{before}");
    assert!(before.contains("# AGENTS\n\nAnswer in one line."), "{before}");
    let after =
        prompt("//- SOUL.md\nI am Ada.\n//- AGENTS.md\nBe kind.\n", host(AgentsMd::Replace), &Scope::Main);
    let text = after.text(Part::Prefix);
    assert!(text.contains("I am Ada.") && text.contains("Be kind."), "{text}");
    assert!(!text.contains("built-in helper") && !text.contains("one line"), "{text}");
    let replaced = after.omitted.iter().filter(|omission| omission.reason == Reason::FileInstead).count();
    assert_eq!(replaced, 2, "what a file replaces is named");
}

/// Proves X25.
#[test]
fn a_file_beats_the_host_and_what_the_host_adds_comes_last_and_weaker() {
    for scope in [Scope::Main, room("kitchen")] {
        let files = "//- SOUL.md\nI am Ada.\n//- AGENTS.md\nBe kind.\n//- MEMORY.md\n- rye\n";
        let prompt = prompt(files, host(AgentsMd::Prepend), &scope);
        let text = prompt.text(Part::Prefix);
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("`{words}` is missing: {text}"));
        assert!(at("I am Ada.") < at("Be kind."));
        assert!(at("Be kind.") < at("Answer in one line."));
        assert!(at("Answer in one line.") < at("the files win"));
        assert!(text.ends_with("Sell nothing."), "{text}");
        assert_eq!(prompt.blocks.iter().filter(|block| block.kind == Some(BlockKind::Host)).count(), 2);
    }
    let text = prompt("", host(AgentsMd::Replace), &Scope::Main).text(Part::Prefix);
    let (role, addition) = (text.find("built-in helper"), text.find("Sell nothing."));
    assert!(role.is_some() && role < addition, "{text}");
}

#[test]
fn a_host_that_says_nothing_changes_nothing() {
    let files = "//- SOUL.md\nI am Ada.\n";
    let silent = prompt(files, Host::default(), &Scope::Main);
    assert_eq!(silent.text(Part::Prefix), "# SOUL\n\nI am Ada.");
}

/// Proves R30.
#[test]
fn the_files_can_be_left_out_of_the_prompt_altogether() {
    let files = "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n- rye\n";
    let with = prompt(files, host(AgentsMd::Replace), &Scope::Main).text(Part::Prefix);
    assert!(
        with.contains("I am Ada.") && with.contains("rye"),
        "the files are in unless the host says no: {with}"
    );
    let without = Host { without_files: true, ..host(AgentsMd::Replace) };
    let text = prompt(files, without, &Scope::Main).text(Part::Prefix);
    assert!(text.starts_with("# SOUL\n\nYou are the built-in helper."), "{text}");
    assert!(!text.contains("Ada") && !text.contains("rye"), "{text}");
}

/// `agent.toml` may come from a backup, and its texts stood in prompts as they were, in rooms too.
#[test]
fn a_secret_in_the_text_of_a_host_is_masked_in_every_scope() {
    let token = ["ghp_", "R3kx9VbQ7wZp1Nc8TyH2dLm4Js6Ga5Ue0FiO"].concat();
    let text = |words: &str| format!("{words} {token}");
    for scope in [Scope::Main, room("kitchen")] {
        for agents_md in [AgentsMd::Replace, AgentsMd::Prepend] {
            for files in ["", "//- AGENTS.md\nBe kind.\n"] {
                let host = Host {
                    role: text("You help with"),
                    instructions: text("Answer with"),
                    system_prompt: text("Sell nothing but"),
                    agents_md,
                    ..Host::default()
                };
                let prompt = prompt(files, host, &scope);
                let all = format!("{}{}", prompt.text(Part::Prefix), prompt.text(Part::Tail));
                assert!(!all.contains(&token) && all.contains("Sell nothing but [masked: "), "{all}");
                let notice =
                    prompt.notices.iter().find(|notice| notice.message.contains("`host.system_prompt`"));
                assert!(notice.is_some(), "{:?}", prompt.notices);
            }
        }
    }
}
