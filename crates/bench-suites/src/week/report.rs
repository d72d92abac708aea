//! The figures of a week, for display and as a file.
//!
//! Invariant: each share is reported with its counts, so that small samples are visible.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::data::Week;
use super::judge::{Judged, Share};
use crate::machine::MachineV1;

/// The format version of a report.
const FORMAT: &str = "inwit-bench-week/1";

/// A report.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WeekV1 {
    format: &'static str,
    date: String,
    machine: MachineV1,
    sessions: usize,
    prompts: usize,
    probes: usize,
    shares: Vec<ShareV1>,
    /// Lines of templates that were shown.
    template_lines: usize,
    /// Mean characters injected at a prompt.
    mean_chars: f64,
    /// The median of each hook.
    milliseconds: BTreeMap<&'static str, f64>,
}

/// A share.
#[derive(Debug, Serialize)]
pub struct ShareV1 {
    name: String,
    value: f64,
    count: usize,
    of: usize,
}

impl WeekV1 {
    /// The report of `judged`, at `date`.
    pub fn of(week: &Week, judged: &Judged, date: Timestamp) -> Self {
        let share = |name: &str, Share { count, of }: Share| {
            let value = Share { count, of }.value();
            ShareV1 { name: name.to_owned(), value: rounded(value), count, of }
        };
        let mut shares = vec![
            share("evidence", judged.evidence),
            share("evidence at the prompt", judged.at_prompt),
            share("echo", judged.echo),
            share("duplicates", judged.twice),
            share("noise", judged.noise),
            share("other project", judged.foreign),
            share("superseded", judged.superseded),
            share("newest session in the context", judged.newest),
            share("prompts answered after 300 ms", judged.late),
        ];
        shares.extend(judged.kinds.iter().map(|(kind, known)| share(&format!("evidence: {kind}"), *known)));
        Self {
            format: FORMAT,
            date: date.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            machine: MachineV1::this(),
            sessions: week.sessions.len(),
            prompts: week.sessions.iter().map(|session| session.turns.len()).sum(),
            probes: week.probes.len(),
            shares,
            template_lines: judged.template_lines,
            mean_chars: rounded(judged.mean_chars),
            milliseconds: judged.milliseconds.iter().map(|(hook, ms)| (*hook, rounded(*ms))).collect(),
        }
    }

    /// The report as a table.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let row = |name: &str, value: String, of: String| vec![name.to_owned(), value, of];
        let mut rows = vec![row("", "share".to_owned(), "of".to_owned())];
        let shares = self.shares.iter();
        rows.extend(
            shares
                .map(|one| row(&one.name, format!("{:.3}", one.value), format!("{}/{}", one.count, one.of))),
        );
        rows.push(row("template lines", self.template_lines.to_string(), String::new()));
        rows.push(row("characters a prompt", format!("{:.0}", self.mean_chars), String::new()));
        let hooks = self.milliseconds.iter();
        rows.extend(hooks.map(|(hook, ms)| row(&format!("{hook}, ms"), format!("{ms:.0}"), String::new())));
        rows
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
