//! Fills missing vectors while the server is idle.
//!
//! A server runs for hours beside a person who writes: new passages are embedded after some time without calls, a few
//! at a time. Invariants: no answer waits for it, since it runs on a separate thread between calls; a failure in one
//! visible set is retried after a pause and stops no other set; of several servers of one home only one fills; when
//! the connection ends, no further text is started.

use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use inwit_engine::EngineError;
use inwit_model::Scope;

use crate::connection::Connection;

/// Idle time before texts are embedded, in milliseconds.
pub const FILL_QUIET_MS: u64 = 1_500;

/// Pause after a fill without work, in seconds; a call ends it.
const FILL_AGAIN_SECONDS: u64 = 60;

/// Pause of a set after a failure, in seconds.
const FILL_RETRY_SECONDS: u64 = 300;

/// A running fill, until it is dropped.
pub(crate) struct Fill(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    moved: Condvar,
    quiet: Duration,
}

#[derive(Default)]
struct State {
    /// Calls in progress.
    calls: usize,
    /// Finished calls.
    done: u64,
    /// End of the last call.
    last: Option<Instant>,
    is_over: bool,
}

/// A set whose fill failed, and when.
struct Resting {
    scope: Scope,
    since: Instant,
}

impl Fill {
    /// Starts filling what `connection` may search, after `quiet` without calls. `None` if no model is configured or
    /// no thread can be started: then new passages are found by words only.
    pub(crate) fn start(connection: &Arc<Connection>, quiet: Duration) -> Option<Self> {
        if !connection.fills || !connection.agent.notes.has_model() {
            return None;
        }
        // The first calls arrive when a connection begins.
        let state = Mutex::new(State { last: Some(Instant::now()), ..State::default() });
        let shared = Arc::new(Shared { state, moved: Condvar::new(), quiet });
        let (work, connection) = (Arc::clone(&shared), Arc::clone(connection));
        let begun = thread::Builder::new().name("fill".into()).spawn(move || work.run(&connection));
        begun.ok().map(|_| Self(shared))
    }

    /// Registers a call in progress, until the result is dropped.
    pub(crate) fn call(&self) -> Busy {
        self.0.hold().calls += 1;
        Busy(Arc::clone(&self.0))
    }
}

impl Drop for Fill {
    fn drop(&mut self) {
        self.0.hold().is_over = true;
        self.0.moved.notify_all();
    }
}

/// A call in progress.
pub(crate) struct Busy(Arc<Shared>);

impl Drop for Busy {
    fn drop(&mut self) {
        let mut state = self.0.hold();
        state.calls -= 1;
        state.done += 1;
        state.last = Some(Instant::now());
        drop(state);
        self.0.moved.notify_all();
    }
}

impl Shared {
    fn hold(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, connection: &Connection) {
        let mut resting = Vec::new();
        while self.waits_for_quiet() {
            let seen = self.hold().done;
            let pause = match self.once(connection, &mut resting) {
                Ok(()) => FILL_AGAIN_SECONDS,
                Err(_) => FILL_RETRY_SECONDS,
            };
            self.waits_for_a_call(seen, Duration::from_secs(pause), pause == FILL_AGAIN_SECONDS);
        }
    }

    /// Fills every searchable set, except those that failed recently. If all did, returns the last failure.
    fn once(&self, connection: &Connection, resting: &mut Vec<Resting>) -> Result<(), EngineError> {
        let agent = &connection.agent;
        let scopes = match &connection.scope {
            Scope::Main => agent.notes.searched_scopes()?,
            other => vec![other.clone()],
        };
        resting.retain(|rests| rests.since.elapsed() < Duration::from_secs(FILL_RETRY_SECONDS));
        let mut failed = None;
        for scope in &scopes {
            if resting.iter().any(|rests| rests.scope == *scope) {
                continue;
            }
            match agent.notes.fill(scope, &mut |_, _| self.go_on_when_quiet()) {
                Ok(Some(_)) => {}
                // Another server of this home fills all of its sets.
                Ok(None) => return Ok(()),
                Err(error) => {
                    resting.push(Resting { scope: scope.clone(), since: Instant::now() });
                    failed = Some(error);
                }
            }
        }
        if let Some(error) = failed.filter(|_| resting.len() >= scopes.len()) {
            return Err(error);
        }
        if connection.scope == Scope::Main && self.waits_for_quiet() {
            agent.prune_vectors()?;
        }
        Ok(())
    }

    fn go_on_when_quiet(&self) -> ControlFlow<()> {
        if self.waits_for_quiet() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Waits until no call is in progress; whether the connection still exists.
    fn waits_for_quiet(&self) -> bool {
        let mut state = self.hold();
        loop {
            if state.is_over {
                return false;
            }
            let left = match state.last {
                Some(last) if state.calls == 0 => self.quiet.saturating_sub(last.elapsed()),
                _ => self.quiet,
            };
            if left.is_zero() {
                return true;
            }
            let waited = self.moved.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for `pause`, or if `wakes` until a call finished since `seen`.
    fn waits_for_a_call(&self, seen: u64, pause: Duration, wakes: bool) {
        let state = self.hold();
        let is_woken = |state: &State| state.is_over || (wakes && state.done != seen);
        drop(self.moved.wait_timeout_while(state, pause, |state| !is_woken(state)));
    }
}
