//! Asks a running server whether it is ready, for health checks of containers and service managers.
//!
//! Invariants: one request without a token, which changes nothing; the answer is there within a fixed time.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// Longest wait for the connection, and for each part of the answer.
const WAIT_SECONDS_MAX: Duration = Duration::from_secs(5);

/// The answer of a server that is ready.
const READY: &[u8] = b"HTTP/1.1 204 ";

/// Asks the server at `address`, under the name `host` if it is known by another one. Error: a sentence.
pub fn of_address(address: SocketAddr, host: Option<&str>) -> Result<(), String> {
    let address = reachable(address);
    let host = host.map_or_else(|| address.to_string(), str::to_owned);
    let asked = TcpStream::connect_timeout(&address, WAIT_SECONDS_MAX).and_then(|stream| {
        stream.set_read_timeout(Some(WAIT_SECONDS_MAX))?;
        stream.set_write_timeout(Some(WAIT_SECONDS_MAX))?;
        asked(stream, &host)
    });
    judged(&address, asked)
}

/// Asks the server on the unix socket `path`. Error: a sentence.
pub fn of_socket(path: &Path) -> Result<(), String> {
    let asked = UnixStream::connect(path).and_then(|stream| {
        stream.set_read_timeout(Some(WAIT_SECONDS_MAX))?;
        stream.set_write_timeout(Some(WAIT_SECONDS_MAX))?;
        asked(stream, "localhost")
    });
    judged(&path.display(), asked)
}

/// The address at which a server is reached that listens on every one.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

/// The first bytes of the answer.
fn asked(mut stream: impl Read + Write, host: &str) -> io::Result<[u8; READY.len()]> {
    // In one piece: a server may answer and close before it has read everything.
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut head = [0; READY.len()];
    stream.read_exact(&mut head)?;
    Ok(head)
}

fn judged(place: &impl std::fmt::Display, asked: io::Result<[u8; READY.len()]>) -> Result<(), String> {
    match asked {
        Ok(head) if head == READY => Ok(()),
        Ok(head) => {
            let head = String::from_utf8_lossy(&head);
            let status = head.split(' ').nth(1).unwrap_or_default();
            Err(format!("The server at {place} is not ready: it answers with status {status}."))
        }
        Err(error) => Err(format!("No server is ready at {place}: {error}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_every_address_is_asked_on_this_machine() {
        for (listens, asked) in [
            ("0.0.0.0:7717", "127.0.0.1:7717"),
            ("[::]:7717", "[::1]:7717"),
            ("192.0.2.1:80", "192.0.2.1:80"),
        ] {
            assert_eq!(reachable(listens.parse().expect("an address")).to_string(), asked);
        }
    }
}
