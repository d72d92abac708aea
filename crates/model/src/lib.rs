//! The types of inwit, without IO.
//!
//! Reading order: [`name`] (valid file names), [`mod@file`] (known files), [`place`] (the meaning of a path),
//! [`scope`] (who may see what), [`profile`] and [`host`] (behaviour of a home), [`journal`] (daily logs), [`dream`]
//! (dream engines), [`change`] (writes and their actors), [`fact`] (facts), [`consolidation`] (how facts settle),
//! [`learning`] (methods and outcomes), [`limit`] (limits with units), [`code`] (error codes), [`hint`] (hints for
//! errors), [`ports`] (interfaces to the system), [`embedder`] (embeddings), [`reranker`] (scores of pairs), [`completer`] and [`chat`] (language models),
//! [`wilson`] (the Wilson bound), [`trace`] (what a request and its records share), [`usual`] (print forms of letters), [`invisible`] (invisible characters), [`watch`]
//! (progress and cancellation). Invariant: no IO, no clock, no async, no SQL, no serialisation framework here.

pub mod change;
pub mod chat;
pub mod code;
pub mod completer;
pub mod consolidation;
pub mod distance;
pub mod dream;
pub mod edge;
pub mod embedder;
pub mod fact;
pub mod file;
pub mod hash;
pub mod hint;
pub mod host;
pub mod id;
pub mod invisible;
pub mod journal;
pub mod learning;
pub mod limit;
pub mod name;
pub mod place;
pub mod plural;
pub mod ports;
pub mod profile;
pub mod reranker;
pub mod scope;
pub mod time;
pub mod trace;
pub mod usual;
pub mod watch;
pub mod wilson;
mod words;

pub use change::{Actor, Deed, FileClass, Intent, Op, Settled, Taint, WriteMode};
pub use chat::{ChatModel, Conversation, Reply, Step, Tool, ToolCall, ToolResult};
pub use code::Code;
pub use completer::{CompleteError, Completer, Completion, Question, Usage};
pub use consolidation::{Consolidation, FactStatus, Invariant, SettlementDecision};
pub use dream::DreamEngine;
pub use edge::{Domain, Edge, EdgeType, Entity, EntityKind};
pub use embedder::{EmbedError, Embedder};
pub use fact::{Category, FactSource, ProfileKey};
pub use file::{FILES, FileKind, FileSpec};
pub use hash::Sha256;
pub use hint::{Advice, Hint};
pub use host::{AgentsMd, Host};
pub use id::{
    AgentId, DecisionId, FactId, HomeId, MethodId, ModelName, PreferenceId, ProjectName, ProposalId,
    ReceiptId, RoomId, SessionId, TurnKey,
};
pub use journal::{Cadence, HistoryPlace, Layout};
pub use name::{NameError, SafeName};
pub use place::Place;
pub use ports::{Clock, Entropy, Entry, FileError, Files, OpLog, OpNumber, Stamp, TokenCounter};
pub use profile::Profile;
pub use reranker::Reranker;
pub use scope::Scope;
pub use trace::TraceId;
