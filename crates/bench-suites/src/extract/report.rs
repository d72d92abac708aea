//! The figures of a replay, for display and as a file.

use inwit_model::{Sha256, Usage};
use jiff::Timestamp;
use serde::Serialize;

use super::replay::{Counted, Judged};
use crate::machine::MachineV1;

/// The format version of a report.
const FORMAT: &str = "inwit-bench-extract/1";

/// A report.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtractV1 {
    format: &'static str,
    date: String,
    machine: MachineV1,
    /// The hash of the files.
    sha256: String,
    conversations: usize,
    models: Vec<ModelV1>,
}

/// The figures of one model.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelV1 {
    name: String,
    recall: ShareV1,
    precision: ShareV1,
    /// Kept lures, by kind.
    lures: Vec<LureV1>,
    /// Labelled facts that were not kept, by reason.
    lost: Vec<LostV1>,
    requests: usize,
    failed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens: Option<u64>,
    /// Its cost in US dollars, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
}

/// Kept lures of one kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LureV1 {
    kind: String,
    kept: ShareV1,
}

/// Labelled facts that were not kept for one reason.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LostV1 {
    reason: String,
    count: usize,
}

/// A share, with its counts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShareV1 {
    value: f64,
    count: usize,
    of: usize,
}

impl ExtractV1 {
    /// A report without models about `conversations` of files with one hash.
    pub fn new(conversations: usize, sha256: Sha256, date: Timestamp) -> Self {
        Self {
            format: FORMAT,
            date: date.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            machine: MachineV1::this(),
            sha256: sha256.to_string(),
            conversations,
            models: Vec::new(),
        }
    }

    /// Adds the figures of a model; `used` are its tokens and their cost in billionths of a US dollar.
    pub fn add(&mut self, name: &str, judged: &Judged, used: Option<(Usage, Option<u64>)>) {
        let lure =
            |(kind, kept): (&String, &Counted)| LureV1 { kind: kind.clone(), kept: ShareV1::of(*kept) };
        let lost = |(reason, count): (&String, &usize)| LostV1 { reason: reason.clone(), count: *count };
        self.models.push(ModelV1 {
            name: name.to_owned(),
            recall: ShareV1::of(judged.recall),
            precision: ShareV1::of(judged.precision),
            lures: judged.lures.iter().map(lure).collect(),
            lost: judged.lost.iter().map(lost).collect(),
            requests: judged.requests,
            failed: judged.failed,
            input_tokens: used.map(|(usage, _)| usage.input),
            output_tokens: used.map(|(usage, _)| usage.output),
            cost_usd: used.and_then(|(_, cost)| cost).map(|cost| cost as f64 / 1e9),
        });
    }

    /// The report as a table.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = vec![["", "share", "of"].map(str::to_owned).to_vec()];
        for model in &self.models {
            let named = |name: &str| format!("{}, {name}", model.name);
            let share = |name: &str, share: &ShareV1| {
                vec![named(name), format!("{:.3}", share.value), format!("{}/{}", share.count, share.of)]
            };
            let count = |name: &str, count: String| vec![named(name), count, String::new()];
            rows.push(share("recall", &model.recall));
            rows.push(share("precision", &model.precision));
            rows.extend(model.lures.iter().map(|lure| share(&format!("kept: {}", lure.kind), &lure.kept)));
            rows.extend(
                model
                    .lost
                    .iter()
                    .map(|lost| count(&format!("lost: {}", lost.reason), lost.count.to_string())),
            );
            rows.push(count("requests", model.requests.to_string()));
            if model.failed > 0 {
                rows.push(count("without a usable answer", model.failed.to_string()));
            }
            let tokens = model.input_tokens.zip(model.output_tokens);
            rows.extend(tokens.map(|(input, output)| count("tokens", format!("{input} + {output}"))));
            rows.extend(model.cost_usd.map(|cost| count("cost, USD", format!("{cost:.4}"))));
        }
        rows
    }
}

impl ShareV1 {
    fn of(Counted { count, of }: Counted) -> Self {
        let value = if of == 0 { 0.0 } else { count as f64 / of as f64 };
        Self { value: (value * 10_000.0).round() / 10_000.0, count, of }
    }
}
