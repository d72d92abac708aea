//! Which requests are let in: by the host that they name, and by the page that they come from.
//!
//! A page in a browser can send requests to a server on this machine, and with a name that it points here it can read
//! the answers. Invariant: this is decided from the headers alone, before a token is read.

use std::net::SocketAddr;

use axum::http::{HeaderMap, Method, Uri, header};
use inwit_model::Code;

use crate::problem::Problem;

/// The hosts of a server.
#[derive(Debug, Clone)]
pub struct Guard {
    /// Allowed values of `Host`, in lower case.
    hosts: Vec<String>,
}

impl Guard {
    /// Of a server at `addresses`, with further host names that its owner allowed.
    pub fn of(addresses: &[SocketAddr], allowed: &[String]) -> Self {
        let of_address = |address: &SocketAddr| match address.ip().is_loopback() {
            true => {
                ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{}", address.port())).into()
            }
            false if address.ip().is_unspecified() => Vec::new(),
            false => vec![address.to_string()],
        };
        let mut hosts: Vec<String> = addresses.iter().flat_map(of_address).collect();
        hosts.extend(allowed.iter().map(|host| host.to_ascii_lowercase()));
        // Clients leave out the usual port.
        let plain = hosts.iter().filter_map(|host| usual_port_left_out(host)).map(str::to_owned);
        hosts.extend(plain.collect::<Vec<_>>());
        Self { hosts }
    }

    /// The same over a unix socket, where clients name no port.
    pub fn with_localhost(mut self) -> Self {
        self.hosts.push("localhost".to_owned());
        self
    }

    /// Refuses a request for another host, or from a page of another server. Errors: `host_refused`,
    /// `origin_refused`.
    pub fn admit(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let refused =
            || Problem::new(Code::HostRefused, "This server does not serve the host that the request names.");
        let mut hosts = headers.get_all(header::HOST).into_iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(refused()) };
        let host = host.to_str().map_err(|_| refused())?;
        let is_ours = |host: &str| self.hosts.iter().any(|known| known == host);
        if !is_ours(host) || uri.authority().is_some_and(|authority| authority.as_str() != host) {
            return Err(refused());
        }
        let foreign = |from: &str| {
            let from = inwit_model::name::shown(from);
            Problem::new(
                Code::OriginRefused,
                format!("The request comes from a page of another server: {from}."),
            )
        };
        if headers.get_all(header::ORIGIN).iter().count() > 1 {
            return Err(foreign("two origins"));
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin.to_str().map_err(|_| foreign("an origin that is not text"))?;
            let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            let plain = |host: &str| usual_port_left_out(host).unwrap_or(host).to_owned();
            if own.map(plain) != Some(plain(host)) {
                return Err(foreign(origin));
            }
        }
        for site in headers.get_all("sec-fetch-site") {
            // `none`: the person typed the address; nothing is changed by that.
            let is_own = site == "same-origin" || (site == "none" && method.is_safe());
            if !is_own {
                return Err(foreign(site.to_str().unwrap_or("unknown")));
            }
        }
        Ok(())
    }
}

/// The host without the port that `http` or `https` means.
fn usual_port_left_out(host: &str) -> Option<&str> {
    host.strip_suffix(":80").or_else(|| host.strip_suffix(":443"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(rows: &[(&'static str, &str)]) -> Result<(), u16> {
        let guard =
            Guard::of(&["127.0.0.1:7717".parse().expect("an address")], &["Inwit.example:443".into()]);
        let mut headers = HeaderMap::new();
        for (name, value) in rows {
            headers.append(*name, value.parse().expect("a header"));
        }
        guard
            .admit(&Method::GET, &Uri::from_static("/v1/agents"), &headers)
            .map_err(|problem| problem.status().as_u16())
    }

    #[test]
    fn only_our_own_hosts_are_served() {
        for host in ["127.0.0.1:7717", "localhost:7717", "[::1]:7717", "inwit.example:443", "inwit.example"] {
            assert_eq!(admitted(&[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "evil.com", "evil.com:7717", "localhost.evil.com:7717", "127.0.0.1.nip.io:7717",
            "127.evil.com:7717", "[::1].evil:7717", "0.0.0.0:7717", "2130706433:7717", "0x7f.1:7717",
            "localhost", "localhost:80", "localhost:7718", "LOCALHOST:7717", "localhost.:7717",
            "user@localhost:7717", "", "127.0.0.1:7717 ",
        ] {
            let trimmed = host.trim() != host;
            assert!(trimmed || admitted(&[("host", host)]) == Err(421), "{host}");
        }
        assert_eq!(admitted(&[]), Err(421));
        assert_eq!(admitted(&[("host", "localhost:7717"), ("host", "localhost:7717")]), Err(421));
    }

    #[test]
    fn a_page_of_another_server_is_refused() {
        let from = |rows: &[(&'static str, &str)]| admitted(&[&[("host", "localhost:7717")], rows].concat());
        assert_eq!(from(&[("origin", "http://localhost:7717"), ("sec-fetch-site", "same-origin")]), Ok(()));
        assert_eq!(from(&[("sec-fetch-site", "none")]), Ok(()));
        let proxied = [("host", "inwit.example:443"), ("origin", "https://inwit.example")];
        assert_eq!(admitted(&proxied), Ok(()));
        for origin in [
            "null", "http://evil", "https://localhost:1", "http://127.0.0.1:7717",
            "http://127.0.0.1.evil.com", "file://", "chrome-extension://abcdef", "vscode-webview://x",
            "http://localhost:7717.evil.com",
        ] {
            assert_eq!(from(&[("origin", origin)]), Err(403), "{origin}");
        }
        for site in ["cross-site", "same-site", "", "SAME-ORIGIN"] {
            assert_eq!(from(&[("sec-fetch-site", site)]), Err(403), "{site}");
        }
    }
}
