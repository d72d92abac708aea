//! The log of failed hooks, which report nothing to their host.
//!
//! It is beside the locks, so that a hook with a broken home or settings can write it. Invariant: it has only codes
//! and messages of ours, no user text; it never exceeds twice [`HOOK_LOG_BYTES_MAX`], and the oldest lines are
//! dropped.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use inwit_model::Clock as _;
use inwit_model::invisible::reveal;

use crate::clock::SystemClock;
use crate::own;

/// Size in bytes at which the log is rotated; one older file is kept.
pub const HOOK_LOG_BYTES_MAX: u64 = 128 * 1024;

/// Most lines that doctor shows.
pub const HOOK_LINES_SHOWN_MAX: usize = 5;

/// Days after which a failure is no longer shown.
const NEWS_DAYS: i64 = 7;

/// Its path below the state folder.
pub fn path(state: &Path) -> PathBuf {
    state.join("hook.log")
}

/// Adds a line. A write error is ignored.
pub fn tell(state: &Path, hook: &str, code: &str, message: &str) {
    let path = path(state);
    let _ = own::make_folder(state);
    if path.metadata().is_ok_and(|found| found.len() > HOOK_LOG_BYTES_MAX) {
        let _ = std::fs::rename(&path, path.with_extension("log.1"));
    }
    let message = reveal(message).replace('\n', " ");
    let line = format!("{} {hook} {code}: {message}\n", SystemClock.now().strftime("%Y-%m-%dT%H:%M:%SZ"));
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
    let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
}

/// The last failures of this week, oldest first.
pub fn recent(state: &Path) -> Vec<String> {
    let Ok(Some(text)) = own::read(&path(state)) else { return Vec::new() };
    let since = SystemClock.now().saturating_sub(jiff::SignedDuration::from_hours(24 * NEWS_DAYS));
    let since = since.map_or_else(|_| String::new(), |at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
    let mut lines: Vec<String> =
        text.lines().filter(|line| *line >= since.as_str()).map(str::to_owned).collect();
    lines.split_off(lines.len().saturating_sub(HOOK_LINES_SHOWN_MAX))
}
