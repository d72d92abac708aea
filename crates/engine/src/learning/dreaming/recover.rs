//! Recovery after a crashed pass: the file shows whether its section was written (I3).

use inwit_store::memory::{Memory, Sweep};

use super::promotable::bullet_hash;
use crate::learning::dream::bullet::bullets_of;
use crate::{EngineError, Learning};

impl Learning {
    /// Confirms or cancels every unfinished sweep. Only the holder of the dream lock may call it.
    pub(super) fn recover_sweeps(&self, memory: &dyn Memory) -> Result<(), EngineError> {
        for (number, sweep) in memory.unconfirmed_sweeps()? {
            if self.arrived(&sweep)? {
                memory.confirm_sweep(number, None)?;
            } else {
                memory.drop_sweep(number)?;
            }
        }
        Ok(())
    }

    /// A section is written atomically, so one of its bullets proves all.
    fn arrived(&self, sweep: &Sweep) -> Result<bool, EngineError> {
        if sweep.section.is_none() {
            return Ok(true);
        }
        let Some(content) = self.core.content(&sweep.target)? else { return Ok(false) };
        let standing: Vec<_> =
            bullets_of(&content.bytes).iter().map(|bullet| bullet_hash(&bullet.text)).collect();
        Ok(sweep.promotions.iter().any(|promotion| standing.contains(&promotion.bullet)))
    }
}
