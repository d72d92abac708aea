//! A reranker that a test can read: the score of a passage is how often it has a word.
//!
//! Invariant: equal texts, equal scores.

use std::sync::Mutex;

use inwit_model::{Code, EmbedError, Reranker};

/// See the module.
#[derive(Default)]
pub struct FakeReranker {
    wanted: String,
    fails: Mutex<bool>,
    calls: Mutex<Vec<Vec<String>>>,
}

impl FakeReranker {
    /// Prefers passages with `wanted`.
    pub fn of(wanted: &str) -> Self {
        Self { wanted: wanted.to_owned(), ..Self::default() }
    }

    /// From now on every call fails.
    pub fn fail(&self) {
        *self.fails.lock().expect("no panic") = true;
    }

    /// The passages of each call.
    pub fn calls(&self) -> Vec<Vec<String>> {
        self.calls.lock().expect("no panic").clone()
    }
}

impl Reranker for FakeReranker {
    fn model(&self) -> &str {
        "fake"
    }

    fn look(&self) -> Result<(), EmbedError> {
        match *self.fails.lock().expect("no panic") {
            true => {
                let message = "The model in /home/ana/reranker is gone.".to_owned();
                Err(EmbedError { code: Code::ModelMissing, message })
            }
            false => Ok(()),
        }
    }

    fn scores(&self, _query: &str, passages: &[&str]) -> Result<Vec<f32>, EmbedError> {
        self.look()?;
        let passages: Vec<String> = passages.iter().map(|passage| (*passage).to_owned()).collect();
        let score = |passage: &String| passage.matches(&self.wanted).count() as f32;
        let scores = passages.iter().map(score).collect();
        self.calls.lock().expect("no panic").push(passages);
        Ok(scores)
    }
}
