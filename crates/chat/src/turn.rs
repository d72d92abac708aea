//! One turn: requests to the model until it calls no more tools.
//!
//! A request runs on its own thread, so that a listener can stop it at any time. Invariant: whatever happens, the loop
//! returns what was said, read and wished so far, so that the turn can be recorded.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use inwit_engine::Notice;
use inwit_engine::sessions::session::{Read, Wish, Wished};
use inwit_model::{
    ChatModel, Code, CompleteError, Conversation, Reply, Sha256, Step, Tool, ToolCall, ToolResult, Usage,
};

use crate::toolbox::{Answer, Toolbox};
use crate::writing;

/// Most requests of one turn; a model that still calls tools then is stopped.
pub const REQUESTS_MAX: u32 = 24;

/// Most requests to store something in one turn.
pub const WISHES_MAX: usize = 20;

/// How often a stop is looked for, in milliseconds.
const STOP_MS: u64 = 20;

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

/// What is asked in each request of a turn.
pub(crate) struct Asking<'a> {
    pub model: &'a Arc<dyn ChatModel>,
    pub system: &'a str,
    pub tools: &'a [Tool],
    pub answer_tokens_max: u32,
}

/// What a turn has done so far.
#[derive(Debug, Default)]
pub(crate) struct Done {
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
}

/// Asks until the model calls no tool. `earlier` are the stable steps, `question` is the message with what was added.
pub(crate) fn run(
    asking: &Asking<'_>,
    earlier: &[Step],
    question: &str,
    toolbox: &dyn Toolbox,
    base: &dyn Fn(&str) -> Option<Sha256>,
    listener: &mut dyn Listener,
) -> Done {
    let mut done = Done::default();
    while done.requests < REQUESTS_MAX {
        let mut steps = earlier.to_vec();
        steps.push(Step::User(question.to_owned()));
        steps.extend(done.steps.iter().cloned());
        done.requests += 1;
        let (said, reply) = ask(asking, steps, earlier.len(), listener);
        let Reply { text, calls, is_cut, usage } = match reply {
            Some(Ok(reply)) => reply,
            unfinished => {
                done.is_stopped = unfinished.is_none();
                done.failure = unfinished.and_then(Result::err);
                if !said.is_empty() {
                    done.steps.push(Step::Assistant { text: said.clone(), calls: Vec::new() });
                    done.texts.push(said);
                }
                return done;
            }
        };
        done.add(usage);
        done.is_cut = is_cut;
        if !text.is_empty() {
            done.texts.push(text.clone());
        }
        done.steps.push(Step::Assistant { text, calls: calls.clone() });
        if calls.is_empty() {
            return done;
        }
        let results = calls.iter().map(|call| {
            listener.tool(&call.name, &call.arguments);
            let answer = done_call(call, toolbox, base, &mut done.wishes, &mut done.reads);
            ToolResult {
                id: call.id.clone(),
                name: call.name.clone(),
                text: answer.shown(),
                is_failed: answer.is_failed,
            }
        });
        let results = results.collect();
        done.steps.push(Step::Results(results));
    }
    let message =
        format!("The model still called tools after {REQUESTS_MAX} requests, so the turn was stopped.");
    done.failure = Some(CompleteError { code: Code::ModelAnswerBad, message });
    // A step without a reply would be followed by another message.
    done.steps.push(Step::Assistant { text: "(stopped)".to_owned(), calls: Vec::new() });
    done
}

impl Done {
    fn add(&mut self, usage: Option<Usage>) {
        let Some(usage) = usage else { return };
        self.usage.input += usage.input;
        self.usage.cache_read += usage.cache_read;
        self.usage.cache_write += usage.cache_write;
        self.usage.output += usage.output;
    }
}

/// Calls one tool.
fn done_call(
    call: &ToolCall,
    toolbox: &dyn Toolbox,
    base: &dyn Fn(&str) -> Option<Sha256>,
    wishes: &mut Vec<Wish>,
    reads: &mut Vec<Read>,
) -> Answer {
    match writing::wish(&call.name, &call.arguments, base) {
        Some(Err(answer)) => answer,
        Some(Ok(_)) if wishes.len() == WISHES_MAX => Answer::failed(format!(
            "A turn stores at most {WISHES_MAX} texts. Combine related ones in the next turn."
        )),
        Some(Ok(wish)) => {
            wishes.push(wish);
            writing::taken()
        }
        None => {
            let answer = toolbox.call(&call.name, &call.arguments);
            reads.push(Read { tool: call.name.clone(), text: answer.read.clone() });
            answer
        }
    }
}

/// One request: the text that arrived, and the reply; `None` if the listener stopped it.
fn ask(
    asking: &Asking<'_>,
    steps: Vec<Step>,
    stable: usize,
    listener: &mut dyn Listener,
) -> (String, Option<Result<Reply, CompleteError>>) {
    let (parts, arriving) = channel::<String>();
    let (model, system, tools) = (Arc::clone(asking.model), asking.system.to_owned(), asking.tools.to_vec());
    let answer_tokens_max = asking.answer_tokens_max;
    let request = std::thread::spawn(move || {
        let talk = Conversation { system: &system, steps: &steps, stable, tools: &tools, answer_tokens_max };
        // After a stop no one receives, and the request ends with its next part.
        model.reply(&talk, &mut |part| parts.send(part.to_owned()).is_ok())
    });
    let mut said = String::new();
    loop {
        match arriving.recv_timeout(Duration::from_millis(STOP_MS)) {
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
    let reply = request.join().unwrap_or_else(|_| {
        let message = "The request to the language model failed inside inwit.".to_owned();
        Err(CompleteError { code: Code::ModelUnanswered, message })
    });
    (said, Some(reply))
}
