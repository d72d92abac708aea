//! Vocabularies other than uncased WordPiece, by the library `tokenizers`: Unigram, BPE, cased WordPiece.
//!
//! The library reads a whole text before it cuts the tokens, and panics at some broken files. Invariants: a
//! text is cut first, so that time and memory are bounded by the number of tokens, as with our own tokenizer; a panic inside
//! the library is an error of the model.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use inwit_model::EmbedError;
use tokenizers::models::ModelWrapper;
use tokenizers::{EncodeInput, TruncationParams, TruncationStrategy};

use crate::failure::{damaged, failed, unsupported};
use crate::file::{bytes, json};
use crate::library_parts;
use crate::shape::Shape;
use crate::tokens::Tokens;
use crate::wordpiece::is_known;

/// Bytes of a text per token that are read. A token has four on average and rarely more than sixteen.
const TOKEN_BYTES_MAX: usize = 32;

/// A tokenizer of the library.
#[derive(Debug)]
pub struct Library {
    tokenizer: tokenizers::Tokenizer,
    /// The token of what it does not know, if there is one.
    unknown: Option<u32>,
    /// The token of the start of a word alone, which stands before each unknown word and says nothing.
    bare: Option<u32>,
    bytes_max: usize,
}

impl Library {
    /// Reads the `tokenizer.json` at `path` for a network of this `shape`, at most `most` tokens per text. Errors:
    /// `model_missing`, `model_damaged`.
    pub fn open(path: &Path, shape: &Shape, most: usize) -> Result<Self, EmbedError> {
        let wrong = |error| damaged(path, format!("it is not a tokenizer ({error})"));
        library_parts::check(&json(path)?).map_err(|why| unsupported(path, why))?;
        let file = bytes(path)?;
        let read = || tokenizers::Tokenizer::from_bytes(&file);
        let read =
            catch_unwind(AssertUnwindSafe(read)).map_err(|_| damaged(path, "it is not a tokenizer"))?;
        let mut tokenizer = read.map_err(wrong)?;
        let (has, rows) = (tokenizer.get_vocab_size(true), shape.vocabulary);
        if has > rows {
            return Err(damaged(path, format!("it has {has} tokens, but the model has {rows}")));
        }
        let strategy = TruncationStrategy::LongestFirst;
        let cut = TruncationParams { max_length: most, strategy, ..TruncationParams::default() };
        tokenizer.with_padding(None).with_truncation(Some(cut)).map_err(wrong)?;
        let unknown = match tokenizer.get_model() {
            ModelWrapper::WordPiece(model) => tokenizer.token_to_id(&model.unk_token),
            ModelWrapper::WordLevel(model) => tokenizer.token_to_id(&model.unk_token),
            ModelWrapper::BPE(model) => {
                model.get_unk_token().as_ref().and_then(|token| tokenizer.token_to_id(token))
            }
            ModelWrapper::Unigram(_) => tokenizer.token_to_id("<unk>"),
        };
        let bare = tokenizer.token_to_id("▁");
        Ok(Self { tokenizer, unknown, bare, bytes_max: most * TOKEN_BYTES_MAX })
    }

    /// The tokens of one text, or of a text with a second one. Error: `embedding_failed`.
    pub fn tokens(&self, text: &str, second: Option<&str>) -> Result<Tokens, EmbedError> {
        let encoding = self.encoded(text, second)?;
        let ids = encoding.get_ids().to_vec();
        let kinds = encoding.get_type_ids();
        let second = kinds.iter().position(|kind| *kind > 0).unwrap_or(ids.len());
        match ids.is_empty() {
            true => Err(failed("it has no token")),
            false => Ok(Tokens { ids, second }),
        }
    }

    /// Whether few enough of a text's tokens are unknown.
    pub fn knows(&self, text: &str) -> bool {
        let (Some(unknown), Ok(encoding)) = (self.unknown, self.encoded(text, None)) else { return true };
        let marks = encoding.get_special_tokens_mask();
        let ids = encoding.get_ids().iter().zip(marks).filter(|(_, mark)| **mark == 0).map(|(id, _)| *id);
        let ids: Vec<u32> = ids.filter(|id| Some(*id) != self.bare).collect();
        is_known(&ids, unknown)
    }

    fn encoded(&self, text: &str, second: Option<&str>) -> Result<tokenizers::Encoding, EmbedError> {
        let cut = |text: &str| text[..text.floor_char_boundary(self.bytes_max)].to_owned();
        let input = match second {
            None => EncodeInput::Single(cut(text).into()),
            Some(second) => EncodeInput::Dual(cut(text).into(), cut(second).into()),
        };
        let encode = || self.tokenizer.encode(input, true);
        catch_unwind(AssertUnwindSafe(encode))
            .map_err(|_| failed("its tokenizer stopped at the text"))?
            .map_err(|error| failed(format!("its tokens are not known ({error})")))
    }
}
