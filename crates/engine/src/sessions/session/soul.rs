//! Informs the user once that SOUL.md changed (W6, R8, W67, W68).
//!
//! SOUL.md is checked when a prompt is built for the owner; the notice is acknowledged with the next turn, since it
//! was then in an answered prompt. Invariant: a check alone never acknowledges.

use inwit_model::FileKind;
use inwit_model::ports::StateFile;

use crate::sessions::soul_watch::{self, SoulState};
use crate::{EngineError, ModelText, Notice, Sessions};

impl Sessions {
    /// The notice for the owner's next prompt, and notices for the host.
    pub(crate) fn soul_notice(&self) -> Result<(Option<ModelText>, Vec<Notice>), EngineError> {
        let (known, mut notices) = self.soul_state()?;
        let soul = self.core.well_known_file(FileKind::Soul)?.map(|(_, content)| content.sha256);
        let (state, notice) = soul_watch::observe(known.as_ref(), soul, self.core.clock.now());
        if state != known
            && let Some(state) = &state
            && let Err(error) = self.core.files.write_state(StateFile::Soul, Some(&soul_watch::print(state)))
        {
            // Without a baseline the change is announced again: better twice than never.
            notices.push(Notice::new(
                "soul_state_not_written",
                format!("The seen state of SOUL.md cannot be stored: {}", error.message),
                error.code,
            ));
        }
        Ok((notice.map(|_| ModelText::own(soul_watch::SOUL_CHANGED)), notices))
    }

    /// Acknowledges the notice.
    pub(super) fn acknowledge_soul(&self) -> Result<(), EngineError> {
        let (Some(state), _) = self.soul_state()? else { return Ok(()) };
        if state.told.is_none() {
            return Ok(());
        }
        let told = soul_watch::print(&soul_watch::acknowledge(&state));
        Ok(self.core.files.write_state(StateFile::Soul, Some(&told))?)
    }

    fn soul_state(&self) -> Result<(Option<SoulState>, Vec<Notice>), EngineError> {
        let Some(bytes) = self.core.files.read_state(StateFile::Soul)? else { return Ok((None, Vec::new())) };
        let (state, notice) = soul_watch::parse(&bytes);
        Ok((state, notice.into_iter().collect()))
    }
}
