//! Simulated processes: which pids run, since when, on which machine.

use std::collections::BTreeMap;

use inwit_workspace::dream_lock::{Life, Processes};

/// A machine with a table of processes.
#[derive(Debug, Clone)]
pub struct FakeProcesses {
    /// Our own pid.
    pub own_pid: u32,
    /// The machine's name.
    pub hostname: String,
    /// Its boot id.
    pub boot_id: Option<String>,
    /// Its pid namespace.
    pub pid_namespace: Option<String>,
    /// The machine.
    pub machine_id_hash: Option<String>,
    /// The running pids with their start times.
    pub running: BTreeMap<u32, Option<u64>>,
}

impl FakeProcesses {
    /// The machine `hostname` with only our process `own_pid`, started at 100.
    pub fn on(hostname: &str, own_pid: u32) -> Self {
        Self {
            own_pid,
            hostname: hostname.into(),
            boot_id: Some("boot-1".into()),
            pid_namespace: Some("pid:[1]".into()),
            machine_id_hash: Some(format!("machine of {hostname}")),
            running: BTreeMap::from([(own_pid, Some(100))]),
        }
    }

    /// Another process runs, begun at `started`.
    pub fn running(mut self, pid: u32, started: Option<u64>) -> Self {
        self.running.insert(pid, started);
        self
    }
}

impl Processes for FakeProcesses {
    fn own_pid(&self) -> u32 {
        self.own_pid
    }

    fn hostname(&self) -> String {
        self.hostname.clone()
    }

    fn boot_id(&self) -> Option<String> {
        self.boot_id.clone()
    }

    fn pid_namespace(&self) -> Option<String> {
        self.pid_namespace.clone()
    }

    fn machine_id_hash(&self) -> Option<String> {
        self.machine_id_hash.clone()
    }

    fn look(&self, pid: u32) -> Life {
        self.running.get(&pid).map_or(Life::Gone, |&started| Life::Alive { started })
    }
}
