//! One turn: requests to the model until it calls no more tools.
//!
//! A request runs on its own thread, so that a listener can stop it at any time. Invariant: whatever happens, the loop
//! returns what was said, read and wished so far, so that the turn can be recorded.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use inwit_engine::sessions::session::{Read, Wish, Wished};
use inwit_engine::{NamedValues, Notice};
use inwit_model::{
    ChatModel, Code, CompleteError, Conversation, Reply, Sha256, Step, Tool, ToolCall, ToolResult, Usage,
};

use crate::toolbox::{Answer, Toolbox};
use crate::writing;

/// Most requests of one turn; a model that still calls tools then is stopped.
pub const REQUESTS_MAX: u32 = 24;

/// Most requests to store something in one turn.
pub const WISHES_MAX: usize = 20;

/// Most bytes of all tool results of one turn.
pub const RESULTS_BYTES_MAX: usize = 512 * 1024;

/// Most bytes that the assistant says in one turn, so that the turn fits a line of a transcript.
pub const REPLY_BYTES_MAX: usize = 256 * 1024;

/// Most replies of one turn that were cut in the middle of their calls.
const CUT_CALLS_MAX: u32 = 2;

/// Longest name of a tool that every provider accepts, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// Interval of checks for a stop, in milliseconds.
const STOP_MS: u64 = 20;

/// Stands in place of a reply without a word, because providers refuse an empty one.
const NO_REPLY: &str = "(no reply)";

/// Who follows a turn.
pub trait Listener {
    /// A part of the reply.
    fn text(&mut self, part: &str);

    /// A tool is called.
    fn tool(&mut self, name: &str, arguments: &str);

    /// Whether the turn is to be stopped.
    fn is_stopped(&mut self) -> bool {
        false
    }
}

/// A turn that ended.
#[derive(Debug)]
pub struct ChatTurn {
    /// Everything that the assistant said.
    pub reply: String,
    /// Number of requests to the model.
    pub requests: u32,
    /// Tokens of these requests, as far as the provider counted them.
    pub usage: Usage,
    /// Why the reply is not complete, if so.
    pub failure: Option<CompleteError>,
    /// Whether the last reply stopped at the limit of tokens.
    pub is_cut: bool,
    /// Whether the listener stopped the turn.
    pub is_stopped: bool,
    /// The result of each request to store something, in order.
    pub wished: Vec<Wished>,
    /// Whether first-run setup ended with this turn.
    pub bootstrap_done: bool,
    /// Proposals that wait for the owner; in private only.
    pub waiting: Option<usize>,
    /// Notices of the engine.
    pub notices: Vec<Notice>,
}

/// What the requests of a turn have in common.
pub(crate) struct TurnRequest<'a> {
    pub model: &'a Arc<dyn ChatModel>,
    pub system: &'a str,
    pub tools: &'a [Tool],
    pub toolbox: &'a dyn Toolbox,
    /// The files that the model has read as a whole, with their hashes then.
    pub read_files: &'a RefCell<BTreeMap<String, Sha256>>,
    /// Values that no provider gets.
    pub secrets: &'a NamedValues,
    /// The current hash of a file; `None` if there is none.
    pub hash: &'a dyn Fn(&str) -> Option<Sha256>,
    pub answer_tokens_max: u32,
}

/// What a turn has done so far.
#[derive(Debug, Default)]
pub(crate) struct TurnProgress {
    /// The steps after the message.
    pub steps: Vec<Step>,
    pub texts: Vec<String>,
    pub reads: Vec<Read>,
    pub wishes: Vec<Wish>,
    pub requests: u32,
    pub usage: Usage,
    pub is_cut: bool,
    pub is_stopped: bool,
    pub failure: Option<CompleteError>,
    result_bytes: usize,
    cut_calls: u32,
}

/// Asks until the model calls no tool. `earlier` are the stable steps, `question` is the message with what was added.
pub(crate) fn run(
    request: &TurnRequest<'_>,
    earlier: &[Step],
    question: &str,
    listener: &mut dyn Listener,
) -> TurnProgress {
    let mut turn = TurnProgress::default();
    while turn.goes_on(request, earlier, question, listener) {}
    // Results without a reply would be followed by another message.
    if matches!(turn.steps.last(), Some(Step::Results(_))) {
        turn.steps.push(Step::Assistant { text: NO_REPLY.to_owned(), calls: Vec::new() });
    }
    turn
}

impl TurnProgress {
    /// One request and its calls. Returns whether another request follows.
    fn goes_on(
        &mut self,
        request: &TurnRequest<'_>,
        earlier: &[Step],
        question: &str,
        listener: &mut dyn Listener,
    ) -> bool {
        if self.requests == REQUESTS_MAX {
            return self.fails(format!(
                "The model still called tools after {REQUESTS_MAX} requests, so the turn was stopped."
            ));
        }
        self.is_stopped = listener.is_stopped();
        if self.is_stopped {
            return false;
        }
        let mut steps = earlier.to_vec();
        steps.push(Step::User(question.to_owned()));
        steps.extend(self.steps.iter().cloned());
        self.requests += 1;
        let (said, reply) = ask(request, steps, earlier.len(), listener);
        let Reply { text, calls, is_cut, usage } = match reply {
            Some(Ok(reply)) => reply,
            unfinished => {
                self.is_stopped = unfinished.is_none();
                self.failure = unfinished.and_then(Result::err);
                if !said.trim().is_empty() {
                    self.steps.push(Step::Assistant { text: said.clone(), calls: Vec::new() });
                    self.texts.push(said);
                }
                return false;
            }
        };
        self.add(usage);
        self.is_cut = is_cut;
        let has_words = !text.trim().is_empty();
        if has_words {
            self.texts.push(text.clone());
        }
        if calls.is_empty() {
            let text = if has_words { text } else { NO_REPLY.to_owned() };
            self.steps.push(Step::Assistant { text, calls });
            return false;
        }
        let calls: Vec<ToolCall> =
            calls.into_iter().enumerate().map(|(at, call)| self.sendable(call, at, earlier)).collect();
        self.steps.push(Step::Assistant { text, calls: calls.clone() });
        let results = calls.iter().map(|call| self.result(call, request, listener)).collect();
        self.steps.push(Step::Results(results));
        self.cut_calls += u32::from(is_cut);
        if self.cut_calls == CUT_CALLS_MAX {
            return self.fails(format!(
                "Two replies were cut at {} tokens in the middle of a tool call, so the turn was stopped.",
                request.answer_tokens_max
            ));
        }
        if self.texts.iter().map(String::len).sum::<usize>() > REPLY_BYTES_MAX {
            return self.fails(format!(
                "The replies have more than {} KiB, so the turn was stopped.",
                REPLY_BYTES_MAX >> 10
            ));
        }
        true
    }

    /// A call as it can be sent back: providers refuse ids that repeat and names with other characters.
    fn sendable(&self, call: ToolCall, at: usize, earlier: &[Step]) -> ToolCall {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let is_sendable = call.name.len() <= NAME_BYTES_MAX && call.name.bytes().all(is_name);
        // Gemini's older models have no ids.
        let id = match call.id.is_empty() {
            true => String::new(),
            false => format!("call_{}_{}_{at}", earlier.len(), self.requests),
        };
        let name = if is_sendable { call.name } else { "invalid_name".to_owned() };
        ToolCall { id, name, ..call }
    }

    fn fails(&mut self, message: String) -> bool {
        self.failure = Some(CompleteError { code: Code::ModelAnswerBad, message });
        false
    }

    /// The result of one call.
    fn result(
        &mut self,
        call: &ToolCall,
        request: &TurnRequest<'_>,
        listener: &mut dyn Listener,
    ) -> ToolResult {
        let answer = if self.is_cut {
            let most = request.answer_tokens_max;
            Answer::failed(format!(
                "Your reply was cut at {most} tokens, so this call was not made. Write less at a time."
            ))
        } else if listener.is_stopped() {
            Answer::failed("The user stopped this turn, so this call was not made.")
        } else if self.result_bytes > RESULTS_BYTES_MAX {
            Answer::failed(format!(
                "This turn has read {} KiB, and no more is read in it.",
                RESULTS_BYTES_MAX >> 10
            ))
        } else {
            listener.tool(&call.name, &call.arguments);
            self.call(call, request)
        };
        let text = request.secrets.masked(&answer.shown()).into_owned();
        self.result_bytes += text.len();
        ToolResult { id: call.id.clone(), name: call.name.clone(), text, is_failed: answer.is_failed }
    }

    /// Calls one tool.
    fn call(&mut self, call: &ToolCall, request: &TurnRequest<'_>) -> Answer {
        let base = |file: &str| match (request.read_files.borrow().get(file), (request.hash)(file)) {
            (_, None) => Ok(None),
            (Some(read), Some(_)) => Ok(Some(*read)),
            (None, Some(_)) => {
                Err(Answer::failed(format!("Read the whole of `{file}` with memory_get first.")))
            }
        };
        if !request.tools.iter().any(|tool| tool.name == call.name) {
            let names: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
            return Answer::failed(format!(
                "There is no tool `{}`. The tools are {}.",
                call.name,
                names.join(", ")
            ));
        }
        match writing::wish(&call.name, &call.arguments, base) {
            Some(Err(answer)) => answer,
            Some(Ok(_)) if self.wishes.len() == WISHES_MAX => Answer::failed(format!(
                "A turn stores at most {WISHES_MAX} texts. Combine related ones in the next turn."
            )),
            Some(Ok(wish)) => {
                self.wishes.push(wish);
                writing::accepted()
            }
            None => {
                let answer = request.toolbox.call(&call.name, &call.arguments);
                // A call that failed returns no text of a file.
                if !answer.read.is_empty() {
                    self.reads.push(Read { tool: call.name.clone(), text: answer.read.clone() });
                }
                if let Some((file, hash)) = answer
                    .whole_file
                    .as_ref()
                    .filter(|_| answer.is_shown_whole())
                    .and_then(|file| Some((file, (request.hash)(file)?)))
                {
                    request.read_files.borrow_mut().insert(file.clone(), hash);
                }
                answer
            }
        }
    }

    fn add(&mut self, usage: Option<Usage>) {
        let Some(usage) = usage else { return };
        self.usage.input += usage.input;
        self.usage.cache_read += usage.cache_read;
        self.usage.cache_write += usage.cache_write;
        self.usage.output += usage.output;
    }
}

/// One request: the text that arrived, and the reply; `None` if the listener stopped it.
fn ask(
    request: &TurnRequest<'_>,
    steps: Vec<Step>,
    stable: usize,
    listener: &mut dyn Listener,
) -> (String, Option<Result<Reply, CompleteError>>) {
    let (parts, arriving) = channel::<String>();
    let (model, system, tools) =
        (Arc::clone(request.model), request.system.to_owned(), request.tools.to_vec());
    let answer_tokens_max = request.answer_tokens_max;
    let thread = std::thread::spawn(move || {
        let talk = Conversation { system: &system, steps: &steps, stable, tools: &tools, answer_tokens_max };
        // After a stop no one receives, and the request ends with its next event.
        model.reply(&talk, &mut |part| parts.send(part.to_owned()).is_ok())
    });
    let mut said = String::new();
    loop {
        match arriving.recv_timeout(Duration::from_millis(STOP_MS)) {
            Ok(part) if part.is_empty() => {}
            Ok(part) => {
                listener.text(&part);
                said.push_str(&part);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if listener.is_stopped() {
            return (said, None);
        }
    }
    let reply = thread.join().unwrap_or_else(|_| {
        let message = "The request to the language model failed inside inwit.".to_owned();
        Err(CompleteError { code: Code::ModelUnanswered, message })
    });
    (said, Some(reply))
}
