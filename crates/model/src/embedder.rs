//! The port for embeddings, local or remote (D10, D16).
//!
//! Invariant: every vector has the announced dimension, is finite and has unit length, so a dot product of two is
//! their cosine.

use crate::Code;

/// Computes embeddings. Blocking; the same text gives the same direction every time.
pub trait Embedder: Send + Sync {
    /// Name of the model, part of the key of stored vectors: vectors of two names are never compared.
    fn model(&self) -> &str;

    /// Dimension of the vectors; 0 while unknown, such as for an unreachable provider.
    fn dimension(&self) -> usize;

    /// Whether texts leave this machine. If so, flagged text that the owner has not cleared is masked.
    fn sends_texts(&self) -> bool {
        false
    }

    /// Checks files and settings, without computing or sending anything. Errors: `model_missing`, `model_damaged`,
    /// `setting_bad`.
    fn look(&self) -> Result<(), EmbedError> {
        Ok(())
    }

    /// Whether the model can encode `text`. Vectors of texts that it cannot encode are meaningless and close to each
    /// other.
    fn reads(&self, _text: &str) -> bool {
        true
    }

    /// One unit vector for each text, in order. An empty text has a vector too; a long text is truncated to the
    /// model's limit. Errors: `model_missing`, `model_damaged`, `embedding_failed`, of a provider
    /// `provider_unanswered`; then no vectors are returned.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// The vector of a query that a user waits for: a slow provider fails early, since search works by words alone.
    /// Errors: as [`embed`](Self::embed).
    fn ask(&self, question: &str) -> Result<Vec<f32>, EmbedError> {
        let vectors = self.embed(&[question])?;
        vectors.into_iter().next().ok_or_else(|| EmbedError {
            code: Code::EmbeddingFailed,
            message: format!("The model {} returned no vector.", self.model()),
        })
    }
}

/// Why embedding failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EmbedError {
    /// The kind of failure.
    pub code: Code,
    /// One sentence that names the file or the provider.
    pub message: String,
}
