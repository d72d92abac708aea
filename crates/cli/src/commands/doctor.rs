//! `inwit doctor`: checks and repairs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use inwit_engine::doctor::fix::{FIXES, Fix, FixId, Mended};
use inwit_engine::doctor::health::{Health, WAITING_DAYS_MAX};
use inwit_engine::{CheckId, EngineError, Finding, Severity};
use inwit_home::doctor;
use inwit_home::forgetting::deed::{self, Again};
use inwit_home::keep::Use;
use inwit_home::reflecting;
use inwit_model::plural::counted;
use inwit_model::{Code, time};
use inwit_wire::FindingV1;
use inwit_wire::doctor::{AnonymousV1, BackV1, DoctorV1, FixV1, HealthV1, MendedV1, VectorsV1};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, hints, person};
use inwit_settings::Settings;

/// Check a workspace for problems (read-only)
///
/// Exit status 1 if a check reports an error, 0 otherwise. With --fix it lists automatic repairs; with --fix --apply it
/// carries them out. A second run changes nothing. The newest intact copy replaces a damaged memory.db only with
/// `--only memory`, because that copy is older. Only `--only reflect_pending` asks the language model: it adds one sentence
/// to each decision whose outcome was recorded without a lesson. The other repairs delete two things:
/// half-written copies of a backup from an interrupted restore, and derived edges that no fact supports. Indexes and
/// full-text tables of memory.db are rebuilt from its rows. Rows that violate a unique index are listed and not
/// changed; then the exit status is 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit doctor\n\
\x20 inwit doctor --fix                             List automatic repairs\n\
\x20 inwit doctor --fix --apply                     Do them\n\
\x20 inwit doctor --fix --apply --only memory       Replace a damaged memory.db\n\
\x20 inwit doctor --fix --only reflect_pending      Count missing lessons of decisions")]
pub struct DoctorArgs {
    /// List automatic repairs
    #[arg(long)]
    pub fix: bool,
    /// Carry out the repairs
    #[arg(long, requires = "fix")]
    pub apply: bool,
    #[command(flatten)]
    pub preview: crate::args::PreviewArgs,
    /// Only this repair; implies --fix. The repairs `memory` and `reflect_pending` run only if you name them here
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
    /// Print counts as orders of magnitude and no names, so that you can share the output
    #[arg(long, conflicts_with_all = ["fix", "only"])]
    pub anonymous: bool,
}

pub fn run(args: &DoctorArgs, settings: Settings, ui: &mut Ui) -> Result<bool, CliError> {
    if args.fix || args.only.is_some() {
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
            Some(path) if finding.message == check.about => ui.line(format!("  {path}")),
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
    let mut row = |name: &str, counts: &[(u64, &str)]| {
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
        if !told.is_empty() {
            ui.line(format!("{name}: {}", told.join(", ")));
        }
    };
    row(
        "facts",
        &[
            (health.facts, "kept"),
            (health.facts_forgotten, "forgotten"),
            (health.facts_pending, "pending approval"),
            (health.facts_unsettled, "pending consolidation"),
        ],
    );
    let learning = &health.learning;
    row(
        "methods",
        &[
            (learning.graduated, "graduated"),
            (learning.quarantined, "on trial"),
            (learning.unfit, "to return to trial"),
        ],
    );
    row("decisions", &[(learning.open, "open"), (learning.overdue, "overdue")]);
    row("preferences", &[(learning.proposed, "pending approval")]);
    if let Some(of) = &health.fact_vectors {
        let counts = [
            (of.embedded, "embedded"),
            (of.pending, "pending"),
            (of.failed, "failed"),
            (of.skipped, "skipped"),
        ];
        row("embeddings of facts", &counts);
    }
    if let Some(of) = &health.vectors {
        let by = format!("embedded by {}", of.model);
        row("embeddings of notes", &[(of.embedded, &by), (of.pending, "pending"), (of.failed, "failed")]);
    }
    let overdue = format!("older than {WAITING_DAYS_MAX} days");
    row("inbox", &[(health.proposals, "pending"), (health.proposals_overdue, &overdue)]);
    row("changes not in the history yet", &[(health.history_waits, "waiting")]);
    row("daily logs that dreams skip", &[(health.quarantined, "with text that looks like a secret")]);
    row("passages rated useful", &[(health.graduates, "to be promoted by the next dream")]);
    row("erased texts", &[(health.tombstones, "recognised by their hashes and refused")]);
    let named = health.entities.iter().filter(|of| of.facts > 1);
    let named: Vec<String> =
        named.map(|of| format!("{} ({})", inwit_model::name::shown(&of.entity.key), of.facts)).collect();
    if !named.is_empty() {
        ui.line(format!("most named in facts: {}", named.join(", ")));
    }
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
        None => FIXES.iter().filter(|fix| !fix.asks_model).map(|fix| fix.id).collect(),
    };
    let stop = Arc::new(AtomicBool::new(false));
    if chosen.iter().any(|id| id.spec().asks_model) {
        ui.stops_on(&stop, &Arc::default());
    }
    let mut notices = Vec::new();
    let mut done = Vec::new();
    let mut memory_waits = false;
    for id in chosen {
        let apply = args.apply && (args.only.is_some() || !id.spec().is_named);
        let watch = &mut |done, of| ui.progress("repairing", done, of);
        let mended = match apply && id == FixId::ReflectPending {
            true => reflecting::reflect_pending(&opened, Arc::clone(&stop), watch).map(|(mended, notice)| {
                notices.extend(notice);
                mended
            }),
            false => opened.agent.mend(id, apply, watch),
        };
        done.push(mended.map_err(unmended)?);
        // A part that is not repaired cannot be checked.
        memory_waits = done.last().is_some_and(|one| one.id == FixId::Memory && one.found > one.mended);
        if memory_waits {
            break;
        }
    }
    ui.clear_progress();
    notices.iter().for_each(|notice| ui.notice(notice));
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
    let is_idle = |one: &Mended| one.found == 0 && one.refused == 0 && one.stuck.is_none();
    if done.iter().all(is_idle) {
        ui.line("Nothing to repair.");
    }
    for (one, told) in done.iter().zip(&told).filter(|(one, told)| !is_idle(one) || told.back.is_some()) {
        let Fix { name, about, .. } = one.id.spec();
        ui.line(format!("{name}: {} found, {} repaired. {about}", one.found, one.mended));
        if one.refused > 0 {
            let why = match one.id {
                FixId::ReflectPending => "The language model gave no sentence that can be kept for",
                _ => "The embedding model refused",
            };
            ui.say(format!("note: {why} {}.", one.refused));
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
            "Erased again, in {}: {} that had been erased for good.",
            counted(places, "place"),
            counted(texts, "text")
        ));
    }
    again.iter().filter_map(Again::unsaid_told).for_each(|notice| ui.notice(&notice));
    if memory_waits {
        ui.say(
            "hint: `inwit doctor --fix --apply --only memory` installs that copy and moves the damaged file aside; \
             nothing else is repaired before that.",
        );
    } else if !args.apply && !done.iter().all(is_idle) {
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
    ui.line(format!("  {word}: {} (of {})", back.copy, minute_of(&back.copied)));
    let receipts = back.lacking.iter().filter(|lacking| lacking.receipt.is_some()).count();
    // If one of the two is unknown, 0 would be misleading.
    if back.untold.is_none() {
        ui.line(format!("  missing: {} that the history contains", counted(receipts, "change")));
    }
    ui.line(match back.rows_left {
        Some(rows) => format!("  missing: {} that the audit log contains", counted(rows, "row")),
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
        let at = minute_of(&lacking.at);
        ui.line(format!("  missing: {at} {} ({}) {from}", lacking.what, lacking.actor));
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

/// A time of an answer, for people.
fn minute_of(at: &str) -> String {
    at.parse().map_or_else(|_| at.to_owned(), time::minute)
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
