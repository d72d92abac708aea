//! Reviews of sessions: claims, ends and progress.

use std::ops::Range;

use inwit_model::{Code, SessionId, Taint};
use inwit_store::MemoryError;
use inwit_store::memory::{
    BAD_ANSWER, FAILED, REVIEWED, Review, ReviewEnd, ReviewNumber, ReviewProgress, ReviewReason, ReviewStart,
    Reviews, SKIPPED, TIMED_OUT,
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::SqliteMemory;
use super::fault::{Fault, TxnResult};
use super::receipts::limit_of;
use super::row::{Moment, count, counted, moment, some_moment, word};

impl Reviews for SqliteMemory {
    fn begin_review(
        &self,
        start: &ReviewStart,
        live: &Range<Timestamp>,
    ) -> Result<Option<ReviewNumber>, MemoryError> {
        self.write(|db| {
            let progress = progress(db, &start.session, live)?;
            if progress.is_running || progress.turns + 1 != start.first {
                return Ok(None);
            }
            db.prepare_cached(
                "INSERT INTO reviews (session, first_turn, last_turn, trigger, started_us) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                start.session.as_str(),
                counted(start.first),
                counted(start.last),
                start.trigger,
                Moment(start.at)
            ])?;
            Ok(Some(ReviewNumber(db.last_insert_rowid())))
        })
    }

    fn holds_review(&self, review: ReviewNumber) -> Result<bool, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT 1 FROM reviews AS own WHERE number = ?1 AND ended_us IS NULL AND NOT EXISTS
                 (SELECT 1 FROM reviews AS later WHERE later.session = own.session AND later.number > own.number)",
            )?;
            Ok(query.exists([review.0])?)
        })
    }

    fn end_review(&self, review: ReviewNumber, end: &ReviewEnd) -> Result<(), MemoryError> {
        self.write(|db| {
            let ended = db
                .prepare_cached(
                    "UPDATE reviews SET ended_us = ?2, outcome = ?3 WHERE number = ?1 AND ended_us IS NULL",
                )?
                .execute(params![review.0, Moment(end.at), end.outcome])?;
            if ended == 0 {
                let message = format!("Review {} has ended, or never started.", review.0);
                return Err(Fault::said(Code::Stale, message));
            }
            for (ordinal, reason) in end.reasons.iter().enumerate() {
                db.prepare_cached(
                    "INSERT INTO review_reasons (review, ordinal, kind, turn, text, outcome, detail)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![
                    review.0,
                    ordinal as i64,
                    reason.kind,
                    reason.turn.map(counted),
                    reason.text,
                    reason.outcome,
                    reason.detail
                ])?;
            }
            Ok(())
        })
    }

    fn review_progress(
        &self,
        session: &SessionId,
        live: &Range<Timestamp>,
    ) -> Result<ReviewProgress, MemoryError> {
        self.read(|inner| progress(inner.db, session, live))
    }

    fn reviews(&self, limit: usize) -> Result<Vec<Review>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached("SELECT * FROM reviews ORDER BY number DESC LIMIT ?1")?;
            let mut rows = query.query([limit_of(limit)])?;
            let mut reviews = Vec::new();
            while let Some(row) = rows.next()? {
                reviews.push(review(row)?);
            }
            Ok(reviews)
        })
    }

    fn review_reasons(&self, review: ReviewNumber) -> Result<Vec<ReviewReason>, MemoryError> {
        self.read(|inner| {
            let mut query =
                inner.db.prepare_cached("SELECT * FROM review_reasons WHERE review = ?1 ORDER BY ordinal")?;
            let mut rows = query.query([review.0])?;
            let mut reasons = Vec::new();
            while let Some(row) = rows.next()? {
                let turn: Option<i64> = row.get("turn")?;
                reasons.push(ReviewReason {
                    kind: row.get("kind")?,
                    turn: turn.and_then(|turn| u64::try_from(turn).ok()),
                    text: row.get("text")?,
                    outcome: row.get("outcome")?,
                    detail: row.get("detail")?,
                });
            }
            Ok(reasons)
        })
    }

    fn taint_at_turn(&self, session: &SessionId, turn: u64) -> Result<Option<Taint>, MemoryError> {
        self.read(|inner| {
            let mut query = inner
                .db
                .prepare_cached("SELECT turn, taint FROM session_taints WHERE session = ?1 ORDER BY turn")?;
            let mut rows = query.query([session.as_str()])?;
            let mut joined: Option<Taint> = None;
            while let Some(row) = rows.next()? {
                let (since, taint) = (count(row, "turn")?, word(row, "taint", Taint::parse)?);
                joined = match joined {
                    // A session of an earlier version has no row of its beginning.
                    None if since > 0 => return Ok(None),
                    None => Some(taint),
                    Some(before) if since <= turn => Some(before.join(taint)),
                    before => before,
                };
            }
            Ok(joined)
        })
    }
}

fn progress(db: &Connection, session: &SessionId, live: &Range<Timestamp>) -> TxnResult<ReviewProgress> {
    let turns: Option<i64> = db
        .prepare_cached("SELECT max(last_turn) FROM reviews WHERE session = ?1 AND outcome IN (?2, ?3)")?
        .query_row(params![session.as_str(), REVIEWED, SKIPPED], |row| row.get(0))
        .optional()?
        .flatten();
    let mut progress = ReviewProgress {
        turns: turns.and_then(|turns| u64::try_from(turns).ok()).unwrap_or(0),
        ..ReviewProgress::default()
    };
    let mut query =
        db.prepare_cached("SELECT * FROM reviews WHERE session = ?1 AND first_turn > ?2 ORDER BY number")?;
    let mut rows = query.query(params![session.as_str(), counted(progress.turns)])?;
    while let Some(row) = rows.next()? {
        let Review { start, end, .. } = review(row)?;
        match end {
            None if live.contains(&start.at) => progress.is_running = true,
            Some(end) if !end.outcome.starts_with(FAILED) => {}
            end => {
                progress.failures += 1;
                progress.bad_answers +=
                    u32::from(end.is_some_and(|end| [BAD_ANSWER, TIMED_OUT].contains(&&*end.outcome)));
                progress.last_failed = Some(start.at);
            }
        }
    }
    Ok(progress)
}

fn review(row: &Row<'_>) -> TxnResult<Review> {
    let end = match some_moment(row, "ended_us")? {
        None => None,
        Some(at) => Some(ReviewEnd { at, outcome: row.get("outcome")?, reasons: Vec::new() }),
    };
    Ok(Review {
        number: ReviewNumber(row.get("number")?),
        start: ReviewStart {
            session: word(row, "session", |text| SessionId::parse(text).ok())?,
            first: count(row, "first_turn")?,
            last: count(row, "last_turn")?,
            trigger: row.get("trigger")?,
            at: moment(row, "started_us")?,
        },
        end,
    })
}
