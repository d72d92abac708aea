//! `who_am_i`: the agent's identity from its files (N20).

use std::sync::Arc;

use inwit_model::limit::SOUL_EXCERPT_CHARS_MAX;
use inwit_model::{Code, FileError, SafeName, Scope, SessionId};
use inwit_workspace::{Identity, ScopedReader, identity};

use crate::core::mask::{self, Masked};
use crate::core::notice::left_out;
use crate::sessions::prompt::readable_text;
use crate::{Agent, ModelText, Notice};

/// Values that only the composition root has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whereabouts {
    /// Its id.
    pub agent_id: String,
    /// Its language model, if the process was started with one.
    pub model: Option<String>,
    /// The folder of its workspace.
    pub workspace_dir: String,
}

/// The identity of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhoAmI {
    /// Its id.
    pub agent_id: String,
    /// Its language model, as a host names it.
    pub model: Option<ModelText>,
    /// Its workspace folder; for the owner only, since the path contains a user name.
    pub workspace_dir: Option<String>,
    /// Its identity file.
    pub identity: Identity<ModelText>,
    /// The beginning of SOUL.md, at most [`SOUL_EXCERPT_CHARS_MAX`] characters.
    pub soul_excerpt: ModelText,
    /// Whether SOUL.md is longer than the excerpt.
    pub soul_truncated: bool,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// Parts of files missing from an answer.
#[derive(Debug, Default)]
pub(super) struct Unshown {
    unread: Vec<(SafeName, FileError)>,
    pub(super) masked: Vec<Masked>,
}

impl Unshown {
    /// The notices about them.
    pub(super) fn notices(&self) -> Vec<Notice> {
        let mut notices = left_out(&self.unread, &[]);
        notices.extend(mask::notice(&self.masked));
        notices
    }
}

impl Agent {
    /// The identity for `scope`. Invisible parts are empty; an unreadable file gives a notice. If `whereabouts` has
    /// no model, it is that of `session`, else of the newest session of `scope` with one.
    pub fn who_am_i(&self, scope: &Scope, session: Option<&SessionId>, whereabouts: &Whereabouts) -> WhoAmI {
        let view = self.core.view(scope);
        self.core.load_named_of_files(&view);
        let mut unshown = Unshown::default();
        let soul = self.own_file(&view, "SOUL.md", &mut unshown);
        let identity_file = self.own_file(&view, "IDENTITY.md", &mut unshown);
        let text = |file: &Option<OwnFile>| file.as_ref().map(|file| file.text.clone());
        let said = identity::read(text(&identity_file).as_deref(), text(&soul).as_deref());
        let mut identity = Identity::default();
        if let Some(file) = identity_file.as_ref().or(soul.as_ref()) {
            let mut values = Vec::new();
            said.clone().map(|value| values.push(value));
            let masked = &mut unshown.masked;
            let shown = self.core.masked_lines(scope, &file.name, &file.bytes, values, masked);
            let mut shown = shown.into_iter();
            identity = said.map(|_| shown.next().unwrap_or_default());
        }
        let (soul_excerpt, soul_truncated) =
            soul.as_ref().map(|soul| self.beginning(scope, soul, &mut unshown)).unwrap_or_default();
        let mut notices = unshown.notices();
        let model = whereabouts.model.clone().or_else(|| match self.sessions.session_model(scope, session) {
            Ok(model) => model.map(|model| model.to_string()),
            Err(error) => {
                notices.push(Notice::new("model_unread", error.message, error.code));
                None
            }
        });
        WhoAmI {
            agent_id: whereabouts.agent_id.clone(),
            model: model.map(|model| ModelText::made_of(&[], model)),
            workspace_dir: (*scope == Scope::Main).then(|| whereabouts.workspace_dir.clone()),
            identity,
            soul_excerpt,
            soul_truncated,
            notices,
        }
    }

    /// The first [`SOUL_EXCERPT_CHARS_MAX`] characters of a file, and whether there are more.
    fn beginning(&self, scope: &Scope, file: &OwnFile, unshown: &mut Unshown) -> (ModelText, bool) {
        let body = file.text.trim();
        let end = body.char_indices().nth(SOUL_EXCERPT_CHARS_MAX).map(|(end, _)| end);
        let head = &body[..end.unwrap_or(body.len())];
        // A cut may create a finding, and a mask may be longer than the text it covers.
        let shown = self.core.masked_words(scope, &file.name, &file.bytes, head, &mut unshown.masked);
        (shown.cut(SOUL_EXCERPT_CHARS_MAX).unwrap_or(shown), end.is_some())
    }

    /// A masked file that `sight` sees, else `None`. Failures are recorded.
    pub(super) fn own_file(
        &self,
        sight: &dyn ScopedReader,
        path: &str,
        unshown: &mut Unshown,
    ) -> Option<OwnFile> {
        let name = SafeName::parse(path).ok()?;
        let read = self.core.contents.read(sight, &name, self.core.clock.as_ref()).and_then(|content| {
            let text = readable_text(&content.bytes).ok_or_else(|| FileError {
                code: Code::FileUnreadable,
                message: format!("`{name}` is not UTF-8."),
            })?;
            Ok((content.bytes, text))
        });
        match read {
            Ok((bytes, text)) => {
                let text =
                    self.core.masked_for(sight.scope(), &name, &text, &mut unshown.masked).into_owned();
                Some(OwnFile { name, bytes, text })
            }
            Err(error) if error.code == Code::FileMissing => None,
            Err(error) => {
                unshown.unread.push((name, error));
                None
            }
        }
    }
}

/// One of an agent's own files, masked.
pub(super) struct OwnFile {
    pub(super) name: SafeName,
    /// The stored bytes.
    pub(super) bytes: Arc<[u8]>,
    /// The masked text, including comments.
    pub(super) text: String,
}
