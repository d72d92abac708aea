//! The nouns of inwit, and nothing that touches the world.
//!
//! Reading order: [`name`] (what a file may be called), [`mod@file`] (the files we know by name),
//! [`place`] (what a path means), [`scope`] (who may see it), [`profile`] and [`host`] (how a home behaves),
//! [`journal`] (how daily logs are kept), [`dream`] (who makes them lasting), [`change`] (what is written, by whom), [`fact`] (what is kept as a row), [`consolidation`] (how rows settle), [`learning`] (what outcomes teach),
//! [`limit`] (every cap, with its unit), [`code`] (what can go wrong), [`hint`] (what can be done about it), [`ports`] (how the world
//! enters), [`embedder`] (how texts become vectors), [`completer`] (how questions get answers), [`wilson`] (how sure a
//! share is), [`usual`] (letters that only print sets apart), [`invisible`] (characters that no reader sees), [`watch`] (how a long task
//! is watched and ended). Invariant: no IO, no clock, no async, no SQL, no serialisation framework here.

pub mod change;
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
pub mod scope;
pub mod time;
pub mod usual;
pub mod watch;
pub mod wilson;
mod words;

pub use change::{Actor, Deed, FileClass, Intent, Op, Settled, Taint, WriteMode};
pub use code::Code;
pub use completer::{CompleteError, Completer, Question};
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
pub use scope::Scope;
