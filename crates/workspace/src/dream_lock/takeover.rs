//! Creates our record, after moving a stale one away.
//!
//! The guard excludes other passes of this home; other systems, users and homes may act on the file. So nothing is
//! removed by name: a stale record is renamed to a unique name, read again, and removed only if it is unchanged.
//! Invariant: after a crash, the next acquire finds either the record or no file.

use inwit_model::Sha256;

use super::disk::{self, LockSyscalls};
use super::held::DreamLock;
use super::liveness::{self, Verdict};
use super::observation;
use super::processes::Life;
use super::record::{RECORD_SCHEMA, Record, moment};
use super::{BusyReason, Claim, DreamBusy, Ports, RECORD_NAME, Taken};
use crate::fault::Fault;
use crate::guard::{Guard, LockFolder};

/// Most times the lock file may change under our eyes before we leave it to the others.
pub(super) const ROUNDS_MAX: usize = 4;

/// Hex digits of a token.
const TOKEN_DIGITS: usize = 32;

/// Names of leftovers that were moved aside, before their token.
pub(super) const ASIDE: &[u8] = b".dreaming.lock.stale.";

/// Names of records that are being written, before their token.
const TEMP: &[u8] = b".~inwit-lock-";

const NAME: &[u8] = RECORD_NAME.as_bytes();

/// Takes the place of `.dreaming.lock` in `root`, or says who has it.
pub(super) fn acquire<S: LockSyscalls>(
    syscalls: S,
    root: S::Dir,
    guard: Guard,
    locks: &LockFolder,
    claim: &Claim<'_>,
    ports: Ports<'_>,
) -> Result<Taken<S>, Fault> {
    restore(&syscalls, &root)?;
    let record = ours(claim, ports);
    let token = record.token.clone().unwrap_or_default();
    for _ in 0..ROUNDS_MAX {
        let found = match disk::read(&syscalls, &root, NAME) {
            Ok(found) => found,
            Err(Fault::Missing) => match make(&syscalls, &root, &record, &token) {
                Ok(()) => {
                    clear(&syscalls, &root);
                    return Ok(Taken::Held(DreamLock::new(syscalls, root, guard, record)));
                }
                // Another holder was faster; it took the name, or cleared away what we had half made.
                Err(Fault::Exists | Fault::Missing) => continue,
                Err(fault) => return Err(fault),
            },
            Err(fault) => return Err(fault),
        };
        let busy = |reason| Ok(Taken::Busy(DreamBusy::new(&found, reason)));
        match liveness::judge(&found, ports.processes, ports.clock.now(), claim.ttl) {
            Verdict::Live => return busy(BusyReason::HolderLives),
            Verdict::Stale(_) => {}
            Verdict::Watch(doubt, least) => {
                let seen = observation::unchanged_for(locks, &found, ports.stopwatch.elapsed())?;
                let rest = least.saturating_sub(seen);
                if !rest.is_zero() {
                    return busy(BusyReason::Watching { doubt, rest });
                }
            }
        }
        if let Aside::Other(bytes) = remove_if(&syscalls, &root, &token, |bytes| bytes == found)? {
            return Ok(Taken::Busy(DreamBusy::new(&bytes, BusyReason::Overtaken)));
        }
    }
    let found = disk::read(&syscalls, &root, NAME).unwrap_or_default();
    Ok(Taken::Busy(DreamBusy::new(&found, BusyReason::Overtaken)))
}

/// What became of a record that was to be removed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Aside {
    /// It was removed.
    Removed,
    /// It was not there any more, or went while it was looked at.
    Gone,
    /// It was another one, and stands where it stood.
    Other(Vec<u8>),
}

/// Removes the record if it is `the_one` at the moment it loses its name.
pub(super) fn remove_if<S: LockSyscalls>(
    syscalls: &S,
    root: &S::Dir,
    token: &str,
    the_one: impl Fn(&[u8]) -> bool,
) -> Result<Aside, Fault> {
    let aside = [ASIDE, token.as_bytes()].concat();
    match syscalls.rename(root, NAME, &aside) {
        Ok(()) => {}
        Err(Fault::Missing) => return Ok(Aside::Gone),
        Err(fault) => return Err(fault),
    }
    let bytes = match disk::read(syscalls, root, &aside) {
        Ok(bytes) => bytes,
        Err(Fault::Missing) => return Ok(Aside::Gone),
        Err(fault) => {
            put_back(syscalls, root, &aside)?;
            return Err(fault);
        }
    };
    if the_one(&bytes) {
        return match syscalls.unlink(root, &aside) {
            Ok(()) => Ok(Aside::Removed),
            // Another process restored it, so it must be judged again.
            Err(Fault::Missing) => Ok(Aside::Gone),
            Err(fault) => Err(fault),
        };
    }
    put_back(syscalls, root, &aside)?;
    Ok(Aside::Other(bytes))
}

/// Gives what was moved aside its name again, unless a newer record has it by now.
fn put_back<S: LockSyscalls>(syscalls: &S, root: &S::Dir, aside: &[u8]) -> Result<(), Fault> {
    match syscalls.publish(root, aside, NAME) {
        Err(Fault::Exists) => match syscalls.unlink(root, aside) {
            Ok(()) | Err(Fault::Missing) => Ok(()),
            Err(fault) => Err(fault),
        },
        Ok(()) | Err(Fault::Missing) => Ok(()),
        Err(fault) => Err(fault),
    }
}

/// Makes the record's file: whole under another name first, then under its own, never replacing.
fn make<S: LockSyscalls>(syscalls: &S, root: &S::Dir, record: &Record, token: &str) -> Result<(), Fault> {
    let temp = [TEMP, token.as_bytes(), b".tmp"].concat();
    let mut file = syscalls.create_new(root, &temp)?;
    let filled = disk::write_all(syscalls, &mut file, &record.encode())
        // Synced, or a loss of power could leave a file of nothing but zeros.
        .and_then(|()| syscalls.sync(&file))
        .and_then(|()| syscalls.publish(root, &temp, NAME));
    filled.inspect_err(|_| {
        // The first fault is returned; the next holder clears what stays.
        let _ = syscalls.unlink(root, &temp);
    })
}

/// Restores a record that was being judged when its taker crashed, to be judged again. A live taker, under another
/// guard, finds it gone and restarts.
fn restore<S: LockSyscalls>(syscalls: &S, root: &S::Dir) -> Result<(), Fault> {
    for found in syscalls.list(root)? {
        if found.name.starts_with(ASIDE) {
            put_back(syscalls, root, &found.name)?;
        }
    }
    Ok(())
}

/// Removes unfinished records. Only a holder may: any process still writing one is too late anyway.
fn clear<S: LockSyscalls>(syscalls: &S, root: &S::Dir) {
    let found = syscalls.list(root).unwrap_or_default();
    for temp in found.iter().filter(|found| found.name.starts_with(TEMP)) {
        // One that stays is hidden and harmless, and the next holder tries again.
        let _ = syscalls.unlink(root, &temp.name);
    }
}

fn ours(claim: &Claim<'_>, ports: Ports<'_>) -> Record {
    let processes = ports.processes;
    let (pid, now) = (processes.own_pid(), moment(ports.clock.now()));
    let pid_start = match processes.look(pid) {
        Life::Alive { started } => started,
        Life::Gone => None,
    };
    let boot_id = processes.boot_id();
    // The facts are mixed in, so that even two callers with the same chance have two tokens.
    let facts = format!("{pid} {pid_start:?} {boot_id:?} {:?} {}", ports.stopwatch.elapsed(), claim.fence);
    let token = Sha256::of(&[&claim.entropy, facts.as_bytes()].concat()).short(TOKEN_DIGITS);
    Record {
        pid: Some(pid),
        hostname: Some(processes.hostname()),
        started_at: Some(now.clone()),
        token: Some(token),
        schema: Some(RECORD_SCHEMA),
        boot_id,
        pid_start,
        pid_ns: processes.pid_namespace(),
        machine_id_hash: processes.machine_id_hash(),
        surface: Some(claim.surface.to_owned()),
        ttl_ms: Some(u64::try_from(claim.ttl.as_millis()).unwrap_or(u64::MAX)),
        heartbeat_at: Some(now),
        fence: Some(claim.fence),
    }
}
