//! The answer to a query: hits, how the query was understood, and notices.
//!
//! Invariant: results omitted by the budget, the time filter or the limit are counted.

use inwit_model::limit::RESULTS_MAX;
use inwit_model::plural::counted;
use inwit_recall::lexical::TermFound;
use inwit_recall::time::Interval;
use inwit_recall::{Analyser, Highlighter, Question};

use super::Hit;
use super::rank::Ranked;
use crate::Notice;
use crate::core::fit::grouped;
use crate::notes::diversity::Diversity;

/// The answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Best first.
    pub hits: Vec<Hit>,
    /// No close match: the hits are the nearest ones.
    pub nothing_near: bool,
    /// The share of the query's content found around the best hit, 0 to 1.
    pub cover: f32,
    /// Hits beyond the budget.
    pub over_budget: usize,
    /// Number of passages that match an expression, if it is one.
    pub holding: Option<usize>,
    /// Statistics of each query term.
    pub terms: Vec<TermFound>,
    /// The weight of a term that occurs in one passage.
    pub rarest: f32,
    /// Stop words of the query.
    pub stop_words: Vec<String>,
    /// Terms beyond the limit.
    pub beyond_limit: Vec<String>,
    /// Labels in the query.
    pub labels: Vec<String>,
    /// Time expressions in the query.
    pub time: TimeUnderstood,
    /// The model whose vectors were used; `None` for words only.
    pub model: Option<String>,
    /// The highest cosine.
    pub nearest: Option<f32>,
    /// How results were diversified, if requested.
    pub diversity: Option<Diversity>,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
    /// Finds the query words in hits.
    pub highlighter: Highlighter,
}

/// How time expressions were understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeUnderstood {
    /// The time words.
    pub words: Vec<String>,
    /// Their possible meanings: passages of these days are boosted.
    pub intervals: Vec<Interval>,
    /// Only passages of these days are returned.
    pub within: Option<Interval>,
}

impl Ranked {
    pub(super) fn answer(self, question: &Question, mut notices: Vec<Notice>) -> Answer {
        notices.extend(undated(self.found.undated));
        let holding = question.only.is_some().then_some(self.found.touched);
        if self.limit == RESULTS_MAX && self.found.touched > RESULTS_MAX {
            notices.push(results_ended(self.found.touched));
        } else {
            notices.extend(holding.and_then(|holding| more_hold(holding, self.hits.len())));
        }
        notices.extend(self.found.is_of_another_year.then(of_another_year));
        let mut intervals: Vec<Interval> = Vec::new();
        let readings = question.when.readings.iter().map(|reading| reading.interval);
        for interval in readings.chain(self.found.event_intervals) {
            if !intervals.contains(&interval) {
                intervals.push(interval);
            }
        }
        let mut beyond_limit = self.found.beyond_limit;
        beyond_limit.extend_from_slice(&question.beyond_limit);
        notices.extend(self.notices);
        Answer {
            hits: self.hits.into_iter().map(|shown| shown.hit).collect(),
            nothing_near: self.found.nothing_near,
            cover: self.found.cover,
            over_budget: self.over_budget,
            holding,
            terms: self.found.terms,
            rarest: self.found.rarest,
            stop_words: question.stop_words.clone(),
            beyond_limit,
            labels: self.found.labels,
            time: TimeUnderstood { words: question.time_words.clone(), intervals, within: question.days },
            model: self.model,
            nearest: self.found.nearest,
            highlighter: Highlighter::of(question, &mut Analyser::default()),
            diversity: self.diversity,
            notices,
        }
    }
}

/// A notice that an expression matches more passages than shown.
fn more_hold(holding: usize, shown: usize) -> Option<Notice> {
    (holding > shown).then(|| {
        let message = format!("The expression matches {holding} passages, of which {shown} are shown.");
        Notice::new(MORE_HOLD, message, "`-n` sets the maximum number of results.")
    })
}

/// Code of that notice.
pub const MORE_HOLD: &str = "more_hold";

/// A notice that the maximum number of results was reached.
fn results_ended(touched: usize) -> Notice {
    let (touched, most) = (grouped(touched), grouped(RESULTS_MAX));
    let message = format!("{touched} passages match in some way; only the best {most} can be returned.");
    let hint = "Search with more words, or limit the time with --since and --until.";
    Notice::new("results_ended", message, hint)
}

fn of_another_year() -> Notice {
    let message = "No note is from the year in the query, so the same days of other years were preferred.";
    Notice::new("year_unknown", message.to_owned(), "Check the dates of the results before you use them.")
}

fn undated(count: usize) -> Option<Notice> {
    (count > 0).then(|| {
        let message =
            format!("Left out {} with words of the query, for lack of a date.", counted(count, "passage"));
        Notice::new("undated_left_out", message, "Search without --since and --until to see them.")
    })
}
