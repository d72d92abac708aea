//! The language model that speaks in a session, as its host calls it.
//!
//! A host may switch models while a session runs, so the last one that it named counts. Invariant: a scope is answered
//! from sessions of its own.

use inwit_model::{ModelName, Scope, SessionId};

use crate::sessions::hook::fence;
use crate::{EngineError, Notice, Sessions};

impl Sessions {
    /// Records the model that speaks in a running session, without what is private in its name: of that the notice says
    /// that it was left out. Errors: `session_unknown`, `session_ended`.
    pub fn record_session_model(
        &self,
        id: &SessionId,
        model: &ModelName,
    ) -> Result<Option<Notice>, EngineError> {
        let public = fence::without_private(model.as_str());
        // What is left of a name may be none.
        let kept = match &public {
            Some(public) => ModelName::parse(public).ok(),
            None => Some(model.clone()),
        };
        if let Some(kept) = kept {
            self.core.memory()?.record_session_model(id, &kept)?;
        }
        Ok(public.map(|_| fence::private_left_out()))
    }

    /// The model that spoke in `session`, if that is one of `scope`; without a session, in the newest one of `scope`
    /// for which a model was recorded. Makes nothing.
    pub fn session_model(
        &self,
        scope: &Scope,
        session: Option<&SessionId>,
    ) -> Result<Option<ModelName>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.session_model(scope, session)?),
            None => Ok(None),
        }
    }
}
