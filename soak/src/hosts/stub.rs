//! The stub of both providers: HTTP/1.1 on the loopback, one request a connection.
//!
//! It finds the prompt of a request in the script and answers as the script says. Invariants: every body is recorded
//! before it is answered; a prompt that is to stay unanswered is held until the client closes the connection.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::answers::{self, Answer, Response};
use super::requests;
use super::script::Turn;

/// What a compaction gets, and any other request that is no prompt of the script.
const SUMMARY: &str = "<analysis>Short.</analysis>\n<summary>Work on the project went on.</summary>";

/// A request to a model, and the prompt of the script that it belongs to.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The prompt; `None` where the request is the client's own, such as a compaction.
    pub prompt: Option<String>,
    /// What tools returned since the prompt.
    pub returned: Vec<String>,
    /// What inwit added.
    pub context: String,
    /// What was typed earlier in the same session, which inwit does not add again.
    pub typed_before: Vec<String>,
}

/// A running stub. Its threads end with the process.
pub struct Stub {
    port: u16,
    shared: Arc<Shared>,
    held: Receiver<String>,
}

struct Shared {
    script: Mutex<Vec<Turn>>,
    recorded: Mutex<Vec<Recorded>>,
    unknown: Mutex<Vec<String>>,
}

impl Stub {
    /// Listens on a free port of the loopback.
    ///
    /// # Panics
    /// When the loopback cannot be listened on.
    #[track_caller]
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a loopback");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared {
            script: Mutex::default(),
            recorded: Mutex::default(),
            unknown: Mutex::default(),
        });
        let (holds, held) = channel();
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, holds) = (Arc::clone(&serving), holds.clone());
                std::thread::spawn(move || serve(&shared, &holds, stream));
            }
        });
        Self { port, shared, held }
    }

    /// Its address, without a path.
    pub fn address(&self) -> String {
        format!("http://{}:{}", Ipv4Addr::LOCALHOST, self.port)
    }

    /// Adds a turn to the script.
    pub fn expect(&self, turn: &Turn) {
        lock(&self.shared.script).push(turn.clone());
    }

    /// Waits until a request is held that stays unanswered: its prompt, or `None` after `wait`.
    pub fn holds(&self, wait: Duration) -> Option<String> {
        self.held.recv_timeout(wait).ok()
    }

    /// The requests so far, in the order of their arrival.
    pub fn recorded(&self) -> Vec<Recorded> {
        lock(&self.shared.recorded).clone()
    }

    /// Requests to paths that no provider of the script has: method and path.
    pub fn unknown(&self) -> Vec<String> {
        lock(&self.shared.unknown).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers one request. A client that is gone gets nothing.
fn serve(shared: &Shared, holds: &Sender<String>, mut stream: TcpStream) {
    let Some((method, path, body)) = read(&stream) else { return };
    let path = path.split('?').next().unwrap_or_default();
    let response = match (method.as_str(), path) {
        ("HEAD", _) => Some(("text/plain", String::new())),
        ("POST", "/v1/messages/count_tokens") => {
            Some(("application/json", json!({ "input_tokens": 100 }).to_string()))
        }
        ("POST", "/v1/messages" | "/v1/responses") => {
            match model(shared, path, &body) {
                Ok(response) => Some(response),
                Err(prompt) => {
                    let _ = holds.send(prompt);
                    // Returns when the client is gone: nothing more comes on this connection.
                    let _ = stream.read(&mut [0]);
                    return;
                }
            }
        }
        _ => {
            lock(&shared.unknown).push(format!("{method} {path}"));
            None
        }
    };
    let (status, (kind, text)) =
        response.map_or(("404 Not Found", ("application/json", "{}".to_owned())), |found| ("200 OK", found));
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n", text.len());
    let _ = write!(stream, "{head}connection: close\r\n\r\n{text}");
}

/// What the model says. The error is a prompt that it never answers.
fn model(shared: &Shared, path: &str, body: &Value) -> Result<Response, String> {
    let items = requests::items(body);
    let last = requests::last_prompt(&items);
    let turn = last
        .as_ref()
        .and_then(|(prompt, _)| lock(&shared.script).iter().find(|turn| turn.prompt == *prompt).cloned());
    let returned = last.map(|(_, returned)| returned).unwrap_or_default();
    let number = {
        let mut recorded = lock(&shared.recorded);
        recorded.push(Recorded {
            prompt: turn.as_ref().map(|turn| turn.prompt.clone()),
            returned: returned.iter().map(|text| (*text).to_owned()).collect(),
            context: requests::contexts(body),
            typed_before: requests::typed_before(&items),
        });
        recorded.len()
    };
    let answer = match turn {
        Some(turn) if turn.unanswered => return Err(turn.prompt),
        Some(Turn { call: Some((tool, arguments)), .. }) if returned.is_empty() => {
            Answer::Call(tool, arguments)
        }
        Some(turn) => Answer::Text(turn.reply),
        None => Answer::Text(SUMMARY.to_owned()),
    };
    Ok(if path == "/v1/messages" {
        answers::messages(&answer, number, body["stream"] == true, &body["model"])
    } else {
        answers::responses(&answer, number)
    })
}

/// Method, path and body of a request; `None` where it ends early. A body that is no JSON is null.
fn read(stream: &TcpStream) -> Option<(String, String, Value)> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((method, path, serde_json::from_slice(&body).unwrap_or_default()))
}
