//! Hints for callers over HTTP: routes that help, and what only the owner of the server can do.
//!
//! Invariant: a hint names only routes that exist, and no commands: the caller may be on another machine.

use inwit_model::{Code, Hint};

/// The default hint.
const OWNER: &str = "Ask the owner of the server: a check of the home shows what is wrong.";

/// A hint for a caller over HTTP.
pub fn said(hint: Hint) -> &'static str {
    hint.words().unwrap_or_else(|| match hint {
        Hint::Of(code) => of(code),
        _ => OWNER,
    })
}

fn of(code: Code) -> &'static str {
    use Code::*;
    match code {
        NoAgent | AgentUnknown => "GET /v1/agents lists the agents.",
        NameRefused | FileMissing => "GET /v1/agents/{agent}/files lists the files.",
        QueryBad => "Search with a few words, such as `q=which+bread`.",
        UsageBad => "GET /openapi.json lists the parameters of each route.",
        PolicyRefused => {
            "Only the owner may do this: send a token of a person, or describe the change to the owner."
        }
        RuleRefused => "A rule of the owner blocks this.",
        SecretRefused => "Remove the secret, and write where it is stored instead.",
        ForgottenText => "The owner erased these words. Do not write them again.",
        ProposalUnknown | ProposalClosed => "GET /v1/agents/{agent}/proposals lists the pending proposals.",
        ConfirmationMissing => "Read the proposal, and send its `confirm`.",
        ProposalsTooMany => "The pending proposals must be decided first.",
        RoomUnknown => "The room has no notes yet.",
        TokenUnknown => "Only the owner of the server manages tokens.",
        RevisionUnknown | NotRecorded | BytesLost | ReceiptUnknown => "The current files are still readable.",
        _ => OWNER,
    }
}

#[cfg(test)]
mod tests {
    use inwit_model::code::CODES;
    use inwit_model::hint::HINTS;
    use inwit_wire::routes::ROUTES;

    use super::*;

    #[test]
    fn a_hint_is_a_sentence_that_names_routes_that_exist_and_no_commands() {
        for hint in CODES.iter().map(|row| Hint::Of(row.code)).chain(HINTS.iter().copied()) {
            let words = said(hint);
            assert!(words.ends_with('.'), "{hint:?}: {words}");
            assert!(!words.contains("`inwit "), "{hint:?}: {words}");
            for route in words.split("GET ").skip(1).filter_map(|rest| rest.split(' ').next()) {
                assert!(ROUTES.iter().any(|row| row.path == route), "{hint:?}: {route}");
            }
        }
    }
}
