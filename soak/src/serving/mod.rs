//! The HTTP server as a process, with many clients: kills, writers of one version, crowds, mixed requests, many agents.
//!
//! Reading order: [`Server`] (the process), then the campaigns.

pub mod agents;
pub mod crowd;
pub mod hiding;
pub mod kills;
pub mod mixed;
pub mod writers;

use std::io::{BufRead as _, BufReader};
use std::process::Child as Process;
use std::time::Duration;

use inwit_testkit::http_client::HttpClient;
use inwit_workspace::{RealStopwatch, Stopwatch as _};
use serde_json::Value;

use crate::child::{inwit, inwit_started};
use crate::{Place, Plan};

/// A server of a home. It ends with this value, as a crash does.
pub struct Server {
    process: Process,
    /// A client without a token.
    pub client: HttpClient,
}

impl Server {
    /// Starts one.
    #[track_caller]
    pub fn start(plan: &Plan, place: &Place) -> Self {
        let mut process = inwit_started(&plan.program, place, &["serve", "--addr", "127.0.0.1:0", "--json"]);
        let mut line = String::new();
        let mut said = BufReader::new(process.stdout.take().expect("piped"));
        said.read_line(&mut line).expect("a line");
        let line: Value = serde_json::from_str(&line).expect("the address");
        Self { process, client: HttpClient::of(line["address"].as_str().expect("a URL")) }
    }

    /// Ends it as a crash does.
    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Its resident memory, in MB.
    pub fn memory_mb(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kb = line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
        kb.unwrap_or(0) / 1024
    }

    /// Its open descriptors.
    pub fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.process.id())).map_or(0, Iterator::count)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A new token of the home.
#[track_caller]
pub fn token(plan: &Plan, place: &Place, right: &str) -> String {
    let words = ["token", "create", "soak", "--scope", right, "--json"].map(std::ffi::OsStr::new);
    let made = inwit(&plan.program, place, &words);
    let made: Value = serde_json::from_slice(&made.stdout).expect("a token");
    made["token"].as_str().expect("a token").to_owned()
}

/// How long `work` took, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let began = RealStopwatch.elapsed();
    let done = work();
    (RealStopwatch.elapsed().saturating_sub(began), done)
}

/// The time that 99 of 100 do not exceed, in milliseconds.
pub fn p99_ms(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    let at = (times.len() * 99 / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}
