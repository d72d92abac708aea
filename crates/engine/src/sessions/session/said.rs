//! Input of a host: the start of a session, a turn, requests of the agent.
//!
//! The host reports what was read and who spoke; it cannot set the taint, which is computed from that (D9).

use crate::EngineError;
use crate::sessions::hook::fence;
use inwit_model::{Code, ProjectName, Scope, SessionId, Sha256, Taint, TurnKey};

/// The start of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The host's id, if any; else one is generated.
    pub session: Option<SessionId>,
    /// The interface: `repl`, `http`, `mcp`, `hook`, `cli`.
    pub surface: String,
    /// The scope.
    pub scope: Scope,
    /// The room, as its members name it.
    pub room: Option<String>,
    /// The user's name.
    pub user: Option<String>,
    /// Answering agents, several in a team (R26): agents of the same home, with or without this one.
    pub agents: Vec<String>,
    /// Its project.
    pub project: Option<ProjectName>,
}

/// One message and its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// The message to the agent.
    pub user: Message,
    /// The assistant's final text.
    pub reply: String,
    /// What the agent read.
    pub tools: Vec<Read>,
    /// Whether the agent may have read more than `tools`: the host does not know.
    pub reads_unseen: bool,
    /// The agent's requests to store something.
    pub wishes: Vec<Wish>,
}

/// A message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// The speaker, if not that of the session's start.
    pub name: Option<String>,
    /// The text.
    pub text: String,
    /// Whether it was the owner. By default yes in private, no in a room.
    pub is_owner: Option<bool>,
}

/// Text that the agent read: a tool result, a page, a received file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The tool.
    pub tool: String,
    /// Its output.
    pub text: String,
}

/// A request of the agent to store something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// One entry in a section of a file.
    Remember {
        /// The text.
        text: String,
        /// The file; default MEMORY.md or its equivalent.
        file: Option<String>,
        /// The section; default `Facts`.
        section: Option<String>,
        /// The reason.
        reason: String,
    },
    /// A whole file.
    Put {
        /// The file.
        file: String,
        /// Its new content.
        content: String,
        /// Sha256 of the base; `None` if the file did not exist.
        base: Option<Sha256>,
        /// The reason.
        reason: String,
    },
    /// An entry of the daily log (R14).
    Journal {
        /// The text.
        text: String,
    },
}

impl Start {
    /// The same without private parts in its names; `None` if there are none. A name may become empty.
    pub(super) fn without_private(&self) -> Option<Self> {
        let mut start = self.clone();
        let mut is_private = false;
        let names = [Some(&mut start.surface), start.room.as_mut(), start.user.as_mut()];
        for name in names.into_iter().flatten() {
            if let Some(public) = fence::without_private(name) {
                (*name, is_private) = (public, true);
            }
        }
        let is_some = |name: &String| !name.is_empty();
        (start.room, start.user) = (start.room.filter(is_some), start.user.filter(is_some));
        if let Some(public) =
            start.project.as_ref().and_then(|project| fence::without_private(project.as_str()))
        {
            (start.project, is_private) = (ProjectName::parse(&public).ok(), true);
        }
        is_private.then_some(start)
    }
}

/// The key of a turn without private parts. Error: nothing else is in it.
pub(super) fn public_key(key: &TurnKey) -> Result<Option<TurnKey>, EngineError> {
    let public = fence::without_private(key.as_str()).map(|public| TurnKey::parse(&public));
    public.transpose().map_err(|_| {
        let message = "The key of the turn is entirely inside `<private>`, so nothing was kept.";
        EngineError::new(Code::UsageBad, message)
    })
}

impl Turn {
    /// The turn without private parts, without the reply to them and without what was read for it; `None` if there
    /// are none.
    pub(super) fn without_private(&self) -> Option<Self> {
        let mut turn = self.clone();
        let asked = fence::public(&self.user.text);
        let mut is_private = asked.has_private();
        if is_private {
            turn.reply = String::new();
            // What was read still counts toward the taint, though its text is not compared with the files.
            turn.reads_unseen |= turn.tools.iter().any(|read| !read.text.trim().is_empty());
            turn.tools.iter_mut().for_each(|read| read.text = String::new());
            turn.user.text = asked.text;
        }
        let reads = turn.tools.iter_mut().flat_map(|read| [&mut read.tool, &mut read.text]);
        let wishes = turn.wishes.iter_mut().flat_map(|wish| match wish {
            Wish::Remember { text, section, reason, .. } => vec![Some(text), section.as_mut(), Some(reason)],
            Wish::Put { content, reason, .. } => vec![Some(content), Some(reason)],
            Wish::Journal { text } => vec![Some(text)],
        });
        let texts: Vec<&mut String> =
            wishes.flatten().chain([&mut turn.reply]).chain(turn.user.name.as_mut()).chain(reads).collect();
        for text in texts {
            if let Some(public) = fence::without_private(text) {
                (*text, is_private) = (public, true);
            }
        }
        is_private.then_some(turn)
    }

    /// Whether it has no text: the end of a session, not a turn.
    pub(super) fn is_silent(&self) -> bool {
        self.user.text.is_empty() && self.reply.is_empty()
    }

    /// The taint of the speaker; what was read is computed separately (D9).
    pub(super) fn speaker(&self, scope: &Scope) -> Taint {
        let is_owner = self.user.is_owner.unwrap_or(matches!(scope, Scope::Main));
        match (is_owner, scope) {
            (true, _) => Taint::Owner,
            (false, Scope::Main | Scope::Room(_) | Scope::Shared) => Taint::Member,
            // A session that may have read anything wrote its task.
            (false, Scope::Subagent) => Taint::Tool,
            (false, Scope::Scheduled) => Taint::Agent,
        }
    }

    /// Sha256 of all its content, to recognise an identical turn.
    pub(super) fn sha256(&self) -> Sha256 {
        // The debug form quotes every text, so different turns differ.
        Sha256::of(format!("{self:?}").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_model::RoomId;

    #[test]
    fn a_turn_is_trusted_like_who_speaks() {
        let room = Scope::Room(RoomId::parse("kitchen").expect("a room"));
        let plain = Turn::default();
        assert_eq!(plain.speaker(&Scope::Main), Taint::Owner);
        assert_eq!(plain.speaker(&room), Taint::Member);
        assert_eq!(plain.speaker(&Scope::Shared), Taint::Member);
        assert_eq!(plain.speaker(&Scope::Scheduled), Taint::Agent);
        assert_eq!(plain.speaker(&Scope::Subagent), Taint::Tool);
        let owner = Turn { user: Message { is_owner: Some(true), ..Message::default() }, ..Turn::default() };
        assert_eq!(owner.speaker(&room), Taint::Owner);
    }

    /// The text of a read is left out with a private question, and its taint is not.
    #[test]
    fn what_was_read_for_a_private_question_still_taints() {
        let turn = |asked: &str, read: &str| Turn {
            user: Message { text: asked.into(), ..Message::default() },
            tools: vec![Read { tool: "memory_get".into(), text: read.into() }],
            ..Turn::default()
        };
        let private =
            turn("<private>x</private> what?", "- from the web").without_private().expect("private");
        assert!(private.reads_unseen && private.tools[0].text.is_empty(), "{private:?}");
        let nothing = turn("<private>x</private> what?", "").without_private().expect("private");
        assert!(!nothing.reads_unseen);
    }

    #[test]
    fn a_turn_is_known_again_by_all_it_held() {
        let read = |tool: &str, text: &str| Read { tool: tool.into(), text: text.into() };
        let turns = [
            Turn::default(),
            Turn { reply: "a".into(), ..Turn::default() },
            Turn { user: Message { text: "a".into(), ..Message::default() }, ..Turn::default() },
            Turn { tools: vec![read("a", "b")], ..Turn::default() },
            Turn { tools: vec![read("a", "b\", text: \"")], ..Turn::default() },
            Turn { tools: vec![read("a", "b"), read("a", "b")], ..Turn::default() },
            Turn { wishes: vec![Wish::Journal { text: "a".into() }], ..Turn::default() },
        ];
        let hashes: std::collections::BTreeSet<Sha256> = turns.iter().map(Turn::sha256).collect();
        assert_eq!(hashes.len(), turns.len());
        assert_eq!(turns[1].sha256(), turns[1].clone().sha256());
    }
}
