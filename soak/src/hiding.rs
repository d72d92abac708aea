//! Nothing private shows: two homes that differ in private files, sessions, facts, proposals, ratings and
//! commits alone give the same bytes.
//!
//! Each case is a pair, asked in a room, as a stranger, as a subagent or on a schedule, through every tool of a
//! set, resources, prompts, `why-not` and a session of its own: answers, texts, errors, counts. What is asked goes
//! into search, prompt, reading, self reports and writing below.

use std::path::Path;
use std::sync::Arc;

use inwit_engine::notes::why_not::WhyNot;
use inwit_engine::self_report::Whereabouts;
use inwit_engine::sessions::session::{Message, Start, Turn, Wish};
use inwit_engine::{Agent, SessionLogs};
use inwit_mcp::{Connection, prompts, resources};
use inwit_model::{Scope, SessionId};
use inwit_testkit::twins::OnDisk;
use inwit_testkit::{FakeClock, NOW, Twins};
use inwit_wire::in_voice;
use inwit_wire::session::{BeganV1, EndedV1, TurnedV1};
use inwit_wire::tools::{self, Set};
use inwit_workspace::Transcripts;
use serde_json::{Map, json};

use crate::{Plan, Report};

/// One pair in so many keeps a history in git, which takes a hundred times as long to make.
const HISTORY_EACH: u64 = 100;

/// One pair in so many keeps transcripts.
const TRANSCRIPTS_EACH: u64 = 5;

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let mut answers = 0;
    for case in 0..u64::from(plan.cases) {
        // Every other pair is asked through our own tools.
        let set = if case % 2 == 0 { Set::Default } else { Set::ALL[case as usize / 2 % Set::ALL.len()] };
        let on_disk = match case {
            case if case % HISTORY_EACH == 0 => OnDisk::History,
            case if case % TRANSCRIPTS_EACH == 0 => OnDisk::Transcripts,
            _ => OnDisk::Nothing,
        };
        answers += pair(plan.seed + case, on_disk, set, &mut report);
    }
    report.figure("answers compared", answers);
    report.figure("differing", report.violations.len());
    report
}

/// Compares one pair; gives how many answers were compared.
fn pair(seed: u64, on_disk: OnDisk, set: Set, report: &mut Report) -> usize {
    let mut twins = Twins::keeping(seed, on_disk);
    let asked: Vec<_> = tools::all()
        .filter(|tool| tool.set == set)
        .map(|tool| (tool.name, twins.arguments(tool.name).as_object().cloned().unwrap_or_default()))
        .collect();
    let uri = format!("mem://ada/{}", twins.private_name());
    let (scope, word) = (twins.scope.clone(), twins.word());
    let [left, right] = twins.agents;
    let logs = twins.transcripts.as_ref().map(|folders| folders.each_ref().map(|folder| logs(folder)));
    let [one, two] = logs.map_or([None, None], |logs| logs.map(Some));
    let homes = [connection(left, one, &scope, set), connection(right, two, &scope, set)];
    let mut compared = 0;
    let mut same = |what: &str, ask: &dyn Fn(&Connection) -> String| {
        compared += 1;
        twins.entropy.iter().for_each(|entropy| entropy.start_again(seed));
        let [one, two] = homes.each_ref().map(ask);
        report
            .holds(one == two, || format!("seed {seed} {on_disk:?} {scope}: {what}: {}", apart(&one, &two)));
    };
    for (tool, sent) in &asked {
        same(&format!("{tool} {sent:?}"), &|home| format!("{:?}", home.call(tool, sent)));
    }
    same(&uri, &|home| lent(home, &uri));
    same("why-not", &|home| {
        let asked = WhyNot { text: word, query: Some("bread"), scope: &scope, limit: 5 };
        format!("{:?}", home.agent.notes.why_not(&asked))
    });
    same("a session", &|home| spoken(&home.agent, &scope, word));
    // What was written by the listener itself is seen by both.
    same("the list after it", &|home| format!("{:?}", home.call("session_logs", &Map::new())));
    compared
}

/// Both answers from where they differ, with what stands before it.
fn apart(one: &str, two: &str) -> String {
    const BEFORE: usize = 120;
    const SHOWN: usize = 300;
    let same = one.chars().zip(two.chars()).take_while(|(one, two)| one == two).count();
    let shown = |text: &str| text.chars().skip(same.saturating_sub(BEFORE)).take(SHOWN).collect::<String>();
    format!("{} IS NOT {}", shown(one), shown(two))
}

fn logs(folder: &Path) -> SessionLogs {
    let transcripts = Transcripts::open(folder).expect("opened");
    SessionLogs::new(transcripts, "ada", None, Arc::new(FakeClock::at(NOW)))
}

fn connection(agent: Agent, logs: Option<SessionLogs>, scope: &Scope, set: Set) -> Connection {
    let whereabouts = Whereabouts { agent_id: "ada".into(), model: None, workspace_dir: "/srv/ada".into() };
    Connection { sets: vec![set], logs, ..Connection::new(agent, whereabouts, scope.clone()) }
}

/// A whole session of the listener: how it begins, one turn with two wishes, how it ends.
fn spoken(agent: &Agent, scope: &Scope, word: &str) -> String {
    let id = SessionId::parse("heard").expect("an id");
    let start = Start {
        session: Some(id.clone()),
        surface: "http".into(),
        scope: scope.clone(),
        room: None,
        user: None,
        agents: Vec::new(),
        project: None,
    };
    let text = format!("{word} for everybody");
    let wishes = vec![
        Wish::Remember { text: text.clone(), file: None, section: None, reason: String::new() },
        Wish::Journal { text: text.clone() },
    ];
    let turn = Turn {
        user: Message { text, ..Message::default() },
        reply: "Yes.".into(),
        wishes,
        ..Turn::default()
    };
    // As a host is told.
    in_voice(
        |_| "What to do.",
        || {
            let began = agent.sessions.session_start(&start).map(|began| json!(BeganV1::from(&began)));
            let turned = agent.sessions.session_turn(&id, &turn).map(|turned| json!(TurnedV1::from(&turned)));
            let ended = agent.sessions.session_end(&id).map(|ended| json!(EndedV1::from(&ended)));
            format!("{began:?} {turned:?} {ended:?}")
        },
    )
}

/// Everything that is lent beside tools.
fn lent(home: &Connection, uri: &str) -> String {
    let read = ["mem://ada/memory/2026-11-21", "mem://ada/context-report", uri]
        .map(|uri| resources::read(home, uri));
    let orient = prompts::get(home, "orient", &Map::new());
    let about = (prompts::instructions(home), prompts::list(home), resources::list(home, None));
    format!("{read:?} {orient:?} {about:?}")
}
