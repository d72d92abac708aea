//! Many processes that write one daily log: every entry is there, whole, and once.
//!
//! Each process is an agent of its own over the same home, with its own session in one room, and notes
//! entries as an agent does. One that is told to come again does. Invariant counted here: an entry that
//! was acknowledged stands in the log, on lines of its own.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use inwit_engine::sessions::session::{Message, Start, Turn, Wish};
use inwit_engine::{Agent, Outcome};
use inwit_model::{Code, RoomId, Scope, SessionId};
use inwit_workspace::{RealStopwatch, Stopwatch as _};

use crate::child::Child;
use crate::{Home, Place, Plan, Report};

/// Processes that write at once.
const WRITERS: u32 = 16;

/// Entries of one process in one log; then all go on in the next, since a log is read whole at each entry.
const ENTRIES_PER_LOG: u64 = 25;

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let home = Home::fast("openclaw", "//- SOUL.md\nI am Ada.\n");
    let start =
        |who: u32| Child::start(&plan.program, "appender", &home.place, &[who.into(), plan.cases.into()]);
    let mut writers: Vec<Child> = (0..WRITERS).map(start).collect();
    for writer in &mut writers {
        report.holds(writer.answer().as_deref() == Some("READY"), || "a writer did not open".to_owned());
    }
    let began = RealStopwatch.elapsed();
    writers.iter_mut().for_each(|writer| writer.tell("go"));
    let mut again = 0;
    for writer in writers {
        for line in writer.until_it_ends() {
            match line.strip_prefix("AGAIN ").map(str::parse::<u64>) {
                Some(Ok(times)) => again += times,
                _ => report.broke(line),
            }
        }
    }
    let took = RealStopwatch.elapsed().saturating_sub(began);
    judge(&home.place, plan, &mut report);
    report.figure("processes", WRITERS);
    report.figure("writers asked to retry", again);
    report.figure("entries a second", format!("{:.0}", f64::from(plan.cases * WRITERS) / took.as_secs_f64()));
    report
}

fn judge(place: &Place, plan: &Plan, report: &mut Report) {
    let below = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    // Over midnight a room has two of them.
    for log in below(&place.workspace().join("memory/rooms")).flat_map(|room| below(&room)) {
        let text = std::fs::read_to_string(log).expect("UTF-8");
        for line in text.lines().filter(|line| line.contains("entry")) {
            *seen.entry(line.to_owned()).or_default() += 1;
        }
    }
    for who in 0..u64::from(WRITERS) {
        for number in 0..u64::from(plan.cases) {
            let count = seen.remove(&line(who, number)).unwrap_or(0);
            report.holds(count == 1, || format!("`{}` stands {count} times in the log", line(who, number)));
        }
    }
    for torn in seen.keys() {
        report.broke(format!("a line is torn: `{torn}`"));
    }
}

fn line(who: u64, number: u64) -> String {
    format!("writer {who}, entry {number}, from its first word to its last.")
}

/// What a child does: notes entries in the room, coming again where it is told to.
pub fn play(place: &Place, numbers: &[u64]) {
    let [who, count] = numbers else { panic!("an appender wants its number and how many entries") };
    let agent = place.open().agent;
    say("READY");
    let mut go = String::new();
    std::io::stdin().read_line(&mut go).expect("a parent");
    let mut again = 0_u64;
    let mut session = None;
    for number in 0..*count {
        if number.is_multiple_of(ENTRIES_PER_LOG) {
            session = Some(begin(&agent, number / ENTRIES_PER_LOG));
        }
        let session = session.as_ref().expect("begun");
        let turn = Turn {
            user: Message { is_owner: Some(true), ..Message::default() },
            wishes: vec![Wish::Journal { text: line(*who, number) }],
            ..Turn::default()
        };
        loop {
            let turned = agent.sessions.session_turn(session, &turn).map(|turned| turned.wished);
            match turned.as_deref() {
                Ok([Ok(Outcome::Applied { .. })]) => break,
                Ok([Err(error)]) | Err(error) if matches!(error.code, Code::Stale | Code::Locked) => {
                    again += 1
                }
                other => return say(&format!("writer {who}, entry {number}: {other:?}")),
            }
        }
    }
    say(&format!("AGAIN {again}"));
}

/// A conversation in the room whose log everybody writes now.
fn begin(agent: &Agent, room: u64) -> SessionId {
    let room = format!("hall-{room}");
    let start = Start {
        session: None,
        surface: "hook".into(),
        scope: Scope::Room(RoomId::parse(&room).expect("a room")),
        room: Some(room),
        user: Some("ana".into()),
        agents: Vec::new(),
        project: None,
    };
    agent.sessions.session_start(&start).expect("a session").session.start.id
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
