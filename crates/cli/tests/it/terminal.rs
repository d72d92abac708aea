//! What a person sees at a terminal, and what a program reads in its place.

use inwit_testkit::Cli;

use crate::{newcomer, shell_on};

const PAGE: &str = "# Kiln\n\n- The kiln stands in the yard.\n- The kiln was lit by Ana on Monday.\n\n## Glaze\n\n- Celadon, 10 percent iron.\n";

fn long() -> String {
    format!("{}the kiln broke in March, {}\n", "rye bread, ".repeat(45), "oats, ".repeat(45))
}

/// A terminal is had with `script`, which every Linux has.
fn at_terminal(script: &str) -> String {
    let shell = Cli::new("/bin/sh")
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("PAGER", "cat")
        .write("work/notes/Q&A #1.md", PAGE)
        .write("work/notes/copy.md", "- Celadon, 10 percent iron.\n")
        .write("work/notes/long.md", &long());
    let line = format!("export PROGRAM=$0; script -qec '{script}' /dev/null");
    shell_on(&shell, &line).exits(0).stdout().replace('\r', "")
}

#[test]
fn a_result_has_a_number_a_link_its_headings_and_highlights() {
    let seen = at_terminal("TERM=xterm $PROGRAM -w notes search lit the kiln");
    let first = seen.lines().next().unwrap_or_default();
    assert!(first.starts_with("\u{1b}[32m1\u{1b}[0m  \u{1b}]8;;file://"), "{seen:?}");
    assert!(first.contains("/notes/Q%26A%20%231.md\u{1b}\\\u{1b}[35mQ&A #1.md#L4\u{1b}[0m"), "{seen:?}");
    assert!(first.ends_with("\u{1b}[2m  Kiln\u{1b}[0m"), "neighbours are one result: {seen:?}");
    assert!(seen.contains("The \u{1b}[1;31mkiln\u{1b}[0m was \u{1b}[1;31mlit\u{1b}[0m by Ana"), "{seen:?}");
}

#[test]
fn a_long_passage_is_cut_around_what_matches_and_a_copy_is_shown_once() {
    let seen = at_terminal("TERM=dumb $PROGRAM -w notes search kiln march");
    assert!(!seen.contains('\u{1b}'), "{seen:?}");
    assert!(seen.starts_with("1  long.md#L1\n"), "{seen:?}");
    let text = seen.lines().nth(1).unwrap_or_default().trim();
    assert!(
        text.starts_with('…') && text.ends_with('…') && text.contains("the kiln broke in March"),
        "{seen:?}"
    );
    assert!(text.chars().count() <= 400, "{seen:?}");
    assert!(at_terminal("TERM=dumb $PROGRAM -w notes search kiln march --full").contains(long().trim()));
    let copies = at_terminal("TERM=dumb $PROGRAM -w notes search celadon");
    assert_eq!(copies.matches("Celadon, 10 percent iron.").count(), 1, "{copies:?}");
    assert!(copies.contains("also "), "{copies:?}");
}

/// Paragraphs without a word of the question are neighbours of the one that answers, and are not shown.
#[test]
fn a_result_begins_with_the_passage_that_matches_best() {
    let script = "printf \"# Safety\\n\\nLunch was late.\\n\\nThe bus came.\\n\\nMeet at the plane tree.\\n\\nBirds sang.\\n\\nThe tree is old.\\n\" > notes/safety.md; printf \"# Walks\\n\\nAn oak tree.\\n\" > notes/walks.md; TERM=dumb $PROGRAM -w notes search plane tree";
    let seen = at_terminal(script);
    let first = "1  safety.md#L7  Safety\n   Meet at the plane tree.\n   … 3 more lines nearby";
    assert_eq!(seen.split("\n\n").next(), Some(first), "{seen}");
    let seen = at_terminal("TERM=dumb $PROGRAM -w notes search lit the kiln");
    let first = "1  Q&A #1.md#L4  Kiln\n   - The kiln was lit by Ana on Monday.\n   L3\n   - The kiln stands in the yard.";
    assert_eq!(seen.split("\n\n").next(), Some(first), "{seen}");
    let whole = at_terminal(&format!("{script} --full"));
    assert!(whole.contains("Birds sang.") && !whole.contains("nearby"), "{whole}");
}

/// Numbers had gaps where neighbours were one result, and `open 2` took the second of them.
#[test]
fn results_are_numbered_as_they_are_shown() {
    let write = "printf \"# Kiln\\n\\nThe kiln stands.\\n\\nThe kiln smokes.\\n\\nThe kiln cools.\\n\" > notes/kiln.md; printf \"# Yard\\n\\nBeside the kiln.\\n\\n## Wall\\n\\nIt is old.\\n\" > notes/yard.md; rm notes/long.md \"notes/Q&A #1.md\";";
    let seen = at_terminal(&format!("{write} TERM=dumb $PROGRAM -w notes search kiln -n 20"));
    let numbers: Vec<&str> =
        seen.lines().filter(|line| line.contains(".md#L")).map(|line| &line[..1]).collect();
    assert_eq!(numbers, ["1", "2"], "{seen}");
    assert!(!seen.contains("It is old."), "{seen}");
    let opened = at_terminal(&format!(
        "{write} $PROGRAM -w notes search kiln -n 20 > first; EDITOR=\"echo opens\" $PROGRAM -w notes open 2; $PROGRAM -w notes search kiln -n 20 > /dev/tty; EDITOR=\"echo opens\" $PROGRAM -w notes open 2; $PROGRAM -w notes search --rate useful 2; $PROGRAM -w notes open 3 2>&1 || true"
    ));
    assert!(opened.contains("/notes/yard.md\n"), "{opened}");
    assert!(opened.contains("yard.md#L3  main"), "{opened}");
    assert!(opened.contains("There is no result 3; the last search has results 1 to 2"), "{opened}");
}

#[test]
fn lines_are_as_wide_as_the_terminal() {
    for columns in [60, 80, 100] {
        let seen = at_terminal(&format!(
            "printf \"# Birds in the yard\\n\\n- The kiln %s\\n\" \"$(yes cools slowly | head -30 | tr \\\\n \\ )\" > notes/birds.md; stty cols {columns} rows 40; TERM=dumb $PROGRAM -w notes search kiln cools slowly"
        ));
        let widest = seen.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(columns) && widest > Some(columns - 12), "{columns}: {seen}");
        assert!(seen.contains("\n   - The kiln cools") && seen.contains("\n     "), "{seen}");
    }
}

#[test]
fn colour_is_a_choice() {
    let esc = '\u{1b}';
    let seen = |script: &str| at_terminal(script).contains(esc);
    assert!(!seen("TERM=xterm NO_COLOR=1 $PROGRAM -w notes search kiln"));
    assert!(!seen("TERM=xterm $PROGRAM -w notes search kiln --color never"));
    assert!(seen("TERM=dumb $PROGRAM -w notes search kiln --color always"));
    assert!(seen("$PROGRAM -w notes search kiln --color always | cat"), "through a pipe as well");
}

#[test]
fn a_result_is_opened_at_its_line() {
    let seen = at_terminal(
        "TERM=dumb $PROGRAM -w notes search lit the kiln; EDITOR=\"echo vim\" $PROGRAM -w notes open 1; EDITOR=\"echo opens\" $PROGRAM -w notes open \"long.md:1\"",
    );
    // `echo` is the editor, and takes no line.
    assert!(
        seen.lines().any(|line| line.ends_with("/notes/Q&A #1.md") && line.starts_with("vim ")),
        "{seen:?}"
    );
    assert!(
        seen.lines().any(|line| line.starts_with("opens ") && line.ends_with("/notes/long.md")),
        "{seen:?}"
    );
}

/// A program reads whole passages, and a snippet that holds the match.
#[test]
fn json_has_a_snippet_with_the_match() {
    let home = newcomer().write("work/notes/long.md", &long());
    let found = home.run(["search", "kiln march", "--json", "-w", "notes"]).json();
    let result = &found["results"][0];
    assert!(result["text"].as_str().expect("text").len() > 700);
    let snippet = result["snippet"].as_str().expect("a snippet");
    assert!(snippet.contains("the kiln broke in March") && snippet.chars().count() <= 700, "{snippet}");
}

#[test]
fn an_entry_is_given_in_words_or_on_stdin() {
    let home = newcomer();
    home.run(["init", "-q"]).exits(0);
    home.run(["remember", "The", "kiln", "is", "lit", "--section", "Yard"]).exits(0);
    home.run_with(["remember", "-"], "The oven ticks.\n").exits(0);
    home.run(["remember", "- Celadon has iron"]).exits(0);
    home.run_with(["journal", "add", "-"], "Lit the kiln.\n").exits(0);
    home.run(["journal", "add", "The", "glaze", "ran"]).exits(0);
    home.run(["show", "MEMORY.md"])
        .mentions("- The kiln is lit\n")
        .mentions("- The oven ticks.\n")
        .mentions("- Celadon has iron\n")
        .hides("- -");
    home.run_with(["remember", "-"], "Glaze <private>at the pier</private> twice").exits(0);
    // What is private over several arguments is refused as a whole.
    home.run(["remember", "Ash", "<private>", "by", "the", "wall</private>", "sinks"]).exits(2);
    home.run_with(["remember", "-"], "<private>all</private>").mentions("<private>").exits(2);
    home.run(["show", "MEMORY.md"]).mentions("twice").hides("pier").hides("wall");
    home.run(["journal", "show", "today"]).mentions("Lit the kiln.").mentions("The glaze ran");
    home.run(["journal", "show", "yesterday"]).mentions("No log for").exits(0);
    home.run(["journal", "show", "someday"]).mentions("Cannot parse `someday` as a day").exits(2);
}

#[test]
fn long_output_goes_through_the_pager_of_the_person() {
    let seen =
        at_terminal("TERM=xterm PAGER=\"sed s/^/paged:/\" $PROGRAM -w notes search celadon --color never");
    assert!(seen.lines().count() > 1 && seen.lines().all(|line| line.starts_with("paged:")), "{seen:?}");
    let seen = at_terminal("TERM=xterm PAGER=no-such-pager $PROGRAM -w notes search celadon --color never");
    assert!(seen.contains("Celadon, 10 percent iron."), "{seen:?}");
    let seen = at_terminal("TERM=xterm PAGER=\"sed s/^/paged:/\" $PROGRAM -w notes search celadon --json");
    assert!(!seen.contains("paged:"), "{seen:?}");
}

#[test]
fn a_note_follows_the_output_it_is_about() {
    let seen = at_terminal("TERM=dumb $PROGRAM init --timezone UTC");
    let at = |text: &str| seen.find(text).unwrap_or_else(|| panic!("{text}: {seen:?}"));
    assert!(at("Agent `main` is in") < at("Next:"), "{seen:?}");
}
