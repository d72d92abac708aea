//! Fills missing vectors while the server is idle.
//!
//! A server runs for hours beside a person who writes: new passages are embedded after some time without calls, a few
//! at a time. Invariants: no answer waits for it, since it runs on a separate thread between calls; a failure in one
//! visible set is retried after a pause and stops no other set; of several servers of one home only one fills; when
//! the connection ends, no further text is started.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use inwit_engine::EngineError;
use inwit_engine::idle::{Idle, Wakes};
use inwit_model::Scope;

use crate::connection::Connection;

/// Idle time before texts are embedded, in milliseconds.
pub const FILL_QUIET_MS: u64 = 1_500;

/// Pause after a fill without work, in seconds; a call ends it.
const FILL_AGAIN_SECONDS: u64 = 60;

/// Pause of a set after a failure, in seconds.
const FILL_RETRY_SECONDS: u64 = 300;

/// The fill of a connection.
pub(crate) struct Fill {
    idle: Arc<Idle>,
    quiet: Duration,
}

/// A set whose fill failed, and when.
struct Resting {
    scope: Scope,
    since: Instant,
}

impl Fill {
    /// Starts filling what `connection` may search, after `quiet` without calls, until it ends. Does nothing if no model
    /// is configured or no thread can be started: then new passages are found by words only.
    pub(crate) fn start(connection: &Arc<Connection>, quiet: Duration) {
        if !connection.fills || !connection.agent.notes.has_model() {
            return;
        }
        let fill = Self { idle: Arc::clone(&connection.idle), quiet };
        let connection = Arc::clone(connection);
        let _ = thread::Builder::new().name("fill".into()).spawn(move || fill.run(&connection));
    }

    fn run(&self, connection: &Connection) {
        let mut resting = Vec::new();
        while self.idle.wait(self.quiet) {
            let wakes = Wakes::Call(self.idle.finished());
            match self.once(connection, &mut resting) {
                Ok(()) => self.idle.pause(Duration::from_secs(FILL_AGAIN_SECONDS), wakes),
                Err(_) => self.idle.pause(Duration::from_secs(FILL_RETRY_SECONDS), Wakes::Nothing),
            }
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
        if connection.scope == Scope::Main && self.idle.wait(self.quiet) {
            agent.prune_vectors()?;
        }
        Ok(())
    }

    fn go_on_when_quiet(&self) -> ControlFlow<()> {
        if self.idle.wait(self.quiet) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
