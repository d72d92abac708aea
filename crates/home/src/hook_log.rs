//! The log of failed hooks, which report nothing to their host.
//!
//! It is beside the locks, so that a hook with a broken home or settings can write it. Invariant: it has only codes
//! and messages of ours, no user text; it never exceeds twice [`HOOK_LOG_BYTES_MAX`], and the oldest lines are
//! dropped.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use inwit_model::invisible::reveal;
use inwit_model::{Clock as _, time};

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

/// Adds a line. A failed write is not reported, because there is no place for the report.
pub fn tell(state: &Path, agent: Option<&str>, hook: &str, code: &str, message: &str) {
    let path = path(state);
    let _ = own::make_folder(state);
    if path.metadata().is_ok_and(|found| found.len() > HOOK_LOG_BYTES_MAX) {
        let _ = std::fs::rename(&path, path.with_extension("log.1"));
    }
    let message = reveal(message).replace('\n', " ");
    let at = SystemClock.now().strftime("%Y-%m-%dT%H:%M:%SZ");
    let of = agent.map_or_else(String::new, |agent| format!("{OF_AGENT}{agent})"));
    let line = format!("{at} {hook} {code}: {message}{of}\n");
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
    let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
}

/// Precedes the agent at the end of a line.
const OF_AGENT: &str = " (agent ";

/// The last failures of this week that concern `agent` or no known agent, oldest first.
pub fn recent(state: &Path, agent: &str) -> Vec<String> {
    let Ok(Some(text)) = own::read(&path(state)) else { return Vec::new() };
    let since = SystemClock.now().saturating_sub(jiff::SignedDuration::from_hours(24 * NEWS_DAYS));
    let since = since.map_or_else(|_| String::new(), |at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
    let of =
        |line: &str| line.strip_suffix(')').and_then(|line| Some(line.rsplit_once(OF_AGENT)?.1.to_owned()));
    let concerns = |line: &&str| of(line).is_none_or(|of| of == agent);
    let mut lines: Vec<String> =
        text.lines().filter(|line| *line >= since.as_str()).filter(concerns).map(str::to_owned).collect();
    let shown = lines.split_off(lines.len().saturating_sub(HOOK_LINES_SHOWN_MAX));
    shown.iter().map(|line| for_people(line)).collect()
}

/// A line with its time formatted for display, and without its agent.
fn for_people(line: &str) -> String {
    let words = line.rsplit_once(OF_AGENT).map_or(line, |(words, _)| words);
    let dated = words.split_once(' ').and_then(|(at, rest)| Some((at.parse().ok()?, rest)));
    dated.map_or_else(|| words.to_owned(), |(at, rest)| format!("{} {rest}", time::minute(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_shown_for_its_own_agent_and_one_of_no_agent_for_all() {
        let state = tempfile::tempdir().expect("a folder");
        tell(state.path(), Some("ana"), "stop", "no_agent", "Ana's hook failed.");
        tell(state.path(), Some("bo"), "stop", "no_agent", "Bo's hook failed.");
        tell(state.path(), None, "stop", "usage_bad", "Some hook failed.");
        let shown = recent(state.path(), "ana").join("\n");
        assert!(shown.contains("Ana's") && shown.contains("Some hook") && !shown.contains("Bo's"), "{shown}");
    }
}
