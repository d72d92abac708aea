//! The sizes of a network, from its `config.json`.
//!
//! Any BERT or XLM-RoBERTa with exact GELU and absolute positions is accepted. Invariant: every size is within its
//! limit, so products do not overflow; memory is bounded by the file of weights, whose tables must have these sizes.

use std::path::Path;

use inwit_model::EmbedError;
use serde_json::Value;

use crate::failure::{damaged, unsupported};

/// The two kinds of networks; they differ in where positions begin and in the names of a classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The first token has the first position.
    Bert,
    /// The first token has the position after that of the padding token.
    Roberta,
}

/// The sizes of a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Its kind.
    pub family: Family,
    /// Numbers of a vector.
    pub width: usize,
    /// Layers.
    pub layers: usize,
    /// Heads of attention; they share the width evenly.
    pub heads: usize,
    /// Numbers between the two halves of a layer.
    pub inner: usize,
    /// Rows of its table of positions.
    pub positions: usize,
    /// The row of a text's first token.
    pub first_position: usize,
    /// Rows of its table of kinds of texts.
    pub kinds: usize,
    /// Tokens that it knows.
    pub vocabulary: usize,
    /// The padding token, if given.
    pub padding: Option<u32>,
    /// Added to a variance before its root.
    pub epsilon: f32,
}

impl Shape {
    /// Reads `text`, which came from `path`. Error: `model_damaged`.
    pub fn read(text: &str, path: &Path) -> Result<Self, EmbedError> {
        let config: Value = serde_json::from_str(text)
            .map_err(|error| damaged(path, format!("it is not valid JSON ({error})")))?;
        let family = match config["model_type"].as_str() {
            Some("bert") => Family::Bert,
            Some("roberta" | "xlm-roberta") => Family::Roberta,
            _ => return Err(unsupported(path, "it is not a BERT model or an XLM-RoBERTa model")),
        };
        if config["hidden_act"].as_str() != Some("gelu") {
            return Err(unsupported(path, "its activation is not GELU"));
        }
        if config["position_embedding_type"].as_str().is_some_and(|kind| kind != "absolute") {
            return Err(unsupported(path, "its positions are not absolute"));
        }
        let size = |name: &str, most: u64| match config[name].as_u64() {
            Some(size) if (1..=most).contains(&size) => Ok(size as usize),
            _ => Err(damaged(path, format!("`{name}` must be a number from 1 to {most}"))),
        };
        let padding = config["pad_token_id"].as_u64().and_then(|number| u32::try_from(number).ok());
        let kinds = if config["type_vocab_size"].is_null() { 2 } else { size("type_vocab_size", 64)? };
        let shape = Self {
            family,
            width: size("hidden_size", 4_096)?,
            layers: size("num_hidden_layers", 64)?,
            heads: size("num_attention_heads", 64)?,
            inner: size("intermediate_size", 16_384)?,
            positions: size("max_position_embeddings", 65_536)?,
            first_position: match family {
                Family::Bert => 0,
                Family::Roberta => padding.unwrap_or(1) as usize + 1,
            },
            kinds,
            vocabulary: size("vocab_size", 1_000_000)?,
            padding,
            epsilon: config["layer_norm_eps"].as_f64().unwrap_or(1e-12) as f32,
        };
        if shape.places() == 0 {
            return Err(damaged(path, "it has no position for a token"));
        }
        match shape.width.is_multiple_of(shape.heads) && (0.0..1.0).contains(&shape.epsilon) {
            true => Ok(shape),
            false => Err(damaged(path, "its attention heads or its epsilon are invalid")),
        }
    }

    /// The most tokens that have a position.
    pub fn places(&self) -> usize {
        self.positions.saturating_sub(self.first_position)
    }

    /// Numbers of one head.
    pub fn head(&self) -> usize {
        self.width / self.heads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINILM: &str = r#"{"model_type": "bert", "hidden_act": "gelu", "hidden_size": 384,
        "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536,
        "max_position_embeddings": 512, "vocab_size": 30522, "layer_norm_eps": 1e-12}"#;

    #[test]
    fn sizes_are_read_and_bounded() {
        let read = |text: &str| Shape::read(text, Path::new("config.json"));
        let shape = read(MINILM).expect("whole");
        assert_eq!((shape.width, shape.layers, shape.heads, shape.head()), (384, 6, 12, 32));
        for (from, to, says) in [
            ("\"bert\"", "\"gpt2\"", "not a BERT model"),
            ("\"gelu\"", "\"relu\"", "activation is not GELU"),
            ("1e-12}", "1e-12, \"position_embedding_type\": \"relative_key\"}", "not absolute"),
            ("1e-12}", "1e-12, \"type_vocab_size\": 999999}", "`type_vocab_size` must be a number"),
            ("\"bert\"", "\"xlm-roberta\", \"pad_token_id\": 511", "no position for a token"),
            ("\"bert\"", "\"xlm-roberta\", \"pad_token_id\": 4294967295", "no position for a token"),
            ("384", "0", "`hidden_size` must be a number"),
            ("384", "99999999", "`hidden_size` must be a number"),
            ("12,", "7,", "attention heads"),
            ("}", "", "it is not valid JSON"),
        ] {
            let error = read(&MINILM.replace(from, to)).expect_err(says).to_string();
            assert!(error.contains(says) && error.contains("config.json"), "{error}");
        }
    }
}
