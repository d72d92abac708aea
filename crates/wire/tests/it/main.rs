//! What hosts are given: the same texts in every form, and in a shared one no trace of private files.

mod knowledge_budget;
mod prompt_forms;

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
