//! The local models against what others compute: their tokens, vectors and scores.

mod agreeing;
mod failing;
mod other_models;
mod reference;
mod reranking;
mod tokens;

/// A test file that no `mod` line names would never run.
#[test]
fn no_file_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
