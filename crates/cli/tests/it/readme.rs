//! The commands that README shows are run as they stand there.
//!
//! A reader who copies a line gets what the page promises, or this fails. Lines of `make` build the
//! program and are run by the checks themselves.

use std::path::Path;

use inwit_testkit::Cli;

#[test]
fn every_inwit_line_of_the_readme_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines: Vec<&str> = blocks.flat_map(str::lines).filter(|line| line.starts_with("inwit ")).collect();
    assert!(lines.len() >= 7, "the README shows the main verbs: {lines:?}");
    let home = Cli::new(env!("CARGO_BIN_EXE_inwit")).env("PATH", "/usr/local/bin:/usr/bin:/bin");
    for line in lines {
        let there = |word: &str| word.starts_with("examples/") || word.starts_with("crates/");
        let words = words_of(line).into_iter().skip(1);
        let arguments: Vec<String> = words
            .map(|word| if there(&word) { root.join(&word).display().to_string() } else { word })
            .collect();
        let run = home.run_words(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!run.stdout().is_empty(), "`{line}` prints nothing");
    }
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
