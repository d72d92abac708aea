//! Vectors are made while nobody asks, and nobody waits for them.

use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use inwit_engine::notes::meaning::FILL_BATCH_TEXTS;
use inwit_engine::{Agent, AgentDeps, AgentPorts};
use inwit_model::{EmbedError, Embedder, Files, Scope};
use inwit_testkit::meaning::FakeEmbedder;
use inwit_testkit::{Shelf, keeping, meaning, parts};
use inwit_wire::tools::Set;
use serde_json::{Value, json};

use crate::world::lent;

/// Longest that the test waits for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A model that says when a fill begins a batch, and goes on when it is told to.
struct Paced {
    model: FakeEmbedder,
    began: Mutex<Sender<usize>>,
    goes_on: Mutex<Receiver<()>>,
}

impl Embedder for Paced {
    fn model(&self) -> &str {
        self.model.model()
    }

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if std::thread::current().name() == Some("fill") {
            self.began.lock().expect("no panic").send(texts.len()).expect("heard");
            self.goes_on.lock().expect("no panic").recv_timeout(PATIENCE).expect("told");
        }
        self.model.embed(texts)
    }
}

/// The answer to a message.
fn asks(to: &mut PipeWriter, from: &mut BufReader<PipeReader>, message: &Value) -> Value {
    writeln!(to, "{message}").expect("written");
    let mut line = String::new();
    from.read_line(&mut line).expect("a line");
    serde_json::from_str(&line).expect("a message")
}

#[test]
fn what_has_no_vector_gets_one_between_calls_and_nothing_waits_for_it() {
    let lines: Vec<String> = (0..3 * FILL_BATCH_TEXTS).map(|at| format!("- Loaf {at} is rye.\n")).collect();
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", lines.concat());
    let ((began, begun), (go_on, goes_on)) = (channel(), channel());
    let model = FakeEmbedder::of("test", &["bread loaf"]);
    let paced = Arc::new(Paced { model, began: Mutex::new(began), goes_on: Mutex::new(goes_on) });
    let agent = Agent::new(AgentPorts {
        keeping: AgentDeps { meaning: Some(meaning(paced)), ..keeping() },
        ..parts(Arc::new(shelf) as Arc<dyn Files>)
    });
    let mut connection = lent(agent, Scope::Main, &[Set::Default]);
    connection.fills = true;
    let (input, mut to) = std::io::pipe().expect("a pipe");
    let (from, output) = std::io::pipe().expect("a pipe");
    let server = std::thread::spawn(move || inwit_mcp::serve(connection, input, output));
    let mut from = BufReader::new(from);
    let client = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    asks(&mut to, &mut from, &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client }));
    writeln!(to, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).expect("written");
    assert_eq!(begun.recv_timeout(PATIENCE).expect("a batch"), FILL_BATCH_TEXTS);
    // The fill stands in the middle of its batch, and an answer comes all the same.
    let search = json!({ "name": "memory_search", "arguments": { "query": "rye" } });
    let search = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": search });
    let answer = asks(&mut to, &mut from, &search);
    assert!(!answer["result"]["structuredContent"]["results"].as_array().expect("hits").is_empty());
    go_on.send(()).expect("told");
    assert_eq!(begun.recv_timeout(PATIENCE).expect("the next batch"), FILL_BATCH_TEXTS);
    // The client goes: the server ends at once, and the fill begins nothing more.
    drop(to);
    server.join().expect("no panic").expect("served");
    go_on.send(()).expect("told");
    assert!(
        begun.recv_timeout(PATIENCE).is_err_and(|end| end == std::sync::mpsc::RecvTimeoutError::Disconnected)
    );
}

/// A model that has nothing for a fill the first times it is asked, and tells what it is asked for.
struct Late {
    model: FakeEmbedder,
    refusals: Mutex<usize>,
    asked: Mutex<Sender<String>>,
}

impl Embedder for Late {
    fn model(&self) -> &str {
        self.model.model()
    }

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut refusals = self.refusals.lock().expect("no panic");
        if *refusals > 0 {
            *refusals -= 1;
            return Err(EmbedError {
                code: inwit_model::Code::EmbeddingFailed,
                message: "It is late.".into(),
            });
        }
        texts.iter().for_each(|text| drop(self.asked.lock().expect("no panic").send((*text).to_owned())));
        self.model.embed(texts)
    }
}

/// Rooms come first. The pause after a failure is longer than the test waits.
#[test]
fn what_fails_in_one_set_stops_no_other() {
    let shelf = Shelf::default();
    shelf.write("rooms/kitchen.md", "- The oven is shared.\n");
    shelf.write("MEMORY.md", "- Rye bread on Sundays.\n");
    let (asked, heard) = channel();
    // The room's only text, by itself, and the plain word that tells whether it is the model.
    let model = FakeEmbedder::of("test", &["bread oven"]);
    let late = Arc::new(Late { model, refusals: Mutex::new(3), asked: Mutex::new(asked) });
    let agent = Agent::new(AgentPorts {
        keeping: AgentDeps { meaning: Some(meaning(late)), ..keeping() },
        ..parts(Arc::new(shelf) as Arc<dyn Files>)
    });
    let mut connection = lent(agent, Scope::Main, &[Set::Default]);
    connection.fills = true;
    let (input, to) = std::io::pipe().expect("a pipe");
    let (_from, output) = std::io::pipe().expect("a pipe");
    let server = std::thread::spawn(move || inwit_mcp::serve(connection, input, output));
    let first = heard.recv_timeout(PATIENCE).expect("the next set is filled");
    assert!(first.contains("Rye bread"), "{first}");
    drop(to);
    // A client that went before it began is no failure of the server.
    let _ = server.join().expect("no panic");
}
