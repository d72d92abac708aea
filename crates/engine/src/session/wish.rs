//! What the agent wants to keep, carried out on the session's trust.

use std::sync::Arc;

use inwit_gate::Author;
use inwit_model::profile::BlockKind;
use inwit_model::{Code, Op, SafeName, Scope, Sha256, Ward};
use inwit_store::memory::Session;

use super::Wish;
use super::turn::words_of;
use crate::offer::Offer;
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
            reason: self.agents_words(&session.start.scope, reason).into_owned(),
            ..Behalf::of(Author::AGENT)
        };
        match wish {
            Wish::Remember { text, file, section, reason } => {
                let section = section.as_deref().unwrap_or(remember::SECTION_DEFAULT);
                let entry = Entry { text, section };
                if session.start.scope == Scope::Main {
                    return self.remember(file.as_deref(), &entry, &behalf(reason));
                }
                // Which file is there is nothing to tell: the profile's own takes it.
                let name = self.named(Some(file.as_deref().unwrap_or(self.memory_names()[0])))?;
                self.offer(&session.start.scope, &name, &Offer::Entry(entry), &behalf(reason))
            }
            Wish::Put { file, content, base, reason } => {
                let name = self.named(Some(file))?;
                if session.start.scope == Scope::Main {
                    return self.put(&name, content, *base, &behalf(reason));
                }
                self.offer(&session.start.scope, &name, &Offer::Whole(content), &behalf(reason))
            }
            Wish::Journal { text } => self.journal_note(session, text),
        }
    }

    /// Writes a whole file over the bytes its author saw (I2). Errors: as [`write`](Self::write), `stale`
    /// where other bytes are there, or any while none were seen.
    pub fn put(
        &self,
        name: &SafeName,
        content: &str,
        base: Option<Sha256>,
        behalf: &Behalf,
    ) -> Result<Outcome, EngineError> {
        let bytes: Arc<[u8]> = content.as_bytes().into();
        self.amend(name, behalf, &|current| match current.map(Sha256::of) {
            // Said again after an answer that was lost: it is there.
            found if found == Some(Sha256::of(&bytes)) => Ok(None),
            found if found == base => Ok(Some(Op::Put(Arc::clone(&bytes)))),
            Some(_) if base.is_none() => Err(EngineError::new(
                Code::Stale,
                format!("`{name}` is there already; say with `base` the sha256 of what was read of it."),
            )),
            _ => Err(EngineError::new(Code::Stale, format!("`{name}` is not what `base` says any more."))),
        })
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
        let text = &*self.without_known_secrets(behalf.author, &behalf.scope, entry.text);
        let entry = &Entry { text, ..*entry };
        self.amend(&name, behalf, &|current| Ok(remember::with_entry(&name, current, entry)?.map(Op::Put)))
    }

    /// Where lasting memory is kept: the file that is there, else the one the profile writes (X29).
    pub(crate) fn memory_file(&self) -> Result<SafeName, EngineError> {
        let names = self.memory_names();
        for name in names {
            let name = parse(name)?;
            if self.content(&name)?.is_some() {
                return Ok(name);
            }
        }
        parse(names[0])
    }

    /// The files that hold lasting memory, in the order in which a prompt looks for them; the profile writes the first one.
    fn memory_names(&self) -> [&'static str; 3] {
        let core_only =
            self.profile.order.contains(&BlockKind::Core) && !self.profile.order.contains(&BlockKind::Memory);
        if core_only {
            ["memory/CORE.md", "MEMORY.md", "memory.md"]
        } else {
            ["MEMORY.md", "memory.md", "memory/CORE.md"]
        }
    }
}

pub(crate) fn parse(name: &str) -> Result<SafeName, EngineError> {
    SafeName::parse(name).map_err(|error| EngineError::new(Code::NameRefused, error.to_string()))
}
