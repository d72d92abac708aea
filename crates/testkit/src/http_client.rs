//! A plain HTTP client: one request on one connection, every byte of it chosen by the test.

use std::io::{Read, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

/// The longest wait for a server that says nothing; a test that reaches it fails.
const SILENCE_SECONDS_MAX: u64 = 60;

/// A client of one server, with the headers that every request sends.
#[derive(Debug, Clone)]
pub struct HttpClient {
    /// `127.0.0.1:PORT`.
    pub address: String,
    /// The unix socket that it connects to instead.
    socket: Option<PathBuf>,
    headers: Vec<(String, String)>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpAnswer {
    /// Such as 200; 0 if the server closed the connection without an answer.
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpClient {
    /// Of the server at `url`.
    pub fn of(url: &str) -> Self {
        Self { address: url.trim_start_matches("http://").to_owned(), socket: None, headers: Vec::new() }
    }

    /// Of the server on a unix socket.
    pub fn of_socket(path: &Path) -> Self {
        Self { address: "localhost".to_owned(), socket: Some(path.to_owned()), headers: Vec::new() }
    }

    /// The same with this header.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// A header that every request sends.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The same with this token.
    pub fn token(&self, token: &str) -> Self {
        self.with("Authorization", &format!("Bearer {token}"))
    }

    /// The same as part of a fixed trace, so that the same problem has the same bytes.
    pub fn traced(&self) -> Self {
        self.with("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    }

    /// Reads `path`.
    #[track_caller]
    pub fn get(&self, path: &str) -> HttpAnswer {
        self.send("GET", path, b"")
    }

    /// Sends JSON.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> HttpAnswer {
        self.with("Content-Type", "application/json").send("POST", path, body.to_string().as_bytes())
    }

    /// Sends a text file over the version with this ETag; without one, the file must not exist.
    #[track_caller]
    pub fn put(&self, path: &str, text: &str, etag: Option<&str>) -> HttpAnswer {
        let client = match etag {
            Some(etag) => self.with("If-Match", etag),
            None => self.with("If-None-Match", "*"),
        };
        client.with("Content-Type", "text/markdown").send("PUT", path, text.as_bytes())
    }

    /// Sends one request and reads its answer.
    #[track_caller]
    pub fn send(&self, method: &str, path: &str, body: &[u8]) -> HttpAnswer {
        self.exchange(&self.request(method, path, body))
    }

    /// The same where the server may be gone: `None` if it does not listen, and status 0 if it gave no answer.
    pub fn attempt(&self, method: &str, path: &str, body: &[u8]) -> Option<HttpAnswer> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(SILENCE_SECONDS_MAX))).ok()?;
        let _ = stream.write_all(&self.request(method, path, body));
        Some(read(stream))
    }

    /// The bytes of a request.
    fn request(&self, method: &str, path: &str, body: &[u8]) -> Vec<u8> {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        self.headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("Connection: close\r\n\r\n");
        [head.as_bytes(), body].concat()
    }

    /// Sends these bytes, and reads until the server closes.
    #[track_caller]
    pub fn exchange(&self, bytes: &[u8]) -> HttpAnswer {
        // A server may answer and close before it has read everything.
        if let Some(path) = &self.socket {
            let mut stream = UnixStream::connect(path).expect("the server listens");
            stream.set_read_timeout(Some(Duration::from_secs(SILENCE_SECONDS_MAX))).expect("a timeout");
            let _ = stream.write_all(bytes);
            return read(stream);
        }
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        read(stream)
    }

    /// Reads `path`, only the head of the answer: its body may have no end.
    #[track_caller]
    pub fn head(&self, path: &str) -> HttpAnswer {
        let mut head = format!("GET {path} HTTP/1.1\r\n");
        if self.header("Host").is_none() {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        self.headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        let mut stream = self.connect();
        stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).expect("sent");
        let (mut bytes, mut byte) = (Vec::new(), [0]);
        while !bytes.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read > 0) {
            bytes.push(byte[0]);
        }
        let answer = parsed(&bytes);
        if answer.header("content-type") == Some("text/event-stream") {
            return answer;
        }
        let _ = stream.read_to_end(&mut bytes);
        parsed(&bytes)
    }

    /// A connection.
    #[track_caller]
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(SILENCE_SECONDS_MAX))).expect("a timeout");
        stream
    }
}

/// Reads the answer of a connection until the server closes it.
pub fn read(mut stream: impl Read) -> HttpAnswer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    parsed(&bytes)
}

/// The answer in these bytes.
fn parsed(bytes: &[u8]) -> HttpAnswer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let (head, body) = end.map_or((bytes, &[][..]), |end| (&bytes[..end], &bytes[end + 4..]));
    let head = String::from_utf8_lossy(head);
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    HttpAnswer { status, headers, body: body.to_vec() }
}

impl HttpAnswer {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The ETag.
    #[track_caller]
    pub fn etag(&self) -> String {
        self.header("etag").unwrap_or_else(|| panic!("no ETag: {self:?}")).to_owned()
    }

    /// The code of a failure, in either of its shapes; empty for another answer.
    pub fn code(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body["code"].as_str().or(body["error"]["code"].as_str()).unwrap_or_default().to_owned()
    }
}
