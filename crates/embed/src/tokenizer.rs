//! The tokenizer of a model folder: our own WordPiece, or the library `tokenizers` for every other kind.
//!
//! Ours is BERT's uncased one, which most English models have; it is twenty times as fast as the library and needs no
//! other crate. The library is a build feature. Invariant: a vocabulary that would be cut in another way than the model
//! was trained with is an error.

use std::path::Path;

use inwit_model::EmbedError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::failure::{damaged, missing, unsupported};
use crate::file::{json, json_if_any, text};
#[cfg(feature = "tokenizers")]
use crate::library::Library;
use crate::shape::Shape;
use crate::tokens::Tokens;
use crate::wordpiece::Vocabulary;

/// Texts to tokens, at most a number of them.
#[derive(Debug)]
pub struct Tokenizer {
    kind: Kind,
    /// Most tokens of a text or a pair, with markers.
    most: usize,
}

#[derive(Debug)]
enum Kind {
    WordPiece(Vocabulary),
    #[cfg(feature = "tokenizers")]
    Library(Box<Library>),
}

impl Tokenizer {
    /// The tokenizer in `folder` for a network of this `shape`, at most `most` tokens per text. Errors:
    /// `model_missing`, `model_damaged`, `model_unsupported`.
    pub fn open(folder: &Path, shape: &Shape, most: usize) -> Result<Self, EmbedError> {
        let (lines, described) = (folder.join("vocab.txt"), folder.join("tokenizer.json"));
        let is_ours = match described.exists() {
            true => Described::read(&described)?.is_uncased_wordpiece(),
            false if lines.exists() => is_uncased(&folder.join("tokenizer_config.json"))?,
            false => return Err(missing(&lines)),
        };
        let kind = if is_ours {
            let path = if lines.exists() { lines } else { described };
            Kind::WordPiece(vocabulary(&path, shape)?)
        } else if described.exists() {
            library(&described, shape, most)?
        } else {
            return Err(unsupported(&lines, "the vocabulary is cased, and there is no `tokenizer.json`"));
        };
        Ok(Self { kind, most })
    }

    /// The tokens of `text`. Error: `embedding_failed`.
    pub fn text(&self, text: &str) -> Result<Tokens, EmbedError> {
        match &self.kind {
            Kind::WordPiece(vocabulary) => Ok(Tokens::of_text(vocabulary.tokens(text, self.most))),
            #[cfg(feature = "tokenizers")]
            Kind::Library(library) => library.tokens(text, None),
        }
    }

    /// The tokens of a query with a passage; a long query leaves at least half of the room to the passage. Error:
    /// `embedding_failed`.
    pub fn pair(&self, query: &str, passage: &str) -> Result<Tokens, EmbedError> {
        match &self.kind {
            Kind::WordPiece(vocabulary) => {
                let mut ids = vocabulary.tokens(query, self.most / 2);
                let second = ids.len();
                // The passage comes with a start marker, which only the query has.
                let passage = vocabulary.tokens(passage, self.most + 1 - second);
                ids.extend(passage.get(1..).unwrap_or_default());
                Ok(Tokens { ids, second })
            }
            #[cfg(feature = "tokenizers")]
            Kind::Library(library) => library.tokens(query, Some(passage)),
        }
    }

    /// Whether the model knows enough of a text, as [`Vocabulary::knows`].
    pub fn knows(&self, text: &str) -> bool {
        match &self.kind {
            Kind::WordPiece(vocabulary) => vocabulary.knows(&vocabulary.tokens(text, self.most)),
            #[cfg(feature = "tokenizers")]
            Kind::Library(library) => library.knows(text),
        }
    }
}

/// The words of our own tokenizer, from lines or from the table of a `tokenizer.json`.
fn vocabulary(path: &Path, shape: &Shape) -> Result<Vocabulary, EmbedError> {
    let vocabulary = if path.extension().is_some_and(|end| end == "txt") {
        Vocabulary::of_lines(&text(path)?)
    } else {
        let value = json(path)?;
        let numbered = |(piece, number): (_, &Value)| Some((piece, u32::try_from(number.as_u64()?).ok()?));
        let pieces = value["model"]["vocab"].as_object().and_then(|pieces| {
            pieces.iter().map(|(piece, number)| numbered((piece.as_str(), number))).collect()
        });
        pieces
            .ok_or_else(|| "it has no vocabulary with token numbers".to_owned())
            .and_then(|pieces: Vec<_>| Vocabulary::of(pieces))
    };
    let vocabulary = vocabulary.map_err(|says| damaged(path, says))?;
    let (has, rows) = (vocabulary.size() as usize, shape.vocabulary);
    if has != rows {
        return Err(damaged(path, format!("it has {has} tokens, but the model has {rows}")));
    }
    if shape.padding.is_some_and(|padding| vocabulary.marker("[PAD]") != Some(padding)) {
        return Err(damaged(path, "its token `[PAD]` is not at the position that the model expects"));
    }
    Ok(vocabulary)
}

#[cfg(feature = "tokenizers")]
fn library(path: &Path, shape: &Shape, most: usize) -> Result<Kind, EmbedError> {
    Ok(Kind::Library(Box::new(Library::open(path, shape, most)?)))
}

#[cfg(not(feature = "tokenizers"))]
fn library(path: &Path, _shape: &Shape, _most: usize) -> Result<Kind, EmbedError> {
    Err(unsupported(path, "this build of inwit reads uncased WordPiece vocabularies only"))
}

/// Whether a vocabulary without a `tokenizer.json` is of lower case, as BERT's settings at `path` have it by default.
fn is_uncased(path: &Path) -> Result<bool, EmbedError> {
    let config = json_if_any(path)?.unwrap_or_default();
    let is_off = |name: &str| config[name] == Value::Bool(false);
    Ok(!["do_lower_case", "strip_accents", "tokenize_chinese_chars"].into_iter().any(is_off))
}

/// What a `tokenizer.json` says of its kind; the vocabulary is skipped.
#[derive(Deserialize)]
struct Described {
    model: Option<DescribedModel>,
    normalizer: Option<Value>,
    pre_tokenizer: Option<Value>,
}

#[derive(Deserialize)]
struct DescribedModel {
    r#type: Option<String>,
    continuing_subword_prefix: Option<String>,
    /// Pieces of WordPiece have numbers, those of Unigram have weights.
    #[serde(rename = "vocab")]
    _vocabulary: Option<IgnoredAny>,
}

impl Described {
    fn read(path: &Path) -> Result<Self, EmbedError> {
        serde_json::from_str(&text(path)?)
            .map_err(|error| damaged(path, format!("it is not valid JSON ({error})")))
    }

    /// Whether it is what our own tokenizer does: BERT's, uncased.
    fn is_uncased_wordpiece(&self) -> bool {
        let Some(model) = &self.model else { return true };
        match model.r#type.as_deref() {
            // An older form, which only WordPiece was written in.
            None => true,
            Some("WordPiece") => {
                let is = |part: &Option<Value>, kind: &str| {
                    part.as_ref().is_some_and(|part| part["type"].as_str() == Some(kind))
                };
                let is_on = |name: &str, default: bool| {
                    self.normalizer.as_ref().and_then(|it| it[name].as_bool()).unwrap_or(default)
                };
                is(&self.normalizer, "BertNormalizer")
                    && is(&self.pre_tokenizer, "BertPreTokenizer")
                    && ["lowercase", "clean_text", "handle_chinese_chars"].into_iter().all(|name| is_on(name, true))
                    // By default accents go with upper case.
                    && is_on("strip_accents", true)
                    && model.continuing_subword_prefix.as_deref().is_none_or(|prefix| prefix == "##")
            }
            Some(_) => false,
        }
    }
}
