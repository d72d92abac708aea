//! The local embedder: a folder with a model, opened once and asked from any thread.
//!
//! The folder holds what the model is published with: `config.json`, `model.safetensors`, and
//! `vocab.txt` or `tokenizer.json`. What `tokenizer.json` says of padding and length is not followed: it
//! fills every text up to 128 tokens and cuts it there, while the model reads 256. Invariant: asking
//! changes nothing, so the same text gets the same vector.

use std::path::{Path, PathBuf};

use inwit_model::{EmbedError, Embedder};
use serde_json::Value;

use crate::failure::{damaged, missing, unread};
use crate::forward::Network;
use crate::shape::Shape;
use crate::weights::Weights;
use crate::wordpiece::Vocabulary;

/// Tokens of a text that are read, with both markers: what the model was trained to read.
pub const TEXT_TOKENS_MAX: usize = 256;

/// Tokens per batch, unless one text has more. Twice as many are no faster.
pub const BATCH_TOKENS_MAX: usize = 256;

/// Files of words and sizes are smaller than this.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A model that was read from a folder.
#[derive(Debug)]
pub struct Minilm {
    name: String,
    dimension: usize,
    vocabulary: Vocabulary,
    network: Network,
}

impl Minilm {
    /// Opens the model in `folder`, which is called `name` from now on. Errors: `model_missing`,
    /// `model_damaged`, each with the file.
    pub fn open(folder: &Path, name: &str) -> Result<Self, EmbedError> {
        let path = folder.join("config.json");
        let shape = Shape::read(&text(&path)?, &path)?;
        let (vocabulary, path) = vocabulary(folder)?;
        let (has, rows) = (vocabulary.size() as usize, shape.vocabulary);
        if has != rows {
            return Err(damaged(&path, format!("it has {has} tokens, but the model has {rows}")));
        }
        if shape.padding.is_some_and(|padding| vocabulary.marker("[PAD]") != Some(padding)) {
            return Err(damaged(&path, "its token `[PAD]` is not at the position that the model expects"));
        }
        let weights = Weights::open(&folder.join("model.safetensors"))?;
        let network = Network::read(weights, shape, TEXT_TOKENS_MAX)?;
        Ok(Self { name: name.to_owned(), dimension: shape.width, vocabulary, network })
    }
}

/// Whether the model in `folder` is whole as far as sizes and headers tell; its numbers are not read. Errors: as
/// [`Minilm::open`].
pub fn look(folder: &Path) -> Result<(), EmbedError> {
    let path = folder.join("config.json");
    Shape::read(&text(&path)?, &path)?;
    vocabulary(folder)?;
    Weights::open(&folder.join("model.safetensors")).map(|_| ())
}

impl Embedder for Minilm {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn reads(&self, text: &str) -> bool {
        self.vocabulary.knows(&self.vocabulary.tokens(text, self.network.places()))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        let (mut batch, mut size) = (Vec::new(), 0);
        for text in texts {
            let tokens = self.vocabulary.tokens(text, self.network.places());
            if size > 0 && size + tokens.len() > BATCH_TOKENS_MAX {
                vectors.extend(self.network.vectors(&batch)?);
                batch.clear();
                size = 0;
            }
            size += tokens.len();
            batch.push(tokens);
        }
        if !batch.is_empty() {
            vectors.extend(self.network.vectors(&batch)?);
        }
        Ok(vectors)
    }
}

/// The words of the model in `folder`, and the file they came from.
fn vocabulary(folder: &Path) -> Result<(Vocabulary, PathBuf), EmbedError> {
    let lines = folder.join("vocab.txt");
    if lines.exists() {
        let vocabulary = Vocabulary::of_lines(&text(&lines)?);
        return vocabulary.map_err(|says| damaged(&lines, says)).map(|vocabulary| (vocabulary, lines));
    }
    let json = folder.join("tokenizer.json");
    if !json.exists() {
        return Err(missing(&lines));
    }
    let value: Value = serde_json::from_str(&text(&json)?)
        .map_err(|error| damaged(&json, format!("it is not valid JSON ({error})")))?;
    let numbered = |(piece, number): (_, &Value)| Some((piece, u32::try_from(number.as_u64()?).ok()?));
    let vocabulary = value["model"]["vocab"]
        .as_object()
        .and_then(|pieces| pieces.iter().map(|(piece, number)| numbered((piece.as_str(), number))).collect())
        .ok_or_else(|| "it has no vocabulary with token numbers".to_owned())
        .and_then(|pieces: Vec<_>| Vocabulary::of(pieces));
    vocabulary.map_err(|says| damaged(&json, says)).map(|vocabulary| (vocabulary, json))
}

/// A file as text.
fn text(path: &Path) -> Result<String, EmbedError> {
    let length = std::fs::metadata(path).map_err(|error| unread(path, &error))?.len();
    if length > FILE_BYTES_MAX {
        return Err(damaged(path, format!("it is larger than {FILE_BYTES_MAX} bytes")));
    }
    let bytes = std::fs::read(path).map_err(|error| unread(path, &error))?;
    String::from_utf8(bytes).map_err(|_| damaged(path, "it is not UTF-8 text"))
}
