//! The embedding model of the tests, if it is installed.
//!
//! Its weights are ninety megabytes of a third party and are never part of the repository. `.ci/deps` puts them into
//! `model/` of the build folder; `INWIT_TEST_MODEL` names another folder. A CI server must have them unless it
//! reported that they are unavailable; elsewhere the test reports that it was skipped. Invariant: this module
//! downloads nothing.

use std::path::PathBuf;

use crate::is_there;

/// The folder of all-MiniLM-L6-v2; `None` if it is missing, which is reported.
#[track_caller]
pub fn model() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "a test is told where its model lies")]
    let folder = std::env::var_os("INWIT_TEST_MODEL").map_or_else(beside_the_tests, PathBuf::from);
    let given_up = folder.join("not-to-be-had").exists();
    let there = folder.join("model.safetensors").exists();
    (is_there(there || given_up, "model all-MiniLM-L6-v2") && there).then_some(folder)
}

/// `model` in the build folder: a program is one level deep in it, a test two.
fn beside_the_tests() -> PathBuf {
    let program = std::env::current_exe().expect("a program knows itself");
    let folders = || program.ancestors().skip(2).take(2).map(|folder| folder.join("model"));
    folders().find(|folder| folder.exists()).or_else(|| folders().last()).expect("a build folder")
}
