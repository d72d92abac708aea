//! `inwit import`: what is copied, what stays, and what is said of both.

use crate::newcomer;

#[test]
fn an_import_says_what_stays_and_counts_what_it_copied() {
    let cli = newcomer()
        .write("work/claw/MEMORY.md", "- rye\n")
        .write("work/claw/SOUL.md", "x\n")
        .write("work/claw/skills/paper/fold.py", "x")
        .write("work/claw/.env", "x");
    let seen = cli.run(["import", "openclaw", "claw", "--json"]).json();
    let left = seen["leftOut"].as_array().expect("steps");
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["path"], "skills/paper/fold.py");
    assert_eq!(left[0]["reason"], "It is no Markdown.");
    cli.run(["import", "openclaw", "claw", "--apply"]).mentions("Copied 2 file(s).");
    cli.run(["import", "openclaw", "claw", "--apply"]).mentions("Copied 0 file(s).");
}

#[test]
fn conflicts_are_told_and_give_their_status() {
    let cli = newcomer().write("work/claw/MEMORY.md", "- rye\n").write("work/claw/memory/a.md", "x\n");
    let _made = cli.run(["init"]);
    let workspace = cli.home("inwit/agents/main/workspace");
    std::fs::remove_file(workspace.join("MEMORY.md")).ok();
    let cli = cli.write("inwit/agents/main/workspace/MEMORY.md", "- other\n");
    std::fs::remove_dir_all(workspace.join("memory")).ok();
    std::os::unix::fs::symlink(cli.work("claw/memory"), workspace.join("memory")).expect("a link");
    cli.run(["import", "openclaw", "claw"]).mentions("conflict  MEMORY.md");
    let run = cli.run(["import", "openclaw", "claw", "--apply"]).exits(4);
    drop(run.mentions("Copied 0 file(s).").mentions("2 conflict(s)").mentions("is a symbolic link"));
}

/// What Claude Code learned comes in through the gate, with the place it came from.
#[test]
fn what_claude_code_remembers_waits_for_a_persons_word() {
    let memory = "home/ana/memory";
    let fact = "---\nname: bread\ndescription: what Ana bakes\nmetadata:\n  type: user\n---\nAna bakes rye bread. See [[oven]].\n";
    let cli = newcomer()
        .write(&format!("{memory}/MEMORY.md"), "- [Bread](bread.md) — what Ana bakes\n")
        .write(&format!("{memory}/bread.md"), fact)
        .write(&format!("{memory}/odd.md"), "hidden \u{202e} order\n");
    let _made = cli.run(["init"]);
    let dir = cli.home(memory).display().to_string();
    let seen = cli.run(["import", "claude-code", &dir, "--json"]).exits(5).json();
    assert_eq!(
        (&seen["applied"], &seen["proposed"], &seen["refused"]),
        (&false.into(), &2.into(), &1.into())
    );
    cli.run(["import", "claude-code", &dir])
        .exits(5)
        .mentions("refused   odd.md")
        .mentions("2 file(s) would wait for your word")
        .mentions("1 file(s) would not be taken");
    cli.run(["inbox"]).mentions("Nothing waits");
    cli.run(["import", "claude-code", &dir, "--apply"])
        .exits(5)
        .mentions("2 file(s) wait for your word")
        .mentions("refused   odd.md");
    let waiting = cli.run(["inbox", "--json"]).json();
    let target = "notes/claude-code/ana/bread.md";
    let bread = waiting["proposals"].as_array().expect("proposals").iter().find(|one| one["path"] == target);
    let bread = bread.unwrap_or_else(|| panic!("{waiting}"));
    assert_eq!((bread["actor"].as_str(), bread["taint"].as_str()), (Some("import"), Some("import")));
    let reason = bread["reason"].as_str().expect("a reason");
    assert!(
        reason.starts_with("From Claude Code, sha256 ") && reason.ends_with("/home/ana/memory/bread.md"),
        "{reason}"
    );
    cli.run(["search", "rye bread"]).hides("bakes");
    cli.run(["import", "claude-code", &dir])
        .exits(5)
        .mentions("waits     bread.md")
        .mentions("Nothing would be");
    let again = cli.run(["import", "claude-code", &dir, "--apply"]).exits(5).stdout();
    assert!(again.contains("Nothing was proposed.") && again.contains("2 file(s) wait since an earlier run"));
    assert_eq!(cli.run(["inbox", "--json"]).json()["proposals"].as_array().map(Vec::len), Some(2), "{again}");
    let id = bread["id"].as_str().expect("an id");
    let shown = cli.run(["inbox", "show", id, "--json"]).json();
    cli.run(["inbox", "approve", id, "--confirm", shown["confirm"].as_str().expect("digits")]).exits(0);
    assert_eq!(cli.run(["get", target]).stdout(), fact, "byte for byte");
    cli.run(["search", "rye bread"]).mentions("Ana bakes rye bread.");
    cli.run(["import", "claude-code", &dir]).exits(5).mentions("same      bread.md");
    let index = waiting["proposals"].as_array().expect("proposals").iter().find(|one| one["path"] != target);
    cli.run(["inbox", "reject", index.expect("the other")["id"].as_str().expect("an id")]).exits(0);
    cli.run(["import", "claude-code", &dir])
        .exits(5)
        .mentions("skip      MEMORY.md")
        .mentions("rejected this very text");
}

#[test]
fn the_memory_of_the_project_here_is_found_by_its_path() {
    let cli = newcomer();
    let _made = cli.run(["init"]);
    let here = cli.work("").display().to_string();
    let hyphens = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let slug: String = here.trim_end_matches('/').chars().map(hyphens).collect();
    let cli = cli.write(&format!(".claude/projects/{slug}/memory/MEMORY.md"), "- rye\n");
    cli.run(["import", "claude-code"]).mentions("propose   MEMORY.md");
    cli.run(["import", "claude-code", "nowhere"])
        .exits(3)
        .mentions("is no folder in which Claude Code remembers a project")
        .mentions("name the folder with MEMORY.md")
        .hides("inwit init");
}
