//! Prints the result of a change.

use std::borrow::Cow;
use std::path::Path;

use inwit_engine::Outcome;
use inwit_gate::{Check, Finding, Refusal, Why, readable, ward_of};
use inwit_model::{Actor, Code, SafeName};

use crate::error::CliError;
use crate::ui::Ui;

/// Prints it with its findings: class and line, never the text.
/// `is_shown`: models see what looks like a secret, since the owner allowed it.
pub fn tell(outcome: &Outcome, is_shown: bool, ui: &mut Ui) {
    match outcome {
        Outcome::Applied { receipt, findings } => {
            let done = if receipt.result.is_some() { "Wrote" } else { "Removed" };
            ui.line(format!("{done} {}: {}", receipt.name, receipt.id));
            noticed(findings, ui);
            // Only the owner may unmask it.
            if receipt.actor == Actor::Owner {
                hint_masked(&receipt.name, findings, is_shown, ui);
            }
        }
        Outcome::Unchanged(name) => ui.line(format!("{name} already has this content; nothing was written.")),
        Outcome::Pending { id, name, why, findings } => {
            ui.line(format!("Proposed {id}: a change to {name}; {}.", because(*why)));
            noticed(findings, ui);
            let short = crate::commands::remember::short(id.as_str());
            ui.say(format!("hint: `inwit inbox show {short}` shows it and how to approve it."));
        }
    }
}

/// How to unmask what was just written. `is_shown`: as for [`tell`].
pub fn hint_masked(name: &SafeName, findings: &[Finding], is_shown: bool, ui: &mut Ui) {
    let is_masked = |finding: &Finding| match finding.check {
        Check::Secret => !is_shown,
        check => check == Check::Hidden,
    };
    if findings.iter().any(is_masked) {
        let name = shlex::try_quote(name.as_str()).unwrap_or(Cow::Borrowed("FILE"));
        ui.say(format!("hint: Models see it masked. `inwit accept {name}` unmasks it."));
    }
}

/// Why a change waits for approval, in words.
pub fn because(why: Why) -> &'static str {
    match why {
        Why::Policy => "the write policy requires your approval",
        Why::Taint => "its text may come from someone else",
        Why::Rule => "one of your rules requires your approval",
        Why::Finding => "a check flagged it for review",
        Why::Asked => "a review was asked for",
    }
}

fn noticed(findings: &[Finding], ui: &mut Ui) {
    for finding in findings {
        let (check, class) = (finding.check.word(), &finding.class);
        ui.say(format!("note: {}: {check} ({class}).", place(finding)));
    }
}

/// The place of a finding, in words.
pub fn place(finding: &Finding) -> String {
    match finding.line {
        0 => "the file name".to_owned(),
        line => format!("line {line}"),
    }
}

/// A file of `workspace` that inwit writes, as it was typed. Errors: `name_refused` for any other.
pub fn written_file(text: &str, workspace: &Path) -> Result<SafeName, CliError> {
    let name = file(text)?;
    let refused = |why: Refusal| CliError::new(why.code, why.message);
    readable(&name).map_err(refused)?;
    if ward_of(&name).is_ok() {
        return Ok(name);
    }
    let written = "to MEMORY.md or to a file in `memory/` or `notes/`.";
    let quoted = shlex::try_quote(text).unwrap_or(Cow::Borrowed(text));
    let hint = match workspace.join(name.as_str()).is_file() {
        true => format!("Open it with `inwit open {quoted}`, or write {written}"),
        false => format!("Write {written}"),
    };
    Err(CliError::new(Code::NameRefused, format!("inwit does not write to `{name}`.")).hint(hint))
}

/// A file's name as it was typed.
pub fn file(text: &str) -> Result<SafeName, CliError> {
    SafeName::parse(text).map_err(|error| CliError::new(Code::NameRefused, error.to_string()))
}
