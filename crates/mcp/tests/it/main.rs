//! What an MCP client is answered, by calls and by lines.

mod budgets;
mod embedding_fill;
mod fact_tools;
mod feedback;
mod fts;
mod mindroom;
mod openclaw;
mod past;
mod protocol;
mod read_tools;
mod resources_and_prompts;
mod scope_isolation;
mod world;
mod write_tools;

#[test]
fn every_file_here_is_compiled() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}

/// Older ones let any web page call every tool (CVE-2026-42559; D14).
#[test]
fn the_sdk_is_one_that_looks_at_the_host() {
    let lock = include_str!("../../../../Cargo.lock");
    let (_, behind) = lock.split_once("name = \"rmcp\"\nversion = \"").expect("rmcp is locked");
    let version: Vec<u32> =
        behind.split('"').next().expect("a version").split('.').map_while(|part| part.parse().ok()).collect();
    assert!(version.as_slice() >= &[1, 4][..], "{version:?}");
}
