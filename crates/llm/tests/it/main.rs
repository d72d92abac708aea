//! Providers on this machine that answer anything: what is sent, and what becomes of each answer.

mod completing;
mod streaming;

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
