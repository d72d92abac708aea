//! The ways into a workspace that somebody already has: a flag, the environment, the importer.

use std::collections::BTreeMap;

use inwit_testkit::{Cli, Tree, fixture};

use crate::newcomer;

/// A user of OpenClaw, its folder where OpenClaw puts it.
fn openclaw_user() -> Cli {
    let user = newcomer();
    fixture::copy(fixture::openclaw("2026-03").path(), &user.home(".openclaw/workspace"));
    user
}

const QUESTION: &str = "2,150 euro";

/// Proves W93, X11, W5.
#[test]
fn an_openclaw_folder_is_used_in_place_by_a_flag_or_by_any_of_four_names_in_the_environment() {
    let by_flag = openclaw_user();
    let folder = by_flag.home(".openclaw/workspace");
    let before = Tree::of(&folder);
    let found = by_flag.run(["search", QUESTION, "--workspace", "../.openclaw/workspace"]).stdout();
    assert!(found.starts_with("MEMORY.md#L"), "{found}");
    by_flag.run(["prompt", "-w", "../.openclaw/workspace"]).mentions("2,150");
    assert_eq!(Tree::of(&folder), before, "used as it is");
    by_flag.run(["search", QUESTION]).exits(3).hides("2,150 euro\n    ");

    for name in ["INWIT_WORKSPACE", "INWIT_WORKSPACE_DIR", "MINARA_WORKSPACE_DIR", "OPENCLAW_WORKSPACE_DIR"] {
        for folder in ["$HOME/.openclaw/workspace", "~/.openclaw/workspace"] {
            let user = openclaw_user().env(name, folder);
            assert_eq!(user.run(["search", QUESTION]).stdout(), found, "{name}={folder}");
            user.run(["status"]).mentions("$HOME/.openclaw/workspace");
        }
    }
    // The flag wins over the environment, and our own name over those of others.
    let other = "//- MEMORY.md\n- The zeppelin costs 2,150 euro.\n";
    let user = openclaw_user().workspace("mine", other).env("INWIT_WORKSPACE", "$HOME/.openclaw/workspace");
    user.run(["search", QUESTION, "-w", "mine"]).mentions("zeppelin");
    let user = user.env("MINARA_WORKSPACE_DIR", "$HOME/work/mine");
    assert_eq!(user.run(["search", QUESTION]).stdout(), found);
}

/// Proves W93, W94, W92.
#[test]
fn the_importer_copies_an_openclaw_folder_into_a_home_of_its_own_byte_for_byte() {
    let user = openclaw_user();
    let source = user.home(".openclaw/workspace");
    let before = Tree::of(&source);
    let folder = "../.openclaw/workspace";
    user.run(["import", "openclaw", folder]).mentions("would be copied");
    assert!(!user.home("inwit/agents/main/workspace").exists(), "a preview writes nothing");
    user.run(["import", "openclaw", folder, "--apply"]).mentions("Copied");
    assert_eq!(Tree::of(&source), before);

    let copied = Tree::of(&user.home("inwit/agents/main/workspace"));
    let is_ours = |path: &str| {
        let foreign = |folder: &str| path.starts_with(folder) || path.contains(&format!("/{folder}"));
        path.ends_with(".md") && path != "HEARTBEAT.md" && !foreign(".") && !foreign("canvas/")
    };
    let wanted: BTreeMap<&str, &str> = before.bytes().into_iter().filter(|(path, _)| is_ours(path)).collect();
    assert!(wanted.contains_key("memory/2026-03-03-missal-sewing.md"));
    assert_eq!(copied.bytes(), wanted);
    let found = user.run(["search", QUESTION]).stdout();
    assert!(found.starts_with("MEMORY.md#L"), "{found}");
    user.run(["import", "openclaw", folder, "--apply"]).mentions("Copied 0 file(s).");
}
