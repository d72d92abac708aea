//! Telling a person once that SOUL.md changed (W6, R8, W67, W68).
//!
//! The watch looks when a prompt is made for the owner; the notice is acknowledged when a turn came back,
//! since then it was in a prompt that somebody answered. Invariant: looking alone never uses it up.

use inwit_model::FileKind;
use inwit_model::ports::StateFile;

use crate::sessions::soul_watch::{self, SoulState};
use crate::{EngineError, ModelText, Notice, Sessions};

impl Sessions {
    /// What to tell in the next prompt of the owner, and what the host should know.
    pub(crate) fn soul_notice(&self) -> Result<(Option<ModelText>, Vec<Notice>), EngineError> {
        let (known, mut notices) = self.soul_state()?;
        let soul = self.core.well_known_file(FileKind::Soul)?.map(|(_, content)| content.sha256);
        let (state, notice) = soul_watch::observe(known.as_ref(), soul, self.core.clock.now());
        if state != known
            && let Some(state) = &state
            && let Err(error) = self.core.files.write_state(StateFile::Soul, Some(&soul_watch::print(state)))
        {
            // Without a baseline the change is told again: better twice than never.
            notices.push(Notice::new(
                "soul_state_not_written",
                format!("The seen state of SOUL.md cannot be stored: {}", error.message),
                error.code,
            ));
        }
        Ok((notice.map(|_| ModelText::own(soul_watch::SOUL_CHANGED)), notices))
    }

    /// The notice was delivered.
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
