//! What waits for a review, and why parts of answers were kept or not.

use inwit_model::SessionId;
use inwit_store::memory::{Review, ReviewReason, SKIPPED};

use crate::learning::review::Wanted;
use crate::{EngineError, Sessions};

/// Attempts that are searched.
const ATTEMPTS_SEARCHED_MAX: usize = 1_000;

/// The state of reviews.
#[derive(Debug, Default)]
pub struct ReviewStatus {
    /// Sessions with turns to read now, oldest first.
    pub waiting: Vec<WaitingSession>,
    /// The last attempt.
    pub last: Option<Review>,
    /// Ranges that are not read again, newest first, each with its reasons.
    pub skipped: Vec<(Review, Vec<ReviewReason>)>,
}

/// A session with new turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingSession {
    /// The session.
    pub session: SessionId,
    /// Turns that were not read.
    pub turns: u64,
    /// Failed attempts on them.
    pub failures: u32,
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewWhy {
    /// Its attempt.
    pub review: Review,
    /// The decision.
    pub reason: ReviewReason,
}

impl Sessions {
    /// The state of reviews. Writes nothing.
    pub fn review_status(&self, wanted: Wanted) -> Result<ReviewStatus, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(ReviewStatus::default()) };
        let memory = memory.as_ref();
        let due = self.due_sessions(memory, wanted, None)?.0.into_iter();
        let waiting = due.map(|(session, progress)| WaitingSession {
            turns: session.turns - progress.turns,
            failures: progress.failures,
            session: session.start.id,
        });
        let reviews = memory.reviews(ATTEMPTS_SEARCHED_MAX)?;
        let is_skipped = |review: &&Review| review.end.as_ref().is_some_and(|end| end.outcome == SKIPPED);
        let mut skipped = Vec::new();
        for review in reviews.iter().filter(is_skipped) {
            skipped.push((review.clone(), memory.review_reasons(review.number)?));
        }
        Ok(ReviewStatus { waiting: waiting.collect(), last: reviews.into_iter().next(), skipped })
    }

    /// Decisions about parts of answers that have all `words`, newest first, at most `limit`.
    pub fn review_why(&self, words: &str, limit: usize) -> Result<Vec<ReviewWhy>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Vec::new()) };
        let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let mut found = Vec::new();
        for review in memory.reviews(ATTEMPTS_SEARCHED_MAX)? {
            for reason in memory.review_reasons(review.number)? {
                let text = reason.text.to_lowercase();
                if found.len() < limit && wanted.iter().all(|word| text.contains(word)) {
                    found.push(ReviewWhy { review: review.clone(), reason });
                }
            }
        }
        Ok(found)
    }
}
