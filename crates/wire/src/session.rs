//! What a host says of a session, and what it is answered.

use inwit_engine::sessions::session::{Began, Ended, Message, Read, Start, Turn, Turned, Wish};
use inwit_model::{Code, ModelName, Scope, SessionId, Sha256, TurnKey};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::shape::shape;
use crate::tools::answer::value;
use crate::{NoticeV1, Object, OutcomeV1, TextV1, Voice};

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
    /// The language model that speaks for the agent, as the host calls it.
    pub model: Option<String>,
}

/// One message and its answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnV1 {
    /// The session.
    pub session: String,
    /// The host's name for this turn: handed in again under it, the turn is not written again.
    pub key: Option<String>,
    /// What was said to the agent.
    #[serde(default)]
    pub user: Object<SaidV1>,
    /// The assistant's final text.
    #[serde(default)]
    pub assistant: String,
    /// What the agent read on the way: every tool result, page and file, in order.
    #[serde(default)]
    pub tools: Vec<Object<ReadV1>>,
    /// What the agent wants to keep.
    #[serde(default)]
    pub writes: Vec<Object<WishV1>>,
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
        /// The sha256 of the bytes it was made from, as `get` and a former answer say; unsaid: the file was
        /// not there.
        #[serde(default, deserialize_with = "hash")]
        base: Option<Sha256>,
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

fn hash<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Sha256>, D::Error> {
    let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
    let bad =
        || D::Error::custom(format!("`base` must be a SHA-256 of 64 lower-case hex digits, not `{text}`"));
    Sha256::parse(&text).map(Some).ok_or_else(bad)
}

/// A turn that begins.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskV1 {
    /// The session.
    pub session: String,
    /// What is asked in it: passages about it are put into the prompt.
    #[serde(default)]
    pub question: Option<String>,
}

/// The end of a session.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EndV1 {
    /// The session.
    pub session: String,
}

shape! {
    /// A session that runs, and the prompt of its next turn.
    pub struct BeganV1 from began: &Began {
        /// Its id.
        pub session: String = began.session.start.id.to_string(),
        /// Who is listening.
        pub scope: String = began.session.start.scope.to_string(),
        /// From whom the least trusted text in it comes.
        pub taint: &'static str = began.session.start.taint.word(),
        /// Turns so far.
        pub turns: u64 = began.session.turns,
        /// The same bytes until the session ends.
        pub prefix: TextV1 = TextV1::from(&began.prefix),
        /// Goes before the user's message; empty unless the profile has it.
        pub user_prefix: TextV1 = TextV1::from(&began.user_prefix),
        /// Rebuilt each turn.
        pub tail: TextV1 = TextV1::from(&began.tail),
        /// Whether the first conversation is still to be had.
        pub bootstrapping: bool = began.is_bootstrapping,
        /// Proposals that wait for the owner; in private only.
        pub waiting?: Option<usize> = began.waiting,
        /// What the host should know.
        pub notices?: Vec<NoticeV1> = began.notices.iter().map(NoticeV1::from).collect(),
    }

    /// What a turn left behind.
    pub struct TurnedV1 from turned: &Turned {
        /// The session.
        pub session: String = turned.session.start.id.to_string(),
        /// Which turn it was, from 1.
        pub turn: u64 = turned.session.turns,
        /// From whom the least trusted text in the session comes now.
        pub taint: &'static str = turned.session.start.taint.word(),
        /// What became of each write, in order.
        pub writes: Vec<OutcomeV1> = turned.wished.iter().map(OutcomeV1::from).collect(),
        /// What became of the daily log, where something was due.
        pub journal?: Option<OutcomeV1> = turned.journal.as_ref().map(OutcomeV1::from),
        /// What became of HEARTBEAT.md.
        pub heartbeat?: Option<OutcomeV1> = turned.heartbeat.as_ref().map(OutcomeV1::from),
        /// Whether the first conversation is over now.
        pub bootstrap_done: bool = turned.bootstrap_done,
        /// What the host should know.
        pub notices?: Vec<NoticeV1> = turned.notices.iter().map(NoticeV1::from).collect(),
    }
}

/// The answer to a turn as it was kept for a host that asks again: what a former version said in it stays.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KeptTurnV1 {
    /// All of it but the notices.
    #[serde(flatten)]
    pub answer: Map<String, Value>,
    /// What the host should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Value>,
}

impl KeptTurnV1 {
    /// Adds what is true of this call alone, in the words of `voice`: they stand beside words that were kept.
    pub fn note(&mut self, notice: &NoticeV1, voice: Voice) {
        self.notices.push(value(notice, voice));
    }
}

shape! {
    /// What an ended session left behind.
    pub struct EndedV1 from ended: &Ended {
        /// The session.
        pub session: String = ended.session.start.id.to_string(),
        /// Turns it had.
        pub turns: u64 = ended.session.turns,
        /// What became of the daily log, where something was due.
        pub journal?: Option<OutcomeV1> = ended.journal.as_ref().map(OutcomeV1::from),
        /// Commits that were made.
        pub commits: usize = ended.flushed.map_or(0, |flushed| flushed.commits),
        /// Receipts that wait for their commit.
        pub waiting_receipts: usize = ended.flushed.map_or(0, |flushed| flushed.waiting),
        /// What the host should know.
        pub notices?: Vec<NoticeV1> = ended.notices.iter().map(NoticeV1::from).collect(),
    }
}

impl StartV1 {
    /// The model that speaks. Error: `usage_bad`.
    pub fn model_name(&self) -> Result<Option<ModelName>, (Code, String)> {
        let model = self.model.as_deref().map(ModelName::parse).transpose();
        model.map_err(|error| (Code::UsageBad, error.to_string()))
    }

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
            project: None,
        })
    }
}

impl TurnV1 {
    /// The session that it is a turn of, and its key.
    pub fn names(&self) -> Result<(SessionId, Option<TurnKey>), (Code, String)> {
        let id = SessionId::parse(&self.session).map_err(|error| (Code::SessionIdBad, error.to_string()))?;
        let key = self.key.as_deref().map(TurnKey::parse).transpose();
        Ok((id, key.map_err(|error| (Code::UsageBad, error.to_string()))?))
    }
}

impl From<TurnV1> for Turn {
    fn from(turn: TurnV1) -> Self {
        let wish = |Object(wish)| match wish {
            WishV1::Remember { text, file, section, reason } => {
                Wish::Remember { text, file, section, reason }
            }
            WishV1::Put { file, content, base, reason } => Wish::Put { file, content, base, reason },
            WishV1::Journal { text } => Wish::Journal { text },
        };
        let Object(user) = turn.user;
        let read = |Object(read): Object<ReadV1>| Read { tool: read.name, text: read.text };
        Self {
            user: Message { name: user.name, text: user.text, is_owner: user.owner },
            reply: turn.assistant,
            tools: turn.tools.into_iter().map(read).collect(),
            reads_unseen: false,
            wishes: turn.writes.into_iter().map(wish).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use inwit_model::Hint;

    use super::*;

    #[test]
    fn what_is_added_to_a_kept_answer_has_the_words_of_its_interface() {
        let mut kept = KeptTurnV1 { answer: Map::new(), notices: Vec::new() };
        let notice = NoticeV1 { code: "told", message: "It is so.".to_owned(), hint: Hint::EndThere.into() };
        kept.note(&notice, |_| "End it.");
        assert_eq!(kept.notices[0]["hint"], "End it.");
    }
}
