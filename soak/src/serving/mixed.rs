//! Many requests of every kind, and streams of events that come and go: nothing is left of them in the server.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use inwit_testkit::Chance;
use inwit_testkit::http_client::HttpClient;
use serde_json::json;

use super::{Server, token};
use crate::{Home, Plan, Report};

/// Clients at the same time.
const CLIENTS: u64 = 8;

/// One request in so many is a stream of events that its client leaves.
const STREAM_EACH: usize = 200;

/// Most further descriptors after the last request.
const DESCRIPTORS_MORE_MAX: usize = 16;

/// Most further memory between the first quarter of the requests and the last one, in MB.
const MEMORY_MORE_MB_MAX: u64 = 48;

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let notes: String = (0..200)
        .map(|note| format!("//- notes/{note}.md\n# Note {note}\n\n- Bread {note} rises in the oven.\n"))
        .collect();
    let home = Home::new("openclaw", &format!("//- SOUL.md\nI am Ada.\n{notes}"));
    let owner = token(plan, &home.place, "approve");
    let server = Server::start(plan, &home.place);
    let client = server.client.token(&owner);
    let (streams, failed) = (AtomicU32::new(0), AtomicU32::new(0));
    let quarter = |seed: u64| {
        thread::scope(|scope| {
            for who in 0..CLIENTS {
                let (client, streams, failed) = (&client, &streams, &failed);
                let mut chance = Chance::of(plan.seed + seed * CLIENTS + who);
                scope.spawn(move || {
                    for at in 0..u64::from(plan.cases) / 4 / CLIENTS {
                        let status = one(client, &mut chance, &format!("{seed}-{who}-{at}"), streams);
                        if !matches!(status, 200 | 304) {
                            failed.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
    };
    quarter(0);
    let (memory, descriptors) = (server.memory_mb(), server.descriptors());
    (1..4).for_each(quarter);
    let (after, left) = (server.memory_mb(), server.descriptors());
    let failed = failed.into_inner();
    report.holds(failed == 0, || format!("{failed} requests failed"));
    report.holds(left <= descriptors + DESCRIPTORS_MORE_MAX, || {
        format!("{descriptors} descriptors became {left}")
    });
    report.holds(after <= memory + MEMORY_MORE_MB_MAX, || format!("{memory} MB became {after} MB"));
    report.figure("streams of events that were left", streams.into_inner());
    report.figure("descriptors after a quarter / at the end", format!("{descriptors} / {left}"));
    report.figure("memory after a quarter / at the end", format!("{memory} / {after} MB"));
    report
}

/// One request; its status.
fn one(client: &HttpClient, chance: &mut Chance, name: &str, streams: &AtomicU32) -> u16 {
    const AGENT: &str = "/v1/agents/main";
    if chance.below(STREAM_EACH) == 0 {
        streams.fetch_add(1, Ordering::Relaxed);
        return client.head(&format!("{AGENT}/events?after=0")).status;
    }
    let note = chance.below(200);
    match chance.below(20) {
        0 => client.get(&format!("{AGENT}/search?q=bread+{note}")).status,
        1 => client.get(&format!("{AGENT}/prompt")).status,
        2 => client.get(&format!("{AGENT}/lines/notes/{note}.md")).status,
        3 => client.get(&format!("{AGENT}/files")).status,
        4 if chance.below(10) == 0 => {
            client.post(&format!("{AGENT}/journal"), &json!({ "text": format!("Said {name}.") })).status
        }
        5 => client.get(&format!("{AGENT}/proposals")).status,
        _ => client.get(&format!("{AGENT}/files/notes/{note}.md")).status,
    }
}
