//! Visibility of sessions, and notices for the owner about the rest.
//!
//! Invariant: an invisible session affects no answer, count or notice.

use inwit_model::plural::counted;
use inwit_model::{FileError, Scope, SessionId};
use inwit_workspace::Transcripts;
use inwit_workspace::transcripts::SessionHeader;

use crate::Notice;

/// The sessions of one agent visible to one scope.
pub(in crate::self_report) struct Hearing<'a> {
    pub(in crate::self_report) transcripts: &'a Transcripts,
    pub(in crate::self_report) agent_id: &'a str,
    pub(in crate::self_report) scope: &'a Scope,
}

impl Hearing<'_> {
    /// The header of a session, if any; `None` for an invisible session: of another agent or scope. Unreadable ones
    /// are visible to the owner only.
    #[expect(clippy::option_option, reason = "a session without a header is heard by its owner")]
    pub(in crate::self_report) fn header(
        &self,
        session: &SessionId,
    ) -> Result<Option<Option<SessionHeader>>, FileError> {
        let is_owner = *self.scope == Scope::Main;
        match self.transcripts.header(session) {
            Ok(Some(header)) if header.agent_id != self.agent_id => Ok(None),
            Ok(Some(header)) => Ok(self.scope.hears(&header.scope).then_some(Some(header))),
            Ok(None) => Ok(is_owner.then_some(None)),
            Err(error) if is_owner => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// What an answer for the owner lacks.
#[derive(Default)]
pub(super) struct Unheard {
    /// Unreadable sessions.
    pub(super) unread: Vec<(SessionId, FileError)>,
    /// Sessions of other agents.
    pub(super) of_others: usize,
    /// Why the index was rebuilt.
    pub(super) index_mended: Option<String>,
    /// The index has not read everything yet.
    pub(super) index_behind: bool,
    /// Why the index did not answer.
    pub(super) index_failed: Option<String>,
}

impl Unheard {
    /// For the owner only: each may concern a session that others do not see.
    pub(super) fn notices(self, scope: &Scope) -> Vec<Notice> {
        let mut notices = Vec::new();
        if *scope != Scope::Main {
            return notices;
        }
        if let Some((session, error)) = self.unread.first() {
            let more = match self.unread.len() {
                1 => String::new(),
                count => format!(" {} more sessions are left out too.", count - 1),
            };
            let message = format!("Session {session} is left out: {}{more}", error.message);
            notices.push(Notice::new(
                "transcripts_unread",
                message,
                "Check the files in the folder `transcripts` of the agent's home.",
            ));
        }
        if self.of_others > 0 {
            let message = format!("Left out {} of another agent.", counted(self.of_others, "transcript"));
            notices.push(Notice::new(
                "transcripts_of_others",
                message,
                "Move them into that agent's home, or out of this one.",
            ));
        }
        if let Some(why) = self.index_mended {
            let message = format!(
                "The index of transcripts did not answer ({why}), so it was rebuilt from the transcripts."
            );
            notices.push(Notice::new(
                "transcript_index_rebuilt",
                message,
                "Nothing is lost: the index contains nothing that the transcripts do not.",
            ));
        }
        if self.index_behind {
            let message = "The index of transcripts is still being built, so the files were searched for \
                           the exact characters.";
            notices.push(Notice::new(
                "transcript_index_behind",
                message,
                "Each search extends the index. The answer is complete.",
            ));
        }
        if let Some(why) = self.index_failed {
            let message =
                format!("The index of transcripts cannot be used ({why}), so the files were searched.");
            notices.push(Notice::new(
                "transcript_index_unused",
                message,
                "Free some space, or make the agent's home writable.",
            ));
        }
        notices
    }
}
