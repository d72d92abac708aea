//! The commands that README and the guides show are run as they stand there.
//!
//! A reader who copies a line gets what the page promises, or this fails. Lines of `make` build the
//! program and are run by the checks themselves.

use std::path::Path;

use inwit_testkit::Cli;

#[test]
fn every_inwit_line_of_the_readme_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let lines = inwit_lines(&readme);
    assert!(lines.len() >= 7, "the README shows the main verbs: {lines:?}");
    let home = Cli::new(env!("CARGO_BIN_EXE_inwit")).env("PATH", "/usr/local/bin:/usr/bin:/bin");
    for line in lines {
        let there = |word: &str| word.starts_with("examples/") || word.starts_with("crates/");
        let words = words_of(line).into_iter().skip(1);
        let arguments: Vec<String> = words
            .map(|word| if there(&word) { root.join(&word).display().to_string() } else { word })
            .collect();
        // A conversation prints what is typed into it; no model is asked.
        let stdin = if arguments == ["chat"] { "/session\n" } else { "" };
        let run = home.run_words_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), stdin);
        let is_setting = arguments.starts_with(&["config".to_owned(), "set".to_owned()]);
        assert!(is_setting || !run.stdout().is_empty(), "`{line}` prints nothing");
    }
}

/// Two pages that a reader follows with one agent: the values that one command prints are arguments of the next.
#[test]
fn every_inwit_line_of_the_guides_to_history_and_backups_runs() {
    if !inwit_testkit::has_git() {
        return;
    }
    let guides = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides");
    let page = |name: &str| std::fs::read_to_string(guides.join(name)).expect("the guide");
    let guide = page("history.md") + &page("backup.md");
    let lines = inwit_lines(&guide);
    for verb in
        ["undo", "history log", "history blame", "history restore", "search", "prompt", "backup", "restore"]
    {
        assert!(lines.iter().any(|line| line.starts_with(&format!("inwit {verb}"))), "{verb} is shown");
    }
    let home = Cli::new(env!("CARGO_BIN_EXE_inwit")).env("PATH", "/usr/local/bin:/usr/bin:/bin");
    for line in lines {
        let told = |words: &[&str], pointer: &str| {
            let value = home.run_words(words).json();
            value.pointer(pointer).and_then(|value| value.as_str()).map(str::to_owned).expect("told")
        };
        let id = || told(&["inbox", "--json"], "/proposals/0/id");
        let words = words_of(line).into_iter().skip(1).map(|word| match word.as_str() {
            // The state before the last change of the file.
            "REV" => told(&["history", "log", "MEMORY.md", "--json"], "/commits/1/revision"),
            "TIME" => told(&["history", "log", "MEMORY.md", "--json"], "/commits/1/at"),
            "ID" => id(),
            "CODE" => told(&["inbox", "show", &id(), "--json"], "/confirm"),
            _ => word,
        });
        let words: Vec<String> = words.collect();
        let run = home.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!run.stdout().is_empty(), "`{line}` prints nothing");
        run.exits(0);
    }
}

/// What a page shows to be typed.
fn inwit_lines(page: &str) -> Vec<&str> {
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).filter(|line| line.starts_with("inwit ")).collect()
}

/// The words of a shell line with double quotes.
fn words_of(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}
