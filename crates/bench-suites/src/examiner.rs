//! Runs exams: writes the notes, asks each question, scores the results, and measures the cost.
//!
//! Each question is asked twice: once for ten results, which is timed, and once for as many results as the character
//! budgets need. Both are ordinary searches of the private scope. Tokens are counted at the end, after peak memory is
//! measured, because the token table is larger than everything else.

use std::borrow::Borrow;

use inwit_engine::{Answer, MEANING_UNUSED, Notice, Search, WORDS_ALONE};
use inwit_home::provider::Provider;
use inwit_home::tokens::Tokens;
use inwit_home::{AgentConfig, HomeError};
use inwit_model::{Code, Scope};
use jiff::Timestamp;

use crate::documents;
use crate::exam::{Exam, Expected, Note, Question, Shown};
use crate::figure::Figure;
use crate::ground::{Ground, LaidOut};
use crate::machine;
use crate::manifest::CostV1;
use crate::passages::{self, RANKS};
use crate::tally::{ALL, Tally};
use crate::times::Times;

/// Number of results of a timed search: the default of `inwit search`.
const TIMED_RESULTS: usize = 10;

/// Number of scored results: enough for the largest character budget with chat passages.
pub const SCORED_RESULTS: usize = 80;

/// An expected result must be among this many results.
pub const FOUND_RESULTS: usize = 5;

/// Receives progress while exams run.
pub trait Watch {
    /// Progress of the work.
    fn progress(&mut self, what: &str, done: usize, of: usize);

    /// A warning for the user.
    fn notice(&mut self, notice: &Notice);

    /// A line about the work.
    fn say(&mut self, text: &str);
}

/// Runs exams.
pub struct Examiner<'a> {
    config: &'a AgentConfig,
    ui: &'a mut dyn Watch,
    /// Number of scored results.
    results: usize,
    tells_misses: bool,
    tally: Tally,
    searches: Times,
    indexing: Times,
    embedding: Times,
    embedded: usize,
    refused: usize,
    index_bytes: u64,
    seen: Seen,
    /// Groups and texts of the first ten results; their tokens are counted at the end.
    to_count: Vec<(Vec<String>, String)>,
}

/// Size of the data.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    /// Workspaces.
    pub workspaces: usize,
    /// Notes in them.
    pub laid_out: LaidOut,
}

/// The results.
pub struct Done {
    /// Quality of the answers.
    pub tally: Tally,
    /// Total cost over all workspaces.
    pub cost: CostV1,
    /// Size of the data.
    pub seen: Seen,
}

impl<'a> Examiner<'a> {
    /// An examiner that scores the first `results` of each answer.
    pub fn new(config: &'a AgentConfig, ui: &'a mut dyn Watch, results: usize) -> Self {
        Self {
            config,
            ui,
            results,
            tells_misses: false,
            tally: Tally::default(),
            searches: Times::default(),
            indexing: Times::default(),
            embedding: Times::default(),
            embedded: 0,
            refused: 0,
            index_bytes: 0,
            seen: Seen::default(),
            to_count: Vec::new(),
        }
    }

    /// The same, and reports the questions without an expected result.
    pub fn telling_misses(mut self, tells: bool) -> Self {
        self.tells_misses = tells;
        self
    }

    /// Runs one exam. Errors: those of writing notes, indexing and searching.
    pub fn take(&mut self, exam: &Exam) -> Result<(), HomeError> {
        let ground = self.prepare(exam.notes.iter())?;
        for (number, question) in (1_usize..).zip(&exam.questions) {
            self.ui.progress(&format!("asking {}", exam.name), number, exam.questions.len());
            ground.at(question.now.unwrap_or(exam.now));
            let answer = self.ask(&ground, question)?;
            self.score(question, &answer);
        }
        self.index_bytes += ground.index_bytes();
        Ok(())
    }

    /// Measures only times: runs the queries `asks` over `notes`, which are not kept in memory. Errors: as
    /// [`take`](Self::take).
    pub fn time<N: Borrow<Note>>(
        &mut self,
        notes: impl Iterator<Item = N>,
        asks: &[String],
        now: Timestamp,
    ) -> Result<(), HomeError> {
        let ground = self.prepare(notes)?;
        ground.at(now);
        for (number, ask) in (1_usize..).zip(asks) {
            self.ui.progress("asking", number, asks.len());
            let answer = self.searches.of(|| ground.agent().notes.search(&search(ask, TIMED_RESULTS)))?;
            is_whole(&answer)?;
        }
        self.index_bytes += ground.index_bytes();
        Ok(())
    }

    fn prepare<N: Borrow<Note>>(&mut self, notes: impl Iterator<Item = N>) -> Result<Ground, HomeError> {
        let (ground, laid_out) = Ground::lay_out(self.config, notes)?;
        self.seen.workspaces += 1;
        self.seen.laid_out.notes += laid_out.notes;
        self.seen.laid_out.bytes += laid_out.bytes;
        let notices = ground.index(&mut self.indexing, self.ui)?;
        if self.seen.workspaces == 1 {
            notices.iter().for_each(|notice| self.ui.notice(notice));
        }
        if self.config.embedding.provider != Some(Provider::Disabled) {
            let report = ground.embed(&mut self.embedding, self.ui)?;
            self.embedded += report.embedded;
            self.refused += report.failed;
        }
        Ok(ground)
    }

    fn ask(&mut self, ground: &Ground, question: &Question) -> Result<Answer, HomeError> {
        self.searches.of(|| ground.agent().notes.search(&search(&question.ask, TIMED_RESULTS)))?;
        let answer = ground.agent().notes.search(&search(&question.ask, self.results))?;
        is_whole(&answer)?;
        Ok(answer)
    }

    fn score(&mut self, question: &Question, answer: &Answer) {
        let ranked: Vec<Shown<'_>> = answer
            .hits
            .iter()
            .map(|hit| Shown { name: &hit.name, first_line: hit.first_line, text: &hit.text })
            .collect();
        let mut figures = figures(question, &ranked);
        figures.push((Figure::NothingNear, f64::from(u8::from(answer.nothing_near))));
        let is_missed =
            [Figure::FoundAt5, Figure::Within2000].iter().any(|row| figures.contains(&(*row, 0.0)));
        let is_held_out = question.groups.iter().any(|group| group == "half held-out");
        if self.tells_misses && is_missed && !is_held_out {
            self.ui.say(&format!("not found: {} ({})", question.ask, question.groups.join(", ")));
        }
        let mut groups = question.groups.clone();
        if !matches!(question.expected, Expected::Nothing) {
            groups.push(ALL.to_owned());
        }
        groups.iter().for_each(|group| self.tally.add(group, &figures));
        if !matches!(question.expected, Expected::Nothing | Expected::AnyOf(_)) {
            let text = ranked.iter().take(RANKS).map(|shown| shown.text).collect::<Vec<_>>().join("\n");
            self.to_count.push((groups, text));
        }
    }

    /// The results of all exams.
    pub fn done(mut self) -> Done {
        let mut cost = CostV1::default();
        cost.say("index_seconds", self.indexing.sum_s());
        if self.embedded > 0 {
            cost.say("embed_seconds", self.embedding.sum_s());
            cost.say("embedded_passages", self.embedded as f64);
            cost.say("refused_passages", self.refused as f64);
        }
        cost.say("index_bytes", self.index_bytes as f64);
        cost.say("notes_bytes", self.seen.laid_out.bytes as f64);
        cost.say("search_p50_ms", self.searches.ms(50));
        cost.say("search_p95_ms", self.searches.ms(95));
        if let Some(bytes) = machine::peak_memory_bytes() {
            cost.say("peak_memory_bytes", bytes as f64);
        }
        if !self.to_count.is_empty() {
            let tokens = Tokens::load();
            for (groups, text) in &self.to_count {
                let count = tokens.count(text) as f64;
                groups.iter().for_each(|group| self.tally.say(group, &[(Figure::TokensIn10, count)]));
            }
        }
        Done { tally: self.tally, cost, seen: self.seen }
    }
}

/// If a model fails in the middle, words alone would be reported as meaning, so the run ends.
fn is_whole(answer: &Answer) -> Result<(), HomeError> {
    match answer.notices.iter().find(|notice| notice.code == MEANING_UNUSED) {
        Some(notice) => Err(unmeasured(notice)),
        None => Ok(()),
    }
}

/// A failed search ends the benchmark, even if words still work.
fn unmeasured(notice: &Notice) -> HomeError {
    let why = notice.message.strip_prefix(WORDS_ALONE).unwrap_or(&notice.message);
    HomeError::new(Code::EmbeddingFailed, why).hint(notice.hint)
}

fn search(query: &str, limit: usize) -> Search<'_> {
    Search { query, scope: &Scope::Main, limit, budget_chars: None, bounds: Default::default() }
}

fn figures(question: &Question, ranked: &[Shown<'_>]) -> Vec<(Figure, f64)> {
    match &question.expected {
        Expected::Nothing => Vec::new(),
        Expected::Passages(evidence) => of_passages(evidence, ranked),
        Expected::AnyOf(evidence) => {
            let first = ranked.iter().take(FOUND_RESULTS).collect::<Vec<_>>();
            let is_found = first.iter().any(|shown| evidence.iter().any(|piece| piece.is_in(**shown)));
            let score = passages::score(evidence, ranked);
            vec![(Figure::FoundAt5, f64::from(u8::from(is_found))), (Figure::MrrAt10, score.mrr_10)]
        }
        Expected::Documents(gains, evidence) => {
            let score = documents::score(gains, ranked.iter().map(|shown| shown.name));
            let recall = [Figure::DocumentRecallAt5, Figure::DocumentRecallAt10, Figure::DocumentRecallAt100];
            let mut figures: Vec<_> = recall.into_iter().zip(score.recall).collect();
            figures.push((Figure::DocumentNdcgAt10, score.ndcg_10));
            figures.push((Figure::DocumentMrrAt10, score.mrr_10));
            if evidence.is_empty() {
                figures.push((Figure::CharsIn10, passages::chars_in_10(ranked) as f64));
            } else {
                figures.extend(of_passages(evidence, ranked));
            }
            figures
        }
    }
}

fn of_passages(evidence: &[crate::exam::Evidence], ranked: &[Shown<'_>]) -> Vec<(Figure, f64)> {
    let score = passages::score(evidence, ranked);
    let mut figures = vec![(Figure::RecallAt5, score.recall_5), (Figure::RecallAt10, score.recall_10)];
    figures.extend(Figure::WITHIN.into_iter().zip(score.within));
    figures.extend([
        (Figure::NdcgAt10, score.ndcg_10),
        (Figure::MrrAt10, score.mrr_10),
        (Figure::CharsIn10, score.chars_10 as f64),
    ]);
    figures
}

#[cfg(test)]
mod tests {
    use inwit_model::Hint;

    use super::*;

    #[test]
    fn a_benchmark_that_ends_does_not_say_that_words_answered() {
        let error =
            unmeasured(&Notice::new(MEANING_UNUSED, "Search used words only: It is down.", "Start it."));
        let hint = Some(Hint::Words("Start it.").into());
        assert_eq!((error.message.as_str(), error.hint), ("It is down.", hint));
    }
}
