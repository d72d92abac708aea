//! The configured model of one pass: opened on demand, bounded, and counted.
//!
//! Invariants: construction makes no request; a request that was made is counted, also if its answer was not waited for; a
//! call after the deadline or the stop makes no request and is not counted.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use inwit_engine::Notice;
use inwit_llm::HttpCompleter;
use inwit_model::{CompleteError, Completer, Completion, Question, Scope};
use inwit_outbound::Patience;

use super::LlmConfig;
use super::bounded::Bounded;
use super::metered::Metered;
use super::task::Task;

/// The models of a pass: one for each scope that is read.
pub struct CountedModels<'c> {
    config: &'c LlmConfig,
    task: Task,
    patience: Patience,
    /// How long an opened model answers; `None` for no limit beside `patience`.
    within: Option<Duration>,
    stop: Arc<AtomicBool>,
    opened: Mutex<Vec<CountedModel>>,
}

impl<'c> CountedModels<'c> {
    /// Models for `task` whose requests take at most `patience`, until `stop` is set.
    pub fn new(config: &'c LlmConfig, task: Task, patience: Patience, stop: Arc<AtomicBool>) -> Self {
        Self { config, task, patience, within: None, stop, opened: Mutex::default() }
    }

    /// The same, where all requests of an opened model together take at most `within`.
    pub fn within(self, within: Duration) -> Self {
        Self { within: Some(within), ..self }
    }

    /// A model for texts of `scope`. Errors: `model_unset`, `model_not_allowed`, `setting_bad`.
    pub fn open(&self, scope: &Scope) -> Result<Box<dyn Completer>, CompleteError> {
        let client = Arc::new(self.config.client(Some(scope), self.patience)?);
        let bounded = Bounded::new(client, self.within, Arc::clone(&self.stop));
        let model = CountedModel(Arc::new(self.config.metered(bounded, self.task)?));
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).push(model.clone());
        Ok(Box::new(model))
    }

    /// A model for private texts that is opened by its first question. Its errors are those of the question.
    pub fn open_on_use(&self) -> Box<dyn Completer + '_> {
        Box::new(OpenedOnUse { models: self, opened: OnceLock::new() })
    }

    /// Whether a deadline prevented an answer.
    pub fn is_late(&self) -> bool {
        self.any(|model| model.0.inner().is_late().then_some(())).is_some()
    }

    /// The notice that calls were not counted.
    pub fn notice(&self) -> Option<Notice> {
        self.any(|model| model.0.not_counted())
    }

    fn any<T>(&self, of: impl Fn(&CountedModel) -> Option<T>) -> Option<T> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).iter().find_map(of)
    }
}

/// A model whose calls are counted when they end or are abandoned.
#[derive(Clone)]
struct CountedModel(Arc<Metered<Bounded<HttpCompleter>>>);

impl Completer for CountedModel {
    fn model(&self) -> &str {
        self.0.model()
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        self.0.inner().check()?;
        self.0.complete(question)
    }
}

/// A model before its first question.
struct OpenedOnUse<'m> {
    models: &'m CountedModels<'m>,
    opened: OnceLock<Result<Box<dyn Completer>, CompleteError>>,
}

impl Completer for OpenedOnUse<'_> {
    fn model(&self) -> &str {
        &self.models.config.model
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        let opened = self.opened.get_or_init(|| self.models.open(&Scope::Main));
        opened.as_ref().map_err(CompleteError::clone)?.complete(question)
    }
}
