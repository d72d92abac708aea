//! The language model that speaks in a session, as its host calls it.
//!
//! A host may switch models while a session runs, so the last one that it named counts. Invariant: a scope is answered
//! from sessions of its own.

use inwit_model::{ModelName, Scope, SessionId};

use crate::{Agent, EngineError};

impl Agent {
    /// Records the model that speaks in a running session. Errors: `session_unknown`, `session_ended`.
    pub fn record_session_model(&self, id: &SessionId, model: &ModelName) -> Result<(), EngineError> {
        Ok(self.memory()?.record_session_model(id, model)?)
    }

    /// The model that spoke in `session`, if that is one of `scope`; without a session, in the newest one of `scope`
    /// for which a model was recorded. Makes nothing.
    pub fn session_model(
        &self,
        scope: &Scope,
        session: Option<&SessionId>,
    ) -> Result<Option<ModelName>, EngineError> {
        match self.memory_if_made()? {
            Some(memory) => Ok(memory.session_model(scope, session)?),
            None => Ok(None),
        }
    }
}
