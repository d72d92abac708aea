//! The prompt of an agent: blocks from its files, in the profile's order, for one listener.
//!
//! The prefix is the same bytes as long as the files are (D4, I6): no clock, no map order, no chance
//! in it. What moves stands in the tail. Every block says where it comes from and how much of it is
//! shown; everything left out is named with its reason. Invariant: blocks and omissions of a scope
//! depend on the files of that scope alone.
//! Reading order: [`block`], [`assemble`], [`fit`](crate::core::fit) (budgets and marks), [`journals`], `startup` (logs at the head of a new session), [`skills`], [`facts`],
//! [`recalled`] (what a question brings).

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
    /// For whom.
    pub scope: Scope,
    /// The profile that ordered it.
    pub profile: String,
    /// Its blocks in order: prefix, then what goes before the user's message, then the tail.
    pub blocks: Vec<Block>,
    /// What was left out, in the order in which it would have stood.
    pub omitted: Vec<Omission>,
    /// From whom the least trusted text in it comes: what a session that begins with it is trusted (D9).
    pub taint: Taint,
    /// Whether a session keeps this prefix or reads it anew each turn (X28).
    pub snapshot: Snapshot,
    /// Characters that the blocks of files may take together.
    pub budget_chars: usize,
    /// Tokens the prompt should stay below, 0 for no such aim (R69).
    pub token_budget: usize,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// Between two blocks.
pub const BLOCK_JOINT: &str = "\n\n";

impl Prompt {
    /// The text of one part: its blocks with an empty line between them.
    pub fn text(&self, part: Part) -> ModelText {
        let blocks = self.blocks.iter().filter(|block| block.part == part);
        ModelText::joined(&blocks.map(|block| &block.text).collect::<Vec<_>>(), BLOCK_JOINT)
    }

    /// All parts, one behind the other.
    pub fn whole(&self) -> ModelText {
        let parts = [Part::Prefix, Part::UserPrefix, Part::Tail].map(|part| self.text(part));
        let parts: Vec<ModelText> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        ModelText::joined(&parts, BLOCK_JOINT)
    }

    /// The hash of the prefix: what a session freezes and a cache keeps.
    pub fn prefix_sha256(&self) -> Sha256 {
        Sha256::of(self.text(Part::Prefix).as_bytes())
    }

    /// Takes away what only a new session begins with.
    pub(crate) fn without_startup_notes(&mut self) {
        self.blocks.retain(|block| !block.is_startup_note());
    }

    /// The block of `kind`, if it is there.
    pub fn block(&self, kind: BlockKind) -> Option<&Block> {
        self.blocks.iter().find(|block| block.kind == Some(kind))
    }
}

impl Sessions {
    /// Assembles the prompt for `scope` from the files as they are now. A file that cannot be read is
    /// named among the omissions; the prompt still comes (D5). Error: `workspace_unreadable`.
    pub fn prompt(&self, scope: &Scope) -> Result<Prompt, EngineError> {
        self.prompt_of_facts(scope, None, self.facts_at)
    }

    /// The same with the facts that hold and were believed at the moments of `facts`, whatever those of the files, and
    /// with what the notes have about `question`. Errors: those of [`prompt`](Self::prompt), `query_bad`.
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
