//! The model that vectors are tested with, where there is one.
//!
//! Its weights are ninety megabytes of somebody else's and are never part of the repository. `.ci/deps`
//! puts them into `model/` of the build folder; `INWIT_TEST_MODEL` names another one. A server must have
//! them unless it said that they could not be had; elsewhere the test says that it was skipped.
//! Invariant: nothing here fetches anything.

use std::path::PathBuf;

use crate::is_there;

/// The folder of all-MiniLM-L6-v2; `None` where it is not, and then the test has said so.
#[track_caller]
pub fn model() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "a test is told where its model lies")]
    let folder = std::env::var_os("INWIT_TEST_MODEL").map_or_else(beside_the_tests, PathBuf::from);
    let given_up = folder.join("not-to-be-had").exists();
    let there = folder.join("model.safetensors").exists();
    (is_there(there || given_up, "model all-MiniLM-L6-v2") && there).then_some(folder)
}

/// `model` in the build folder, in which tests lie two folders deep.
fn beside_the_tests() -> PathBuf {
    let test = std::env::current_exe().expect("the test knows itself");
    test.ancestors().nth(3).expect("a build folder").join("model")
}
