//! Texts to vectors, and pairs of texts to scores, on this machine: BERT models such as all-MiniLM-L6-v2, in f32.
//!
//! Reading order: [`LocalEmbedder`] (the [`Embedder`](inwit_model::Embedder)) and [`LocalReranker`] (the
//! [`Reranker`](inwit_model::Reranker)), `forward` (the network), `shape` (its sizes), `weights` (its numbers, read from
//! safetensors), `sentence` (pooling and prefixes), `tokenizer` (texts to `tokens`: [`wordpiece`], or the `library`),
//! [`mod@identity`] (which model it is), `file`, `failure` (what can be wrong with a folder). Invariant: a folder is
//! only read, never written or fetched; whatever lies in it, the answer is a vector of unit length, a finite score or an
//! error with a code, and memory does not grow with the number or the length of texts.

mod embedder;
mod failure;
mod file;
mod forward;
pub mod identity;
#[cfg(feature = "tokenizers")]
mod library;
#[cfg(feature = "tokenizers")]
mod library_parts;
mod reranker;
mod sentence;
mod shape;
mod tokenizer;
mod tokens;
mod weights;
pub mod wordpiece;

pub use embedder::{BATCH_TOKENS_MAX, LocalEmbedder, TEXT_TOKENS_MAX, look};
pub use file::dimension;
pub use identity::identity;
pub use reranker::{LocalReranker, PAIR_TOKENS_MAX};
