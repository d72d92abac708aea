//! The one place that prints: a line to stdout, whole, also when the reader has gone.

use std::io::Write as _;

/// Prints one line.
pub fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    // A closed pipe (`cargo xtask tidy | head -1`) is the reader's choice, not a failure.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
