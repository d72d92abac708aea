//! How texts become vectors: one port, whatever computes them (D10, D16).
//!
//! A local model and a remote provider look the same from here. Invariant: every vector that comes
//! through has the promised dimension, is finite and of unit length, so a product of two is their cosine.

use crate::Code;

/// Turns texts into vectors. Blocking, and the same text gives the same direction every time.
pub trait Embedder: Send + Sync {
    /// The name of the model, part of the key that vectors are kept under: vectors of two names are
    /// never compared.
    fn model(&self) -> &str;

    /// How many numbers a vector has; 0 while that cannot be told, such as of a provider that is down.
    fn dimension(&self) -> usize;

    /// Whether texts leave this machine. What nobody vouches for is masked in them then.
    fn sends_texts(&self) -> bool {
        false
    }

    /// Whether it could be asked, as far as its files and settings tell: nothing is computed, nothing sent. Errors:
    /// `model_missing`, `model_damaged`, `setting_bad`.
    fn look(&self) -> Result<(), EmbedError> {
        Ok(())
    }

    /// Whether the model makes something of `text`. A vector of one that it cannot read would say nothing, and be near
    /// all others of its kind.
    fn reads(&self, _text: &str) -> bool {
        true
    }

    /// One vector for each text, in their order, of unit length. An empty text has a vector too; of a
    /// long one the model reads as much as it can. Errors: `model_missing`, `model_damaged`,
    /// `embedding_failed`, of a provider `provider_unanswered`; then no text has a vector.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// The vector of a question, for somebody who waits: one who takes long says so soon, since words can answer
    /// without him. Errors: as [`embed`](Self::embed).
    fn ask(&self, question: &str) -> Result<Vec<f32>, EmbedError> {
        let vectors = self.embed(&[question])?;
        vectors.into_iter().next().ok_or_else(|| EmbedError {
            code: Code::EmbeddingFailed,
            message: format!("The model {} returned no vector.", self.model()),
        })
    }
}

/// Why there are no vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EmbedError {
    /// What kind of failure it was.
    pub code: Code,
    /// One sentence that names the file or the provider.
    pub message: String,
}
