//! A configured model whose tokens and cost are summed up.

use std::sync::{Arc, Mutex, PoisonError};

use inwit_home::llm::metered::Metered;
use inwit_model::{CompleteError, Completer, Completion, Question, Usage};

/// The tokens of all calls, and their cost in billionths of a US dollar, unless that of one is unknown.
type Used = (Usage, Option<u64>);

/// A handle of the model; its clones share the sums.
pub struct Counting<M> {
    inner: Arc<Metered<M>>,
    used: Arc<Mutex<Used>>,
}

impl<M> Counting<M> {
    /// `inner`, with nothing used yet.
    pub fn of(inner: Metered<M>) -> Self {
        Self { inner: Arc::new(inner), used: Arc::new(Mutex::new((Usage::default(), Some(0)))) }
    }

    /// The sums so far.
    pub fn used(&self) -> Used {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> Clone for Counting<M> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), used: Arc::clone(&self.used) }
    }
}

impl<M: Completer> Completer for Counting<M> {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        let completion = self.inner.complete(question)?;
        let cost = self.inner.cost(completion.usage);
        let usage = completion.usage.unwrap_or_default();
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.0.input += usage.input;
        used.0.output += usage.output;
        used.1 = used.1.zip(cost).map(|(before, cost)| before + cost);
        Ok(completion)
    }
}
