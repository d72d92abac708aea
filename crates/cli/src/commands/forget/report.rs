//! The output of `inwit forget`: the plan, the result, and remaining occurrences.

use std::path::Path;

use inwit_engine::forget::{Fate, Forgotten, Occurrence, Quotation};
use inwit_home::OpenAgent;
use inwit_home::backup::staged;
use inwit_home::forgetting::configured::{HINT, KIND};
use inwit_home::forgetting::home;
use inwit_model::SafeName;
use inwit_model::plural::counted;
use inwit_wire::{LookV1, StandV1, TooShortV1};

use super::ForgetArgs;
use super::places::TOO_LARGE;
use crate::error::CliError;
use crate::hints;
use crate::ui::Ui;

/// Leftovers of an interrupted restore are not a home, and are not searched for hashes: they are removed or listed.
pub(super) fn half_done_copies(args: &ForgetArgs, opened: &OpenAgent, ui: &mut Ui) -> Result<(), CliError> {
    let left = staged::left(&opened.chosen.home, &opened.chosen.workspace, &opened.config.paths);
    if args.apply {
        staged::take_away_guarded(&opened.chosen, &opened.config.paths)?;
    }
    for path in left {
        let path = path.display();
        ui.say(match args.apply {
            true => format!("note: deleted {path}, which an interrupted restore had left half-written."),
            false => {
                format!("note: {path} was left half-written by an interrupted restore; --apply deletes it.")
            }
        });
    }
    Ok(())
}

pub(super) fn too_short(short: &[TooShortV1], ui: &mut Ui) {
    if !short.is_empty() {
        let versions: Vec<String> = short.iter().map(|short| short.version.to_string()).collect();
        ui.say(format!(
            "note: version {} of the fact (oldest first) is too short to be searched for elsewhere. It is deleted with the fact.",
            versions.join(", ")
        ));
    }
}

/// How to remove texts from settings, which no erasure changes.
pub(super) fn configured(plan: &[Occurrence], ui: &mut Ui) {
    for stand in plan.iter().filter(|stand| stand.kind == KIND) {
        ui.say(format!("note: {} is not changed. {}", stand.name, hints::said(HINT)));
    }
}

/// `quotes`: with quotations; the report of an erasure has none.
pub(super) fn wire(plan: &[Occurrence], quotes: bool) -> Vec<StandV1> {
    let hint = |stand: &Occurrence| (stand.kind == KIND).then(|| HINT.into());
    plan.iter().map(|stand| StandV1::new(stand, quotes, hint(stand))).collect()
}

pub(super) fn plan(plan: &[Occurrence], ui: &mut Ui) {
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
            let note = "Each contains the file that it was made for. One that only adds other words is proposed again without them.";
            ui.show(format!("{:22}{note}", ""));
        }
    }
    // Precautionary scans have a count of 0.
    if plan.iter().all(|stand| stand.count == 0 || stand.fate == Fate::Rebuilt) {
        let is_seen = !plan.iter().any(home::is_unreadable);
        let kept = if is_seen { "" } else { " in any place that could be read" };
        ui.show(format!("The words were not found{kept}."));
    }
}

/// The result of an erasure, and what stays in files that inwit does not write.
pub(super) fn done(done: &Forgotten, plan: &[Occurrence], ui: &mut Ui) {
    ui.line(format!(
        "Erased: {}, lines of {}, {}, {}, {}.",
        counted(done.facts, "fact"),
        counted(done.files, "file"),
        counted(done.transcripts, "transcript"),
        counted(done.rows, "row"),
        counted(done.commits, "commit")
    ));
    if !done.log_emptied {
        ui.say("note: another process is reading memory.db, so its write-ahead log still contains old pages. Run this again when that process has ended.");
    }
    let stays = || plan.iter().filter(|stand| stand.fate == Fate::Stays);
    for stand in stays().filter(|stand| stand.kind == "file") {
        ui.say(format!(
            "note: inwit does not write to {}, so its lines stay; delete them by hand.",
            stand.name
        ));
    }
    if stays().any(|stand| stand.kind == "history") {
        ui.say("note: The history still contains them; --rewrite-history erases them from its commits.");
    }
}

/// Notes over the size limit, which keep their lines.
pub(super) fn too_large(notes: &[SafeName], workspace: &Path, look: Option<&LookV1>, ui: &mut Ui) {
    for name in notes {
        let path = workspace.join(name.as_str()).display().to_string();
        if look.iter().flat_map(|look| &look.stands).any(|place| place.path == path) {
            let name = inwit_model::name::shown(name.as_str());
            ui.say(format!("note: {name} is {TOO_LARGE}, so its lines stay; delete them by hand."));
        }
    }
}

/// A path with escaped control characters: a line end in a name must not start a line of output.
fn in_one_line(path: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    path.chars().map(escaped).collect()
}

pub(super) fn look(look: &LookV1, ui: &mut Ui) {
    for place in look.stands.iter().take(HITS_SHOWN_MAX) {
        ui.line(format!("found: {} ({})", in_one_line(&place.path), place.how));
    }
    if look.stands.len() > HITS_SHOWN_MAX {
        ui.line(format!("and in {} more places", look.stands.len() - HITS_SHOWN_MAX));
    }
    for place in &look.missed {
        ui.say(format!("note: not searched: {} ({})", in_one_line(&place.path), place.how));
    }
    for spelling in &look.spellings {
        ui.say(format!(
            "note: another spelling was found: {spelling}. Text with other accents counts as other text; pass it to `inwit forget --everywhere` to erase it."
        ));
    }
    for place in &look.others {
        ui.line(format!("other agent: {} ({})", in_one_line(&place.path), place.how));
    }
    if look.stands.is_empty() {
        let nowhere = match (look.missed.is_empty(), look.others.is_empty()) {
            (true, true) => "",
            (true, false) => " in this agent",
            (false, true) => " in any place that could be searched",
            (false, false) => " in any place of this agent that could be searched",
        };
        ui.line(format!(
            "The words were not found{nowhere}: searched {} and {} of the history.",
            counted(look.files, "file"),
            counted(look.objects, "object")
        ));
    }
}

/// Most lines of one place that a plan quotes.
const QUOTED_MAX: usize = 10;

/// Most scan hits that are shown.
const HITS_SHOWN_MAX: usize = 20;
