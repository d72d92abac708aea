//! Hashes that identify the passages of a file in recall records.

use std::collections::HashSet;

use inwit_markdown::parse;
use inwit_model::Sha256;

/// The hashes that identify the passages of a file in recall records.
pub(crate) fn passage_hashes(bytes: &[u8]) -> HashSet<Sha256> {
    let document = parse(bytes);
    let texts = document.passages.iter().chain(&document.bare).map(|passage| document.text(&passage.span));
    texts.map(|text| Sha256::of(text.as_bytes())).collect()
}
