//! Non-interference on the line: what a room or a stranger is told depends on shared files alone.
//!
//! The campaign `hiding` asks many more pairs by calls; here a hundred are asked through the protocol.

use std::io::{BufRead as _, BufReader, Write as _};

use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_engine::{Outcome, WriteContext};
use inwit_mcp::Connection;
use inwit_model::Scope;
use inwit_testkit::twins::plain;
use inwit_testkit::{Twins, room};
use inwit_wire::tools::{self, Set};
use serde_json::{Value, json};

use crate::world::{ADA, lent, world};

/// Pairs of homes that are asked by lines.
const SERVED: u64 = 100;

/// Proves I1, X21.
#[test]
fn private_files_change_no_byte_on_the_line() {
    for seed in 10_000..10_000 + SERVED {
        let mut twins = Twins::of(seed);
        let mut lines = vec![json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } })];
        for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
            lines.push(json!({ "jsonrpc": "2.0", "id": lines.len(), "method": method }));
        }
        let set = Set::ALL[seed as usize % Set::ALL.len()];
        let scope = twins.scope.clone();
        let tools = tools::all().filter(|tool| tool.set == set).map(|tool| tool.name);
        for tool in tools {
            let params = json!({ "name": tool, "arguments": twins.arguments(tool) });
            lines.push(
                json!({ "jsonrpc": "2.0", "id": lines.len(), "method": "tools/call", "params": params }),
            );
        }
        let uri = format!("mem://ada/{}", twins.private_name());
        lines.push(json!({ "jsonrpc": "2.0", "id": lines.len(), "method": "resources/read", "params": { "uri": uri } }));
        twins.entropy.iter().for_each(|entropy| entropy.start_again(seed));
        let [one, two] = twins.agents.map(|agent| spoken(lent(agent, scope.clone(), &[set]), &lines));
        for ((one, two), asked) in one.iter().zip(&two).zip(&lines) {
            assert_eq!(one, two, "seed {seed}: {asked}");
        }
    }
}

/// What a connection says to `lines`, one after the other.
fn spoken(connection: Connection, lines: &[Value]) -> Vec<String> {
    let (input, mut to) = std::io::pipe().expect("a pipe");
    let (from, output) = std::io::pipe().expect("a pipe");
    let server = std::thread::spawn(move || inwit_mcp::serve(connection, input, output));
    let mut from = BufReader::new(from).lines();
    let mut said = Vec::new();
    for line in lines {
        writeln!(to, "{line}").expect("written");
        said.push(from.next().expect("an answer").expect("a line"));
    }
    drop(to);
    server.join().expect("no panic").expect("served");
    said
}

/// One owner's agent asked for the same lines of the kitchen's page before, and has as many wishes open as it may; in the
/// other home nobody asked for anything. The kitchen is answered the same, also when it asks for too much itself.
///
/// Proves I1, X21.
#[test]
fn what_others_asked_for_changes_no_answer_to_a_room() {
    const WISHES: usize = 25;
    let heard = [false, true].map(|is_busy| {
        let kitchen = world(ADA, room("kitchen"), &[Set::Default]);
        let agent = &kitchen.connection.agent;
        let wishes: Vec<String> = (0..WISHES).map(|at| format!("Shelf {at} is for flour.")).collect();
        let mut private = Vec::new();
        for text in wishes.iter().filter(|_| is_busy) {
            let entry = Entry { text, section: SECTION_DEFAULT };
            let asked = agent.notes.remember_in(
                &Scope::Main,
                Some("rooms/kitchen.md"),
                &entry,
                &WriteContext::of_tool(""),
            );
            if let Ok(Outcome::Pending { id, .. }) = asked {
                private.push(id.to_string());
            }
        }
        assert_eq!(private.is_empty(), !is_busy, "the busy home has wishes that wait");
        let asked = |text: &String| {
            let text = kitchen.called("memory_remember", json!({ "text": text })).text;
            assert!(!private.iter().any(|id| text.contains(id)), "the id of another's wish: {text}");
            plain(&text)
        };
        let answers: Vec<String> = wishes.iter().map(asked).collect();
        (answers, kitchen.called("memory_status", json!({})).text)
    });
    assert_eq!(heard[0], heard[1]);
}
