//! A session in which the agent talks.
//!
//! Invariants: the system text is the session's frozen prefix; a turn is recorded also if the model failed; what is
//! added to a message (results of recall, the current part of the prompt) is sent with that turn alone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use inwit_engine::sessions::hook::fence;
use inwit_engine::sessions::session::{Began, Message, Start, Team, TeamTurn, Turn, Wish};
use inwit_engine::{Agent, EngineError, Lines, Notice, Outcome};
use inwit_model::plural::counted;
use inwit_model::{ChatModel, Code, CompleteError, Scope, SessionId, Sha256, Step, Tool};

use crate::history::History;
use crate::toolbox::Toolbox;
use crate::turn::{ChatTurn, Listener, TurnProgress, TurnRequest, run};
use crate::writing;

/// Bytes that count as one token.
const BYTES_PER_TOKEN: usize = 3;

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
    /// Most tokens of a request and its reply together, if known.
    pub context_tokens: Option<u32>,
    /// Whether messages are the owner's own words; by default in private yes, in a room no.
    pub is_owner: Option<bool>,
}

/// A running session.
pub struct Chat<'a> {
    parts: ChatParts<'a>,
    session: SessionId,
    /// How another session starts if this one was ended elsewhere.
    start: Start,
    scope: Scope,
    tools: Vec<Tool>,
    history: History,
    /// The prefix, and the text that is sent for it: the same bytes in each turn, whatever files name since.
    system: Option<(String, String)>,
    /// The files that the model has read as a whole, or written, with their hashes then.
    read_files: RefCell<BTreeMap<String, Sha256>>,
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
            start: start.clone(),
            tools,
            history: History::default(),
            system: None,
            read_files: RefCell::default(),
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

    /// One turn: asks the model, calls its tools, and records what was said. A failure of the model or of recording is
    /// part of the result. Errors: `usage_bad` for a message of more than [`MESSAGE_BYTES_MAX`], and those of building the
    /// prompt; then nothing was sent.
    pub fn turn(&mut self, text: &str, listener: &mut dyn Listener) -> Result<ChatTurn, EngineError> {
        if text.len() > MESSAGE_BYTES_MAX {
            let message = format!("A message has at most {} KiB.", MESSAGE_BYTES_MAX >> 10);
            return Err(EngineError::new(Code::UsageBad, message));
        }
        let sessions = &self.parts.agent.sessions;
        let public = fence::public(text).text;
        let mut notices = Vec::new();
        let began = match self.prompt(&public) {
            Err(error) if error.code == Code::SessionEnded => {
                // An erasure ends the sessions whose prompt has the words.
                self.session = sessions.session_start(&self.start)?.session.start.id;
                self.history = History::default();
                self.read_files.borrow_mut().clear();
                let message = "The session was ended elsewhere, so another one was started.";
                notices
                    .push(Notice::new("session_restarted", message, "Earlier messages are no longer sent."));
                self.prompt(&public)?
            }
            began => began?,
        };
        notices.extend(began.notices);
        self.forget_erased()?;
        if self.history.is_full() {
            if let Err(error) = sessions.session_flush(&self.session) {
                notices.push(Notice::new("journal_failed", error.message.clone(), error.code));
            }
            notices.extend(dropped(self.history.drop_oldest()));
        }
        // A value that a file or an earlier turn names as a secret is not sent, also where its name is not beside it.
        let secrets = self.parts.agent.core.secret_values(&self.scope);
        let typed = secrets.masked(text).into_owned();
        let added = [&*began.user_prefix, &*began.tail, &typed];
        let question = added.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
        let question = secrets.masked(&question);
        if self.system.as_ref().is_none_or(|(prefix, _)| *prefix != *began.prefix) {
            self.system = Some((began.prefix.to_string(), secrets.masked(&began.prefix).into_owned()));
        }
        let system = self.system.as_ref().map_or("", |(_, sent)| sent);
        let answer_tokens_max = match self.parts.context_tokens {
            None => self.parts.answer_tokens_max,
            Some(tokens) => {
                let answer = self.parts.answer_tokens_max.min(tokens / 4);
                let fixed = system.len() + question.len() + self.tools.iter().map(size).sum::<usize>();
                let room = (tokens - answer) as usize * BYTES_PER_TOKEN;
                if fixed > room && self.turns == 0 {
                    notices.push(too_small(fixed, tokens));
                }
                let fewer = self.history.fit(room.saturating_sub(fixed));
                if fewer > 0
                    && let Err(error) = sessions.session_flush(&self.session)
                {
                    notices.push(Notice::new("journal_failed", error.message.clone(), error.code));
                }
                notices.extend(dropped(fewer));
                answer
            }
        };
        let (agent, scope) = (self.parts.agent, self.scope.clone());
        let hash = |file: &str| hash_of(agent, &scope, file);
        let request = TurnRequest {
            model: &self.parts.model,
            system,
            secrets: &secrets,
            tools: &self.tools,
            toolbox: self.parts.toolbox,
            read_files: &self.read_files,
            hash: &hash,
            answer_tokens_max,
        };
        let mut done = run(&request, self.history.steps(), &question, listener);
        if is_too_long(&done) && !self.history.steps().is_empty() {
            // The model has a smaller context.
            notices.extend(dropped(self.history.drop_oldest()));
            done = run(&request, self.history.steps(), &question, listener);
        }
        let reply = done.texts.join("\n\n");
        let written: Vec<Option<String>> = done.wishes.iter().map(file_of).collect();
        let turn = Turn {
            user: Message { text: text.to_owned(), is_owner: self.parts.is_owner, ..Message::default() },
            reply: reply.clone(),
            tools: done.reads,
            reads_unseen: false,
            wishes: done.wishes,
        };
        let (mut wished, mut bootstrap_done, mut is_recorded) = (Vec::new(), false, true);
        // Private parts are not recorded.
        match Team::alone(sessions).turn(&self.session, None, &turn) {
            Ok(TeamTurn::Now { turned, .. }) => {
                (wished, bootstrap_done) = (turned.wished, turned.bootstrap_done);
                notices.extend(turned.notices);
            }
            // Only a turn with a key is recognised again.
            Ok(TeamTurn::Answered { .. } | TeamTurn::Unanswered(_)) => {}
            Err(error) => {
                is_recorded = false;
                let message = format!("The turn was not recorded, and nothing was stored: {}", error.message);
                notices.push(Notice::new("turn_not_recorded", message, error.code));
            }
        }
        // The model knows what it wrote; after a refusal it has to read the file again.
        for (file, wished) in written.into_iter().zip(&wished) {
            let mut read_files = self.read_files.borrow_mut();
            match (file, wished) {
                (None, _) | (_, Ok(Outcome::Pending { .. } | Outcome::Unchanged(_))) => {}
                (Some(file), Ok(Outcome::Applied { receipt, .. })) => {
                    read_files.extend(receipt.result.map(|hash| (file, hash)));
                }
                (Some(file), Err(_)) => {
                    read_files.remove(&file);
                }
            }
        }
        // The taint of a turn that was not recorded did not reach the session, so the model must not know it later. A
        // message without a reply would be followed by another message.
        if is_recorded && !done.steps.is_empty() {
            self.history.add(std::iter::once(Step::User(typed)).chain(done.steps));
        }
        self.turns += 1;
        self.is_bootstrapping &= !bootstrap_done;
        let is_private = self.scope == Scope::Main;
        Ok(ChatTurn {
            reply,
            requests: done.requests,
            usage: done.usage,
            failure: done.failure,
            is_cut: done.is_cut,
            is_stopped: done.is_stopped,
            wished,
            bootstrap_done,
            waiting: self.parts.agent.notes.inbox_count().ok().filter(|_| is_private),
            notices,
        })
    }

    /// The prompt for a message, with results for its words if it has some.
    fn prompt(&self, text: &str) -> Result<Began, EngineError> {
        let sessions = &self.parts.agent.sessions;
        match sessions.session_prompt_for(&self.session, text) {
            Err(error) if error.code == Code::QueryBad => sessions.session_prompt(&self.session),
            began => began,
        }
    }

    /// Removes texts that were erased since from the earlier turns.
    fn forget_erased(&mut self) -> Result<(), EngineError> {
        let core = &self.parts.agent.core;
        let Some(erased) = core.erased_texts()? else { return Ok(()) };
        self.history.replace(&|text| erased.without(text));
        Ok(())
    }

    /// Ends the session: writes the rest of its log and commits changes. Errors: as `Sessions::session_end`.
    pub fn end(self) -> Result<Vec<Notice>, EngineError> {
        Ok(self.parts.agent.sessions.session_end(&self.session)?.notices)
    }
}

/// The current hash of a file; `None` if there is none, or the scope does not see it.
fn hash_of(agent: &Agent, scope: &Scope, file: &str) -> Option<Sha256> {
    agent.notes.get(scope, file, Lines::default()).ok().map(|excerpt| excerpt.sha256)
}

/// Most bytes of a message.
pub const MESSAGE_BYTES_MAX: usize = 128 * 1024;

/// The file that a request replaces.
fn file_of(wish: &Wish) -> Option<String> {
    match wish {
        Wish::Put { file, .. } => Some(file.clone()),
        Wish::Remember { .. } | Wish::Journal { .. } => None,
    }
}

/// Whether the provider refused the first request because of its length. Providers say so only in words.
fn is_too_long(turn: &TurnProgress) -> bool {
    let says = |error: &CompleteError| {
        let message = error.message.to_ascii_lowercase();
        error.code == Code::ModelRefused
            && ["context", "too long", "too many tokens"].iter().any(|word| message.contains(word))
    };
    turn.requests == 1 && turn.failure.as_ref().is_some_and(says)
}

/// Bytes of a tool in a request, about.
fn size(tool: &Tool) -> usize {
    tool.name.len() + tool.about.len() + tool.schema.len()
}

fn too_small(fixed: usize, tokens: u32) -> Notice {
    let message = format!(
        "The prompt, the tools and the message have about {} tokens, and `llm.context_tokens` is {tokens}.",
        fixed / BYTES_PER_TOKEN
    );
    Notice::new("context_too_small", message, "The model may refuse the request or cut it.")
}

fn dropped(turns: usize) -> Option<Notice> {
    let message =
        format!("The conversation is long: its oldest {} are no longer sent.", counted(turns, "turn"));
    (turns > 0)
        .then(|| Notice::new("turns_dropped", message, "Nothing is lost: transcripts have every turn."))
}
