//! `inwit facts consolidate` and `inwit facts decisions`: consolidation and its log.

use inwit_engine::Agent;
use inwit_engine::facts::consolidate::Decided;
use inwit_home::{OpenAgent, judging};
use inwit_model::SettlementDecision;
use inwit_model::time;
use inwit_wire::{ConsolidationV1, SettlementsV1};

use super::facts::line;
use crate::error::CliError;
use crate::ui::Ui;

/// Default length of a list.
const LIST_DEFAULT: usize = 50;

/// `inwit facts consolidate`.
pub fn run(opened: &OpenAgent, dry_run: bool, ui: &mut Ui) -> Result<(), CliError> {
    let mode = opened.config.judge.consolidation;
    let report = judging::consolidate(&opened.agent, &opened.config.judge, dry_run)?;
    if ui.json() {
        ui.value(&ConsolidationV1::of(&report, mode, dry_run));
        return Ok(());
    }
    report.notices.iter().for_each(|notice| ui.notice(notice));
    report.decided.iter().for_each(|decided| tell(opened, decided, ui));
    let waiting = report.waiting;
    match (report.decided.len(), dry_run) {
        (0, _) => ui.say(format!("No decisions (facts.consolidation is {mode}); pending: {waiting}.")),
        (_, true) => ui.say("Dry run: no changes made."),
        (count, false) => {
            ui.say(format!("Decided: {count}, retired: {}, pending: {waiting}.", report.retired()))
        }
    }
    if report.not_yet > 0 {
        ui.say(format!("Of those, pending until they become true: {}.", report.not_yet));
    }
    Ok(())
}

fn tell(opened: &OpenAgent, decided: &Decided, ui: &mut Ui) {
    let zone = opened.agent.core.day_zone();
    let settlement = &decided.settlement;
    let shadow = if settlement.is_shadow { ", shadow mode" } else { "" };
    let rule = settlement.invariant.map_or_else(String::new, |rule| format!(" ({rule})"));
    ui.line(format!(
        "{}{rule}{shadow}: {}",
        said(settlement.decision),
        line(&decided.fact, &zone).trim_start()
    ));
    if let Some(other) = &decided.other {
        ui.line(format!("    against {}", line(other, &zone).trim_start()));
    }
    ui.line(format!("    {}", settlement.reason));
}

fn said(decision: SettlementDecision) -> &'static str {
    match decision {
        SettlementDecision::Keep => "Kept",
        SettlementDecision::RetireNew => "Retired",
        SettlementDecision::RetireOld => "Kept, and the other retired",
        SettlementDecision::Supersede => "Kept, and the other superseded",
        SettlementDecision::Blocked => "Kept, and a decision blocked",
    }
}

/// `inwit facts decisions`.
pub fn decisions(agent: &Agent, limit: Option<u16>, ui: &mut Ui) -> Result<(), CliError> {
    let rows = agent.facts.settlements(limit.map_or(LIST_DEFAULT, usize::from))?;
    if ui.json() {
        ui.value(&SettlementsV1::from(rows.as_slice()));
        return Ok(());
    }
    for row in &rows {
        let name = |id: &Option<inwit_model::FactId>| {
            id.as_ref().map_or_else(|| "deleted".to_owned(), ToString::to_string)
        };
        let mut words = format!("{}  {}  {}", time::minute(row.at), row.decision, name(&row.fact));
        if row.has_other {
            words.push_str(&format!(" against {}", name(&row.other)));
        }
        for more in
            [row.model.as_deref(), row.invariant.map(|rule| rule.word()), row.is_shadow.then_some("shadow")]
        {
            words.push_str(&more.map(|more| format!(", {more}")).unwrap_or_default());
        }
        ui.line(words);
        if !row.reason.is_empty() {
            ui.line(format!("    {}", row.reason));
        }
    }
    if rows.is_empty() {
        ui.say("No decisions yet.");
    }
    Ok(())
}
