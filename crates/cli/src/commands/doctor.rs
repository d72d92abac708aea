//! `inwit doctor`: checks and repairs.

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
/// Exit status 1 if something does not work, 0 otherwise. With --fix it lists automatic repairs; with --fix --apply it does
/// them. Repairs use no language model, and a second run writes nothing. A damaged memory.db is replaced by its newest
/// intact copy only with `--only memory`, because that copy is older. Other repairs delete only half-written copies of a
/// backup that an interrupted restore left, and derived edges that no fact supports. Indexes and full-text tables of
/// memory.db are rebuilt from its rows. Rows that violate an index are listed and left to you, with exit status 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit doctor\n\
\x20 inwit doctor --fix                             List automatic repairs\n\
\x20 inwit doctor --fix --apply                     Do them\n\
\x20 inwit doctor --fix --apply --only memory       Replace a damaged memory.db")]
pub struct DoctorArgs {
    /// List the repairs that can be done automatically
    #[arg(long)]
    pub fix: bool,
    /// Do the repairs
    #[arg(long, requires = "fix")]
    pub apply: bool,
    /// Only this repair; `memory` is done only if it is named here
    #[arg(long, value_name = "NAME", requires = "fix")]
    pub only: Option<String>,
    /// Print orders of magnitude and no names, so that the output can be shared
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
    // What damage hides is reported as a finding.
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
        ui.line("No problems found.");
    }
    tell_health(&health, ui);
    Ok(!broken)
}

/// Most findings of one check that are listed for a person.
const LISTED_MAX: usize = 10;

/// The findings of one check, under one heading with their number.
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

/// The counts in words; zero counts are skipped.
fn tell_health(health: &Health, ui: &mut Ui) {
    if health.facts + health.facts_forgotten + health.facts_pending > 0 {
        ui.line(format!(
            "facts: {} shown, {} forgotten, {} pending approval, {} pending consolidation",
            health.facts, health.facts_forgotten, health.facts_pending, health.facts_unsettled
        ));
        let named = |of: &EntityCount| {
            format!("{} {} ({})", of.entity.kind.word(), inwit_model::name::shown(&of.entity.key), of.facts)
        };
        let top: Vec<String> = health.entities.iter().map(named).collect();
        let top =
            if top.is_empty() { String::new() } else { format!("; named most often: {}", top.join(", ")) };
        ui.line(format!("edges: {}{top}", health.edges));
    }
    let learning = &health.learning;
    if *learning != LearningCounts::default() {
        ui.line(format!(
            "methods: {} graduated, {} on trial, {} to quarantine; decisions: {} open, {} overdue; preferences: {} pending approval",
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
        "pending: {} proposal(s), {} of them for more than {WAITING_DAYS_MAX} days; {} change(s) not in the history yet",
        health.proposals, health.proposals_overdue, health.history_waits
    ));
    ui.line(format!(
        "quarantined logs: {}; graduated passages: {}; erased texts: {}",
        health.quarantined, health.graduates, health.tombstones
    ));
}

/// Repairs, or shows what would be repaired. `false`: something was not repaired, because it must be requested by
/// name or only the owner can do it.
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
        let mended = opened.agent.mend(id, apply, &mut |done, of| ui.progress("repairing", done, of));
        done.push(mended.map_err(unmended)?);
        // A part that is not repaired cannot be checked.
        memory_waits = done.last().is_some_and(|one| one.id == FixId::Memory && one.found > one.mended);
        if memory_waits {
            break;
        }
    }
    ui.clear_progress();
    drop(opened);
    let is_back = done.iter().any(|one| one.id == FixId::Memory && one.mended > 0);
    // A repair requested by name may follow an earlier one.
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
        ui.line(format!("{name}: {} found, {} repaired. {about}", one.found, one.mended));
        if one.refused > 0 {
            ui.say(format!("note: The embedding model refused {}.", one.refused));
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
            "hint: `inwit doctor --fix --apply --only memory` installs that copy and moves the damaged file aside; \
             nothing else is repaired before that.",
        );
    } else if !args.apply {
        ui.say(
            "hint: Use --apply to do the repairs. They delete only half-written copies of a backup, and derived \
             edges that no fact supports.",
        );
    }
    Ok(is_done)
}

/// Without the hint to run doctor, which would be circular.
fn unmended(error: EngineError) -> CliError {
    let is_memory = error.code == Code::MemoryUnavailable;
    let error = CliError::from(error);
    if is_memory { error.hint("No automatic repair does this. Follow the message above.") } else { error }
}

/// The copy may predate an erasure, which is repeated from the register.
fn forget_again(settings: Settings) -> Result<Option<Again>, CliError> {
    let again = compose::open_files_alone(settings, Use::Work)
        .and_then(|opened| Ok(deed::after_a_restore(&opened, &person::owner(), &[])?))
        .and_then(|erased| {
            erased.left.into_iter().next().map_or(Ok(erased.again), |error| Err(error.into()))
        });
    again.map_err(|error| {
        let message = format!(
            "The copy of memory.db was restored, but texts that were erased for good may be in it: {}",
            error.message
        );
        CliError::new(error.code, message)
            .hint("Run `inwit forget --everywhere --again --apply` to erase them.")
    })
}

fn show_back(back: &BackV1, is_done: bool, ui: &mut Ui) {
    let word = if is_done { "restored" } else { "would be restored" };
    ui.line(format!("  {word}: {} (of {})", back.copy, back.copied));
    let receipts = back.lacking.iter().filter(|lacking| lacking.receipt.is_some()).count();
    // If one of the two is unknown, 0 would be misleading.
    if back.untold.is_none() {
        ui.line(format!("  missing: {receipts} change(s) that the history contains"));
    }
    ui.line(match back.rows_left {
        Some(rows) => format!("  missing: {rows} row(s) that the audit log contains"),
        None => {
            "  missing: an unknown number of audit rows, because the damaged file cannot be read completely"
                .to_owned()
        }
    });
    back.unfit.iter().for_each(|why| ui.line(format!("  not intact: {why}")));
    back.aside.iter().for_each(|name| ui.line(format!("  aside: {name}")));
    for lacking in &back.lacking {
        let from = match (&lacking.receipt, lacking.row) {
            (Some(receipt), _) => receipt.clone(),
            (None, Some(row)) => format!("row {row}"),
            (None, None) => String::new(),
        };
        ui.line(format!("  missing: {} {} ({}) {from}", lacking.at, lacking.what, lacking.actor));
    }
    if let Some(why) = &back.untold {
        ui.say(format!("note: Changes in the history that the copy lacks are not listed: {why}"));
    }
    if !back.lacking.is_empty() {
        ui.say(
            "note: Notes and their history are unchanged. Add the facts and decisions of these rows again.",
        );
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
        ("facts pending approval", &health.facts_pending),
        ("facts pending consolidation", &health.facts_unsettled),
        ("graduated methods", &health.learning.methods_graduated),
        ("methods on trial", &health.learning.methods_quarantined),
        ("methods to quarantine", &health.learning.methods_unfit),
        ("open decisions", &health.learning.decisions_open),
        ("overdue decisions", &health.learning.decisions_overdue),
        ("preferences pending approval", &health.learning.preferences_proposed),
        ("edges", &health.edges),
        ("pending proposals", &health.proposals),
        ("overdue proposals", &health.proposals_overdue),
        ("changes not in the history yet", &health.history_waits),
        ("quarantined logs", &health.quarantined),
        ("graduated passages", &health.graduates),
        ("erased texts", &health.tombstones),
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
