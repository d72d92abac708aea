//! `inwit bench week`: a made week through the real hooks, and what it says of them.

use serde_json::{Value, json};

use crate::user;

const AGENT: &str = "Integration tests use Postgres on port 5433, because 5432 belongs to the shared server.";

/// A week of two projects, and two probes.
fn week() -> inwit_testkit::Cli {
    let turn = |user: &str, agent: &str| json!({"user": user, "agent": agent, "minutes": 1});
    let session = |id: &str, project: &str, start: &str, turns: Vec<Value>, gist: &str| {
        json!({"id": id, "project": project, "start": start, "turns": turns, "gist": [gist]}).to_string()
    };
    let shop = vec![turn("why do the integration tests fail", AGENT)];
    let fleet = vec![turn("deploy it", "Deployed fleet to the staging host with the blue script.")];
    let again = vec![turn("thanks", "You are welcome.")];
    let sessions = [
        session("c01", "shop", "2026-03-02T09:00", shop, "5433"),
        session("c02", "fleet", "2026-03-02T10:00", fleet, "blue script"),
        session("c03", "shop", "2026-03-03T09:00", again, "welcome"),
    ];
    let probes = [
        json!({"id": "A1", "project": "shop", "kind": "direct", "prompt": "which port do the integration tests use for Postgres?", "evidence": [["5433"]]}),
        json!({"id": "A2", "project": "shop", "kind": "none", "prompt": "zebra umbrella kaleidoscope"}),
    ];
    let probes = probes.map(|probe| probe.to_string()).join("\n");
    user()
        .write("tmp/here", "")
        .write("week/sessions.jsonl", &sessions.join("\n"))
        .write("week/probes-a.jsonl", &probes)
}

#[test]
fn a_week_is_replayed_through_the_hooks_and_its_figures_are_printed() {
    let cli = week();
    let folder = cli.home("week").display().to_string();
    let told = cli.run(["bench", "week", &folder, "--json"]).exits(0).json();
    let share = |name: &str| {
        let shares = told["shares"].as_array().expect("shares");
        let share = shares.iter().find(|share| share["name"] == name).expect("a share");
        (share["count"].as_u64().expect("a count"), share["of"].as_u64().expect("a count"))
    };
    assert_eq!((told["sessions"].as_u64(), told["prompts"].as_u64()), (Some(3), Some(3)), "{told}");
    assert_eq!(share("evidence"), (1, 1), "{told}");
    assert_eq!(share("noise"), (0, 1), "{told}");
    assert_eq!(share("newest session in the context"), (1, 1), "c03 begins where c01 ended: {told}");
    let hooks = told["milliseconds"].as_object().expect("times");
    assert_eq!(hooks.len(), 4, "{told}");
    cli.run(["bench", "week", &folder]).mentions("evidence: direct").mentions("1/1").exits(0);
    // Nothing of the user's own home was made.
    assert!(!cli.home(".local/share/inwit").exists() && !cli.home("inwit").exists());
}

#[test]
fn a_line_that_is_no_session_is_named() {
    let cli = week().write("week/sessions.jsonl", "{\"id\": \"c01\"}\n");
    let folder = cli.home("week").display().to_string();
    cli.run(["bench", "week", &folder]).mentions("line 1").mentions("sessions.jsonl").exits(1);
}

#[test]
fn a_process_begins_at_the_time_that_its_clock_is_set_to() {
    let cli = user().env("INWIT_CLOCK", "2031-05-06T07:08:09Z");
    cli.run(["init", "--timezone", "UTC"]).exits(0);
    cli.run(["prompt"]).mentions("Today is Tuesday, 6 May 2031 (UTC).");
    let cli = cli.env("INWIT_CLOCK", "noon");
    cli.run(["prompt"]).mentions("INWIT_CLOCK: cannot parse `noon` as a time").mentions("hint").exits(2);
}
