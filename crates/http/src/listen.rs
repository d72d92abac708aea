//! Accepts connections and serves each with limits of size and time.
//!
//! Invariants: a connection that sends its headers slowly, or nothing, or does not read its answer, is closed after a
//! fixed time and holds no thread;
//! connections beyond the limit are closed, so that others are answered; HTTP/1.1 only.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::OwnedSemaphorePermit;
use tokio_io_timeout::TimeoutStream;

use crate::limit::{HEADERS_BYTES_MAX, HEADERS_SECONDS_MAX, STOP_SECONDS_MAX, WRITE_SECONDS_MAX};
use crate::listeners::{Listener, Listeners, Via, is_served};
use crate::router::router;
use crate::server::Served;
use crate::systemd;

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

/// A listener inside of the runtime, with how its connections come in.
enum Accepting {
    Tcp(TcpListener, Via),
    /// With the user whose programs are served.
    Unix(UnixListener, Via, u32),
}

/// An accepted connection.
enum Accepted {
    Tcp(TcpStream, Via),
    Unix(UnixStream, Via),
    /// Of another user; it is closed.
    Refused,
}

impl Accepting {
    /// Error: the listener cannot be used.
    fn of(listener: Listener, served: &Served) -> io::Result<Self> {
        Ok(match listener {
            Listener::Tcp(listener) => {
                let is_loopback = listener.local_addr()?.ip().is_loopback();
                let via = Via { is_socket: false, is_local: is_loopback && !served.is_behind_proxy };
                Self::Tcp(TcpListener::from_std(listener)?, via)
            }
            Listener::Unix(listener) => {
                let via = Via { is_socket: true, is_local: !served.is_behind_proxy };
                let (own, _) = UnixStream::pair()?;
                Self::Unix(UnixListener::from_std(listener)?, via, own.peer_cred()?.uid())
            }
        })
    }

    fn poll(&self, context: &mut Context<'_>) -> Poll<io::Result<Accepted>> {
        match self {
            Self::Tcp(listener, via) => {
                listener.poll_accept(context).map_ok(|(stream, _)| Accepted::Tcp(stream, *via))
            }
            Self::Unix(listener, via, own) => listener.poll_accept(context).map_ok(|(stream, _)| {
                let is_ours = stream.peer_cred().is_ok_and(|peer| is_served(peer.uid(), *own));
                if is_ours { Accepted::Unix(stream, *via) } else { Accepted::Refused }
            }),
        }
    }
}

/// The next connection of any listener. The one that had the last connection is asked last.
async fn accept(listeners: &mut [Accepting]) -> io::Result<Accepted> {
    std::future::poll_fn(|context| {
        for at in 0..listeners.len() {
            if let Poll::Ready(accepted) = listeners[at].poll(context) {
                listeners.rotate_left(at + 1);
                return Poll::Ready(accepted);
            }
        }
        Poll::Pending
    })
    .await
}

/// Serves connections, each in a task of its own.
struct Serving {
    router: Router,
    http: http1::Builder,
    graceful: GracefulShutdown,
}

impl Serving {
    /// Serves a connection until it ends.
    fn start<S>(&self, stream: S, via: Via, place: OwnedSemaphorePermit)
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(WRITE_SECONDS_MAX));
        let stream = TokioIo::new(Box::pin(stream));
        let service = TowerToHyperService::new(self.router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(via);
            service.call(request)
        });
        let connection = self.graceful.watch(self.http.serve_connection(stream, service));
        tokio::spawn(async move {
            // A client that goes away, or breaks the protocol, ends its own connection only.
            let _ = connection.await;
            drop(place);
        });
    }
}

/// Serves until a signal; then answers the requests that were read, and ends; a second signal ends it without. Error: a listener cannot be used.
pub(crate) async fn serve(
    listeners: Listeners,
    served: Arc<Served>,
    mut stop: StopSignals,
) -> io::Result<()> {
    let Listeners { all, socket } = listeners;
    let accepting = all.into_iter().map(|listener| Accepting::of(listener, &served));
    let mut accepting = accepting.collect::<io::Result<Vec<_>>>()?;
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADERS_SECONDS_MAX)
        .max_buf_size(HEADERS_BYTES_MAX)
        .half_close(true);
    let serving = Serving { router: router(&served), http, graceful: GracefulShutdown::new() };
    let mut watchdog = pin!(systemd::watchdog());
    systemd::ready();
    loop {
        let accepted = tokio::select! {
            accepted = accept(&mut accepting) => accepted,
            never = &mut watchdog => match never {},
            () = stop.wait() => break,
        };
        let Ok(accepted) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let Ok(place) = Arc::clone(&served.connections).try_acquire_owned() else { continue };
        match accepted {
            Accepted::Tcp(stream, via) => {
                // Answers are small and wait for nothing.
                let _ = stream.set_nodelay(true);
                serving.start(stream, via, place);
            }
            Accepted::Unix(stream, via) => serving.start(stream, via, place),
            Accepted::Refused => {}
        }
    }
    systemd::stopping();
    served.stop();
    // While it still listens, no other server replaces its socket.
    drop(socket);
    drop(accepting);
    let stopped = pin!(serving.graceful.shutdown());
    tokio::select! {
        _ = tokio::time::timeout(STOP_SECONDS_MAX, stopped) => {}
        // Who asks twice waits for nothing more.
        () = stop.wait() => {}
    }
    Ok(())
}
