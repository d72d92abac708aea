//! What is told of rows that cannot be read: another hand wrote into them what is no id or no moment.
//!
//! Invariants: such a row is in no answer, and every answer that may miss one tells it; its number is enough to take it
//! away.

use inwit_model::{Hint, Scope};
use inwit_store::memory::Unread;

use super::NAMED_MAX;
use crate::core::notice::named;
use crate::{EngineError, Facts, Notice};

/// The name of the notice, of the finding and of the refusal.
pub(crate) const UNREAD: &str = "fact_unread";

impl Facts {
    /// Rows of `scope` that cannot be read; none but the owner's own scope has any.
    pub fn unread_rows(&self, scope: &Scope) -> Result<Vec<Unread>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.unread_rows()?),
            _ => Ok(Vec::new()),
        }
    }

    /// The fact of this number, where it cannot be read.
    pub fn unread_fact(&self, part: &str) -> Result<Option<Unread>, EngineError> {
        let Ok(number) = part.parse::<i64>() else { return Ok(None) };
        let all = self.unread_rows(&Scope::Main)?;
        Ok(all.into_iter().find(|unread| unread.number() == Some(number)))
    }

    /// What a reader of facts is told of rows that cannot be read.
    pub fn unread_notice(&self, scope: &Scope) -> Result<Option<Notice>, EngineError> {
        let hint = Hint::PurgeUnread;
        Ok(sentence(&self.unread_rows(scope)?).map(|message| Notice::new(UNREAD, message, hint)))
    }
}

/// The rows by their names; `None` where there are none.
pub(crate) fn sentence(rows: &[Unread]) -> Option<String> {
    let names: Vec<String> = rows.iter().map(ToString::to_string).collect();
    let named = named(&names, NAMED_MAX, ", ");
    (!names.is_empty()).then(|| format!("Left out because it cannot be read: {named}."))
}
