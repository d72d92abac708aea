//! Every fixed limit of the workspace, with its unit in its name (D12).

/// Largest output of one `git` call, in bytes; a call with more is killed and reported.
pub const HISTORY_OUTPUT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Most bytes of an error message of `git` that are shown.
pub const HISTORY_SAID_BYTES_MAX: usize = 2 * 1024;

/// Longest time of a reading `git` call, in seconds; then it is killed.
pub const HISTORY_READ_SECONDS_MAX: u64 = 30;

/// Longest time of one flush of commits, in seconds; then it is killed and leaves nothing.
pub const HISTORY_WRITE_SECONDS_MAX: u64 = 300;

/// Longest wait for another process that writes the same history, and longest time of retries because the tip
/// changed, in seconds.
pub const HISTORY_LOCK_SECONDS_MAX: u64 = 10;

/// Most folder entries in all commits of a history together; an unchanged folder counts once.
pub const HISTORY_FOLDERS_MAX: usize = 16 * 1024 * 1024;

/// Most packs before they are merged; each flush adds one, and reading searches all.
pub const HISTORY_PACKS_MAX: usize = 32;

/// Most lines on each side, without common lines at both ends, that are compared one by one. Larger texts are
/// shown as one change.
pub const DIFF_LINES_MAX: usize = 10_000;

/// Longest time that a running process answers without a full walk, in seconds: writes through a memory map, or
/// through a hard link in an unwatched folder, are not reported by the kernel.
pub const WATCH_CHECK_SECONDS_MAX: u64 = 60;

/// Most folders of a workspace that are watched; with more, every answer walks the workspace.
pub const WATCH_FOLDERS_MAX: usize = 8_192;

/// Longest wait for the write guard, in milliseconds; a single write takes a few.
pub const WRITE_WAIT_MS_MAX: u64 = 2_000;

/// Longest pause of a program during a save, in seconds; after it the file counts as saved.
pub const SAVE_PAUSE_SECONDS_MAX: u64 = 2;

/// Age at which another system's dream lock counts as stale, in milliseconds, unless configured (W52).
pub const DREAM_LOCK_TTL_MS: u64 = 30 * 60 * 1_000;

/// Shortest time that an undecidable dream lock is observed before it counts as stale, in milliseconds.
pub const DREAM_WATCH_MS_MIN: u64 = 30 * 60 * 1_000;

/// Longest time that a dream lock may ask to be watched, in milliseconds.
pub const DREAM_WATCH_MS_MAX: u64 = 24 * 60 * 60 * 1_000;

/// How far the start of another system's dream lock may be in the future before its clock is ignored, in
/// minutes.
pub const CLOCK_SKEW_MINUTES_MAX: i64 = 5;

/// Most bytes of a `.gitignore` or `.inwitignore` that are read; the rest is ignored.
pub const IGNORE_FILE_BYTES_MAX: usize = 64 * 1024;

/// Most bytes of a lock file that are read; a record has about five hundred.
pub const LOCK_RECORD_BYTES_MAX: usize = 16 * 1024;
