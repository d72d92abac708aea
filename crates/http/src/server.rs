//! Starts and stops the server.
//!
//! Invariants: one server per home, by a kernel lock; when it stops, every request that was read is answered first, so
//! that no acknowledged write is lost.

use std::fs::{File, TryLockError};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
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
use crate::limit::{BODIES_KIB_MAX, CALLS_MAX, CALLS_WAITING_MAX, CONNECTIONS_MAX, EVENT_STREAMS_MAX};
use crate::listen::{self, StopSignals};
use crate::metrics::Metrics;

/// The file that a server of a home locks.
const LOCK: &str = "server.lock";

/// What a server is started with.
pub struct ServerConfig {
    /// Where it listens.
    pub address: SocketAddr,
    /// Further values of the header `Host` that are served, with port.
    pub allowed_hosts: Vec<String>,
    /// The clock, for the expiry of tokens.
    pub clock: Arc<dyn Clock>,
    /// Random bytes, for the ids of traces.
    pub entropy: Arc<dyn Entropy>,
}

/// A server that listens and does not answer yet.
pub struct Server {
    listener: TcpListener,
    served: Arc<Served>,
    runtime: Runtime,
    stop: StopSignals,
    _lock: File,
}

/// What every request needs.
pub(crate) struct Served {
    pub agents: Box<dyn Agents>,
    pub tokens: Tokens,
    pub guard: Guard,
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
    /// Streams of events.
    pub streams: Arc<Semaphore>,
    /// Memory of bodies that are read or worked on, in KiB.
    pub bodies: Semaphore,
    /// Whether callers of this machine need no token. Behind a proxy, callers of other machines would look like them.
    pub is_local: bool,
    stopping: AtomicBool,
}

impl Served {
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
    pub fn bind(root: &Path, config: &ServerConfig, agents: Box<dyn Agents>) -> Result<Self, HomeError> {
        own::make_folder(root).map_err(|error| own::failed(root, &error))?;
        let lock = own::lock(&root.join(LOCK), Duration::ZERO).map_err(|error| match error {
            TryLockError::WouldBlock => {
                HomeError::new(Code::ServerRunning, format!("Another server serves {}.", root.display()))
            }
            TryLockError::Error(error) => own::failed(&root.join(LOCK), &error),
        })?;
        let refused = |error: std::io::Error| {
            let message = format!("The server cannot listen on {}: {error}.", config.address);
            HomeError::new(Code::AddressRefused, message)
        };
        let listener = TcpListener::bind(config.address).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let served = Arc::new(Served {
            agents,
            tokens: Tokens::of(root),
            guard: Guard::of(address, &config.allowed_hosts),
            clock: Arc::clone(&config.clock),
            entropy: Arc::clone(&config.entropy),
            failures: Failures::default(),
            metrics: Metrics::new(),
            connections: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            calls: Arc::new(Semaphore::new(CALLS_MAX)),
            queue: Arc::new(Semaphore::new(CALLS_MAX + CALLS_WAITING_MAX)),
            streams: Arc::new(Semaphore::new(EVENT_STREAMS_MAX)),
            bodies: Semaphore::new(BODIES_KIB_MAX),
            is_local: address.ip().is_loopback() && config.allowed_hosts.is_empty(),
            stopping: AtomicBool::new(false),
        });
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
        Ok(Self { listener, served, runtime, stop, _lock: lock })
    }

    /// Where it listens; the port that the system chose for port 0.
    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().unwrap_or_else(|_| SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// Answers until SIGINT or SIGTERM. Error: a sentence, if the server cannot run.
    pub fn run(self) -> Result<(), String> {
        let done = self.runtime.block_on(listen::serve(self.listener, self.served, self.stop));
        self.runtime.shutdown_timeout(RUNTIME_STOP_SECONDS_MAX);
        done.map_err(|error| format!("The server cannot run: {error}."))
    }
}

/// Longest wait for threads of the runtime after the last answer.
const RUNTIME_STOP_SECONDS_MAX: Duration = Duration::from_secs(1);

/// Threads that read and write connections; calls run on others.
const WORKERS: usize = 2;
