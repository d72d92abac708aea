//! The ranking weights as settings: one row each, from the ranking's table.

use inwit_engine::{WEIGHTS, Weights};

use super::Settings;
use super::table::{Kind, Reach, Setting};

/// The rows.
pub const ROWS: [Setting; WEIGHTS.len()] = rows();

const fn rows() -> [Setting; WEIGHTS.len()] {
    let mut rows =
        [Setting { key: "", kind: Kind::Flag, reach: Reach::Agent, aliases: &[], about: "" }; WEIGHTS.len()];
    let mut at = 0;
    while at < WEIGHTS.len() {
        let spec = &WEIGHTS[at];
        rows[at] =
            Setting { key: spec.key, kind: Kind::Count(0, spec.most as u64), about: spec.about, ..rows[at] };
        at += 1;
    }
    rows
}

/// The default of a weight; `None` if `key` is not one.
pub fn unsaid(key: &str) -> Option<String> {
    WEIGHTS.iter().find(|spec| spec.key == key).map(|spec| spec.percent.to_string())
}

impl Settings {
    /// What counts how much when passages are ranked.
    pub fn weights(&self) -> Weights {
        let mut weights = Weights::default();
        for spec in WEIGHTS {
            if let Some(percent) = self.layers.text(spec.key).and_then(|text| text.parse().ok()) {
                spec.say(&mut weights, percent);
            }
        }
        weights
    }
}
