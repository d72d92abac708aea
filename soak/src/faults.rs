//! Every call of the disk fails once, in every way: no panic, what was there stays, and a code says why.
//!
//! The verbs are the engine's, one behind the other as in a day; the disk is the testkit's. The kernel's
//! EDQUOT is the same fault as ENOSPC, and EMFILE and EIO are told in the system's words. Writes are
//! moreover cut short, each way of the campaign elsewhere.

use std::cell::RefCell;
use std::sync::Arc;

use inwit_engine::learning::dream::Gates;
use inwit_engine::learning::dreaming::DreamAsk;
use inwit_engine::notes::get::Lines;
use inwit_engine::notes::inbox::Made;
use inwit_engine::notes::remember::Entry;
use inwit_engine::sessions::session::{Message, Turn, Wish};
use inwit_engine::{Agent, AgentDeps, AgentPorts, EngineError, Outcome, WriteContext};
use inwit_gate::Author;
use inwit_model::{Code, Files as _, Op, Scope, Sha256};
use inwit_store::Memory;
use inwit_store::memory::{Ended, Receipt as Kept, ReceiptFilter};
use inwit_store_sqlite::SqliteMemory;
use inwit_testkit::crash::{After, deed};
use inwit_testkit::{CrashDisk, Drawn, fail_at_each_step, name, parts};

use crate::{Plan, Report, owners_session};

const LIVED_IN: &str = "
//- SOUL.md
I am Ada and I bake.
//- MEMORY.md
# MEMORY

## Facts

- Likes rye bread.
//- BOOTSTRAP.md
Who are you?
//- notes/plan.md
- Buy flour.
";

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let last: RefCell<Option<Day>> = RefCell::new(None);
    let (runs, failed) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_u32));
    let broken = RefCell::new(Vec::new());
    let sweep = fail_at_each_step(|disk| *last.borrow_mut() = Some(Day::on(disk, plan.seed)));
    let calls = sweep.ways(u64::from(plan.cases)).beginning_at(plan.seed).holding(LIVED_IN).then(|after| {
        let day = last.take().expect("a day was had");
        runs.set(runs.get() + 1);
        failed.set(failed.get() + u32::from(!day.errors.is_empty()));
        broken.borrow_mut().extend(day.judge(after));
    });
    broken.into_inner().into_iter().for_each(|what| report.broke(what));
    report.holds(failed.get() > 0, || "no fault was felt: the sweep looks at nothing".to_owned());
    report.figure("calls of a day", calls);
    report.figure("days with one fault", runs.get());
    report.figure("with a reported error", failed.get());
    report
}

/// Everything an agent writes, done once on a disk that may refuse.
struct Day {
    memory: Arc<dyn Memory>,
    applied: Vec<inwit_workspace::Receipt>,
    errors: Vec<Code>,
}

impl Day {
    fn on(disk: &CrashDisk, seed: u64) -> Self {
        let memory: Arc<dyn Memory> = Arc::new(SqliteMemory::in_memory().expect("a memory"));
        let mut day = Self { memory: Arc::clone(&memory), applied: Vec::new(), errors: Vec::new() };
        match disk.files() {
            Ok(files) => {
                let keeping = AgentDeps::alone(memory, Arc::new(Drawn::of(seed)));
                let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(files)) });
                day.live(&agent);
            }
            Err(error) => day.errors.push(error.code),
        }
        day
    }

    fn live(&mut self, agent: &Agent) {
        let owner = || WriteContext::of(Author::owner(&inwit_testkit::owner()));
        self.told(agent.notes.remember(None, &Entry { text: "Likes spelt.", section: "Facts" }, &owner()));
        let plan: Arc<[u8]> = b"- Buy rye flour.\n".repeat(300).into();
        self.told(
            agent.notes.amend(&name("notes/plan.md"), &owner(), &|_| Ok(Some(Op::Put(Arc::clone(&plan))))),
        );
        let talked = self.talk(agent);
        self.noted(talked);
        let approved = self.approve(agent);
        self.noted(approved);
        let gates = Gates { min_recall_count: 1, min_unique_queries: 1, min_score: 0.0, ..Gates::default() };
        match agent.learning.dream(&DreamAsk { gates, dry_run: false, trigger: "soak".into() }) {
            Ok(report) => self.applied.extend(report.receipt),
            Err(error) => self.errors.push(error.code),
        }
        self.told(
            agent
                .notes
                .plan_undo(None)
                .and_then(|undoing| agent.notes.undo(&undoing, &inwit_testkit::owner())),
        );
    }

    fn talk(&mut self, agent: &Agent) -> Result<(), EngineError> {
        let session = agent.sessions.session_start(&owners_session())?.session.start.id;
        let base = agent.notes.get(&Scope::Main, "SOUL.md", Lines::default()).ok().map(|soul| soul.sha256);
        let soul =
            Wish::Put { file: "SOUL.md".into(), content: "I am Ada.\n".into(), base, reason: String::new() };
        let turn = Turn {
            reads_unseen: false,
            user: Message { name: None, text: "hello".into(), is_owner: Some(true) },
            reply: "Hello.\n\n- [ ] bake\n\nBOOTSTRAP_DONE".into(),
            tools: Vec::new(),
            wishes: vec![Wish::Journal { text: "Ana said hello.".into() }, soul],
        };
        let turned = agent.sessions.session_turn(&session, &turn)?;
        turned.wished.into_iter().for_each(|done| self.told(done));
        turned.journal.into_iter().chain(turned.heartbeat).for_each(|done| self.told(Ok(done)));
        agent.sessions.session_end(&session)?.journal.into_iter().for_each(|done| self.told(Ok(done)));
        Ok(())
    }

    fn approve(&mut self, agent: &Agent) -> Result<(), EngineError> {
        for kept in agent.notes.inbox(false)? {
            let shown = agent.notes.proposal(kept.proposal.id.as_str(), &Made::AsIs)?;
            let person =
                inwit_gate::HumanConsent::confirming(shown.seal, &shown.seal.short(8)).expect("eight digits");
            self.applied.extend(agent.approve(&shown, &person, false)?);
        }
        Ok(())
    }

    fn told(&mut self, done: Result<Outcome, EngineError>) {
        match done {
            Ok(Outcome::Applied { receipt, .. }) => self.applied.push(receipt),
            Ok(_) => {}
            Err(error) => self.errors.push(error.code),
        }
    }

    fn noted(&mut self, done: Result<(), EngineError>) {
        self.errors.extend(done.err().map(|error| error.code));
    }

    /// What is broken after somebody opened the workspace again.
    fn judge(&self, after: &After) -> Vec<String> {
        let case = after.case();
        let files = Arc::new(after.reopened());
        let writer = deed::writer(Arc::clone(&files) as _, Arc::clone(&self.memory) as _, 8);
        let mut broken = Vec::new();
        match writer.recover() {
            Ok(recovered) if recovered.left.is_empty() => {}
            other => broken.push(format!("{case}: {other:?}")),
        }
        let filter = ReceiptFilter { limit: usize::MAX >> 1, ..ReceiptFilter::default() };
        let receipts = self.memory.receipts(&filter).expect("receipts are read");
        let known = |id| receipts.iter().any(|kept: &Kept| kept.id == id && kept.ended == Ended::Done);
        let lost = self.applied.iter().filter(|receipt| !known(receipt.id.clone()));
        broken.extend(lost.map(|receipt| format!("{case}: {} was given and is not known", receipt.id)));
        let mut seen = Vec::new();
        for receipt in receipts.iter().filter(|receipt| receipt.ended != Ended::Void) {
            if seen.contains(&receipt.name) {
                continue;
            }
            seen.push(receipt.name.clone());
            let held = files.read(&receipt.name).ok().map(|content| content.sha256);
            if held != receipt.result {
                broken.push(format!("{case}: `{}` is not what {} left", receipt.name, receipt.id));
            }
        }
        let written = |path: &str| seen.iter().any(|name| name.as_str() == path);
        for (path, bytes) in after.before().iter().filter(|(path, _)| !written(path)) {
            let held = files.read(&name(path)).ok().map(|content| content.sha256);
            if held != Some(Sha256::of(bytes)) {
                broken.push(format!("{case}: `{path}` changed without a receipt"));
            }
        }
        let tree = after.disk().tree();
        let hidden =
            tree.keys().filter(|path| path.rsplit('/').next().is_some_and(|it| it.starts_with(".~")));
        broken.extend(hidden.map(|path| format!("{case}: `{path}` is left behind")));
        broken
    }
}
