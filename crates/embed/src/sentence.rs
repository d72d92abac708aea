//! What a folder of sentence-transformers says beside the network: pooling, prefixes and length.
//!
//! Source: `modules.json`, `1_Pooling/config.json`, `config_sentence_transformers.json` and
//! `sentence_bert_config.json`, as that library writes them; none of them must exist. Invariant: a step that is not
//! computed here is an error, since vectors without it look as whole as any.

use std::path::Path;

use inwit_model::EmbedError;
use serde_json::Value;

use crate::failure::{damaged, unsupported};
use crate::file::json_if_any;

/// Longest prefix, in bytes; published ones are a sentence at most.
const PREFIX_BYTES_MAX: usize = 1_024;

/// How the rows of a text's tokens become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pooling {
    /// Their mean.
    #[default]
    Mean,
    /// The row of the first token.
    First,
}

/// What texts become before and after the network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SentenceConfig {
    /// See [`Pooling`]; the mean if the folder does not say.
    pub pooling: Pooling,
    /// Put before a query.
    pub query: String,
    /// Put before a passage.
    pub passage: String,
    /// Most tokens of a text, if limited.
    pub tokens_max: Option<usize>,
}

impl SentenceConfig {
    /// Reads it from `folder`. Errors: `model_damaged`, `model_unsupported`.
    pub fn read(folder: &Path) -> Result<Self, EmbedError> {
        all_modules_known(&folder.join("modules.json"))?;
        let [query, passage] = prefixes(&folder.join("config_sentence_transformers.json"))?;
        let length = json_if_any(&folder.join("sentence_bert_config.json"))?;
        let tokens_max = length.and_then(|length| length["max_seq_length"].as_u64());
        let tokens_max = tokens_max.and_then(|most| usize::try_from(most).ok()).filter(|most| *most > 0);
        Ok(Self { pooling: pooling(&folder.join("1_Pooling/config.json"))?, query, passage, tokens_max })
    }
}

/// Steps after the network, such as a dense layer, change every vector.
fn all_modules_known(path: &Path) -> Result<(), EmbedError> {
    let modules = json_if_any(path)?.unwrap_or_default();
    let kinds = modules.as_array().into_iter().flatten().filter_map(|module| module["type"].as_str());
    let last = |kind: &str| kind.rsplit('.').next().unwrap_or_default().to_owned();
    match kinds.map(last).find(|kind| !["Transformer", "Pooling", "Normalize"].contains(&kind.as_str())) {
        Some(kind) => Err(unsupported(path, format!("the model has a step `{kind}`"))),
        None => Ok(()),
    }
}

fn pooling(path: &Path) -> Result<Pooling, EmbedError> {
    let Some(config) = json_if_any(path)? else { return Ok(Pooling::default()) };
    let mut modes = Vec::new();
    for (name, value) in config.as_object().into_iter().flatten() {
        if name.starts_with("pooling_mode_") && value == &Value::Bool(true) {
            modes.push(name.as_str());
        }
    }
    match (modes.as_slice(), &config["include_prompt"]) {
        (_, Value::Bool(false)) => Err(unsupported(path, "its pooling leaves out the prefix")),
        (["pooling_mode_mean_tokens"], _) => Ok(Pooling::Mean),
        (["pooling_mode_cls_token"], _) => Ok(Pooling::First),
        _ => Err(unsupported(path, "its pooling is neither the mean nor the first token")),
    }
}

/// The prefixes of a query and of a passage; empty if there are none.
fn prefixes(path: &Path) -> Result<[String; 2], EmbedError> {
    let config = json_if_any(path)?.unwrap_or_default();
    let prompts = &config["prompts"];
    let default = config["default_prompt_name"].as_str().map(|name| &prompts[name]);
    let prefix = |names: &[&str]| {
        let named = names.iter().find_map(|name| prompts[*name].as_str());
        let prefix = named.or_else(|| default.and_then(Value::as_str)).unwrap_or_default();
        match prefix.len() {
            0..=PREFIX_BYTES_MAX => Ok(prefix.to_owned()),
            _ => Err(damaged(path, format!("a prefix is longer than {PREFIX_BYTES_MAX} bytes"))),
        }
    };
    Ok([prefix(&["query"])?, prefix(&["passage", "document"])?])
}
