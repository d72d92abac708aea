//! `inwit session`: start, turn and end of a session, for hosts.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::sync::Arc;

use clap::{Args, Subcommand};
use inwit_engine::sessions::session::{Team, TeamTurn};
use inwit_engine::{Agent, Notice};
use inwit_home::OpenAgent;
use inwit_home::upkeep::{self, Occasion};
use inwit_model::{Code, Scope, SessionId, TurnKey};
use inwit_wire::surrogates::LossyJson;
use inwit_wire::{
    AskV1, BeganV1, EndV1, EndedV1, KeptTurnV1, NoticeV1, Object, StartV1, TurnV1, TurnedV1, in_voice,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::transcript::{self, TranscriptVerb};
use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, hints, seeding};
use inwit_settings::agent;
use inwit_settings::{Origin, Settings, Value};

/// Largest input of one call, in bytes.
const INPUT_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// List and search past sessions; run one for a host program
///
/// `list`, `show`, `search` and `recent` read transcripts. The other subcommands are for host programs. Their input and
/// output are JSON: the input is one object, on stdin or in --input.
/// `start` returns the prompt: a prefix whose bytes stay the same until the session ends, and a tail for this turn.
/// `turn` takes the user's text, the reply, the tool results that the agent read, and the texts that it wants to
/// keep. It writes the transcript, the daily log and HEARTBEAT.md. If a tool result came from others, later writes of
/// the agent in this session wait for your approval.
/// `end` writes the rest of the daily log and commits the changes to the history.
/// With `agents`, several agents of one home share the session, and each of them logs it.
/// All fields: docs/formats/sessions.md
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit session list\n\
\x20 inwit session search oven\n\
\x20 inwit session start --input '{\"surface\":\"repl\"}'\n\
\x20 inwit session turn --input '{\"session\":\"ID\",\"user\":{\"text\":\"Hello\"},\"assistant\":\"Hi.\"}'\n\
\x20 inwit session end --input '{\"session\":\"ID\"}'")]
pub struct SessionArgs {
    #[command(subcommand)]
    pub verb: SessionVerb,
}

/// The moments of a session.
#[derive(Debug, Subcommand)]
pub enum SessionVerb {
    /// Start a session: {"surface","scope","room","user","agents","session","model"}, all optional
    Start(InputArgs),
    /// Print the prompt of a running session with a new tail: {"session","question"}; `question` is optional
    Prompt(InputArgs),
    /// Submit a turn: {"session","key","user":{"name","text","owner"},"assistant","tools":[{"name","text"}],"writes":[…]}
    Turn(InputArgs),
    /// End a session: {"session"}
    End(InputArgs),
    #[command(flatten)]
    Transcript(TranscriptVerb),
}

#[derive(Debug, Args)]
pub struct InputArgs {
    /// Read the JSON from this argument instead of stdin
    #[arg(long, value_name = "JSON")]
    pub input: Option<String>,
}

pub fn run(args: &SessionArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    if let SessionVerb::Start(args) = &args.verb {
        return begin(args, &settings, ui);
    }
    if let SessionVerb::Transcript(verb) = &args.verb {
        return transcript::run(verb, settings, ui);
    }
    let opened = compose::open_files(settings.clone())?;
    let agent = &opened.agent;
    match &args.verb {
        // Started above, before an agent need exist.
        SessionVerb::Start(_) | SessionVerb::Transcript(_) => {}
        SessionVerb::Prompt(args) => {
            let input: AskV1 = input(args, false)?;
            let id = id(&input.session)?;
            let began = match &input.question {
                None => agent.sessions.session_prompt(&id)?,
                // Only passages need the index.
                Some(question) => {
                    compose::open(settings)?.agent.sessions.session_prompt_for(&id, question)?
                }
            };
            ui.value(&BeganV1::from(&began));
        }
        SessionVerb::Turn(args) => {
            let input: TurnV1 = input(args, false)?;
            let (id, key) = input.names().map_err(refused)?;
            // All are checked before anything is written, so that a failed call can be repeated.
            let others =
                agent.sessions.session_team(&id)?.into_iter().map(|other| open(&settings, other.as_str()));
            let others = others.collect::<Result<Vec<Arc<OpenAgent>>, CliError>>()?;
            let team = Team::new(&agent.sessions, others.iter().map(|other| &*other.agent.sessions));
            match team.turn(&id, key.as_ref(), &input.into())? {
                TeamTurn::Answered { answer, missed } if missed.is_empty() => ui.data(&answer),
                TeamTurn::Answered { answer, missed } => {
                    let mut answer: KeptTurnV1 = serde_json::from_slice(&answer).map_err(no_json)?;
                    missed.iter().for_each(|notice| answer.note(&NoticeV1::from(notice), hints::said));
                    ui.value(&answer);
                }
                TeamTurn::Unanswered(turned) => ui.value(&TurnedV1::from(&*turned)),
                TeamTurn::Now { turned, missed } => {
                    let mut turned = TurnedV1::from(&*turned);
                    if let Some(key) = &key {
                        keep(agent, &id, key, &json(&turned)?, ui);
                    }
                    // Notices of this call are not stored.
                    turned.notices.extend(missed.iter().map(NoticeV1::from));
                    ui.value(&turned);
                }
            }
        }
        SessionVerb::End(args) => {
            let input: EndV1 = input(args, false)?;
            let id = id(&input.session)?;
            let (mut others, mut notices) = (Vec::new(), Vec::new());
            for other in agent.sessions.session_team(&id)? {
                match open(&settings, other.as_str()) {
                    Ok(opened) => others.push(opened),
                    // Others in the session are not affected.
                    Err(error) => notices.push(Team::not_ended(other.as_str(), &id, &error.message)),
                }
            }
            let mut ended =
                Team::new(&agent.sessions, others.iter().map(|other| &*other.agent.sessions)).end(&id)?;
            ended.notices.extend(notices);
            // It has ended by now, whatever follows.
            let searching = compose::open(settings);
            ended.notices.extend(upkeep::tend(
                searching.as_ref().unwrap_or(&opened),
                Occasion::SessionEnded(Arc::default()),
            ));
            ui.value(&EndedV1::from(&ended));
        }
    }
    Ok(())
}

/// Starts a session; first creates an agent of inwit's own home, or its missing files.
fn begin(args: &InputArgs, settings: &Settings, ui: &mut Ui) -> Result<(), CliError> {
    let input: StartV1 = input(args, true)?;
    // The command line runs as the owner.
    let model = input.model_name().map_err(refused)?;
    let start = input.start(Scope::Main).map_err(refused)?;
    let made = seeding::ensure(settings)?;
    let opened = compose::open_files(settings.clone())?;
    let others = named(settings, &opened, &start.agents)?;
    let began =
        Team::new(&opened.agent.sessions, others.iter().map(|other| &*other.agent.sessions)).start(&start)?;
    let mut wire = BeganV1::from(&began);
    wire.notices.extend(made.map(|made| NoticeV1::from(&made.notice())));
    if let Some(model) = model {
        let recorded = opened.agent.sessions.record_session_model(&began.session.start.id, &model);
        // The session runs; only the model is not recorded.
        let notice = recorded
            .unwrap_or_else(|error| Some(Notice::new("model_not_recorded", error.message, error.code)));
        // A start with another private part reports it once.
        if let Some(notice) = notice.filter(|new| wire.notices.iter().all(|known| known.code != new.code)) {
            wire.notices.push(NoticeV1::from(&notice));
        }
    }
    ui.value(&wire);
    Ok(())
}

/// The named other agents of this home (R26). Error: `agent_unknown`.
fn named(settings: &Settings, opened: &OpenAgent, names: &[String]) -> Result<Vec<Arc<OpenAgent>>, CliError> {
    let ids = settings.paths.agent_ids();
    if let Some(name) = names.iter().find(|name| **name != opened.chosen.id && !ids.contains(name)) {
        return Err(agent::unknown(settings, name).into());
    }
    let others: BTreeSet<&String> = names.iter().filter(|name| **name != opened.chosen.id).collect();
    if !others.is_empty() && !ids.contains(&opened.chosen.id) {
        // The others could not open it by its name.
        let message = "A folder that belongs to no agent cannot share a session with other agents.";
        return Err(CliError::new(Code::UsageBad, message)
            .hint("Use an agent: `--agent ID`. `inwit init DIR` makes the folder one."));
    }
    others.into_iter().map(|other| open(settings, other)).collect()
}

/// Another agent of this home.
fn open(settings: &Settings, id: &str) -> Result<Arc<OpenAgent>, CliError> {
    let mut settings = settings.clone();
    settings.layers.forget("workspace");
    settings.layers.say("agent", Value { text: id.to_owned(), origin: Origin::Flag("--agent") });
    compose::open_files(settings).map_err(|error| CliError {
        message: format!("Agent `{id}` takes part in this session and cannot be opened: {}", error.message),
        ..error
    })
}

/// Stores the answer to a turn, for a repeated call.
fn keep(agent: &Agent, id: &SessionId, key: &TurnKey, answer: &[u8], ui: &mut Ui) {
    if let Err(error) = agent.sessions.session_answered(id, key, answer) {
        // The turn is written; only a repeated call would lack this answer.
        ui.say(format!(
            "note: This answer was not stored under the key `{key}`, so a repeated call cannot return it: {}",
            error.message
        ));
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, CliError> {
    let text = in_voice(hints::said, || serde_json::to_string_pretty(value)).map_err(no_json)?;
    Ok(format!("{text}\n").into_bytes())
}

fn no_json(error: serde_json::Error) -> CliError {
    CliError::new(Code::WriteFailed, format!("The answer cannot be written as JSON: {error}."))
}

fn refused((code, message): (Code, String)) -> CliError {
    CliError::new(code, message)
}

fn id(text: &str) -> Result<SessionId, CliError> {
    SessionId::parse(text).map_err(|error| CliError::new(Code::SessionIdBad, error.to_string()))
}

/// Parses the input object. Empty input is an empty object, if every field is optional.
fn input<T: DeserializeOwned>(args: &InputArgs, may_be_empty: bool) -> Result<T, CliError> {
    let text = match &args.input {
        Some(text) => text.clone(),
        None => stdin()?,
    };
    let text = if may_be_empty && text.trim().is_empty() { "{}" } else { text.as_str() };
    let read = serde_json::from_reader::<_, Object<T>>(LossyJson::new(text.as_bytes()));
    read.map(|Object(input)| input).map_err(|error| {
        CliError::new(Code::UsageBad, format!("The input cannot be parsed: {error}."))
            .hint("`inwit session --help` shows the fields; docs/formats/sessions.md explains them.")
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
