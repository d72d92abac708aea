//! What a person changes in a file with their own editor, recorded as their edit so that it can be undone.
//!
//! Invariants: nothing is written and nothing is judged, since the file has it already; files that inwit writes nothing
//! to are not recorded, since an undo would have to write there.

use inwit_gate::{Author, HumanConsent, ward_of};
use inwit_model::SafeName;
use inwit_model::ports::Content;
use inwit_store::memory::ReceiptFilter;
use inwit_workspace::Receipt;
use jiff::Timestamp;

use crate::{EngineError, Notes};

/// A file before it is opened in an editor.
#[derive(Debug)]
pub struct BeforeEdit {
    name: SafeName,
    content: Option<Content>,
    began: Timestamp,
}

impl Notes {
    /// The file `name` as it is now; `None` for one that inwit does not write. Errors: those of reading.
    pub fn before_edit(&self, name: &SafeName) -> Result<Option<BeforeEdit>, EngineError> {
        if ward_of(name).is_err() {
            return Ok(None);
        }
        let content = self.core.content(name)?;
        Ok(Some(BeforeEdit { name: name.clone(), content, began: self.core.clock.now() }))
    }

    /// Records what was saved since `before`. `None`: nothing was, or inwit wrote the file in the meantime, so that nobody
    /// can tell the two changes apart; then it is recorded as found, as any edit made without inwit. Errors: `locked`,
    /// `memory_unavailable`, and those of reading.
    pub fn record_edit(
        &self,
        before: &BeforeEdit,
        person: &HumanConsent,
    ) -> Result<Option<Receipt>, EngineError> {
        let name = &before.name;
        let saved = self.core.content(name)?;
        if saved.as_ref().map(|content| content.sha256) == before.content.as_ref().map(|old| old.sha256) {
            return Ok(None);
        }
        let newest = ReceiptFilter { name: Some(name.clone()), limit: 1, ..ReceiptFilter::default() };
        if let Some(memory) = self.core.memory_if_made()?
            && memory.receipts(&newest)?.iter().any(|receipt| receipt.at >= before.began)
        {
            return Ok(None);
        }
        let actor = Author::owner(person).actor();
        Ok(self.writer()?.record(name, before.content.as_ref(), actor)?)
    }
}
