//! `who_am_i`: the agent as its own files tell it (N20).

use inwit_model::limit::SOUL_EXCERPT_CHARS_MAX;
use inwit_model::{Code, FileError, SafeName, Scope};
use inwit_workspace::{Identity, Sight, identity};

use crate::mask::{self, Masked};
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

/// What of the files an answer does not show.
#[derive(Debug, Default)]
pub(super) struct Unshown {
    unread: Vec<(SafeName, FileError)>,
    masked: Vec<Masked>,
}

impl Unshown {
    /// The same in words.
    pub(super) fn notices(&self) -> Vec<Notice> {
        let mut notices = left_out(&self.unread, &[]);
        notices.extend(mask::notice(&self.masked));
        notices
    }
}

impl Agent {
    /// Who the agent is, for `scope`. What the scope does not see is empty; a file that cannot be read is
    /// named in a notice.
    pub fn who_am_i(&self, scope: &Scope, whereabouts: &Whereabouts) -> WhoAmI {
        let view = self.view(scope);
        let mut unshown = Unshown::default();
        let soul = self.text(&view, "SOUL.md", &mut unshown);
        let identity = self.text(&view, "IDENTITY.md", &mut unshown);
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
            notices: unshown.notices(),
        }
    }

    /// The text of a file that `sight` sees, as a model may see it; `None` where it sees none. What cannot be
    /// read or shown is noted.
    pub(super) fn text(&self, sight: &dyn Sight, path: &str, unshown: &mut Unshown) -> Option<String> {
        let name = SafeName::parse(path).ok()?;
        let text = match self.contents.read(sight, &name, self.clock.as_ref()) {
            Ok(content) => readable_text(&content.bytes).ok_or_else(|| FileError {
                code: Code::FileUnreadable,
                message: format!("`{name}` is not UTF-8."),
            }),
            Err(error) if error.code == Code::FileMissing => return None,
            Err(error) => Err(error),
        };
        match text {
            Ok(text) => Some(self.masked(&name, &text, &mut unshown.masked).into_owned()),
            Err(error) => {
                unshown.unread.push((name, error));
                None
            }
        }
    }
}
