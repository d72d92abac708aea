//! A model whose counts are read after a pass.

use std::sync::Arc;

use inwit_llm::HttpCompleter;
use inwit_model::{CompleteError, Completer, Completion, Question};

use super::metered::Metered;

/// A completer for the engine; the caller keeps the other handle.
pub(crate) struct Shared(pub(crate) Arc<Metered<HttpCompleter>>);

impl Completer for Shared {
    fn model(&self) -> &str {
        self.0.model()
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        self.0.complete(question)
    }
}
