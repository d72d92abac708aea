//! The whole program: what only its faces show. What a verb decides is proven below, in the engine.

mod entering;
mod keeping;

use inwit_testkit::Cli;

/// A user without any notes.
fn newcomer() -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_inwit"))
}

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
