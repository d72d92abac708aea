//! Where words go: data to stdout, talk to stderr.
//!
//! A reader that closes the pipe early (`inwit search … | head -1`) ends the command quietly.
//! Progress is drawn only where a person watches. Colour never carries meaning alone ([`Style`]).
//! Invariant: notes are written by many hands, so no line of text carries a control character or an
//! invisible one to the terminal; JSON, and content that goes to a program, keep every byte.

use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal as _, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use inwit_engine::Notice;
use inwit_model::invisible::{reveal, revealed};
use inwit_wire::{FailureV1, NoticeV1, in_voice};
use serde::Serialize;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use unicode_width::UnicodeWidthChar as _;

use crate::error::CliError;
use crate::hints;
use crate::pager::Pager;
use crate::wrap::wrapped;

/// The two streams of a command.
pub struct Ui {
    out: Box<dyn Write>,
    talk: Box<dyn Write>,
    watched: bool,
    /// Whether data goes to a terminal.
    out_is_watched: bool,
    /// Whether data is printed in colour.
    is_coloured: bool,
    /// Whether data goes through a pager; then notes go with it, since the pager has the screen.
    is_paged: bool,
    quiet: bool,
    json: bool,
    drawn: bool,
    /// Set by Ctrl-C where the task that runs ends by itself.
    is_interrupted: Arc<AtomicBool>,
}

impl Ui {
    /// The streams of the process.
    pub fn of_process(json: bool, quiet: bool) -> Self {
        Self {
            out: Box::new(io::BufWriter::new(io::stdout())),
            talk: Box::new(io::stderr()),
            watched: io::stderr().is_terminal(),
            out_is_watched: io::stdout().is_terminal(),
            is_coloured: false,
            is_paged: false,
            quiet,
            json,
            drawn: false,
            is_interrupted: Arc::default(),
        }
    }

    /// The same, with colour where `when` says so: `auto` is on a terminal, unless NO_COLOR is set or TERM is `dumb`.
    #[expect(clippy::disallowed_methods, reason = "the conventions of no-color.org and of terminals")]
    pub fn coloured(mut self, when: clap::ColorChoice) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        self.is_coloured = match when {
            clap::ColorChoice::Always => true,
            clap::ColorChoice::Never => false,
            clap::ColorChoice::Auto => self.out_is_watched && !is_set("NO_COLOR") && !is_dumb,
        };
        self
    }

    /// The same, through the person's pager where data goes to a terminal.
    pub fn paged(mut self) -> Self {
        if self.out_is_watched
            && self.watched
            && !self.json
            && let Some(pager) = Pager::of_person()
        {
            self.out = Box::new(io::BufWriter::new(pager));
            self.is_paged = true;
        }
        self
    }

    /// Whether data is laid out for a person: on a terminal, or in colour because that was asked for.
    pub fn is_for_a_person(&self) -> bool {
        (self.out_is_watched || self.is_coloured) && !self.json
    }

    /// Columns of the terminal that data goes to.
    pub fn columns(&self) -> Option<usize> {
        let (columns, _) = terminal_size::terminal_size_of(io::stdout()).filter(|_| self.out_is_watched)?;
        Some(usize::from(columns.0))
    }

    /// The same as [`spans`](Self::spans), as wide as the terminal; further lines begin with `indent` blanks.
    pub fn wrapped(&mut self, spans: &[Span<'_>], indent: usize) {
        match self.columns() {
            Some(columns) => wrapped(spans, columns, indent).iter().for_each(|line| self.spans(line)),
            None => self.spans(spans),
        }
    }

    /// A line of data in pieces, each in its style; safe to look at.
    pub fn spans(&mut self, spans: &[Span<'_>]) {
        self.spans_in_line(spans);
        self.data(b"\n");
    }

    fn spans_in_line(&mut self, spans: &[Span<'_>]) {
        for span in spans {
            let text = visible(&span.text);
            let code = span.style.code().filter(|_| self.is_coloured && !text.is_empty());
            let link = span.link.as_deref().filter(|_| self.is_coloured);
            if let Some(link) = link {
                self.data(format!("\x1b]8;;{link}\x1b\\").as_bytes());
            }
            match code {
                Some(code) => self.data(format!("\x1b[{code}m{text}\x1b[0m").as_bytes()),
                None => self.data(text.as_bytes()),
            }
            if link.is_some() {
                self.data(b"\x1b]8;;\x1b\\");
            }
        }
    }

    /// Shows a line again in styles that was streamed as `line`, if the terminal can go back to its beginning.
    pub fn restyle(&mut self, line: &str, spans: &[Span<'_>]) {
        let size = terminal_size::terminal_size_of(io::stdout()).filter(|_| self.out_is_watched);
        let Some((columns, rows)) = size.filter(|_| self.is_coloured) else { return };
        let back = rows_of(&visible(line), usize::from(columns.0))
            .filter(|back| columns.0 > 1 && *back < usize::from(rows.0));
        if let Some(back) = back {
            let up = if back > 1 { format!("\x1b[{}A", back - 1) } else { String::new() };
            self.data(format!("\r{up}\x1b[J").as_bytes());
            self.spans_in_line(spans);
        }
    }

    /// Makes Ctrl-C end a task at its next step ([`progress`](Self::progress)), so that it can report its progress. A
    /// second one ends the program immediately.
    pub fn stops_on_interrupt(&self) {
        self.stops_on(&self.is_interrupted, &self.is_interrupted);
    }

    /// Makes Ctrl-C set `is_stopped`, for work that checks it. While `may_exit` is set, it ends the program immediately.
    pub fn stops_on(&self, is_stopped: &Arc<AtomicBool>, may_exit: &Arc<AtomicBool>) {
        let _ = flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(may_exit));
        let _ = flag::register(SIGINT, Arc::clone(is_stopped));
    }

    /// Makes SIGTERM set `is_stopped` and `is_over`. While `may_exit` is set, it ends the program immediately.
    pub fn ends_on_terminate(
        &self,
        is_stopped: &Arc<AtomicBool>,
        is_over: &Arc<AtomicBool>,
        may_exit: &Arc<AtomicBool>,
    ) {
        let _ = flag::register_conditional_shutdown(SIGTERM, 143, Arc::clone(may_exit));
        let _ = flag::register(SIGTERM, Arc::clone(is_stopped));
        let _ = flag::register(SIGTERM, Arc::clone(is_over));
    }

    /// Makes the end of the terminal set `is_stopped` and `is_over` instead of ending the program.
    pub fn outlives_its_terminal(&self, is_stopped: &Arc<AtomicBool>, is_over: &Arc<AtomicBool>) {
        let _ = flag::register(SIGHUP, Arc::clone(is_stopped));
        let _ = flag::register(SIGHUP, Arc::clone(is_over));
    }

    /// Whether data is asked for as JSON.
    pub fn json(&self) -> bool {
        self.json
    }

    /// JSON of a shape that is another tool's, under the keys that every other answer has.
    pub fn value_in_camel_case(&mut self, value: &impl Serialize) {
        let text = in_voice(hints::said, || serde_json::to_string_pretty(value));
        self.json_text(text.map(|text| in_camel_case(&text)));
    }

    /// A line of data, safe to look at.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.data(visible(text.as_ref()).as_bytes());
        self.data(b"\n");
    }

    /// A line of a plan that a person is asked about: data, or talk where the data is JSON.
    pub fn show(&mut self, text: impl AsRef<str>) {
        if self.json { self.say(text) } else { self.line(text) }
    }

    /// What stands in files: its bytes for a program, safe to look at for a person.
    pub fn content(&mut self, bytes: &[u8]) {
        if self.out_is_watched {
            self.data(visible(&String::from_utf8_lossy(bytes)).as_bytes());
        } else {
            self.data(bytes);
        }
    }

    /// Bytes of data as they are.
    pub fn data(&mut self, bytes: &[u8]) {
        let done = self.out.write_all(bytes);
        self.end_if_unread(done);
    }

    /// A part of a text that arrives piece by piece, made visible and shown immediately. Returns whether it could be
    /// printed, so that the caller can finish its work before the process ends.
    pub fn stream(&mut self, part: &str) -> bool {
        self.out.write_all(visible(part).as_bytes()).and_then(|()| self.out.flush()).is_ok()
    }

    /// Data as indented JSON.
    pub fn value(&mut self, value: &impl Serialize) {
        self.json_text(in_voice(hints::said, || serde_json::to_string_pretty(value)));
    }

    /// Data as one line of JSON, flushed: the reader may wait for it before its next request.
    pub fn json_line(&mut self, value: &impl Serialize) {
        self.json_text(in_voice(hints::said, || serde_json::to_string(value)));
        let done = self.out.flush();
        self.end_if_unread(done);
    }

    fn json_text(&mut self, text: serde_json::Result<String>) {
        match text {
            Ok(text) => self.data(format!("{text}\n").as_bytes()),
            Err(error) => self.say(format!("error: the answer cannot be written as JSON: {error}.")),
        }
    }

    /// A message line, omitted under `--quiet`.
    pub fn say(&mut self, text: impl AsRef<str>) {
        if !self.quiet {
            self.clear_progress();
            if self.is_paged {
                return self.line(text);
            }
            if self.out_is_watched {
                // On one screen both streams are read in their order.
                let _ = self.out.flush();
            }
            let _ = writeln!(self.talk, "{}", visible(text.as_ref()));
        }
    }

    /// A remark for a person at a terminal; a program never sees it.
    pub fn aside(&mut self, text: impl AsRef<str>) {
        if self.is_for_person() {
            self.say(text);
        }
    }

    /// Whether a person at a terminal reads both streams.
    pub fn is_for_person(&self) -> bool {
        self.watched && self.out_is_watched && !self.json
    }

    /// A notice: a sentence and what can be done. In JSON it stands in the answer itself.
    pub fn notice(&mut self, notice: &Notice) {
        if !self.json {
            self.say(format!("note: {}", notice.message));
            self.say(format!("hint: {}", hints::said(notice.hint)));
        }
    }

    /// Notices as they stand in JSON.
    pub fn wire_notices(notices: &[Notice]) -> Vec<NoticeV1> {
        notices.iter().map(NoticeV1::from).collect()
    }

    /// Asks at the terminal, after all data that was printed before, and gives the line that `answers` holds.
    pub fn ask(&mut self, question: &str, answers: &mut dyn BufRead) -> io::Result<String> {
        self.clear_progress();
        self.out.flush()?;
        self.talk.write_all(question.as_bytes()).and_then(|()| self.talk.flush())?;
        let mut line = String::new();
        answers.read_line(&mut line)?;
        Ok(line)
    }

    /// Progress of long work, on one line, where a person watches. It breaks after Ctrl-C.
    pub fn progress(&mut self, what: &str, done: usize, of: usize) -> ControlFlow<()> {
        if self.watched && !self.quiet {
            let _ = write!(self.talk, "\r\x1b[2K{what}: {done} of {of}");
            let _ = self.talk.flush();
            self.drawn = true;
        }
        if self.is_interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
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
        self.end_pager();
        let wire = error.wire();
        if self.json {
            let line = in_voice(hints::said, || serde_json::to_string(&FailureV1 { error: wire }));
            let line = line.unwrap_or_default();
            let _ = writeln!(self.talk, "{line}");
        } else {
            let _ = writeln!(self.talk, "error: {}", visible(&wire.message));
            let _ = writeln!(self.talk, "hint: {}", visible(wire.hint.0.said(hints::said)));
        }
    }

    /// Makes sure that all data has left.
    pub fn finish(&mut self) {
        self.clear_progress();
        let done = self.out.flush();
        self.end_if_unread(done);
        self.end_pager();
    }

    /// Waits until the person has left the pager.
    fn end_pager(&mut self) {
        if std::mem::take(&mut self.is_paged) {
            self.out = Box::new(io::BufWriter::new(io::stdout()));
        }
    }

    /// Ends the process if data could not be written: silently if the reader is gone.
    pub fn end_if_unread(&mut self, done: io::Result<()>) {
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

/// Indented JSON with its keys in camel case; each key stands at the beginning of a line.
fn in_camel_case(text: &str) -> String {
    let of_line = |line: &str| {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        let key = rest.strip_prefix('"').and_then(|rest| rest.split_once("\": "));
        // A text in a list has its quotes escaped, or none behind it.
        let Some((key, value)) = key.filter(|(key, _)| !key.contains(['"', '\\'])) else {
            return line.to_owned();
        };
        let mut parts = key.split('_');
        let mut camel = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let mut letters = part.chars();
            camel.extend(letters.next().into_iter().flat_map(char::to_uppercase).chain(letters));
        }
        format!("{indent}\"{camel}\": {value}")
    };
    text.lines().map(of_line).collect::<Vec<_>>().join("\n")
}

/// How a piece of a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// As it is.
    #[default]
    Plain,
    /// The number of a result.
    Number,
    /// A file and its lines.
    Place,
    /// Headings, days and other things beside a text.
    Aside,
    /// Words of the question.
    Match,
    /// Headings and strong emphasis of a reply.
    Strong,
    /// Emphasis of a reply.
    Emphasis,
    /// Code of a reply.
    Code,
}

impl Style {
    /// The codes of SGR, as ripgrep has them for paths and matches.
    fn code(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Number => Some("32"),
            Self::Place => Some("35"),
            Self::Aside => Some("2"),
            Self::Match => Some("1;31"),
            Self::Strong => Some("1"),
            Self::Emphasis => Some("3"),
            Self::Code => Some("36"),
        }
    }
}

/// Rows of a line on a terminal; `None` if the width of a character depends on its place, its neighbours or the terminal.
fn rows_of(line: &str, columns: usize) -> Option<usize> {
    let (mut rows, mut at) = (1, 0);
    for c in line.chars() {
        let is_joined =
            matches!(c, '\u{200d}' | '\u{fe0f}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}');
        let width = c.width().filter(|_| c != '\t' && !is_joined)?;
        if at + width > columns {
            (rows, at) = (rows + 1, 0);
        }
        at += width;
    }
    Some(rows)
}

/// A piece of a line.
#[derive(Debug, Clone, Default)]
pub struct Span<'t> {
    /// How it looks.
    pub style: Style,
    /// What it says.
    pub text: Cow<'t, str>,
    /// Where it leads when it is clicked: a URL without blanks or control characters.
    pub link: Option<String>,
}

impl<'t> Span<'t> {
    /// `text` in `style`.
    pub fn new(style: Style, text: impl Into<Cow<'t, str>>) -> Self {
        Self { style, text: text.into(), link: None }
    }
}

/// Text of several lines with every character that a reader does not see as `⟦U+XXXX⟧`
/// ([`inwit_model::invisible`]). Ends of lines, tabs and emoji stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => Cow::Owned(format!("{}{}", revealed(BYTE_ORDER_MARK), visible(rest))),
        None => reveal(text),
    }
}

/// At the head of a file it says how bytes are read; on a screen it is one more invisible character.
const BYTE_ORDER_MARK: &str = "\u{feff}";

#[cfg(test)]
mod row_tests {
    use super::*;

    #[test]
    fn a_line_has_the_rows_that_a_terminal_gives_it() {
        for (line, rows) in [
            ("", Some(1)),
            ("12345", Some(1)),
            ("123456", Some(2)),
            ("1234\u{6f22}", Some(2)),
            ("a\tb", None),
            ("\u{1f468}\u{200d}\u{1f469}", None),
            ("\u{1f1e6}\u{1f1f9}", None),
        ] {
            assert_eq!(rows_of(line, 5), rows, "{line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("unpoisoned").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Data waits in a buffer, and who is asked must have seen it.
    #[test]
    fn keys_become_camel_case_and_texts_stay() {
        let text =
            "{\n  \"last_dream_ts\": \"a_b\",\n  \"list\": [\n    \"c_d\",\n    \"e_f\\\": g\"\n  ]\n}";
        let camel = "{\n  \"lastDreamTs\": \"a_b\",\n  \"list\": [\n    \"c_d\",\n    \"e_f\\\": g\"\n  ]\n}";
        assert_eq!(in_camel_case(text), camel);
    }

    #[test]
    fn a_question_comes_behind_what_was_printed_before_it() {
        let paper = Paper::default();
        let (out, talk) = (Box::new(io::BufWriter::new(paper.clone())), Box::new(paper.clone()));
        let mut ui = Ui {
            out,
            talk,
            watched: false,
            out_is_watched: true,
            is_coloured: false,
            is_paged: false,
            quiet: true,
            json: false,
            drawn: false,
            is_interrupted: Arc::default(),
        };
        ui.show("the plan");
        let answer = ui.ask("Do it? ", &mut "yes\nno\n".as_bytes()).expect("an answer");
        assert_eq!(answer, "yes\n");
        assert_eq!(paper.0.lock().expect("unpoisoned").as_slice(), b"the plan\nDo it? ");
    }

    /// The signal goes to this process, so the test needs a separate one.
    #[test]
    fn ctrl_c_ends_a_task_at_its_next_step() {
        let mut ui = Ui::of_process(false, true);
        ui.stops_on_interrupt();
        assert!(ui.progress("reading", 1, 9).is_continue());
        signal_hook::low_level::raise(SIGINT).expect("raised");
        assert!(ui.progress("reading", 2, 9).is_break());
    }

    fn written(out_is_watched: bool, write: impl Fn(&mut Ui)) -> Vec<u8> {
        let paper = Paper::default();
        let (out, talk) = (Box::new(paper.clone()), Box::new(paper.clone()));
        let mut ui = Ui {
            out,
            talk,
            watched: false,
            out_is_watched,
            is_coloured: false,
            is_paged: false,
            quiet: false,
            json: false,
            drawn: false,
            is_interrupted: Arc::default(),
        };
        write(&mut ui);
        paper.0.lock().expect("unpoisoned").clone()
    }

    #[test]
    fn what_a_reader_does_not_see_is_shown() {
        assert_eq!(visible("plain café 日记\n\ttab\r\n"), "plain café 日记\n\ttab\r\n");
        assert_eq!(
            visible("\u{1b}[2Ja\rb\u{9b}c\u{202e}d\u{200b}\u{7f}"),
            "⟦U+001B⟧[2Ja⟦U+000D⟧b⟦U+009B⟧c⟦U+202E⟧d⟦U+200B⟧⟦U+007F⟧"
        );
        assert_eq!(visible("\u{feff}a"), "⟦U+FEFF⟧a");
        assert_eq!(visible("⚠️ ❤️‍🔥 👩🏽‍🚀"), "⚠️ ❤️‍🔥 👩🏽‍🚀");
    }

    #[test]
    fn lines_and_talk_are_safe_to_look_at_wherever_they_go() {
        let error = CliError::new(inwit_model::Code::UsageBad, "\u{1b}c.").hint("\u{202e}.");
        let seen = written(false, |ui| {
            ui.line("\u{1b}]0;x\u{7}");
            ui.say("\u{9b}2J");
            ui.error(&error);
        });
        let seen = String::from_utf8(seen).expect("text");
        assert_eq!(visible(&seen), seen);
        assert!(seen.contains("⟦U+001B⟧") && seen.contains("⟦U+202E⟧"), "{seen:?}");
    }

    #[test]
    fn content_keeps_its_bytes_for_a_program_and_is_shown_to_a_person() {
        let bytes = b"a\x1b[2J\xff\r\n";
        assert_eq!(written(false, |ui| ui.content(bytes)), bytes);
        assert_eq!(written(true, |ui| ui.content(bytes)), "a⟦U+001B⟧[2J\u{fffd}\r\n".as_bytes());
    }

    #[test]
    fn json_is_not_changed() {
        let seen = written(true, |ui| ui.json_line(&"a\u{202e}"));
        assert_eq!(String::from_utf8(seen).expect("text"), "\"a\u{202e}\"\n");
    }
}
