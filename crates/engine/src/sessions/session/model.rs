//! The language model of a session, as its host names it.
//!
//! A host may switch models during a session, so the last name counts. Invariant: a scope gets only names of its own
//! sessions.

use inwit_model::{ModelName, Scope, SessionId};

use crate::sessions::hook::fence;
use crate::{EngineError, Notice, Sessions};

impl Sessions {
    /// Records the model of a running session, without private parts of its name, which a notice reports. Errors:
    /// `session_unknown`, `session_ended`.
    pub fn record_session_model(
        &self,
        id: &SessionId,
        model: &ModelName,
    ) -> Result<Option<Notice>, EngineError> {
        let public = fence::without_private(model.as_str());
        // The remaining name may be empty.
        let kept = match &public {
            Some(public) => ModelName::parse(public).ok(),
            None => Some(model.clone()),
        };
        if let Some(kept) = kept {
            self.core.memory()?.record_session_model(id, &kept)?;
        }
        Ok(public.map(|_| fence::private_left_out()))
    }

    /// The model of `session`, if that is in `scope`; without a session, of the newest one of `scope` with a model.
    /// Read-only.
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
