//! A server that is killed while it is written to loses nothing that it acknowledged.

use std::thread;
use std::time::Duration;

use inwit_model::Sha256;
use inwit_testkit::Chance;
use inwit_workspace::{RealStopwatch, Stopwatch as _};
use serde_json::json;

use super::{Server, token};
use crate::kills::After;
use crate::{Home, Place, Plan, Report};

/// Clients that write at the same time.
const CLIENTS: u32 = 8;

/// Writes of one client in a round.
const WRITES: u32 = 25;

/// Longest time until the server is killed, in microseconds.
const LIFE_US_MAX: usize = 400_000;

/// Rounds of one home, before the next one begins anew.
const ROUNDS_PER_HOME: u32 = 20;

/// What the server acknowledged.
enum Acknowledged {
    /// A new file with this content.
    File(String, String),
    /// An entry of today's log.
    Entry(String),
}

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let mut chance = Chance::of(plan.seed);
    let (mut acknowledged, mut unanswered) = (0, 0);
    let mut home = None;
    for round in 0..plan.cases {
        let (place, owner) = match home.take() {
            Some((home, owner)) if round % ROUNDS_PER_HOME > 0 => (home, owner),
            _ => {
                let fresh = Home::new("openclaw", "//- SOUL.md\nI am Ada.\n");
                let owner = token(plan, &fresh.place, "approve");
                (fresh, owner)
            }
        };
        let done = one_round(plan, &place.place, &owner, round, &mut chance);
        acknowledged += done.iter().filter(|one| one.is_some()).count();
        unanswered += done.iter().filter(|one| one.is_none()).count();
        let case = format!("round {round}");
        After::of(&place.place).judge(&case, &[], &mut report);
        judge(&place.place, &case, done.iter().flatten(), &mut report);
        home = Some((place, owner));
    }
    report.holds(acknowledged > plan.cases as usize, || {
        format!("only {acknowledged} writes were acknowledged")
    });
    report.figure("acknowledged writes", acknowledged);
    report.figure("without an answer", unanswered);
    report
}

/// Writes until the server is killed; what it acknowledged, and `None` for each write without an answer.
fn one_round(
    plan: &Plan,
    place: &Place,
    owner: &str,
    round: u32,
    chance: &mut Chance,
) -> Vec<Option<Acknowledged>> {
    let mut server = Server::start(plan, place);
    let client = server.client.token(owner);
    // The first answer opens the agent.
    client.get("/v1/agents/main/files");
    let life = Duration::from_micros(chance.below(LIFE_US_MAX) as u64);
    thread::scope(|scope| {
        let writers: Vec<_> = (0..CLIENTS)
            .map(|who| {
                let client = client.clone();
                scope.spawn(move || {
                    let mut done = Vec::new();
                    for write in 0..WRITES {
                        let text = format!("round {round} client {who} write {write}.");
                        let (answer, what) = match write % 2 {
                            0 => {
                                let name = format!("notes/{round}-{who}-{write}.md");
                                let path = format!("/v1/agents/main/files/{name}");
                                let new =
                                    client.with("If-None-Match", "*").with("Content-Type", "text/markdown");
                                (new.attempt("PUT", &path, text.as_bytes()), Acknowledged::File(name, text))
                            }
                            _ => {
                                let json = client.with("Content-Type", "application/json");
                                let body = json!({ "text": text }).to_string();
                                let path = "/v1/agents/main/journal";
                                (json.attempt("POST", path, body.as_bytes()), Acknowledged::Entry(text))
                            }
                        };
                        let Some(answer) = answer else { break };
                        if answer.status != 0 {
                            assert_eq!(answer.status, 200, "a write is refused: {}", answer.text());
                            assert_eq!(answer.json()["outcome"], "applied");
                        }
                        done.push((answer.status == 200).then_some(what));
                    }
                    done
                })
            })
            .collect();
        RealStopwatch.wait(life);
        server.kill();
        writers.into_iter().flat_map(|writer| writer.join().expect("it ends")).collect()
    })
}

/// Each acknowledged write is on the disk, whole, and an entry once.
fn judge<'a>(place: &Place, case: &str, done: impl Iterator<Item = &'a Acknowledged>, report: &mut Report) {
    let folder = place.workspace().join("memory");
    let logs = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let logs: String = logs.filter_map(|log| std::fs::read_to_string(log.path()).ok()).collect();
    for one in done {
        match one {
            Acknowledged::File(name, text) => {
                let there = std::fs::read(place.workspace().join(name)).map(|bytes| Sha256::of(&bytes)).ok();
                report
                    .holds(there == Some(Sha256::of(text.as_bytes())), || format!("{case}: {name} is lost"));
            }
            Acknowledged::Entry(text) => {
                let count = logs.matches(text.as_str()).count();
                report.holds(count == 1, || format!("{case}: `{text}` stands {count} times"));
            }
        }
    }
}
