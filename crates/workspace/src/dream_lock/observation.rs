//! How long an undecidable record has been unchanged, by our own observation.
//!
//! Clocks of machines differ, so the age of a foreign record is not computed from its times: its bytes and the time
//! of first sight are stored, by this machine's monotonic clock. The store is beside the guard, so that short
//! commands add up. Invariant: an observed time is never too long; a reboot or a lost file resets it.

use std::time::Duration;

use inwit_model::Sha256;
use serde_json::{Value, json};

use super::disk;
use crate::fault::Fault;
use crate::guard::LockFolder;
use crate::syscalls::{RealSyscalls, Syscalls};

/// The file in the lock folder.
const NAME: &[u8] = b"dream.seen";
const TEMP: &[u8] = b"dream.seen.tmp";

/// Records that `found` is in the lock file at `elapsed`, and returns since when. Called under the dream guard, so
/// there are no concurrent calls.
pub(super) fn unchanged_for(folder: &LockFolder, found: &[u8], elapsed: Duration) -> Result<Duration, Fault> {
    let real = RealSyscalls::default();
    let dir = folder.open_or_make()?;
    let sha256 = Sha256::of(found).to_string();
    let seen = match disk::read(&real, &dir, NAME) {
        Ok(bytes) => parse(&bytes),
        Err(Fault::Missing) => None,
        Err(fault) => return Err(fault),
    };
    match seen {
        Some((known, first)) if known == sha256 && first <= elapsed => Ok(elapsed - first),
        _ => {
            let first_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
            let text = json!({ "sha256": sha256, "first_seen_ms": first_ms }).to_string();
            note(&real, &dir, text.as_bytes())?;
            Ok(Duration::ZERO)
        }
    }
}

fn parse(bytes: &[u8]) -> Option<(String, Duration)> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let first = Duration::from_millis(value.get("first_seen_ms")?.as_u64()?);
    Some((value.get("sha256")?.as_str()?.to_owned(), first))
}

/// Not synced: losing it costs waiting, and no more.
fn note(real: &RealSyscalls, dir: &<RealSyscalls as Syscalls>::Dir, bytes: &[u8]) -> Result<(), Fault> {
    match real.unlink(dir, TEMP) {
        Ok(()) | Err(Fault::Missing) => {}
        Err(fault) => return Err(fault),
    }
    let mut file = real.create_new(dir, TEMP)?;
    disk::write_all(real, &mut file, bytes)?;
    real.rename(dir, TEMP, NAME)
}
