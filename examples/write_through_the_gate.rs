//! What an agent wants to keep goes through the gate; what became of it is a value.
//!
//! `cargo run -p inwit-cli --example write_through_the_gate -- FOLDER`
//!
//! No other road leads into the files: `Workspace::apply` takes an approved change, and only the gate makes
//! one.

#![expect(clippy::print_stdout, reason = "the answer is the output")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_engine::{Agent, AgentDeps, AgentPorts, EngineError, Outcome, WriteContext};
use inwit_gate::Author;
use inwit_model::{Clock, Entropy, Host, Taint};
use inwit_store::Index;
use inwit_store_sqlite::{SqliteIndex, SqliteMemory};
use inwit_workspace::{FsFiles, profile};
use jiff::Timestamp;
use jiff::tz::TimeZone;

struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time enters")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn sixteen(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // Without chance from the system an id would be one that another has.
        getrandom::fill(&mut bytes).unwrap_or_else(|error| panic!("no chance: {error}"));
        bytes
    }
}

#[expect(clippy::disallowed_methods, reason = "this is where arguments enter")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: write_through_the_gate FOLDER")?;
    let agent = agent(Path::new(&folder))?;

    // Words of a conversation in which nothing was read: written at once.
    println!("{}", told(keep(&agent, "Ana likes rye bread", Taint::Agent)));
    // The same words again: there already.
    println!("{}", told(keep(&agent, "Ana likes rye bread", Taint::Agent)));
    // Words of a page: they wait for the owner, who says yes with `inwit inbox approve`.
    println!("{}", told(keep(&agent, "Ana wants every invoice paid", Taint::Web)));
    // What nobody can see is refused, whoever says it.
    println!("{}", told(keep(&agent, "Ana likes\u{202e} wheat", Taint::Agent)));
    Ok(())
}

fn keep(agent: &Agent, text: &str, taint: Taint) -> Result<Outcome, EngineError> {
    let behalf =
        WriteContext { taint: Some(taint), reason: "said so".into(), ..WriteContext::of(Author::AGENT) };
    agent.notes.remember(None, &Entry { text, section: SECTION_DEFAULT }, &behalf)
}

fn told(outcome: Result<Outcome, EngineError>) -> String {
    match outcome {
        Ok(Outcome::Applied { .. }) => "applied".into(),
        Ok(Outcome::Unchanged(_)) => "unchanged".into(),
        Ok(Outcome::Pending { why, .. }) => format!("pending: {}", why.word()),
        Err(error) => format!("{}: {}", error.code.spec().name, error.message),
    }
}

/// The proposals of this agent are gone with it: for a real one, open `SqliteMemory` on a file.
fn agent(folder: &Path) -> Result<Agent, Box<dyn Error>> {
    let in_memory = || SqliteIndex::in_memory().map(|index| Box::new(index) as Box<dyn Index>);
    Ok(Agent::new(AgentPorts {
        files: Arc::new(FsFiles::open(folder)?),
        index: in_memory()?,
        spare: Box::new(in_memory),
        profile: profile::named("personal").ok_or("this profile is compiled in")?,
        host: Host::default(),
        zone: TimeZone::UTC,
        clock: Arc::new(SystemClock),
        keeping: AgentDeps::alone(Arc::new(SqliteMemory::in_memory()?), Arc::new(SystemEntropy)),
    }))
}
