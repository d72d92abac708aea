//! Facts about processes, to distinguish a live holder from a dead one.
//!
//! A pid is reused over time, after reboots and in containers. So a holder is a pid with its start time, boot id and
//! pid namespace. Invariant: an unknown fact is `None`, never a guess.

use inwit_model::Sha256;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Facts about the processes of this machine.
pub trait Processes: Send + Sync {
    /// Our own pid.
    fn own_pid(&self) -> u32;

    /// The machine's name.
    fn hostname(&self) -> String;

    /// What names this run of the machine.
    fn boot_id(&self) -> Option<String>;

    /// What names the set of pids that ours belongs to.
    fn pid_namespace(&self) -> Option<String>;

    /// A hash that names the machine and cannot be turned back into its id.
    fn machine_id_hash(&self) -> Option<String>;

    /// What is behind a pid of our own namespace.
    fn look(&self, pid: u32) -> Life;
}

/// Whether a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// No process has this pid, or it is a zombie.
    Gone,
    /// A process has it.
    Alive {
        /// When it began, in the system's own ticks since the boot.
        started: Option<u64>,
    },
}

/// The system's processes, by `kill(pid, 0)` and `/proc`.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealProcesses;

impl Processes for RealProcesses {
    fn own_pid(&self) -> u32 {
        std::process::id()
    }

    fn hostname(&self) -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }

    fn boot_id(&self) -> Option<String> {
        first_line("/proc/sys/kernel/random/boot_id")
    }

    fn pid_namespace(&self) -> Option<String> {
        let link = std::fs::read_link("/proc/self/ns/pid").ok()?;
        Some(link.to_str()?.to_owned())
    }

    fn machine_id_hash(&self) -> Option<String> {
        const HASH_DIGITS: usize = 16;
        // The id itself is not for files that travel, so it is hashed with a word of ours.
        let id = first_line("/etc/machine-id")?;
        Some(Sha256::of(format!("inwit dream lock {id}").as_bytes()).short(HASH_DIGITS))
    }

    fn look(&self, pid: u32) -> Life {
        let Some(raw) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return Life::Gone };
        // A process of another user refuses signals, so it is alive.
        if test_kill_process(raw) == Err(Errno::SRCH) {
            return Life::Gone;
        }
        match std::fs::read(format!("/proc/{pid}/stat")) {
            Ok(stat) => life(&stat),
            Err(_) => Life::Alive { started: None },
        }
    }
}

/// Reads a line of `/proc/<pid>/stat`: `pid (name) state … starttime …`, where the name may hold anything.
fn life(stat: &[u8]) -> Life {
    /// Fields between the name and `starttime`, which is the 22nd of the line.
    const FIELDS_BETWEEN: usize = 19;
    let after = stat.iter().rposition(|&byte| byte == b')').map_or(0, |at| at + 1);
    let text = String::from_utf8_lossy(&stat[after..]);
    let mut fields = text.split_ascii_whitespace();
    match fields.next() {
        // A zombie answers `kill` and will never do anything again.
        Some("Z" | "X" | "x") => Life::Gone,
        _ => Life::Alive { started: fields.nth(FIELDS_BETWEEN - 1).and_then(|field| field.parse().ok()) },
    }
}

fn first_line(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_proc_is_read_whatever_the_process_is_called() {
        let line = |name: &str, state: &str| {
            format!("7 ({name}) {state} 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0\n").into_bytes()
        };
        for name in ["inwit", "a b", "x) Z (y", ")"] {
            assert_eq!(life(&line(name, "S")), Life::Alive { started: Some(4711) }, "{name}");
            assert_eq!(life(&line(name, "Z")), Life::Gone, "{name}");
        }
        assert_eq!(life(b""), Life::Alive { started: None });
    }

    #[test]
    fn we_ourselves_live_and_began_at_one_moment() {
        let real = RealProcesses;
        let ours = real.look(real.own_pid());
        assert_ne!(ours, Life::Gone);
        assert_eq!(ours, real.look(real.own_pid()));
        assert_eq!(real.look(0), Life::Gone, "0 is no process");
        assert_eq!(real.look(u32::MAX), Life::Gone, "no system has such a pid");
        assert!(!real.hostname().is_empty());
        assert_eq!(real.boot_id(), real.boot_id());
    }
}
