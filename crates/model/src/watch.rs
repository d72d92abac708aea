//! Progress and cancellation of long tasks: a person presses Ctrl-C, a client cancels.
//!
//! Invariant: work done before a stop is complete and kept. A restarted task continues from there.

use std::ops::ControlFlow;

/// Called after each step with the number of items done and the total. `Break` stops the task.
pub type Watch<'w> = dyn FnMut(usize, usize) -> ControlFlow<()> + 'w;

/// Ignores progress and never stops the task.
pub fn unwatched(_done: usize, _of: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
