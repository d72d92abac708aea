//! A judge with scripted answers that records its questions.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use inwit_model::{Code, CompleteError, Completer, Completion, Question};

/// Answers in the order given by a test; after the last one it fails, as a provider may.
#[derive(Debug, Default)]
pub struct ScriptedJudge {
    answers: Mutex<VecDeque<String>>,
    asked: Mutex<Vec<(String, String)>>,
}

impl ScriptedJudge {
    /// A judge with these answers.
    pub fn saying(answers: &[&str]) -> Self {
        let answers = answers.iter().map(|answer| (*answer).to_owned()).collect();
        Self { answers: Mutex::new(answers), asked: Mutex::default() }
    }

    /// The questions it received: rules and text of each.
    pub fn asked(&self) -> Vec<(String, String)> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Completer for ScriptedJudge {
    fn model(&self) -> &str {
        "scripted"
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        let asked = (question.rules.to_owned(), question.text.to_owned());
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
        let answer = self.answers.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let answer = answer.map(|text| Completion { text, is_cut: false, usage: None });
        answer.ok_or_else(|| CompleteError {
            code: Code::ModelUnanswered,
            message: "The scripted judge is out of order.".into(),
        })
    }
}
