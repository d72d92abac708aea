//! The runs of the clients in their order, and what is counted over them.
//!
//! Day 0 has one session of each kind. On each later day two facts are stated, the other client asks for those of the day
//! before, and one thing happens to sessions: going on, two at once, compaction, a kill, a locked database. Invariant: what
//! is typed stands once in the logs at the end, also where the run was killed.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::checks::{self, Kept, Logs, Outcome};
use super::script::{FACTS_COUNT, PROJECTS, Turn};
use super::session::{Client, Ended, HookRun, Opening, Running};
use super::stub::Stub;
use super::trust;
use super::user::User;
use crate::Place;
use crate::report::p50_max_ms;

use Client::{ClaudeCode, Codex};

/// The configuration of Codex, below the home.
const CODEX_CONFIG: &str = ".codex/config.toml";

/// Longest wait for the request of a run that will be killed, in seconds.
const HELD_SECONDS_MAX: u64 = 60;

/// How long a hook may search before a prompt, in milliseconds: less than the timeout of the hook, which is 5 s.
const PROMPT_DEADLINE_MS: &str = "4000";

/// Days of the script.
const DAYS_MAX: usize = FACTS_COUNT / 2;

/// The days so far.
struct Days {
    user: User,
    stub: Stub,
    outcome: Outcome,
    /// Turns that must stand in the logs once.
    ordinary: Vec<Turn>,
    /// Turns whose run was killed.
    killed: Vec<Turn>,
    /// Turns while the database was locked.
    locked: Vec<Turn>,
    hooks: Vec<HookRun>,
    runs: BTreeMap<Client, Vec<Duration>>,
    /// The last session of a client in a project.
    sessions: BTreeMap<(Client, usize), String>,
    asked: BTreeMap<usize, usize>,
}

/// Runs `days` days in a home at `place` and takes inwit out again.
///
/// # Panics
/// When the home cannot be made or a client cannot be started.
#[track_caller]
pub fn run(place: &Place, clients: &Path, program: &Path, days: u64) -> Outcome {
    let stub = Stub::start();
    let user = User::new(place, clients, program, stub.address());
    let mut week = Days {
        user,
        stub,
        outcome: Outcome::default(),
        ordinary: Vec::new(),
        killed: Vec::new(),
        locked: Vec::new(),
        hooks: Vec::new(),
        runs: BTreeMap::new(),
        sessions: BTreeMap::new(),
        asked: BTreeMap::new(),
    };
    week.set_up();
    week.first_day();
    for day in 1..usize::try_from(days).unwrap_or(DAYS_MAX).min(DAYS_MAX) {
        week.later_day(day);
    }
    week.last_sessions();
    week.judged()
}

impl Days {
    fn set_up(&mut self) {
        for client in Client::ALL {
            let output = self.user.inwit(&["setup", client.setup_name(), "--apply"]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            self.outcome.holds(output.status.success(), || format!("setup {client:?}: {said}"));
        }
        // A machine that is busy makes a prompt slow; what is judged is what comes with it, not when.
        let output = self.user.inwit(&["config", "set", "recall.prompt_deadline_ms", PROMPT_DEADLINE_MS]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        self.outcome.holds(output.status.success(), || format!("config set: {said}"));
        let output = self.user.inwit(&["setup", "--check"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        self.outcome.holds(output.status.success(), || format!("setup --check: {said}"));
    }

    fn first_day(&mut self) {
        self.ordinary(ClaudeCode, Opening::New, Turn::states(0));
        self.ordinary(ClaudeCode, Opening::New, Turn::never_typed(1));
        self.ordinary(ClaudeCode, Opening::Last, Turn::states(1));
        self.ordinary(Codex, Opening::New, Turn::typed(0));
        let asked = self.asks(0);
        self.ordinary(Codex, Opening::Last, asked);
        let asked = self.asks(1);
        self.ordinary(Codex, Opening::New, asked);
        let asked = self.asks(0);
        self.ordinary(ClaudeCode, Opening::New, asked);
    }

    fn later_day(&mut self, day: usize) {
        let client = if day.is_multiple_of(2) { ClaudeCode } else { Codex };
        let [harbor, orchard] = [2 * day, 2 * day + 1];
        self.ordinary(client, Opening::New, Turn::states(harbor));
        self.ordinary(client.other(), Opening::New, Turn::states(orchard));
        for fact in [harbor - 2, orchard - 2] {
            let asked = self.asks(fact);
            self.ordinary(client.other(), Opening::New, asked);
        }
        match day {
            1 => self.sessions_that_go_on(harbor, orchard),
            2 => self.two_at_once(),
            3 => self.compaction(),
            4 => self.killed_runs(),
            5 => self.locked_database(),
            _ => {
                self.old_facts();
                self.trusted_hooks();
            }
        }
    }

    /// A question for a fact; each time in other words.
    fn asks(&mut self, fact: usize) -> Turn {
        let time = self.asked.entry(fact).or_default();
        *time += 1;
        Turn::asks(fact, *time)
    }

    fn sessions_that_go_on(&mut self, harbor: usize, orchard: usize) {
        for client in Client::ALL {
            let asked = self.asks(harbor);
            let session = self.sessions.get(&(client, asked.project)).cloned().unwrap_or_default();
            self.ordinary(client, Opening::Resumed(&session), asked);
            let asked = self.asks(orchard);
            self.ordinary(client, Opening::Last, asked);
        }
    }

    fn two_at_once(&mut self) {
        for clients in [[ClaudeCode, Codex], [ClaudeCode, ClaudeCode], [Codex, Codex]] {
            let turns = clients.map(|client| {
                let asked = self.asks(0);
                (client, asked)
            });
            let running =
                turns.map(|(client, turn)| (client, self.begins(client, Opening::New, &turn), turn));
            for (client, running, turn) in running {
                self.ends(client, running.ended(), turn);
            }
        }
    }

    fn compaction(&mut self) {
        self.ordinary(ClaudeCode, Opening::New, Turn::says(0, "Let us clean up the build script."));
        self.ordinary(ClaudeCode, Opening::Last, Turn::says(0, "Now the tests of the build script."));
        let running = Running::start(&self.user, ClaudeCode, Opening::Last, 0, "/compact");
        let ended = running.ended();
        // With `-p` the hook before a compaction is not printed, the start of the session after it is.
        let compacted = ended.printed.contains("\"hook_name\":\"SessionStart:compact\"");
        self.outcome.holds(compacted, || format!("no compaction: {}", ended.printed));
        self.outcome.figure("compactions", usize::from(compacted));
        self.hooks.extend(ended.hooks);
        let asked = self.asks(0);
        self.ordinary(ClaudeCode, Opening::Last, asked);
    }

    fn killed_runs(&mut self) {
        for client in Client::ALL {
            let turn = Turn::says(0, &format!("Rename the module {}.", client.program())).unanswered();
            let running = self.begins(client, Opening::New, &turn);
            let held = self.stub.holds(Duration::from_secs(HELD_SECONDS_MAX));
            self.outcome.holds(held.as_ref() == Some(&turn.prompt), || format!("{client:?} asked {held:?}"));
            running.killed();
            self.killed.push(turn);
            let asked = self.asks(0);
            self.ordinary(client, Opening::New, asked);
        }
    }

    fn locked_database(&mut self) {
        if !inwit_testkit::has_sqlite3() {
            self.outcome.figure("skipped, no sqlite3:", "a locked database");
            return;
        }
        let mut holder = self.user.lock_memory();
        for client in Client::ALL {
            let turn = Turn::says(1, &format!("Sort the imports with {}.", client.program()));
            let ended = self.begins(client, Opening::New, &turn).ended();
            self.hooks.extend(ended.hooks.clone());
            let printed = &ended.printed;
            self.outcome.holds(printed.contains(&turn.reply), || format!("{client:?}, locked: {printed}"));
            self.locked.push(turn);
        }
        // Its standard input is closed, so it ends.
        drop(holder.stdin.take());
        let _ = holder.wait();
    }

    fn old_facts(&mut self) {
        for client in Client::ALL {
            for fact in 0..4 {
                let asked = self.asks(fact);
                self.ordinary(client, Opening::New, asked);
            }
        }
        for (client, fact) in [(ClaudeCode, 2), (Codex, 3)] {
            self.ordinary(client, Opening::New, Turn::searches(fact));
        }
    }

    /// Hooks that Codex itself lets run. It writes their hashes into config.toml; uninstall keeps these lines and takes
    /// out ours.
    fn trusted_hooks(&mut self) {
        let ours = self.user.read(CODEX_CONFIG);
        let trusted = trust::every_hook(&self.user);
        let after = self.user.read(CODEX_CONFIG);
        let written = after.strip_prefix(&ours).unwrap_or_default().to_owned();
        self.outcome.holds(written.contains("trusted_hash"), || format!("Codex wrote {after}: {trusted:?}"));
        let asked = self.asks(0);
        self.ordinary(Codex, Opening::Trusted, asked);
        self.outcome.figure("hooks that Codex trusts", trusted.unwrap_or_default());
        self.user.expect_added(CODEX_CONFIG, &written);
    }

    /// A session of each client in each project, so that what earlier ones left goes into the daily log.
    fn last_sessions(&mut self) {
        for (project, name) in PROJECTS.iter().enumerate() {
            for client in [Codex, ClaudeCode] {
                let prompt = format!("That is all with {} in {name}.", client.program());
                self.ordinary(client, Opening::New, Turn::says(project, &prompt));
            }
        }
    }

    fn begins(&self, client: Client, opening: Opening<'_>, turn: &Turn) -> Running {
        self.stub.expect(turn);
        Running::start(&self.user, client, opening, turn.project, &turn.prompt)
    }

    fn ordinary(&mut self, client: Client, opening: Opening<'_>, turn: Turn) {
        let ended = self.begins(client, opening, &turn).ended();
        self.ends(client, ended, turn);
    }

    fn ends(&mut self, client: Client, ended: Ended, turn: Turn) {
        let ok = ended.status.is_some_and(|status| status.success()) && ended.printed.contains(&turn.reply);
        let printed = &ended.printed;
        self.outcome.holds(ok, || format!("{client:?}, `{}`: {:?} {printed}", turn.prompt, ended.status));
        for event in ["SessionStart", "UserPromptSubmit", "Stop"] {
            let ran = ended.hooks.iter().any(|hook| hook.event == event);
            self.outcome.holds(ran, || format!("{client:?}, `{}`: no hook at {event}", turn.prompt));
        }
        checks::context(&mut self.outcome, &turn, &self.stub.recorded());
        if let Some(session) = ended.session {
            self.sessions.insert((client, turn.project), session);
        }
        self.hooks.extend(ended.hooks);
        self.runs.entry(client).or_default().push(ended.time);
        self.ordinary.push(turn);
    }

    /// The figures of the row and what must hold at the end.
    fn judged(mut self) -> Outcome {
        if !self.killed.is_empty() {
            // A turn without an answer may still go on, until its session was quiet for half an hour.
            self.user.an_hour_later();
        }
        let logs = Logs::read(&self.user.agent());
        let runs = self.runs.values().map(Vec::len).sum::<usize>() + self.killed.len() + self.locked.len();
        self.outcome.figure("runs of a client", runs);
        self.judge_logs(&logs);
        let asked = self.ordinary.iter().filter(|turn| turn.evidence.is_some()).count();
        self.outcome.holds(asked > 0, || "nothing was asked for".to_owned());
        self.outcome.figure("questions for a fact of an earlier turn", asked);
        checks::remembered(&mut self.outcome, &self.user, &self.stub.recorded());
        checks::health(&mut self.outcome, &self.user, !self.locked.is_empty());
        self.judge_hooks();
        for (client, mut times) in std::mem::take(&mut self.runs) {
            self.outcome.figure(&format!("a run of {} p50 / max", client.program()), p50_max_ms(&mut times));
        }
        self.taken_out();
        let unknown = self.stub.unknown();
        self.outcome.holds(unknown.is_empty(), || format!("the stub does not know {unknown:?}"));
        self.outcome
    }

    fn judge_logs(&mut self, logs: &Logs) {
        for (what, turns) in
            [("turns kept once", &self.ordinary), ("with a locked database, turns kept once", &self.locked)]
        {
            for turn in turns {
                let kept = logs.kept(turn);
                self.outcome.holds(kept == Kept::ONCE, || format!("`{}`: {kept:?}", turn.prompt));
            }
            let once = turns.iter().filter(|turn| logs.kept(turn) == Kept::ONCE).count();
            if !turns.is_empty() {
                self.outcome.figure(what, format!("{once} of {}", turns.len()));
            }
        }
        for turn in &self.killed {
            let kept = logs.kept(turn).prompts;
            self.outcome
                .holds(kept == 1, || format!("`{}` of a killed run stands {kept} times", turn.prompt));
        }
        if !self.killed.is_empty() {
            let kept = self.killed.iter().filter(|turn| logs.kept(turn).prompts == 1).count();
            self.outcome.figure("killed runs, prompts kept once", format!("{kept} of {}", self.killed.len()));
        }
    }

    fn judge_hooks(&mut self) {
        let failed: Vec<&HookRun> = self.hooks.iter().filter(|hook| hook.failure.is_some()).collect();
        self.outcome.holds(failed.is_empty(), || format!("hooks failed: {failed:?}"));
        self.outcome.figure("hooks failed", format!("{} of {}", failed.len(), self.hooks.len()));
        for event in ["SessionStart", "UserPromptSubmit"] {
            // Claude Code prints the start and the end of an early hook together.
            let hooks = self.hooks.iter().filter(|hook| hook.client == Codex && hook.event == event);
            let mut times: Vec<Duration> = hooks.map(|hook| hook.time).collect();
            self.outcome.figure(&format!("{event} in Codex p50 / max"), p50_max_ms(&mut times));
        }
    }

    /// Takes inwit out of both clients and compares their files.
    fn taken_out(&mut self) {
        let expected = self.user.claude_state_without_ours();
        for client in Client::ALL {
            let output = self.user.inwit(&["setup", client.setup_name(), "--uninstall", "--apply"]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            self.outcome.holds(output.status.success(), || format!("uninstall {client:?}: {said}"));
        }
        let differences = self.user.differences(&expected);
        for difference in &differences {
            self.outcome.holds(false, || format!("after uninstall, {difference}"));
        }
        self.outcome.figure("files that differ after uninstall", differences.len());
    }
}
