//! Accepts connections and serves each with limits of size and time.
//!
//! Invariants: a connection that sends its headers slowly, or nothing, or does not read its answer, is closed after a
//! fixed time and holds no thread;
//! connections beyond the limit are closed, so that others are answered; HTTP/1.1 only.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_io_timeout::TimeoutStream;

use crate::limit::{HEADERS_BYTES_MAX, HEADERS_SECONDS_MAX, STOP_SECONDS_MAX, WRITE_SECONDS_MAX};
use crate::router::router;
use crate::server::Served;

/// Pause after a connection that cannot be accepted, such as without free descriptors.
const ACCEPT_PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// The signals that stop the server, caught from its start on.
pub(crate) struct StopSignals {
    interrupt: Signal,
    end: Signal,
}

impl StopSignals {
    /// Inside of a runtime. Error: the system gives no signals.
    pub fn new() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, end: signal(SignalKind::terminate())? })
    }

    async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.end.recv() => {}
        }
    }
}

/// Serves until a signal; then answers the requests that were read, and ends. Error: the listener
/// cannot be used.
pub(crate) async fn serve(
    listener: TcpListener,
    served: Arc<Served>,
    mut stop: StopSignals,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let router = router(&served);
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADERS_SECONDS_MAX)
        .max_buf_size(HEADERS_BYTES_MAX)
        .half_close(true);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.wait() => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let Ok(place) = Arc::clone(&served.connections).try_acquire_owned() else { continue };
        // Answers are small and wait for nothing.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(WRITE_SECONDS_MAX));
        let stream = TokioIo::new(Box::pin(stream));
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            // A client that goes away, or breaks the protocol, ends its own connection only.
            let _ = connection.await;
            drop(place);
        });
    }
    served.stop();
    drop(listener);
    let stopped = pin!(graceful.shutdown());
    let _ = tokio::time::timeout(STOP_SECONDS_MAX, stopped).await;
    Ok(())
}
