//! What `doctor` tells of what is kept beside the files, as time goes by.

use std::sync::Arc;

use inwit_engine::core::store::{BroughtBack, KnownReceipts, Renewal};
use inwit_engine::doctor::DiskProbe;
use inwit_engine::doctor::fix::FixId;
use inwit_engine::{Agent, AgentDeps, AgentPorts, CheckId, Outcome, Store};
use inwit_gate::{Author, Change};
use inwit_model::{Actor, Clock, FileError, Intent, Op, OpLog, ReceiptId, SafeName, Sha256, Taint};
use inwit_store::{Memory, MemoryError};
use inwit_store_sqlite::SqliteMemory;
use inwit_testkit::{Drawn, FakeClock, NOW, parts};
use inwit_workspace::{LockGuard, MemFiles, WriteLock};
use jiff::SignedDuration;

/// A disk with nothing odd on it.
pub struct Plain;

impl DiskProbe for Plain {
    fn links(&self, _: &SafeName) -> u64 {
        1
    }

    fn is_mounted(&self, _: &SafeName) -> bool {
        false
    }

    fn has_foreign_git(&self) -> bool {
        false
    }
}

pub fn found(agent: &Agent, check: CheckId) -> Vec<String> {
    let findings = agent.doctor(&Plain, &mut inwit_model::watch::unwatched).expect("looked");
    findings.into_iter().filter(|finding| finding.check == check).map(|finding| finding.message).collect()
}

/// A memory that is broken until another process has brought it back, which it does while the guard is waited for.
#[derive(Clone, Default)]
struct Raced(Arc<std::sync::atomic::AtomicBool>);

impl Renewal for Raced {
    fn damage(&self) -> Result<Option<String>, MemoryError> {
        let is_whole = self.0.load(std::sync::atomic::Ordering::SeqCst);
        Ok((!is_whole).then(|| "it is broken".to_owned()))
    }

    fn foresee(&self) -> Result<(BroughtBack, KnownReceipts), MemoryError> {
        panic!("nobody asked")
    }

    fn bring_back(&self) -> Result<BroughtBack, MemoryError> {
        panic!("a healthy memory is put aside for an old copy")
    }
}

impl Store for Raced {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        Ok(Arc::new(SqliteMemory::in_memory()?))
    }

    fn is_made(&self) -> bool {
        true
    }

    fn renewal(&self) -> Option<&dyn Renewal> {
        Some(self)
    }
}

/// The guard, which another process gives back once it has mended.
struct Mending(Raced);
struct Turn;

impl LockGuard for Turn {}

impl WriteLock for Mending {
    fn take(&self) -> Result<Box<dyn LockGuard + '_>, FileError> {
        self.0.0.store(true, std::sync::atomic::Ordering::SeqCst);
        Ok(Box::new(Turn))
    }
}

#[test]
fn what_another_process_mended_while_the_guard_was_waited_for_is_not_mended_again() {
    let raced = Raced::default();
    let agent = Agent::new(AgentPorts {
        keeping: AgentDeps {
            store: Arc::new(raced.clone()),
            lock: Arc::new(Mending(raced.clone())),
            ..inwit_testkit::keeping()
        },
        ..parts(Arc::new(MemFiles::default()) as _)
    });
    assert!(raced.damage().expect("looked").is_some());
    let mended = agent.mend(FixId::Memory, true, &mut inwit_model::watch::unwatched).expect("nothing to do");
    assert_eq!((mended.found, mended.mended, mended.back), (0, 0, None));
}

#[test]
fn a_proposal_is_told_after_three_days_and_a_cut_write_at_once() {
    let clock = Arc::new(FakeClock::at(NOW));
    let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let agent = Agent::new(AgentPorts {
        clock: Arc::clone(&clock) as Arc<dyn Clock>,
        keeping: AgentDeps::alone(Arc::clone(&memory) as _, Arc::new(Drawn::of(7))),
        ..parts(Arc::new(MemFiles::new()))
    });
    let name = SafeName::parse("SOUL.md").expect("a name");
    let change = Change::new(name.clone(), Op::Put(Arc::from(*b"# I am Bo\n")), None, Author::AGENT);
    let Outcome::Pending { id, .. } = agent.notes.write(change).expect("judged") else {
        panic!("an agent asks for its soul")
    };
    clock.pass(SignedDuration::from_hours(71));
    assert!(found(&agent, CheckId::Waiting).is_empty());
    clock.pass(SignedDuration::from_hours(2));
    assert!(found(&agent, CheckId::Waiting)[0].contains(id.as_str()));

    assert!(found(&agent, CheckId::Unsettled).is_empty());
    let op = Op::Put(Arc::from(*b"# I am Ada\n"));
    let intent = Intent {
        receipt: ReceiptId::new(clock.now(), [1; 10]),
        at: clock.now(),
        name,
        result: Some(Sha256::of(op.bytes())),
        op,
        before: None,
        base: None,
        stood_since: None,
        temp: String::new(),
        actor: Actor::Owner,
        taint: Taint::Owner,
        session: None,
        proposal: None,
        undoes: None,
        reason: String::new(),
    };
    memory.intent(&intent).expect("written down");
    assert!(found(&agent, CheckId::Unsettled)[0].contains("has no recorded end"));
}
