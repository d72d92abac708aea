//! Consent of the owner: their own terminal, or a typed confirmation code (D9).

use std::io::{self, IsTerminal as _};

use inwit_engine::WriteContext;
use inwit_gate::{Author, HumanConsent};
use inwit_home::OpenAgent;
use inwit_model::{Code, SessionId, Sha256};
use inwit_wire::CONFIRM_DIGITS;

use crate::error::CliError;
use crate::project_folder;
use crate::ui::Ui;

/// The owner at their own terminal: any user who may run commands as this account.
#[expect(clippy::disallowed_methods, reason = "this is where the owner enters")]
pub fn owner() -> HumanConsent {
    HumanConsent::at_own_terminal()
}

/// On behalf of the owner.
pub fn owners(allow_secret: bool) -> WriteContext {
    WriteContext { allow_secret, ..WriteContext::of(Author::owner(&owner())) }
}

/// On behalf of the owner, or of the `agent`, with the taint of its session. Error: `usage_bad` for an agent that
/// would store a secret.
pub fn on_behalf(
    who: &str,
    allow_secret: bool,
    session: Option<SessionId>,
    opened: &OpenAgent,
) -> Result<WriteContext, CliError> {
    if who != "agent" {
        return Ok(WriteContext { session, ..owners(allow_secret) });
    }
    if allow_secret {
        let message = "Only the owner may store a secret; omit `--as agent`.";
        return Err(CliError::new(Code::UsageBad, message));
    }
    let taint = Some(opened.agent.sessions.session_taint(session.as_ref())?);
    Ok(WriteContext {
        taint,
        project: project_folder::here(opened),
        session,
        ..WriteContext::of(Author::AGENT)
    })
}

/// Confirmation of the shown `seal`: by typed digits, or at the prompt. If `is_grave`, digits are required.
pub fn confirms(
    seal: Sha256,
    is_grave: bool,
    typed: Option<&str>,
    ui: &mut Ui,
) -> Result<HumanConsent, CliError> {
    let missing = |message: &str| CliError::new(Code::ConfirmationMissing, message);
    let typed = match typed {
        Some(typed) => typed.to_owned(),
        None if io::stdin().is_terminal() && io::stderr().is_terminal() => asked(seal, is_grave, ui)?,
        None => return Err(missing("Confirmation required, and this is not a terminal.")),
    };
    HumanConsent::confirming(seal, &typed)
        .ok_or_else(|| missing("The confirmation code does not match what would be written now."))
}

/// The owner confirms `question` at the terminal, after the output so far; else `confirmation_missing`.
pub fn agrees(question: &str, ui: &mut Ui) -> Result<(), CliError> {
    let no = |message: String| {
        CliError::new(Code::ConfirmationMissing, message)
            .hint("Nothing was changed. Use `--yes` to confirm in advance.")
    };
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Err(no("Confirmation required, and this is not a terminal.".into()));
    }
    let answer = ui.ask(&format!("{question} [y/N] "), &mut io::stdin().lock());
    let said = answer.map_err(|error| no(format!("The answer cannot be read: {error}.")))?;
    match said.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(no("Cancelled: you did not answer yes.".into())),
    }
}

/// Asks at the terminal. Files that agents may not write directly, and text that changes the agent's behaviour, need
/// digits; others a plain yes.
fn asked(seal: Sha256, is_grave: bool, ui: &mut Ui) -> Result<String, CliError> {
    let digits = seal.short(CONFIRM_DIGITS);
    let question =
        if is_grave { format!("Type {digits} to write it: ") } else { "Write it? [y/N] ".to_owned() };
    let failed = |error: io::Error| {
        CliError::new(Code::ConfirmationMissing, format!("The answer cannot be read: {error}."))
    };
    let line = ui.ask(&question, &mut io::stdin().lock()).map_err(failed)?;
    let said = line.trim();
    if matches!(said.to_ascii_lowercase().as_str(), "" | "n" | "no") {
        return Err(CliError::new(Code::ConfirmationMissing, "Not written: you answered no.")
            .hint("The proposal stays open; `inwit inbox reject ID` closes it."));
    }
    Ok(if !is_grave && matches!(said, "y" | "Y" | "yes") { digits } else { said.to_owned() })
}
