//! What a service manager passes and hears: sockets, readiness, signs of life.
//!
//! Invariant: outside of a service all of this does nothing.

use std::convert::Infallible;
use std::time::Duration;

use inwit_home::HomeError;
use inwit_model::Code;
use listenfd::ListenFd;
use sd_notify::NotifyState;

use crate::listeners::Listener;

/// The listeners that were passed to this process (`LISTEN_FDS`). It forgets the variables, so it must be called before
/// other threads start. Error: `address_refused` for a descriptor that is no listening TCP or unix socket.
pub fn passed() -> Result<Vec<Listener>, HomeError> {
    let mut passed = ListenFd::from_env();
    let mut listeners = Vec::new();
    for at in 0..passed.len() {
        let listener = match passed.take_tcp_listener(at) {
            Ok(listener) => listener.map(Listener::Tcp),
            Err(_) => passed.take_unix_listener(at).ok().flatten().map(Listener::Unix),
        };
        listeners.push(listener.ok_or_else(|| {
            let message = format!("Socket {at} of the service is no TCP or unix socket that listens.");
            HomeError::new(Code::AddressRefused, message)
        })?);
    }
    Ok(listeners)
}

/// The server answers.
pub(crate) fn ready() {
    send(NotifyState::Ready);
}

/// The server ends.
pub(crate) fn stopping() {
    send(NotifyState::Stopping);
}

/// Sends signs of life for as long as it is polled, twice as often as the service manager asks for them.
pub(crate) async fn watchdog() -> Infallible {
    let Some(most) = sd_notify::watchdog_enabled() else { return std::future::pending().await };
    let mut ticks = tokio::time::interval((most / 2).max(Duration::from_millis(1)));
    loop {
        ticks.tick().await;
        send(NotifyState::Watchdog);
    }
}

/// A service manager that hears nothing changes no answer.
fn send(state: NotifyState<'_>) {
    let _ = sd_notify::notify(&[state]);
}
