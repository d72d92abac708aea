//! `inwit doctor`: what is wrong, and how to mend it.

use std::collections::BTreeMap;

use clap::Args;
use inwit_engine::core::store::BroughtBack;
use inwit_engine::doctor::fix::{FIXES, Fix, FixId, Mended};
use inwit_engine::doctor::health::{Health, WAITING_DAYS_MAX, bucket};
use inwit_engine::facts::EntityCount;
use inwit_engine::learning::outcome::LearningCounts;
use inwit_engine::{CheckId, EngineError, Finding, Severity};
use inwit_home::doctor;
use inwit_home::forgetting::deed::{self, Again};
use inwit_home::keep::Use;
use inwit_model::Code;
use inwit_wire::{ErrorV1, FindingV1};
use serde::Serialize;
use serde_json::Value;

use crate::error::CliError;
use crate::settings::Settings;
use crate::ui::Ui;
use crate::{compose, person};

/// Look for what is wrong with a workspace; changes nothing
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

/// What could be mended or was, as JSON.
#[derive(Serialize)]
struct MendedV1 {
    applied: bool,
    fixes: Vec<FixV1>,
}

#[derive(Serialize)]
struct FixV1 {
    name: &'static str,
    found: u64,
    mended: u64,
    refused: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    back: Option<BackV1>,
    /// Why some of what was found cannot be mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorV1>,
}

/// What stands in the place of a damaged memory.db now, or would, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackV1 {
    copy: String,
    /// Of which moment the copy is, RFC 3339.
    copied: String,
    unfit: Vec<String>,
    aside: Vec<String>,
    lacking: Vec<LackingV1>,
    /// How many rows of the broken record the copy lacks; `null`: it cannot be read whole, so nobody knows.
    rows_left: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    untold: Option<String>,
    /// Texts that had been erased for good since the copy was made, and were erased again; none before it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    forgotten_again: Option<usize>,
}

/// Something that the copy does not know.
#[derive(Serialize)]
struct LackingV1 {
    /// The receipt of a change that the history holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
    /// The number of a row that the broken record still holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<u64>,
    at: String,
    actor: String,
    what: String,
}

/// What doctor says, as JSON.
#[derive(Serialize)]
struct DoctorV1 {
    findings: Vec<FindingV1>,
    health: HealthV1,
}

/// How much there is, as JSON; in buckets where it is anonymous.
#[derive(Serialize)]
struct HealthV1 {
    facts: Value,
    facts_forgotten: Value,
    facts_pending: Value,
    facts_unsettled: Value,
    proposals: Value,
    proposals_overdue: Value,
    history_waits: Value,
    graduates: Value,
    quarantined: Value,
    tombstones: Value,
    learning: LearningV1,
    edges: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entities: Vec<EntityV1>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fact_vectors: Option<VectorsV1>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vectors: Option<VectorsV1>,
}

/// Methods, decisions and preferences.
#[derive(Serialize)]
struct LearningV1 {
    methods_graduated: Value,
    methods_quarantined: Value,
    methods_unfit: Value,
    decisions_open: Value,
    decisions_overdue: Value,
    preferences_proposed: Value,
}

/// A thing that facts name; never shown to strangers.
#[derive(Serialize)]
struct EntityV1 {
    kind: &'static str,
    key: String,
    facts: u64,
}

#[derive(Serialize)]
struct VectorsV1 {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    embedded: Value,
    pending: Value,
    failed: Value,
    /// Facts that are too short, or steer; of notes those are no passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<Value>,
}

/// What doctor says to strangers, as JSON: how many findings of each check.
#[derive(Serialize)]
struct AnonymousV1 {
    findings: BTreeMap<&'static str, Value>,
    health: HealthV1,
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
        ui.value(&DoctorV1 { findings, health: wire(&health, false) });
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
    ui.line(format!("  hint: {}", check.hint));
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
    let back = |brought: &BroughtBack| back(brought, texts);
    let is_done = !args.apply || !memory_waits && done.iter().all(|one| one.stuck.is_none());
    if ui.json() {
        let fix = |one: &Mended| FixV1 {
            name: one.id.spec().name,
            found: one.found,
            mended: one.mended,
            refused: one.refused,
            back: one.back.as_deref().map(back),
            error: one.stuck.clone().map(|error| CliError::from(error).wire()),
        };
        ui.value(&MendedV1 { applied: args.apply, fixes: done.iter().map(fix).collect() });
        return Ok(is_done);
    }
    for one in &done {
        let Fix { name, about, .. } = one.id.spec();
        ui.line(format!("{name}: {} found, {} mended. {about}", one.found, one.mended));
        if one.refused > 0 {
            ui.say(format!("note: the model refused {}.", one.refused));
        }
        if let Some(brought) = one.back.as_deref() {
            show_back(&back(brought), one.mended > 0, ui);
        }
        if let Some(error) = &one.stuck {
            ui.say(format!("error: {}", error.message));
            ui.say(format!("hint: {}", error.code.spec().hint));
        }
    }
    if let Some(Again { texts, places, .. }) = &again
        && *texts > 0
    {
        ui.line(format!(
            "{texts} text(s) that had been erased for good were in the copy; they were erased again in {places} place(s)."
        ));
    }
    again.iter().filter_map(Again::unsaid_told).for_each(|told| ui.say(told));
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
        .and_then(|opened| Ok(deed::after_a_restore(&opened, &person::owner(), &[])?));
    again.map_err(|error| {
        let message = format!(
            "The copy of memory.db is back, and words that were forgotten for good may stand in it: {}",
            error.message
        );
        CliError::new(error.code, message)
            .hint("`inwit forget --everywhere --again --apply` takes them out again.")
    })
}

fn back(brought: &BroughtBack, forgotten_again: Option<usize>) -> BackV1 {
    let of_history = brought.lacking.iter().map(|lacking| LackingV1 {
        receipt: Some(lacking.receipt.clone()),
        row: None,
        at: lacking.at.to_string(),
        actor: lacking.actor.clone(),
        what: lacking.subject.clone(),
    });
    let of_record = brought.left.iter().map(|row| LackingV1 {
        receipt: None,
        row: Some(row.seq),
        at: row.at.to_string(),
        actor: row.actor.clone(),
        what: format!("{} {}", row.verb, row.target),
    });
    BackV1 {
        copy: brought.copy.clone(),
        copied: brought.copied.to_string(),
        unfit: brought.unfit.clone(),
        aside: brought.aside.clone(),
        lacking: of_history.chain(of_record).collect(),
        rows_left: brought.rows_left(),
        untold: brought.untold.clone(),
        forgotten_again,
    }
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

fn wire(health: &Health, is_anonymous: bool) -> HealthV1 {
    let number = |count: u64| if is_anonymous { Value::from(bucket(count)) } else { Value::from(count) };
    HealthV1 {
        facts: number(health.facts),
        facts_forgotten: number(health.facts_forgotten),
        facts_pending: number(health.facts_pending),
        facts_unsettled: number(health.facts_unsettled),
        proposals: number(health.proposals),
        proposals_overdue: number(health.proposals_overdue),
        history_waits: number(health.history_waits),
        graduates: number(health.graduates),
        quarantined: number(health.quarantined),
        tombstones: number(health.tombstones),
        learning: LearningV1 {
            methods_graduated: number(health.learning.graduated),
            methods_quarantined: number(health.learning.quarantined),
            methods_unfit: number(health.learning.unfit),
            decisions_open: number(health.learning.open),
            decisions_overdue: number(health.learning.overdue),
            preferences_proposed: number(health.learning.proposed),
        },
        edges: number(health.edges),
        entities: if is_anonymous { Vec::new() } else { health.entities.iter().map(entity).collect() },
        fact_vectors: health.fact_vectors.as_ref().map(|states| VectorsV1 {
            model: None,
            embedded: number(states.embedded),
            pending: number(states.pending),
            failed: number(states.failed),
            skipped: Some(number(states.skipped)),
        }),
        vectors: health.vectors.as_ref().map(|vectors| VectorsV1 {
            model: (!is_anonymous).then(|| vectors.model.clone()),
            embedded: number(vectors.embedded),
            pending: number(vectors.pending),
            failed: number(vectors.failed),
            skipped: None,
        }),
    }
}

fn entity(count: &EntityCount) -> EntityV1 {
    EntityV1 { kind: count.entity.kind.word(), key: count.entity.key.clone(), facts: count.facts }
}

fn anonymous(findings: &[Finding], health: &Health, ui: &mut Ui) {
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.check.spec().name).or_default() += 1;
    }
    let health = wire(health, true);
    let findings = counts.iter().map(|(name, count)| (*name, Value::from(bucket(*count)))).collect();
    if ui.json() {
        return ui.value(&AnonymousV1 { findings, health });
    }
    findings.iter().for_each(|(name, count)| ui.line(format!("{name}: {}", plain(count))));
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
        ui.line(format!("{name}: {}", plain(count)));
    }
    for (of, states) in [("facts", &health.fact_vectors), ("notes", &health.vectors)] {
        let Some(VectorsV1 { embedded, pending, failed, skipped, .. }) = states else { continue };
        let all = [("embedded", Some(embedded)), ("pending", Some(pending)), ("failed", Some(failed))];
        for (state, count) in all.into_iter().chain([("skipped", skipped.as_ref())]) {
            count.iter().for_each(|count| ui.line(format!("embeddings of {of}, {state}: {}", plain(count))));
        }
    }
}

fn plain(count: &Value) -> &str {
    count.as_str().unwrap_or_default()
}
