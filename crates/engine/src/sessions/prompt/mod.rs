//! The prompt of an agent: blocks from its files, in the profile's order, for one scope.
//!
//! The prefix has the same bytes while the files are unchanged (D4, I6): no clock, map order or randomness. What
//! changes is in the tail. Every block states its source and how much of it is shown; every omission has a reason.
//! Invariant: blocks and omissions of a scope depend on the files of that scope alone. Reading order: [`block`],
//! [`assemble`], [`fit`](crate::core::fit) (budgets and marks), [`journals`], `startup` (logs for a new session),
//! [`skills`], [`facts`], [`recalled`] (passages for a question).

pub mod assemble;
pub mod block;
mod draft;
pub mod facts;
pub mod fence;
mod host;
pub mod journals;
pub mod recalled;
pub mod skills;
mod startup;
pub mod tokens;
mod told;

use inwit_model::fact::When;
use inwit_model::profile::{BlockKind, Snapshot};
use inwit_model::{Scope, Sha256, Taint};

pub(crate) use draft::readable_text;

pub use block::{Block, Omission, Part, Reason};

use crate::{EngineError, ModelText, Notice, Sessions};

/// An assembled prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Its scope.
    pub scope: Scope,
    /// The profile that orders it.
    pub profile: String,
    /// Its blocks in order: prefix, before the user's message, tail.
    pub blocks: Vec<Block>,
    /// Omissions, in block order.
    pub omitted: Vec<Omission>,
    /// The least trusted taint in it, which a session with it starts with (D9).
    pub taint: Taint,
    /// Whether a session keeps this prefix or rebuilds it each turn (X28).
    pub snapshot: Snapshot,
    /// Budget of all file blocks, in characters.
    pub budget_chars: usize,
    /// Token target, 0 for none (R69).
    pub token_budget: usize,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// Separator of two blocks.
pub const BLOCK_JOINT: &str = "\n\n";

impl Prompt {
    /// The text of one part: its blocks with an empty line between them.
    pub fn text(&self, part: Part) -> ModelText {
        let blocks = self.blocks.iter().filter(|block| block.part == part);
        ModelText::joined(&blocks.map(|block| &block.text).collect::<Vec<_>>(), BLOCK_JOINT)
    }

    /// All parts, concatenated.
    pub fn whole(&self) -> ModelText {
        let parts = [Part::Prefix, Part::UserPrefix, Part::Tail].map(|part| self.text(part));
        let parts: Vec<ModelText> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        ModelText::joined(&parts, BLOCK_JOINT)
    }

    /// Sha256 of the prefix, which sessions freeze and caches use as key.
    pub fn prefix_sha256(&self) -> Sha256 {
        Sha256::of(self.text(Part::Prefix).as_bytes())
    }

    /// Removes the startup notes, which only a new session has.
    pub(crate) fn without_startup_notes(&mut self) {
        self.blocks.retain(|block| !block.is_startup_note());
    }

    /// The block of `kind`, if it is there.
    pub fn block(&self, kind: BlockKind) -> Option<&Block> {
        self.blocks.iter().find(|block| block.kind == Some(kind))
    }
}

impl Sessions {
    /// Builds the prompt for `scope` from the current files. An unreadable file is an omission; the prompt is built
    /// anyway (D5). Error: `workspace_unreadable`.
    pub fn prompt(&self, scope: &Scope) -> Result<Prompt, EngineError> {
        self.prompt_of_facts(scope, None, self.facts_at)
    }

    /// The same with facts at the times of `facts`, independent of the files, and with results for `question`.
    /// Errors: those of [`prompt`](Self::prompt), `query_bad`.
    pub fn prompt_of_facts(
        &self,
        scope: &Scope,
        question: Option<&str>,
        facts: When,
    ) -> Result<Prompt, EngineError> {
        let mut prompt = assemble::assemble(self, scope, facts)?;
        if let Some(question) = question {
            let texts: Vec<&str> = prompt.blocks.iter().map(|block| block.text.as_str()).collect();
            let recalled = self.recalled_for(scope, question, &texts)?;
            prompt.add(recalled);
        }
        Ok(prompt)
    }
}
