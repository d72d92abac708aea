//! Texts to vectors on this machine: all-MiniLM-L6-v2 and its kin, in f32.
//!
//! Reading order: [`Minilm`] (the [`Embedder`](inwit_model::Embedder)), `forward` (the network), `shape` (its
//! sizes), `weights` (its numbers, read from safetensors), [`wordpiece`] (texts to tokens), `failure` (what can
//! be wrong with a folder). Invariant: a folder is only read, never written or fetched; whatever lies in it, the
//! answer is a vector of unit length or an error with a code, and memory does not grow with the number or the
//! length of texts.

mod failure;
mod forward;
mod minilm;
mod shape;
mod weights;
pub mod wordpiece;

pub use minilm::{BATCH_TOKENS_MAX, Minilm, TEXT_TOKENS_MAX, look};
