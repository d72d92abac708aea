//! Why hooks failed: a small file of lines, since a host is never told.
//!
//! It lies beside the locks, so that a hook whose home or settings are broken can write it too. Invariant:
//! no word that was said stands in it, only codes and sentences of ours; it never grows beyond twice
//! [`HOOK_LOG_BYTES_MAX`], and what goes is the oldest.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use inwit_model::Clock as _;
use inwit_model::invisible::reveal;

use crate::clock::SystemClock;
use crate::own;

/// Size at which the log begins anew, in bytes; the one before is kept beside it.
pub const HOOK_LOG_BYTES_MAX: u64 = 128 * 1024;

/// Most lines that doctor shows.
pub const HOOK_LINES_SHOWN_MAX: usize = 5;

/// Days after which a failure is old news.
const NEWS_DAYS: i64 = 7;

/// Where it lies, below the folder of state.
pub fn path(state: &Path) -> PathBuf {
    state.join("hook.log")
}

/// Adds a line. What cannot be written cannot be told either.
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
