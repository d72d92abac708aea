//! The machine that produced the figures, as far as the system reports it.

use serde::{Deserialize, Serialize};

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineV1 {
    /// The processor's name.
    pub cpu: Option<String>,
    /// Number of hardware threads.
    pub cores: usize,
    /// Its memory in bytes.
    pub memory_bytes: Option<u64>,
    /// System and architecture.
    pub system: String,
}

impl MachineV1 {
    /// This one.
    pub fn this() -> Self {
        let cpu = field("/proc/cpuinfo", "model name");
        Self {
            cpu,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: field("/proc/meminfo", "MemTotal").and_then(|text| kib(&text)),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// Peak memory of this process in bytes; `None` if the system does not report it.
pub fn peak_memory_bytes() -> Option<u64> {
    field("/proc/self/status", "VmHWM").and_then(|text| kib(&text))
}

/// The first `key: value` of a file in `/proc`.
fn field(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix(':'))?;
    Some(value.trim().to_owned())
}

fn kib(text: &str) -> Option<u64> {
    Some(text.strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
