//! Reports unreadable rows of facts: another program wrote an invalid id or time.
//!
//! Invariants: such a row is in no answer, and every answer that may lack one reports it; its number is enough to
//! remove it.

use inwit_model::{Hint, Scope};
use inwit_store::memory::Unread;

use super::NAMED_MAX;
use crate::core::notice::named;
use crate::{EngineError, Facts, Notice};

/// Code of the notice, the finding and the refusal.
pub(crate) const UNREAD: &str = "fact_unread";

impl Facts {
    /// Unreadable rows for `scope`; other scopes than the owner's have none.
    pub fn unread_rows(&self, scope: &Scope) -> Result<Vec<Unread>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.unread_rows()?),
            _ => Ok(Vec::new()),
        }
    }

    /// The fact with this number, if it is unreadable.
    pub fn unread_fact(&self, part: &str) -> Result<Option<Unread>, EngineError> {
        let Ok(number) = part.parse::<i64>() else { return Ok(None) };
        let all = self.unread_rows(&Scope::Main)?;
        Ok(all.into_iter().find(|unread| unread.number() == Some(number)))
    }

    /// The notice about unreadable rows.
    pub fn unread_notice(&self, scope: &Scope) -> Result<Option<Notice>, EngineError> {
        let hint = Hint::PurgeUnread;
        Ok(sentence(&self.unread_rows(scope)?).map(|message| Notice::new(UNREAD, message, hint)))
    }
}

/// A sentence that lists the rows; `None` if there are none.
pub(crate) fn sentence(rows: &[Unread]) -> Option<String> {
    let names: Vec<String> = rows.iter().map(ToString::to_string).collect();
    let named = named(&names, NAMED_MAX, ", ");
    (!names.is_empty()).then(|| format!("Left out because it cannot be read: {named}."))
}
