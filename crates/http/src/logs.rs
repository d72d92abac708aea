//! The log of the server: one line for each request, on stderr.
//!
//! Lines are written by a thread of their own, so that a terminal or a pipe that takes nothing delays no answer; lines
//! beyond a limit are dropped and counted. Invariants: only events of this crate are logged, since libraries log what
//! they are sent; no line has text of a memory, an address, a header or a body.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use axum::http::StatusCode;
use inwit_model::{Clock, time, words};
use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{Writer, debug_fn};
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;

use crate::exchange::{Exchange, Known};
use crate::limit::{LOG_END_SECONDS_MAX, LOG_LINES_MAX};

words! {
    /// Which requests are logged.
    LogLevel {
        /// Those that failed in the server.
        Error = "error",
        /// Also those that were refused.
        Warn = "warn",
        /// Also those that changed something.
        Changes = "changes",
        /// All but questions about the server's state.
        Info = "info",
        /// All.
        Debug = "debug",
    }
}

words! {
    /// The form of a line.
    LogFormat {
        /// For people.
        Text = "text",
        /// For programs: a JSON object.
        Json = "json",
    }
}

/// The running log. When it is dropped, the lines that wait are written.
pub struct Log {
    lines: SyncSender<Line>,
    done: Receiver<()>,
}

/// What the thread of the log gets.
enum Line {
    Text(Vec<u8>),
    End,
}

impl Log {
    /// Logs from now on, in this process, to `out`. A second log of a process stays empty.
    pub fn start(
        level: LogLevel,
        format: LogFormat,
        clock: Arc<dyn Clock>,
        out: impl Write + Send + 'static,
    ) -> Self {
        let (lines, waiting) = mpsc::sync_channel(LOG_LINES_MAX);
        let (end, done) = mpsc::channel();
        let dropped = Arc::new(AtomicU64::new(0));
        let queue = Queue { lines: lines.clone(), dropped: Arc::clone(&dropped) };
        std::thread::spawn(move || {
            write(out, &waiting, &dropped);
            let _ = end.send(());
        });
        let (changes, others) = match level {
            LogLevel::Error => (LevelFilter::ERROR, LevelFilter::ERROR),
            LogLevel::Warn => (LevelFilter::WARN, LevelFilter::WARN),
            LogLevel::Changes => (LevelFilter::INFO, LevelFilter::WARN),
            LogLevel::Info => (LevelFilter::INFO, LevelFilter::INFO),
            LogLevel::Debug => (LevelFilter::DEBUG, LevelFilter::DEBUG),
        };
        let ours = Targets::new().with_target(CHANGES, changes).with_target(OTHERS, others);
        let lines_of =
            fmt::layer().with_target(false).with_ansi(false).with_timer(Times(clock)).with_writer(queue);
        let filtered = tracing_subscriber::registry().with(ours);
        let _ = match format {
            LogFormat::Json => tracing::subscriber::set_global_default(
                filtered
                    .with(lines_of.json().flatten_event(true).with_current_span(false).with_span_list(false)),
            ),
            LogFormat::Text => {
                let short = debug_fn(|out, field, value| match field.name() {
                    "message" => write!(out, "{value:?}"),
                    name @ ("agent" | "token" | "trace_id") => {
                        write!(out, " {name}={}", format!("{value:?}").trim_matches('"'))
                    }
                    _ => Ok(()),
                });
                tracing::subscriber::set_global_default(filtered.with(lines_of.compact().fmt_fields(short)))
            }
        };
        Self { lines, done }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // If the queue is full, its reader takes nothing, and is not waited for.
        if self.lines.try_send(Line::End).is_ok() {
            let _ = self.done.recv_timeout(LOG_END_SECONDS_MAX);
        }
    }
}

/// Writes lines until the end, or until they cannot be written.
fn write(mut out: impl Write, waiting: &Receiver<Line>, dropped: &AtomicU64) {
    while let Ok(Line::Text(line)) = waiting.recv() {
        if out.write_all(&line).is_err() {
            return;
        }
        let count = dropped.swap(0, Ordering::Relaxed);
        if count > 0 {
            tracing::warn!(target: OTHERS, dropped = count, "{count} log lines were dropped");
        }
    }
}

/// Takes lines, and drops them while too many wait.
struct Queue {
    lines: SyncSender<Line>,
    dropped: Arc<AtomicU64>,
}

impl<'q> MakeWriter<'q> for Queue {
    type Writer = &'q Self;

    fn make_writer(&'q self) -> &'q Self {
        self
    }
}

impl Write for &Queue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.lines.try_send(Line::Text(line.to_vec())).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Times of lines.
struct Times(Arc<dyn Clock>);

impl FormatTime for Times {
    fn format_time(&self, out: &mut Writer<'_>) -> std::fmt::Result {
        out.write_str(&time::json(self.0.now()))
    }
}

/// Requests that change something, and are answered.
const CHANGES: &str = "inwit::change";

/// All other requests.
const OTHERS: &str = "inwit::request";

/// Logs a request that was answered, or whose client went away.
pub(crate) fn exchange(exchange: &Exchange, known: Known, status: Option<StatusCode>, took: Duration) {
    let Known { route, agent, token, code } = known;
    let method = exchange.method;
    let path = route.map_or("none", |route| route.path);
    let ms = took.as_micros() as f64 / 1_000.0;
    macro_rules! line {
        ($target:expr, $level:expr) => {
            tracing::event!(
                target: $target,
                $level,
                trace_id = %exchange.trace,
                method,
                route = path,
                status = status.map(|status| status.as_u16()),
                code,
                ms,
                agent,
                token,
                "{method} {path} {} in {ms} ms",
                Outcome(status, code),
            )
        };
    }
    let is_change = route.is_some_and(|route| route.is_change());
    let is_probe = route.is_some_and(|route| route.is_probe());
    match status {
        Some(status) if status.is_server_error() => line!(OTHERS, Level::ERROR),
        Some(status) if status.is_client_error() => line!(OTHERS, Level::WARN),
        None => line!(OTHERS, Level::WARN),
        Some(_) if is_change => line!(CHANGES, Level::INFO),
        Some(_) if is_probe => line!(OTHERS, Level::DEBUG),
        Some(_) => line!(OTHERS, Level::INFO),
    }
}

/// The outcome of a request, in words.
struct Outcome(Option<StatusCode>, Option<&'static str>);

impl std::fmt::Display for Outcome {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self(Some(status), Some(code)) => write!(out, "{} {code}", status.as_u16()),
            Self(Some(status), None) => write!(out, "{}", status.as_u16()),
            Self(None, _) => out.write_str("client gone"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_does_not_fit_is_dropped_and_counted_and_delays_nothing() {
        let (lines, waiting) = mpsc::sync_channel(2);
        let queue = Queue { lines, dropped: Arc::default() };
        for line in ["one\n", "two\n", "three\n", "four\n"] {
            queue.make_writer().write_all(line.as_bytes()).expect("taken");
        }
        assert_eq!(queue.dropped.load(Ordering::Relaxed), 2);
        let Queue { lines, dropped } = queue;
        drop(lines);
        let mut out = Vec::new();
        write(&mut out, &waiting, &dropped);
        assert_eq!(String::from_utf8(out).expect("text"), "one\ntwo\n");
        assert_eq!(dropped.load(Ordering::Relaxed), 0, "reported with the next line");
    }
}
