//! Vectors for passages that have none yet, while nobody asks.
//!
//! A server lives for hours beside a person who writes: what is new is embedded when nothing was asked for a
//! while, a few texts at a time. Invariants: no answer waits for it, since it works only between calls and on a
//! thread of its own; what went wrong in one visible set is tried again after a pause and stops no other set; of the
//! servers of one home one fills and the others look again later; when the connection ends, no further text is begun.

use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use inwit_engine::EngineError;
use inwit_model::Scope;

use crate::connection::Connection;

/// How long nothing may have been asked before texts are embedded, in milliseconds.
pub const FILL_QUIET_MS: u64 = 1_500;

/// How long a fill that found nothing to do waits before it looks again, in seconds; a call wakes it.
const FILL_AGAIN_SECONDS: u64 = 60;

/// How long a set whose fill failed waits, in seconds.
const FILL_RETRY_SECONDS: u64 = 300;

/// A fill at work, until it is dropped.
pub(crate) struct Fill(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    moved: Condvar,
    quiet: Duration,
}

#[derive(Default)]
struct State {
    /// Calls that are being carried out.
    calls: usize,
    /// Calls that were carried out.
    done: u64,
    /// When the last of them ended.
    last: Option<Instant>,
    is_over: bool,
}

/// A set whose fill failed, and when.
struct Resting {
    scope: Scope,
    since: Instant,
}

impl Fill {
    /// Starts to fill what `connection` may search, once nothing was asked for `quiet`. `None` where no model
    /// is configured, or the system gives no thread: then words alone answer what is new.
    pub(crate) fn start(connection: &Arc<Connection>, quiet: Duration) -> Option<Self> {
        if !connection.fills || !connection.agent.notes.has_model() {
            return None;
        }
        // The first calls are on their way when a connection begins.
        let state = Mutex::new(State { last: Some(Instant::now()), ..State::default() });
        let shared = Arc::new(Shared { state, moved: Condvar::new(), quiet });
        let (work, connection) = (Arc::clone(&shared), Arc::clone(connection));
        let begun = thread::Builder::new().name("fill".into()).spawn(move || work.run(&connection));
        begun.ok().map(|_| Self(shared))
    }

    /// Says that a call is being carried out, until what is given is dropped.
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

/// A call that is being carried out.
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

    /// Fills every set that the connection may search, but for those that failed lately. Where all of them did, the last
    /// failure is told.
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

    /// Whether there is still somebody to fill for, once nothing is being asked.
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

    /// Waits for `pause`, or where `wakes` until a call was carried out since `seen`.
    fn waits_for_a_call(&self, seen: u64, pause: Duration, wakes: bool) {
        let state = self.hold();
        let is_woken = |state: &State| state.is_over || (wakes && state.done != seen);
        drop(self.moved.wait_timeout_while(state, pause, |state| !is_woken(state)));
    }
}
