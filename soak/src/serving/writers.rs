//! A hundred writers over one version of a file, most over HTTP and some by command: one wins in each round.

use std::ffi::OsStr;
use std::sync::Barrier;
use std::thread;

use super::{Server, token};
use crate::child::inwit;
use crate::{Home, Plan, Report};

/// Writers over HTTP.
const CLIENTS: usize = 90;

/// Writers by command.
const COMMANDS: usize = 10;

/// The file.
const FILE: &str = "notes/race.md";

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let home = Home::new("openclaw", "//- SOUL.md\nI am Ada.\n//- notes/race.md\nstart\n");
    let owner = token(plan, &home.place, "approve");
    let server = Server::start(plan, &home.place);
    let client = server.client.token(&owner);
    let path = format!("/v1/agents/main/files/{FILE}");
    let mut by_command = 0;
    for round in 0..plan.cases {
        let etag = client.get(&path).etag();
        let start = Barrier::new(CLIENTS + COMMANDS);
        let (statuses, commands) = thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS)
                .map(|who| {
                    let (client, path, etag, start) = (&client, &path, &etag, &start);
                    scope.spawn(move || {
                        start.wait();
                        client.put(path, &format!("round {round} client {who}\n"), Some(etag)).status
                    })
                })
                .collect();
            let commands: Vec<_> = (0..COMMANDS)
                .map(|who| {
                    let (place, start) = (&home.place, &start);
                    let base = etag.trim_matches('"').to_owned();
                    let draft = place.root().join(format!("draft-{who}"));
                    inwit_testkit::fixture::put(
                        place.root(),
                        &format!("draft-{who}"),
                        format!("round {round} command {who}\n").as_bytes(),
                    );
                    scope.spawn(move || {
                        start.wait();
                        let draft = draft.as_os_str();
                        let words: [&OsStr; 6] = [
                            "edit".as_ref(),
                            FILE.as_ref(),
                            "--content-from".as_ref(),
                            draft,
                            "--base".as_ref(),
                            base.as_ref(),
                        ];
                        inwit(&plan.program, place, &words).status.code()
                    })
                })
                .collect();
            let statuses: Vec<u16> = clients.into_iter().map(|one| one.join().expect("an answer")).collect();
            let commands: Vec<_> = commands.into_iter().map(|one| one.join().expect("it ends")).collect();
            (statuses, commands)
        });
        let won = statuses.iter().filter(|status| **status == 200).count();
        let written = commands.iter().filter(|code| **code == Some(0)).count();
        by_command += written;
        report
            .holds(won + written == 1, || format!("round {round}: {won} clients and {written} commands won"));
        let are_told = statuses.iter().all(|status| matches!(status, 200 | 412))
            && commands.iter().all(|code| matches!(code, Some(0 | 4)));
        report.holds(are_told, || format!("round {round}: {statuses:?} {commands:?}"));
    }
    report.figure("writers", CLIENTS + COMMANDS);
    report.figure("rounds won by a command", by_command);
    report
}
