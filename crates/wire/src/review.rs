//! Reviews of sessions, and why parts of answers were kept or not.

use inwit_engine::sessions::reviewing::{
    Review, ReviewReason, ReviewReport, ReviewStatus, ReviewWhy, ReviewedRange, WaitingSession,
};
use inwit_model::time;

use crate::NoticeV1;
use crate::shape::shape;

shape! {
    /// What a pass did or would do.
    pub struct ReviewRunV1 from report: &ReviewReport {
        /// The ranges of turns, in order.
        pub ranges: Vec<ReviewRangeV1> = report.ranges.iter().map(ReviewRangeV1::from).collect(),
        /// Requests to the language model.
        pub requests: usize = report.requests,
        /// Notices for the reader.
        pub notices?: Vec<NoticeV1> = report.notices.iter().map(NoticeV1::from).collect(),
    }

    /// One range of turns.
    pub struct ReviewRangeV1 from range: &ReviewedRange {
        /// The session.
        pub session: String = range.session.to_string(),
        /// Its first turn.
        pub first_turn: u64 = range.first,
        /// Its last turn.
        pub last_turn: u64 = range.last,
        /// One word: `reviewed`, `would_send`, `failed`, `skipped`, `stopped`, `overtaken`.
        pub outcome: &'static str = range.outcome,
        /// Parts of the answer, each with its decision.
        pub parts: Vec<ReviewPartV1> = range.parts.iter().map(ReviewPartV1::from).collect(),
        /// Why there is no usable answer: the code of the error.
        pub error?: Option<&'static str> = range.error.as_ref().map(|error| error.code.spec().name),
    }

    /// One part of an answer.
    pub struct ReviewPartV1 from part: &ReviewReason {
        /// `fact`, `summary`, `open_loop` or `answer`.
        pub kind: String = part.kind.clone(),
        /// The turn of a fact.
        pub turn?: Option<u64> = part.turn,
        /// Its text; empty if it must not be kept.
        pub text: String = part.text.clone(),
        /// One word: `written`, `pending`, `known`, or why not.
        pub outcome: String = part.outcome.clone(),
        /// More about it, such as the quote.
        pub detail: String = part.detail.clone(),
    }
}

shape! {
    /// The state of reviews.
    pub struct ReviewStatusV1 from status: &ReviewStatus {
        /// Sessions with turns to read now, oldest first.
        pub waiting: Vec<WaitingSessionV1> = status.waiting.iter().map(WaitingSessionV1::from).collect(),
        /// The last attempt.
        pub last?: Option<ReviewRowV1> = status.last.as_ref().map(ReviewRowV1::from),
        /// Ranges that are not read again, newest first.
        pub skipped: Vec<SkippedRangeV1> = status.skipped.iter().map(SkippedRangeV1::from).collect(),
    }

    /// A session with new turns.
    pub struct WaitingSessionV1 from waiting: &WaitingSession {
        /// The session.
        pub session: String = waiting.session.to_string(),
        /// Turns that were not read.
        pub turns: u64 = waiting.turns,
        /// Failed attempts on them.
        pub failures: u32 = waiting.failures,
    }

    /// One attempt as it is kept.
    pub struct ReviewRowV1 from review: &Review {
        /// Its number.
        pub number: i64 = review.number.0,
        /// The session.
        pub session: String = review.start.session.to_string(),
        /// Its first turn.
        pub first_turn: u64 = review.start.first,
        /// Its last turn.
        pub last_turn: u64 = review.start.last,
        /// What began it.
        pub trigger: String = review.start.trigger.clone(),
        /// When it began, RFC 3339.
        pub started: String = time::json(review.start.at),
        /// How it ended; without it, it runs, or its process died.
        pub outcome?: Option<String> = review.end.as_ref().map(|end| end.outcome.clone()),
    }

    /// A range that is not read again.
    pub struct SkippedRangeV1 from skipped: &(Review, Vec<ReviewReason>) {
        /// The last attempt.
        pub review: ReviewRowV1 = ReviewRowV1::from(&skipped.0),
        /// Why.
        pub reasons: Vec<String> = skipped.1.iter().map(|reason| reason.outcome.clone()).collect(),
    }
}

shape! {
    /// Why parts of answers were kept or not.
    pub struct ReviewReasonsV1 from reasons: &[ReviewWhy] {
        /// Each decision.
        pub decisions: Vec<ReviewWhyV1> = reasons.iter().map(ReviewWhyV1::from).collect(),
    }

    /// One decision.
    pub struct ReviewWhyV1 from why: &ReviewWhy {
        /// The attempt.
        pub review: ReviewRowV1 = ReviewRowV1::from(&why.review),
        /// The decision.
        pub part: ReviewPartV1 = ReviewPartV1::from(&why.reason),
    }
}
