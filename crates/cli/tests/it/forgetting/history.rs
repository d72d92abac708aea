//! Words in the history of notes: they stay in it until it is rewritten, and that is said of one text at a time.
//!
//! A rewritten history cannot be taken back, so none is rewritten of a text of which nobody said so.

use super::{CANARY, add, leave, stands};
use crate::newcomer;

/// Without a rewritten history it keeps them and says so; what an undo would bring back is refused.
#[test]
fn a_history_that_is_not_rewritten_keeps_the_words_and_gives_them_to_no_file() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    let earlier = home.run(["history", "log", "MEMORY.md", "--json"]).json();
    let earlier = earlier["commits"][0]["revision"].as_str().expect("a revision").to_owned();
    home.run(["forget", "--everywhere", "--line", "MEMORY.md:9", "--json"])
        .mentions("\"fate\": \"stays\"")
        .mentions("\"applied\": false");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("history still contains them")
        .mentions("history.git")
        .exits(1);
    home.run(["history", "restore", "MEMORY.md", "--at", &earlier, "--json"])
        .exits(5)
        .mentions("forgotten_text");
    home.run(["undo", "--json"]).exits(5).mentions("forgotten_text");
    home.run(["show", "MEMORY.md"]).hides("quokka");
    // The owner's own word is a word.
    home.run(["remember", &format!("{CANARY} is back")]).mentions("Wrote");
    let short = home.run(["forget", "--everywhere", "ab", "--json"]).exits(2).json_error();
    assert_eq!(short["error"]["code"], "usage_bad");
}

/// That history is rewritten is said of a text and of no other one: what comes back with a backup goes from history
/// where it was said, and stays in it where it was not.
#[test]
fn a_rewritten_history_is_said_of_one_text_and_counts_for_no_other() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["remember", "Ana moors at pier forty-two"]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", "pier forty-two", "--apply", "--yes"])
        .mentions("history still contains them")
        .exits(1);
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    // Nowhere but in history, of this home or of one that gave way.
    let in_history = |words: &str, status: i32| {
        let look = home.run(["forget", "--check", words, "--json"]).exits(status).json();
        let stands = look["stands"].as_array().expect("places").iter();
        let paths: Vec<&str> = stands.map(|place| place["path"].as_str().expect("a path")).collect();
        assert!(paths.iter().all(|path| path.ends_with("history.git")), "{words}: {paths:#?}");
        paths.iter().any(|path| path.ends_with("agents/main/history.git"))
    };
    let agrees = || {
        assert!(!in_history(CANARY, 0), "it was said of it");
        assert!(in_history("pier forty-two", 1), "it was never said of it");
    };
    agrees();
    home.run(["restore", "before", "--yes", "--force"]).mentions("had been erased for good").exits(0);
    agrees();
    // What is taken away once more is told apart too.
    add(&home, "MEMORY.md", &format!("\n- {CANARY} is back\n- so is pier forty-two\n"));
    home.run(["history", "log"]).exits(0);
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"])
        .mentions("history still contains them")
        .exits(1);
    agrees();
    home.run(["show", "MEMORY.md"]).hides("quokka").hides("pier");
}

/// What gave way to a restore is opened as its agent is configured: its history may lie in its workspace.
#[test]
fn a_history_in_a_workspace_that_gave_way_is_rewritten_too() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC", "--profile", "nexo"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["restore", "before", "--yes", "--force"]).exits(0);
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    assert_eq!(stands(&home, 0), Default::default());
}

/// Said of all texts of a file by an earlier version, it is a guess which was meant: none is taken out, and it is told.
#[test]
fn a_register_of_before_rewrites_no_history_by_a_guess_and_says_so() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    let folder = home.home(".local/state/inwit/forgotten");
    let register = std::fs::read_dir(&folder).expect("registers").flatten().next().expect("one").path();
    let text = std::fs::read_to_string(&register).expect("read");
    let mut old: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    old["version"] = 1.into();
    old["history"] = true.into();
    for stone in old["stones"].as_array_mut().expect("stones") {
        stone.as_object_mut().expect("a stone").remove("history");
    }
    leave(&register, old.to_string().as_bytes());
    home.run(["restore", "before", "--yes", "--force"])
        .mentions("had been erased for good")
        .mentions("note: The history contains 1 erased text(s)")
        .exits(0);
    home.run(["show", "MEMORY.md"]).hides("quokka");
    home.run(["forget", "--everywhere", "--again"]).mentions("--again --rewrite-history --apply").exits(0);
    home.run(["forget", "--everywhere", "--again", "--rewrite-history", "--apply", "--yes"]).exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    home.run(["forget", "--everywhere", "--again"]).hides("note: The history contains");
}

/// A commit that died half-way leaves objects that no commit reaches: they go too where nothing else holds the words.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test is a commit that died half-way")]
fn words_that_no_commit_reaches_go_when_history_is_rewritten() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    // Whoever asks for the history has it written.
    home.run(["history", "log", "MEMORY.md"]).exits(0);
    let left = home.home("inwit/agents/main/left.md");
    std::fs::write(&left, format!("- {CANARY} likes figs\n")).expect("written");
    let git_dir = home.home("inwit/agents/main/history.git");
    let git = std::process::Command::new("git")
        .arg("--git-dir")
        .arg(&git_dir)
        .args(["hash-object", "-w"])
        .arg(&left)
        .output()
        .expect("git");
    assert!(git.status.success(), "{git:?}");
    std::fs::remove_file(&left).expect("taken away");
    home.run(["forget", "--check", CANARY]).exits(1).mentions("history.git");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"])
        .mentions("The words were not found")
        .exits(0);
    home.run(["history", "log", "MEMORY.md"]).exits(0).mentions("MEMORY.md");
}
