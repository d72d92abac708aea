//! Where words go: data to stdout, talk to stderr.
//!
//! A reader that closes the pipe early (`inwit search … | head -1`) ends the command quietly.
//! Progress is drawn only where a person watches. Colour never carries meaning, so there is none.

use std::io::{self, IsTerminal as _, Write};

use inwit_engine::Notice;
use inwit_wire::NoticeV1;
use serde::Serialize;

use crate::error::CliError;

/// The two streams of a command.
pub struct Ui {
    out: Box<dyn Write>,
    talk: Box<dyn Write>,
    watched: bool,
    quiet: bool,
    json: bool,
    drawn: bool,
}

impl Ui {
    /// The streams of the process.
    pub fn of_process(json: bool, quiet: bool) -> Self {
        Self {
            out: Box::new(io::BufWriter::new(io::stdout())),
            talk: Box::new(io::stderr()),
            watched: io::stderr().is_terminal(),
            quiet,
            json,
            drawn: false,
        }
    }

    /// Whether data is asked for as JSON.
    pub fn json(&self) -> bool {
        self.json
    }

    /// A line of data.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.data(text.as_ref().as_bytes());
        self.data(b"\n");
    }

    /// Bytes of data as they are.
    pub fn data(&mut self, bytes: &[u8]) {
        let done = self.out.write_all(bytes);
        self.end_if_unread(done);
    }

    /// Data as indented JSON.
    pub fn value(&mut self, value: &impl Serialize) {
        match serde_json::to_string_pretty(value) {
            Ok(text) => self.line(text),
            Err(error) => self.say(format!("error: the answer is no JSON: {error}.")),
        }
    }

    /// Data as one line of JSON, seen by the reader at once.
    pub fn json_line(&mut self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(text) => self.line(text),
            Err(error) => self.say(format!("error: the answer is no JSON: {error}.")),
        }
    }

    /// A line of talk; nobody hears it under `--quiet`.
    pub fn say(&mut self, text: impl AsRef<str>) {
        if !self.quiet {
            self.clear_progress();
            let _ = writeln!(self.talk, "{}", text.as_ref());
        }
    }

    /// A notice: a sentence and what can be done. In JSON it stands in the answer itself.
    pub fn notice(&mut self, notice: &Notice) {
        if !self.json {
            self.say(format!("note: {}", notice.message));
            self.say(format!("hint: {}", notice.hint));
        }
    }

    /// Notices as they stand in JSON.
    pub fn wire_notices(notices: &[Notice]) -> Vec<NoticeV1> {
        notices.iter().map(NoticeV1::from).collect()
    }

    /// Progress of long work, on one line, where a person watches.
    pub fn progress(&mut self, what: &str, done: usize, of: usize) {
        if self.watched && !self.quiet {
            let _ = write!(self.talk, "\r\x1b[2K{what}: {done} of {of}");
            let _ = self.talk.flush();
            self.drawn = true;
        }
    }

    /// Takes the progress line away.
    pub fn clear_progress(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _ = write!(self.talk, "\r\x1b[2K");
            let _ = self.talk.flush();
        }
    }

    /// An error with its hint. It is heard even under `--quiet`.
    pub fn error(&mut self, error: &CliError) {
        self.clear_progress();
        let _ = self.out.flush();
        let wire = error.wire();
        if self.json {
            let line = serde_json::json!({ "error": wire });
            let _ = writeln!(self.talk, "{line}");
        } else {
            let _ = writeln!(self.talk, "error: {}", wire.message);
            let _ = writeln!(self.talk, "hint: {}", wire.hint);
        }
    }

    /// Makes sure that all data has left.
    pub fn finish(&mut self) {
        self.clear_progress();
        let done = self.out.flush();
        self.end_if_unread(done);
    }

    fn end_if_unread(&mut self, done: io::Result<()>) {
        match done {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => {
                let _ = writeln!(self.talk, "error: the output cannot be written: {error}.");
                std::process::exit(1);
            }
        }
    }
}
