//! Many agents in one process: what those that stay open cost, and how long a question to one that is not open takes.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use inwit_engine::{Bounds, Search};
use inwit_home::{AgentPlace, Engine, EngineLimits, Opening};
use inwit_model::Scope;
use inwit_settings::{Layers, Settings};

use crate::measure::Times;
use crate::{Outcome, Row, notes};

/// Notes of each agent, a file each.
const NOTES: usize = 100;

/// Notes in one folder.
const FOLDER_NOTES: usize = 25;

/// Questions to agents that are open, one after another.
const HOT_QUESTIONS: usize = 2_000;

/// Rows for so many agents.
pub fn measure(agents: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let settings = settings(folder.path())?;
    let mut chance = notes::Chance::new(13);
    for number in 0..agents {
        lay_out(&workspace(folder.path(), number), &mut chance)?;
    }
    std::thread::sleep(std::time::Duration::from_millis(120));
    let engine = Engine::new(EngineLimits::default());
    let ask = |number: usize, query: &str| -> Outcome<()> {
        let place = AgentPlace {
            id: format!("agent-{number}"),
            home: folder.path().join(format!("home/agents/agent-{number}")),
            workspace: workspace(folder.path(), number),
        };
        let config = settings.agent_config("bench").map_err(|error| error.message)?;
        let opened = engine
            .open(place, config, Opening::Whole, Arc::new(crate::SystemClock))
            .map_err(|error| error.message)?;
        opened.files.watch();
        let bounds = Bounds::default();
        opened.agent.notes.search(&Search {
            query,
            scope: &Scope::Main,
            limit: 10,
            budget_chars: None,
            bounds,
        })?;
        Ok(())
    };
    // The first question builds the index.
    for number in 0..agents {
        ask(number, &notes::question(&mut chance))?;
    }
    let mut descriptors = open_files()?;
    let mut times = Vec::new();
    // Those that were asked last are open still, so the cold ones come first.
    for number in 0..agents {
        let query = notes::question(&mut chance);
        let begun = Instant::now();
        ask(number, &query)?;
        times.push(begun.elapsed());
        if number % 100 == 0 {
            descriptors = descriptors.max(open_files()?);
        }
    }
    let cold = Times::from(times);
    let open = engine.open_count();
    let hot = Times::of(HOT_QUESTIONS, |run| ask(agents - 1 - run % open, &notes::question(&mut chance)));
    descriptors = descriptors.max(open_files()?);
    let of = format!("{} agents of {NOTES} notes in one process", crate::grouped(agents));
    Ok(vec![
        (format!("{of}: open at once"), open.to_string()),
        (format!("{of}: memory, open files"), format!("{:.0} MB, {descriptors}", resident_mb()?)),
        (format!("{of}: search of one that is not open, p50 / p99"), both(&cold)),
        (format!("{of}: search of one that is open, p50 / p99"), both(&hot)),
    ])
}

fn settings(folder: &Path) -> Outcome<Settings> {
    let home = folder.join("home").display().to_string();
    let look = |name: &str| match name {
        "HOME" | "INWIT_HOME" => Some(home.clone()),
        "TZ" => Some("UTC".to_owned()),
        _ => None,
    };
    Ok(Settings::read(Layers::default(), &look, Vec::new()).map_err(|error| error.message)?)
}

fn workspace(folder: &Path, number: usize) -> std::path::PathBuf {
    folder.join(format!("workspaces/{number:05}"))
}

#[expect(clippy::disallowed_methods, reason = "lays out notes to measure on; nothing is kept")]
fn lay_out(workspace: &Path, chance: &mut notes::Chance) -> io::Result<()> {
    for number in 0..NOTES {
        let folder = workspace.join(format!("notes/{:02}", number / FOLDER_NOTES));
        if number % FOLDER_NOTES == 0 {
            std::fs::create_dir_all(&folder)?;
        }
        let words: Vec<String> = (0..25).map(|_| notes::word(notes::drawn(chance))).collect();
        std::fs::write(folder.join(format!("{number:03}.md")), format!("- {}\n", words.join(" ")))?;
    }
    Ok(())
}

fn both(times: &Times) -> String {
    format!("{:.1} / {:.1} ms", times.ms(50), times.ms(99))
}

fn open_files() -> io::Result<usize> {
    Ok(std::fs::read_dir("/proc/self/fd")?.count())
}

/// Memory that is resident now, in MB.
fn resident_mb() -> io::Result<f64> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().unwrap_or_default();
    Ok(kib * 1024.0 / 1e6)
}
