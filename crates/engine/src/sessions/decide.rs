//! Records decisions; by default they are based on the methods in the prompt.

use inwit_model::Scope;
use inwit_model::profile::BlockKind;

use crate::learning::outcome::{Decided, Learnt, METHODS_HEAD, Method, NewDecision, method_line};
use crate::{EngineError, Sessions, WriteContext};

impl Sessions {
    /// Records a decision. Errors: `learning_unknown` for a missing method or role, and refusals of the gate.
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

    /// The methods in a private prompt.
    fn methods_shown(&self) -> Result<Vec<Method>, EngineError> {
        let mut methods = self.learning.graduated_methods()?;
        if methods.is_empty() {
            return Ok(methods);
        }
        // A prompt has limited room, and a decision is only based on methods that were shown.
        let prompt = self.prompt(&Scope::Main)?;
        let shown = prompt.block(BlockKind::Facts).map_or("", |block| block.text.as_str());
        let (_, shown) = shown.split_once(&format!("\n## {METHODS_HEAD}\n")).unwrap_or_default();
        let named = self.core.named_loaded(&Scope::Main);
        methods.retain(|method| shown.contains(method_line(method, &named).0.as_str()));
        Ok(methods)
    }
}
