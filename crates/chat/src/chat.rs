//! A session in which the agent talks.
//!
//! Invariants: the system text is the session's frozen prefix; a turn is recorded also if the model failed; what is
//! added to a message (results of recall, the current part of the prompt) is sent with that turn alone.

use std::sync::Arc;

use inwit_engine::sessions::session::{Message, Start, Turn};
use inwit_engine::{Agent, EngineError, Lines, Notice};
use inwit_model::{ChatModel, Scope, SessionId, Sha256, Step, Tool};

use crate::history::History;
use crate::toolbox::Toolbox;
use crate::turn::{Asking, ChatTurn, Listener, run};
use crate::writing;

/// What a session is made of.
pub struct ChatParts<'a> {
    /// The agent.
    pub agent: &'a Agent,
    /// Its model.
    pub model: Arc<dyn ChatModel>,
    /// Its tools that read.
    pub toolbox: &'a dyn Toolbox,
    /// Most tokens of one reply.
    pub answer_tokens_max: u32,
}

/// A running session.
pub struct Chat<'a> {
    parts: ChatParts<'a>,
    session: SessionId,
    scope: Scope,
    tools: Vec<Tool>,
    history: History,
    turns: u64,
    is_bootstrapping: bool,
}

impl<'a> Chat<'a> {
    /// Starts a session. Returns the notices of its prompt. Errors: as `Sessions::session_start`.
    pub fn start(parts: ChatParts<'a>, start: &Start) -> Result<(Self, Vec<Notice>), EngineError> {
        let began = parts.agent.sessions.session_start(start)?;
        let mut tools = parts.toolbox.tools();
        // Only the owner's agent and rooms have a memory to write to.
        if matches!(start.scope, Scope::Main | Scope::Room(_)) {
            tools.extend(writing::tools());
        }
        let chat = Self {
            parts,
            session: began.session.start.id,
            scope: start.scope.clone(),
            tools,
            history: History::default(),
            turns: 0,
            is_bootstrapping: began.is_bootstrapping,
        };
        Ok((chat, began.notices))
    }

    /// The id of the session.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// Whether first-run setup is not finished.
    pub fn is_bootstrapping(&self) -> bool {
        self.is_bootstrapping
    }

    /// Number of turns.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// One turn: asks the model, calls its tools, and records what was said. A failure of the model is part of the
    /// result. Errors: those of building the prompt and of recording.
    pub fn turn(&mut self, text: &str, listener: &mut dyn Listener) -> Result<ChatTurn, EngineError> {
        let sessions = &self.parts.agent.sessions;
        let mut notices = Vec::new();
        if self.history.is_full() {
            // What is dropped here stays in the daily log.
            if let Err(error) = sessions.session_flush(&self.session) {
                notices.push(Notice::new("journal_failed", error.message.clone(), error.code));
            }
            self.history.drop_oldest();
        }
        let began = sessions.session_prompt_for(&self.session, text)?;
        let added = [&*began.user_prefix, &*began.tail, text];
        let question = added.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
        let asking = Asking {
            model: &self.parts.model,
            system: &began.prefix,
            tools: &self.tools,
            answer_tokens_max: self.parts.answer_tokens_max,
        };
        let base = |file: &str| self.base(file);
        let done = run(&asking, self.history.steps(), &question, self.parts.toolbox, &base, listener);
        let reply = done.texts.join("\n\n");
        let turned = sessions.session_turn(
            &self.session,
            &Turn {
                user: Message { text: text.to_owned(), ..Message::default() },
                reply: reply.clone(),
                tools: done.reads,
                reads_unseen: false,
                wishes: done.wishes,
            },
        )?;
        // A message without a reply would be followed by another message.
        if !done.steps.is_empty() {
            self.history.add(std::iter::once(Step::User(text.to_owned())).chain(done.steps));
        }
        self.turns += 1;
        self.is_bootstrapping &= !turned.bootstrap_done;
        notices.extend(began.notices);
        notices.extend(turned.notices);
        let is_private = self.scope == Scope::Main;
        Ok(ChatTurn {
            reply,
            requests: done.requests,
            usage: done.usage,
            failure: done.failure,
            is_cut: done.is_cut,
            is_stopped: done.is_stopped,
            wished: turned.wished,
            bootstrap_done: turned.bootstrap_done,
            waiting: is_private.then(|| self.parts.agent.notes.inbox_count()).transpose()?,
            notices,
        })
    }

    /// Ends the session: writes the rest of its log and commits changes. Errors: as `Sessions::session_end`.
    pub fn end(self) -> Result<Vec<Notice>, EngineError> {
        Ok(self.parts.agent.sessions.session_end(&self.session)?.notices)
    }

    /// The hash of a file before it is replaced; `None` if there is none, or the scope does not see it.
    fn base(&self, file: &str) -> Option<Sha256> {
        let read = self.parts.agent.notes.get(&self.scope, file, Lines::default());
        read.ok().map(|excerpt| excerpt.sha256)
    }
}
