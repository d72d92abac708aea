//! Reports of passes, and why a passage was promoted or not (W64).

use inwit_model::{Actor, Code, DreamEngine, ReceiptId, SafeName};
use inwit_store::memory::{Dream, DreamReason, Ended, ReceiptFilter};

use super::promotable::bullet_hash;
use crate::learning::dream::bullet::bullets_of;
use crate::{EngineError, Learning};

/// Most passes that are searched for a passage.
const PASSES_LOOKED_AT_MAX: usize = 50;

/// Most passes, and most changes of MEMORY.md, that are searched for the section of a pass.
const SECTIONS_SEARCHED_MAX: usize = 10_000;

/// One decision about a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The pass.
    pub dream: Dream,
    /// The decision.
    pub reason: DreamReason,
    /// The text of the passage or claim, if its file still has it; of a whole log, its lines with the words.
    pub text: Option<String>,
}

impl Learning {
    /// Passes, newest first.
    pub fn dreams(&self, limit: usize) -> Result<Vec<Dream>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.dreams(limit)?),
            None => Ok(Vec::new()),
        }
    }

    /// The receipt of the section that pass `number` wrote. Only one pass runs at a time, so its time identifies it.
    /// Error: `receipt_unknown`, if there is no such pass, or if it wrote nothing.
    pub fn dream_receipt(&self, number: i64) -> Result<ReceiptId, EngineError> {
        let unknown = |message: String| EngineError::new(Code::ReceiptUnknown, message);
        let passes = self.dreams(SECTIONS_SEARCHED_MAX)?;
        let dream = passes.iter().find(|dream| dream.number.0 == number);
        let dream = dream.ok_or_else(|| unknown(format!("There is no dream pass {number}.")))?;
        let nothing = || unknown(format!("Dream pass {number} wrote nothing into long-term memory."));
        let end = dream.end.as_ref().ok_or_else(nothing)?;
        let name = self.notes.memory_file()?;
        let filter =
            ReceiptFilter { name: Some(name), limit: SECTIONS_SEARCHED_MAX, ..ReceiptFilter::default() };
        let receipts = self.core.memory()?.receipts(&filter)?.into_iter();
        let mut of_pass = receipts.filter(|receipt| {
            receipt.actor == Actor::Dream
                && receipt.ended != Ended::Void
                && receipt.proposal.is_none()
                && (dream.started..=end.at).contains(&receipt.at)
        });
        of_pass.next().map(|receipt| receipt.id).ok_or_else(nothing)
    }

    /// Decisions about passages of `path`, or about all of the last passes, newest first; `words` must occur in the
    /// passage's text.
    pub fn dream_why(
        &self,
        path: Option<&SafeName>,
        words: &str,
        limit: usize,
    ) -> Result<Vec<Why>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Vec::new()) };
        let wanted = words.to_lowercase();
        let mut found = Vec::new();
        for dream in memory.dreams(PASSES_LOOKED_AT_MAX)? {
            for reason in memory.dream_reasons(dream.number)? {
                if path.is_some_and(|path| *path != reason.path) {
                    continue;
                }
                let text = match dream.engine {
                    DreamEngine::Recall => self.passage_text(&reason)?,
                    DreamEngine::Logs => self.claim_text(&reason, &wanted)?,
                };
                let says = text.as_ref().is_some_and(|text| text.to_lowercase().contains(&wanted));
                if wanted.is_empty() || says {
                    found.push(Why { dream: dream.clone(), reason, text });
                }
                if found.len() == limit {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// The claim, as MEMORY.md or the reason has it, or the lines of a whole log that have `wanted`.
    fn claim_text(&self, reason: &DreamReason, wanted: &str) -> Result<Option<String>, EngineError> {
        if let Some((_, claim)) = reason.detail.split_once(", claim: ") {
            let memory = self.core.content(&self.notes.memory_file()?)?;
            let bullets = memory.map(|content| bullets_of(&content.bytes)).unwrap_or_default();
            let whole = bullets.into_iter().find(|bullet| bullet_hash(&bullet.text) == reason.text);
            return Ok(Some(whole.map_or_else(|| claim.to_owned(), |bullet| bullet.text)));
        }
        if wanted.is_empty() {
            return Ok(None);
        }
        let Some(content) = self.core.content(&reason.path)? else { return Ok(None) };
        let text = String::from_utf8_lossy(&content.bytes);
        let lines: Vec<&str> = text.lines().filter(|line| line.to_lowercase().contains(wanted)).collect();
        Ok((!lines.is_empty()).then(|| lines.join("\n")))
    }

    fn passage_text(&self, reason: &DreamReason) -> Result<Option<String>, EngineError> {
        let Some(content) = self.core.content(&reason.path)? else { return Ok(None) };
        let document = inwit_markdown::parse(&content.bytes);
        let texts = document.passages.iter().map(|passage| document.text(&passage.span));
        let mut same = texts.filter(|text| inwit_model::Sha256::of(text.as_bytes()) == reason.text);
        Ok(same.next().map(std::borrow::Cow::into_owned))
    }
}
