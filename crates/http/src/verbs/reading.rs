//! Reading: lines, search, why a passage was not found, the prompt. Text is masked for every caller.

use inwit_engine::as_of::Past;
use inwit_engine::notes::timeline::Ask;
use inwit_engine::notes::why_not::WhyNot;
use inwit_engine::{Bounds, DayEdge, Lines, Search};
use inwit_home::OpenAgent;
use inwit_home::tokens::Tokens;
use inwit_model::Code;
use inwit_model::fact::When;
use inwit_wire::{AnswerV1, AsOfV1, ExcerptV1, MomentV1, NoticeV1, PromptV1, TimelineV1, WhyNotV1};
use jiff::civil::Date;

use super::Answered;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// Default number of results.
const RESULTS_DEFAULT: usize = 10;

/// `GET …/lines/{path}`.
pub(super) fn lines(opened: &OpenAgent, call: &Call) -> Answered {
    let line = |name| call.values.whole(name).and_then(|line| u32::try_from(line).ok());
    let lines = Lines { from: line("from"), to: line("to") };
    let path = call.part("path");
    let past = past(opened, call)?;
    let (excerpt, _) = match &past {
        Some(past) => past.get_masked(path, lines)?,
        None => opened.agent.notes.get_masked(&call.scope, path, lines)?,
    };
    let as_of = past.as_ref().map(|past| AsOfV1::from(past.of()));
    Ok(Reply::json(&ExcerptV1 { as_of, ..ExcerptV1::from(excerpt) }))
}

/// The state at `as_of`, if it is asked for. Errors: `time_bad`, those of the history.
fn past<'o>(opened: &'o OpenAgent, call: &Call) -> Result<Option<Past<'o>>, Problem> {
    let agent = &opened.agent;
    let moment = call.values.text("as_of").map(|text| agent.core.moment(text, DayEdge::End)).transpose()?;
    Ok(moment.map(|moment| agent.as_of(&call.scope, moment)).transpose()?)
}

/// `GET …/search`.
pub(super) fn search(opened: &OpenAgent, call: &Call) -> Answered {
    let (agent, values) = (&opened.agent, &call.values);
    let asked = Search {
        query: values.text("q").unwrap_or_default(),
        scope: &call.scope,
        limit: values.size("limit").unwrap_or(RESULTS_DEFAULT),
        budget_chars: values.size("budget_chars"),
        bounds: Bounds {
            since: values.text("since"),
            until: values.text("until"),
            around: values.text("around"),
            is_expression: values.flag("fts"),
            ..Bounds::default()
        },
    };
    let past = past(opened, call)?;
    let answer = match &past {
        Some(past) => past.search(&asked)?,
        None => agent.notes.search(&asked)?,
    };
    let as_of = past.as_ref().map(|past| AsOfV1::from(past.of()));
    let mut answer = AnswerV1 { as_of, ..AnswerV1::new(&answer, values.flag("explain")) };
    if !call.scope.is_shared() {
        answer.notices.extend(opened.notices.iter().map(NoticeV1::from));
    }
    Ok(Reply::json(&answer))
}

/// `GET …/why-not`.
pub(super) fn why_not(opened: &OpenAgent, call: &Call) -> Answered {
    let (text, query) = (call.values.text("text").unwrap_or_default(), call.values.text("q"));
    let asked = WhyNot { text, query, scope: &call.scope, limit: RESULTS_DEFAULT };
    Ok(Reply::json(&WhyNotV1::from(&opened.agent.notes.why_not(&asked)?)))
}

/// `GET …/journal`.
pub(super) fn timeline(opened: &OpenAgent, call: &Call) -> Answered {
    let values = &call.values;
    let day = |text: &str| {
        let day = text.parse::<Date>();
        day.map_err(|_| {
            Problem::new(Code::TimeBad, format!("`{}` is not a day.", inwit_model::name::shown(text)))
        })
    };
    let ask = Ask {
        around: values.text("around").map(day).transpose()?,
        days: values.whole("days").and_then(|days| u16::try_from(days).ok()).unwrap_or(1),
        skip: values.size("skip").unwrap_or_default(),
        limit: values.size("limit").unwrap_or(RESULTS_DEFAULT),
    };
    let found = opened.agent.notes.timeline(&call.scope, &ask)?;
    let entries = found.moments.iter().map(MomentV1::from).collect();
    let notices = found.notices.iter().map(NoticeV1::from).collect();
    Ok(Reply::json(&TimelineV1 { entries, notices, omitted: None, next_cursor: None }))
}

/// `GET …/prompt`.
pub(super) fn prompt(opened: &OpenAgent, call: &Call) -> Answered {
    let (sessions, question) = (&opened.agent.sessions, call.values.text("question"));
    let past = past(opened, call)?;
    let prompt = match &past {
        Some(past) => past.prompt_believing(question, None)?,
        None => sessions.prompt_of_facts(&call.scope, question, When::default())?,
    };
    let counts = call.values.flag("tokens").then(|| sessions.token_counts(&prompt, &Tokens::load));
    let as_of = past.as_ref().map(|past| AsOfV1::from(past.of()));
    let mut answer = PromptV1 { as_of, ..PromptV1::new(&prompt, counts.transpose()?.as_deref(), true) };
    if call.caller.consent().is_none() {
        answer.blocks.iter_mut().for_each(|block| block.source_sha256 = None);
    }
    Ok(Reply::json(&answer))
}
