//! The tests that see the crate as its users do: golden trees and properties.

mod golden;
mod hostile;
mod properties;
mod tree;

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
