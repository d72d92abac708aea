//! How a long task tells how far it is, and how whoever started it ends it: a person with Ctrl-C, a client that cancels.
//!
//! Invariant: what a task did until then stands and is whole; started again, it goes on from there.

use std::ops::ControlFlow;

/// Told after each step how much is done, and of how much. Where it breaks, the task ends.
pub type Watch<'w> = dyn FnMut(usize, usize) -> ControlFlow<()> + 'w;

/// Watches nothing and lets a task run to its end.
pub fn unwatched(_done: usize, _of: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
