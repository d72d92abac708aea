//! Checks of search by embeddings.
//!
//! Invariant: without a model there are no findings: search by words alone is valid.

use super::{CheckId, Finding, finding};
use crate::Agent;
use crate::core::fit::grouped;
use crate::notes::meaning::EMBED_MISSING_PERCENT_MAX;
use inwit_model::plural::counted;

/// The model and the vectors of the owner's notes.
pub(super) fn meaning(agent: &Agent, findings: &mut Vec<Finding>) {
    if let Err(error) = agent.notes.look_at_reranker() {
        findings.push(finding(CheckId::RerankerUnusable, None, error.message));
    }
    let state = match agent.notes.meaning_state() {
        Ok(None) => return,
        Ok(Some(state)) => state,
        Err(error) => return findings.push(finding(CheckId::ModelUnusable, None, error.message)),
    };
    if let Err(error) = agent.notes.ask_model() {
        findings.push(finding(CheckId::ModelUnusable, None, error.message));
    }
    findings.extend(agent.notes.vectors_lost().map(|lost| finding(CheckId::VectorsLost, None, lost.message)));
    // An unreadable part is already reported.
    if let Ok(Some(why)) = agent.notes.vectors_passed_over() {
        findings.push(finding(CheckId::VectorsSlow, None, format!("{why}.")));
    }
    let waiting = state.waiting.unwrap_or(state.readable);
    if waiting * 100 > state.readable * EMBED_MISSING_PERCENT_MAX {
        let (waiting, readable) = (grouped(waiting), grouped(state.readable));
        let message = format!("{waiting} of {readable} passages have no vector of {}.", state.model);
        findings.push(finding(CheckId::VectorsWaiting, None, message));
    }
    if state.skipped > 0 {
        let count = grouped(state.skipped);
        let message = format!(
            "{} cannot read {}: too few of their words are in its vocabulary.",
            state.model,
            counted(count, "text")
        );
        findings.push(finding(CheckId::TextsUnread, None, message));
    }
    if let Some(first) = state.refused.first() {
        let count = grouped(state.refused.len());
        let message = format!(
            "{} rejected {}, the last time because {}",
            state.model,
            counted(count, "text"),
            first.why
        );
        findings.push(finding(CheckId::VectorsRefused, None, message));
    }
}
