//! Where the server listens: addresses, a unix socket, and what the service manager passed.
//!
//! Invariants: a unix socket serves programs of the server's own user and of root only; a file that is no socket, or a
//! socket that somebody answers on, is never replaced; the socket is removed when the server ends.

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use inwit_home::HomeError;
use inwit_model::Code;

/// A listener.
#[derive(Debug)]
pub enum Listener {
    /// On an address.
    Tcp(TcpListener),
    /// On a unix socket.
    Unix(UnixListener),
}

/// How a connection came in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Via {
    /// Over a unix socket.
    pub is_socket: bool,
    /// From this machine for certain, so that no token is needed to read and propose.
    pub is_local: bool,
}

/// All listeners of a server.
pub(crate) struct Listeners {
    pub all: Vec<Listener>,
    pub socket: Option<SocketFile>,
}

impl Listeners {
    /// Those that were passed, and those on `addresses` and `socket`. Error: `address_refused`.
    pub fn of(
        passed: Vec<Listener>,
        addresses: &[SocketAddr],
        socket: Option<&Path>,
    ) -> Result<Self, HomeError> {
        let mut all = passed;
        let socket = match socket {
            Some(path) => {
                let (listener, file) = SocketFile::bind(path)?;
                all.push(Listener::Unix(listener));
                Some(file)
            }
            None => None,
        };
        for address in addresses {
            let listener = TcpListener::bind(address).map_err(|error| refused(address, &error))?;
            all.push(Listener::Tcp(listener));
        }
        for listener in &all {
            let done = match listener {
                Listener::Tcp(listener) => listener.set_nonblocking(true),
                Listener::Unix(listener) => listener.set_nonblocking(true),
            };
            done.map_err(|error| refused("a socket", &error))?;
        }
        Ok(Self { all, socket })
    }

    /// The addresses.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        let addresses = self.all.iter().filter_map(|listener| match listener {
            Listener::Tcp(listener) => listener.local_addr().ok(),
            Listener::Unix(_) => None,
        });
        addresses.collect()
    }

    /// The path of the socket that the server made.
    pub fn socket_path(&self) -> Option<&Path> {
        self.socket.as_ref().map(|socket| socket.path.as_path())
    }
}

/// The error of a place where the server cannot listen.
fn refused(place: impl std::fmt::Display, error: &io::Error) -> HomeError {
    HomeError::new(Code::AddressRefused, format!("The server cannot listen on {place}: {error}."))
}

/// Only its owner may connect.
const SOCKET_MODE: u32 = 0o600;

/// The file of a socket, removed with this value if it is still the same.
#[derive(Debug)]
pub(crate) struct SocketFile {
    path: PathBuf,
    id: (u64, u64),
}

impl SocketFile {
    /// Listens on `path`. A socket that a server left there is replaced. Error: `address_refused`.
    fn bind(path: &Path) -> Result<(UnixListener, Self), HomeError> {
        let failed = |error: io::Error| refused(path.display(), &error);
        let taken = |why: &str| {
            HomeError::new(
                Code::AddressRefused,
                format!("The server cannot listen on {}: {why}.", path.display()),
            )
        };
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
            Ok(found) if !found.file_type().is_socket() => {
                return Err(taken("a file is there that is no socket"));
            }
            Ok(_) => match UnixStream::connect(path) {
                Ok(_) => return Err(taken("another program answers there")),
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    fs::remove_file(path).map_err(failed)?;
                }
                Err(error) => return Err(failed(error)),
            },
        }
        let listener = UnixListener::bind(path).map_err(failed)?;
        // Who connects before this line is refused by user id.
        fs::set_permissions(path, fs::Permissions::from_mode(SOCKET_MODE))
            .and_then(|()| fs::symlink_metadata(path))
            .map(|made| (listener, Self { path: path.to_owned(), id: (made.dev(), made.ino()) }))
            .map_err(failed)
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let is_same =
            |found: fs::Metadata| found.file_type().is_socket() && (found.dev(), found.ino()) == self.id;
        let is_ours = fs::symlink_metadata(&self.path).is_ok_and(is_same);
        if is_ours {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The user of a peer of a unix socket that is served: our own, or root.
pub(crate) fn is_served(peer: u32, own: u32) -> bool {
    peer == own || peer == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_user_and_root_are_served() {
        assert!(is_served(1000, 1000) && is_served(0, 1000) && is_served(0, 0));
        assert!(!is_served(1001, 1000) && !is_served(1000, 0));
    }

    #[test]
    fn a_left_socket_is_replaced_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s");
        let code = |path: &Path| SocketFile::bind(path).map(drop).map_err(|error| error.code);
        let (listener, file) = SocketFile::bind(&path).expect("a new one");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, SOCKET_MODE);
        assert_eq!(code(&path), Err(Code::AddressRefused), "it answers");
        drop(listener);
        let (_second, replaced) = SocketFile::bind(&path).expect("left, and replaced");
        drop(replaced);
        assert!(!path.exists(), "its own goes");
        fs::create_dir(&path).expect("a folder");
        drop(file);
        assert_eq!(code(&path), Err(Code::AddressRefused));
        assert!(path.is_dir(), "no other kind of file is replaced");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        assert_eq!(code(&link), Err(Code::AddressRefused));
    }
}
