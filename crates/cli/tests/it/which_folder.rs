//! Which folder a command reads where none is named.

use crate::newcomer;

const SOUL: &str = "I am Wren.\n";

/// A home with the agent `main`, and a workspace of another kind beside it.
fn home() -> inwit_testkit::Cli {
    let home = newcomer();
    home.run(["init", "-q"]).exits(0);
    home.run(["remember", "-q", "The kettle is of copper."]).exits(0);
    home.write("work/claw/SOUL.md", SOUL)
        .write("work/claw/memory/2026-11-20.md", "- The kettle is of iron.\n")
        .write("work/claw/projects/deep/x.md", "A plan.\n")
        .write("work/plain/kettle.md", "- The kettle is of glass.\n")
}

#[test]
fn a_reading_command_takes_the_workspace_around_the_current_folder() {
    let home = home();
    for folder in ["claw", "claw/projects/deep"] {
        home.run_in(folder, ["search", "kettle"]).mentions("iron").hides("copper");
        home.run_in(folder, ["prompt"]).mentions("I am Wren");
        home.run_in(folder, ["show", "SOUL.md"]).mentions("I am Wren");
    }
    // A folder of notes is no workspace: the agent answers.
    home.run_in("plain", ["search", "kettle"]).mentions("copper").hides("glass");
    home.run_in("plain", ["search", "kettle", "-w", "."]).mentions("glass").hides("copper");
}

#[test]
fn a_flag_and_the_environment_decide_before_the_current_folder() {
    let home = home();
    home.run_in("claw", ["search", "kettle", "--agent", "main"]).mentions("copper").hides("iron");
    home.run_in("claw", ["search", "kettle", "-w", "../plain"]).mentions("glass").hides("iron");
    let named = home.env("INWIT_AGENT", "main");
    named.run_in("claw", ["search", "kettle"]).mentions("copper").hides("iron");
}

/// It works in repositories of others, and a repository can bring a SOUL.md along.
#[test]
fn a_command_that_a_coding_agent_runs_never_takes_the_current_folder() {
    for variable in ["CLAUDECODE", "CODEX_THREAD_ID", "AGENT"] {
        let home = home().env(variable, "1");
        home.run_in("claw", ["search", "kettle"]).mentions("copper").hides("iron");
        home.run_in("claw", ["prompt"]).hides("I am Wren");
    }
}

#[test]
fn a_workspace_of_links_or_in_a_folder_that_everybody_can_write_to_is_not_taken() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let home = home();
    let soul = home.work("claw/SOUL.md");
    std::fs::rename(&soul, home.work("soul.md")).expect("moved");
    symlink(home.work("soul.md"), &soul).expect("a link");
    home.run_in("claw", ["search", "kettle"]).mentions("copper").hides("iron");
    std::fs::rename(home.work("soul.md"), &soul).expect("moved back");
    home.run_in("claw", ["search", "kettle"]).mentions("iron");
    let open = std::fs::Permissions::from_mode(0o1777);
    std::fs::set_permissions(home.work("claw"), open).expect("set");
    home.run_in("claw", ["search", "kettle"]).mentions("copper").hides("iron");
}

#[test]
fn what_writes_never_takes_the_current_folder() {
    let home = home();
    let before = inwit_testkit::Tree::of(&home.work("claw"));
    home.run_in("claw", ["remember", "The kettle is of tin."]).exits(0);
    home.run_in("claw", ["status"]).exits(0).hides("claw");
    assert_eq!(inwit_testkit::Tree::of(&home.work("claw")), before);
    home.run(["search", "tin"]).mentions("MEMORY.md");
}

/// Piped, the search took the agent and said nothing; without an agent, two hints said the same.
#[test]
fn a_folder_of_markdown_that_is_passed_over_is_named_once() {
    let hint = "add `-w .` to the command";
    let home = home();
    let once = |run: &inwit_testkit::cli::Run| run.stderr().matches(hint).count();
    assert_eq!(once(&home.run_in("plain", ["search", "kettle"])), 1);
    assert_eq!(once(&home.run_in("plain", ["search", "zeppelin"])), 1);
    assert_eq!(once(&home.run_in("plain", ["search", "kettle", "-w", "."])), 0);
    assert_eq!(once(&home.run_in("claw", ["search", "kettle"])), 0);
    let empty = newcomer().write("work/plain/kettle.md", "- The kettle is of glass.\n");
    let run = empty.run_in("plain", ["search", "kettle"]).exits(3);
    assert_eq!((once(&run), run.stderr().matches("hint: ").count()), (1, 1), "{}", run.stderr());
}

/// What a file names as secret is masked in other files, also where git ignores it.
#[test]
fn a_secret_of_an_ignored_file_is_masked_in_others() {
    let home = newcomer()
        .write("work/notes/keys.md", "password: Tr0ub4dor&3xKq9\n")
        .write("work/notes/note.md", "The kettle opens with Tr0ub4dor&3xKq9 at night.\n");
    let search = ["search", "kettle", "--json", "-w", "notes"];
    let _ = home.run(search).mentions("kettle").hides("Tr0ub4dor");
    let home = home.write("work/notes/.gitignore", "keys.md\n");
    let _ = home.run(search).mentions("kettle").hides("Tr0ub4dor");
    let _ = home.run(["search", "password", "-w", "notes"]).hides("keys.md");
}

#[test]
fn ignored_files_are_counted_where_nothing_is_found_and_named_by_an_erasure() {
    let home = newcomer()
        .write("work/notes/kiln.md", "The kiln stands at Quillfeather pier.\n")
        .write("work/notes/.gitignore", "*\n");
    home.run(["search", "kiln", "-w", "notes"]).mentions("Not searched: 1 file that");
    // inwit writes into no page of that kind, ignored or not: it names the page, and does not report success.
    let erased = home.run(["forget", "--everywhere", "Quillfeather", "-w", "notes", "--apply", "--yes"]);
    erased.mentions("kiln.md (as plain text)").mentions("delete them by hand").exits(1);
    let home =
        home.write("work/notes/oven.md", "The oven ticks.\n").write("work/notes/.inwitignore", "!*.md\n");
    home.run(["search", "oven", "-w", "notes"]).mentions("oven.md#L1").hides("not searched");
}

/// The choice is shown where nobody watches too, and in JSON the answer stays JSON.
#[test]
fn the_workspace_that_was_taken_is_named() {
    let home = home();
    home.run_in("claw", ["search", "kettle"]).mentions("note: workspace: $HOME/work/claw");
    home.run_in("claw", ["search", "kettle", "--json"]).mentions("note: workspace: $HOME/work/claw");
    home.run_in("plain", ["search", "kettle"]).hides("note: workspace");
}

#[test]
fn an_erasure_names_the_workspace_that_it_does_not_search() {
    let home = home();
    let words = "kettle is of iron";
    for args in [["forget", "--everywhere", words], ["forget", "--check", words]] {
        home.run_in("claw", args).mentions("is not searched: $HOME/work/claw").mentions("`-w DIR`");
    }
    home.run_in("claw", ["forget", "--everywhere", words, "-w", "."]).hides("is not searched");
    home.run_in("plain", ["forget", "--everywhere", words]).hides("is not searched");
}
