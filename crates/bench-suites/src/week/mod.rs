//! `inwit bench week`: a generated week of a coding agent or a personal one, replayed through the real hooks and MCP.
//!
//! Reading order: [`data`] (a week), [`host`] (a host that replays it), [`shown`] (the text shown to the agent),
//! [`judge`] (whether it helps). Invariant: the program runs as a host runs it, one process per event, in its own
//! home; nothing of the user's home is read.

pub mod data;
pub mod host;
pub mod judge;
pub mod report;
pub mod shown;

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use inwit_home::HomeError;
use jiff::ToSpan as _;
use jiff::civil::DateTime;

use self::data::{Probe, Week};
use self::host::Host;
use self::judge::{Judge, Judged};

/// Replays `week` with `program` and then asks its probes; `watch` receives the number of finished sessions and
/// probes, and the total. Errors: those of starting the program and of writing its home.
pub fn replay(program: &Path, week: &Week, watch: &mut dyn FnMut(usize, usize)) -> Result<Judged, HomeError> {
    let mut host = Host::new(program)?;
    let mut judge = Judge::new(week, &host.template_lines()?);
    let all = week.sessions.len() + week.probes.len();
    let mut newest: HashMap<&str, usize> = HashMap::new();
    for (at, session) in week.sessions.iter().enumerate() {
        let before = newest.insert(session.project.as_str(), at).map(|before| &week.sessions[before]);
        let mut talk = host.begin(&session.id, &session.project, session.start)?;
        judge.session_began(before, talk.pack());
        let mut now = session.start;
        for (number, turn) in session.turns.iter().enumerate() {
            let injected = talk.prompt(now, &turn.user)?;
            judge.prompted(&turn.user, talk.pack(), &injected);
            now = later(now, turn.minutes);
            for keep in session.keeps.iter().filter(|keep| keep.turn == number + 1) {
                talk.remember(now, &keep.text)?;
            }
            talk.reply(now, turn)?;
            now = later(now, PAUSE_MINUTES);
        }
        talk.end(now)?;
        watch(at + 1, all);
    }
    let end = week.sessions.last().map_or(DateTime::constant(2026, 3, 9, 8, 0, 0, 0), |last| last.start);
    let end = end.saturating_add(1.day());
    for (at, probe) in week.probes.iter().enumerate() {
        ask(&mut host, &mut judge, probe, end)?;
        watch(week.sessions.len() + at + 1, all);
    }
    Ok(judge.done(host.took()))
}

/// Minutes between a reply and the next prompt.
const PAUSE_MINUTES: i64 = 2;

fn later(at: DateTime, minutes: i64) -> DateTime {
    at.saturating_add(minutes.minutes())
}

/// Asks a probe in its own session. The home is restored afterwards, so that no probe is stored.
fn ask(host: &mut Host, judge: &mut Judge<'_>, probe: &Probe, at: DateTime) -> Result<(), HomeError> {
    host.keep()?;
    let mut talk = host.begin(&format!("probe-{}", probe.id), &probe.project, at)?;
    let injected = talk.prompt(later(at, 1), &probe.prompt)?;
    judge.probed(probe, talk.pack(), &injected);
    host.put_back()
}

/// Times of hook calls, by event.
pub type Took = HashMap<&'static str, Vec<Duration>>;
