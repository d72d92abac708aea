//! `cargo xtask`: checks of the repository, and generated pages.
//!
//! [`tidy`] checks our rules; [`docs`] writes pages from tables; [`ci`] is the list of steps, the same here and on a
//! server. Reading order: [`tree`] (the files), [`rust`] and [`tokens`] (parsing sources), [`tidy`], [`docs`],
//! [`ci`]. Invariant: nothing here is part of the program, and only `docs` and `man` write.

mod ci;
mod count;
mod docs;
mod man;
mod metadata;
mod program;
mod requirement;
mod rust;
mod tidy;
mod tokens;
mod tree;
mod ui;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask ci      format, lints, documents, tidy, doctests, tests: what a push must pass
cargo xtask tidy    the rules that no other tool keeps
cargo xtask docs    write docs/reference/ and docs/conformance.md from the tables
cargo xtask man DIR write a man page of each command into DIR";

#[expect(clippy::disallowed_methods, reason = "this is where arguments enter")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["ci"] => ci::run(&root()),
        ["tidy"] => tidy::run(&root()),
        ["docs"] => docs::write(&root()),
        ["man", folder] => man::write(Path::new(folder)),
        [] | ["help" | "--help" | "-h"] => {
            ui::line(HELP);
            Ok(true)
        }
        _ => {
            ui::line(HELP);
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            ui::line(&format!("error: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// The repository, wherever cargo was called from.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.to_path_buf(), Path::to_path_buf)
}
