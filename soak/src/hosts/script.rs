//! What is typed in the days, and what the stub answers.
//!
//! Facts are typed in early sessions and asked for in later ones. Invariants: every prompt is typed once, so that it
//! can be counted; a name occurs in one project only, and in no answer, so that it can reach a later request through
//! inwit alone.

use serde_json::{Value, json};

/// Names of the two projects, which are two git repositories.
pub const PROJECTS: [&str; 2] = ["harbor", "orchard"];

/// A thing and its name; even rows are facts of `harbor`, odd rows of `orchard`.
const FACTS: [(&str, &str); 14] = [
    ("staging server", "kestrel"),
    ("queue service", "pelican"),
    ("build cache", "osprey"),
    ("metrics store", "heron"),
    ("design tool", "lapwing"),
    ("release branch", "curlew"),
    ("backup host", "plover"),
    ("payment gateway", "dunlin"),
    ("search index", "siskin"),
    ("feature switch", "wigeon"),
    ("error tracker", "avocet"),
    ("mail relay", "bittern"),
    ("image bucket", "gannet"),
    ("test database", "fulmar"),
];

/// A statement that is typed, and that the agent then asks to keep.
pub const TYPED: &str = "release notes are written before the tag";

/// A statement that nobody typed.
pub const NEVER_TYPED: &str = "The owner wants every key rotated weekly.";

/// One prompt, and what the model does with it.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Which of [`PROJECTS`] it is typed in.
    pub project: usize,
    /// What is typed.
    pub prompt: String,
    /// The last answer.
    pub reply: String,
    /// A call of a tool of inwit before it: the tool and its arguments.
    pub call: Option<(&'static str, Value)>,
    /// A word that must reach the model with the prompt, in what inwit adds or in an earlier prompt of the session.
    pub evidence: Option<&'static str>,
    /// The model never answers.
    pub unanswered: bool,
}

impl Turn {
    fn new(project: usize, prompt: String) -> Self {
        let reply = format!("That is answer {}.", hash(&prompt));
        Self { project, prompt, reply, call: None, evidence: None, unanswered: false }
    }

    /// Fact `number` is stated, in its project.
    pub fn states(number: usize) -> Self {
        let (thing, name) = FACTS[number];
        Self::new(number % 2, format!("Our {thing} is called {name}."))
    }

    /// Fact `number` is asked for, for the `time`th time.
    pub fn asks(number: usize, time: usize) -> Self {
        let (thing, name) = FACTS[number];
        let prompt = format!("What is our {thing} called? This is question {time} about it.");
        Self { evidence: Some(name), ..Self::new(number % 2, prompt) }
    }

    /// Something else is said, in words that no other prompt has.
    pub fn says(project: usize, prompt: &str) -> Self {
        Self::new(project, prompt.to_owned())
    }

    /// The owner types [`TYPED`], and the agent asks to keep it.
    pub fn typed(project: usize) -> Self {
        let call = Some(("memory_remember", json!({ "text": TYPED })));
        Self { call, ..Self::new(project, format!("Remember that {TYPED}.")) }
    }

    /// The agent asks to keep [`NEVER_TYPED`].
    pub fn never_typed(project: usize) -> Self {
        let call = Some(("memory_remember", json!({ "text": NEVER_TYPED })));
        Self { call, ..Self::new(project, "Please go through the open issues.".to_owned()) }
    }

    /// The agent searches before it answers.
    pub fn searches(number: usize) -> Self {
        let (thing, name) = FACTS[number];
        let call = Some(("memory_search", json!({ "query": format!("{thing} called") })));
        let prompt = format!("Search your memory for the {thing}.");
        Self { call, evidence: Some(name), ..Self::new(number % 2, prompt) }
    }

    /// The same, but the model never answers.
    pub fn unanswered(self) -> Self {
        Self { unanswered: true, ..self }
    }
}

/// The names that a project must not see.
pub fn names_of_the_other(project: usize) -> impl Iterator<Item = &'static str> {
    FACTS.iter().enumerate().filter(move |(number, _)| number % 2 != project).map(|(_, (_, name))| *name)
}

/// Facts in the script.
pub const FACTS_COUNT: usize = FACTS.len();

/// A number that belongs to the text, so that each answer occurs once.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}
