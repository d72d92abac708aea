//! The local embedder: a folder with a model, opened once and asked from any thread.
//!
//! The folder holds what a model is published with: `config.json`, `model.safetensors`, `vocab.txt` or
//! `tokenizer.json`, and what sentence-transformers adds. What `tokenizer.json` says of padding and length is not
//! followed: that of MiniLM fills every text up to 128 tokens and cuts it there, while the model reads 256. Invariant:
//! asking changes nothing, so the same text gets the same vector.

use std::path::Path;

use inwit_model::{EmbedError, Embedder};

use crate::failure::failed;
use crate::file::text;
use crate::forward::Network;
use crate::sentence::SentenceConfig;
use crate::shape::Shape;
use crate::tokenizer::Tokenizer;
use crate::tokens::Tokens;
use crate::weights::Weights;

/// Tokens of a text that are read, with both markers: what most models of this size were trained to read.
pub const TEXT_TOKENS_MAX: usize = 256;

/// Tokens per batch, unless one text has more. Twice as many are no faster.
pub const BATCH_TOKENS_MAX: usize = 256;

/// A model that was read from a folder.
#[derive(Debug)]
pub struct LocalEmbedder {
    name: String,
    dimension: usize,
    config: SentenceConfig,
    tokenizer: Tokenizer,
    network: Network,
}

impl LocalEmbedder {
    /// Opens the model in `folder`, which is called `name` from now on. Errors: `model_missing`, `model_damaged`,
    /// `model_unsupported`, each with the file.
    pub fn open(folder: &Path, name: &str) -> Result<Self, EmbedError> {
        let path = folder.join("config.json");
        let shape = Shape::read(&text(&path)?, &path)?;
        let config = SentenceConfig::read(folder)?;
        let most = config.tokens_max.unwrap_or(TEXT_TOKENS_MAX).min(TEXT_TOKENS_MAX).min(shape.places());
        let tokenizer = Tokenizer::open(folder, &shape, most)?;
        let weights = Weights::open(&folder.join("model.safetensors"))?;
        let network = Network::read(weights, shape, most)?;
        Ok(Self { name: name.to_owned(), dimension: shape.width, config, tokenizer, network })
    }

    fn vectors(&self, prefix: &str, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let tokens = texts.iter().map(|text| match prefix {
            "" => self.tokenizer.text(text),
            prefix => self.tokenizer.text(&format!("{prefix}{text}")),
        });
        in_batches(tokens, |batch| self.network.vectors(batch, self.config.pooling))
    }
}

/// Whether the model in `folder` is whole as far as sizes and headers tell; its numbers are not read. Errors: as
/// [`LocalEmbedder::open`].
pub fn look(folder: &Path) -> Result<(), EmbedError> {
    let path = folder.join("config.json");
    let shape = Shape::read(&text(&path)?, &path)?;
    SentenceConfig::read(folder)?;
    Tokenizer::open(folder, &shape, TEXT_TOKENS_MAX.min(shape.places()))?;
    Weights::open(&folder.join("model.safetensors")).map(|_| ())
}

/// What `of` makes of all texts, batch by batch.
pub fn in_batches<T>(
    texts: impl Iterator<Item = Result<Tokens, EmbedError>>,
    of: impl Fn(&[Tokens]) -> Result<Vec<T>, EmbedError>,
) -> Result<Vec<T>, EmbedError> {
    let mut made = Vec::with_capacity(texts.size_hint().0);
    let (mut batch, mut size) = (Vec::new(), 0);
    for tokens in texts {
        let tokens = tokens?;
        if size > 0 && size + tokens.len() > BATCH_TOKENS_MAX {
            made.extend(of(&batch)?);
            batch.clear();
            size = 0;
        }
        size += tokens.len();
        batch.push(tokens);
    }
    if !batch.is_empty() {
        made.extend(of(&batch)?);
    }
    Ok(made)
}

impl Embedder for LocalEmbedder {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn reads(&self, text: &str) -> bool {
        self.tokenizer.knows(text)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.vectors(&self.config.passage, texts)
    }

    fn ask(&self, question: &str) -> Result<Vec<f32>, EmbedError> {
        let vector = self.vectors(&self.config.query, &[question])?.pop();
        vector.ok_or_else(|| failed("the network returned none"))
    }
}
