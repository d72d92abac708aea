//! Runs each benchmark from its data to its result.
//!
//! Errors of all: data that cannot be read, and those of writing notes, indexing and searching. Invariant: the result
//! contains the options that differ from the user's settings, so a run can be repeated.

use std::path::Path;

use inwit_home::{AgentConfig, HomeError};
use inwit_model::Sha256;
use jiff::Timestamp;

use crate::exam::Expected;
use crate::examiner::{Examiner, SCORED_RESULTS, Watch};
use crate::generated::{self, Chance, DAY_PASSAGES, FIRST_DAY, logs};
use crate::layout::Layout;
use crate::manifest::Outcome;
use crate::source::{self, ListHash};
use crate::suite::{self, Bundled};
use crate::{beir, locomo, longmemeval, rot};

/// Number of scored results if a hundred documents are needed: one document may take several ranks.
const DOCUMENT_RESULTS: usize = 300;

/// Number of timed questions.
const TIMED_QUESTIONS: usize = 300;

/// LoCoMo's list at `path`, laid out as `layout`, every date moved by `shift_days`.
pub fn locomo(
    path: &Path,
    layout: Layout,
    shift_days: i32,
    config: &AgentConfig,
    watch: &mut dyn Watch,
) -> Result<Outcome, HomeError> {
    let sha256 = source::sha256(path)?;
    let mut examiner = Examiner::new(config, watch, SCORED_RESULTS);
    locomo::each(path, shift_days, &mut |conversation| examiner.take(&conversation.exam(path, layout)?))?;
    let own = vec![
        ("layout", layout.to_string()),
        ("shift_days", shift_days.to_string()),
        ("results", SCORED_RESULTS.to_string()),
    ];
    Ok(Outcome::new("locomo", source::file_name(path), sha256, own, examiner.done()))
}

/// LongMemEval's list at `path`.
pub fn longmemeval(path: &Path, config: &AgentConfig, watch: &mut dyn Watch) -> Result<Outcome, HomeError> {
    let sha256 = source::sha256(path)?;
    let mut examiner = Examiner::new(config, watch, SCORED_RESULTS);
    longmemeval::each(path, &mut |exam| examiner.take(&exam))?;
    let own = vec![("results", SCORED_RESULTS.to_string())];
    Ok(Outcome::new("longmemeval", source::file_name(path), sha256, own, examiner.done()))
}

/// A folder in the form of BEIR.
pub fn beir(path: &Path, config: &AgentConfig, watch: &mut dyn Watch) -> Result<Outcome, HomeError> {
    let name = source::file_name(path);
    let (exam, hash) = beir::exam(path, &name)?;
    let mut examiner = Examiner::new(config, watch, DOCUMENT_RESULTS);
    examiner.take(&exam)?;
    let own = vec![("results", DOCUMENT_RESULTS.to_string())];
    Ok(Outcome::new("beir", name, hash.hash(), own, examiner.done()))
}

/// How results change as notes get older and more numerous: LoCoMo's list at `path`, or generated notes.
pub fn rot(path: Option<&Path>, config: &AgentConfig, watch: &mut dyn Watch) -> Result<Outcome, HomeError> {
    let mut hash = ListHash::default();
    let name = path.map_or_else(|| "generated".to_owned(), source::file_name);
    let sha256 = path.map(source::sha256).transpose()?;
    let mut missing = Vec::new();
    let mut exams = Vec::new();
    for row in rot::ROWS {
        match path {
            Some(path) => match rot::of_conversations(path, row)? {
                Some(made) => exams.extend(made),
                None => missing.push(row.name),
            },
            None => exams.push(rot::of_generated(row)?),
        }
    }
    for row in &missing {
        watch.say(&format!("note: `{row}` was left out, since the list has not enough conversations."));
    }
    if sha256.is_none() {
        let notes = exams.iter().flat_map(|exam| &exam.notes);
        notes.for_each(|note| hash.add(note.name.as_str(), Sha256::of(note.text.as_bytes())));
    }
    let mut examiner = Examiner::new(config, watch, SCORED_RESULTS);
    exams.iter().try_for_each(|exam| examiner.take(exam))?;
    let mut done = examiner.done();
    done.tally = done.tally.without_all();
    let own = vec![("results", SCORED_RESULTS.to_string())];
    Ok(Outcome::new("rot", name, sha256.unwrap_or_else(|| hash.hash()), own, done))
}

/// The questions in the folder `path`, or those of `bundled`.
pub fn suite(
    bench: &'static str,
    bundled: Bundled,
    path: Option<&Path>,
    tells_misses: bool,
    config: &AgentConfig,
    watch: &mut dyn Watch,
) -> Result<Outcome, HomeError> {
    let (exam, hash) = match path {
        Some(path) => suite::of_folder(path)?,
        None => suite::bundled(bundled)?,
    };
    let is_within = exam.questions.iter().any(|question| matches!(question.expected, Expected::Passages(_)));
    let results = if is_within { SCORED_RESULTS } else { SUITE_RESULTS };
    let mut examiner = Examiner::new(config, watch, results).telling_misses(tells_misses);
    examiner.take(&exam)?;
    let own = vec![("results", results.to_string())];
    Ok(Outcome::new(bench, exam.name, hash.hash(), own, examiner.done()))
}

/// Number of results of which the first five may answer a question of a suite.
const SUITE_RESULTS: usize = 10;

/// The times over that many generated passages.
pub fn scale(
    bench: &'static str,
    passages: u32,
    config: &AgentConfig,
    watch: &mut dyn Watch,
) -> Result<Outcome, HomeError> {
    const SEED: u64 = 7;
    let days = usize::try_from(passages).unwrap_or(usize::MAX) / DAY_PASSAGES;
    let mut chance = Chance::new(SEED + 1);
    let asks: Vec<String> = (0..TIMED_QUESTIONS).map(|_| generated::question(&mut chance)).collect();
    let mut hash = ListHash::default();
    let mut examiner = Examiner::new(config, watch, TIMED_QUESTIONS);
    // An invalid day would end the notes early; the count below detects it.
    let notes = logs(SEED, days, FIRST_DAY, "").map_while(Result::ok);
    let hashed = notes.inspect(|note| hash.add(note.name.as_str(), Sha256::of(note.text.as_bytes())));
    examiner.time(hashed, &asks, Timestamp::UNIX_EPOCH)?;
    let done = examiner.done();
    if done.seen.laid_out.notes != days {
        return Err(source::bad(Path::new("generated"), "a day of it has no safe name"));
    }
    let own = vec![
        ("passages", (days * DAY_PASSAGES).to_string()),
        ("seed", SEED.to_string()),
        ("questions", TIMED_QUESTIONS.to_string()),
    ];
    Ok(Outcome::new(bench, "generated".to_owned(), hash.hash(), own, done))
}
