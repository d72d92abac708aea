//! What came of a campaign, as a row of a table and as a verdict.

use std::fmt::Display;
use std::time::Duration;

use inwit_workspace::{RealStopwatch, Stopwatch as _};

use crate::Plan;

/// Violations that are shown in full; the rest is counted.
const SHOWN_MAX: usize = 10;

/// What came of a campaign.
#[derive(Debug, Clone)]
pub struct Report {
    /// Its seed.
    pub seed: u64,
    /// Every promise that was broken, one sentence each.
    pub violations: Vec<String>,
    figures: Vec<String>,
    began: Duration,
}

impl Report {
    /// An empty report of a campaign that begins now.
    pub fn begin(plan: &Plan) -> Self {
        let began = RealStopwatch.elapsed();
        Self { seed: plan.seed, violations: Vec::new(), figures: Vec::new(), began }
    }

    /// A promise was broken.
    pub fn broke(&mut self, what: impl Into<String>) {
        self.violations.push(what.into());
    }

    /// A promise was broken unless `held`.
    pub fn holds(&mut self, held: bool, what: impl FnOnce() -> String) {
        if !held {
            self.broke(what());
        }
    }

    /// A figure for the table.
    pub fn figure(&mut self, what: &str, figure: impl Display) {
        self.figures.push(format!("{what} {figure}"));
    }

    /// The figures, in the order they were told.
    pub fn figures(&self) -> String {
        self.figures.join("; ")
    }

    /// Whole seconds since it began.
    pub fn seconds(&self) -> u64 {
        RealStopwatch.elapsed().saturating_sub(self.began).as_secs()
    }

    /// Panics with the seed and the first violations, when there are any.
    ///
    /// # Panics
    /// When a promise was broken.
    #[track_caller]
    pub fn assert_clean(&self) {
        let shown = self.shown();
        assert!(self.violations.is_empty(), "seed {}: {shown}\n{}", self.seed, self.figures());
    }

    /// The first violations, one a line.
    pub fn shown(&self) -> String {
        let first = self.violations.iter().take(SHOWN_MAX).cloned().collect::<Vec<_>>().join("\n");
        format!("{} violations\n{first}", self.violations.len())
    }
}

/// The middle and the largest of `times`, as `p50 / max` in milliseconds.
pub fn p50_max_ms(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let ms = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1e3);
    format!("{:.1} / {:.1} ms", ms(times.get(times.len() / 2)), ms(times.last()))
}
