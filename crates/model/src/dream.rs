//! The dream engines.
//!
//! Invariant: all engines share one schedule and one lock (X32).

use crate::words::words;

words! {
    /// The input of a dream pass.
    DreamEngine {
        /// Frequently recalled passages; needs no model.
        Recall = "recall",
        /// Daily logs, read by a language model.
        Logs = "logs",
    }
}

impl DreamEngine {
    /// Parses engines separated by blanks or commas. `off`, `false` and `0` mean none, `true` and `1` all, as in
    /// other systems' environment (W34, W66).
    pub fn parse_all(text: &str) -> Option<Vec<Self>> {
        match text.trim() {
            "off" | "false" | "0" => return Some(Vec::new()),
            "true" | "1" => return Some(vec![Self::Recall, Self::Logs]),
            _ => {}
        }
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let mut engines = words.map(Self::parse).collect::<Option<Vec<Self>>>()?;
        engines.sort_unstable();
        engines.dedup();
        (!engines.is_empty()).then_some(engines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_named_or_switched_all_together() {
        let (recall, logs) = (DreamEngine::Recall, DreamEngine::Logs);
        assert_eq!(DreamEngine::parse_all("off"), Some(Vec::new()));
        assert_eq!(DreamEngine::parse_all("recall"), Some(vec![recall]));
        assert_eq!(DreamEngine::parse_all("logs, recall recall"), Some(vec![recall, logs]));
        assert_eq!(DreamEngine::parse_all("1"), Some(vec![recall, logs]));
        assert_eq!(DreamEngine::parse_all("recall,nightly"), None);
        assert_eq!(DreamEngine::parse_all(" "), None);
    }
}
