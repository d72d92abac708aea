//! Notes that are larger than inwit writes, or larger than it reads: an editor leaves files of any size.
//!
//! One such file stopped every erasure, also of words in other files, and a begun erasure could not be finished.

use inwit_testkit::fixture;

use super::{CANARY, add, workspace};
use crate::newcomer;

const APPLY: [&str; 5] = ["forget", "--everywhere", CANARY, "--apply", "--yes"];

/// The size limit of a write must not refuse an erasure, which makes the file smaller.
#[test]
fn a_note_over_the_limit_of_a_write_loses_its_lines() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let others = "- a line of the editor\n".repeat(12_000);
    add(&home, "memory/topics/long.md", &format!("# Long\n\n- {CANARY}\n{others}"));
    home.run(APPLY).exits(0).mentions("lines of 1 file(s)").mentions("The words were not found");
    let left = std::fs::read_to_string(workspace(&home, "memory/topics/long.md")).expect("read");
    assert_eq!(left, format!("# Long\n\n{others}"));
}

/// No note of that size is read or written. The words go everywhere else, and the file is named.
#[test]
fn a_note_that_is_too_large_to_be_read_is_named_and_all_else_goes() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    let lines = "- a line of the editor\n".repeat((8 << 20) / 23 + 10);
    add(&home, "memory/topics/huge.md", &format!("- {CANARY}\n{lines}"));
    home.run(["forget", "--everywhere", CANARY])
        .exits(0)
        .mentions("file: MEMORY.md")
        .mentions("stays              1  other: memory/topics/huge.md")
        .mentions("larger than 8 MiB");
    home.run(APPLY)
        .exits(1)
        .mentions("note: memory/topics/huge.md is larger than 8 MiB")
        .mentions("delete them by hand");
    home.run(["show", "MEMORY.md"]).hides("figs");
    // Without the words the file does not matter to an erasure.
    fixture::put(&workspace(&home, ""), "memory/topics/huge.md", lines.as_bytes());
    home.run(APPLY).exits(0).mentions("The words were not found").hides("huge.md");
}
