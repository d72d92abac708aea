//! `inwit bench`: quality and speed of recall on public data.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use inwit_bench_suites::compare::{self, ComparedV1, PairV1};
use inwit_bench_suites::examiner::Watch;
use inwit_bench_suites::extract::{self, Counting, ExtractV1, Script, Session};
use inwit_bench_suites::generated::DAY_PASSAGES;
use inwit_bench_suites::layout::Layout;
use inwit_bench_suites::manifest::{self, DataV1, ManifestV1};
use inwit_bench_suites::source::{self, ListHash};
use inwit_bench_suites::suite::Bundled;
use inwit_bench_suites::week;
use inwit_bench_suites::week::report::WeekV1;
use inwit_bench_suites::{run as benchmark, table};
use inwit_engine::Notice;
use inwit_engine::core::fit::grouped;
use inwit_home::AgentConfig;
use inwit_home::clock::SystemClock;
use inwit_home::reviewing::public_model;
use inwit_home::{meaning, own};
use inwit_model::{Clock as _, Code, Completer};

use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;
use inwit_settings::resolve::PROFILE_DEFAULT;
use inwit_settings::table::SETTINGS;

/// Measure recall on your own or published data
///
/// Reads a data set and writes it as notes into a temporary folder. Runs its questions through the search that
/// every command uses, and scores the results without a judge. Your own notes are not read. Nothing is sent
/// anywhere, unless --embed uses a provider over HTTP.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit bench latency\n\
\x20 inwit bench cjk --misses\n\
\x20 inwit bench locomo locomo10.json --out words.json\n\
\x20 inwit bench compare words.json meaning.json")]
pub struct BenchArgs {
    #[command(subcommand)]
    pub verb: BenchVerb,
    /// Compute embeddings first, and search by meaning too
    ///
    /// Uses the model that is installed or configured. Without this flag, only the search by words is measured. A
    /// provider over HTTP receives the texts of the data set.
    #[arg(long, global = true)]
    pub embed: bool,
    /// Write the manifest to this file: all figures with program, machine, data and settings, as JSON
    #[arg(long, global = true, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What can be measured.
#[derive(Debug, Subcommand)]
pub enum BenchVerb {
    /// Run LoCoMo: long conversations, and the turns that answer questions
    Locomo(LocomoArgs),
    /// Run LongMemEval: chat histories, and the sessions that answer questions
    Longmemeval(PathArgs),
    /// Run BEIR: corpus.jsonl, queries.jsonl and qrels/test.tsv in a folder
    Beir(PathArgs),
    /// Measure how results change as notes get older and more numerous
    Rot(RotArgs),
    /// Ask 200 bundled questions in six languages
    ///
    /// They have one or two characters, mixed scripts, or inflected words.
    Cjk(SuiteArgs),
    /// Ask 150 bundled questions about times, in five languages
    ///
    /// Only the time distinguishes the right answers from the wrong ones.
    Temporal(SuiteArgs),
    /// Index and search 10,000 generated passages
    Latency,
    /// Index and search N generated passages
    Scale(ScaleArgs),
    /// Replay a generated week of sessions, then probe what is recalled
    ///
    /// The sessions go through hooks and MCP; the probes run in new sessions.
    Week(WeekArgs),
    /// Replay labelled conversations, review each, and count the facts that are kept
    ///
    /// Without --llm, two scripted models answer: one states the labelled facts, the other every lure as well.
    Extract(ExtractArgs),
    /// Compare two manifests of the same benchmark on the same data
    Compare(CompareArgs),
}

#[derive(Debug, Args)]
pub struct LocomoArgs {
    /// Published file, such as locomo10.json
    pub path: PathBuf,
    /// How turns are arranged in files
    #[arg(long, value_parser = layouts(), default_value_t = Layout::Session)]
    pub layout: Layout,
    /// Move every date in names and headings by this number of days
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = crate::args::whole::<i32>(-SHIFT_DAYS_MAX, SHIFT_DAYS_MAX))]
    pub shift_days: i32,
}

fn layouts() -> impl TypedValueParser<Value = Layout> {
    let values = Layout::ALL.map(|(_, word, about)| PossibleValue::new(word).help(about));
    PossibleValuesParser::new(values).try_map(|word| Layout::parse(&word).ok_or("not a layout"))
}

/// A hundred years: years keep four digits.
const SHIFT_DAYS_MAX: i64 = 36_500;

#[derive(Debug, Args)]
pub struct PathArgs {
    /// Published file or folder
    pub path: PathBuf,
}

#[derive(Debug, Args)]
pub struct RotArgs {
    /// LoCoMo's published file [default: generated notes]
    pub path: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SuiteArgs {
    /// Folder of notes with a questions.toml in the same form, instead of the bundled one
    pub path: Option<PathBuf>,
    /// List the questions that did not find what they expect
    #[arg(long)]
    pub misses: bool,
}

#[derive(Debug, Args)]
pub struct WeekArgs {
    /// Folder with sessions.jsonl and files of probes
    pub path: PathBuf,
    /// File of probes in that folder; may be repeated
    #[arg(long = "probes", value_name = "FILE", default_value = "probes-a.jsonl")]
    pub probes: Vec<String>,
    /// Print the probes whose evidence was not shown
    #[arg(long)]
    pub misses: bool,
}

#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// Files of labelled conversations
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Ask the language model of llm.provider; it receives the conversations
    #[arg(long)]
    pub llm: bool,
    /// Print each labelled fact that was lost, and each lure that was kept
    #[arg(long)]
    pub misses: bool,
}

#[derive(Debug, Args)]
pub struct ScaleArgs {
    /// Number of passages, a multiple of 50
    #[arg(value_name = "N", value_parser = crate::args::whole::<u32>(DAY_PASSAGES as i64, SCALE_PASSAGES_MAX))]
    pub passages: u32,
}

/// Ten million: 50 for each of the 200,000 files of a workspace.
const SCALE_PASSAGES_MAX: i64 = 10_000_000;

/// Passages of `bench latency`.
const LATENCY_PASSAGES: u32 = 10_000;

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Manifest of one run, as --out writes it
    pub a: PathBuf,
    /// Manifest of another run
    pub b: PathBuf,
}

/// Ends with the status of an interrupted program where Ctrl-C stops it; its temporary folders go then too.
pub fn run(args: &BenchArgs, settings: &Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    ui.stops_on_interrupt();
    let done = panic::catch_unwind(AssertUnwindSafe(|| measure(args, settings, here, ui)));
    match done {
        Ok(done) => done.map(|()| 0),
        Err(why) if why.is::<Interrupted>() => {
            ui.clear_progress();
            ui.say("note: Interrupted; the temporary folder was removed.");
            Ok(INTERRUPTED_EXIT)
        }
        Err(why) => panic::resume_unwind(why),
    }
}

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED_EXIT: u8 = 130;

/// What unwinds a benchmark that Ctrl-C stops, so that everything it laid out is dropped.
struct Interrupted;

fn measure(args: &BenchArgs, settings: &Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let settings = with_meaning_or_without(settings, args.embed)?;
    let config = &settings.agent_config(crate::compose::SURFACE)?;
    let out = args.out.as_deref().map(|file| here.join(file));
    if let Some(out) = &out {
        is_writable(out)?;
    }
    let in_here = |path: Option<&Path>| path.map(|path| here.join(path));
    let suite = |bench, bundled, args: &SuiteArgs, ui: &mut Ui| {
        benchmark::suite(bench, bundled, in_here(args.path.as_deref()).as_deref(), args.misses, config, ui)
    };
    let outcome = match &args.verb {
        BenchVerb::Locomo(args) => {
            benchmark::locomo(&here.join(&args.path), args.layout, args.shift_days, config, ui)?
        }
        BenchVerb::Longmemeval(args) => benchmark::longmemeval(&here.join(&args.path), config, ui)?,
        BenchVerb::Beir(args) => benchmark::beir(&here.join(&args.path), config, ui)?,
        BenchVerb::Rot(args) => benchmark::rot(in_here(args.path.as_deref()).as_deref(), config, ui)?,
        BenchVerb::Cjk(args) => suite("cjk", Bundled::Languages, args, ui)?,
        BenchVerb::Temporal(args) => suite("temporal", Bundled::Temporal, args, ui)?,
        BenchVerb::Latency => benchmark::scale("latency", LATENCY_PASSAGES, config, ui)?,
        BenchVerb::Scale(args) => benchmark::scale("scale", args.passages, config, ui)?,
        BenchVerb::Week(args) => return week(args, out.as_deref(), here, ui),
        BenchVerb::Extract(args) => return extract(args, config, out.as_deref(), here, ui),
        BenchVerb::Compare(args) => return compared(args, out.as_deref(), here, ui),
    };
    ui.clear_progress();
    let manifest = ManifestV1::new(outcome, told(&settings), SystemClock.now());
    if ui.json() {
        ui.value(&manifest);
    } else {
        print(&manifest, ui);
    }
    out.map_or(Ok(()), |out| keep(&manifest, &out, ui))
}

/// The user's settings, with embeddings as requested, whatever is installed.
fn with_meaning_or_without(settings: &Settings, embeds: bool) -> Result<Settings, CliError> {
    let mut settings = settings.clone();
    if !embeds {
        settings.without_meaning("inwit bench");
    } else if meaning::of(&settings.embedding(), &settings.paths.root, &meaning::LocalModels::default())
        .is_none()
    {
        return Err(CliError::new(Code::ModelMissing, "No embedding model is installed or configured."));
    }
    Ok(settings)
}

/// Profile, settings of recall and search, and the embedding model. Other settings may be private.
fn told(settings: &Settings) -> BTreeMap<String, String> {
    let profile = settings.layers.text("profile").unwrap_or(PROFILE_DEFAULT);
    let mut told = BTreeMap::from([("profile".to_owned(), profile.to_owned())]);
    let keys = SETTINGS
        .iter()
        .map(|row| row.key)
        .filter(|key| ["recall.", "search.", "weights."].iter().any(|part| key.starts_with(part)));
    for key in keys {
        if let Some(text) = settings.layers.text(key) {
            told.insert(key.to_owned(), text.to_owned());
        }
    }
    let model = meaning::name(&settings.embedding()).unwrap_or_else(|| "none".to_owned());
    told.insert("embedding".to_owned(), model);
    told
}

fn week(args: &WeekArgs, out: Option<&Path>, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let probes: Vec<&str> = args.probes.iter().map(String::as_str).collect();
    let week = week::data::read(&here.join(&args.path), &probes)?;
    let program = std::env::current_exe().map_err(|error| {
        CliError::new(Code::FileUnreadable, format!("The program's own file cannot be found: {error}."))
    })?;
    let judged =
        week::replay(&program, &week, &mut |done, of| _ = ui.progress("sessions and probes", done, of))?;
    ui.clear_progress();
    let told = WeekV1::of(&week, &judged, SystemClock.now());
    if ui.json() {
        ui.value(&told);
    } else {
        table::lines(&told.rows()).iter().for_each(|line| ui.line(line));
    }
    if args.misses {
        judged.misses.iter().for_each(|miss| ui.say(format!("miss: {miss}")));
    }
    out.map_or(Ok(()), |out| keep(&told, out, ui))
}

fn extract(
    args: &ExtractArgs,
    config: &AgentConfig,
    out: Option<&Path>,
    here: &Path,
    ui: &mut Ui,
) -> Result<(), CliError> {
    let (mut sessions, mut hash) = (Vec::new(), ListHash::default());
    for file in &args.files {
        let path = here.join(file);
        sessions.extend(extract::read(&path)?);
        hash.add(&source::file_name(&path), source::sha256(&path)?);
    }
    let mut report = ExtractV1::new(sessions.len(), hash.hash(), SystemClock.now());
    let mut misses = Vec::new();
    if args.llm {
        let model = public_model(&config.review);
        let model = model.map_err(|error| CliError::new(error.code, error.message))?;
        let model = Counting::of(model);
        let open = |_: &Session| Ok(Box::new(model.clone()) as Box<dyn Completer>);
        let judged = extract::replay(config, &sessions, &open, ui)?;
        report.add(model.model(), &judged, Some(model.used()));
        misses.extend(judged.misses);
    } else {
        for script in [Script::Good, Script::Careless] {
            let open = |session: &Session| Ok(script.model_of(session));
            let judged = extract::replay(config, &sessions, &open, ui)?;
            report.add(script.word(), &judged, None);
            misses.extend(judged.misses.iter().map(|miss| format!("{}: {miss}", script.word())));
        }
    }
    ui.clear_progress();
    if ui.json() {
        ui.value(&report);
    } else {
        table::lines(&report.rows()).iter().for_each(|line| ui.line(line));
    }
    if args.misses {
        misses.iter().for_each(|miss| ui.say(format!("miss: {miss}")));
    }
    out.map_or(Ok(()), |out| keep(&report, out, ui))
}

fn compared(args: &CompareArgs, out: Option<&Path>, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let read = |path: &Path| compare::read(&here.join(path));
    let compared = compare::compare(&read(&args.a)?, &read(&args.b)?)?;
    if ui.json() {
        ui.value(&compared);
    } else {
        print_compared(&compared, ui);
    }
    out.map_or(Ok(()), |out| keep(&compared, out, ui))
}

impl Watch for Ui {
    fn progress(&mut self, what: &str, done: usize, of: usize) {
        if Ui::progress(self, what, done, of).is_break() {
            panic::resume_unwind(Box::new(Interrupted));
        }
    }

    fn notice(&mut self, notice: &Notice) {
        Ui::notice(self, notice);
    }

    fn say(&mut self, text: &str) {
        Ui::say(self, text);
    }
}

/// Checked before the work, not after.
fn is_writable(out: &Path) -> Result<(), CliError> {
    let folder = out.parent().unwrap_or(Path::new("."));
    let tried = match out.is_dir() {
        true => Err(std::io::ErrorKind::IsADirectory.into()),
        false => tempfile::tempfile_in(folder),
    };
    Ok(tried.map(drop).map_err(|error| own::failed(out, &error))?)
}

fn keep(manifest: &impl serde::Serialize, out: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(manifest).map_err(|error| {
        CliError::new(Code::WriteFailed, format!("The manifest cannot be written as JSON: {error}."))
    })?;
    own::write(out, format!("{text}\n").as_bytes())?;
    ui.say(format!("Wrote the manifest to {}.", out.display()));
    Ok(())
}

fn print(manifest: &ManifestV1, ui: &mut Ui) {
    let DataV1 { name, sha256, workspaces, notes } = &manifest.data;
    let (workspaces, notes) = (grouped(*workspaces), grouped(*notes));
    ui.line(format!("{}: {name}, workspaces {workspaces}, files {notes}", manifest.bench));
    ui.line(format!("sha256 {sha256}"));
    let settings: Vec<_> = manifest.settings.iter().map(|(key, text)| format!("{key} {text}")).collect();
    ui.line(settings.join(", "));
    ui.line("");
    if !manifest.quality.is_empty() {
        let columns = manifest::columns(&manifest.quality);
        let head = ["", "questions"].into_iter().chain(columns.iter().map(|spec| spec.title));
        let mut rows = vec![head.map(str::to_owned).collect::<Vec<_>>()];
        for row in &manifest.quality {
            let cells = columns.iter().map(|spec| match row.figures.get(spec.key) {
                Some(value) => format!("{value:.*}", spec.digits),
                None => "-".to_owned(),
            });
            rows.push([row.group.clone(), grouped(row.questions)].into_iter().chain(cells).collect());
        }
        table::lines(&rows).iter().for_each(|line| ui.line(line));
        ui.line("");
    }
    let rows: Vec<_> = manifest.cost.0.iter().map(|(key, value)| vec![key.clone(), number(*value)]).collect();
    table::lines(&rows).iter().for_each(|line| ui.line(line));
}

fn print_compared(compared: &ComparedV1, ui: &mut Ui) {
    ui.line(format!("{}, sha256 {}", compared.bench, compared.sha256));
    let none = || "-".to_owned();
    for (key, [a, b]) in &compared.conditions {
        let [a, b] = [a, b].map(|text| text.clone().unwrap_or_else(none));
        ui.line(format!("{key}: {a} | {b}"));
    }
    ui.line("");
    let head = ["", "", "a", "b", "b - a"].map(str::to_owned).to_vec();
    let row = |pair: &PairV1| {
        let cells = [pair.a, pair.b, pair.difference].map(|value| value.map_or_else(none, number));
        [pair.group.clone(), pair.key.clone()].into_iter().chain(cells).collect()
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain(compared.quality.iter().chain(&compared.cost).map(row)).collect();
    table::lines(&rows).iter().for_each(|line| ui.line(line));
}

/// A number for people: whole if large, else three digits.
fn number(value: f64) -> String {
    const LARGE: f64 = 1e4;
    if value.abs() < LARGE {
        return format!("{value:.3}");
    }
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}", grouped(value.abs().round() as usize))
}
