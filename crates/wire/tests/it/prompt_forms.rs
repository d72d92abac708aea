//! A prompt in the forms of Anthropic, of OpenAI and our own.

use std::sync::Arc;

use inwit_engine::{Agent, AgentPorts, Prompt};
use inwit_model::Scope;
use inwit_testkit::{Shelf, cases, parts, private::PRIVATE, room};
use inwit_wire::{AnthropicV1, OpenAiV1, PromptV1};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json, to_value};

const PROFILES: [&str; 6] = ["personal", "openclaw", "minara", "nexo", "mindroom", "carapace"];

/// What everybody may see, and what the kitchen may.
const SHARED: &str = "
//- SOUL.md
I am Ada.
//- AGENTS.md
Be brief.
//- IDENTITY.md
- Name: Ada
//- rooms/kitchen.md
Bakes on Fridays.
//- memory/rooms/kitchen/2026-11-21.md
Sold a loaf.
//- skills/bread/SKILL.md
---
name: bread
---
";

fn prompt(shelf: &Arc<Shelf>, profile: &str, scope: &Scope) -> Prompt {
    let profile = inwit_workspace::profile::named(profile).expect("a profile");
    Agent::new(AgentPorts { profile, ..parts(Arc::clone(shelf) as _) })
        .sessions
        .prompt(scope)
        .expect("a prompt")
}

/// Every form, to the byte, with the report.
fn forms(prompt: &Prompt) -> String {
    let tokens: Vec<u32> = prompt.blocks.iter().map(|block| block.chars() as u32).collect();
    let json = |value: Result<Value, _>| format!("{:#}", value.expect("JSON"));
    [
        json(to_value(AnthropicV1::from(prompt))),
        json(to_value(OpenAiV1::from(prompt))),
        json(to_value(PromptV1::new(prompt, Some(&tokens), true))),
        json(to_value(PromptV1::new(prompt, None, false))),
    ]
    .join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(32, 256) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Proves I1, X21, X14.
    #[test]
    fn no_private_file_changes_a_byte_of_any_form_in_any_profile(
        files in prop::collection::vec((select(PRIVATE), r"(\PC|\n){0,80}", 1..400usize, any::<bool>()), 1..10),
    ) {
        let (bare, full) = (Arc::new(Shelf::of(SHARED)), Arc::new(Shelf::of(SHARED)));
        for (name, text, times, readable) in &files {
            full.write(name, text.repeat(*times));
            if !readable {
                full.spoil(name);
            }
        }
        for profile in PROFILES {
            for scope in [room("kitchen"), Scope::Shared] {
                let (bare, full) = (prompt(&bare, profile, &scope), prompt(&full, profile, &scope));
                prop_assert_eq!(forms(&bare), forms(&full), "{}, {}", profile, scope);
                prop_assert!(forms(&full).contains("I am Ada."));
            }
        }
    }
}

/// Proves R10, R63, X27.
#[test]
fn each_form_puts_the_files_where_its_host_reads_them() {
    let shelf = Arc::new(Shelf::of(SHARED));
    shelf.write("MEMORY.md", "Likes rye.");
    let today = "Today is Saturday, 21 November 2026 (UTC).";
    let cached = json!({"type": "ephemeral"});
    let block = |text: &str| json!({"type": "text", "text": text});
    let breakpoint = |text: &str| json!({"type": "text", "text": text, "cache_control": cached});

    let mindroom = prompt(&shelf, "mindroom", &Scope::Main);
    assert_eq!(
        to_value(AnthropicV1::from(&mindroom)).expect("JSON"),
        json!({
            "system": [block("# SOUL\n\nI am Ada."), breakpoint("# AGENTS\n\nBe brief."), block(today)],
            "messages": [{"role": "user", "content": [block("# MEMORY\n\nLikes rye.")]}],
        })
    );
    assert_eq!(
        to_value(OpenAiV1::from(&mindroom)).expect("JSON"),
        json!({"messages": [
            {"role": "system", "content": "# SOUL\n\nI am Ada.\n\n# AGENTS\n\nBe brief."},
            {"role": "system", "content": today},
            {"role": "user", "content": "# MEMORY\n\nLikes rye."},
        ]})
    );

    let nexo = prompt(&shelf, "nexo", &Scope::Main);
    let system =
        "# IDENTITY\n\nname=Ada\n\n# SOUL\n\nI am Ada.\n\n# AGENTS\n\nBe brief.\n\n# MEMORY\n\nLikes rye.";
    assert_eq!(
        to_value(OpenAiV1::from(&nexo)).expect("JSON"),
        json!({"messages": [{"role": "system", "content": system}, {"role": "system", "content": today}]})
    );
    assert_eq!(
        to_value(AnthropicV1::from(&nexo)).expect("JSON"),
        json!({"system": [
            block("# IDENTITY\n\nname=Ada"),
            block("# SOUL\n\nI am Ada."),
            breakpoint("# AGENTS\n\nBe brief."),
            breakpoint("# MEMORY\n\nLikes rye."),
            block(today),
        ]})
    );
}
