//! The identity of a model: a hash of what decides its vectors.
//!
//! Files of words and settings are hashed whole. Of the weights the header is hashed, and of each table the first and
//! the last KiB: another training changes every table, and reading hundreds of megabytes would delay each first query.
//! Invariant: two folders with the same name and other vectors have different identities.

use std::path::Path;

use inwit_model::{EmbedError, Sha256};

use crate::file::bytes;
use crate::weights::Weights;

/// The files beside the weights; absent ones count as such.
const FILES: [&str; 8] = [
    "config.json", "vocab.txt", "tokenizer.json", "tokenizer_config.json", "modules.json",
    "1_Pooling/config.json", "config_sentence_transformers.json", "sentence_bert_config.json",
];

/// Hex digits of an identity: enough for the models of one person.
const DIGITS: usize = 12;

/// The identity of the model in `folder`: 12 hex digits. Errors: `model_missing`, `model_damaged`.
pub fn identity(folder: &Path) -> Result<String, EmbedError> {
    let mut parts = Vec::new();
    for name in FILES {
        let path = folder.join(name);
        let hash = path.exists().then(|| bytes(&path)).transpose()?.map(|bytes| Sha256::of(&bytes));
        parts.extend(hash.map_or([0; 32], |hash| hash.0));
    }
    parts.extend(Weights::open(&folder.join("model.safetensors"))?.sample()?.0);
    Ok(Sha256::of(&parts).to_string()[..DIGITS].to_owned())
}
