//! Scopes: who sees what. Every read of a workspace has one scope.
//!
//! Scope names are parsed once, at the interface. An unidentified caller is [`Scope::Shared`]: fail closed (X23, D3).

use std::fmt;

use crate::id::{RoomId, RoomIdError};
use crate::place::{self, Place};

/// The audience of a read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The owner, in private: sees everything.
    Main,
    /// A conversation with several people: sees shared files, and this room's page and logs.
    Room(RoomId),
    /// An unidentified caller: sees what every room may see.
    Shared,
    /// An agent that this agent started.
    Subagent,
    /// An unattended run: cron, heartbeat.
    Scheduled,
}

/// The words are not a valid scope.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ScopeError {
    /// Not one of the five words.
    #[error("`{0}` is not a scope: use main, room, shared, subagent or scheduled.")]
    Unknown(String),
    /// `room` needs a room.
    #[error("scope `room` needs the room: `--room ID`, or `room:ID`.")]
    RoomMissing,
    /// A room was given with a scope other than `room`.
    #[error("scope `{0}` takes no room; remove the room or use scope `room`.")]
    RoomUnexpected(String),
    /// The room's id.
    #[error("{0}")]
    Room(#[from] RoomIdError),
}

impl Scope {
    /// Parses a scope (`main`, `room:kitchen` …) and a room, both optional. A room alone means that room; neither
    /// gives `unsaid`.
    pub fn parse(scope: Option<&str>, room: Option<&str>, unsaid: Self) -> Result<Self, ScopeError> {
        let (word, room) = match scope.and_then(|scope| scope.strip_prefix("room:")) {
            Some(id) => (Some("room"), Some(id)),
            None => (scope, room),
        };
        match (word, room) {
            (None, None) => Ok(unsaid),
            (None | Some("room"), Some(id)) => Ok(Self::Room(RoomId::parse(id)?)),
            (Some("room"), None) => Err(ScopeError::RoomMissing),
            (Some(word), room) => {
                let scope = match word {
                    "main" => Self::Main,
                    "shared" => Self::Shared,
                    "subagent" => Self::Subagent,
                    "scheduled" => Self::Scheduled,
                    other => return Err(ScopeError::Unknown(crate::name::shown(other))),
                };
                if room.is_some() { Err(ScopeError::RoomUnexpected(word.to_owned())) } else { Ok(scope) }
            }
        }
    }

    /// Whether this scope is open to people other than the owner.
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::Room(_) | Self::Shared)
    }

    /// Whether `place` may be read in this scope (D3). Prompts, recall and `get` all use this rule.
    pub fn sees(&self, place: &Place) -> bool {
        match (self, place) {
            (Self::Main, _) => true,
            (_, Place::File(kind)) => kind.visible_to(self),
            (Self::Room(room), Place::Room { folder } | Place::RoomMemory { folder, .. }) => {
                folder == room.folder()
            }
            (Self::Room(_) | Self::Shared, Place::Skill { .. }) => true,
            _ => false,
        }
    }

    /// Whether this scope may read the transcript of a session in scope `held`: the owner all, a room its own, others
    /// none (D3).
    pub fn hears(&self, held: &Self) -> bool {
        match self {
            Self::Main => true,
            Self::Room(_) => self == held,
            Self::Shared | Self::Subagent | Self::Scheduled => false,
        }
    }

    /// Whether this scope may search `place`. Other scopes than main see only name and description of a skill, so its
    /// text is not searched.
    pub fn searches(&self, place: &Place) -> bool {
        self.sees(place) && place::is_indexed(place)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Main => out.write_str("main"),
            Self::Room(room) => write!(out, "room:{room}"),
            Self::Shared => out.write_str("shared"),
            Self::Subagent => out.write_str("subagent"),
            Self::Scheduled => out.write_str("scheduled"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_scopes_once() {
        let room = Scope::Room(RoomId::parse("kitchen").expect("a room"));
        let parse = |scope, room| Scope::parse(scope, room, Scope::Main);
        assert_eq!(parse(None, None), Ok(Scope::Main));
        assert_eq!(parse(Some("room"), Some("kitchen")), Ok(room.clone()));
        assert_eq!(parse(None, Some("kitchen")), Ok(room.clone()));
        assert_eq!(parse(Some("room:kitchen"), None), Ok(room.clone()));
        assert_eq!(room.to_string(), "room:kitchen");
        assert_eq!(parse(Some("room"), None), Err(ScopeError::RoomMissing));
        assert!(matches!(parse(Some("main"), Some("kitchen")), Err(ScopeError::RoomUnexpected(_))));
        assert!(matches!(parse(Some("Main"), None), Err(ScopeError::Unknown(_))));
    }
}
