//! Checks of the workspace files, one by one and in the prompt.

use inwit_markdown::DiagnosticKind;
use inwit_model::limit::BUDGET_WARN_PERCENT;
use inwit_model::plural::counted;
use inwit_model::ports::SkipReason;
use inwit_model::profile::BlockKind;
use inwit_model::{FileKind, Place, Profile, SafeName, Scope};
use inwit_workspace::{PrivateView, ScopedReader};

use super::{CheckId, DiskProbe, Finding, finding, kept};
use crate::core::fit::grouped;
use crate::core::sync::SyncReport;
use crate::{Agent, EngineError};

/// Files that are not read, and why.
pub(super) fn left_out(report: &SyncReport, findings: &mut Vec<Finding>) {
    for (name, error) in &report.unread {
        findings.push(finding(CheckId::Unreadable, Some(name.to_string()), error.message.clone()));
    }
    for skipped in &report.skipped {
        let (check, sentence) = match skipped.reason {
            SkipReason::OddName => (
                CheckId::OddName,
                "Its name contains characters that cannot be shown safely, so it is not searched.",
            ),
            SkipReason::SyncConflict => (
                CheckId::SyncConflict,
                "It is a conflict copy that a sync tool, or a write that collided with an edit, left here. \
                 It is not read.",
            ),
            SkipReason::Link => (CheckId::Link, "It is a symbolic link; it is not followed."),
            SkipReason::Special => (CheckId::Special, "It is a pipe, socket or device, not a note."),
            SkipReason::TooDeep => (CheckId::LeftOut, "It is nested too deep."),
            SkipReason::Unreadable => (CheckId::Unreadable, "It cannot be listed or inspected."),
            SkipReason::TooMany => (CheckId::LeftOut, "The workspace contains more files than inwit lists."),
        };
        findings.push(finding(check, Some(skipped.shown.clone()), sentence));
    }
}

/// Checks of the content of each file.
pub(super) fn files(
    agent: &Agent,
    view: &PrivateView,
    beside: &dyn DiskProbe,
    findings: &mut Vec<Finding>,
) -> Result<(), EngineError> {
    let listing = view.list()?;
    let has = |path: &str| listing.entries.iter().any(|entry| entry.name.as_str() == path);
    if has("memory.md") && has("MEMORY.md") {
        findings.push(finding(
            CheckId::TwoMemories,
            Some("memory.md".into()),
            "It is not in any prompt; only MEMORY.md is.",
        ));
    }
    for entry in &listing.entries {
        let name = &entry.name;
        let Some(place) = Place::of(name).filter(|place| *place != Place::Foreign) else { continue };
        if Place::has_impossible_date(name) {
            let sentence = "The date in its name is invalid, so it is read as an ordinary note.";
            findings.push(finding(CheckId::OddName, Some(name.to_string()), sentence));
        }
        let is_bootstrap = place == Place::File(FileKind::Bootstrap);
        if is_bootstrap && agent.notes.pending_bootstrap()?.is_some() && !agent.core.has_projects() {
            findings.push(finding(
                CheckId::Bootstrap,
                Some(name.to_string()),
                "First-run setup is not finished.",
            ));
        }
        if matches!(place, Place::File(_)) && entry.stamp.bytes == 0 {
            findings.push(finding(CheckId::EmptyFile, Some(name.to_string()), "It is empty."));
        }
        let links = beside.links(name);
        if links > 1 {
            findings.push(finding(
                CheckId::HardLink,
                Some(name.to_string()),
                format!("The file has {links} names (hard links)."),
            ));
        }
        if beside.is_mounted(name) {
            findings.push(finding(CheckId::Mount, Some(name.to_string()), "It is on another file system."));
        }
        if let Ok(content) = view.read(name) {
            if inwit_markdown::is_binary(&content.bytes) {
                let message = "It is binary, or text in an encoding other than UTF-8. It is not searched \
                               and in no prompt.";
                findings.push(finding(CheckId::NotText, Some(name.to_string()), message));
                continue;
            }
            contents(name, &place, &content.bytes, findings);
            kept::noticed(agent, name, &content.bytes, findings);
        }
    }
    Ok(())
}

fn contents(name: &SafeName, place: &Place, bytes: &[u8], findings: &mut Vec<Finding>) {
    let document = inwit_markdown::parse(bytes);
    // A file with fewer bytes cannot exceed the limit of terms.
    if bytes.len() > inwit_recall::FILE_TERMS_MAX {
        let spans = document.passages.iter().map(|passage| &passage.span);
        let has_too_many = match std::str::from_utf8(bytes) {
            Ok(text) => inwit_recall::has_too_many_terms(spans.filter_map(|span| text.get(span.clone()))),
            Err(_) => {
                let passages: Vec<_> = spans.map(|span| document.text(span)).collect();
                inwit_recall::has_too_many_terms(passages.iter().map(|text| &**text))
            }
        };
        if has_too_many {
            let message = "It has so many words that search does not find its later parts.";
            findings.push(finding(CheckId::TooMuch, Some(name.to_string()), message));
        }
    }
    let line = |at: usize| bytes[..at.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count() + 1;
    for diagnostic in &document.diagnostics {
        let at = line(diagnostic.span.start);
        let (check, sentence) = match &diagnostic.kind {
            DiagnosticKind::Utf16 => {
                (CheckId::NotText, "It is UTF-16. It is not searched and in no prompt.".to_owned())
            }
            DiagnosticKind::InvalidUtf8 { bytes } => (
                CheckId::NotText,
                format!("It contains {} outside UTF-8, the first on line {at}.", counted(bytes, "byte")),
            ),
            DiagnosticKind::FenceUnclosed => {
                (CheckId::Unclosed, format!("The code fence on line {at} is not closed."))
            }
            DiagnosticKind::CommentUnclosed => {
                (CheckId::Unclosed, format!("The comment on line {at} is not closed."))
            }
            DiagnosticKind::FrontMatterUnclosed => {
                (CheckId::Unclosed, "The front matter is not closed.".to_owned())
            }
            DiagnosticKind::TooDeep { lines } => (
                CheckId::TooDeep,
                format!("Nested too deep: {}, the first on line {at}.", counted(lines, "line")),
            ),
            DiagnosticKind::TooManyMarks => (
                CheckId::TooMuch,
                format!("It is read as plain text from line {at} on, because it has too many marks."),
            ),
            DiagnosticKind::Nul { .. }
            | DiagnosticKind::MixedEol
            | DiagnosticKind::FrontMatterTooLarge { .. } => continue,
        };
        findings.push(finding(check, Some(name.to_string()), sentence));
    }
    if *place == Place::File(FileKind::Agents) {
        let told = document.sections.iter().find(|section| {
            section.title.trim().eq_ignore_ascii_case("local notes")
                && !document.text(&section.body).trim().is_empty()
        });
        if let Some(section) = told {
            let at = line(section.heading.start);
            findings.push(finding(
                CheckId::LocalNotes,
                Some(name.to_string()),
                format!("Line {at} contains local notes, and every room reads this file."),
            ));
        }
    }
}

/// What the budgets of the private prompt cut, or soon will.
pub(super) fn budgets(agent: &Agent, findings: &mut Vec<Finding>) -> Result<(), EngineError> {
    let prompt = agent.sessions.prompt(&Scope::Main)?;
    let profile = agent.core.profile();
    for block in prompt.blocks.iter().filter(|block| block.kind.is_some() && !block.is_startup_note()) {
        let Some(name) = &block.source else { continue };
        let limit = limit_of(profile, block.kind);
        if block.is_cut() {
            let message = format!(
                "{} of {} characters are in the prompt.",
                grouped(block.shown_chars),
                grouped(block.total_chars)
            );
            findings.push(finding(CheckId::OverBudget, Some(name.to_string()), message));
        } else if block.total_chars * 100 >= limit * BUDGET_WARN_PERCENT {
            let message = format!(
                "{} of the {} characters a file may have in the prompt.",
                grouped(block.total_chars),
                grouped(limit)
            );
            findings.push(finding(CheckId::NearBudget, Some(name.to_string()), message));
        }
    }
    for omission in &prompt.omitted {
        use crate::sessions::prompt::Reason;
        if matches!(omission.reason, Reason::OverFileLimit | Reason::OverTotalLimit) {
            let path = omission.source.as_ref().map(SafeName::to_string);
            findings.push(finding(
                CheckId::OverBudget,
                path,
                format!("It is not in the prompt: {}", omission.reason.sentence()),
            ));
        }
    }
    let total: usize = prompt
        .blocks
        .iter()
        .filter(|block| block.kind.is_some())
        .map(crate::sessions::prompt::Block::chars)
        .sum();
    if total * 100 >= prompt.budget_chars * BUDGET_WARN_PERCENT {
        let message = format!(
            "All files together use {} of the {} characters of the prompt.",
            grouped(total),
            grouped(prompt.budget_chars)
        );
        findings.push(finding(CheckId::NearBudget, None, message));
    }
    Ok(())
}

fn limit_of(profile: &Profile, kind: Option<BlockKind>) -> usize {
    if kind == Some(BlockKind::User) { profile.max_user_chars } else { profile.max_file_chars }
}
