//! Credentials in addresses: what stands before the host, among the parameters, or as a part of the path.
//!
//! Invariant: a value is judged by [`Strength`], as one that a label names; an address alone says nothing.

use super::strength::Strength;
use super::{Found, Verdict, entropy, is_placeholder};

/// Shortest value of an address that is believed without a password's variety, in bytes.
const DRAWN_BYTES_MIN: usize = 16;

/// Schemes whose addresses name a server by its public key.
const PUBLIC: &[&str] = &["smp", "xftp", "enode", "enr", "magnet", "ipfs"];

/// What stands alone before the host of an address: a token, an id, a password of a proxy.
pub fn user(found: &Found) -> Verdict {
    let value = found.value();
    let scheme = found.text[..found.span.start].trim_end_matches('/').trim_end_matches(':');
    let is_proxy = ["trojan", "vless", "ss", "hysteria2", "tuic"].iter().any(|name| scheme.ends_with(name));
    if PUBLIC.iter().any(|name| scheme.ends_with(name)) {
        return Verdict::Nothing;
    }
    let is_uuid = value.len() == 36 && (Strength { is_password: false, is_sure: true }).holds(value);
    let holds = is_uuid || (Strength { is_password: is_proxy, is_sure: false }).holds(value);
    if holds { Verdict::Holds } else { Verdict::Nothing }
}

/// A parameter that a service takes for a key: `sig`, `code`, `appid`.
pub fn parameter(found: &Found) -> Verdict {
    part(&found.value().replace("%3D", "=").replace("%3d", "=").replace("%2F", "/").replace("%2B", "+"))
}

/// A part of a path that only its owner knows.
pub fn path(found: &Found) -> Verdict {
    part(found.value())
}

fn part(value: &str) -> Verdict {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_small = value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let holds = !is_placeholder(value)
        && value.len() >= DRAWN_BYTES_MIN
        && ((Strength { is_password: false, is_sure: true }).holds(value)
            || is_small && digits >= 4 && entropy(value) >= 3.0);
    if holds { Verdict::Holds } else { Verdict::Nothing }
}
