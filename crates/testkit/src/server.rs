//! A local HTTP server with scripted answers, one connection after the other.
//!
//! Each answer closes its connection. A request beyond the script gets status 418, so a test sees unexpected requests
//! in the list.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// The response to one request.
pub enum Reply {
    /// These bytes, head and body.
    Bytes(Vec<u8>),
    /// These bytes, and then silence until the server goes.
    Held(Vec<u8>),
    /// The connection is closed without a response.
    Closed,
    /// What this function makes of the request.
    Of(Box<dyn FnOnce(&Request) -> Reply + Send>),
}

impl Reply {
    /// An answer with its length.
    pub fn with(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Self {
        let mut bytes =
            format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
        headers.iter().for_each(|(name, value)| bytes.push_str(&format!("{name}: {value}\r\n")));
        Self::Bytes([bytes.as_bytes(), b"\r\n", body].concat())
    }

    /// A successful response.
    pub fn good(body: impl AsRef<[u8]>) -> Self {
        Self::with("200 OK", &[], body.as_ref())
    }

    /// An error response.
    pub fn status(status: &str) -> Self {
        Self::with(status, &[], b"{}")
    }
}

/// A received request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The first line.
    pub line: String,
    /// All header lines, in lower case.
    pub head: String,
    /// The body.
    pub body: String,
}

/// A server that lives as long as its test.
pub struct Server {
    /// `http://127.0.0.1:PORT`.
    pub url: String,
    seen: Arc<Mutex<Vec<Request>>>,
    _held: Sender<()>,
}

impl Server {
    /// Answers in this order.
    pub fn answering(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (held, ends) = channel();
        let heard = Arc::clone(&seen);
        std::thread::spawn(move || serve(&listener, replies, &heard, &ends));
        Self { url, seen, _held: held }
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.seen.lock().expect("unpoisoned").clone()
    }
}

fn serve(listener: &TcpListener, replies: Vec<Reply>, seen: &Mutex<Vec<Request>>, ends: &Receiver<()>) {
    let mut replies = replies.into_iter();
    let mut silent = Vec::new();
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else { return };
        let Some(request) = heard(&stream) else { continue };
        let reply = match replies.next() {
            Some(Reply::Of(make)) => Some(make(&request)),
            reply => reply,
        };
        seen.lock().expect("unpoisoned").push(request);
        match reply {
            Some(Reply::Bytes(bytes)) => say(&mut stream, &bytes),
            Some(Reply::Held(bytes)) => {
                let _ = stream.write_all(&bytes);
                silent.push(stream);
            }
            Some(Reply::Closed) => {
                let _ = stream.shutdown(Shutdown::Both);
            }
            Some(Reply::Of(_)) | None => say(
                &mut stream,
                b"HTTP/1.1 418 Asked too often\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            ),
        }
        if ends.try_recv() == Err(std::sync::mpsc::TryRecvError::Disconnected) {
            return;
        }
    }
}

fn say(stream: &mut TcpStream, bytes: &[u8]) {
    // A client may close the connection when it has enough data.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
}

fn heard(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let (mut line, mut head) = (String::new(), String::new());
    reader.read_line(&mut line).ok().filter(|count| *count > 0)?;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        if header.trim().is_empty() {
            break;
        }
        head.push_str(&header.to_lowercase());
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or_default()];
    reader.read_exact(&mut body).ok()?;
    Some(Request { line: line.trim().to_owned(), head, body: String::from_utf8(body).ok()? })
}
