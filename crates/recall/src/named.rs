//! The sections that a question names: each of its words stands in the heading path, the name of the file among it.
//!
//! Who types `Bill of materials` wants the section of that name, though other notes say *bill* more often. Invariant: one
//! passage a file gains, the first of the section; what stands below it is what follows.

use inwit_store::{Corpus, IndexError, Snapshot};

use crate::lexical::HEADING_MARK;
use crate::question::Question;

/// Most words of a question that names a section.
const TITLE_TERMS_MAX: usize = 12;

/// The first passage of each section that `question` names, in order.
pub fn named(snapshot: &dyn Snapshot, question: &Question) -> Result<Vec<u32>, IndexError> {
    let terms: Vec<_> = question.terms.iter().filter(|term| term.share == 1.0 && !term.is_context).collect();
    if terms.is_empty() || terms.len() > TITLE_TERMS_MAX || terms.len() < question.terms.len() {
        return Ok(Vec::new());
    }
    let mut headed: Option<Vec<u32>> = None;
    for term in terms {
        let postings = snapshot.postings(&format!("{HEADING_MARK}{}", term.term))?;
        let of_term = postings.iter().map(|posting| posting.position);
        let both: Vec<u32> = match &headed {
            None => of_term.collect(),
            Some(before) => of_term.filter(|at| before.binary_search(at).is_ok()).collect(),
        };
        if both.is_empty() {
            return Ok(both);
        }
        headed = Some(both);
    }
    Ok(first_of_files(snapshot.corpus(), &headed.unwrap_or_default()))
}

/// Of `positions`, ascending, the first in each file.
fn first_of_files(corpus: &Corpus, positions: &[u32]) -> Vec<u32> {
    let mut first = Vec::new();
    let mut end = 0;
    for &at in positions.iter().filter(|at| (**at as usize) < corpus.len()) {
        if at >= end {
            first.push(at);
            let file = corpus.files.partition_point(|file| file.first <= at).saturating_sub(1);
            end = corpus.files.get(file).map_or(at + 1, |file| file.first + file.count);
        }
    }
    first
}
