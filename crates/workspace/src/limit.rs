//! Every cap of the locks, with its unit in its name (D12).

/// Longest wait for the write guard, in milliseconds; one apply takes a few of them.
pub const WRITE_WAIT_MS_MAX: u64 = 2_000;

/// Age at which another system's dream lock counts as left behind, in milliseconds, unless configured (W52).
pub const DREAM_LOCK_TTL_MS: u64 = 30 * 60 * 1_000;

/// Shortest time that a dream lock which nobody can judge is watched before it counts as left behind, in milliseconds.
pub const DREAM_WATCH_MS_MIN: u64 = 30 * 60 * 1_000;

/// Longest time that a dream lock may ask to be watched, in milliseconds.
pub const DREAM_WATCH_MS_MAX: u64 = 24 * 60 * 60 * 1_000;

/// How far the start of another system's dream lock may lie in the future before its clock is not believed, in minutes.
pub const CLOCK_SKEW_MINUTES_MAX: i64 = 5;

/// Most bytes of a lock file that are read; a record has about five hundred.
pub const LOCK_RECORD_BYTES_MAX: usize = 16 * 1024;
