//! LoCoMo: long conversations of two people, with questions and the turns that answer them.
//!
//! For each conversation, the published list has `session_N` with `session_N_date_time`, and `qa` with evidence such
//! as `D3:7`, the seventh turn of the third session. Each turn becomes a list item that begins with its mark, so
//! evidence is found in any returned text. Categories 1 to 4 are scored if their evidence exists. Category 5 asks for
//! facts that were never mentioned, so the only right answer is to abstain.

use std::collections::HashSet;
use std::path::Path;

use inwit_home::HomeError;
use jiff::civil::{Date, DateTime};
use jiff::{Span, ToSpan as _, tz::TimeZone};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::exam::{Evidence, Exam, Expected, Question};
use crate::layout::{self, Layout, Session};
use crate::source::{OneOrMany, bad, each_of_list};

/// How the notes are generated.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// How turns are arranged in files.
    pub layout: Layout,
    /// Number of days by which every date is moved.
    pub shift_days: i32,
}

/// A conversation before it becomes notes.
#[derive(Debug, Clone)]
pub struct Conversation {
    /// Its id.
    pub name: String,
    /// Its sessions, in order.
    pub sessions: Vec<Session>,
    /// Its questions.
    pub questions: Vec<Question>,
}

/// Calls `each` with every conversation of `path`, its dates moved. Errors: `file_missing`,
/// `file_unreadable`, `dataset_bad`.
pub fn each(
    path: &Path,
    shift_days: i32,
    each: &mut dyn FnMut(Conversation) -> Result<(), HomeError>,
) -> Result<(), HomeError> {
    each_of_list(path, &mut |published: Published| {
        each(conversation(published, shift_days).map_err(|why| bad(path, &why))?)
    })
}

impl Conversation {
    /// The notes and questions. The time of asking is noon of the day after the last session. Error: `dataset_bad`.
    pub fn exam(&self, path: &Path, layout: Layout) -> Result<Exam, HomeError> {
        let notes = layout::notes(&self.sessions, layout).map_err(|error| bad(path, &error.to_string()))?;
        let last = self.sessions.iter().map(|session| session.day).max().unwrap_or_default();
        let noon = last.saturating_add(1.day()).at(12, 0, 0, 0);
        let now = noon.to_zoned(TimeZone::UTC).map_err(|error| bad(path, &error.to_string()))?.timestamp();
        Ok(Exam { name: self.name.clone(), notes, questions: self.questions.clone(), now })
    }
}

/// A conversation as it is published.
#[derive(Deserialize)]
struct Published {
    sample_id: String,
    conversation: Map<String, Value>,
    qa: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
    category: u8,
    evidence: Option<OneOrMany>,
}

#[derive(Deserialize)]
struct Turn {
    dia_id: String,
    speaker: String,
    text: String,
    blip_caption: Option<String>,
}

fn conversation(published: Published, shift_days: i32) -> Result<Conversation, String> {
    let mut marks = HashSet::new();
    let mut sessions = Vec::new();
    for number in numbers(&published.conversation) {
        let key = format!("session_{number}");
        let turns = published.conversation.get(&key).cloned().unwrap_or_default();
        let turns: Vec<Turn> = serde_json::from_value(turns).map_err(|error| format!("{key}: {error}"))?;
        if turns.is_empty() {
            continue;
        }
        let told = published.conversation.get(&format!("{key}_date_time")).and_then(Value::as_str);
        let (day, told) =
            moved(told.unwrap_or_default(), shift_days).map_err(|why| format!("{key}: {why}"))?;
        marks.extend(turns.iter().map(|turn| turn.dia_id.clone()));
        sessions.push(Session {
            day,
            label: key,
            heading: format!("session {number} — {told}"),
            turns: turns.iter().map(line).collect(),
        });
    }
    let questions = published.qa.into_iter().filter_map(|asked| question(asked, &marks)).collect();
    Ok(Conversation { name: published.sample_id, sessions, questions })
}

/// The numbers of its sessions, in order.
fn numbers(conversation: &Map<String, Value>) -> Vec<u32> {
    let parts = conversation.keys().filter_map(|key| key.strip_prefix("session_")?.parse().ok());
    let mut numbers: Vec<u32> = parts.collect();
    numbers.sort_unstable();
    numbers
}

fn line(turn: &Turn) -> String {
    let image = turn.blip_caption.as_deref().filter(|caption| !caption.is_empty());
    let image = image.map_or_else(String::new, |caption| format!(" [image: {}]", on_one_line(caption)));
    format!("[{}] {}: {}{image}", turn.dia_id, turn.speaker, on_one_line(&turn.text))
}

/// Replaces each run of white space by one space.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A time such as `1:56 pm on 8 May, 2023`: its day and its words, moved.
fn moved(told: &str, days: i32) -> Result<(Date, String), String> {
    const FORM: &str = "%I:%M %p on %d %B, %Y";
    let at = DateTime::strptime(FORM, told.trim()).map_err(|error| format!("`{told}`: {error}"))?;
    if days == 0 {
        return Ok((at.date(), told.to_owned()));
    }
    let at = at.checked_add(Span::new().days(days)).map_err(|error| format!("`{told}`: {error}"))?;
    Ok((at.date(), at.strftime("%-I:%M %P on %-d %B, %Y").to_string()))
}

/// A day, moved. Error: that day does not exist.
pub fn moved_day(day: Date, days: i32) -> Result<Date, jiff::Error> {
    day.checked_add(Span::new().days(days))
}

/// `None`: a question of a scored category without evidence in the notes.
fn question(asked: Asked, marks: &HashSet<String>) -> Option<Question> {
    let group = match asked.category {
        1 => "1 multi-hop",
        2 => "2 temporal",
        3 => "3 open-domain",
        4 => "4 single-hop",
        _ => {
            let group = "5 adversarial".to_owned();
            return Some(Question {
                groups: vec![group],
                ask: asked.question,
                now: None,
                expected: Expected::Nothing,
            });
        }
    };
    let mut evidence: Vec<Evidence> = Vec::new();
    for mark in asked.evidence.iter().flat_map(|evidence| evidence.all()).flat_map(|text| marks_of(text)) {
        let piece = Evidence::Mark(format!("[{mark}]"));
        if marks.contains(&mark) && !evidence.contains(&piece) {
            evidence.push(piece);
        }
    }
    let expected = Expected::Passages(evidence);
    let is_there = matches!(&expected, Expected::Passages(evidence) if !evidence.is_empty());
    is_there.then(|| Question { groups: vec![group.to_owned()], ask: asked.question, now: None, expected })
}

/// Marks in their published forms: `D3:7`, sometimes `D:3:7` or `D30:05`, sometimes several in one text.
fn marks_of(text: &str) -> Vec<String> {
    let number = |text: &str| -> Option<(u32, usize)> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        Some((text[..end].parse().ok()?, end))
    };
    let mark = |rest: &str| {
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        let (session, end) = number(rest)?;
        let (turn, _) = number(rest[end..].strip_prefix(':')?)?;
        Some(format!("D{session}:{turn}"))
    };
    text.split('D').skip(1).filter_map(mark).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn marks_are_read_as_they_are_published() {
        for (text, marks) in [
            ("D3:7", vec!["D3:7"]),
            ("D8:6; D9:17", vec!["D8:6", "D9:17"]),
            ("D:11:26", vec!["D11:26"]),
            ("D30:05", vec!["D30:5"]),
            ("D", vec![]),
            ("Dana: 3:7", vec![]),
            ("D1: 2", vec![]),
        ] {
            assert_eq!(marks_of(text), marks, "{text}");
        }
    }

    #[test]
    fn dates_move_in_the_form_they_are_told_in() {
        let told = "1:56 pm on 8 May, 2023";
        assert_eq!(moved(told, 0), Ok((date(2023, 5, 8), told.into())));
        assert_eq!(moved(told, -365), Ok((date(2022, 5, 8), "1:56 pm on 8 May, 2022".into())));
        assert_eq!(
            moved("12:09 am on 13 September, 2023", 20).expect("read").1,
            "12:09 am on 3 October, 2023"
        );
        assert!(moved("yesterday", 0).is_err());
    }

    #[test]
    fn a_question_counts_where_its_evidence_is_there() {
        let asked = |category, evidence: Option<&str>| Asked {
            question: "who?".into(),
            category,
            evidence: evidence.map(|text| OneOrMany::One(text.into())),
        };
        let marks = HashSet::from(["D1:1".to_owned()]);
        let kind = |asked| question(asked, &marks).map(|question| (question.groups, question.expected));
        let (groups, expected) = kind(asked(4, Some("D1:1; D1:1; D1:9"))).expect("scored");
        assert_eq!(groups, ["4 single-hop"]);
        assert!(matches!(expected, Expected::Passages(one) if one == [Evidence::Mark("[D1:1]".into())]));
        assert!(kind(asked(4, Some("D1:9"))).is_none());
        assert!(kind(asked(1, None)).is_none());
        assert!(matches!(kind(asked(5, Some("D1:1"))), Some((_, Expected::Nothing))));
    }
}
