//! Progress of a long task, and the way to stop it: a person presses Ctrl-C, a client cancels.
//!
//! Invariant: what a task did before it was stopped is kept and complete. Started again, it continues from there.

use std::ops::ControlFlow;

/// Called after each step with the number of items done and their total. A break stops the task.
pub type Watch<'w> = dyn FnMut(usize, usize) -> ControlFlow<()> + 'w;

/// Ignores progress and never stops the task.
pub fn unwatched(_done: usize, _of: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
