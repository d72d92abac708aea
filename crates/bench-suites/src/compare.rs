//! Compares two manifests.
//!
//! Invariant: only figures of the same benchmark on the same data are compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use inwit_home::HomeError;
use inwit_model::Code;
use serde::Serialize;

use crate::figure::FIGURES;
use crate::manifest::{FORMAT, ManifestV1, RowV1};
use crate::source;

/// Two manifests, as JSON.
#[derive(Debug, PartialEq, Serialize)]
pub struct ComparedV1 {
    /// The benchmark of both.
    pub bench: String,
    /// The hash of the data of both.
    pub sha256: String,
    /// Differences in program, machine and settings: the first value and the second.
    pub conditions: BTreeMap<String, [Option<String>; 2]>,
    /// Figures of either.
    pub quality: Vec<PairV1>,
    /// Costs of either.
    pub cost: Vec<PairV1>,
}

/// One figure of both.
#[derive(Debug, PartialEq, Serialize)]
pub struct PairV1 {
    /// Its group; empty for a cost.
    pub group: String,
    /// Its key.
    pub key: String,
    /// The value of the first.
    pub a: Option<f64>,
    /// The value of the second.
    pub b: Option<f64>,
    /// The second minus the first.
    pub difference: Option<f64>,
}

/// Reads a manifest. Errors: `file_missing`, `file_unreadable`, `dataset_bad`.
pub fn read(path: &Path) -> Result<ManifestV1, HomeError> {
    let file = std::io::BufReader::new(source::open(path)?);
    let hint = "Write one with `inwit bench … --out FILE`.";
    let manifest: ManifestV1 = serde_json::from_reader(file)
        .map_err(|error| source::bad(path, &format!("it is no manifest ({error})")).hint(hint))?;
    if manifest.format != FORMAT {
        let why = format!("its form is `{}`, and this program reads `{FORMAT}`", manifest.format);
        return Err(source::bad(path, &why).hint("Run the benchmark again with this program."));
    }
    Ok(manifest)
}

/// Compares the two. Error: `datasets_differ`.
pub fn compare(a: &ManifestV1, b: &ManifestV1) -> Result<ComparedV1, HomeError> {
    if a.bench != b.bench {
        let message = format!("One is of `{}` and one of `{}`.", a.bench, b.bench);
        return Err(HomeError::new(Code::DatasetsDiffer, message));
    }
    if a.data.sha256 != b.data.sha256 {
        let message = format!(
            "The data differ: {} (sha256 {}) and {} (sha256 {}).",
            a.data.name, a.data.sha256, b.data.name, b.data.sha256
        );
        return Err(HomeError::new(Code::DatasetsDiffer, message));
    }
    Ok(ComparedV1 {
        bench: a.bench.clone(),
        sha256: a.data.sha256.clone(),
        conditions: conditions(a, b),
        quality: quality(a, b),
        cost: pairs("", a.cost.0.keys().chain(b.cost.0.keys()), &a.cost.0, &b.cost.0),
    })
}

fn conditions(a: &ManifestV1, b: &ManifestV1) -> BTreeMap<String, [Option<String>; 2]> {
    let told = |manifest: &ManifestV1| {
        let mut told = manifest.settings.clone();
        told.insert("inwit".into(), manifest.inwit.clone());
        told.extend(manifest.commit.iter().map(|commit| ("commit".into(), commit.clone())));
        told.extend(manifest.machine.cpu.iter().map(|cpu| ("cpu".into(), cpu.clone())));
        told.insert("cores".into(), manifest.machine.cores.to_string());
        told.insert("system".into(), manifest.machine.system.clone());
        told
    };
    let (a, b) = (told(a), told(b));
    let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let differ = keys.into_iter().filter(|key| a.get(*key) != b.get(*key));
    differ.map(|key| (key.clone(), [a.get(key).cloned(), b.get(key).cloned()])).collect()
}

fn quality(a: &ManifestV1, b: &ManifestV1) -> Vec<PairV1> {
    let mut groups: Vec<&String> = Vec::new();
    for row in a.quality.iter().chain(&b.quality) {
        if !groups.contains(&&row.group) {
            groups.push(&row.group);
        }
    }
    let none = BTreeMap::new();
    let of = |rows: &'_ [RowV1], group: &str| rows.iter().position(|row| row.group == group);
    let in_order = groups.into_iter().flat_map(|group| {
        let first = of(&a.quality, group).map_or(&none, |at| &a.quality[at].figures);
        let second = of(&b.quality, group).map_or(&none, |at| &b.quality[at].figures);
        let keys: Vec<String> = FIGURES.iter().map(|spec| spec.key.to_owned()).collect();
        pairs(group, keys.iter(), first, second)
    });
    in_order.collect()
}

fn pairs<'k>(
    group: &str,
    keys: impl Iterator<Item = &'k String>,
    a: &BTreeMap<String, f64>,
    b: &BTreeMap<String, f64>,
) -> Vec<PairV1> {
    let mut seen = BTreeSet::new();
    let there =
        keys.filter(|key| (a.contains_key(*key) || b.contains_key(*key)) && seen.insert((*key).clone()));
    there
        .map(|key| {
            let (a, b) = (a.get(key).copied(), b.get(key).copied());
            let difference = a.zip(b).map(|(a, b)| ((b - a) * 1e6).round() / 1e6);
            PairV1 { group: group.to_owned(), key: key.clone(), a, b, difference }
        })
        .collect()
}
