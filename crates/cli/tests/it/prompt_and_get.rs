//! `inwit prompt` and `inwit show`: what a session begins with, and a file as it is.

use expect_test::expect;

use inwit_testkit::fixture;

use crate::{newcomer, user};

#[test]
fn a_prompt_is_printed_for_its_owner_and_for_a_room() {
    user()
        .run(["prompt", "-w", "notes"])
        .mentions("I am Ada")
        .mentions("rye bread")
        .mentions("Ana lives in Vigo.");
    user()
        .run(["prompt", "--room", "kitchen", "-w", "notes"])
        .mentions("Fridays")
        .hides("rye")
        .hides("Vigo")
        .hides("chest");
}

#[test]
fn a_prompt_comes_in_the_forms_that_hosts_take() {
    let anthropic = user().run(["prompt", "--format", "anthropic", "-w", "notes"]).json();
    assert!(anthropic.to_string().contains("I am Ada"), "{anthropic}");
    let openai = user().run(["prompt", "--format", "openai", "-w", "notes"]).json();
    assert!(openai.to_string().contains("I am Ada"), "{openai}");
    let blocks = user().run(["prompt", "--json", "-w", "notes"]).json();
    assert!(blocks.to_string().contains("sha256"), "{blocks}");
    user()
        .run(["prompt", "--format", "verse", "-w", "notes"])
        .mentions("`verse` is not valid for --format; use one of")
        .exits(2);
}

#[test]
fn a_report_names_what_was_left_out() {
    user()
        .run(["prompt", "--report", "--room", "kitchen", "-w", "notes"])
        .mentions("MEMORY.md")
        .mentions("SOUL.md")
        .hides("rye");
}

#[test]
fn a_citation_can_be_got() {
    user()
        .run(["show", "MEMORY.md#L3-L4", "-w", "notes"])
        .prints(expect![[r#"
        - Likes rye bread with caraway.
        - Dislikes coriander.
    "#]])
        .says(expect![[""]]);
    user().run(["show", "memory/2026-11-20.md:2", "-w", "notes"]).prints(expect![[r#"
        - It stands under the stairs.
    "#]]);
    user()
        .run(["show", "MEMORY.md:99", "-w", "notes"])
        .says(expect![[r#"
            error: `MEMORY.md` has 4 lines; line 99 is out of range.
            hint: Use a line number within the file. Without a line number, the whole file is shown.
        "#]])
        .exits(3);
}

/// Proves I1.
#[test]
fn a_file_that_a_room_may_not_see_is_not_there() {
    let run = |home: &inwit_testkit::Cli| {
        let run = home.run(["show", "MEMORY.md", "--room", "kitchen", "-w", "notes"]).exits(3);
        (run.stdout(), run.stderr())
    };
    let without = user();
    std::fs::remove_file(without.work("notes/MEMORY.md")).expect("gone");
    assert_eq!(run(&user()), run(&without));
}

#[test]
fn no_path_leads_out_of_the_workspace() {
    let home = user().write("work/secret.md", "outside\n");
    for path in [
        "../secret.md", "notes/../../secret.md", "/etc/passwd", "memory/../../secret.md", ".git/config",
        "C:\\x.md",
    ] {
        home.run(["show", path, "-w", "notes"]).hides("outside").hides("root:").exits(2);
    }
}

/// A fact stands beside the notes, and what was written before a file named the value was no secret then.
#[test]
fn a_value_that_a_file_names_is_masked_in_facts_and_in_the_past() {
    if !inwit_testkit::has_git() {
        return;
    }
    let value = "q7Gx-Mondlicht42-tR9";
    let cli =
        newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("INWIT_CLOCK", "2026-11-20T10:00:00Z");
    cli.run(["init", "--timezone", "UTC"]).exits(0);
    let note = format!("# Zebra\n\n- zebra item uses {value} there\n");
    cli.run_with(["edit", "notes/b.md", "--content-from", "-"], &note).exits(0);
    cli.run(["facts", "add", &format!("The zebra build uses {value}")]).exits(0);
    cli.run(["facts", "profile", "set", "editor", &format!("zebra {value}")]).exits(0);
    assert!(cli.run(["prompt"]).exits(0).stdout().contains(value), "nobody named it yet");
    let cli = cli.env("INWIT_CLOCK", "2026-11-22T10:00:00Z");
    let workspace = cli.home("inwit/agents/main/workspace");
    fixture::put(&workspace, "notes/a.md", format!("# Shop\n\n- SHOP_PASSWORD={value}\n").as_bytes());
    for words in [
        &["prompt"][..],
        &["facts", "search", "zebra build"],
        &["facts", "list"],
        &["search", "zebra", "--as-of", "2026-11-21"],
        &["prompt", "--as-of", "2026-11-21"],
        &["search", "zebra"],
    ] {
        let shown = cli.run_words(words).exits(0).stdout();
        assert!(!shown.contains(value), "{words:?}: {shown}");
    }
}
