//! Lifetimes of passages including waiting receipts: stored lifetimes, and one reader's steps after them.
//!
//! Waiting receipts are not commits yet, so nothing of them is stored. Invariant: a lifetime uses the reader's own
//! steps, whatever other processes added to the store.

use inwit_model::SafeName;
use inwit_store::{IndexError, Life, Lifetimes, NewStep, PassageMark};
use inwit_workspace::History as Repository;

use crate::EngineError;
use crate::history::lifetimes::grown;

/// See the module documentation.
pub(crate) struct Lives {
    kept: Box<dyn Lifetimes>,
    recorded: Option<Repository>,
    /// Number of stored steps that this reader uses.
    base: usize,
    waiting: Vec<NewStep>,
}

impl Lives {
    /// The lifetimes `kept` for the first `base` steps of the `recorded` history, and the waiting steps after them.
    pub fn new(
        kept: Box<dyn Lifetimes>,
        recorded: Option<Repository>,
        base: usize,
        waiting: Vec<NewStep>,
    ) -> Self {
        Self { kept, recorded, base, waiting }
    }

    /// The lifetimes of a passage in a file, oldest first.
    pub fn of(&mut self, name: &SafeName, passage: PassageMark) -> Result<Vec<Life>, IndexError> {
        let mut lives = self.kept.lives(name, passage)?;
        lives.retain(|life| life.from < self.base);
        lives.iter_mut().for_each(|life| life.until = life.until.filter(|until| *until < self.base));
        for (at, new) in (self.base..).zip(&self.waiting) {
            let left =
                new.step.files.iter().zip(&new.passages).filter(|(standing, _)| standing.name == *name);
            for (_, passages) in left {
                let has = passages.contains(&passage);
                match lives.last_mut().filter(|life| life.until.is_none()) {
                    Some(life) if !has => life.until = Some(at),
                    None if has => lives.push(Life { from: at, until: None }),
                    _ => {}
                }
            }
        }
        Ok(lives)
    }

    /// Rebuilds the stored lifetimes.
    pub fn mend(&mut self) -> Result<(), EngineError> {
        self.kept.clear()?;
        grown(self.kept.as_mut(), self.recorded.as_ref()).map(|_| ())
    }
}
