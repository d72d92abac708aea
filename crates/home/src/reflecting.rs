//! The repair of `doctor` that asks the configured language model for missing lessons.
//!
//! Invariant: the model is opened only if a lesson is missing, and every call is counted.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use inwit_engine::doctor::fix::Mended;
use inwit_engine::{EngineError, Notice};
use inwit_model::Scope;
use inwit_model::watch::Watch;
use inwit_outbound::Patience;

use crate::llm::counted_models::CountedModels;
use crate::llm::task::Task;
use crate::open::OpenAgent;

/// One pass, until `stop` is set, and the notice that its calls were not counted. Errors: `model_unset`,
/// `model_not_allowed`, `setting_bad`, and those of writing.
pub fn reflect_pending(
    opened: &OpenAgent,
    stop: Arc<AtomicBool>,
    watch: &mut Watch<'_>,
) -> Result<(Mended, Option<Notice>), EngineError> {
    let models = CountedModels::new(&opened.config.review.model, Task::Reflect, Patience::COMPLETION, stop);
    let mended = opened.agent.mend_reflections(&|| models.open(&Scope::Main), watch)?;
    Ok((mended, models.notice()))
}
