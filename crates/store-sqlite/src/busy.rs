//! Retries while another process holds a lock of SQLite or of an index.
//!
//! Invariant: nothing else is waited for; every other error is returned immediately.

use std::time::Duration;

/// Pause between two attempts of an open or a write, in milliseconds. SQLite's own pauses grow to a tenth of a
/// second: the longest waiter came last, and held the write guard for that time.
pub const BUSY_PAUSE_MS: u64 = 1;

/// Tries `attempt` again while its error `is_busy` and the time `is_over` not yet.
pub fn while_busy<T, E>(
    is_over: impl Fn() -> bool,
    is_busy: impl Fn(&E) -> bool,
    mut attempt: impl FnMut() -> Result<T, E>,
) -> Result<T, E> {
    loop {
        match attempt() {
            Err(error) if is_busy(&error) && !is_over() => {
                std::thread::sleep(Duration::from_millis(BUSY_PAUSE_MS));
            }
            done => return done,
        }
    }
}
