//! The limits of the server that a client can meet, with their units.

use std::time::Duration;

/// Most open connections; a further one is closed without an answer.
pub const CONNECTIONS_MAX: usize = 12_000;

/// Longest time until all headers of a request have arrived; also how long a connection may be idle.
pub const HEADERS_SECONDS_MAX: Duration = Duration::from_secs(10);

/// Largest headers of a request, in bytes.
pub const HEADERS_BYTES_MAX: usize = 32 * 1024;

/// Longest time until the whole body of a request has arrived.
pub const BODY_SECONDS_MAX: Duration = Duration::from_secs(10);

/// Longest time in which a client reads nothing of its answer.
pub const WRITE_SECONDS_MAX: Duration = Duration::from_secs(10);

/// Largest JSON body, in bytes.
pub const JSON_BYTES_MAX: usize = 1024 * 1024;

/// Memory of all bodies that are read or worked on at the same time, in KiB; further ones wait.
pub const BODIES_KIB_MAX: usize = 32 * 1024;

/// Smallest answer that takes a place in the memory for answers, in bytes; smaller ones are bounded by the connections.
pub const LARGE_ANSWER_BYTES: u64 = 64 * 1024;

/// Memory of all large answers that are being sent, in KiB; further ones are refused with `server_busy`.
pub const ANSWERS_KIB_MAX: usize = 64 * 1024;

/// Longest time in which the requests of a stopping server are answered.
pub const STOP_SECONDS_MAX: Duration = Duration::from_secs(20);

/// Calls that run at the same time.
pub const CALLS_MAX: usize = 8;

/// Calls of callers without a token that run at the same time.
pub const OPEN_CALLS_MAX: usize = 4;

/// Calls of callers without a token that wait for one of them; a further one is refused with `server_busy`.
pub const OPEN_CALLS_WAITING_MAX: usize = 128;

/// Most streams of events at the same time.
pub const EVENT_STREAMS_MAX: usize = 256;

/// Pause between two looks for new events, in milliseconds; also how soon a stream of a revoked token ends.
pub const EVENTS_PAUSE_MS: u64 = 500;

/// Most events of one look; the others follow with the next one.
pub const EVENTS_MAX: usize = 200;

/// Seconds without an event after which a comment is sent, so that a client that is gone is noticed.
pub const EVENTS_HEARTBEAT_SECONDS: u64 = 15;

/// Calls that wait for one of them; a further one is refused with `server_busy`.
pub const CALLS_WAITING_MAX: usize = 512;

/// A token cannot be guessed; a pause only keeps a broken client from filling the log. Refused tokens in [`FAILURES_SECONDS`] after which a further one is answered with `calls_too_many`.
pub const FAILURES_MAX: u32 = 120;

/// Length of the period in which refused tokens are counted, in seconds.
pub const FAILURES_SECONDS: i64 = 60;

/// Log lines that wait to be written; further ones are dropped.
pub const LOG_LINES_MAX: usize = 4_096;

/// Longest time in which the waiting log lines are written when the server ends.
pub const LOG_END_SECONDS_MAX: Duration = Duration::from_secs(1);
