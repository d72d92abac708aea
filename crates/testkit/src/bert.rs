//! Small BERT models whose numbers are made here: for tests of what reads a model's folder.
//!
//! Two layers, two heads, sixteen numbers per token. Invariant: the same call makes the same model, and no number is
//! taken from a published one.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::fixture;

/// Numbers per token.
pub const WIDTH: usize = 16;
/// Heads of attention.
pub const HEADS: usize = 2;
/// Layers.
pub const LAYERS: usize = 2;
/// Numbers between the two halves of a layer.
pub const INNER: usize = 24;
/// Rows of the table of positions.
pub const POSITIONS: usize = 40;

/// A table: rows, columns (0 for a list of rows) and its numbers.
pub type Table = (usize, usize, Vec<f32>);

/// A model, before it is written.
#[derive(Debug, Clone)]
pub struct SmallBert {
    /// `config.json`.
    pub config: Value,
    /// Every table by its name.
    pub tables: BTreeMap<String, Table>,
    /// The other files, by name.
    pub files: BTreeMap<&'static str, String>,
}

impl SmallBert {
    /// An embedding model with a WordPiece vocabulary: the markers of BERT, then `words`.
    pub fn wordpiece(words: &[&str]) -> Self {
        let pieces = [&["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], words].concat();
        let mut model = Self::of("bert", 2, pieces.len());
        model.files.insert("vocab.txt", pieces.join("\n"));
        model
    }

    /// An embedding model like XLM-RoBERTa: a Unigram vocabulary of `<s>`, `<pad>`, `</s>`, `<unk>` and `words`, each of
    /// which begins with `▁` where it begins a word.
    pub fn unigram(words: &[&str]) -> Self {
        let markers = ["<s>", "<pad>", "</s>", "<unk>"];
        let mut model = Self::of("xlm-roberta", 1, markers.len() + words.len());
        model.config["pad_token_id"] = json!(1);
        let added = (0..).zip(markers).map(|(id, content): (u32, _)| {
            json!({"id": id, "content": content, "special": true, "single_word": false, "lstrip": false,
                "rstrip": false, "normalized": false})
        });
        let added: Vec<Value> = added.collect();
        let pieces: Vec<Value> = markers
            .iter()
            .map(|marker| json!([marker, 0.0]))
            .chain(words.iter().map(|word| json!([word, -1.0])))
            .collect();
        let marker = |name: &str| json!({"SpecialToken": {"id": name, "type_id": 0}});
        let (start, end) = (marker("<s>"), marker("</s>"));
        let text = |name: &str| json!({"Sequence": {"id": name, "type_id": 0}});
        let tokenizer = json!({
            "version": "1.0",
            "truncation": {"max_length": 8, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
            "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 1,
                "pad_type_id": 0, "pad_token": "<pad>"},
            "added_tokens": added,
            "normalizer": null,
            "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
            "post_processor": {"type": "TemplateProcessing",
                "single": [start, text("A"), end],
                "pair": [start, text("A"), end, end, text("B"), end],
                "special_tokens": {
                    "<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
                    "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
            "decoder": null,
            "model": {"type": "Unigram", "unk_id": 3, "vocab": pieces, "byte_fallback": false},
        });
        model.files.insert("tokenizer.json", tokenizer.to_string());
        model
    }

    /// The same with the head of a cross-encoder, and its tables named as a model with a head names them.
    pub fn with_head(mut self) -> Self {
        let is_bert = self.config["model_type"] == "bert";
        let (prefix, dense, out) = match is_bert {
            true => ("bert.", "bert.pooler.dense", "classifier"),
            false => ("roberta.", "classifier.dense", "classifier.out_proj"),
        };
        let tables = std::mem::take(&mut self.tables);
        self.tables = tables.into_iter().map(|(name, table)| (format!("{prefix}{name}"), table)).collect();
        self.dense(dense, WIDTH, WIDTH);
        self.dense(out, 1, WIDTH);
        self
    }

    /// A cross-encoder that scores a passage by the share of its tokens, and of those of the query, that are `wanted`;
    /// the position of a word does not count.
    pub fn counting(wanted: &str, others: &[&str]) -> Self {
        let words = [&[wanted], others].concat();
        let mut model = Self::wordpiece(&words).with_head();
        for (name, (rows, columns, values)) in &mut model.tables {
            let is_norm = name.ends_with("LayerNorm.weight");
            values.fill(if is_norm { 1.0 } else { 0.0 });
            // Values of attention, what they are joined to, and the pooler pass rows on as they are. Queries and keys
            // of zero give each token the same attention.
            if ["self.value.weight", "attention.output.dense.weight", "pooler.dense.weight"]
                .iter()
                .any(|end| name.ends_with(end))
            {
                (0..*rows).for_each(|at| values[at * *columns + at] = 1.0);
            }
            if name.ends_with("word_embeddings.weight") {
                for (row, values) in values.chunks_exact_mut(WIDTH).enumerate() {
                    // The start marker points elsewhere, so that normalising its row keeps the share.
                    let [plus, minus] = match row {
                        2 => [2, 3],
                        5 => [0, 1],
                        _ => [1, 0],
                    };
                    (values[plus], values[minus]) = (1.0, -1.0);
                }
            }
            if name == "classifier.weight" {
                values[0] = 4.0;
            }
        }
        model
    }

    /// Writes the model into `folder`.
    pub fn put(&self, folder: &Path) {
        fixture::put(folder, "config.json", self.config.to_string().as_bytes());
        fixture::put(folder, "model.safetensors", &self.weights());
        for (name, text) in &self.files {
            fixture::put(folder, name, text.as_bytes());
        }
    }

    /// The tables as a safetensors file.
    pub fn weights(&self) -> Vec<u8> {
        let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, (rows, columns, values)) in &self.tables {
            let start = data.len();
            data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            let shape = if *columns == 0 { json!([rows]) } else { json!([rows, columns]) };
            let row = json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]});
            header.insert(name.clone(), row);
        }
        let header = Value::from(header).to_string();
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
    }

    fn of(kind: &str, kinds: usize, vocabulary: usize) -> Self {
        let config = json!({
            "model_type": kind, "hidden_act": "gelu", "hidden_size": WIDTH, "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS, "intermediate_size": INNER, "max_position_embeddings": POSITIONS,
            "type_vocab_size": kinds, "vocab_size": vocabulary, "layer_norm_eps": 1e-5,
        });
        let mut model = Self { config, tables: BTreeMap::new(), files: BTreeMap::new() };
        model.table("embeddings.word_embeddings.weight", vocabulary, WIDTH);
        model.table("embeddings.position_embeddings.weight", POSITIONS, WIDTH);
        model.table("embeddings.token_type_embeddings.weight", kinds, WIDTH);
        model.norm("embeddings.LayerNorm");
        for layer in 0..LAYERS {
            let layer = format!("encoder.layer.{layer}");
            for part in ["self.query", "self.key", "self.value", "output.dense"] {
                model.dense(&format!("{layer}.attention.{part}"), WIDTH, WIDTH);
            }
            model.norm(&format!("{layer}.attention.output.LayerNorm"));
            model.dense(&format!("{layer}.intermediate.dense"), INNER, WIDTH);
            model.dense(&format!("{layer}.output.dense"), WIDTH, INNER);
            model.norm(&format!("{layer}.output.LayerNorm"));
        }
        model
    }

    fn dense(&mut self, name: &str, outs: usize, ins: usize) {
        self.table(&format!("{name}.weight"), outs, ins);
        self.table(&format!("{name}.bias"), outs, 0);
    }

    fn norm(&mut self, name: &str) {
        self.table(&format!("{name}.weight"), WIDTH, 0);
        self.table(&format!("{name}.bias"), WIDTH, 0);
        let scale = self.tables.get_mut(&format!("{name}.weight")).expect("just made");
        scale.2.iter_mut().for_each(|value| *value += 1.0);
    }

    /// Numbers between −0.5 and 0.5, by name and place.
    fn table(&mut self, name: &str, rows: usize, columns: usize) {
        let seed = name.bytes().fold(7u64, |seed, byte| seed.wrapping_mul(131).wrapping_add(byte.into()));
        let number = |at: u64| {
            let mixed = (seed ^ at).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            (mixed >> 40) as f32 / (1u64 << 24) as f32 - 0.5
        };
        let count = (rows * columns.max(1)) as u64;
        self.tables.insert(name.to_owned(), (rows, columns, (0..count).map(number).collect()));
    }
}
