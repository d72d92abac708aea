//! The result of one step of a story, and its display when a claim fails.

use std::fmt;

use inwit_engine::{Answer, EngineError, Prompt};

/// The result of a step.
pub struct Told {
    /// The step in words.
    deed: String,
    /// Its result.
    pub(super) outcome: Outcome,
    claims: usize,
}

/// One variant per operation that stories use.
pub enum Outcome {
    /// Of `search`.
    Answer(Box<Answer>),
    /// Of `prompt`.
    Prompt(Box<Prompt>),
    /// Of any operation.
    Failed(EngineError),
}

impl Told {
    pub(super) fn search(deed: String, outcome: Result<Answer, EngineError>) -> Self {
        let outcome = match outcome {
            Ok(answer) => Outcome::Answer(Box::new(answer)),
            Err(error) => Outcome::Failed(error),
        };
        Self { deed, outcome, claims: 0 }
    }

    pub(super) fn prompt(deed: String, outcome: Result<Prompt, EngineError>) -> Self {
        let outcome = match outcome {
            Ok(prompt) => Outcome::Prompt(Box::new(prompt)),
            Err(error) => Outcome::Failed(error),
        };
        Self { deed, outcome, claims: 0 }
    }

    pub(super) fn claimed(&mut self) {
        self.claims += 1;
    }

    #[track_caller]
    pub(super) fn settle(&self) {
        assert!(self.claims > 0, "nothing is claimed of the {}", self.deed);
    }

    /// The answer of a successful search.
    #[track_caller]
    pub(super) fn answer(&self) -> &Answer {
        match &self.outcome {
            Outcome::Answer(answer) => answer,
            Outcome::Prompt(_) => panic!("the {} is no search", self.deed),
            Outcome::Failed(error) => panic!("the {} failed: {error}", self.deed),
        }
    }

    /// The assembled prompt.
    #[track_caller]
    pub(super) fn assembled(&self) -> &Prompt {
        match &self.outcome {
            Outcome::Prompt(prompt) => prompt,
            Outcome::Answer(_) => panic!("the {} is no prompt", self.deed),
            Outcome::Failed(error) => panic!("the {} failed: {error}", self.deed),
        }
    }

    /// All text that a reader sees, in lower case.
    pub(super) fn seen(&self) -> String {
        format!("{self}").to_lowercase()
    }
}

impl fmt::Display for Told {
    /// Without the operation's own words, which may repeat the hidden text.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Outcome::Failed(error) => writeln!(out, "failed with {}: {error}", error.code.spec().name),
            Outcome::Prompt(prompt) => {
                for block in &prompt.blocks {
                    let (shown, total) = (block.shown_chars, block.total_chars);
                    writeln!(out, "── {} {shown}/{total}\n{}", block.part.word(), block.text)?;
                }
                for left in &prompt.omitted {
                    let source = left.source.as_ref().map_or("", |name| name.as_str());
                    writeln!(out, "left out: {} {source} ({})", left.kind, left.reason.word())?;
                }
                prompt.notices.iter().try_for_each(|notice| writeln!(out, "notice {}", notice.code))
            }
            Outcome::Answer(answer) => {
                writeln!(out, "{} hit(s), nothing near: {}", answer.hits.len(), answer.nothing_near)?;
                for hit in &answer.hits {
                    let (first, last) = (hit.first_line, hit.last_line);
                    writeln!(out, "  {}#L{first}-L{last} [{}] {:?}", hit.name, hit.heading, hit.text)?;
                }
                answer.notices.iter().try_for_each(|notice| {
                    let hint = notice.hint.words().unwrap_or_default();
                    writeln!(out, "  notice {}: {} {hint}", notice.code, notice.message)
                })?;
                answer.labels.iter().try_for_each(|label| writeln!(out, "  label {label}"))
            }
        }
    }
}
