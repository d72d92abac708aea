//! Finds indexed files that repeat a value which another file names as a secret, so that they are indexed again without it.
//!
//! A file may be indexed before the file that names the value. If a value is new, all passages are checked; otherwise only
//! passages that contain words of a value, which repairs most of what an interrupted run left. Invariant: after a complete
//! reconcile, no word of a repeated value finds the passage that repeats it.

use std::collections::BTreeSet;

use inwit_model::{SafeName, Scope};
use inwit_recall::Analyser;
use inwit_recall::lexical::HEADING_MARK;
use inwit_store::{Index, IndexError, KnownSet, SetKey, Snapshot};

use crate::Core;
use crate::core::named::Renamed;
use crate::core::scan_version;

/// Passages read per batch.
const READ_AT_ONCE: usize = 2_000;

/// Most passages with a word of a value that are read for it; more frequent words are skipped, unless every word of
/// the value is frequent.
const HOLDING_MAX: usize = 64;

impl Core {
    /// The values of other files that `bytes` of the file `name` repeat, by class and place; also values that are
    /// contiguous only without comments.
    pub(crate) fn repeats(&self, scope: &Scope, name: &SafeName, bytes: &[u8]) -> Vec<String> {
        let in_text = |kind: &str, text: &[u8]| -> Vec<String> {
            let repeated = self.repeated(scope, name, text).into_iter();
            repeated.map(|one| format!("{kind} {} {:?}", one.finding.class, one.finding.span)).collect()
        };
        let mut repeats = in_text("repeats", bytes);
        if let Ok(text) = std::str::from_utf8(bytes)
            && let std::borrow::Cow::Owned(shown) = inwit_markdown::shown(text)
        {
            repeats.extend(in_text("shows", shown.as_bytes()));
        }
        repeats
    }

    /// Files in `scope` to index again because of changed named values. Error: `index_unavailable`.
    pub(crate) fn files_repeating(
        &self,
        index: &dyn Index,
        scope: &Scope,
        known: &KnownSet,
        renamed: Renamed,
    ) -> Result<BTreeSet<SafeName>, IndexError> {
        let mut files = BTreeSet::new();
        if renamed.is_new || renamed.is_gone {
            // The values that they repeat were different when they were indexed.
            let others = known.files.iter().filter(|file| is_looked_at_each_time(file.clean_by));
            files.extend(others.map(|file| file.name.clone()));
        }
        let values = self.values_named();
        if values.is_empty() {
            return Ok(files);
        }
        let snapshot = index.snapshot(&SetKey::of(scope))?;
        let snapshot = snapshot.as_ref();
        let corpus = snapshot.corpus();
        let positions: Vec<u32> = match renamed.is_new {
            true => (0..corpus.len() as u32).collect(),
            false => holding(snapshot, &values)?.into_iter().collect(),
        };
        let file_of = |position: u32| &corpus.files[corpus.file_at(position)];
        let positions: Vec<u32> =
            positions.into_iter().filter(|at| !is_looked_at_each_time(file_of(*at).clean_by)).collect();
        for positions in positions.chunks(READ_AT_ONCE) {
            for (position, passage) in positions.iter().zip(snapshot.passages(positions)?) {
                let name = &file_of(*position).name;
                if !files.contains(name)
                    && [&passage.text, &passage.heading]
                        .iter()
                        .any(|text| !self.repeats(scope, name, text.as_bytes()).is_empty())
                {
                    files.insert(name.clone());
                }
            }
        }
        Ok(files)
    }
}

/// Whether each reconcile checks if such a file still repeats the values.
fn is_looked_at_each_time(clean_by: u64) -> bool {
    scan_version::is_ours(clean_by) && !scan_version::is_lasting(clean_by)
}

/// The passages with words of `values`.
fn holding(snapshot: &dyn Snapshot, values: &BTreeSet<String>) -> Result<BTreeSet<u32>, IndexError> {
    let mut analyser = Analyser::default();
    let mut holding = BTreeSet::new();
    for value in values {
        let mut common: Vec<Vec<u32>> = Vec::new();
        let before = holding.len();
        for (term, _) in analyser.terms(value).counts {
            for term in [format!("{HEADING_MARK}{term}"), term] {
                let positions: Vec<u32> =
                    snapshot.postings(&term)?.into_iter().map(|posting| posting.position).collect();
                if positions.len() <= HOLDING_MAX {
                    holding.extend(&positions);
                } else {
                    common.push(positions);
                }
            }
        }
        if holding.len() == before {
            holding.extend(common.into_iter().min_by_key(Vec::len).unwrap_or_default());
        }
    }
    Ok(holding)
}
