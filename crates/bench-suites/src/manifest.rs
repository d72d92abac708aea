//! The result of a benchmark, with everything that is needed to repeat it.
//!
//! The same program and data give the same manifest on any machine, except date, machine and cost. Invariant: it
//! contains no path of the machine and none of the data itself.

use std::collections::BTreeMap;

use inwit_model::Sha256;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::examiner::{Done, Seen};
use crate::figure::{FIGURES, FigureSpec};
use crate::machine::MachineV1;
use crate::tally::Tally;

/// The format version of a manifest.
pub const FORMAT: &str = "inwit-bench/1";

/// A manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestV1 {
    /// [`FORMAT`].
    pub format: String,
    /// Name of the benchmark.
    pub bench: String,
    /// The program's version.
    pub inwit: String,
    /// The commit it was built from, if the build has it.
    pub commit: Option<String>,
    /// When it ended, in UTC.
    pub date: String,
    /// The machine.
    pub machine: MachineV1,
    /// The data.
    pub data: DataV1,
    /// Settings that can change a figure.
    pub settings: BTreeMap<String, String>,
    /// How good the answers were.
    pub quality: Vec<RowV1>,
    /// What they cost.
    pub cost: CostV1,
}

/// The data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataV1 {
    /// Its file, or what made it.
    pub name: String,
    /// Its hash; of several files, that of the lines `sha256sum` prints for them.
    pub sha256: String,
    /// Workspaces made from it.
    pub workspaces: usize,
    /// Files in them.
    pub notes: usize,
}

/// The figures of one group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowV1 {
    /// The group.
    pub group: String,
    /// Its questions.
    pub questions: usize,
    /// Means by key.
    pub figures: BTreeMap<String, f64>,
}

/// Its cost, by key; each key ends in its unit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CostV1(pub BTreeMap<String, f64>);

impl CostV1 {
    /// Says one cost.
    pub fn say(&mut self, key: &str, value: f64) {
        self.0.insert(key.to_owned(), rounded(value));
    }
}

/// What a manifest is made of besides the program and the machine.
pub struct Outcome {
    /// Which benchmark.
    pub bench: &'static str,
    /// On what.
    pub data: DataV1,
    /// Its own settings.
    pub settings: Vec<(&'static str, String)>,
    /// How good the answers were.
    pub tally: Tally,
    /// What they cost.
    pub cost: CostV1,
}

impl Outcome {
    /// What came out of `bench` on the data `name`.
    pub fn new(
        bench: &'static str,
        name: String,
        sha256: Sha256,
        settings: Vec<(&'static str, String)>,
        done: Done,
    ) -> Self {
        let Seen { workspaces, laid_out } = done.seen;
        let data = DataV1 { name, sha256: sha256.to_string(), workspaces, notes: laid_out.notes };
        Self { bench, data, settings, tally: done.tally, cost: done.cost }
    }
}

impl ManifestV1 {
    /// The manifest of `outcome`, at `date`; `settings`: those of the user that can change a figure.
    pub fn new(outcome: Outcome, mut settings: BTreeMap<String, String>, date: Timestamp) -> Self {
        settings.extend(outcome.settings.into_iter().map(|(key, text)| (key.to_owned(), text)));
        Self {
            format: FORMAT.to_owned(),
            bench: outcome.bench.to_owned(),
            inwit: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("INWIT_COMMIT").filter(|commit| !commit.is_empty()).map(str::to_owned),
            date: date.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            machine: MachineV1::this(),
            data: outcome.data,
            settings,
            quality: rows(outcome.tally),
            cost: outcome.cost,
        }
    }
}

fn rows(tally: Tally) -> Vec<RowV1> {
    let groups = tally.groups().into_iter();
    groups
        .map(|group| RowV1 {
            questions: group.questions,
            figures: group.means().map(|(key, value)| (key.to_owned(), rounded(value))).collect(),
            group: group.name,
        })
        .collect()
}

/// Six decimals: later ones depend on the order of addition.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Figures that a row has, in the order of the columns.
pub fn columns(rows: &[RowV1]) -> Vec<&'static FigureSpec> {
    let is_there = |key: &str| rows.iter().any(|row| row.figures.contains_key(key));
    FIGURES.iter().filter(|spec| is_there(spec.key)).collect()
}
