//! Nothing private shows: two homes that differ in private files alone give the same bytes (H-01, H-02).
//!
//! Each case is a pair, asked through every tool of a set, resources and prompts: answers, texts, errors,
//! counts. What is asked goes into search, prompt, reading, self reports and writing below.

use inwit_engine::Agent;
use inwit_engine::self_report::Whereabouts;
use inwit_mcp::{Connection, prompts, resources};
use inwit_model::Scope;
use inwit_testkit::Twins;
use inwit_testkit::twins::plain;
use inwit_wire::tools::{self, Set};
use serde_json::Map;

use crate::{Plan, Report};

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let mut answers = 0;
    for case in 0..u64::from(plan.cases) {
        // Every other pair is asked through our own tools.
        let set = if case % 2 == 0 { Set::Default } else { Set::ALL[case as usize / 2 % Set::ALL.len()] };
        answers += pair(plan.seed + case, set, &mut report);
    }
    report.figure("answers compared", answers);
    report.figure("differing", report.violations.len());
    report
}

/// Compares one pair; gives how many answers were compared.
fn pair(seed: u64, set: Set, report: &mut Report) -> usize {
    let mut twins = Twins::of(seed);
    let asked: Vec<_> = tools::all()
        .filter(|tool| tool.set == set)
        .map(|tool| (tool.name, twins.arguments(tool.name).as_object().cloned().unwrap_or_default()))
        .collect();
    let uri = format!("mem://ada/{}", twins.private_name());
    let scope = twins.scope.clone();
    let [left, right] = twins.agents.map(|agent| connection(agent, &scope, set));
    for (tool, sent) in &asked {
        let [one, two] = [&left, &right].map(|home| plain(&format!("{:?}", home.call(tool, sent))));
        report.holds(one == two, || format!("seed {seed}: {tool} {sent:?}: {one} is not {two}"));
    }
    let [one, two] = [&left, &right].map(|home| lent(home, &uri));
    report.holds(one == two, || format!("seed {seed}: {uri}: {one} is not {two}"));
    asked.len() + 1
}

fn connection(agent: Agent, scope: &Scope, set: Set) -> Connection {
    let whereabouts = Whereabouts { agent_id: "ada".into(), model: None, workspace_dir: "/srv/ada".into() };
    Connection { sets: vec![set], ..Connection::new(agent, whereabouts, scope.clone()) }
}

/// Everything that is lent beside tools.
fn lent(home: &Connection, uri: &str) -> String {
    let read = ["mem://ada/memory/2026-11-21", "mem://ada/context-report", uri]
        .map(|uri| resources::read(home, uri));
    let orient = prompts::get(home, "orient", &Map::new());
    let about = (prompts::instructions(home), prompts::list(home), resources::list(home, None));
    format!("{read:?} {orient:?} {about:?}")
}
