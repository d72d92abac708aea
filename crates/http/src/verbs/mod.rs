//! The operations, by the verb of their route.
//!
//! Each is short: values out of the call, an operation of the engine, a shape of `wire`.

mod about;
mod facts;
mod files;
mod history;
mod memory;
mod minara;
mod mindroom;
mod proposals;
mod reading;
mod sessions;

use std::sync::Arc;

use inwit_home::OpenAgent;
use inwit_model::Code;
use inwit_wire::routes::RouteVerb;

use crate::call::Call;
use crate::exchange;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::server::Served;

/// The result of an operation.
pub(crate) type Answered = Result<Reply, Problem>;

/// Runs a call. It may block.
pub(crate) fn run(served: &Served, call: &Call) -> Answered {
    match call.route.verb {
        RouteVerb::Health => Ok(Reply::Nothing),
        RouteVerb::Ready => about::ready(served),
        RouteVerb::Version => Ok(about::version()),
        RouteVerb::OpenApi => Ok(about::openapi()),
        RouteVerb::Docs => Ok(Reply::Html(crate::page::page().into())),
        RouteVerb::Metrics => about::metrics(served, call),
        RouteVerb::Agents => Ok(about::agents(served, call)),
        verb => {
            let opened = open(served, call)?;
            let answered = of_agent(served, verb, &opened, call);
            if answered.is_ok() && call.route.is_change() {
                served.after_write(&opened);
            }
            answered
        }
    }
}

/// The agent of a call, opened.
pub(crate) fn open(served: &Served, call: &Call) -> Result<Arc<OpenAgent>, Problem> {
    let id = match call.route.is_of_own_agent() {
        true => call.caller.own_agent(&served.agents.ids())?,
        false => call.caller.agent(call.part("agent"))?,
    };
    let opened = served.agents.open(&id).map_err(|error| match call.caller.consent() {
        Some(_) => error.into(),
        // Paths and the names of other agents are the owner's.
        None if error.code == Code::AgentUnknown => {
            Problem::new(error.code, format!("There is no agent `{id}`."))
        }
        None => Problem::new(error.code, "The agent cannot be opened."),
    })?;
    exchange::note(|known| known.agent = Some(id.to_string()));
    Ok(opened)
}

fn of_agent(served: &Served, verb: RouteVerb, opened: &OpenAgent, call: &Call) -> Answered {
    match verb {
        RouteVerb::Files => files::list(opened, call),
        RouteVerb::FileRead => files::read(opened, call),
        RouteVerb::FileWrite => files::write(opened, call),
        RouteVerb::FileRemove => files::remove(opened, call),
        RouteVerb::Lines => reading::lines(opened, call),
        RouteVerb::Search => reading::search(opened, call),
        RouteVerb::WhyNot => reading::why_not(opened, call),
        RouteVerb::Prompt => reading::prompt(opened, call),
        RouteVerb::Remember => memory::remember(opened, call),
        RouteVerb::Journal => memory::journal(opened, call),
        RouteVerb::Timeline => reading::timeline(opened, call),
        RouteVerb::Facts => facts::list(opened, call),
        RouteVerb::FactAdd => facts::add(opened, call),
        RouteVerb::FactRead => facts::read(opened, call),
        RouteVerb::FactForget => facts::forget(opened, call),
        RouteVerb::FactRestore => facts::restore(opened, call),
        RouteVerb::History => history::log(opened, call),
        RouteVerb::Blame => history::blame(opened, call),
        RouteVerb::Revision => history::revision(opened, call),
        RouteVerb::RevisionRestore => history::restore(opened, call),
        RouteVerb::SessionStart => sessions::start(served, opened, call),
        RouteVerb::SessionPrompt => sessions::prompt(opened, call),
        RouteVerb::SessionTurn => sessions::turn(served, opened, call),
        RouteVerb::SessionEnd => sessions::end(served, opened, call),
        RouteVerb::Doctor => about::doctor(opened),
        RouteVerb::MinaraFiles => minara::list(opened, call),
        RouteVerb::MinaraRead => minara::read(opened, call),
        RouteVerb::MinaraWrite => minara::write(opened, call),
        RouteVerb::MindroomFiles => mindroom::list(opened, call),
        RouteVerb::MindroomRead => mindroom::read(opened, call),
        RouteVerb::MindroomWrite => mindroom::write(opened, call),
        RouteVerb::MindroomRemove => mindroom::remove(opened, call),
        RouteVerb::MindroomDays => mindroom::days(opened, call),
        RouteVerb::MindroomDay => mindroom::day(opened, call),
        RouteVerb::MindroomReport => mindroom::report(opened, call),
        RouteVerb::Proposals => proposals::list(opened, call),
        RouteVerb::Proposal => proposals::show(opened, call),
        RouteVerb::Approve => proposals::approve(opened, call),
        RouteVerb::Reject => proposals::reject(opened, call),
        RouteVerb::Status => about::status(opened, call),
        // Answered above, or by the router.
        RouteVerb::Health
        | RouteVerb::Ready
        | RouteVerb::Version
        | RouteVerb::OpenApi
        | RouteVerb::Docs
        | RouteVerb::Metrics
        | RouteVerb::Agents
        | RouteVerb::Events
        | RouteVerb::Mcp => Err(Problem::new(Code::RouteUnknown, "There is no such route.")),
    }
}
