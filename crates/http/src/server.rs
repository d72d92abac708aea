//! Starts and stops the server.
//!
//! Invariants: one server per home, by a kernel lock; when it stops, every request that was read is answered first, so
//! that no acknowledged write is lost.

use std::fs::{File, TryLockError};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use inwit_home::access::Tokens;
use inwit_home::own;
use inwit_home::upkeep::{self, Occasion};
use inwit_home::{HomeError, OpenAgent};
use inwit_model::{Clock, Code, Entropy};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use crate::agents::Agents;
use crate::caller::Failures;
use crate::guard::Guard;
use crate::jobs::Jobs;
use crate::limit::{
    ANSWERS_KIB_MAX, BODIES_KIB_MAX, CALLS_MAX, CALLS_WAITING_MAX, CONNECTIONS_MAX, EVENT_STREAMS_MAX,
    OPEN_CALLS_MAX, OPEN_CALLS_WAITING_MAX,
};
use crate::listen::{self, StopSignals};
use crate::listeners::{Listener, Listeners};
use crate::metrics::Metrics;
use crate::upkeep::{Running, Upkeep};

/// The file that a server of a home locks.
const LOCK: &str = "server.lock";

/// What a server is started with.
pub struct ServerConfig {
    /// The addresses on which it listens.
    pub addresses: Vec<SocketAddr>,
    /// The unix socket on which it listens.
    pub socket: Option<PathBuf>,
    /// The listeners that its service manager passed.
    pub passed: Vec<Listener>,
    /// Further values of the header `Host` that are served, with port.
    pub allowed_hosts: Vec<String>,
    /// The clock, for the expiry of tokens.
    pub clock: Arc<dyn Clock>,
    /// Random bytes, for the ids of traces.
    pub entropy: Arc<dyn Entropy>,
}

/// A server that listens and does not answer yet.
pub struct Server {
    listeners: Listeners,
    served: Arc<Served>,
    runtime: Runtime,
    stop: StopSignals,
    _lock: File,
}

/// What every request needs.
pub(crate) struct Served {
    pub agents: Box<dyn Agents>,
    /// The home.
    pub root: PathBuf,
    /// Long work.
    pub jobs: Arc<Jobs>,
    /// Due work.
    pub upkeep: Upkeep,
    pub tokens: Tokens,
    pub guard: Guard,
    /// For requests over a unix socket.
    pub socket_guard: Guard,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub failures: Failures,
    pub metrics: Metrics,
    /// Connections.
    pub connections: Arc<Semaphore>,
    /// Calls that run.
    pub calls: Arc<Semaphore>,
    /// Calls that run or wait.
    pub queue: Arc<Semaphore>,
    /// Calls of callers without a token that run.
    pub open_calls: Arc<Semaphore>,
    /// Calls of callers without a token that run or wait.
    pub open_queue: Arc<Semaphore>,
    /// Streams of events.
    pub streams: Arc<Semaphore>,
    /// Memory of bodies that are read or worked on, in KiB.
    pub bodies: Semaphore,
    /// Whether further hosts are served. Callers of other machines would look like those of this one.
    pub is_behind_proxy: bool,
    /// Memory of large answers that are being sent, in KiB.
    pub answers: Arc<Semaphore>,
    stopping: AtomicBool,
}

impl Served {
    /// Of the home in `root`.
    pub fn new(
        root: &Path,
        agents: Box<dyn Agents>,
        guard: Guard,
        (clock, entropy): (Arc<dyn Clock>, Arc<dyn Entropy>),
    ) -> Self {
        Self {
            agents,
            root: root.to_owned(),
            jobs: Arc::default(),
            upkeep: Upkeep::default(),
            tokens: Tokens::of(root),
            socket_guard: guard.clone().with_localhost(),
            guard,
            clock,
            entropy,
            failures: Failures::default(),
            metrics: Metrics::new(),
            connections: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            calls: Arc::new(Semaphore::new(CALLS_MAX)),
            queue: Arc::new(Semaphore::new(CALLS_MAX + CALLS_WAITING_MAX)),
            open_calls: Arc::new(Semaphore::new(OPEN_CALLS_MAX)),
            open_queue: Arc::new(Semaphore::new(OPEN_CALLS_MAX + OPEN_CALLS_WAITING_MAX)),
            streams: Arc::new(Semaphore::new(EVENT_STREAMS_MAX)),
            bodies: Semaphore::new(BODIES_KIB_MAX),
            answers: Arc::new(Semaphore::new(ANSWERS_KIB_MAX)),
            is_behind_proxy: false,
            stopping: AtomicBool::new(false),
        }
    }

    /// Whether the server stops.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Stops taking requests.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Does the work that is due after a write; failures are reported by the checks of the agent.
    pub fn after_write(&self, opened: &OpenAgent) {
        let _ = upkeep::tend(opened, Occasion::Written);
    }
}

impl Server {
    /// Listens for the home in `root`. Errors: `server_running`, `address_refused`, those of the home.
    pub fn bind(root: &Path, config: ServerConfig, agents: Box<dyn Agents>) -> Result<Self, HomeError> {
        own::make_folder(root).map_err(|error| own::failed(root, &error))?;
        let lock = own::lock(&root.join(LOCK), Duration::ZERO).map_err(|error| match error {
            TryLockError::WouldBlock => {
                HomeError::new(Code::ServerRunning, format!("Another server serves {}.", root.display()))
            }
            TryLockError::Error(error) => own::failed(&root.join(LOCK), &error),
        })?;
        let listeners = Listeners::of(config.passed, &config.addresses, config.socket.as_deref())?;
        let guard = Guard::of(&listeners.addresses(), &config.allowed_hosts);
        let mut served = Served::new(root, agents, guard, (config.clock, config.entropy));
        served.is_behind_proxy = !config.allowed_hosts.is_empty();
        let served = Arc::new(served);
        let refused = |error| {
            HomeError::new(Code::AddressRefused, format!("The server cannot start its threads: {error}."))
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(WORKERS)
            .max_blocking_threads(CALLS_MAX)
            .build()
            .map_err(refused)?;
        // From here on a signal ends the server in order.
        let stop = {
            let _inside = runtime.enter();
            StopSignals::new().map_err(refused)?
        };
        Ok(Self { listeners, served, runtime, stop, _lock: lock })
    }

    /// Where it listens; the port that the system chose for port 0.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.listeners.addresses()
    }

    /// The unix socket that it made.
    pub fn socket(&self) -> Option<&Path> {
        self.listeners.socket_path()
    }

    /// Answers until SIGINT or SIGTERM. Error: a sentence, if the server cannot run.
    pub fn run(self) -> Result<(), String> {
        let upkeep = Upkeep::start(&self.served);
        let done = self.runtime.block_on(listen::serve(self.listeners, self.served, self.stop));
        upkeep.into_iter().for_each(Running::end);
        self.runtime.shutdown_timeout(RUNTIME_STOP_SECONDS_MAX);
        done.map_err(|error| format!("The server cannot run: {error}."))
    }
}

/// Longest wait for threads of the runtime after the last answer.
const RUNTIME_STOP_SECONDS_MAX: Duration = Duration::from_secs(1);

/// Threads that read and write connections; calls run on others.
const WORKERS: usize = 2;
