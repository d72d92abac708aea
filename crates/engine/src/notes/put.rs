//! Writes a whole file over a known base, or adds one entry.

use std::sync::Arc;

use inwit_model::profile::BlockKind;
use inwit_model::{Code, FileClass, Op, SafeName, Sha256};

use crate::core::parse_name;
use crate::notes::remember::{self, Entry};
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Notes};

impl Notes {
    /// Writes a whole file over the bytes its author saw (I2). Errors: as [`write`](Self::write), `stale` if the file
    /// has other bytes, or exists though none were seen.
    pub fn put(
        &self,
        name: &SafeName,
        content: &str,
        base: Option<Sha256>,
        behalf: &WriteContext,
    ) -> Result<Outcome, EngineError> {
        let bytes: Arc<[u8]> = content.as_bytes().into();
        self.amend(name, behalf, &|current| match current.map(Sha256::of) {
            // A repeated request after a lost answer: it is written already.
            found if found == Some(Sha256::of(&bytes)) => Ok(None),
            found if found == base => Ok(Some(Op::Put(Arc::clone(&bytes)))),
            Some(_) if base.is_none() => Err(EngineError::new(
                Code::Stale,
                format!("`{name}` already exists. Pass in `base` the sha256 of the version that you read."),
            )),
            _ => Err(EngineError::new(Code::Stale, format!("`{name}` no longer matches `base`."))),
        })
    }

    /// A file for an agent's entries or whole content; by default MEMORY.md or its equivalent. Daily logs are
    /// excluded: only their own format marks taint.
    pub(crate) fn named(&self, file: Option<&str>) -> Result<SafeName, EngineError> {
        let name = match file {
            Some(file) => parse_name(file)?,
            None => self.memory_file()?,
        };
        if inwit_gate::ward_of(&name)? == Some(FileClass::Journals) {
            let message = format!("`{name}` was not written: write entries of a daily log with `journal`.");
            return Err(EngineError::new(Code::PolicyRefused, message));
        }
        Ok(name)
    }

    /// Adds one entry to a file; by default MEMORY.md or its equivalent. Errors: as [`write`](Self::write),
    /// `usage_bad` for an empty or too long text.
    pub fn remember(
        &self,
        file: Option<&str>,
        entry: &Entry<'_>,
        behalf: &WriteContext,
    ) -> Result<Outcome, EngineError> {
        let name = self.named(file)?;
        let text = &*self.core.without_known_secrets(behalf.author, &behalf.scope, entry.text);
        let entry = &Entry { text, ..*entry };
        let outcome = self
            .amend(&name, behalf, &|current| Ok(remember::with_entry(&name, current, entry)?.map(Op::Put)))?;
        if matches!(outcome, Outcome::Unchanged(_)) {
            self.said_again(&name, entry.text, behalf)?;
        }
        Ok(outcome)
    }

    /// The long-term memory file: the existing one, else the profile's (X29).
    pub(crate) fn memory_file(&self) -> Result<SafeName, EngineError> {
        let names = self.memory_names();
        for name in names {
            let name = parse_name(name)?;
            if self.core.content(&name)?.is_some() {
                return Ok(name);
            }
        }
        parse_name(names[0])
    }

    /// Names of long-term memory files, in prompt order; the profile writes the first one.
    pub(crate) fn memory_names(&self) -> [&'static str; 3] {
        let core_only = self.core.profile.order.contains(&BlockKind::Core)
            && !self.core.profile.order.contains(&BlockKind::Memory);
        if core_only {
            ["memory/CORE.md", "MEMORY.md", "memory.md"]
        } else {
            ["MEMORY.md", "memory.md", "memory/CORE.md"]
        }
    }
}
