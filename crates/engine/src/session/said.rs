//! What a host tells of a session: how it begins, what a turn held, what the agent wants to keep.
//!
//! The host says what was read and who spoke; nothing here can say how far a text is to be trusted.
//! That is reckoned from it (D9).

use inwit_model::{Scope, SessionId, Sha256, Taint};

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
    /// Who answers, more than one in a team (R26).
    pub agents: Vec<String>,
}

/// One message and its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// What was said to the agent.
    pub user: Said,
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
pub struct Said {
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

impl Turn {
    /// Whether nothing was said: the end of a session, not a turn.
    pub(super) fn is_silent(&self) -> bool {
        self.user.text.is_empty() && self.reply.is_empty()
    }

    /// What this turn brings into the session: whatever a tool gave, and the words of others (D9).
    pub fn taint(&self, scope: &Scope) -> Taint {
        let is_owner = self.user.is_owner.unwrap_or(matches!(scope, Scope::Main));
        let speaker = match (is_owner, scope) {
            (true, _) => Taint::Owner,
            (false, Scope::Main | Scope::Room(_) | Scope::Shared) => Taint::Member,
            // Its task was written by a session that may have read anything.
            (false, Scope::Subagent) => Taint::Tool,
            (false, Scope::Scheduled) => Taint::Agent,
        };
        let read = if self.tools.is_empty() && !self.reads_unseen { Taint::Owner } else { Taint::Tool };
        speaker.join(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_model::RoomId;

    #[test]
    fn a_turn_is_trusted_like_the_least_of_what_it_held() {
        let room = Scope::Room(RoomId::parse("kitchen").expect("a room"));
        let plain = Turn::default();
        assert_eq!(plain.taint(&Scope::Main), Taint::Owner);
        assert_eq!(plain.taint(&room), Taint::Member);
        assert_eq!(plain.taint(&Scope::Shared), Taint::Member);
        assert_eq!(plain.taint(&Scope::Scheduled), Taint::Agent);
        assert_eq!(plain.taint(&Scope::Subagent), Taint::Tool);
        let owner = Turn { user: Said { is_owner: Some(true), ..Said::default() }, ..Turn::default() };
        assert_eq!(owner.taint(&room), Taint::Owner);
        let read = Read { tool: "web_fetch".into(), text: String::new() };
        let unseen = Turn { reads_unseen: true, ..owner.clone() };
        assert_eq!(unseen.taint(&Scope::Main), Taint::Tool, "what nobody can tell counts as read");
        let reads = Turn { tools: vec![read], ..owner };
        assert_eq!(reads.taint(&Scope::Main), Taint::Tool, "even what came back empty");
    }
}
