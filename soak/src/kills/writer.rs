//! The child that writes until it is killed: every verb there is, in an order that a seed says.
//!
//! A line `ACK hash name` is printed after the verb has answered, never before. Invariant: what a verb
//! refuses is no acknowledgement and no end: the child goes on.

use std::io::Write as _;

use inwit_engine::learning::dream::Gates;
use inwit_engine::learning::dreaming::DreamAsk;
use inwit_engine::notes::get::Lines;
use inwit_engine::notes::inbox::Made;
use inwit_engine::notes::remember::Entry;
use inwit_engine::sessions::session::{Message, Turn, Wish};
use inwit_engine::{Agent, EngineError, Outcome, Search, WriteContext};
use inwit_gate::Author;
use inwit_model::{Code, Op, SafeName, Scope, SessionId};
use inwit_testkit::Chance;
use inwit_workspace::Receipt;

use crate::{Place, owners_session};

/// Writes until nobody stops it.
pub fn play(place: &Place, numbers: &[u64]) {
    let agent = place.open().agent;
    let mut writer = Writer { agent, chance: Chance::of(numbers[0]), session: None, said: 0 };
    say("READY");
    loop {
        writer.write();
    }
}

struct Writer {
    agent: std::sync::Arc<Agent>,
    chance: Chance,
    session: Option<SessionId>,
    said: u64,
}

impl Writer {
    fn write(&mut self) {
        self.said += 1;
        let words = format!("fact {} of {:08x}", self.said, self.chance.number() >> 32);
        let done = match self.chance.below(12) {
            0..=2 => self.remember(&words),
            3 => self.put(&words),
            4..=6 => self.turn(&words, Vec::new()),
            7 => self.turn(&words, vec![Wish::Journal { text: words.clone() }]),
            8 => self.propose(&words),
            9 => self.dream(&words),
            10 => self.begin_again(&words),
            _ => self.undo(),
        };
        match done {
            // Two that ran one behind the other may meet a moved file or a lock; neither is a loss.
            Ok(()) => {}
            Err(error) if expected(error.code) => {}
            Err(error) => say(&format!("REFUSED {} {}", error.code.spec().name, error.message)),
        }
    }

    fn owner(&self) -> WriteContext {
        WriteContext::of(Author::owner(&inwit_testkit::owner()))
    }

    fn remember(&self, words: &str) -> Result<(), EngineError> {
        let entry = Entry { text: words, section: "Facts" };
        self.agent.notes.remember(None, &entry, &self.owner()).map(|done| acknowledge(&done))
    }

    fn put(&mut self, words: &str) -> Result<(), EngineError> {
        const FILES: [&str; 4] = ["notes/plan.md", "notes/other.md", "USER.md", "TOOLS.md"];
        let name = name(FILES[self.chance.below(FILES.len())]);
        let text = format!("# {name}\n\n{}", format!("- {words}\n").repeat(1 + self.chance.below(200)));
        let done =
            self.agent.notes.amend(&name, &self.owner(), &|_| Ok(Some(Op::Put(text.as_bytes().into()))));
        done.map(|done| acknowledge(&done))
    }

    fn turn(&mut self, words: &str, wishes: Vec<Wish>) -> Result<(), EngineError> {
        let session = match self.session.clone() {
            Some(session) => session,
            None => self
                .session
                .insert(self.agent.sessions.session_start(&owners_session())?.session.start.id)
                .clone(),
        };
        let turn = Turn {
            reads_unseen: false,
            user: Message { name: None, text: format!("what of {words}?"), is_owner: Some(true) },
            reply: format!("It is {words}.\n\n- [ ] look at {words}\n"),
            tools: Vec::new(),
            wishes,
        };
        let turned = self.agent.sessions.session_turn(&session, &turn)?;
        turned.wished.iter().flatten().chain(&turned.journal).chain(&turned.heartbeat).for_each(acknowledge);
        if self.chance.below(3) == 0 {
            self.session = None;
            let ended = self.agent.sessions.session_end(&session)?;
            ended.journal.iter().for_each(acknowledge);
        }
        Ok(())
    }

    /// Lets the agent ask for a change of SOUL.md, and approves it as its owner.
    fn propose(&mut self, words: &str) -> Result<(), EngineError> {
        let content = format!("I am Ada and I bake.\n\n{words}\n");
        let soul = self.agent.notes.get(&Scope::Main, "SOUL.md", Lines::default())?;
        let base = Some(soul.sha256);
        let wish = Wish::Put { file: "SOUL.md".into(), content, base, reason: "as asked".into() };
        self.turn(words, vec![wish])?;
        for kept in self.agent.notes.inbox(false)? {
            let shown = self.agent.notes.proposal(kept.proposal.id.as_str(), &Made::AsIs)?;
            // An approval closes what stood on the same bytes; two wait where a former life was killed.
            if shown.decision.is_some() {
                continue;
            }
            if shown.is_stale {
                self.agent.notes.reject(kept.proposal.id.as_str(), "late")?;
                continue;
            }
            let person =
                inwit_gate::HumanConsent::confirming(shown.seal, &shown.seal.short(8)).expect("eight digits");
            if let Some(receipt) = self.agent.approve(&shown, &person, false)? {
                acknowledge_receipt(&receipt);
            }
        }
        Ok(())
    }

    fn dream(&self, words: &str) -> Result<(), EngineError> {
        let scope = Scope::Main;
        for query in [words, "fact"] {
            self.agent.notes.search(&Search {
                query,
                scope: &scope,
                limit: 5,
                budget_chars: None,
                bounds: inwit_engine::Bounds::default(),
            })?;
        }
        let gates = Gates { min_recall_count: 1, min_unique_queries: 1, min_score: 0.0, ..Gates::default() };
        let ask = DreamAsk { gates, dry_run: false, trigger: "soak".into() };
        self.agent.learning.dream(&ask)?.receipt.iter().for_each(acknowledge_receipt);
        Ok(())
    }

    /// The owner lays out a new first conversation, and the next session files it away.
    fn begin_again(&mut self, words: &str) -> Result<(), EngineError> {
        let playbook = name("BOOTSTRAP.md");
        let text: std::sync::Arc<[u8]> = format!("Ask about {words}.\n").into_bytes().into();
        let done = self
            .agent
            .notes
            .amend(&playbook, &self.owner(), &|_| Ok(Some(Op::Put(std::sync::Arc::clone(&text)))))?;
        acknowledge(&done);
        let content =
            self.agent.notes.amend(&playbook, &self.owner(), &|current| Ok(current.map(|_| Op::Archive)))?;
        acknowledge(&content);
        Ok(())
    }

    fn undo(&self) -> Result<(), EngineError> {
        self.agent
            .notes
            .plan_undo(None)
            .and_then(|undoing| self.agent.notes.undo(&undoing, &inwit_testkit::owner()))
            .map(|done| acknowledge(&done))
    }
}

/// What a writer may be refused without anything being wrong.
fn expected(code: Code) -> bool {
    matches!(
        code,
        Code::Stale | Code::Locked | Code::ReceiptUnknown | Code::RejectedBefore | Code::ProposalsTooMany
    )
}

fn acknowledge(outcome: &Outcome) {
    if let Outcome::Applied { receipt, .. } = outcome {
        acknowledge_receipt(receipt);
    }
}

fn acknowledge_receipt(receipt: &Receipt) {
    let result = receipt.result.map_or_else(|| "gone".to_owned(), |hash| hash.to_string());
    say(&format!("ACK {result} {}", receipt.name));
}

fn name(text: &str) -> SafeName {
    SafeName::parse(text).expect("a name")
}

/// A line to the parent, at once.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // A parent that is gone is no reason to go on.
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}
