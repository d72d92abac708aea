//! The port for conversations with a language model: steps, tools and their calls (D10, D16).
//!
//! Tool arguments and schemas are JSON texts here; this crate reads none. Invariant: a reply is untrusted: its calls
//! are checked by the tool that they name, and its text is never a rule.

use crate::{CompleteError, Usage};

/// Continues conversations. Blocking, possibly for minutes: do not hold a lock across a call.
pub trait ChatModel: Send + Sync {
    /// Name of the model.
    fn model(&self) -> &str;

    /// The next step of the assistant. `piece` gets each part of the text when it arrives, on the caller's thread; the
    /// parts add up to the text. It may be called with an empty part. It returns whether to go on: after `false` the rest
    /// is not read, and the reply counts as cut. Errors: as [`Completer::complete`](crate::Completer::complete).
    fn reply(
        &self,
        talk: &Conversation<'_>,
        piece: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Reply, CompleteError>;
}

/// A conversation as it is sent.
#[derive(Debug, Clone, Copy)]
pub struct Conversation<'a> {
    /// Who the assistant is; the same bytes in each turn, so that the provider can cache them.
    pub system: &'a str,
    /// The steps so far; the last one is not the assistant's.
    pub steps: &'a [Step],
    /// Number of first steps that later requests repeat unchanged.
    pub stable: usize,
    /// The tools that the assistant may call.
    pub tools: &'a [Tool],
    /// Most tokens of the reply.
    pub answer_tokens_max: u32,
}

/// One step of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A message to the assistant.
    User(String),
    /// A reply of the assistant.
    Assistant {
        /// Its text, which may be empty if it calls tools.
        text: String,
        /// The tools that it calls.
        calls: Vec<ToolCall>,
    },
    /// What the called tools answered, one result for each call.
    Results(Vec<ToolResult>),
}

impl Step {
    /// The bytes of its texts.
    pub fn bytes(&self) -> usize {
        match self {
            Self::User(text) => text.len(),
            Self::Assistant { text, calls } => text.len() + calls.iter().map(ToolCall::bytes).sum::<usize>(),
            Self::Results(results) => results.iter().map(|result| result.text.len()).sum(),
        }
    }
}

impl ToolCall {
    /// The bytes of its texts.
    pub fn bytes(&self) -> usize {
        self.id.len()
            + self.name.len()
            + self.arguments.len()
            + self.signature.as_ref().map_or(0, String::len)
    }
}

/// A tool that the assistant may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// When to use it.
    pub about: String,
    /// The JSON schema of its arguments, an object.
    pub schema: String,
}

/// A call of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolCall {
    /// The provider's id of the call; may be empty.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments, as the model wrote them: usually a JSON object.
    pub arguments: String,
    /// A token of the provider that is sent back with the call, if it gave one.
    pub signature: Option<String>,
}

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// The id of the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it answered.
    pub text: String,
    /// Whether it failed.
    pub is_failed: bool,
}

/// A reply of the assistant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its text.
    pub text: String,
    /// The tools that it calls; if there are some, their results are the next step.
    pub calls: Vec<ToolCall>,
    /// Whether it stopped at the limit of tokens.
    pub is_cut: bool,
    /// Tokens as the provider counted them; `None` if it sent no counts.
    pub usage: Option<Usage>,
}
