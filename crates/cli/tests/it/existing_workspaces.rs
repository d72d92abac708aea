//! The ways into a workspace that somebody already has: a flag, the environment, the importer.

use std::collections::BTreeMap;
use std::path::Path;

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
    user.run(["import", "openclaw", folder, "--apply"]).mentions("Copied 0 files.");
}

/// A prompt without the line of the day: the blocks as JSON.
fn blocks(run: &serde_json::Value) -> Vec<String> {
    let blocks = run["blocks"].as_array().expect("blocks");
    blocks.iter().map(|block| block["text"].as_str().expect("text").to_owned()).collect()
}

/// Proves W94, X57.
#[test]
fn an_imported_agent_reads_its_files_as_openclaw_does_and_as_they_were_in_place() {
    use inwit_testkit::openclaw::{Generation, Workspace};
    for generation in [Generation::Older, Generation::Current] {
        let user = newcomer();
        let made =
            Workspace::new(generation).core().long_memory(48_000).skills(20).bootstrap_beside(17).write();
        let folder = user.home(".openclaw/workspace");
        fixture::copy(made.path(), &folder);
        std::fs::remove_file(folder.join("BOOTSTRAP.md")).expect("W94 leaves it out");
        std::fs::remove_file(folder.join("HEARTBEAT.md")).ok();
        let before =
            user.run(["prompt", "--json", "-w", "../.openclaw/workspace", "--profile", "openclaw"]).json();
        let import = ["import", "openclaw", "../.openclaw/workspace"];
        user.run(import).mentions("new agent `main`, profile openclaw");
        user.run(["import", "openclaw", "../.openclaw/workspace", "--apply"]).mentions("profile openclaw");
        user.run(["status"]).mentions("profile    openclaw");
        let after = user.run(["prompt", "--json"]).json();
        assert_eq!(blocks(&after), blocks(&before), "{generation:?}");
    }
}

#[test]
fn an_import_into_an_agent_of_another_profile_says_what_differs() {
    let user = openclaw_user();
    user.run(["init"]).exits(0);
    let import = ["import", "openclaw", "../.openclaw/workspace"];
    user.run(import)
        .mentions("agent `main`, profile personal")
        .mentions("inwit config set profile openclaw --agent main");
    let named = openclaw_user();
    named
        .run(["import", "openclaw", "../.openclaw/workspace", "--profile", "minara", "--apply"])
        .mentions("new agent `main`, profile minara");
}

#[test]
fn an_openclaw_folder_points_to_its_workspace_and_to_its_profile() {
    let user = openclaw_user();
    fixture::put(&user.home(".openclaw"), "openclaw.json", b"{}");
    user.run(["status", "-w", "../.openclaw"])
        .exits(3)
        .mentions("OpenClaw's state folder, not a workspace")
        .mentions("the workspace is $HOME/.openclaw/workspace")
        .mentions("`--workspace DIR --profile openclaw`");
    user.run(["status", "-w", "../.openclaw/workspace"])
        .mentions("`--profile openclaw` reads it as OpenClaw does");
    user.run(["status", "-w", "../.openclaw/workspace", "--profile", "openclaw"])
        .hides("reads it as OpenClaw does");
}

/// A doctor that reports what lies in virtual environments is read by nobody.
#[test]
fn doctor_reports_a_well_kept_workspace_without_an_error_and_each_class_once() {
    use inwit_testkit::openclaw::{Generation, VENDORED_WORD, Workspace};
    for generation in [Generation::Older, Generation::Current] {
        let user = newcomer();
        let made = Workspace::new(generation).core().skills(20).venvs_and_links().write();
        let folder = made.path().display().to_string();
        let report = user.run(["doctor", "-w", &folder, "--profile", "openclaw"]).exits(0).stdout();
        for noise in ["venv", "node_modules", "site-packages", "__pycache__", ".git/", "ODD"] {
            assert!(!report.contains(noise), "{generation:?} {noise}:\n{report}");
        }
        let heads: Vec<&str> =
            report.lines().filter(|line| !line.starts_with(' ') && line.contains(": ")).collect();
        let distinct: std::collections::BTreeSet<&&str> = heads.iter().collect();
        assert_eq!(heads.len(), distinct.len(), "{report}");
        user.run(["search", VENDORED_WORD, "-w", &folder, "--profile", "openclaw"]).hides(VENDORED_WORD);
    }
}

/// Every file below `folder`, by its path.
fn files_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let tree = Tree::of(folder);
    let files = tree.paths().into_iter().filter(|path| folder.join(path).is_file());
    files.map(|path| (path.to_owned(), std::fs::read(folder.join(path)).expect("read"))).collect()
}

/// How many bytes both begin with.
fn alike<'a>(one: impl Iterator<Item = &'a u8>, other: impl Iterator<Item = &'a u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// What stands in `new` beyond `old` where that is one piece, and every byte of `old` stands around it.
fn one_insertion(old: &[u8], new: &[u8]) -> Option<String> {
    let head = alike(old.iter(), new.iter());
    let tail = alike(old[head..].iter().rev(), new[head..].iter().rev());
    let inserted = new[head..new.len() - tail].to_vec();
    (head + tail == old.len()).then(|| String::from_utf8_lossy(&inserted).into_owned())
}

/// Proves W92, W5.
#[test]
fn a_life_in_an_openclaw_folder_adds_to_it_and_changes_nothing_that_was_there() {
    const STATE: [&str; 3] = [".soul-state.json", ".dreamed-state.json", ".dreamed-quarantine.json"];
    for generation in ["2026-03", "2026-09", "crowded"] {
        let user = newcomer().env("INWIT_WORKSPACE", "$HOME/work/claw").env("INWIT_PROFILE", "openclaw");
        fixture::copy(fixture::openclaw(generation).path(), &user.work("claw"));
        let before = files_of(&user.work("claw"));
        user.run(["session", "start", "--input", r#"{"session":"s-1"}"#]).exits(0);
        let turn = r#"{"session":"s-1","user":{"text":"We bake on Friday."},"assistant":"- [ ] buy flour"}"#;
        user.run(["session", "turn", "--input", turn]).exits(0);
        user.run(["remember", "The guild meets on Thursdays"]).exits(0);
        user.run(["session", "end", "--input", r#"{"session":"s-1"}"#]).exits(0);
        user.run(["dream"]).exits(0);

        let after = files_of(&user.work("claw"));
        for (path, old) in &before {
            let new = &after[path];
            // What is remembered goes into the memory that is there, whatever its case.
            let is_memory = path == "MEMORY.md" || (path == "memory.md" && !before.contains_key("MEMORY.md"));
            if is_memory {
                let inserted = one_insertion(old, new).expect("all of it is there");
                assert!(inserted.contains("- The guild meets on Thursdays\n"), "{generation}: {inserted}");
            } else if path == "DREAMS.md" {
                assert!(new.starts_with(old), "{generation}: the diary only grows");
            } else {
                assert!(old == new, "{generation}: {path}");
            }
        }
        for path in after.keys().filter(|path| !before.contains_key(*path)) {
            let is_log =
                path.starts_with("memory/20") && path.ends_with(".md") && path.matches('/').count() == 1;
            let is_known =
                ["MEMORY.md", "DREAMS.md"].contains(&path.as_str()) || STATE.contains(&path.as_str());
            assert!(is_log || is_known, "{generation}: {path}");
        }
    }
}
