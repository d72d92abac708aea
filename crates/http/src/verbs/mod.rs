//! The operations, by the verb of their route.
//!
//! Each is short: values out of the call, an operation of the engine, a shape of `wire`.

mod about;
mod dreams;
mod entities;
mod facts;
mod files;
mod history;
mod jobs;
mod learning;
mod memory;
mod memory_stores;
mod minara;
mod minara_memory;
mod minara_profile;
mod mindroom;
mod profile;
mod proposals;
mod reading;
mod sessions;
mod settings;
mod tokens;
mod transcripts;

use std::sync::Arc;

use inwit_gate::MethodStep;
use inwit_home::OpenAgent;
use inwit_model::Code;
use inwit_wire::routes::RouteVerb;

use crate::call::Call;
use crate::exchange;
use crate::problem::Problem;
use crate::repeated;
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
        RouteVerb::Stores => memory_stores::stores(served, call),
        RouteVerb::AgentCreate => settings::create(served, call),
        RouteVerb::Settings => settings::list(served, call),
        RouteVerb::Tokens => tokens::list(served, call),
        RouteVerb::TokenCreate => tokens::create(served, call),
        RouteVerb::TokenRotate => tokens::rotate(served, call),
        RouteVerb::TokenRevoke => tokens::revoke(served, call),
        verb => {
            let _busy = served.upkeep.call();
            let opened = open(served, call)?;
            let answered = match call.route.takes_a_key() {
                true => repeated::once(&opened, call, || of_agent(served, verb, &opened, call)),
                false => of_agent(served, verb, &opened, call),
            };
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
    served.upkeep.asked(&id);
    exchange::note(|known| known.agent = Some(id.to_string()));
    Ok(opened)
}

fn of_agent(served: &Served, verb: RouteVerb, opened: &Arc<OpenAgent>, call: &Call) -> Answered {
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
        RouteVerb::FactChange => facts::change(opened, call),
        RouteVerb::FactEdges => entities::edges(opened, call),
        RouteVerb::Entities => entities::top(opened, call),
        RouteVerb::Entity => entities::around(opened, call),
        RouteVerb::Profile => profile::read(opened, call),
        RouteVerb::ProfileSet => profile::set(opened, call),
        RouteVerb::ProfileUnset => profile::unset(opened, call),
        RouteVerb::Methods => learning::methods(opened, call),
        RouteVerb::Method => learning::method(opened, call),
        RouteVerb::MethodAdd => learning::add_method(opened, call),
        RouteVerb::MethodGraduate => learning::step(opened, call, MethodStep::Graduate),
        RouteVerb::MethodQuarantine => learning::step(opened, call, MethodStep::Quarantine),
        RouteVerb::MethodArchive => learning::step(opened, call, MethodStep::Archive),
        RouteVerb::MethodRestore => learning::step(opened, call, MethodStep::Restore),
        RouteVerb::Decisions => learning::decisions(opened, call),
        RouteVerb::Decide => learning::decide(opened, call),
        RouteVerb::DecisionClose => learning::close(opened, call),
        RouteVerb::Outcome => learning::outcome(opened, call),
        RouteVerb::Roles => learning::roles(opened, call),
        RouteVerb::RoleSet => learning::set_role(opened, call),
        RouteVerb::Preferences => learning::preferences(opened, call),
        RouteVerb::Observe => learning::observe(opened, call),
        RouteVerb::PreferenceActivate => learning::activate(opened, call),
        RouteVerb::PreferenceReject => learning::reject(opened, call),
        RouteVerb::PreferenceArchive => learning::archive(opened, call),
        RouteVerb::Transcripts => transcripts::list(opened, call),
        RouteVerb::TranscriptSearch => transcripts::search(opened, call),
        RouteVerb::Transcript => transcripts::read(opened, call),
        RouteVerb::Dreams => dreams::log(opened, call),
        RouteVerb::DreamStart => jobs::dream(served, opened, call),
        RouteVerb::DreamStatus => dreams::status(opened),
        RouteVerb::DreamWhy => dreams::why(opened, call),
        RouteVerb::DreamQuarantine => dreams::quarantine(opened),
        RouteVerb::DreamClear => dreams::clear(opened, call),
        RouteVerb::DreamRevert => dreams::revert(opened, call),
        RouteVerb::Jobs => jobs::list(served, opened),
        RouteVerb::Job => jobs::show(served, opened, call),
        RouteVerb::Backups => jobs::made(served, opened),
        RouteVerb::BackupStart => jobs::backup(served, opened),
        RouteVerb::SettingSet => settings::set(served, opened, call),
        RouteVerb::SettingUnset => settings::unset(served, opened, call),
        RouteVerb::Diff => history::diff(opened, call),
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
        RouteVerb::Store => memory_stores::store(served, opened, call),
        RouteVerb::StoredMemories => memory_stores::list(opened, call),
        RouteVerb::StoredMemoryCreate => memory_stores::create(served, opened, call),
        RouteVerb::StoredMemory => memory_stores::read(opened, call),
        RouteVerb::StoredMemoryChange => memory_stores::change(served, opened, call),
        RouteVerb::StoredMemoryRemove => memory_stores::remove(served, opened, call),
        RouteVerb::StoredVersions => memory_stores::versions(opened, call),
        RouteVerb::StoredVersion => memory_stores::version(opened, call),
        RouteVerb::MinaraMemories => minara_memory::list(opened, call),
        RouteVerb::MinaraMemoryAdd => minara_memory::add(opened, call),
        RouteVerb::MinaraMemoryChange => minara_memory::change(opened, call),
        RouteVerb::MinaraMemoryRemove => minara_memory::remove(opened, call),
        RouteVerb::MinaraMemoryRestore => minara_memory::restore(opened, call),
        RouteVerb::MinaraProfile => minara_profile::read(opened, call),
        RouteVerb::MinaraProfileWrite => minara_profile::write(opened, call),
        RouteVerb::MinaraProfileRemove => minara_profile::remove(opened, call),
        RouteVerb::MinaraTag => minara_profile::tag(opened, call),
        RouteVerb::MinaraPrompt => minara_profile::prompt(opened, call),
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
        | RouteVerb::Stores
        | RouteVerb::AgentCreate
        | RouteVerb::Settings
        | RouteVerb::Tokens
        | RouteVerb::TokenCreate
        | RouteVerb::TokenRotate
        | RouteVerb::TokenRevoke
        | RouteVerb::Events
        | RouteVerb::Mcp => Err(Problem::new(Code::RouteUnknown, "There is no such route.")),
    }
}
