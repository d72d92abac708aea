//! LongMemEval: one question each over a history of chats, on the day it was asked.
//!
//! Each item of the published list has its own history, so it becomes its own workspace: one file per session, named
//! by its day. Sessions are numbered in file order, because the published ids name the answering sessions. Evidence
//! is the answering sessions, and their turns marked `has_answer`. An item whose id ends in `_abs` asks for something
//! that was never mentioned.

use std::collections::BTreeMap;
use std::path::Path;

use inwit_home::HomeError;
use inwit_model::SafeName;
use jiff::civil::DateTime;
use jiff::{Timestamp, tz::TimeZone};
use serde::Deserialize;

use crate::exam::{Evidence, Exam, Expected, Question};
use crate::layout::{self, Layout, Session};
use crate::locomo::on_one_line;
use crate::source::{bad, each_of_list};

/// Calls `each` with the exam of every item. Errors: `file_missing`, `file_unreadable`, `dataset_bad`.
pub fn each(path: &Path, each: &mut dyn FnMut(Exam) -> Result<(), HomeError>) -> Result<(), HomeError> {
    each_of_list(path, &mut |item: Item| {
        let id = item.question_id.clone();
        each(exam(item).map_err(|why| bad(path, &format!("question {id}: {why}")))?)
    })
}

/// An item as it is published.
#[derive(Deserialize)]
struct Item {
    question_id: String,
    question_type: String,
    question: String,
    question_date: String,
    haystack_session_ids: Vec<String>,
    haystack_dates: Vec<String>,
    haystack_sessions: Vec<Vec<Turn>>,
    answer_session_ids: Vec<String>,
}

#[derive(Deserialize)]
struct Turn {
    role: String,
    content: String,
    #[serde(default)]
    has_answer: bool,
}

/// Lines of a note before its first turn: the heading and an empty one.
const LINES_ABOVE: usize = 2;

fn exam(item: Item) -> Result<Exam, String> {
    let (ids, dates) = (&item.haystack_session_ids, &item.haystack_dates);
    if ids.len() != item.haystack_sessions.len() || dates.len() != item.haystack_sessions.len() {
        return Err("it has not as many dates and ids as sessions".into());
    }
    let made = (1_usize..).zip(dates).zip(&item.haystack_sessions).map(|((number, told), turns)| {
        Ok(Session {
            day: moment(told)?.date(),
            label: format!("session_{number:03}"),
            heading: format!("session {number} — {told}"),
            turns: turns.iter().map(line).collect(),
        })
    });
    let sessions = made.collect::<Result<Vec<_>, String>>()?;
    let notes = layout::notes(&sessions, Layout::Session).map_err(|error| error.to_string())?;
    let names: Vec<&SafeName> = notes.iter().map(|note| &note.name).collect();
    let expected =
        if item.question_id.ends_with("_abs") { Expected::Nothing } else { sought(&item, &names)? };
    let group = match expected {
        Expected::Nothing => "abstention".to_owned(),
        _ => item.question_type,
    };
    let at = moment(&item.question_date)?.to_zoned(TimeZone::UTC).map_err(|error| error.to_string())?;
    let now: Timestamp = at.timestamp();
    let question = Question { groups: vec![group], ask: item.question, now: None, expected };
    Ok(Exam { name: item.question_id, notes, questions: vec![question], now })
}

/// The answering sessions and their turns, in the notes `names`.
fn sought(item: &Item, names: &[&SafeName]) -> Result<Expected, String> {
    let (mut files, mut lines) = (BTreeMap::new(), Vec::new());
    for ((id, name), turns) in item.haystack_session_ids.iter().zip(names).zip(&item.haystack_sessions) {
        if !item.answer_session_ids.contains(id) {
            continue;
        }
        files.insert((*name).clone(), 1);
        let marked = turns.iter().enumerate().filter(|(_, turn)| turn.has_answer);
        for (at, _) in marked {
            let line = u32::try_from(at + LINES_ABOVE + 1).map_err(|error| error.to_string())?;
            lines.push(Evidence::Line((*name).clone(), line));
        }
    }
    if files.is_empty() {
        return Err("no session of its history is among those that answer".into());
    }
    Ok(Expected::Documents(files, lines))
}

fn line(turn: &Turn) -> String {
    let who = match turn.role.as_str() {
        "user" => "User",
        "assistant" => "Assistant",
        other => other,
    };
    format!("{who}: {}", on_one_line(&turn.content))
}

/// A time such as `2023/05/20 (Sat) 02:21`.
fn moment(told: &str) -> Result<DateTime, String> {
    let parts: Vec<&str> = told.split_whitespace().collect();
    let (Some(day), Some(time)) = (parts.first(), parts.last()) else {
        return Err("a date is missing".into());
    };
    DateTime::strptime("%Y/%m/%d %H:%M", format!("{day} {time}"))
        .map_err(|error| format!("`{told}`: {error}"))
}
