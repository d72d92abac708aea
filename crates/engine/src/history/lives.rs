//! Lifetimes of passages up to what waits: those that are kept, and behind them the steps of one reader.
//!
//! What waits is no commit yet, so nothing of it is kept. Invariant: a life is told in steps of the reader's own course,
//! whatever other processes have added to what is kept.

use inwit_model::SafeName;
use inwit_store::{IndexError, Life, Lifetimes, NewStep, PassageMark};
use inwit_workspace::History as Repository;

use crate::EngineError;
use crate::history::lifetimes::grown;

/// See the module.
pub(crate) struct Lives {
    kept: Box<dyn Lifetimes>,
    recorded: Option<Repository>,
    /// Steps that are kept, as this reader knows them.
    base: usize,
    waiting: Vec<NewStep>,
}

impl Lives {
    /// What is `kept` of the `recorded` history for the first `base` steps, and those that wait behind them.
    pub fn new(
        kept: Box<dyn Lifetimes>,
        recorded: Option<Repository>,
        base: usize,
        waiting: Vec<NewStep>,
    ) -> Self {
        Self { kept, recorded, base, waiting }
    }

    /// The lives of a passage in a file, oldest first.
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

    /// Builds what is kept anew.
    pub fn mend(&mut self) -> Result<(), EngineError> {
        self.kept.clear()?;
        grown(self.kept.as_mut(), self.recorded.as_ref()).map(|_| ())
    }
}
