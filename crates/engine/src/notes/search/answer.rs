//! The answer to a question: its hits, how the question was understood, and what is said besides.
//!
//! Invariant: what a budget keeps out, what has no date where a time is asked for and what goes beyond the most that is
//! ever given are counted in it.

use inwit_model::limit::RESULTS_MAX;
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
    /// The share of the question's content found around the best hit, 0 to 1.
    pub cover: f32,
    /// Hits that did not fit into the budget.
    pub over_budget: usize,
    /// How many passages an expression holds of, where one was asked.
    pub holding: Option<usize>,
    /// How each term of the question fared.
    pub terms: Vec<TermFound>,
    /// The weight of a term that one passage holds.
    pub rarest: f32,
    /// Words of the question that carry no content.
    pub stop_words: Vec<String>,
    /// Terms beyond the number that is looked up.
    pub beyond_limit: Vec<String>,
    /// Labels that the question names.
    pub labels: Vec<String>,
    /// What the question says of time.
    pub time: TimeUnderstood,
    /// The model whose vectors were used; `None` where words alone answered.
    pub model: Option<String>,
    /// The cosine of the passage nearest in meaning.
    pub nearest: Option<f32>,
    /// How what says the same again was moved, where that was asked for.
    pub diversity: Option<Diversity>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
    /// The words of the question, to be found in the hits.
    pub highlighter: Highlighter,
}

/// How what a question says of time was understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeUnderstood {
    /// The words it was read from.
    pub words: Vec<String>,
    /// What they may mean: passages of these days are favoured.
    pub intervals: Vec<Interval>,
    /// Only passages of these days are given.
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

/// An expression is answered with all of which it holds, or it is said how many there are.
fn more_hold(holding: usize, shown: usize) -> Option<Notice> {
    (holding > shown).then(|| {
        let message = format!("The expression matches {holding} passages, of which {shown} are shown.");
        Notice::new(MORE_HOLD, message, "`-n` sets the maximum number of results.")
    })
}

/// The notice that an expression holds of more than is shown.
pub const MORE_HOLD: &str = "more_hold";

/// That no answer goes further, however many results are asked for.
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
            format!("{count} passage(s) match words of the query but have no date, so they were left out.");
        Notice::new("undated_left_out", message, "Search without --since and --until to see them.")
    })
}
