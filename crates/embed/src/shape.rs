//! The sizes of a network, from its `config.json`.
//!
//! Any BERT of this form is accepted, so models with more layers work too. Invariant: every size is within its limit,
//! so products do not overflow and memory is bounded.

use std::path::Path;

use inwit_model::EmbedError;
use serde_json::Value;

use crate::failure::damaged;

/// The sizes of a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Numbers of a vector.
    pub width: usize,
    /// Layers.
    pub layers: usize,
    /// Heads of attention; they share the width evenly.
    pub heads: usize,
    /// Numbers between the two halves of a layer.
    pub inner: usize,
    /// Tokens that have a place in its table.
    pub positions: usize,
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
        let kind = (config["model_type"].as_str(), config["hidden_act"].as_str());
        if kind != (Some("bert"), Some("gelu")) {
            return Err(damaged(path, "it is not a BERT model with GELU, the only supported kind"));
        }
        let size = |name: &str, most: u64| match config[name].as_u64() {
            Some(size) if (1..=most).contains(&size) => Ok(size as usize),
            _ => Err(damaged(path, format!("`{name}` must be a number from 1 to {most}"))),
        };
        let shape = Self {
            width: size("hidden_size", 4_096)?,
            layers: size("num_hidden_layers", 64)?,
            heads: size("num_attention_heads", 64)?,
            inner: size("intermediate_size", 16_384)?,
            positions: size("max_position_embeddings", 65_536)?,
            vocabulary: size("vocab_size", 1_000_000)?,
            padding: config["pad_token_id"].as_u64().and_then(|number| u32::try_from(number).ok()),
            epsilon: config["layer_norm_eps"].as_f64().unwrap_or(1e-12) as f32,
        };
        match shape.width.is_multiple_of(shape.heads) && (0.0..1.0).contains(&shape.epsilon) {
            true => Ok(shape),
            false => Err(damaged(path, "its attention heads or its epsilon are invalid")),
        }
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
            ("\"gelu\"", "\"relu\"", "not a BERT model"),
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
