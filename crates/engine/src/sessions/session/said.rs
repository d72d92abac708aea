//! What a host tells of a session: how it begins, what a turn held, what the agent wants to keep.
//!
//! The host says what was read and who spoke; nothing here can say how far a text is to be trusted.
//! That is reckoned from it (D9).

use crate::EngineError;
use crate::sessions::hook::fence;
use inwit_model::{Code, ProjectName, Scope, SessionId, Sha256, Taint, TurnKey};

/// How a session begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// Its id, where the host has one; else one is made.
    pub session: Option<SessionId>,
    /// Where it is held: `repl`, `http`, `mcp`, `hook`, `cli`.
    pub surface: String,
    /// Who is listening.
    pub scope: Scope,
    /// The room, as its members call it.
    pub room: Option<String>,
    /// Who speaks.
    pub user: Option<String>,
    /// Who answers, more than one in a team (R26): agents of the same home, this one among them or not.
    pub agents: Vec<String>,
    /// The project it works in.
    pub project: Option<ProjectName>,
}

/// One message and its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// What was said to the agent.
    pub user: Message,
    /// The assistant's final text.
    pub reply: String,
    /// What the agent read on the way.
    pub tools: Vec<Read>,
    /// The agent may have read more than `tools` tells: the host cannot say.
    pub reads_unseen: bool,
    /// What the agent wants to keep.
    pub wishes: Vec<Wish>,
}

/// A message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// Who spoke, where it is not the one the session began with.
    pub name: Option<String>,
    /// What.
    pub text: String,
    /// Whether it was the owner. Unsaid, it was in private and was not in a room.
    pub is_owner: Option<bool>,
}

/// Something the agent read: a tool's result, a page, a file that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The tool.
    pub tool: String,
    /// What it gave back.
    pub text: String,
}

/// Something the agent wants to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// One entry in a section of a file.
    Remember {
        /// The words.
        text: String,
        /// The file; MEMORY.md, or what stands for it, when unsaid.
        file: Option<String>,
        /// The section; `Facts` when unsaid.
        section: Option<String>,
        /// Why.
        reason: String,
    },
    /// A whole file.
    Put {
        /// The file.
        file: String,
        /// What it should hold.
        content: String,
        /// The hash of the bytes it was made from; `None`: the file was not there.
        base: Option<Sha256>,
        /// Why.
        reason: String,
    },
    /// An entry of the daily log (R14).
    Journal {
        /// The words.
        text: String,
    },
}

impl Start {
    /// The same without what is private in its names; `None` where nothing is. What is left of a name may be none.
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

/// The key of a turn without what is private in it. Error: nothing else is in it.
pub(super) fn public_key(key: &TurnKey) -> Result<Option<TurnKey>, EngineError> {
    let public = fence::without_private(key.as_str()).map(|public| TurnKey::parse(&public));
    public.transpose().map_err(|_| {
        let message = "The key of the turn is entirely inside `<private>`, so nothing was kept.";
        EngineError::new(Code::UsageBad, message)
    })
}

impl Turn {
    /// The turn without what is private in it, and without the reply to that and what the agent read for it; `None` where
    /// nothing is private.
    pub(super) fn without_private(&self) -> Option<Self> {
        let mut turn = self.clone();
        let asked = fence::public(&self.user.text);
        let mut is_private = asked.has_private();
        if is_private {
            turn.reply = String::new();
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

    /// Whether nothing was said: the end of a session, not a turn.
    pub(super) fn is_silent(&self) -> bool {
        self.user.text.is_empty() && self.reply.is_empty()
    }

    /// What who speaks brings into the session; what was read is reckoned apart (D9).
    pub(super) fn speaker(&self, scope: &Scope) -> Taint {
        let is_owner = self.user.is_owner.unwrap_or(matches!(scope, Scope::Main));
        match (is_owner, scope) {
            (true, _) => Taint::Owner,
            (false, Scope::Main | Scope::Room(_) | Scope::Shared) => Taint::Member,
            // Its task was written by a session that may have read anything.
            (false, Scope::Subagent) => Taint::Tool,
            (false, Scope::Scheduled) => Taint::Agent,
        }
    }

    /// The hash of everything in it, by which the very same turn is known again.
    pub(super) fn sha256(&self) -> Sha256 {
        // The form that a debugger sees quotes every text, so no two turns look alike in it.
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
