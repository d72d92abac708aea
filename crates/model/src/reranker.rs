//! The port for a reranker: a model that reads a query together with each passage.
//!
//! Invariant: one finite score for each passage, in order; a higher score answers the query better. Scores of two
//! queries or two models cannot be compared.

use crate::EmbedError;

/// Scores passages for a query. Blocking, and local: texts do not leave this machine.
pub trait Reranker: Send + Sync {
    /// Name of the model.
    fn model(&self) -> &str;

    /// Checks the model without computing anything. Errors: `model_missing`, `model_damaged`, `model_unsupported`.
    fn look(&self) -> Result<(), EmbedError> {
        Ok(())
    }

    /// A score for each of `passages`. Long texts are cut at the model's limit. Errors: `model_missing`,
    /// `model_damaged`, `model_unsupported`, `embedding_failed`; then no scores are returned.
    fn scores(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, EmbedError>;
}
