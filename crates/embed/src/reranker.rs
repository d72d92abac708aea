//! The local reranker: a cross-encoder that reads a query together with a passage and returns one score.
//!
//! The network is that of the embedder; the row of its first token goes through one more layer with tanh and a row of
//! weights (`BertForSequenceClassification` and `XLMRobertaForSequenceClassification` with one label). Invariant: a
//! score depends on the query and its passage alone, but for rounding.

use std::path::Path;

use inwit_model::{EmbedError, Reranker};
use serde_json::Value;

use crate::embedder::in_batches;
use crate::failure::{failed, unsupported};
use crate::file::{json, text};
use crate::forward::{Dense, Network};
use crate::shape::{Family, Shape};
use crate::tokenizer::Tokenizer;
use crate::tokens::Tokens;
use crate::weights::Weights;

/// Tokens of a query and a passage that are read, with markers: what such models were trained to read.
pub const PAIR_TOKENS_MAX: usize = 512;

/// A cross-encoder that was read from a folder.
#[derive(Debug)]
pub struct LocalReranker {
    name: String,
    tokenizer: Tokenizer,
    network: Network,
    /// From the first row to as many numbers.
    dense: Dense,
    /// From those to the score.
    out: Dense,
}

impl LocalReranker {
    /// Opens the model in `folder`, which is called `name` from now on. Errors: `model_missing`, `model_damaged`,
    /// `model_unsupported`, each with the file.
    pub fn open(folder: &Path, name: &str) -> Result<Self, EmbedError> {
        let path = folder.join("config.json");
        let shape = Shape::read(&text(&path)?, &path)?;
        has_one_label(&path)?;
        let most = PAIR_TOKENS_MAX.min(shape.places());
        let tokenizer = Tokenizer::open(folder, &shape, most)?;
        let weights = Weights::open(&folder.join("model.safetensors"))?;
        let [dense, out] = match shape.family {
            Family::Bert => ["pooler.dense", "classifier"],
            Family::Roberta => ["classifier.dense", "classifier.out_proj"],
        };
        let dense = Dense::read(&weights, &[dense.to_owned()], shape.width, shape.width)?;
        let out = Dense::read(&weights, &[out.to_owned()], 1, shape.width)?;
        let network = Network::read(weights, shape, most)?;
        Ok(Self { name: name.to_owned(), tokenizer, network, dense, out })
    }

    /// The scores of one batch.
    fn head(&self, pairs: &[Tokens]) -> Result<Vec<f32>, EmbedError> {
        let firsts = self.network.first_rows(pairs)?;
        let mut rows = vec![0.0; firsts.len()];
        self.dense.apply(&firsts, &mut rows);
        for row in rows.chunks_exact_mut(self.dense.bias.len()) {
            row.iter_mut().zip(&self.dense.bias).for_each(|(value, bias)| *value = (*value + bias).tanh());
        }
        let mut scores = vec![0.0; pairs.len()];
        self.out.apply(&rows, &mut scores);
        scores.iter_mut().for_each(|score| *score += self.out.bias[0]);
        match scores.iter().all(|score| score.is_finite()) {
            true => Ok(scores),
            false => Err(failed("the network returned a score that is infinite or NaN")),
        }
    }
}

/// A model that was trained with several labels, such as for inference, does not say how well a passage answers.
fn has_one_label(path: &Path) -> Result<(), EmbedError> {
    match json(path)?["id2label"].as_object().map(serde_json::Map::<String, Value>::len) {
        None | Some(1) => Ok(()),
        Some(labels) => Err(unsupported(path, format!("it has {labels} labels; a reranker has one"))),
    }
}

impl Reranker for LocalReranker {
    fn model(&self) -> &str {
        &self.name
    }

    fn scores(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, EmbedError> {
        in_batches(passages.iter().map(|passage| self.tokenizer.pair(query, passage)), |pairs| {
            self.head(pairs)
        })
    }
}
