//! `inwit chat` and `inwit run`: the agent talks, with the configured language model.
//!
//! Both open a session of `inwit-chat`; [`repl`] reads messages from a terminal or from stdin, [`single_turn`] sends one.
//! Invariant: a missing or misconfigured model is reported before a session starts.

mod repl;
mod screen;
mod single_turn;
mod slash;
mod tools;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use inwit_chat::turn::{ChatTurn, Listener};
use inwit_chat::{Chat, ChatParts};
use inwit_engine::idle::Idle;
use inwit_engine::sessions::session::Start;
use inwit_engine::{EngineError, Notice};
use inwit_home::OpenAgent;
use inwit_home::clock::SystemClock;
use inwit_home::live_sessions::{self, LiveSession};
use inwit_home::llm::metered::Metered;
use inwit_home::llm::task::Task;
use inwit_home::pending_message::PendingMessage;
use inwit_home::scheduler::Scheduler;
use inwit_home::upkeep::{self, Occasion};
use inwit_llm::HttpCompleter;
use inwit_model::{ChatModel, Code, RoomId, Scope};
use inwit_outbound::Patience;
use inwit_settings::Settings;

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, seeding};

pub use repl::run;
pub use single_turn::{RunArgs, run as run_once};
use tools::McpTools;

/// Talk with the agent
///
/// The agent answers with the configured language model (`inwit llm list`). It reads its memory with tools, and what it
/// stores passes the same checks as every other write: text that may come from someone else waits in the inbox.
/// Each turn is recorded in the transcript and the daily log. At a terminal, a line that ends with `\` goes on; Ctrl-C
/// stops the reply, Ctrl-D ends the session. `/help` lists the commands. Without a terminal, each line of stdin is a
/// message that may come from someone else; with --json, each turn is one line of JSON.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit chat\n\
\x20 inwit chat --room kitchen")]
pub struct ChatArgs {
    /// Talk in this room, whose members see what is shared and the files of the room
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub room: Option<String>,
}

/// The scope of a session. Error: an invalid room.
fn scope(room: Option<&str>) -> Result<Scope, CliError> {
    let Some(room) = room else { return Ok(Scope::Main) };
    let room = RoomId::parse(room).map_err(|error| CliError::new(Code::UsageBad, error.to_string()))?;
    Ok(Scope::Room(room))
}

/// An agent and its model, before a session.
struct ChatSetup {
    agent: Arc<OpenAgent>,
    model: Arc<Metered<HttpCompleter>>,
    tools: McpTools,
    scope: Scope,
    room: Option<String>,
    context_tokens: Option<u32>,
    is_owner: Option<bool>,
    /// Turns and commands, for due work between them.
    idle: Arc<Idle>,
    /// The session that runs.
    live: RefCell<Option<LiveSession>>,
}

impl ChatSetup {
    /// Creates the first agent of a home and missing seeds. Errors: `model_unset`, `setting_bad`, and those of opening.
    fn new(room: Option<&str>, settings: &Settings, ui: &mut Ui) -> Result<Self, CliError> {
        let scope = scope(room)?;
        let config = settings.llm();
        let model = config.completer(Task::Chat, Some(&scope), Patience::COMPLETION);
        let model = model.map_err(|error| CliError::new(error.code, error.message))?;
        let made = if scope == Scope::Main { seeding::ensure(settings)? } else { None };
        made.iter().for_each(|made| ui.notice(&made.notice()));
        let agent = compose::open(settings.clone())?;
        let tools = McpTools::new(&agent, scope.clone());
        Ok(Self {
            agent,
            model: Arc::new(model),
            tools,
            scope,
            room: room.map(str::to_owned),
            context_tokens: config.context_tokens,
            is_owner: None,
            idle: Arc::default(),
            live: RefCell::default(),
        })
    }

    /// Starts a session on this surface, after the end of those whose process was killed.
    fn start(&self, surface: &str) -> Result<(Chat<'_>, Vec<Notice>), CliError> {
        let mut notices = Vec::new();
        if self.scope == Scope::Main {
            notices = live_sessions::end_killed(&self.agent);
        }
        let start = Start {
            session: None,
            surface: surface.to_owned(),
            scope: self.scope.clone(),
            room: self.room.clone(),
            user: None,
            agents: Vec::new(),
            project: None,
        };
        let parts = ChatParts {
            agent: &self.agent.agent,
            model: Arc::clone(&self.model) as Arc<dyn ChatModel>,
            toolbox: &self.tools,
            answer_tokens_max: Task::Chat.answer_tokens_max(),
            context_tokens: self.context_tokens,
            is_owner: self.is_owner,
        };
        let (chat, of_start) = Chat::start(parts, &start)?;
        self.mark(&chat);
        notices.extend(of_start);
        Ok((chat, notices))
    }

    /// One turn. Errors: as `Chat::turn`.
    fn turn(
        &self,
        chat: &mut Chat<'_>,
        text: &str,
        listener: &mut dyn Listener,
    ) -> Result<ChatTurn, EngineError> {
        let pending = PendingMessage::of(&self.agent, chat.session(), text, self.is_owner);
        if let (Some(live), Ok(pending)) = (&*self.live.borrow(), pending) {
            live.hold(&pending);
        }
        let turn = chat.turn(text, listener);
        self.mark(chat);
        if let Some(live) = &*self.live.borrow() {
            live.release();
        }
        turn
    }

    /// Marks the session as one of this process.
    fn mark(&self, chat: &Chat<'_>) {
        let mut live = self.live.borrow_mut();
        if live.as_ref().is_none_or(|live| live.id() != chat.session()) {
            *live = LiveSession::mark(&self.agent.chosen.home, chat.session());
        }
    }

    /// Runs due work between turns, until the result is dropped. `None` in a room: the work is the owner's.
    fn scheduler(&self) -> Option<Scheduler> {
        let is_owners = self.scope == Scope::Main;
        is_owners
            .then(|| Scheduler::start(Arc::clone(&self.agent), Arc::new(SystemClock), Arc::clone(&self.idle)))
            .flatten()
    }

    /// Ends a session, and runs what is due then, such as a dream, until `stop` is set; without it, nothing. Returns the
    /// notices. Errors: as `Chat::end`.
    fn end(
        &self,
        chat: Chat<'_>,
        stop: Option<&Arc<AtomicBool>>,
        ui: &mut Ui,
    ) -> Result<Vec<Notice>, CliError> {
        let ended = chat.end();
        if let Some(live) = self.live.take().filter(|_| ended.is_err()) {
            live.leave();
        }
        let mut notices = ended?;
        if let Some(stop) = stop.filter(|_| self.scope == Scope::Main) {
            if upkeep::asks_model(&self.agent) {
                ui.aside("Due work of the language model runs now. Ctrl-C skips it.");
            }
            notices.extend(upkeep::tend(&self.agent, Occasion::SessionEnded(Arc::clone(stop))));
        }
        Ok(notices)
    }
}
