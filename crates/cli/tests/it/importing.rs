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
