//! Figures of the server, in the text format of Prometheus.
//!
//! What happens is counted as it happens; what is there now is read when it is asked for. Invariant: labels are
//! methods, templates of routes and statuses, never an id or a text, so their number has a limit.

use std::time::Duration;

use axum::http::StatusCode;
use inwit_wire::routes::RouteSpec;
use prometheus::{
    Gauge, GaugeVec, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry,
    TextEncoder,
};
use tokio::sync::Semaphore;

use crate::limit::{BODIES_KIB_MAX, CALLS_MAX, CALLS_WAITING_MAX, CONNECTIONS_MAX, EVENT_STREAMS_MAX};
use crate::server::Served;

/// Upper bounds of the classes of durations, in seconds.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// The figures of one server.
pub(crate) struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    tokens_refused: IntCounter,
    now: Now,
}

/// What is there now.
struct Now {
    connections: IntGauge,
    running: IntGauge,
    waiting: IntGauge,
    streams: IntGauge,
    agents: IntGauge,
    body_bytes: IntGauge,
    resident_bytes: Gauge,
    descriptors: Gauge,
}

impl Metrics {
    /// All zero.
    #[expect(clippy::expect_used, reason = "names and labels are constants, and a test makes them all")]
    pub fn new() -> Self {
        let registry = Registry::new();
        let add = |it: Box<dyn prometheus::core::Collector>| registry.register(it).expect("a new name");
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(name, help).expect("a name");
            add(Box::new(gauge.clone()));
            gauge
        };
        let of_process = |name: &str, help: &str| Gauge::new(name, help).expect("a name");
        let requests = IntCounterVec::new(
            Opts::new("inwit_http_requests_total", "Requests that were answered, or whose client went away."),
            &["method", "route", "status"],
        )
        .expect("a name");
        let seconds = HistogramVec::new(
            HistogramOpts::new("inwit_http_request_duration_seconds", "Time until the answer begins.")
                .buckets(SECONDS.to_vec()),
            &["method", "route"],
        )
        .expect("a name");
        let tokens_refused =
            IntCounter::new("inwit_tokens_refused_total", "Invalid tokens that were sent.").expect("a name");
        let build = GaugeVec::new(Opts::new("inwit_build_info", "The version, as a label."), &["version"])
            .expect("a name");
        build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1.0);
        add(Box::new(requests.clone()));
        add(Box::new(seconds.clone()));
        add(Box::new(tokens_refused.clone()));
        add(Box::new(build));
        let now = Now {
            connections: gauge("inwit_connections_open", "Open connections."),
            running: gauge("inwit_calls_running", "Calls that run."),
            waiting: gauge("inwit_calls_waiting", "Calls that wait for their turn."),
            streams: gauge("inwit_event_streams_open", "Open streams of events."),
            agents: gauge("inwit_agents_open", "Open agents."),
            body_bytes: gauge("inwit_body_bytes", "Memory that is set aside for bodies of requests."),
            resident_bytes: of_process("process_resident_memory_bytes", "Resident memory."),
            descriptors: of_process("process_open_fds", "Open file descriptors."),
        };
        if cfg!(target_os = "linux") {
            add(Box::new(now.resident_bytes.clone()));
            add(Box::new(now.descriptors.clone()));
        }
        Self { registry, requests, seconds, tokens_refused, now }
    }

    /// Counts a request that ended; without a status its client went away.
    pub fn answered(
        &self,
        method: &str,
        route: Option<&RouteSpec>,
        status: Option<StatusCode>,
        took: Duration,
    ) {
        let route = route.map_or("none", |route| route.path);
        let status = status.as_ref().map_or("none", StatusCode::as_str);
        self.requests.with_label_values(&[method, route, status]).inc();
        self.seconds.with_label_values(&[method, route]).observe(took.as_secs_f64());
    }

    /// Counts an invalid token.
    pub fn token_refused(&self) {
        self.tokens_refused.inc();
    }

    /// All figures, as text.
    pub fn text(&self, served: &Served) -> String {
        let used = |of: &Semaphore, most: usize| most.saturating_sub(of.available_permits());
        let running = used(&served.calls, CALLS_MAX);
        let now = &self.now;
        for (gauge, value) in [
            (&now.connections, used(&served.connections, CONNECTIONS_MAX)),
            (&now.running, running),
            (&now.waiting, used(&served.queue, CALLS_MAX + CALLS_WAITING_MAX).saturating_sub(running)),
            (&now.streams, used(&served.streams, EVENT_STREAMS_MAX)),
            (&now.agents, served.agents.open_count()),
            (&now.body_bytes, used(&served.bodies, BODIES_KIB_MAX) * 1024),
        ] {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
        if let Some((bytes, descriptors)) = of_process() {
            now.resident_bytes.set(bytes as f64);
            now.descriptors.set(descriptors as f64);
        }
        // It fails only for a metric without a value, and each has one.
        TextEncoder::new().encode_to_string(&self.registry.gather()).unwrap_or_default()
    }
}

/// Resident bytes and open descriptors of this process; `None` where the system does not say.
fn of_process() -> Option<(u64, usize)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = kib.trim().strip_suffix(" kB")?.parse().ok()?;
    // The folder itself is open while it is read.
    let descriptors = std::fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1);
    Some((kib * 1024, descriptors))
}
