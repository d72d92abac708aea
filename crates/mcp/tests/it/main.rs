//! What an MCP client is answered, by calls and by lines.

mod calling;
mod changing;
mod hiding;
mod lending;
mod speaking;
mod world;

#[test]
fn every_file_here_is_compiled() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
