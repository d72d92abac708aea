//! `inwit forget`: erases texts everywhere, or searches for them.

mod places;
mod report;
mod words;

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use inwit_engine::Notice;
use inwit_engine::forget::{ErasureRequest, Occurrence};
use inwit_home::OpenAgent;
use inwit_home::forgetting::elsewhere::Elsewhere;
use inwit_home::forgetting::others::OtherHomes;
use inwit_home::forgetting::scan::Sought;
use inwit_home::forgetting::{aside, configured, deed, home, unfinished};
use inwit_home::keep::Use;
use inwit_model::time;
use inwit_wire::{ForgetV1, LookV1, TooShortV1};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, hints, person};
use inwit_settings::Settings;

/// Erase words everywhere: notes, facts, sessions, indexes, copies
///
/// Without --apply, shows where the words are and what would happen to each place. Lines of notes that contain them are
/// deleted whole, and sessions that received them are ended. The history keeps them unless --rewrite-history is given,
/// which changes the ids of its commits. After the erasure the whole home is searched, and remaining places are
/// reported. A salted hash of the words is kept, so that no dream, proposal, undo or restore brings them back. Backups
/// in other folders are listed but not changed. Copies that you made in other ways, and text sent to a model provider,
/// cannot be erased.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit forget --everywhere \"the old address\"             Show what would be erased\n\
\x20 inwit forget --everywhere \"the old address\" --apply     Erase it\n\
\x20 inwit forget --everywhere --line MEMORY.md:12 --apply\n\
\x20 inwit forget --check \"the old address\"")]
#[command(group(ArgGroup::new("deed").args(["everywhere", "check"]).required(true)))]
#[command(group(ArgGroup::new("selector").args(["text", "fact", "line", "again"]).required(true)))]
pub struct ForgetArgs {
    /// Erase the words from every place
    #[arg(long)]
    pub everywhere: bool,
    /// Search for the words byte by byte; change nothing. Exit status 1 if they are found
    #[arg(long, conflicts_with_all = ["apply", "rewrite_history"])]
    pub check: bool,
    /// Words to erase; `-` reads them from stdin, which keeps them out of the history of your shell
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// More of the words, where they stand without quotes
    #[arg(value_name = "TEXT", requires = "text", hide = true)]
    pub more: Vec<String>,
    /// Every text that this fact has had; name it by its number, its id, or the end of its id
    #[arg(long, value_name = "FACT")]
    pub fact: Option<String>,
    /// The text of this line of a note
    #[arg(long, value_name = "FILE:LINE")]
    pub line: Option<String>,
    /// All texts that were erased before and exist again, for example in restored files
    #[arg(long)]
    pub again: bool,
    /// Erase; without this flag the plan is shown
    #[arg(long)]
    pub apply: bool,
    #[command(flatten)]
    pub preview: crate::args::PreviewArgs,
    /// Erase the words from the commits of the history too, which changes their ids
    #[arg(long)]
    pub rewrite_history: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    pub yes: bool,
}

impl ForgetArgs {
    /// The words as one text.
    pub fn words(&self) -> Option<String> {
        let words = self.text.iter().chain(&self.more).map(String::as_str).collect::<Vec<_>>();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// Runs it; `false`: the words stand somewhere when it is over, or nobody can tell.
pub fn run(args: &ForgetArgs, settings: Settings, ui: &mut Ui) -> Result<bool, CliError> {
    let mut opened = compose::open_files_alone(settings.clone(), Use::Work)?;
    let turn = if args.apply { Some(deed::turn(&opened.chosen.home, &settings.paths.state)?) } else { None };
    if turn.is_some() {
        opened = compose::open_files_alone(settings.clone(), Use::Work)?;
    }
    let roots = places::roots(&opened);
    // An unfinished erasure comes first, since it may be of the same texts. Without --apply it is reported.
    let (mut unfinished, mut in_asides) = (Vec::new(), deed::FinishedAside::default());
    if let Some(turn) = &turn {
        if finish_earlier(turn, &opened, ui)? {
            opened = compose::open_files_alone(settings, Use::Work)?;
        }
        in_asides = deed::finish_aside(turn, &opened, &person::owner());
    } else {
        unfinished = deed::unfinished(&opened);
    }
    for notice in &unfinished {
        ui.say(format!("note: {} {}", notice.message, hints::said(notice.hint)));
    }
    if in_asides.finished > 0 {
        ui.say("note: finished an interrupted erasure in a home that a restore had moved aside.");
    }
    in_asides.failed.iter().for_each(|error| ui.say(format!("note: {}", error.message)));
    let Some(aim) = words::aim(args, &opened, ui)? else {
        report::half_done_copies(args, &opened, ui)?;
        if args.again && !deed::buried(&opened, args.rewrite_history)?.rewritten.stones.is_empty() {
            home::history_is_read(&opened)?;
        }
        let is_finished = in_asides.failed.is_empty();
        if ui.json() {
            let notices = Ui::wire_notices(&unfinished);
            ui.value(&ForgetV1 { applied: args.apply, notices, ..ForgetV1::default() });
        } else if is_finished && unfinished.is_empty() {
            ui.line("No text that was erased for good was found.");
        }
        return Ok(is_finished);
    };
    let fact = args.fact.as_deref().map(|id| words::NamedFact::of(&opened, id)).transpose()?;
    report::too_short(fact.as_ref().map(|fact| fact.short.as_slice()).unwrap_or_default(), ui);
    // Hashes find passages of which only hashes are stored.
    let passages = opened.agent.passages_holding(aim.wording())?;
    if args.check {
        let mut look = places::look(&roots, aim.wording(), &passages)?;
        let others = OtherHomes::of(&opened, &Sought::of(aim.wording(), &passages)?);
        look.others = places::wire_others(&others);
        if ui.json() {
            ui.value(&look);
        } else {
            report::look(&look, ui);
            others.notices().iter().for_each(|notice| ui.notice(notice));
        }
        return Ok(look.is_clean());
    }
    let elsewhere = Elsewhere::of(&opened)?;
    let mut plan: Vec<Occurrence> = fact.iter().filter_map(words::NamedFact::stand).collect();
    plan.extend(planned(&opened, &aim, &passages)?);
    plan.extend(elsewhere.plan());
    let others = match aim.wording().texts().is_empty() {
        true => OtherHomes::default(),
        false => OtherHomes::of(&opened, &Sought::of(aim.wording(), &passages)?),
    };
    plan.extend(others.plan());
    let mut notices = stay_retired(args, &opened, &aim)?;
    notices.extend(elsewhere.notices());
    notices.extend(others.notices());
    if turn.is_some() {
        home::can_be_written(&opened, &plan)?;
    } else if let Some(note) = home::read_only(&opened, &plan) {
        let message = format!("`{note}` contains the words and is read-only; the erasure will be refused.");
        notices.push(Notice::new("note_read_only", message, home::ALLOW_WRITING));
    }
    let erasure = Erasure { aim, fact, passages, roots, others, plan, unfinished, notices };
    match turn {
        None => erasure.show(&opened, ui),
        Some(turn) => erasure.carry_out(args, &turn, opened, ui),
    }
}

/// Completes an interrupted erasure; `true` if there was one.
fn finish_earlier(turn: &deed::Turn, opened: &OpenAgent, ui: &mut Ui) -> Result<bool, CliError> {
    let Some(left) = unfinished::of(&opened.chosen.home)? else { return Ok(false) };
    let began = time::minute(left.began);
    if let Some(done) = deed::finish(turn, opened, &person::owner())? {
        done.failed.iter().for_each(|why| ui.say(format!("note: not processed: {why}")));
        ui.say(format!("note: finished the erasure of {began}, which had been interrupted."));
    }
    Ok(true)
}

/// Occurrences in data that is rewritten; none for a fact with only short texts.
fn planned(
    opened: &OpenAgent,
    aim: &ErasureRequest,
    passages: &[String],
) -> Result<Vec<Occurrence>, CliError> {
    if aim.wording().texts().is_empty() {
        return Ok(Vec::new());
    }
    let mut plan = opened.agent.plan_forgetting(aim)?;
    let sought = Sought::of(aim.wording(), passages)?;
    plan.extend(home::plan(opened, &sought)?);
    plan.extend(configured::plan(opened, &sought));
    plan.extend(aside::plan(opened, &sought));
    Ok(plan)
}

/// An erasure that was planned.
struct Erasure {
    aim: ErasureRequest,
    fact: Option<words::NamedFact>,
    passages: Vec<String>,
    roots: Vec<PathBuf>,
    others: OtherHomes,
    plan: Vec<Occurrence>,
    /// Erasures that have not ended; of a plan alone.
    unfinished: Vec<Notice>,
    notices: Vec<Notice>,
}

impl Erasure {
    /// Of a fact with only short texts, only the fact itself is removed.
    fn is_sought(&self) -> bool {
        !self.aim.wording().texts().is_empty()
    }

    fn too_short(&self) -> &[TooShortV1] {
        self.fact.as_ref().map(|fact| fact.short.as_slice()).unwrap_or_default()
    }

    fn show(mut self, opened: &OpenAgent, ui: &mut Ui) -> Result<bool, CliError> {
        if self.is_sought() {
            self.plan.extend(places::others(opened, self.aim.wording(), &self.plan)?);
        }
        if ui.json() {
            ui.value(&ForgetV1 {
                applied: false,
                places: report::wire(&self.plan, true),
                log_emptied: None,
                look: None,
                too_short: self.too_short().to_vec(),
                notices: Ui::wire_notices(&[&self.unfinished[..], &self.notices].concat()),
            });
        } else {
            report::plan(&self.plan, ui);
            report::configured(&self.plan, ui);
            self.notices.iter().for_each(|notice| ui.notice(notice));
            ui.say("hint: Use --apply to erase; this cannot be undone.");
        }
        Ok(true)
    }

    fn carry_out(
        self,
        args: &ForgetArgs,
        turn: &deed::Turn,
        opened: OpenAgent,
        ui: &mut Ui,
    ) -> Result<bool, CliError> {
        if !args.yes {
            report::plan(&self.plan, ui);
            person::agrees("Erase this permanently, everywhere?", ui)?;
        }
        let deed::Done { forgotten: mut done, failed } = match self.is_sought() {
            true => deed::carry_out(turn, &opened, &person::owner(), &self.aim, true)?,
            false => deed::Done::default(),
        };
        // Last, since the fact identifies the texts if the call must be repeated.
        if let Some(fact) = self.fact.as_ref().filter(|fact| !fact.short.is_empty()) {
            done.facts += fact.purge(&opened)?;
            done.log_emptied = opened.agent.empty_log()?;
        }
        let too_large = opened.agent.notes_too_large()?;
        let workspace = opened.chosen.workspace.clone();
        drop(opened);
        failed.iter().for_each(|why| ui.say(format!("note: not processed: {why}")));
        let look = match self.is_sought() {
            true => {
                let look = places::look(&self.roots, self.aim.wording(), &self.passages)?;
                Some(LookV1 { others: places::wire_others(&self.others), ..look })
            }
            false => None,
        };
        let is_clean = look.as_ref().is_none_or(LookV1::is_clean);
        if ui.json() {
            let without_text = |short: &TooShortV1| TooShortV1 { text: None, ..*short };
            ui.value(&ForgetV1 {
                applied: true,
                places: report::wire(&self.plan, false),
                log_emptied: Some(done.log_emptied),
                look,
                too_short: self.too_short().iter().map(without_text).collect(),
                notices: Ui::wire_notices(&self.notices),
            });
            return Ok(is_clean);
        }
        report::done(&done, &self.plan, ui);
        report::too_large(&too_large, &workspace, look.as_ref(), ui);
        report::configured(&self.plan, ui);
        self.notices.iter().for_each(|notice| ui.notice(notice));
        look.iter().for_each(|look| report::look(look, ui));
        Ok(is_clean)
    }
}

/// The notice that facts replaced by the erased one stay retired.
fn stay_retired(
    args: &ForgetArgs,
    opened: &OpenAgent,
    aim: &ErasureRequest,
) -> Result<Vec<Notice>, CliError> {
    let told = opened.agent.facts.gave_way_to_forgotten(aim.wording())?;
    // A short text is identified by its id.
    let named = args.fact.as_deref().filter(|_| told.is_none());
    let told = told.or(named.map(|id| opened.agent.facts.fact_gave_way(id)).transpose()?.flatten());
    Ok(told.into_iter().collect())
}
