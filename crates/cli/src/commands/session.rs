//! `inwit session`: what a host calls when a conversation begins, after each turn, and at its end.

use std::io::Read as _;

use clap::{Args, Subcommand};
use inwit_model::{Code, Scope, SessionId};
use inwit_wire::{BeganV1, EndV1, EndedV1, StartV1, TurnV1, TurnedV1};
use serde::de::DeserializeOwned;

use crate::compose::{self, Opened};
use crate::copies;
use crate::error::CliError;
use crate::settings::{Origin, Settings, Value};
use crate::ui::Ui;

/// Largest input of one call, in bytes.
const INPUT_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// For hosts: begin a session, hand in a turn, end it; JSON in, JSON out
///
/// The input is one JSON object on stdin, or in --input. `start` answers with the prompt: a prefix that
/// stays the same bytes until the session ends, and a tail for this turn. `turn` takes what was said, what
/// the agent read and what it wants to keep; it writes transcript, daily log and heartbeat. What a turn
/// read decides how far the agent's words are trusted from then on. `end` writes the rest of the log and
/// brings receipts into history. Several `agents` of one home hold a session together: each logs it. Fields: docs/formats/sessions.md.
#[derive(Debug, Args)]
pub struct SessionArgs {
    #[command(subcommand)]
    pub verb: SessionVerb,
}

/// The moments of a session.
#[derive(Debug, Subcommand)]
pub enum SessionVerb {
    /// Begin one: {"surface","scope","room","user","agents","session"}, all optional
    Start(InputArgs),
    /// The prompt of a running one, with a tail of now: {"session"}
    Prompt(InputArgs),
    /// Hand in a turn: {"session","user":{"name","text","owner"},"assistant","tools":[{"name","text"}],"writes":[…]}
    Turn(InputArgs),
    /// End one: {"session"}
    End(InputArgs),
}

#[derive(Debug, Args)]
pub struct InputArgs {
    /// The JSON itself, instead of stdin
    #[arg(long, value_name = "JSON")]
    pub input: Option<String>,
}

pub fn run(args: &SessionArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings.clone())?;
    let agent = &opened.agent;
    match &args.verb {
        SessionVerb::Start(args) => {
            let input: StartV1 = input(args, true)?;
            // The command line is the owner's own face.
            let mut start =
                input.start(Scope::Main).map_err(|(code, message)| CliError::new(code, message))?;
            let began = agent.session_start(&start)?;
            start.session = Some(began.session.start.id.clone());
            for member in team(&settings, &opened, |id| start.agents.iter().any(|name| name == id))? {
                member.agent.session_start(&start)?;
            }
            ui.value(&BeganV1::from(&began));
        }
        SessionVerb::Prompt(args) => {
            let input: EndV1 = input(args, false)?;
            ui.value(&BeganV1::from(&agent.session_prompt(&id(&input.session)?)?));
        }
        SessionVerb::Turn(args) => {
            let input: TurnV1 = input(args, false)?;
            let id = id(&input.session)?;
            let mut turn = input.into();
            let turned = agent.session_turn(&id, &turn)?;
            // The others were there: they log the turn, but what one of them wants to keep is its own.
            turn.wishes.clear();
            for member in sharing(&settings, &opened, &id)? {
                member.agent.session_turn(&id, &turn)?;
            }
            ui.value(&TurnedV1::from(&turned));
        }
        SessionVerb::End(args) => {
            let input: EndV1 = input(args, false)?;
            let id = id(&input.session)?;
            // The others first: should one fail, the call can be repeated and finds the session running.
            for member in sharing(&settings, &opened, &id)? {
                member.agent.session_end(&id)?;
            }
            let mut ended = agent.session_end(&id)?;
            ended.notices.extend(copies::keep(&opened));
            ui.value(&EndedV1::from(&ended));
        }
    }
    Ok(())
}

/// The other agents of this home that `takes_part` names (R26).
fn team(
    settings: &Settings,
    opened: &Opened,
    takes_part: impl Fn(&str) -> bool,
) -> Result<Vec<Opened>, CliError> {
    let others =
        compose::agent_ids(settings).into_iter().filter(|id| *id != opened.chosen.id && takes_part(id));
    let open = |id: String| {
        let mut settings = settings.clone();
        settings.layers.forget("workspace");
        settings.layers.say("agent", Value { text: id, origin: Origin::Flag("--agent") });
        compose::open_files(settings)
    };
    others.map(open).collect()
}

/// The other agents of this home that are in the session.
fn sharing(settings: &Settings, opened: &Opened, id: &SessionId) -> Result<Vec<Opened>, CliError> {
    let mut members = team(settings, opened, |_| true)?;
    members.retain(|member| member.agent.is_in_session(id));
    Ok(members)
}

fn id(text: &str) -> Result<SessionId, CliError> {
    SessionId::parse(text).map_err(|error| CliError::new(Code::SessionIdBad, error.to_string()))
}

/// Reads the call's object. Nothing at all is an empty one, where every field may be missing.
fn input<T: DeserializeOwned>(args: &InputArgs, may_be_empty: bool) -> Result<T, CliError> {
    let text = match &args.input {
        Some(text) => text.clone(),
        None => stdin()?,
    };
    let text = if may_be_empty && text.trim().is_empty() { "{}" } else { text.as_str() };
    serde_json::from_str(text).map_err(|error| {
        CliError::new(Code::UsageBad, format!("The input is not what this call takes: {error}."))
            .hint("`inwit session --help` shows the fields; docs/formats/sessions.md says what they mean.")
    })
}

fn stdin() -> Result<String, CliError> {
    let bad = |message: String| CliError::new(Code::UsageBad, message);
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| bad(format!("The input cannot be read: {error}.")))?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(bad(format!("The input has more than {INPUT_BYTES_MAX} bytes.")));
    }
    String::from_utf8(bytes).map_err(|_| bad("The input is not UTF-8.".into()))
}
