//! One HTTP request: bounded in time and bytes, without redirects.
//!
//! Invariants: a redirect is an ordinary answer, and the caller decides; no proxy of the environment is used, since
//! the data may be private and the user named one host; errors contain no path, query or key.

use std::io::{self, Read as _};
use std::time::Duration;

use ureq::http::Response;
use ureq::{Agent, Body, Timeout};

use crate::{Address, Key, KeyHeader};

/// Default timeout of a query's vector, in milliseconds; then words answer.
pub const QUESTION_WAIT_MS_DEFAULT: u64 = 2_000;

/// How long a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Until the connection stands, with its name looked up and TLS agreed.
    pub connect: Duration,
    /// Without a single byte.
    pub silence: Duration,
    /// From the first byte to the last.
    pub whole: Duration,
}

impl Patience {
    /// For the vector of a question: a person waits, and words can answer without it.
    pub const QUESTION: Self = Self::within(Duration::from_millis(QUESTION_WAIT_MS_DEFAULT));

    /// All of a request within `wait`.
    pub const fn within(wait: Duration) -> Self {
        Self { connect: wait, silence: wait, whole: wait }
    }

    /// For passages, in the background.
    pub const EMBEDDING: Self = Self {
        connect: Duration::from_secs(5),
        silence: Duration::from_secs(60),
        whole: Duration::from_secs(60),
    };

    /// For an answer of a language model: a server may load the model before the first byte.
    pub const COMPLETION: Self = Self {
        connect: Duration::from_secs(5),
        silence: Duration::from_secs(90),
        whole: Duration::from_secs(300),
    };

    /// For a judge, at the end of a process.
    pub const JUDGE: Self = Self {
        connect: Duration::from_secs(3),
        silence: Duration::from_secs(20),
        whole: Duration::from_secs(20),
    };

    /// For files: a slow line is no error, one that stands still is.
    pub const DOWNLOAD: Self = Self {
        connect: Duration::from_secs(10),
        silence: Duration::from_secs(30),
        whole: Duration::from_secs(2 * 60 * 60),
    };
}

/// Makes requests. Connections are kept for the next one.
pub struct Client {
    agent: Agent,
    patience: Patience,
}

/// An answer whose body is still to be read.
pub struct Answer {
    /// Status of HTTP.
    pub status: u16,
    response: Response<Body>,
    patience: Patience,
}

/// Why there is no answer, or not all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The end of a sentence that begins with the address.
    pub why: String,
    /// Nothing was answered, since the connection did not come about or broke.
    pub is_unreached: bool,
    /// It was waited for until the patience was over.
    pub is_late: bool,
}

impl Client {
    /// A client whose requests take at most `patience`. Makes no request.
    pub fn new(patience: Patience) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(concat!("inwit/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(patience.connect))
            .timeout_per_read(Some(patience.silence))
            .timeout_global(Some(patience.whole))
            .build();
        Self { agent: config.into(), patience }
    }

    /// Sends a JSON text with further headers, and with a key in its header.
    pub fn post(
        &self,
        address: &Address,
        headers: &[(&'static str, &'static str)],
        key: Option<(KeyHeader, &Key)>,
        json: &[u8],
    ) -> Result<Answer, Broken> {
        let mut request = self.agent.post(address.uri()).header("Content-Type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some((header, key)) = key {
            let (name, value) = key.header(header);
            request = request.header(name, value);
        }
        self.answer(request.send(json))
    }

    /// Asks for a file, from its byte `from` on.
    pub fn get(&self, address: &Address, from: u64) -> Result<Answer, Broken> {
        let mut request = self.agent.get(address.uri());
        if from > 0 {
            request = request.header("Range", format!("bytes={from}-"));
        }
        self.answer(request.call())
    }

    fn answer(&self, got: Result<Response<Body>, ureq::Error>) -> Result<Answer, Broken> {
        let patience = self.patience;
        let response = got.map_err(|error| Broken::of(error, patience))?;
        Ok(Answer { status: response.status().as_u16(), response, patience })
    }
}

impl Answer {
    /// A header, where it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// The whole body, `None` where it has more than `bytes_max` bytes.
    pub fn body(self, bytes_max: u64) -> Result<Option<Vec<u8>>, Broken> {
        let mut bytes = Vec::new();
        let patience = self.patience;
        let reader = self.response.into_body().into_reader();
        reader
            .take(bytes_max + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Broken::of(error.into(), patience))?;
        Ok((bytes.len() as u64 <= bytes_max).then_some(bytes))
    }

    /// Hands the body to `take`, piece by piece, until it ends or `take` says `false`.
    pub fn pieces(self, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<(), Broken> {
        const PIECE_BYTES: usize = 64 * 1024;
        let patience = self.patience;
        let mut reader = self.response.into_body().into_reader();
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(count) if take(&piece[..count]) => {}
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Broken::of(error.into(), patience)),
            }
        }
    }
}

impl Broken {
    fn of(error: ureq::Error, patience: Patience) -> Self {
        let is_late = match &error {
            ureq::Error::Timeout(_) => true,
            ureq::Error::Io(error) => error.kind() == io::ErrorKind::TimedOut,
            _ => false,
        };
        let unreached = |why: String| Self { why, is_unreached: true, is_late };
        let broken = |why: String| Self { why, is_unreached: false, is_late };
        let seconds = |duration: Duration| format!("{} s", duration.as_secs_f32());
        match error {
            ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
                unreached(format!("could not be reached within {}", seconds(patience.connect)))
            }
            ureq::Error::Timeout(Timeout::PerRead | Timeout::PerWrite) => {
                broken(format!("sent nothing for {}", seconds(patience.silence)))
            }
            ureq::Error::Timeout(_) => broken(format!("took longer than {}", seconds(patience.whole))),
            ureq::Error::HostNotFound => unreached("could not be reached: unknown host".into()),
            ureq::Error::ConnectionFailed => unreached("could not be reached".into()),
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => {
                broken(format!("sent nothing for {}", seconds(patience.silence)))
            }
            ureq::Error::Io(error) if hung_up(error.kind()) => {
                unreached("closed the connection early".into())
            }
            ureq::Error::Io(error) => {
                unreached(format!("could not be reached: {}", short(&error.to_string())))
            }
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
                broken(format!("could not be verified (TLS): {}", short(&error.to_string())))
            }
            ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) | ureq::Error::BodyStalled => {
                broken("did not answer with valid HTTP".into())
            }
            // Others stand for requests that this crate does not make.
            _ => broken("could not be called".into()),
        }
    }
}

fn hung_up(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

/// The start of a foreign text, on one line.
pub fn short(text: &str) -> String {
    const CHARS_MAX: usize = 160;
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let line = words.join(" ");
    let end = line.char_indices().nth(CHARS_MAX).map_or(line.len(), |(at, _)| at);
    let cut = if end < line.len() { "…" } else { "" };
    format!("{}{cut}", line[..end].trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_are_one_short_line() {
        assert_eq!(short(" a\n\tb\u{1b}c. "), "a b c");
        assert_eq!(short(&"é".repeat(500)).chars().count(), 161);
    }
}
