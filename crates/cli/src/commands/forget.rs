//! `inwit forget`: words are taken out of everything, or looked for everywhere.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use inwit_engine::Notice;
use inwit_engine::forget::{Aim, Fate, Quotation, Stand, Wording};
use inwit_home::Opened;
use inwit_home::backup::staged;
use inwit_home::forgetting::elsewhere::Elsewhere;
use inwit_home::forgetting::scan::{self, Sought};
use inwit_home::forgetting::{aside, configured, deed, home, unfinished};
use inwit_home::keep::Use;
use inwit_model::{Code, SafeName};
use inwit_wire::{ForgetV1, LookV1, StandV1, TooShortV1, WhereV1};

use crate::error::CliError;
use crate::settings::Settings;
use crate::ui::Ui;
use crate::{compose, hints, person};

/// Most lines of one place that a plan quotes.
const QUOTED_MAX: usize = 10;

/// Said of a note over `FILE_READ_BYTES_MAX`.
const TOO_LARGE: &str = "larger than 8 MiB, and no note of that size is read or written";

/// Most places of the look that are shown.
const HITS_SHOWN_MAX: usize = 20;

/// Forget words for good, everywhere: notes, facts, transcripts, sessions, proposals, indexes, copies
///
/// Without --apply it shows where they stand and what would become of each place. Lines of notes that hold them go
/// whole; sessions that were given them end; the history keeps them unless --rewrite-history says otherwise, which
/// gives its commits new names. Afterwards the whole home is looked through, and what still holds them is told.
/// They are known again by a salted hash, so that no dream, proposal, undo or restore brings them back. Backups
/// that lie elsewhere are named and not touched. Copies made elsewhere in another way, and what a model's provider was
/// sent, are out of reach.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("deed").args(["everywhere", "check"]).required(true)))]
#[command(group(ArgGroup::new("selector").args(["text", "fact", "line", "again"]).required(true)))]
pub struct ForgetArgs {
    /// Take the words out of everything
    #[arg(long)]
    pub everywhere: bool,
    /// Look where the words stand, byte by byte, and change nothing; exit status 1 where they stand
    #[arg(long, conflicts_with_all = ["apply", "rewrite_history"])]
    pub check: bool,
    /// The words; `-` reads them from stdin, so that no shell remembers them
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// The words of a fact, and all that it ever said: its number, its id, or the end of its id
    #[arg(long, value_name = "FACT")]
    pub fact: Option<String>,
    /// The words of a line of a note
    #[arg(long, value_name = "FILE:LINE")]
    pub line: Option<String>,
    /// All that was forgotten for good before and stands here again, such as from files of a backup
    #[arg(long)]
    pub again: bool,
    /// Do it; without this the plan is shown
    #[arg(long)]
    pub apply: bool,
    /// Take them out of the commits of history too; their names change
    #[arg(long)]
    pub rewrite_history: bool,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

/// Runs it; `false`: the words stand somewhere when it is over, or nobody can tell.
pub fn run(args: &ForgetArgs, settings: Settings, ui: &mut Ui) -> Result<bool, CliError> {
    let mut opened = compose::open_files_alone(settings.clone(), Use::Work)?;
    let turn = if args.apply { Some(deed::turn(&opened.chosen.home, &settings.paths.state)?) } else { None };
    if turn.is_some() {
        opened = compose::open_files_alone(settings.clone(), Use::Work)?;
    }
    let roots = roots(&opened);
    // What another deed left comes first: its words may be these, and whoever asks is told either way.
    if let Some(left) = unfinished::of(&opened.chosen.home)? {
        let began = left.began.strftime("%Y-%m-%d %H:%M:%SZ");
        match &turn {
            Some(turn) => {
                if let Some(done) = deed::finish(turn, &opened, &person::owner())? {
                    done.failed.iter().for_each(|why| ui.say(format!("note: not gone through: {why}")));
                    ui.say(format!("note: the deed of {began} had not ended; it was brought to its end."));
                }
                opened = compose::open_files_alone(settings.clone(), Use::Work)?;
            }
            None => ui.say(format!(
                "note: the deed of {began} has not ended: it was killed, or is at work now. {}",
                hints::said(unfinished::FINISH)
            )),
        }
    }
    let Some(aim) = aim(args, &opened, ui)? else {
        half_done_copies(args, &opened, ui)?;
        if ui.json() {
            ui.value(&ForgetV1 { applied: args.apply, ..ForgetV1::default() });
        } else {
            ui.line("Nothing that was forgotten for good stands in what is kept.");
        }
        return Ok(true);
    };
    let wording = aim.wording();
    let fact = args.fact.as_deref().map(|id| Named::of(&opened, id)).transpose()?;
    let short = fact.as_ref().map(|fact| fact.short.as_slice()).unwrap_or_default();
    tell_short(short, ui);
    // By their hashes the look finds passages where only those are kept.
    let passages = opened.agent.passages_holding(wording)?;
    if args.check {
        let look = look(&roots, wording, &passages)?;
        let is_clean = look.is_clean();
        if ui.json() {
            ui.value(&look);
        } else {
            tell_look(&look, ui);
        }
        return Ok(is_clean);
    }
    let mut plan: Vec<Stand> = fact.iter().filter_map(Named::stand).collect();
    // Of a fact that says nothing long enough only the fact itself goes.
    let is_sought = !wording.texts().is_empty();
    if is_sought {
        plan.extend(opened.agent.plan_forgetting(&aim)?);
        let sought = Sought::of(wording, &passages)?;
        plan.extend(home::plan(&opened, &sought)?);
        plan.extend(configured::plan(&opened, &sought));
        plan.extend(aside::plan(&opened, &sought));
    }
    let elsewhere = Elsewhere::of(&opened)?;
    plan.extend(elsewhere.plan());
    let mut told = stay_retired(args, &opened, &aim)?;
    told.extend(elsewhere.notices());
    let Some(turn) = turn else {
        if is_sought {
            plan.extend(others(&opened, wording, &plan)?);
        }
        if ui.json() {
            ui.value(&ForgetV1 {
                applied: false,
                places: wire(&plan, true),
                log_emptied: None,
                look: None,
                too_short: short.to_vec(),
                notices: Ui::wire_notices(&told),
            });
        } else {
            tell_plan(&plan, ui);
            tell_configured(&plan, ui);
            told.iter().for_each(|notice| ui.notice(notice));
            ui.say("hint: with --apply it is done; it cannot be undone.");
        }
        return Ok(true);
    };
    if !args.yes {
        tell_plan(&plan, ui);
        person::agrees("Take this away for good, everywhere?", ui)?;
    }
    let deed::Done { forgotten: mut done, failed } = match is_sought {
        true => deed::carry_out(&turn, &opened, &person::owner(), &aim, true)?,
        false => deed::Done::default(),
    };
    // Last, since the fact is what names the words to who has to say it again.
    if let Some(fact) = fact.as_ref().filter(|fact| !fact.short.is_empty()) {
        done.facts += fact.purge(&opened)?;
        done.log_emptied = opened.agent.empty_log()?;
    }
    let too_large = opened.agent.notes_too_large()?;
    let workspace = opened.chosen.workspace.clone();
    drop(opened);
    failed.iter().for_each(|why| ui.say(format!("note: not gone through: {why}")));
    let look = if is_sought { Some(look(&roots, wording, &passages)?) } else { None };
    let is_clean = look.as_ref().is_none_or(LookV1::is_clean);
    if ui.json() {
        ui.value(&ForgetV1 {
            applied: true,
            places: wire(&plan, false),
            log_emptied: Some(done.log_emptied),
            look,
            too_short: short.iter().map(|short| TooShortV1 { text: None, ..*short }).collect(),
            notices: Ui::wire_notices(&told),
        });
        return Ok(is_clean);
    }
    ui.line(format!(
        "Forgotten: {} fact(s), lines of {} file(s), {} transcript(s), {} row(s), {} commit(s).",
        done.facts, done.files, done.transcripts, done.rows, done.commits
    ));
    if !done.log_emptied {
        ui.say("note: another process is reading memory.db, so its log still holds pages of before. Run this again when it has ended.");
    }
    for stand in plan.iter().filter(|stand| stand.kind == "file" && stand.fate == Fate::Stays) {
        ui.say(format!(
            "note: inwit writes nothing into {}, so its lines stay; take them out by hand.",
            stand.name
        ));
    }
    for name in too_large {
        let path = workspace.join(name.as_str()).display().to_string();
        let mut stands = look.iter().flat_map(|look| &look.stands);
        if stands.any(|place| place.path == path) {
            let name = inwit_model::name::shown(name.as_str());
            ui.say(format!("note: {name} is {TOO_LARGE}, so its lines stay; take them out by hand."));
        }
    }
    if plan.iter().any(|stand| stand.kind == "history" && stand.fate == Fate::Stays) {
        ui.say("note: history keeps them; --rewrite-history takes them out of its commits.");
    }
    tell_configured(&plan, ui);
    told.iter().for_each(|notice| ui.notice(notice));
    if let Some(look) = look {
        tell_look(&look, ui);
    }
    Ok(is_clean)
}

/// What a killed restore left is no home, and nobody looks there for hashes: it goes whole, or is named.
fn half_done_copies(args: &ForgetArgs, opened: &Opened, ui: &mut Ui) -> Result<(), CliError> {
    let left = staged::left(&opened.chosen.home, &opened.chosen.workspace, &opened.config.paths);
    if args.apply {
        staged::take_away_guarded(&opened.chosen, &opened.config.paths)?;
    }
    for path in left {
        let path = path.display();
        ui.say(match args.apply {
            true => format!("note: {path}, which a killed restore left half done, was taken away."),
            false => {
                format!("note: {path} was left half done by a killed restore; with --apply it is taken away.")
            }
        });
    }
    Ok(())
}

/// That facts were retired for what goes, and stay so.
fn stay_retired(args: &ForgetArgs, opened: &Opened, aim: &Aim) -> Result<Vec<Notice>, CliError> {
    let told = opened.agent.facts.gave_way_to_forgotten(aim.wording())?;
    // One that says little goes by what it is called.
    let named = args.fact.as_deref().filter(|_| told.is_none());
    let told = told.or(named.map(|id| opened.agent.facts.fact_gave_way(id)).transpose()?.flatten());
    Ok(told.into_iter().collect())
}

/// The fact that is meant, and what it said that is too short to be looked for.
struct Named {
    id: String,
    number: String,
    short: Vec<TooShortV1>,
}

impl Named {
    fn of(opened: &Opened, id: &str) -> Result<Self, CliError> {
        let fact = opened.agent.facts.fact(id)?;
        let versions = versions(opened, id)?;
        let short = (1..).zip(versions).filter(|(_, text)| Wording::is_too_short(text));
        let short = short.map(|(version, text)| TooShortV1 { version, text: Some(text) });
        Ok(Self { id: fact.id.to_string(), number: fact.number.to_string(), short: short.collect() })
    }

    /// That it goes by what it is called, where its words alone would not take it.
    fn stand(&self) -> Option<Stand> {
        let quoted = |short: &TooShortV1| Some(Quotation { line: None, text: short.text.clone()? });
        (!self.short.is_empty()).then(|| Stand {
            kind: "fact",
            name: self.number.clone(),
            count: self.short.len() as u64,
            fate: Fate::Goes,
            shows: self.short.iter().filter_map(quoted).collect(),
        })
    }

    /// Takes the fact away with all its versions; 0: it went with its words.
    fn purge(&self, opened: &Opened) -> Result<u64, CliError> {
        match opened.agent.facts.fact_purge(&self.id, &person::owners(false)) {
            Ok(_) => Ok(1),
            Err(error) if error.code == Code::FactUnknown => Ok(0),
            Err(error) => Err(error.into()),
        }
    }
}

/// All that a fact said, oldest first.
fn versions(opened: &Opened, id: &str) -> Result<Vec<String>, CliError> {
    let mut texts = opened.agent.fact_wordings(id)?;
    texts.rotate_left(1);
    Ok(texts)
}

fn tell_short(short: &[TooShortV1], ui: &mut Ui) {
    if !short.is_empty() {
        let versions: Vec<String> = short.iter().map(|short| short.version.to_string()).collect();
        ui.say(format!(
            "note: too short to be looked for anywhere else: version {} of the fact, oldest first. It goes with the fact.",
            versions.join(", ")
        ));
    }
}

/// How words get out of settings, which no deed alters.
fn tell_configured(plan: &[Stand], ui: &mut Ui) {
    for stand in plan.iter().filter(|stand| stand.kind == configured::KIND) {
        ui.say(format!("note: {} stays as it is. {}", stand.name, hints::said(configured::HINT)));
    }
}

/// The words that are meant; `None`: those that were forgotten stand nowhere.
fn aim(args: &ForgetArgs, opened: &Opened, ui: &mut Ui) -> Result<Option<Aim>, CliError> {
    if !args.again {
        let texts = texts(args, opened)?;
        if texts.is_empty() && args.fact.is_some() && args.everywhere {
            return Ok(Some(Aim::nothing()));
        }
        return Ok(Some(Aim::of(Wording::of(texts)?, args.rewrite_history)));
    }
    let buried = deed::buried(opened, args.rewrite_history)?;
    let unsaid = opened.agent.forgotten_in_history(&buried.unsaid)?;
    let told = deed::Again { texts: 0, places: 0, unsaid }.unsaid_told();
    // What is answered as JSON has no place for it.
    if let Some(notice) = told {
        ui.say(format!("note: {}", notice.message));
        ui.say(format!("hint: {}", hints::said(notice.hint)));
    }
    Ok(opened.agent.forgotten_that_stands(&buried.rewritten, &buried.kept, &mut |show| {
        home::each_left(opened, show);
    })?)
}

fn texts(args: &ForgetArgs, opened: &Opened) -> Result<Vec<String>, CliError> {
    if let Some(id) = &args.fact {
        let mut texts = versions(opened, id)?;
        texts.retain(|text| !Wording::is_too_short(text));
        return Ok(texts);
    }
    if let Some(line) = &args.line {
        return line_of(opened, line).map(|line| vec![line]);
    }
    match args.text.as_deref() {
        Some("-") => {
            let mut text = String::new();
            let read = std::io::stdin().take(STDIN_BYTES_MAX).read_to_string(&mut text);
            read.map_err(|error| CliError::new(Code::UsageBad, format!("stdin cannot be read: {error}.")))?;
            Ok(vec![text])
        }
        text => Ok(text.map(str::to_owned).into_iter().collect()),
    }
}

/// Most bytes that are read from stdin.
const STDIN_BYTES_MAX: u64 = 64 * 1024;

fn line_of(opened: &Opened, place: &str) -> Result<String, CliError> {
    let bad = |message: String| CliError::new(Code::UsageBad, message);
    let (name, number) = place.rsplit_once(':').ok_or_else(|| bad("A line is named as FILE:LINE.".into()))?;
    let number: usize = number.parse().map_err(|_| bad("The number of a line is a number from 1.".into()))?;
    let name = SafeName::parse(name).map_err(|error| CliError::new(Code::NameRefused, error.to_string()))?;
    let text = opened.agent.text_of(&name)?;
    let line = number.checked_sub(1).and_then(|at| text.lines().nth(at));
    line.map(str::to_owned).ok_or_else(|| bad(format!("`{name}` has no line {number}.")))
}

/// Everything that belongs to the agent: its home and what a restore moved aside, its workspace, our state, settings.
fn roots(opened: &Opened) -> Vec<PathBuf> {
    let Opened { chosen, config, .. } = opened;
    let mut roots = vec![chosen.home.clone(), chosen.workspace.clone(), config.paths.state.clone()];
    roots.extend(configured::roots(&config.paths));
    for place in [&chosen.home, &chosen.workspace] {
        let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else { continue };
        let begins = format!("{}.", name.to_string_lossy());
        let beside = std::fs::read_dir(parent).into_iter().flatten().flatten();
        let beside = beside.filter(|entry| entry.file_name().to_string_lossy().starts_with(&begins));
        roots.extend(beside.map(|entry| entry.path()));
    }
    roots
}

/// Files of the workspace and transcripts in which the look finds the words and that no part of the plan takes them out
/// of: what is no note, or is written in another way than notes and transcripts are.
fn others(opened: &Opened, wording: &Wording, plan: &[Stand]) -> Result<Vec<Stand>, CliError> {
    let (home, workspace) = (&opened.chosen.home, &opened.chosen.workspace);
    let found = look(&[workspace.clone(), opened.chosen.transcripts()], wording, &[])?;
    let sought = Sought::of(wording, &[])?;
    let too_large: Vec<PathBuf> =
        opened.agent.notes_too_large()?.iter().map(|name| workspace.join(name.as_str())).collect();
    let mut others: BTreeMap<String, Stand> = BTreeMap::new();
    for place in found.stands {
        let path = Path::new(&place.path);
        let below = path.strip_prefix(workspace).or_else(|_| path.strip_prefix(home));
        let Ok(name) = below.map(|name| name.display().to_string()) else { continue };
        let planned = plan.iter().find(|stand| match stand.kind {
            "file" => stand.name == name,
            "copy" => path.file_name().is_some_and(|end| end.to_string_lossy() == stand.name),
            "transcript" => path.file_stem().is_some_and(|stem| stem.to_string_lossy() == stand.name),
            _ => false,
        });
        let stays = match planned {
            Some(stand) => left_in(path, stand, wording, &sought).map(str::to_owned),
            None => Some(place.how),
        };
        if let Some(how) = stays {
            let text =
                if too_large.iter().any(|note| note == path) { format!("{how}; {TOO_LARGE}") } else { how };
            let shows = vec![Quotation { line: None, text }];
            let stand = others.entry(name.clone()).or_insert(Stand {
                kind: "other",
                name: inwit_model::name::shown(&name),
                count: 0,
                fate: Fate::Stays,
                shows: Vec::new(),
            });
            stand.count += 1;
            stand.shows.extend(shows);
        }
    }
    Ok(others.into_values().collect())
}

/// How words stand in what is left of a place that is rewritten: what a machine encoded is cut out of none.
fn left_in(path: &Path, stand: &Stand, wording: &Wording, sought: &Sought) -> Option<&'static str> {
    if stand.fate != Fate::Rewritten {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let left = match stand.kind {
        "file" => wording.without_lines(&bytes, b""),
        _ => wording.without(&bytes),
    };
    sought.found_in(&left.unwrap_or(bytes))
}

fn look(roots: &[PathBuf], wording: &Wording, passages: &[String]) -> Result<LookV1, CliError> {
    let sought = Sought::of(wording, passages)?;
    let wire = |(path, how)| WhereV1 { path, how };
    let scanned = scan::scan(roots, &sought);
    Ok(LookV1 {
        files: scanned.files,
        objects: scanned.objects,
        stands: scanned.hits.into_iter().map(wire).collect(),
        missed: scanned.missed.into_iter().map(wire).collect(),
        spellings: scanned.spellings.into_iter().collect(),
    })
}

/// `quotes`: with what stands there; a deed repeats none of it.
fn wire(plan: &[Stand], quotes: bool) -> Vec<StandV1> {
    let hint = |stand: &Stand| (stand.kind == configured::KIND).then(|| configured::HINT.into());
    plan.iter().map(|stand| StandV1::new(stand, quotes, hint(stand))).collect()
}

fn tell_plan(plan: &[Stand], ui: &mut Ui) {
    for stand in plan {
        ui.show(format!("{:<14} {:>5}  {}: {}", stand.fate.word(), stand.count, stand.kind, stand.name));
        for Quotation { line, text } in stand.shows.iter().take(QUOTED_MAX) {
            let place = line.map(|line| format!("{}:{line}  ", stand.name)).unwrap_or_default();
            ui.show(format!("{:22}{place}{text}", ""));
        }
        if stand.shows.len() > QUOTED_MAX {
            let more = stand.shows.len() - QUOTED_MAX;
            ui.show(format!("{:22}and {more} more; --json shows all", ""));
        }
        if (stand.kind, stand.name.as_str()) == ("memory.db", "proposals") {
            let note = "Each holds the file that it was made for. What only adds other words is proposed again without them.";
            ui.show(format!("{:22}{note}", ""));
        }
    }
    // What is gone through on suspicion has a count of 0.
    if plan.iter().all(|stand| stand.count == 0 || stand.fate == Fate::MadeAnew) {
        let is_seen = !plan.iter().any(home::is_unreadable);
        let kept = if is_seen { "is kept" } else { "could be looked into" };
        ui.show(format!("The words stand nowhere that {kept}."));
    }
}

/// A path of the disk with its control characters as escapes: a line end in a name would begin a line of ours.
fn in_one_line(path: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    path.chars().map(escaped).collect()
}

fn tell_look(look: &LookV1, ui: &mut Ui) {
    for place in look.stands.iter().take(HITS_SHOWN_MAX) {
        ui.line(format!("stands: {} ({})", in_one_line(&place.path), place.how));
    }
    if look.stands.len() > HITS_SHOWN_MAX {
        ui.line(format!("and in {} more places", look.stands.len() - HITS_SHOWN_MAX));
    }
    for place in &look.missed {
        ui.say(format!("note: not looked into: {} ({})", in_one_line(&place.path), place.how));
    }
    for spelling in &look.spellings {
        ui.say(format!(
            "note: another spelling stands: {spelling}. With other accents it is another text; `inwit forget --everywhere` takes it when it is named so."
        ));
    }
    if look.stands.is_empty() {
        let nowhere = if look.missed.is_empty() { "nowhere" } else { "nowhere that could be looked into" };
        ui.line(format!(
            "The words stand {nowhere}: {} file(s) and {} object(s) of history were looked through.",
            look.files, look.objects
        ));
    }
}
