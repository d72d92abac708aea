//! What a host waits for: `inwit hook` as a process, with a call on its stdin.

use std::path::Path;

use crate::Outcome;
use crate::measure::{Process, process_with, running};

/// The moments of a session, in its order.
const MOMENTS: [(&str, &str); 5] = [
    ("session-start", "`inwit hook session-start`, wall p50 / p99, peak memory"),
    ("user-prompt", "`inwit hook user-prompt`, wall p50 / p99, peak memory"),
    ("pre-compact", "`inwit hook pre-compact`, wall p50 / p99, peak memory"),
    ("stop", "`inwit hook stop`, wall p50 / p99, peak memory"),
    ("session-end", "`inwit hook session-end`, wall p50 / p99, peak memory"),
];

/// Prompts of one session.
const SESSION_PROMPTS: usize = 20;

/// Every moment, timed once for each prompt; prompts are plain words. The index is fresh.
pub fn measure(
    program: &Path,
    workspace: &str,
    environment: &[(&str, &str)],
    prompts: &[String],
) -> Outcome<Vec<(&'static str, String)>> {
    let mut rows = Vec::new();
    for (moment, what) in MOMENTS {
        let call = |(at, prompt): (usize, &String)| {
            let session = at / SESSION_PROMPTS;
            format!(
                r#"{{"session_id":"bench-{session}","prompt":"{prompt}","last_assistant_message":"{prompt}"}}"#
            )
        };
        let inputs: Vec<Vec<u8>> = prompts.iter().enumerate().map(call).map(String::into_bytes).collect();
        let arguments = |_: usize| ["hook", moment, "--workspace", workspace].map(str::to_owned).to_vec();
        rows.push((what, told(&process_with(program, &arguments, environment, &inputs)?)));
    }
    let left = running(program).map_or_else(|| "unknown".to_owned(), |count| count.to_string());
    rows.push(("processes of inwit left behind by hooks", left));
    Ok(rows)
}

fn told(took: &Process) -> String {
    format!("{:.1} / {:.1} ms, {:.0} MiB", took.wall.ms(50), took.wall.ms(99), took.peak_mib)
}
