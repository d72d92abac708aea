//! Records approved promotions of a dream's proposal in the ledger.
//!
//! Invariant: an approval never fails because of the ledger. The next pass finds missing entries in the file.

use inwit_model::{ReceiptId, SafeName, Sha256};
use inwit_store::memory::{Memory, Promotion, Sweep};
use jiff::{SignedDuration, Timestamp};

use super::DREAM_WINDOW_DAYS;
use super::gather::candidate;
use super::log::LogPassage;
use super::promotable::bullet_hash;
use crate::learning::dream::Candidate;
use crate::learning::dream::bullet::{WrittenBullet, bullets_of};
use crate::{EngineError, Learning};

impl Learning {
    /// Records the bullets that `after` has and `before` lacks: each with the passage that it cites and its recalls.
    /// No fence number is drawn, since it would invalidate a running pass.
    pub(crate) fn enter_approved(
        &self,
        memory: &dyn Memory,
        target: &SafeName,
        (before, after): (&[u8], &[u8]),
        receipt: &ReceiptId,
    ) -> Result<(), EngineError> {
        let stood = bullets_of(before);
        let is_new = |bullet: &WrittenBullet| bullet.dreamed && !stood.contains(bullet);
        let mut promotions: Vec<Promotion> = Vec::new();
        for bullet in bullets_of(after).iter().filter(|bullet| is_new(bullet)) {
            for source in &bullet.sources {
                let Some(content) = self.core.content(&source.path)? else { continue };
                let Some(found) = self.log_of(memory, &source.path, &content)?.cited(source) else {
                    continue;
                };
                let is_entered = memory.is_promoted(&found.key.text)?
                    || promotions.iter().any(|promotion| promotion.passage.text == found.key.text);
                if !is_entered {
                    promotions.push(self.promotion(memory, found, bullet)?);
                }
            }
        }
        if promotions.is_empty() {
            return Ok(());
        }
        let (at, fence) = (self.core.clock.now(), memory.fence()?);
        let section = Some(Sha256::of(after));
        let sweep = Sweep { fence, at, target: target.clone(), section, promotions, spans: Vec::new() };
        let number = memory.intend_sweep(&sweep)?;
        Ok(memory.confirm_sweep(number, Some(receipt))?)
    }

    fn promotion(
        &self,
        memory: &dyn Memory,
        found: LogPassage,
        bullet: &WrittenBullet,
    ) -> Result<Promotion, EngineError> {
        let now = self.core.clock.now();
        let since = now.checked_sub(SignedDuration::from_hours(24 * DREAM_WINDOW_DAYS));
        let signals = memory.signals(since.unwrap_or(Timestamp::MIN))?;
        let signal = signals.iter().find(|signal| signal.passage == found.key);
        let known = signal.map(|signal| candidate(signal, &found, now, memory)).transpose()?;
        let figure = |of: fn(&Candidate) -> u32| known.as_ref().map_or(0, |known| u64::from(of(known)));
        Ok(Promotion {
            passage: found.key,
            bullet: bullet_hash(&bullet.text),
            score: known.as_ref().map_or(0.0, |known| known.score.total),
            hits: figure(|known| known.signals.hits),
            days: figure(|known| known.signals.days),
            phase: "deep".into(),
        })
    }
}
