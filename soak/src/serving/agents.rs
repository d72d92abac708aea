//! Many agents behind one server, of which a few are used: its memory, and the first search of one that was not open.

use inwit_testkit::{Chance, fixture};

use super::{Server, p99_ms, timed, token};
use crate::{Home, Plan, Report};

/// Notes of each agent.
const NOTES: usize = 100;

/// One agent in so many is in use.
const HOT_EACH: u32 = 20;

/// Requests to the agents in use.
const REQUESTS: usize = 2_000;

/// Most memory of the server, in MB.
const MEMORY_MB_MAX: u64 = 400;

/// Agents whose first search is measured.
const COLD: u32 = 500;

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let home = Home::new("openclaw", "//- SOUL.md\nI am Ada.\n");
    let folder = home.place.root().join("inwit/agents");
    for agent in 0..plan.cases {
        let own = folder.join(format!("a{agent}"));
        fixture::put(&own, "agent.toml", b"profile = \"openclaw\"\ntimezone = \"UTC\"\n");
        for note in 0..NOTES {
            let text = format!("# Note {note}\n\n- Agent {agent} keeps bread {note} in the oven.\n");
            fixture::put(&own.join("workspace"), &format!("notes/{note}.md"), text.as_bytes());
        }
    }
    let reader = token(plan, &home.place, "approve");
    let search = |server: &Server, agent: u32| {
        let client = server.client.token(&reader);
        timed(|| client.get(&format!("/v1/agents/a{agent}/search?q=bread+{}", agent % 100)))
    };
    // The first search of all builds the index.
    {
        let server = Server::start(plan, &home.place);
        for agent in 0..plan.cases {
            let (_, answer) = search(&server, agent);
            report.holds(answer.status == 200, || format!("agent {agent}: {}", answer.text()));
        }
        report.figure("memory after each was open once", format!("{} MB", server.memory_mb()));
    }
    let server = Server::start(plan, &home.place);
    let mut chance = Chance::of(plan.seed);
    let hot = (plan.cases / HOT_EACH).max(1);
    let mut warm: Vec<_> =
        (0..REQUESTS).map(|_| search(&server, chance.below(hot as usize) as u32).0).collect();
    let mut cold: Vec<_> =
        (hot..plan.cases).take(COLD as usize).map(|agent| search(&server, agent).0).collect();
    let memory = server.memory_mb();
    report.holds(memory <= MEMORY_MB_MAX, || format!("the server took {memory} MB"));
    report.figure("agents in use", hot);
    report.figure("memory", format!("{memory} MB"));
    report.figure("search of one in use, p99", format!("{:.1} ms", p99_ms(&mut warm)));
    report.figure("first search of another, p99", format!("{:.1} ms", p99_ms(&mut cold)));
    report
}
