//! Validates a URL before anything is sent.
//!
//! Invariants: a URL is http or https, has no user or password, and is https unless it is this machine or the user
//! allowed plain http. Messages show scheme, host and port only: a path may contain an account, a query a signature.

use std::fmt;
use std::net::IpAddr;

use ureq::http::Uri;
use ureq::http::uri::Scheme;

/// Longest address, in bytes; those that are signed for a download are long.
pub const ADDRESS_BYTES_MAX: usize = 8192;

/// Where plain http may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// To this machine only.
    Loopback,
    /// Anywhere: the user said so, for a machine of their own network.
    Anywhere,
}

/// A place that may be asked.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    uri: Uri,
    plain: Plain,
}

/// Why an address was refused. None of them repeats it: it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It does not parse, or names no host.
    #[error("it is not an address such as https://api.example.com/v1")]
    Unreadable,
    /// It is neither http nor https.
    #[error("only http and https are supported")]
    Scheme,
    /// It names a user before the host.
    #[error("it contains a user or a password; set the key in its own setting")]
    User,
    /// It is plain http to another machine.
    #[error("plain http is allowed only to this machine, because others could read what is sent")]
    Plain,
}

impl Address {
    /// Judges `text`.
    pub fn parse(text: &str, plain: Plain) -> Result<Self, AddressError> {
        if text.len() > ADDRESS_BYTES_MAX {
            return Err(AddressError::Unreadable);
        }
        let uri: Uri = text.trim().parse().map_err(|_| AddressError::Unreadable)?;
        let authority = uri.authority().ok_or(AddressError::Unreadable)?;
        if authority.as_str().contains('@') {
            return Err(AddressError::User);
        }
        if authority.host().is_empty() {
            return Err(AddressError::Unreadable);
        }
        match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => {}
            Some(scheme) if *scheme == Scheme::HTTP => {
                if plain == Plain::Loopback && !is_this_machine(authority.host()) {
                    return Err(AddressError::Plain);
                }
            }
            Some(_) => return Err(AddressError::Scheme),
            None => return Err(AddressError::Unreadable),
        }
        Ok(Self { uri, plain })
    }

    /// The address of `path` below this one, whose query is left out.
    pub fn below(&self, path: &str) -> Result<Self, AddressError> {
        let base = self.uri.path().trim_end_matches('/');
        Self::parse(&format!("{self}{base}/{}", path.trim_start_matches('/')), self.plain)
    }

    /// Where an answer of this address that says `Location: location` points.
    pub fn redirected(&self, location: &str) -> Result<Self, AddressError> {
        let whole = if location.contains("://") {
            location.to_owned()
        } else if location.starts_with('/') && !location.starts_with("//") {
            format!("{self}{location}")
        } else {
            // Such a server is not known; it would be asked again and again.
            return Err(AddressError::Unreadable);
        };
        let to = Self::parse(&whole, self.plain)?;
        let is_worse = self.uri.scheme() == Some(&Scheme::HTTPS) && to.uri.scheme() != Some(&Scheme::HTTPS);
        if is_worse { Err(AddressError::Plain) } else { Ok(to) }
    }

    /// Whether requests to it never leave this machine.
    pub fn is_of_this_machine(&self) -> bool {
        self.uri.authority().is_some_and(|authority| is_this_machine(authority.host()))
    }

    pub(crate) fn uri(&self) -> &Uri {
        &self.uri
    }
}

/// `localhost` or an address that never leaves this machine.
fn is_this_machine(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// Scheme, host and port: what a person may be shown.
impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let authority = self.uri.authority().map_or("", |authority| authority.as_str());
        write!(out, "{}://{authority}", self.uri.scheme_str().unwrap_or_default())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Address({self}/…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn judged(text: &str) -> Result<String, AddressError> {
        Address::parse(text, Plain::Loopback).map(|address| address.to_string())
    }

    #[test]
    fn what_may_be_asked_and_what_not() {
        for good in
            ["https://api.example.com/v1", "http://localhost:11434", "http://127.9.0.1/", "http://[::1]:80/x"]
        {
            assert!(judged(good).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("", AddressError::Unreadable),
            ("api.example.com", AddressError::Unreadable),
            ("/v1", AddressError::Unreadable),
            ("https://", AddressError::Unreadable),
            ("ftp://example.com/x", AddressError::Scheme),
            ("https://ana:word@example.com/", AddressError::User),
            ("http://ana@localhost/", AddressError::User),
            ("http://example.com/", AddressError::Plain),
            ("http://127.0.0.1.example.com/", AddressError::Plain),
            ("http://192.168.1.2/", AddressError::Plain),
            ("http://localhost.example.com/", AddressError::Plain),
        ] {
            assert_eq!(judged(bad), Err(why), "{bad}");
        }
        assert!(Address::parse("http://192.168.1.2/", Plain::Anywhere).is_ok());
        assert!(judged(&format!("https://example.com/{}", "x".repeat(ADDRESS_BYTES_MAX))).is_err());
    }

    #[test]
    fn below_and_redirected() {
        let base = Address::parse("https://example.com:8443/v1/?key=1", Plain::Loopback).expect("good");
        assert_eq!(
            base.below("/embeddings").expect("good").uri().to_string(),
            "https://example.com:8443/v1/embeddings"
        );
        let to = |location: &str| base.redirected(location).map(|address| address.uri().to_string());
        assert_eq!(to("/x?y=1").as_deref(), Ok("https://example.com:8443/x?y=1"));
        assert_eq!(to("https://cdn.example.com/x").as_deref(), Ok("https://cdn.example.com/x"));
        assert_eq!(
            to("http://cdn.example.com/x"),
            Err(AddressError::Plain),
            "never from https to plain http"
        );
        assert_eq!(to("http://localhost/x"), Err(AddressError::Plain), "not even on this machine");
        assert_eq!(to("//cdn.example.com/x"), Err(AddressError::Unreadable));
        assert_eq!(to("x"), Err(AddressError::Unreadable));
    }

    #[test]
    fn people_see_no_path_and_no_query() {
        let address =
            Address::parse("https://example.com/account-7/v1?token=abc", Plain::Loopback).expect("good");
        assert_eq!(address.to_string(), "https://example.com");
        assert_eq!(format!("{address:?}"), "Address(https://example.com/…)");
    }

    proptest! {
        #[test]
        fn any_text_is_judged_without_a_panic(text in ".{0,200}", location in ".{0,80}") {
            for plain in [Plain::Loopback, Plain::Anywhere] {
                if let Ok(address) = Address::parse(&text, plain) {
                    let _ = (address.below(&location), address.redirected(&location));
                }
            }
        }

        #[test]
        fn plain_http_never_leaves_this_machine(host in "[a-z0-9.:\\[\\]-]{1,24}", path in "[/a-z@]{0,8}") {
            if let Ok(address) = Address::parse(&format!("http://{host}{path}"), Plain::Loopback) {
                prop_assert!(is_this_machine(address.uri().host().expect("a host")), "{address}");
            }
        }
    }
}
