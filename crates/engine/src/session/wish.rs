//! What the agent wants to keep, carried out on the session's trust.

use std::sync::Arc;

use inwit_gate::Author;
use inwit_model::profile::BlockKind;
use inwit_model::{Code, Op, SafeName, Scope, Ward};
use inwit_store::memory::Session;

use super::Wish;
use super::turn::words_of;
use crate::remember::{self, Entry};
use crate::write::{Behalf, Outcome};
use crate::{Agent, EngineError};

/// Makes a change without saying whether the file needs it.
type Blind<'m> = dyn Fn(Option<&[u8]>) -> Result<Op, EngineError> + 'm;

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
                let entry = Entry { text, section };
                if session.start.scope == Scope::Main {
                    return self.remember(file.as_deref(), &entry, &behalf(reason));
                }
                let name = self.named(file.as_deref())?;
                self.offer(&name, &behalf(reason), &|current| {
                    remember::added(&name, current, &entry).map(Op::Put)
                })
            }
            Wish::Put { file, content, reason } => {
                let name = self.named(Some(file))?;
                let bytes: Arc<[u8]> = content.as_bytes().into();
                if session.start.scope == Scope::Main {
                    return self.amend(&name, &behalf(reason), &|current| {
                        Ok((current != Some(&*bytes)).then(|| Op::Put(Arc::clone(&bytes))))
                    });
                }
                self.offer(&name, &behalf(reason), &|_| Ok(Op::Put(Arc::clone(&bytes))))
            }
            Wish::Journal { text } => self.journal_note(session, text),
        }
    }

    /// What a session of anybody but the owner wants: it always waits, and the answer says nothing of what
    /// the file holds, which that session may not see (D3).
    fn offer(&self, name: &SafeName, behalf: &Behalf, make: &Blind<'_>) -> Result<Outcome, EngineError> {
        let current = self.content(name)?;
        let bytes = current.as_ref().map(|content| &*content.bytes);
        let change = behalf.change(name.clone(), make(bytes)?, current.as_ref());
        self.keep_proposal(inwit_gate::hold(&self.policy(), bytes, change)?, bytes)
    }

    /// A file that an agent may want to write as a whole or by entries; MEMORY.md, or what stands for it,
    /// when none is named. A daily log is written by its own form alone, which marks what is tainted.
    fn named(&self, file: Option<&str>) -> Result<SafeName, EngineError> {
        let name = match file {
            Some(file) => parse(file)?,
            None => self.memory_file()?,
        };
        if inwit_gate::ward_of(&name)? == Some(Ward::Journals) {
            let message = format!("`{name}` was not written: a daily log takes entries, by `journal`.");
            return Err(EngineError::new(Code::PolicyRefused, message));
        }
        Ok(name)
    }

    /// Puts one entry into a file; MEMORY.md, or what stands for it here, when none is named. Errors: as
    /// [`write`](Self::write), `usage_bad` for an empty or too long text.
    pub fn remember(
        &self,
        file: Option<&str>,
        entry: &Entry<'_>,
        behalf: &Behalf,
    ) -> Result<Outcome, EngineError> {
        let name = self.named(file)?;
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
