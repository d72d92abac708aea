//! What the agent wants to keep, carried out on the session's trust.

use std::sync::Arc;

use inwit_gate::Author;
use inwit_model::profile::BlockKind;
use inwit_model::{Code, Op, SafeName};
use inwit_store::memory::Session;

use super::Wish;
use super::turn::words_of;
use crate::remember::{self, Entry};
use crate::write::{Behalf, Outcome};
use crate::{Agent, EngineError};

/// What became of one wish.
pub type Wished = Result<Outcome, EngineError>;

impl Agent {
    /// Carries out one wish of a session's agent.
    pub(super) fn wish(&self, session: &Session, wish: &Wish) -> Wished {
        let behalf = |reason: &str| Behalf {
            taint: Some(words_of(session)),
            session: Some(session.start.id.clone()),
            reason: reason.to_owned(),
            ..Behalf::of(Author::AGENT)
        };
        match wish {
            Wish::Remember { text, file, section, reason } => {
                let section = section.as_deref().unwrap_or(remember::SECTION_DEFAULT);
                self.remember(file.as_deref(), &Entry { text, section }, &behalf(reason))
            }
            Wish::Put { file, content, reason } => {
                let name = parse(file)?;
                let bytes: Arc<[u8]> = content.as_bytes().into();
                self.amend(&name, &behalf(reason), &|current| {
                    Ok((current != Some(&*bytes)).then(|| Op::Put(Arc::clone(&bytes))))
                })
            }
            Wish::Journal { text } => self.journal_note(session, text),
        }
    }

    /// Puts one entry into a file; MEMORY.md, or what stands for it here, when none is named. Errors: as
    /// [`write`](Self::write), `usage_bad` for an empty or too long text.
    pub fn remember(
        &self,
        file: Option<&str>,
        entry: &Entry<'_>,
        behalf: &Behalf,
    ) -> Result<Outcome, EngineError> {
        let name = match file {
            Some(file) => parse(file)?,
            None => self.memory_file()?,
        };
        self.amend(&name, behalf, &|current| Ok(remember::with_entry(&name, current, entry)?.map(Op::Put)))
    }

    /// Where lasting memory is kept: the file that is there, else the one the profile writes (X29).
    pub(crate) fn memory_file(&self) -> Result<SafeName, EngineError> {
        let core_only =
            self.profile.order.contains(&BlockKind::Core) && !self.profile.order.contains(&BlockKind::Memory);
        let names = if core_only { ["memory/CORE.md", "MEMORY.md"] } else { ["MEMORY.md", "memory/CORE.md"] };
        for name in names {
            let name = parse(name)?;
            if self.content(&name)?.is_some() {
                return Ok(name);
            }
        }
        parse(names[0])
    }
}

pub(crate) fn parse(name: &str) -> Result<SafeName, EngineError> {
    SafeName::parse(name).map_err(|error| EngineError::new(Code::NameRefused, error.to_string()))
}
