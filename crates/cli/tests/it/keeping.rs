//! Agents, each with a home and a workspace of its own, and what a person sees of them.

use inwit_testkit::fixture;

use crate::newcomer;

/// Proves N1, R9, X11.
#[test]
fn two_agents_of_one_home_share_neither_files_nor_answers_nor_prompts() {
    let user = newcomer();
    for (id, word) in [("kate", "octopus"), ("bruno", "badger")] {
        user.run(["init", "--agent", id, "--timezone", "Europe/Madrid"])
            .mentions(&format!("Agent `{id}` is in"));
        let workspace = user.home(&format!("inwit/agents/{id}/workspace"));
        assert!(workspace.join("SOUL.md").is_file() && workspace.join("MEMORY.md").is_file(), "{id}");
        fixture::put(&workspace, "MEMORY.md", format!("- Favours the {word}.\n").as_bytes());
        fixture::put(&workspace, "SOUL.md", format!("I am {id}.\n").as_bytes());
    }
    for (id, own, other, stranger) in
        [("kate", "octopus", "badger", "bruno"), ("bruno", "badger", "octopus", "kate")]
    {
        user.run(["search", own, "--agent", id]).mentions("MEMORY.md#L1").hides(other);
        user.run(["search", other, "--agent", id]).hides("MEMORY.md#L1");
        user.run(["prompt", "--agent", id])
            .mentions(&format!("# SOUL\n\nI am {id}."))
            .mentions(own)
            .hides(other)
            .hides(&format!("I am {stranger}"));
    }
    // The one agent that nobody needs to name, and a folder that no agent has.
    let user = newcomer().workspace("notes", "//- MEMORY.md\n- Likes rye.\n");
    user.run(["init"]).mentions("Agent `main` is in");
    let status = user.run(["status", "--json"]).json();
    assert_eq!(status["agent"], "main");
    let status = user.run(["status", "--json", "-w", "notes"]).json();
    assert!(status["agent"].as_str().is_some_and(|id| id.starts_with("ws-")), "{status}");
    assert!(status["workspace"].as_str().is_some_and(|path| path.ends_with("notes")), "{status}");
}

/// Proves W74.
#[test]
fn a_new_minara_agent_is_told_that_its_files_win_before_anything_that_is_derived() {
    let user = newcomer();
    user.run(["init", "--profile", "minara", "--timezone", "UTC"]).mentions("profile minara");
    fixture::put(
        &user.home("inwit/agents/main/workspace"),
        "skills/trains/SKILL.md",
        b"---\nname: trains\ndescription: inferred, usually flies\n---\n",
    );
    let prompt = user.run(["prompt"]).stdout();
    let place = |text: &str| prompt.find(text).unwrap_or_else(|| panic!("no `{text}` in {prompt}"));
    let rule =
        "MEMORY.md, SOUL.md and AGENTS.md stand above inferred preferences, learned methods and playbooks";
    let order = [
        "# SOUL\n",
        "# AGENTS\n",
        rule,
        "# USER\n",
        "# MEMORY\n",
        "# SKILLS\n",
        "- trains: inferred, usually flies",
    ];
    assert!(order.map(place).is_sorted(), "{prompt}");
}

/// Proves R10, R63, R69.
#[test]
fn every_form_of_the_prompt_holds_the_files_and_the_report_states_the_aim_in_tokens() {
    let user = newcomer().workspace("notes", "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n- Likes rye.\n");
    for format in ["text", "json", "anthropic", "openai"] {
        for profile in ["personal", "mindroom"] {
            user.run(["prompt", "-w", "notes", "--profile", profile, "--format", format])
                .mentions("I am Ada.")
                .mentions("- Likes rye.");
            user.run([
                "prompt",
                "-w",
                "notes",
                "--profile",
                profile,
                "--format",
                format,
                "--room",
                "kitchen",
            ])
            .mentions("I am Ada.")
            .hides("rye");
        }
    }
    let report = ["prompt", "-w", "notes", "--report", "--profile", "mindroom"];
    user.run(report).mentions("aim: below 4,000 tokens");
    let json = user.run(["prompt", "-w", "notes", "--json", "--profile", "mindroom"]).json();
    assert_eq!(json["total"]["tokenBudget"], 4_000);
    let tokens = |block: &serde_json::Value| block["tokens"].as_u64().expect("counted");
    let blocks = json["blocks"].as_array().expect("blocks");
    assert!(blocks.iter().all(|block| tokens(block) > 0));
    assert_eq!(json["total"]["tokens"].as_u64(), Some(blocks.iter().map(tokens).sum()));
}

/// Proves R2, R15.
#[test]
fn search_answers_by_words_alone_and_the_files_are_all_it_needs() {
    let user = newcomer().workspace("notes", "//- MEMORY.md\n- Ana bought a car.\n");
    let found = user.run(["search", "car", "-w", "notes"]).stdout();
    assert!(found.starts_with("MEMORY.md#L1"), "{found}");
    // Likeness of meaning is not looked for, and no setting turns it on unasked.
    user.run(["search", "automobile", "-w", "notes"]).mentions("Nothing in the notes").hides("Ana");
    // The index is no store: without it nothing is lost.
    std::fs::remove_dir_all(user.home("inwit")).expect("removed");
    assert_eq!(user.run(["search", "car", "-w", "notes"]).stdout(), found);
}
