//! What goes out, held against servers of this very machine that answer anything.

mod asking;
mod fetching;

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
