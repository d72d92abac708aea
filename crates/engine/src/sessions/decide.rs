//! A decision, and what it rests on: where nobody says, the methods that the prompt showed.

use inwit_model::Scope;
use inwit_model::profile::BlockKind;

use crate::learning::outcome::{Decided, Learnt, METHODS_HEAD, Method, NewDecision, method_line};
use crate::{EngineError, Sessions, WriteContext};

impl Sessions {
    /// Keeps a decision that waits for its outcome. Errors: `learning_unknown` for a method or a role that is not
    /// there, and what the gate refuses.
    pub fn decide(
        &self,
        decision: &NewDecision<'_>,
        behalf: &WriteContext,
    ) -> Result<Learnt<Decided>, EngineError> {
        let methods = match decision.methods {
            Some(named) => named
                .iter()
                .map(|(part, weight)| Ok((self.learning.method(part)?.id, *weight)))
                .collect::<Result<Vec<_>, EngineError>>()?,
            None => self.methods_shown()?.into_iter().map(|method| (method.id, 1.0)).collect(),
        };
        self.learning.decide(decision, methods, behalf)
    }

    /// The methods that a private prompt shows.
    fn methods_shown(&self) -> Result<Vec<Method>, EngineError> {
        let mut methods = self.learning.graduated_methods()?;
        if methods.is_empty() {
            return Ok(methods);
        }
        // A prompt has room for so many characters, and no decision rests on what nobody saw.
        let prompt = self.prompt(&Scope::Main)?;
        let shown = prompt.block(BlockKind::Facts).map_or("", |block| block.text.as_str());
        let (_, shown) = shown.split_once(&format!("\n## {METHODS_HEAD}\n")).unwrap_or_default();
        let named = self.core.named_loaded(&Scope::Main);
        methods.retain(|method| shown.contains(method_line(method, &named).0.as_str()));
        Ok(methods)
    }
}
