//! The log engine: a scripted model reads daily logs, and what it keeps goes to MEMORY.md.

mod crashes;
mod gates;
mod injection;
mod ledger;
mod seed_program;

use std::sync::{Arc, Mutex};

use inwit_engine::learning::dreaming::LogsAsk;
use inwit_model::{CompleteError, Completer, Completion, Question};

use super::*;

pub const NOTHING: &str = "NOTHING_TO_PROMOTE";

type Answers = dyn FnMut(&str) -> Result<String, CompleteError> + Send;

/// A model that answers as a closure does and records its questions.
#[derive(Clone)]
pub struct Model {
    answers: Arc<Mutex<Answers>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Model {
    pub fn answering(answers: impl FnMut(&str) -> Result<String, CompleteError> + Send + 'static) -> Self {
        Self { answers: Arc::new(Mutex::new(answers)), asked: Arc::default() }
    }

    /// The same answer to every question.
    pub fn saying(answer: &str) -> Self {
        let answer = answer.to_owned();
        Self::answering(move |_| Ok(answer.clone()))
    }

    pub fn failing(code: inwit_model::Code) -> Self {
        Self::answering(move |_| Err(CompleteError { code, message: "The scripted model failed.".into() }))
    }

    /// The data of its questions.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }
}

impl Completer for Model {
    fn model(&self) -> &str {
        "scripted"
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        self.asked.lock().expect("no panic").push(question.text.to_owned());
        let text = (self.answers.lock().expect("no panic"))(question.text)?;
        Ok(Completion { text, is_cut: false, usage: None })
    }
}

/// One pass, a minute before the next.
pub fn dream_logs(world: &World, model: &Model) -> DreamReport {
    let report = try_dream(&world.agent, model).expect("a pass");
    world.clock.pass(SignedDuration::from_mins(1));
    report
}

pub fn try_dream(agent: &Agent, model: &Model) -> Result<DreamReport, inwit_engine::EngineError> {
    let open = || Ok(Box::new(model.clone()) as Box<dyn Completer>);
    agent.learning.dream_logs(&LogsAsk { model: &open, ..crate::world::logs_ask() })
}

/// A shelf with these logs, each written at its time, and MEMORY.md.
pub fn shelf_of(logs: &[(&str, &str, &str)]) -> Shelf {
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", MEMORY);
    for (name, text, at) in logs {
        shelf.write_at(name, text, at);
    }
    shelf
}

pub fn state_of(world: &World) -> serde_json::Value {
    let bytes = world.shelf.read_state(StateFile::Dreamed).expect("read").unwrap_or_else(|| b"{}".to_vec());
    serde_json::from_slice(&bytes).expect("JSON")
}

/// The dreamed sections of MEMORY.md.
pub fn added(world: &World) -> String {
    let memory = world.text("MEMORY.md");
    memory
        .strip_prefix(MEMORY)
        .unwrap_or_else(|| panic!("what stood there is unchanged: {memory}"))
        .to_owned()
}

pub fn outcome_of<'r>(report: &'r DreamReport, path: &str) -> Vec<&'r str> {
    report.judged.iter().filter(|judged| judged.path.as_str() == path).map(|judged| judged.outcome).collect()
}
