//! By what the passages of a file are known where they are recalled.

use std::collections::HashSet;

use inwit_markdown::parse;
use inwit_model::Sha256;

/// By what the passages of a file are known where they are recalled.
pub(crate) fn passage_hashes(bytes: &[u8]) -> HashSet<Sha256> {
    let document = parse(bytes);
    let texts = document.passages.iter().chain(&document.bare).map(|passage| document.text(&passage.span));
    texts.map(|text| Sha256::of(text.as_bytes())).collect()
}
