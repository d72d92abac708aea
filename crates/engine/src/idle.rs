//! Whether a process is idle, for work beside its calls or turns.
//!
//! Invariants: work is started only while no call runs; a call never waits for it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The calls of a process.
#[derive(Debug)]
pub struct Idle {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Calls in progress.
    calls: usize,
    /// Finished calls.
    finished: u64,
    /// Start of the process or end of the last call.
    since: Instant,
    is_over: bool,
}

/// A call in progress.
#[derive(Debug)]
pub struct Busy(Arc<Idle>);

/// What ends a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wakes {
    /// A call that finished since this number of them.
    Call(u64),
    /// Only the end of the process.
    Nothing,
}

impl Default for Idle {
    fn default() -> Self {
        let state = State { calls: 0, finished: 0, since: Instant::now(), is_over: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl Idle {
    /// Registers a call, until the result is dropped.
    pub fn call(self: &Arc<Self>) -> Busy {
        self.hold().calls += 1;
        Busy(Arc::clone(self))
    }

    /// Ends every wait, also those that begin later.
    pub fn end(&self) {
        self.hold().is_over = true;
        self.changed.notify_all();
    }

    /// Whether no call runs.
    pub fn is_idle(&self) -> bool {
        self.hold().calls == 0
    }

    /// Number of finished calls.
    pub fn finished(&self) -> u64 {
        self.hold().finished
    }

    /// Waits until no call has run for `quiet`; `false` if the process ends.
    pub fn wait(&self, quiet: Duration) -> bool {
        let mut state = self.hold();
        loop {
            if state.is_over {
                return false;
            }
            let left = quiet.saturating_sub(state.since.elapsed());
            state = match state.calls {
                0 if left.is_zero() => return true,
                0 => self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
                _ => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Waits for `pause`, or until what `wakes`.
    pub fn pause(&self, pause: Duration, wakes: Wakes) {
        let is_woken =
            |state: &State| state.is_over || matches!(wakes, Wakes::Call(seen) if state.finished != seen);
        drop(self.changed.wait_timeout_while(self.hold(), pause, |state| !is_woken(state)));
    }

    fn hold(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut state = self.0.hold();
        state.calls -= 1;
        state.finished += 1;
        state.since = Instant::now();
        drop(state);
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn work_waits_for_the_end_of_a_call_and_the_end_of_the_process_ends_waiting() {
        let idle = Arc::new(Idle::default());
        assert!(idle.wait(Duration::ZERO), "no call runs");
        let call = idle.call();
        let (sender, receiver) = mpsc::channel();
        let waiting = Arc::clone(&idle);
        let waits = std::thread::spawn(move || {
            let is_idle = waiting.wait(Duration::from_millis(5));
            sender.send(()).expect("a receiver");
            is_idle
        });
        assert!(receiver.recv_timeout(Duration::from_millis(40)).is_err(), "a call runs");
        drop(call);
        receiver.recv().expect("idle");
        assert!(waits.join().expect("no panic"));
        idle.pause(Duration::MAX, Wakes::Call(0));
        idle.end();
        idle.pause(Duration::MAX, Wakes::Nothing);
        assert!(!idle.wait(Duration::ZERO), "the process ends");
    }
}
