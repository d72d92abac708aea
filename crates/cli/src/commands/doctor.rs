//! `inwit doctor`: what is wrong, and how to mend it.

use clap::Args;
use inwit_engine::doctor::fix::{FIXES, Fix, FixId};
use inwit_engine::doctor::health::{Health, WAITING_DAYS_MAX};
use inwit_engine::facts::EntityCount;
use inwit_engine::learning::outcome::LearningCounts;
use inwit_engine::{CheckId, EngineError, Finding, Severity};
use inwit_home::doctor;
use inwit_home::forgetting::deed::{self, Again};
use inwit_home::keep::Use;
use inwit_model::Code;
use inwit_wire::FindingV1;
use inwit_wire::doctor::{AnonymousV1, BackV1, DoctorV1, FixV1, HealthV1, MendedV1, VectorsV1};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, hints, person};
use inwit_settings::Settings;

/// Check a workspace for problems (read-only)
///
/// Exit status 1 when something does not work, 0 otherwise. With --fix it shows what it could mend by itself, and
/// with --apply it does: asks no language model, and a second run writes nothing. A damaged memory.db gets its newest whole
/// copy only where `--only memory` asks for it, since that copy is older; no other mend takes anything away but half-done
/// copies of a backup that a killed restore left, and derived edges that no fact says any more. An index or a
/// full text of memory.db is made anew from its rows; rows that an index forbids are named and left to you, exit status 1.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Show what can be mended without asking
    #[arg(long)]
    pub fix: bool,
    /// Mend it
    #[arg(long, requires = "fix")]
    pub apply: bool,
    /// Only this mend; `memory` is done only when it is named
    #[arg(long, value_name = "NAME", requires = "fix")]
    pub only: Option<String>,
    /// Numbers as orders of magnitude and no names, for showing to others
    #[arg(long, conflicts_with = "fix")]
    pub anonymous: bool,
}

pub fn run(args: &DoctorArgs, settings: Settings, ui: &mut Ui) -> Result<bool, CliError> {
    if args.fix {
        return mend(args, settings, ui);
    }
    let unread = settings.layers.unread().iter().map(|row| Finding {
        check: CheckId::EnvironmentUnread,
        path: None,
        message: format!("{}: {}.", row.name, row.instead),
    });
    let unread = unread.collect();
    let opened = compose::open_alone(settings, Use::Look)?;
    ui.stops_on_interrupt();
    let findings = doctor::examine(&opened, unread, &mut |done, of| ui.progress("reading", done, of))?;
    ui.clear_progress();
    let broken = findings.iter().any(|finding| finding.check.spec().severity == Severity::Error);
    // What damage hides is told as a finding.
    let health = opened.agent.health().unwrap_or_default();
    if args.anonymous {
        anonymous(&findings, &health, ui);
        return Ok(!broken);
    }
    if ui.json() {
        let findings = findings.iter().map(FindingV1::from).collect();
        ui.value(&DoctorV1 { findings, health: HealthV1::new(&health, false) });
        return Ok(!broken);
    }
    opened.notices.iter().for_each(|notice| ui.notice(notice));
    for group in findings.chunk_by(|left, right| left.check == right.check) {
        tell_group(group, ui);
    }
    if findings.is_empty() {
        ui.line("Nothing is wrong.");
    }
    tell_health(&health, ui);
    Ok(!broken)
}

/// Most findings of one check that are listed for a person.
const LISTED_MAX: usize = 10;

/// The findings of one check, which is named once with their number.
fn tell_group(group: &[Finding], ui: &mut Ui) {
    let Some(first) = group.first() else { return };
    let check = first.check.spec();
    let count = if group.len() == 1 { String::new() } else { format!(" ({})", group.len()) };
    ui.line(format!("{}{count}: {}", check.severity.word(), check.about));
    ui.line(format!("  hint: {}", hints::said(check.hint)));
    for finding in group.iter().take(LISTED_MAX) {
        match &finding.path {
            Some(path) => ui.line(format!("  {path}: {}", finding.message)),
            None => ui.line(format!("  {}", finding.message)),
        }
    }
    if group.len() > LISTED_MAX {
        ui.line(format!("  {} more: `inwit doctor --json` lists all.", group.len() - LISTED_MAX));
    }
}

/// How much there is, in words; what an agent has none of is passed over.
fn tell_health(health: &Health, ui: &mut Ui) {
    if health.facts + health.facts_forgotten + health.facts_pending > 0 {
        ui.line(format!(
            "facts: {} shown, {} forgotten, {} wait for your word, {} wait to be settled",
            health.facts, health.facts_forgotten, health.facts_pending, health.facts_unsettled
        ));
        let named = |of: &EntityCount| {
            format!("{} {} ({})", of.entity.kind.word(), inwit_model::name::shown(&of.entity.key), of.facts)
        };
        let top: Vec<String> = health.entities.iter().map(named).collect();
        let top =
            if top.is_empty() { String::new() } else { format!("; most facts name {}", top.join(", ")) };
        ui.line(format!("edges: {}{top}", health.edges));
    }
    let learning = &health.learning;
    if *learning != LearningCounts::default() {
        ui.line(format!(
            "methods: {} graduated, {} on trial, {} to be put back; decisions: {} open, {} overdue; preferences: {} wait for your word",
            learning.graduated,
            learning.quarantined,
            learning.unfit,
            learning.open,
            learning.overdue,
            learning.proposed
        ));
    }
    if let Some(states) = &health.fact_vectors {
        ui.line(format!(
            "embeddings of facts: {} embedded, {} pending, {} failed, {} skipped",
            states.embedded, states.pending, states.failed, states.skipped
        ));
    }
    if let Some(vectors) = &health.vectors {
        ui.line(format!(
            "embeddings of notes: {} embedded, {} pending, {} failed, by {}",
            vectors.embedded, vectors.pending, vectors.failed, vectors.model
        ));
    }
    let Health {
        facts, facts_forgotten, proposals, history_waits, quarantined, graduates, tombstones, ..
    } = health;
    let of_life = [facts, facts_forgotten, proposals, history_waits, quarantined, graduates, tombstones];
    if of_life.into_iter().all(|count| *count == 0) {
        return;
    }
    ui.line(format!(
        "waiting: {} proposal(s), of which {} for more than {WAITING_DAYS_MAX} days; {} change(s) for the history",
        health.proposals, health.proposals_overdue, health.history_waits
    ));
    ui.line(format!(
        "logs set aside: {}; passages that graduated: {}; texts forgotten for good: {}",
        health.quarantined, health.graduates, health.tombstones
    ));
}

/// Mends what needs nobody's word, or shows what it would mend. `false`: something was to be mended and was not, since
/// nobody asked for it by name or nobody but the owner can.
fn mend(args: &DoctorArgs, settings: Settings, ui: &mut Ui) -> Result<bool, CliError> {
    let for_forgetting = settings.clone();
    let opened = if args.apply {
        compose::open_alone(settings, Use::Work)?
    } else {
        compose::open_alone(settings, Use::Look)?
    };
    let chosen = match &args.only {
        Some(name) => vec![FixId::parse(name)?],
        None => FIXES.iter().map(|fix| fix.id).collect(),
    };
    let mut done = Vec::new();
    let mut memory_waits = false;
    for id in chosen {
        let apply = args.apply && (args.only.is_some() || !id.spec().is_named);
        let mended = opened.agent.mend(id, apply, &mut |done, of| ui.progress("mending", done, of));
        done.push(mended.map_err(unmended)?);
        // What is not mended cannot be looked into.
        memory_waits = done.last().is_some_and(|one| one.id == FixId::Memory && one.found > one.mended);
        if memory_waits {
            break;
        }
    }
    ui.clear_progress();
    drop(opened);
    let is_back = done.iter().any(|one| one.id == FixId::Memory && one.mended > 0);
    // A mend that was asked for by name may follow on one that ended before this.
    let asked =
        is_back || args.apply && done.iter().any(|one| one.id == FixId::Memory) && args.only.is_some();
    let again = if asked { forget_again(for_forgetting)? } else { None };
    let texts = is_back.then(|| again.as_ref().map_or(0, |again| again.texts));
    let told: Vec<FixV1> = done.iter().map(|one| FixV1::new(one, texts)).collect();
    let is_done = !args.apply || !memory_waits && done.iter().all(|one| one.stuck.is_none());
    if ui.json() {
        ui.value(&MendedV1 { applied: args.apply, fixes: told });
        return Ok(is_done);
    }
    for (one, told) in done.iter().zip(&told) {
        let Fix { name, about, .. } = one.id.spec();
        ui.line(format!("{name}: {} found, {} mended. {about}", one.found, one.mended));
        if one.refused > 0 {
            ui.say(format!("note: the model refused {}.", one.refused));
        }
        if let Some(back) = &told.back {
            show_back(back, one.mended > 0, ui);
        }
        if let Some(error) = &one.stuck {
            ui.say(format!("error: {}", error.message));
            ui.say(format!("hint: {}", hints::said(error.code.into())));
        }
    }
    if let Some(Again { texts, places, .. }) = &again
        && *texts > 0
    {
        ui.line(format!(
            "{texts} text(s) that had been erased for good were in the copy; they were erased again in {places} place(s)."
        ));
    }
    again.iter().filter_map(Again::unsaid_told).for_each(|notice| ui.notice(&notice));
    if memory_waits {
        ui.say(
            "hint: `inwit doctor --fix --apply --only memory` puts that copy in place and keeps what is there aside; \
             nothing else is mended before.",
        );
    } else if !args.apply {
        ui.say(
            "hint: with --apply it is done; nothing is taken away but half-done copies of a backup and derived \
             edges that no fact says.",
        );
    }
    Ok(is_done)
}

/// What doctor says of a memory.db it cannot mend would lead back to doctor.
fn unmended(error: EngineError) -> CliError {
    let is_memory = error.code == Code::MemoryUnavailable;
    let error = CliError::from(error);
    if is_memory { error.hint("No mend does this; it is for you to do, as it stands above.") } else { error }
}

/// The copy may be from before something was forgotten for good: the register knows, and takes it out again.
fn forget_again(settings: Settings) -> Result<Option<Again>, CliError> {
    let again = compose::open_files_alone(settings, Use::Work)
        .and_then(|opened| Ok(deed::after_a_restore(&opened, &person::owner(), &[])?))
        .and_then(|erased| {
            erased.left.into_iter().next().map_or(Ok(erased.again), |error| Err(error.into()))
        });
    again.map_err(|error| {
        let message = format!(
            "The copy of memory.db is back, and words that were forgotten for good may stand in it: {}",
            error.message
        );
        CliError::new(error.code, message)
            .hint("`inwit forget --everywhere --again --apply` takes them out again.")
    })
}

fn show_back(back: &BackV1, is_done: bool, ui: &mut Ui) {
    let word = if is_done { "back" } else { "would come back" };
    ui.line(format!("  {word}: {} (of {})", back.copy, back.copied));
    let receipts = back.lacking.iter().filter(|lacking| lacking.receipt.is_some()).count();
    // Where one of the two cannot be told, a count of none would be taken for an answer.
    if back.untold.is_none() {
        ui.line(format!("  it lacks {receipts} change(s) that history tells"));
    }
    ui.line(match back.rows_left {
        Some(rows) => format!("  it lacks {rows} row(s) that the record still holds"),
        None => {
            "  how many rows of the record it lacks cannot be known: the damaged one cannot be read whole"
                .to_owned()
        }
    });
    back.unfit.iter().for_each(|why| ui.line(format!("  not whole: {why}")));
    back.aside.iter().for_each(|name| ui.line(format!("  aside: {name}")));
    for lacking in &back.lacking {
        let from = match (&lacking.receipt, lacking.row) {
            (Some(receipt), _) => receipt.clone(),
            (None, Some(row)) => format!("row {row}"),
            (None, None) => String::new(),
        };
        ui.line(format!("  lacks: {} {} ({}) {from}", lacking.at, lacking.what, lacking.actor));
    }
    if let Some(why) = &back.untold {
        ui.say(format!("note: what the history knows beyond the copy is not listed: {why}"));
    }
    if !back.lacking.is_empty() {
        ui.say("note: notes and their history stand as they were; facts and decisions of these rows must be said again.");
    }
}

fn anonymous(findings: &[Finding], health: &Health, ui: &mut Ui) {
    let told = AnonymousV1::new(findings, health);
    if ui.json() {
        return ui.value(&told);
    }
    let AnonymousV1 { findings, health } = told;
    findings.iter().for_each(|(name, count)| ui.line(format!("{name}: {}", count)));
    for (name, count) in [
        ("facts", &health.facts),
        ("forgotten facts", &health.facts_forgotten),
        ("facts that wait for a word", &health.facts_pending),
        ("facts to be settled", &health.facts_unsettled),
        ("methods that graduated", &health.learning.methods_graduated),
        ("methods on trial", &health.learning.methods_quarantined),
        ("methods to be put back", &health.learning.methods_unfit),
        ("decisions that are open", &health.learning.decisions_open),
        ("decisions that are overdue", &health.learning.decisions_overdue),
        ("preferences that wait for a word", &health.learning.preferences_proposed),
        ("edges", &health.edges),
        ("proposals that wait", &health.proposals),
        ("proposals that wait for days", &health.proposals_overdue),
        ("changes for the history", &health.history_waits),
        ("logs set aside", &health.quarantined),
        ("passages that graduated", &health.graduates),
        ("texts forgotten for good", &health.tombstones),
    ] {
        ui.line(format!("{name}: {}", count));
    }
    for (of, states) in [("facts", &health.fact_vectors), ("notes", &health.vectors)] {
        let Some(VectorsV1 { embedded, pending, failed, skipped, .. }) = states else { continue };
        let all = [("embedded", Some(embedded)), ("pending", Some(pending)), ("failed", Some(failed))];
        for (state, count) in all.into_iter().chain([("skipped", skipped.as_ref())]) {
            count.iter().for_each(|count| ui.line(format!("embeddings of {of}, {state}: {}", count)));
        }
    }
}
