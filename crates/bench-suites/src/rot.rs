//! How results change as notes get older and more numerous.
//!
//! The same questions are asked about the same notes in four ways: as written, a year later, with every date a year
//! earlier, and among notes of others. Age alone must not change results: the figures of older notes must equal those
//! of the first row. Without a path, notes and questions are generated.

use std::path::Path;

use inwit_home::HomeError;
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};

use crate::exam::{Exam, Expected, Note, Question};
use crate::generated::{Chance, FIRST_DAY, logs, question_about};
use crate::layout::Layout;
use crate::locomo::{self, Conversation};
use crate::source::bad;

/// One variant of the notes.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Number of days between writing and asking that are added.
    later_days: i64,
    /// Days by which every date is moved.
    shift_days: i32,
    /// How many times as many notes of others are added.
    others: usize,
}

/// The variants that are run.
pub const ROWS: [Row; 7] = [
    Row { name: "1 as written", later_days: 0, shift_days: 0, others: 0 },
    Row { name: "2 asked a year later", later_days: 365, shift_days: 0, others: 0 },
    Row { name: "3 dates a year back", later_days: 0, shift_days: -365, others: 0 },
    Row { name: "4 among as many notes of others", later_days: 0, shift_days: 0, others: 1 },
    Row { name: "5 among 2 times as many", later_days: 0, shift_days: 0, others: 2 },
    Row { name: "6 among 4 times as many", later_days: 0, shift_days: 0, others: 4 },
    Row { name: "7 among 4 times as many, a year later", later_days: 365, shift_days: 0, others: 4 },
];

/// The exams of `row` over the conversations of `path`. Notes of others are the other conversations, without their
/// marks; `None` if there are too few. Errors: those of reading.
pub fn of_conversations(path: &Path, row: Row) -> Result<Option<Vec<Exam>>, HomeError> {
    let mut all: Vec<Conversation> = Vec::new();
    locomo::each(path, row.shift_days, &mut |conversation| {
        all.push(conversation);
        Ok(())
    })?;
    if row.others >= all.len() {
        return Ok(None);
    }
    let exams = (0..all.len()).map(|at| {
        let mut exam = all[at].exam(path, Layout::Session)?;
        for step in 1..=row.others {
            let other = (at + step) % all.len();
            exam.notes.extend(as_other(path, &all[other], other)?);
        }
        Ok(row.over(exam))
    });
    exams.collect::<Result<_, HomeError>>().map(Some)
}

impl Row {
    /// The exam with a later time of asking; its questions count in this row.
    fn over(self, mut exam: Exam) -> Exam {
        exam.now =
            exam.now.saturating_add(SignedDuration::from_hours(24 * self.later_days)).unwrap_or(exam.now);
        exam.questions.retain(|question| !matches!(question.expected, Expected::Nothing));
        for question in &mut exam.questions {
            question.groups = vec![self.name.to_owned()];
        }
        exam
    }
}

/// The notes of a conversation under other names, without evidence.
fn as_other(path: &Path, conversation: &Conversation, number: usize) -> Result<Vec<Note>, HomeError> {
    let mut conversation = conversation.clone();
    for session in &mut conversation.sessions {
        session.label = format!("other_{number}-{}", session.label);
        for turn in &mut session.turns {
            if let Some((_, text)) = turn.split_once("] ") {
                *turn = text.to_owned();
            }
        }
    }
    Ok(conversation.exam(path, Layout::Session)?.notes)
}

/// Number of daily logs with questions. Notes of others come in multiples of it.
const DAYS: usize = 20;

/// Questions about them.
const QUESTIONS: usize = 100;

/// Seed of the logs with questions; notes of others use the seeds after it.
pub const SEED: u64 = 11;

/// The exam of `row` over generated notes. Error: `dataset_bad` if a name is invalid.
pub fn of_generated(row: Row) -> Result<Exam, HomeError> {
    let wrong = |error: &dyn std::fmt::Display| bad(Path::new("generated"), &error.to_string());
    let first = crate::locomo::moved_day(FIRST_DAY, row.shift_days).map_err(|why| wrong(&why))?;
    let mut notes = Vec::new();
    for note in logs(SEED, DAYS, first, "") {
        notes.push(note.map_err(|error| wrong(&error))?);
    }
    let mut chance = Chance::new(SEED);
    let asked = (0..QUESTIONS).filter_map(|at| question_about(&notes[at % DAYS], &mut chance));
    let questions = asked
        .map(|(ask, evidence)| Question {
            groups: Vec::new(),
            ask,
            now: None,
            expected: Expected::Passages(vec![evidence]),
        })
        .collect();
    for other in 0..row.others {
        let seed = SEED + 1 + u64::try_from(other).unwrap_or_default();
        for note in logs(seed, DAYS, first, OTHERS[other % OTHERS.len()]) {
            notes.push(note.map_err(|error| wrong(&error))?);
        }
    }
    let asked_at: Timestamp =
        date(2000, 2, 1).to_zoned(jiff::tz::TimeZone::UTC).map_err(|error| wrong(&error))?.timestamp();
    Ok(row.over(Exam { name: "generated".to_owned(), notes, questions, now: asked_at }))
}

/// Suffix that distinguishes logs of others for the same day.
const OTHERS: [&str; 4] = ["-other-a", "-other-b", "-other-c", "-other-d"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_changes_what_it_says_and_nothing_else() {
        let exams = ROWS.map(|row| of_generated(row).expect("made"));
        let [written, later, back, once, .., late] = &exams;
        assert_eq!(written.questions.len(), QUESTIONS);
        assert_eq!(later.now.duration_since(written.now), SignedDuration::from_hours(365 * 24));
        assert_eq!(written.notes, later.notes);
        assert_eq!(back.notes[0].name.as_str(), "memory/1999-01-01.md");
        assert_eq!((written.notes.len(), once.notes.len(), late.notes.len()), (DAYS, 2 * DAYS, 5 * DAYS));
        let of_others = once.notes.iter().filter(|note| note.name.as_str().contains("-other"));
        assert_eq!(of_others.count(), DAYS);
        let asks = |exam: &Exam| exam.questions.iter().map(|asked| asked.ask.clone()).collect::<Vec<_>>();
        assert!(exams.iter().all(|exam| asks(exam) == asks(written)));
    }
}
