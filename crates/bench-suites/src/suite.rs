//! inwit's own suites: notes with a `questions.toml`, in the binary or in a folder.
//!
//! A question is answered if one of the expected entries is among the first five results. Suites: `languages` (six
//! languages, one and two characters, mixed script, inflected words) and `temporal` (only the time distinguishes
//! right from wrong answers). Each was written before the code it tests.

use std::path::Path;

use include_dir::{Dir, include_dir};
use inwit_home::HomeError;
use inwit_model::{SafeName, Sha256};
use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, fmt::temporal::Pieces, tz::TimeZone};
use serde::Deserialize;

use crate::exam::{Evidence, Exam, Expected, Note, Question};
use crate::passages::BUDGETS_CHARS;
use crate::source::{ListHash, bad, safe_name, unread};

static LANGUAGES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../engine/testdata/recall/languages");
static TEMPORAL: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../engine/testdata/recall/temporal");

/// A bundled suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bundled {
    /// 200 questions in six languages.
    Languages,
    /// 150 questions about time in five languages.
    Temporal,
}

/// Default time of a question.
const ASKED_AT: &str = "2026-11-01T12:00:00Z";

/// File name of the questions.
const QUESTIONS: &str = "questions.toml";

/// The exam of a bundled suite and its hash. Error: `dataset_bad` if a check fails.
pub fn bundled(suite: Bundled) -> Result<(Exam, ListHash), HomeError> {
    let (name, folder) = match suite {
        Bundled::Languages => ("languages", &LANGUAGES),
        Bundled::Temporal => ("temporal", &TEMPORAL),
    };
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        for file in folder.files() {
            files.push((file.path().to_string_lossy().into_owned(), file.contents().to_vec()));
        }
    }
    exam(Path::new(name), files)
}

/// The exam of a folder in the same form. Errors: `file_missing`, `file_unreadable`, `dataset_bad`.
pub fn of_folder(path: &Path) -> Result<(Exam, ListHash), HomeError> {
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| unread(&folder, &error))?;
        for entry in entries {
            let found = entry.map_err(|error| unread(&folder, &error))?.path();
            if found.is_dir() {
                folders.push(found);
                continue;
            }
            let name = found.strip_prefix(path).unwrap_or(&found).to_string_lossy().into_owned();
            if name == QUESTIONS || name.ends_with(".md") {
                files.push((name, std::fs::read(&found).map_err(|error| unread(&found, &error))?));
            }
        }
    }
    exam(path, files)
}

#[derive(Deserialize)]
struct Questions {
    /// Number of characters of results that must contain the expected words; the first five results if unset.
    within_chars: Option<usize>,
    question: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    ask: String,
    lang: String,
    kind: String,
    now: Option<toml::Value>,
    /// `development` or `held-out`.
    half: Option<String>,
    expect: Vec<String>,
}

fn exam(path: &Path, mut files: Vec<(String, Vec<u8>)>) -> Result<(Exam, ListHash), HomeError> {
    files.sort();
    let mut hash = ListHash::default();
    let (mut notes, mut asked) = (Vec::new(), None);
    for (name, bytes) in files {
        hash.add(&name, Sha256::of(&bytes));
        let text = String::from_utf8(bytes).map_err(|_| bad(path, &format!("{name} is not UTF-8")))?;
        if name == QUESTIONS {
            let read = toml::from_str::<Questions>(&text);
            asked = Some(read.map_err(|error| bad(path, &format!("{name}: {}", error.message())))?);
        } else if name.ends_with(".md") {
            notes.push(Note { name: safe_name(path, &name)?, text });
        }
    }
    let asked = asked.ok_or_else(|| bad(path, &format!("{QUESTIONS} is missing")))?;
    let is_within = match asked.within_chars {
        None => false,
        Some(chars) if BUDGETS_CHARS.contains(&chars) => true,
        Some(chars) => return Err(bad(path, &format!("{chars} is none of the budgets {BUDGETS_CHARS:?}"))),
    };
    let asked = asked.question.into_iter();
    let questions = asked.map(|asked| question(path, asked, is_within, &notes)).collect::<Result<_, _>>()?;
    let now = ASKED_AT.parse().map_err(|error: jiff::Error| bad(path, &error.to_string()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((Exam { name, notes, questions, now }, hash))
}

fn question(path: &Path, asked: Asked, is_within: bool, notes: &[Note]) -> Result<Question, HomeError> {
    let wrong = |why: &str| bad(path, &format!("`{}`: {why}", asked.ask));
    let mut evidence = Vec::new();
    for text in &asked.expect {
        let (name, words) = text.split_once(" :: ").ok_or_else(|| wrong("expect is `path :: words`"))?;
        let name: SafeName = safe_name(path, name)?;
        let is_there = notes.iter().any(|note| note.name == name && note.text.contains(words));
        if !is_there {
            return Err(wrong(&format!("{name} does not say `{words}`")));
        }
        evidence.push(Evidence::Words(name, words.to_owned()));
    }
    if evidence.is_empty() {
        return Err(wrong("nothing is expected"));
    }
    let told = match &asked.now {
        Some(toml::Value::String(text)) => Some(text.clone()),
        other => other.as_ref().map(ToString::to_string),
    };
    let now = told.map(|text| moment(&text).map_err(|error| wrong(&error.to_string()))).transpose()?;
    let mut groups = vec![format!("lang {}", asked.lang), format!("kind {}", asked.kind)];
    if let Some(half) = &asked.half {
        groups.extend([format!("half {half}"), format!("kind {}, {half}", asked.kind)]);
    }
    let expected = if is_within { Expected::Passages(evidence) } else { Expected::AnyOf(evidence) };
    Ok(Question { groups, ask: asked.ask, now, expected })
}

/// The time of a question: day and hour at the asker's place, treated as UTC; noon if only a day is given. Days of
/// the notes are the asker's days.
fn moment(told: &str) -> Result<Timestamp, jiff::Error> {
    let pieces = Pieces::parse(told)?;
    let date: Date = pieces.date();
    let at: DateTime = match pieces.time() {
        Some(time) => date.to_datetime(time),
        None => date.at(12, 0, 0, 0),
    };
    Ok(at.to_zoned(TimeZone::UTC)?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundled_suites_hold_what_they_say() {
        for (suite, count, groups) in [(Bundled::Languages, 200, 16), (Bundled::Temporal, 150, 16)] {
            let (exam, _) = bundled(suite).expect("whole");
            assert_eq!(exam.questions.len(), count);
            let named: std::collections::BTreeSet<_> =
                exam.questions.iter().flat_map(|question| &question.groups).collect();
            assert_eq!(named.len(), groups, "{named:?}");
        }
    }

    #[test]
    fn the_moment_of_asking_is_the_hour_where_the_asker_is() {
        for (told, read) in [
            ("2025-06-01T23:30:00-05:00", "2025-06-01T23:30:00Z"),
            ("2025-06-01T00:30:00+08:00", "2025-06-01T00:30:00Z"),
            ("2025-06-01T10:00:00Z", "2025-06-01T10:00:00Z"),
            ("2025-06-01", "2025-06-01T12:00:00Z"),
        ] {
            assert_eq!(moment(told).expect("read").to_string(), read);
        }
        assert!(moment("last Friday").is_err());
    }

    #[test]
    fn a_half_is_a_group_and_characters_are_counted_where_the_file_says_so() {
        let files = |head: &str| {
            let asked =
                "[[question]]\nask='a'\nlang='en'\nkind='k'\nhalf='held-out'\nexpect=['a.md :: rye']\n";
            let questions = format!("{head}{asked}").into_bytes();
            vec![("a.md".to_owned(), b"- rye\n".to_vec()), (QUESTIONS.to_owned(), questions)]
        };
        let read = |head: &str| exam(Path::new("s"), files(head)).map(|(exam, _)| exam);
        let plain = read("").expect("read");
        assert_eq!(plain.questions[0].groups, ["lang en", "kind k", "half held-out", "kind k, held-out"]);
        assert!(matches!(plain.questions[0].expected, Expected::AnyOf(_)));
        let within = read("within_chars = 2000\n").expect("read");
        assert!(matches!(within.questions[0].expected, Expected::Passages(_)));
        assert!(read("within_chars = 7\n").is_err());
    }

    #[test]
    fn what_is_expected_must_stand_in_the_notes() {
        let files = |expect: &str| {
            let questions = format!("[[question]]\nask='a'\nlang='en'\nkind='k'\nexpect=['{expect}']\n");
            vec![("a.md".to_owned(), b"- rye\n".to_vec()), (QUESTIONS.to_owned(), questions.into_bytes())]
        };
        assert!(exam(Path::new("s"), files("a.md :: rye")).is_ok());
        for other in ["a.md :: wheat", "b.md :: rye", "rye", "../a.md :: rye"] {
            let error = exam(Path::new("s"), files(other)).map(|_| ()).expect_err(other);
            assert_eq!(error.code, inwit_model::Code::DatasetBad);
        }
    }
}
