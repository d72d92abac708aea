//! Asks a folder of Markdown a question, from a program of your own.
//!
//! `cargo run -p inwit-cli --example recall -- examples/wren "gas boiler or heat pump"`
//!
//! An agent is made of ports: where its files are, an index, a clock, chance. Here everything but the files
//! lives in memory, so nothing is written anywhere.

#![expect(clippy::print_stdout, reason = "the answer is the output")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use inwit_engine::{Agent, AgentDeps, AgentPorts, Search};
use inwit_model::{Clock, Entropy, Host, Scope};
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
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(question)) = (arguments.next(), arguments.next()) else {
        return Err("usage: recall FOLDER QUESTION".into());
    };
    let agent = agent(Path::new(&folder))?;
    // The owner's own scope. In `Scope::Room(…)` or `Scope::Shared` what is private does not exist.
    let search = Search {
        query: &question,
        scope: &Scope::Main,
        limit: 3,
        budget_chars: None,
        bounds: inwit_engine::Bounds::default(),
    };
    let answer = agent.notes.search(&search)?;
    if answer.nothing_near {
        println!("Nothing near was found.");
    }
    for hit in &answer.hits {
        println!("{}#L{}-L{}\n{}\n", hit.name, hit.first_line, hit.last_line, hit.text);
    }
    Ok(())
}

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
