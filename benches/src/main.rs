//! `make bench`: every timed figure of `docs/benchmarks.md`, in one run, as a Markdown table.
//!
//! Times are medians on an otherwise idle machine; nothing here is asserted, since a timed assertion
//! fails for reasons that are not the code's.

mod agents;
mod busy;
mod durable;
mod facts;
mod fts5;
mod hooks;
mod hybrid;
mod measure;
mod memory;
mod notes;
mod parallel;
mod upkeep;
mod vectors;
mod verbs;
mod watched;
mod week;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use inwit_engine::{Agent, AgentDeps, AgentPorts, Meaning, Search};
use inwit_model::{Clock, Entropy, Scope};
use inwit_soak::Place;
use inwit_store_sqlite::{SqliteIndex, SqliteMemory};
use inwit_workspace::{FsFiles, profile};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use measure::{Times, process};
use notes::Chance;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// What was measured, and the figure.
type Row = (String, String);

/// Of more, reading them all by a model takes many minutes and tells nothing new.
const PASSAGES_READ_BY_A_MODEL: usize = 10_000;

struct SystemClock;

/// Ids of a home that is thrown away.
struct Counted(std::sync::atomic::AtomicU64);

impl Entropy for Counted {
    fn sixteen(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let number = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        bytes[8..].copy_from_slice(&number.to_be_bytes());
        bytes
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time enters")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

#[expect(clippy::print_stdout, reason = "the table is the output")]
#[expect(clippy::disallowed_methods, reason = "this is where arguments enter")]
fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, role, root, number] = words.as_slice()
        && first == "child"
    {
        return play(role, &Place::at(Path::new(root)), number.parse()?);
    }
    if let [first, folder, probes] = words.as_slice()
        && first == "week"
    {
        println!("{}", week::measure(Path::new(folder), probes)?);
        return Ok(());
    }
    let [first, sizes @ ..] = words.as_slice() else {
        let parts: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        let parts = parts.join("|");
        return Err(format!("usage: inwit-bench PATH_OF_INWIT [PASSAGES…], inwit-bench {parts} [SIZE…], or inwit-bench week FOLDER PROBES").into());
    };
    let sizes: Vec<usize> = sizes.iter().map(|size| size.parse()).collect::<Result<_, _>>()?;
    let bench = std::env::current_exe()?;
    println!("| what | figure |\n|---|---|");
    if let Some(part) = PARTS.iter().find(|part| part.name == first) {
        let sizes = if sizes.is_empty() { part.sizes } else { &sizes };
        return part.measure(&bench.with_file_name("inwit"), sizes);
    }
    let program = PathBuf::from(first);
    tell(memory::measure()?.into_iter().map(|(what, figure)| (what.to_owned(), figure)).collect());
    tell(durable::measure(&bench)?);
    tell(verbs::measure(&bench, &program)?);
    tell(upkeep::measure()?);
    for part in PARTS.iter().filter(|part| part.is_of_all) {
        part.measure(&program, part.sizes)?;
    }
    for size in if sizes.is_empty() { SIZES } else { &sizes } {
        for (what, figure) in of_size(&program, *size)? {
            println!("| {what}, {} passages | {figure} |", grouped(*size));
        }
        tell(vectors::scan(*size)?);
    }
    tell(vectors::model()?);
    tell(prompt()?);
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the table is the output")]
fn tell(rows: Vec<Row>) {
    rows.iter().for_each(|(what, figure)| println!("| {what} | {figure} |"));
}

/// Passages of a run that names no size.
const SIZES: &[usize] = &[10_000, 100_000];

/// What can be measured alone.
struct Part {
    name: &'static str,
    /// Whether a run of everything has it under its own name; the others are parts of a size.
    is_of_all: bool,
    /// The sizes of a run that names none.
    sizes: &'static [usize],
    rows: fn(&Path, usize) -> Outcome<Vec<Row>>,
}

impl Part {
    fn measure(&self, program: &Path, sizes: &[usize]) -> Outcome<()> {
        sizes.iter().try_for_each(|size| (self.rows)(program, *size).map(tell))
    }
}

const PARTS: &[Part] = &[
    Part { name: "facts", is_of_all: true, sizes: &[400], rows: |_, _| facts::measure() },
    Part { name: "agents", is_of_all: true, sizes: &[2_000], rows: |_, size| agents::measure(size) },
    Part { name: "busy", is_of_all: true, sizes: &[10_000], rows: |_, size| busy::measure(size) },
    Part { name: "watched", is_of_all: true, sizes: SIZES, rows: |_, size| watched::passages(size) },
    Part { name: "files", is_of_all: true, sizes: &[100_000], rows: watched::files },
    Part { name: "keeping", is_of_all: false, sizes: &[400], rows: |_, size| facts::keeping(size) },
    Part { name: "vectors", is_of_all: false, sizes: SIZES, rows: |_, size| vectors::scan(size) },
    Part { name: "model", is_of_all: false, sizes: &[0], rows: |_, _| vectors::model() },
    Part { name: "hybrid", is_of_all: false, sizes: SIZES, rows: |_, size| hybrid::alone(size) },
    Part { name: "parallel", is_of_all: false, sizes: &[10_000], rows: |_, size| parallel::alone(size) },
];

/// What a child of the measurement does.
fn play(role: &str, place: &Place, number: usize) -> Outcome<()> {
    if role == "die" { verbs::die(place, number) } else { durable::play(role, place, number) }
}

fn of_size(program: &Path, passages: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let workspace = folder.path().join("workspace");
    let bytes = notes::lay_out(&workspace, passages)?;
    settle(&workspace)?;
    let home = folder.path().join("home");
    std::fs::create_dir_all(&home)?;

    let mut rows = Vec::new();
    let database = home.join("index.db");
    let cold_runs = if passages > 20_000 { 3 } else { 7 };
    let cold = Times::of(cold_runs, |run| {
        let path = home.join(format!("cold-{run}.db"));
        agent(&workspace, &path)
            .and_then(|agent| Ok(agent.notes.rebuild(&Scope::Main, &mut inwit_model::watch::unwatched)?))
            .map(|(report, _)| report.files)
    });
    rows.push((
        "index from cold, in process",
        format!("{:.0} ms ({:.1} MB of notes)", cold.ms(50), bytes as f64 / 1e6),
    ));

    let agent = agent(&workspace, &database)?;
    agent.notes.rebuild(&Scope::Main, &mut inwit_model::watch::unwatched)?;
    let mut chance = Chance::new(3);
    let questions: Vec<String> = (0..300).map(|_| notes::question(&mut chance)).collect();
    let ask = |query: &str| {
        agent.notes.search(&Search {
            query,
            scope: &Scope::Main,
            limit: 10,
            budget_chars: None,
            bounds: inwit_engine::Bounds::default(),
        })
    };
    let searches = Times::of(questions.len(), |run| ask(&questions[run]));
    rows.push((
        "search in process with reconcile, p50 / p95",
        format!("{:.2} / {:.2} ms", searches.ms(50), searches.ms(95)),
    ));

    let hits = ask(&questions[0])?.hits;
    let texts: Vec<&str> = hits.iter().map(|hit| hit.text.as_str()).collect();
    let masking = format!("{:.3} ms ({} hits)", upkeep::masking_ms(&texts), texts.len());
    rows.push(("of that, the look for what is masked in the answer, p50", masking));

    let edits = Times::of(30, |run| {
        edit(&workspace, run).and_then(|()| Ok(ask(&questions[run])?)).map(|answer| answer.hits.len())
    });
    rows.push((
        "one file edited, reconcile and answer, p50 / p95",
        format!("{:.1} / {:.1} ms", edits.ms(50), edits.ms(95)),
    ));
    let plain = fts5::measure(folder.path(), passages, &questions)?;
    rows.push((
        "SQLite FTS5 beside it: build, search p50 / p95, disk",
        format!(
            "{:.0} ms, {:.2} / {:.2} ms, {:.1} MB",
            plain.build.ms(50),
            plain.search.ms(50),
            plain.search.ms(95),
            plain.bytes as f64 / 1e6
        ),
    ));
    drop(agent);
    let mut rows: Vec<Row> = rows.into_iter().map(|(what, figure)| (what.to_owned(), figure)).collect();
    rows.extend(parallel::measure(&workspace, &database, &questions)?);
    rows.extend(hybrid::measure(&workspace, &database, &questions)?);
    let disk = std::fs::metadata(&database)?.len();
    rows.push(("index on disk".into(), format!("{:.1} MB", disk as f64 / 1e6)));

    let workspace_text = workspace.display().to_string();
    let home_text = home.display().to_string();
    let environment = [("INWIT_HOME", home_text.as_str()), ("HOME", home_text.as_str()), ("TZ", "UTC")];
    let arguments = |run: usize| {
        ["search", "--workspace", &workspace_text, "--json", &questions[run]].map(str::to_owned).to_vec()
    };
    process(program, &|_| arguments(0), &environment, 1)?;
    std::thread::sleep(Duration::from_millis(100));
    let fresh = process(program, &|_| arguments(0), &environment, 40)?;
    let hooked = hooks::measure(program, &workspace_text, &environment, &questions[..100])?;
    rows.push((
        "`inwit search` as a command, index fresh, wall p50 / p95, peak memory".into(),
        format!("{:.1} / {:.1} ms, {:.0} MiB", fresh.wall.ms(50), fresh.wall.ms(95), fresh.peak_mib),
    ));
    rows.extend(hooked.into_iter().map(|(what, figure)| (what.to_owned(), figure)));
    if let Some(model) = inwit_testkit::model().filter(|_| passages <= PASSAGES_READ_BY_A_MODEL) {
        let model = model.display().to_string();
        let environment = [environment.as_slice(), &[("INWIT_EMBEDDING_FOLDER", model.as_str())]].concat();
        let fill = |_| ["index", "embed", "--workspace", &workspace_text].map(str::to_owned).to_vec();
        let filled = process(program, &fill, &environment, 1)?;
        let meant = process(program, &arguments, &environment, 40)?;
        rows.push((
            "all passages read by the model: `inwit index embed` as a command, wall".into(),
            format!("{:.0} s", filled.wall.ms(50) / 1e3),
        ));
        rows.push((
            "`inwit search` by words and meaning as a command, wall p50 / p95, peak memory".into(),
            format!("{:.1} / {:.1} ms, {:.0} MiB", meant.wall.ms(50), meant.wall.ms(95), meant.peak_mib),
        ));
    }
    Ok(rows)
}

/// Changes one passage of one daily log.
#[expect(clippy::disallowed_methods, reason = "edits notes that are thrown away")]
fn edit(workspace: &Path, run: usize) -> Outcome<()> {
    let path = workspace.join(notes::day_name(run * 5 % 180));
    let text = std::fs::read_to_string(&path)?;
    std::fs::write(&path, format!("{text}- Ana: {} {run} again.\n", notes::word(run)))?;
    Ok(())
}

/// Lets the stamps of fresh files grow old enough to be trusted.
fn settle(_workspace: &Path) -> Outcome<()> {
    std::thread::sleep(Duration::from_millis(120));
    Ok(())
}

fn prompt() -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    notes::lay_out(folder.path(), 2_000)?;
    notes::lay_out_prompt(folder.path())?;
    let agent = agent(folder.path(), &folder.path().join("index.db"))?;
    let shown = agent.sessions.prompt(&Scope::Main)?;
    let chars: usize = shown.blocks.iter().map(inwit_engine::Block::chars).sum();
    let times = Times::of(200, |_| agent.sessions.prompt(&Scope::Main));
    let texts: Vec<&str> = shown.blocks.iter().map(|block| block.text.as_str()).collect();
    Ok(vec![
        (
            "prompt of 60,000 characters, warm, no report, p50 / p95".into(),
            format!("{:.2} / {:.2} ms ({} characters)", times.ms(50), times.ms(95), grouped(chars)),
        ),
        (
            "the look for what is masked in it, which its first showing pays, p50".into(),
            format!("{:.2} ms", upkeep::masking_ms(&texts)),
        ),
    ])
}

fn agent(workspace: &Path, database: &Path) -> Outcome<Agent> {
    agent_with(workspace, database, None)
}

/// The same as in a process that stays.
fn agent_watching(workspace: &Path, database: &Path) -> Outcome<Agent> {
    let files = FsFiles::open(workspace)?;
    files.watch();
    agent_over(files, database, None)
}

fn agent_with(workspace: &Path, database: &Path, meaning: Option<Meaning>) -> Outcome<Agent> {
    agent_over(FsFiles::open(workspace)?, database, meaning)
}

fn agent_over(files: FsFiles, database: &Path, meaning: Option<Meaning>) -> Outcome<Agent> {
    let (index, _) = SqliteIndex::open(database)?;
    let profile = profile::named("personal").ok_or("profile personal is compiled in")?;
    let spare = || SqliteIndex::in_memory().map(|index| Box::new(index) as Box<dyn inwit_store::Index>);
    Ok(Agent::new(AgentPorts {
        host: inwit_model::Host::default(),
        spare: Box::new(spare),
        files: Arc::new(files),
        index: Box::new(index),
        profile,
        zone: TimeZone::UTC,
        clock: Arc::new(SystemClock),
        keeping: AgentDeps {
            meaning,
            ..AgentDeps::alone(Arc::new(SqliteMemory::in_memory()?), Arc::new(Counted(Default::default())))
        },
    }))
}

fn grouped(number: usize) -> String {
    inwit_engine::core::fit::grouped(number)
}
