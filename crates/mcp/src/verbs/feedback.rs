//! `memory_feedback`: ratings of results by a host, counted as a tool's.

use inwit_engine::{FeedbackAsk, Rater};
use inwit_model::plural::counted;
use inwit_wire::FeedbackV1;
use inwit_wire::tools::Arguments;

use crate::call::{Answered, usage};
use crate::connection::Connection;
use crate::hints::value;

pub(super) fn give(connection: &Connection, said: &Arguments) -> Answered {
    let hits: Vec<String> = said.texts("hits").unwrap_or_default().into_iter().map(str::to_owned).collect();
    // Numbers refer to the owner's own last search.
    if let Some(number) = hits.iter().find(|hit| hit.trim().parse::<usize>().is_ok()) {
        let message = format!("`{number}` is not a citation.");
        return Err(usage(
            message,
            "Name results as memory_search cites them, such as memory/2026-11-21.md#L3-L5.",
        ));
    }
    let rated = connection.agent.learning.give_feedback(&FeedbackAsk {
        scope: &connection.scope,
        hits: &hits,
        useful: said.text("verdict") == Some("useful"),
        rater: Rater::Tool,
        outcome: said.text("outcome"),
    })?;
    let text = format!("Recorded for {}.", counted(rated.len(), "passage"));
    Ok((value(&FeedbackV1::new(&rated)), text))
}
