//! What a host says of a session, and what it is answered.

use inwit_engine::session::{Read, Said, Start, Turn, Wish};
use inwit_model::{Code, Scope, SessionId};
use serde::Deserialize;

/// How a session begins.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StartV1 {
    /// The host's id for it; one is made when unsaid.
    pub session: Option<String>,
    /// Where it is held.
    pub surface: Option<String>,
    /// `main`, `room`, `shared`, `subagent`, `scheduled`; with a room alone, that room.
    pub scope: Option<String>,
    /// The room.
    pub room: Option<String>,
    /// Who speaks.
    pub user: Option<String>,
    /// Who answers.
    pub agents: Vec<String>,
}

/// One message and its answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnV1 {
    /// The session.
    pub session: String,
    /// What was said to the agent.
    #[serde(default)]
    pub user: SaidV1,
    /// The assistant's final text.
    #[serde(default)]
    pub assistant: String,
    /// What the agent read on the way: every tool result, page and file, in order.
    #[serde(default)]
    pub tools: Vec<ReadV1>,
    /// What the agent wants to keep.
    #[serde(default)]
    pub writes: Vec<WishV1>,
}

/// A message.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SaidV1 {
    /// Who spoke.
    pub name: Option<String>,
    /// What.
    pub text: String,
    /// Whether it was the owner; unsaid: yes in scope main, no elsewhere.
    pub owner: Option<bool>,
}

/// Something the agent read.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadV1 {
    /// The tool.
    pub name: String,
    /// What it gave back.
    #[serde(default)]
    pub text: String,
}

/// Something the agent wants to write.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub enum WishV1 {
    /// One entry in a section of a file.
    Remember {
        /// The words.
        text: String,
        /// The file.
        file: Option<String>,
        /// The section.
        section: Option<String>,
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// A whole file.
    Put {
        /// The file.
        file: String,
        /// What it should hold.
        content: String,
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// An entry of the daily log.
    Journal {
        /// The words.
        text: String,
    },
}

/// The end of a session.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EndV1 {
    /// The session.
    pub session: String,
}

impl StartV1 {
    /// As the engine takes it; `unsaid` is the scope of a caller that does not say.
    pub fn start(self, unsaid: Scope) -> Result<Start, (Code, String)> {
        let bad = |message: String| (Code::UsageBad, message);
        let session = self.session.map(|id| SessionId::parse(&id)).transpose();
        let scope = Scope::parse(self.scope.as_deref(), self.room.as_deref(), unsaid);
        Ok(Start {
            session: session.map_err(|error| bad(error.to_string()))?,
            surface: self.surface.unwrap_or_else(|| "cli".into()),
            scope: scope.map_err(|error| bad(error.to_string()))?,
            room: self.room,
            user: self.user,
            agents: self.agents,
        })
    }
}

impl From<TurnV1> for Turn {
    fn from(turn: TurnV1) -> Self {
        let wish = |wish| match wish {
            WishV1::Remember { text, file, section, reason } => Wish::Remember { text, file, section, reason },
            WishV1::Put { file, content, reason } => Wish::Put { file, content, reason },
            WishV1::Journal { text } => Wish::Journal { text },
        };
        Self {
            user: Said { name: turn.user.name, text: turn.user.text, is_owner: turn.user.owner },
            reply: turn.assistant,
            tools: turn.tools.into_iter().map(|read| Read { tool: read.name, text: read.text }).collect(),
            wishes: turn.writes.into_iter().map(wish).collect(),
        }
    }
}
