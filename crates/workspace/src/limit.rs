//! Every fixed limit of the workspace, with its unit in its name (D12).

/// Largest output of one call of `git`, in bytes; a call with more is ended and reported.
pub const HISTORY_OUTPUT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Most bytes of what `git` says about a failure that are shown.
pub const HISTORY_SAID_BYTES_MAX: usize = 2 * 1024;

/// Longest a call of `git` that reads may take, in seconds; then it is ended.
pub const HISTORY_READ_SECONDS_MAX: u64 = 30;

/// Longest one flush of commits may take, in seconds; then it is ended, and nothing of it stays.
pub const HISTORY_WRITE_SECONDS_MAX: u64 = 300;

/// Longest wait for another process that writes the same history, and longest time of retries because the tip
/// changed, in seconds.
pub const HISTORY_LOCK_SECONDS_MAX: u64 = 10;

/// Most entries for folders in all commits of a history together; what did not change counts once.
pub const HISTORY_FOLDERS_MAX: usize = 16 * 1024 * 1024;

/// Packs that may lie side by side before they are joined: each flush leaves one, and reading looks
/// into all.
pub const HISTORY_PACKS_MAX: usize = 32;

/// Most lines, on each side and between what is the same at both ends, that are compared one by one.
/// Beyond, the whole of it is shown as one change.
pub const DIFF_LINES_MAX: usize = 10_000;

/// Longest time that a running process answers without a full walk, in seconds: writes through a memory map, or
/// through a hard link in an unwatched folder, are not reported by the kernel.
pub const WATCH_CHECK_SECONDS_MAX: u64 = 60;

/// Most folders of a workspace that are watched; beyond, every answer walks.
pub const WATCH_FOLDERS_MAX: usize = 8_192;

/// Longest wait for the write guard, in milliseconds; one apply takes a few of them.
pub const WRITE_WAIT_MS_MAX: u64 = 2_000;

/// Longest pause of a program in the middle of a save, in seconds; a file that was not written to for so long is not being
/// saved.
pub const SAVE_PAUSE_SECONDS_MAX: u64 = 2;

/// Age at which another system's dream lock counts as left behind, in milliseconds, unless configured (W52).
pub const DREAM_LOCK_TTL_MS: u64 = 30 * 60 * 1_000;

/// Shortest time that an undecidable dream lock is observed before it counts as stale, in milliseconds.
pub const DREAM_WATCH_MS_MIN: u64 = 30 * 60 * 1_000;

/// Longest time that a dream lock may ask to be watched, in milliseconds.
pub const DREAM_WATCH_MS_MAX: u64 = 24 * 60 * 60 * 1_000;

/// How far the start of another system's dream lock may lie in the future before its clock is not believed, in minutes.
pub const CLOCK_SKEW_MINUTES_MAX: i64 = 5;

/// Most bytes of a `.gitignore` or `.inwitignore` that are read; what stands behind is passed over.
pub const IGNORE_FILE_BYTES_MAX: usize = 64 * 1024;

/// Most bytes of a lock file that are read; a record has about five hundred.
pub const LOCK_RECORD_BYTES_MAX: usize = 16 * 1024;
