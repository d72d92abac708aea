//! `who_am_i`: the agent as its own files tell it (N20).

use inwit_model::limit::SOUL_EXCERPT_CHARS_MAX;
use inwit_model::{Code, FileError, SafeName, Scope};
use inwit_workspace::{Identity, Sight, identity};

use crate::notice::left_out;
use crate::prompt::readable_text;
use crate::{Agent, Notice};

/// What only the composition root knows of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whereabouts {
    /// Its id.
    pub agent_id: String,
    /// The model that speaks for it, where the host says so.
    pub model: Option<String>,
    /// The folder of its workspace.
    pub workspace_dir: String,
}

/// Who an agent is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhoAmI {
    /// Its id.
    pub agent_id: String,
    /// The model that speaks for it.
    pub model: Option<String>,
    /// Its folder; for its owner alone, since the path names a person's account.
    pub workspace_dir: Option<String>,
    /// Who it says it is.
    pub identity: Identity,
    /// The beginning of SOUL.md, at most [`SOUL_EXCERPT_CHARS_MAX`] characters.
    pub soul_excerpt: String,
    /// Whether SOUL.md goes on behind the excerpt.
    pub soul_truncated: bool,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

impl Agent {
    /// Who the agent is, for `scope`. What the scope does not see is empty; a file that cannot be read is
    /// named in a notice.
    pub fn who_am_i(&self, scope: &Scope, whereabouts: &Whereabouts) -> WhoAmI {
        let view = self.view(scope);
        let mut unread = Vec::new();
        let soul = self.text(&view, "SOUL.md", &mut unread);
        let identity = self.text(&view, "IDENTITY.md", &mut unread);
        let body = soul.as_deref().unwrap_or_default().trim();
        let (soul_excerpt, soul_truncated) = match body.char_indices().nth(SOUL_EXCERPT_CHARS_MAX) {
            Some((end, _)) => (body[..end].to_owned(), true),
            None => (body.to_owned(), false),
        };
        WhoAmI {
            agent_id: whereabouts.agent_id.clone(),
            model: whereabouts.model.clone(),
            workspace_dir: (*scope == Scope::Main).then(|| whereabouts.workspace_dir.clone()),
            identity: identity::read(identity.as_deref(), soul.as_deref()),
            soul_excerpt,
            soul_truncated,
            notices: left_out(&unread, &[]),
        }
    }

    /// The text of a file that `sight` sees, `None` where it sees none; what cannot be read is noted.
    pub(super) fn text(
        &self,
        sight: &dyn Sight,
        path: &str,
        unread: &mut Vec<(SafeName, FileError)>,
    ) -> Option<String> {
        let name = SafeName::parse(path).ok()?;
        let text = match self.contents.read(sight, &name, self.clock.as_ref()) {
            Ok(content) => readable_text(&content.bytes).ok_or_else(|| FileError {
                code: Code::FileUnreadable,
                message: format!("`{name}` is not UTF-8."),
            }),
            Err(error) if error.code == Code::FileMissing => return None,
            Err(error) => Err(error),
        };
        text.map_err(|error| unread.push((name, error))).ok()
    }
}
