//! The end of a child process with all that it started.
//!
//! Invariant: the child leads its own process group and was not reaped, so the group is not one of another program.

use rustix::process::{Pid, Signal, kill_process_group};

/// Kills the process group of the child with this process id.
pub fn end(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}
