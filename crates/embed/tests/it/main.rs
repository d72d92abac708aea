//! The local embedder against what others compute: its tokens and its vectors.

mod agreeing;
mod failing;
mod tokens;

/// A test file that no `mod` line names would never run.
#[test]
fn no_file_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
