//! Models whose answers are known: one that states every labelled fact, and one that states every lure as well.

use inwit_model::{CompleteError, Completer, Completion, Question};
use serde_json::json;

use super::data::{Label, Session};

/// A scripted model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// States the labelled facts.
    Good,
    /// States the labelled facts and the lures.
    Careless,
}

impl Script {
    /// Its name in a report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Careless => "careless",
        }
    }

    /// The model for one conversation.
    pub fn model_of(self, session: &Session) -> Box<dyn Completer> {
        let lures = session.lures.iter().filter(|_| self == Self::Careless);
        let fact = |label: &Label| {
            json!({
                "text": label.text, "category": label.category, "turn": label.turn, "quote": label.quote,
            })
        };
        let facts: Vec<_> = session.facts.iter().chain(lures).map(fact).collect();
        Box::new(Scripted(json!({ "facts": facts, "summary": "", "open_loops": [] }).to_string()))
    }
}

/// A model with one answer.
struct Scripted(String);

impl Completer for Scripted {
    fn model(&self) -> &str {
        "scripted"
    }

    fn complete(&self, _question: &Question<'_>) -> Result<Completion, CompleteError> {
        Ok(Completion { text: self.0.clone(), is_cut: false, usage: None })
    }
}
