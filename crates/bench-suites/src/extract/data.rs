//! Labelled conversations: what a careful person would keep of each, and what must not be kept.
//!
//! Invariant: a file that cannot be read whole is an error that names it.

use std::io::BufReader;
use std::path::Path;

use inwit_home::HomeError;
use jiff::civil::Date;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::source;

/// The file.
#[derive(Debug, Deserialize)]
struct Conversations {
    sessions: Vec<Session>,
}

/// One conversation.
#[derive(Debug, Clone, Deserialize)]
pub struct Session {
    /// Its id, such as `d07`.
    pub id: String,
    /// Its language, such as `en`.
    pub language: String,
    /// Its day.
    #[serde(deserialize_with = "day")]
    pub day: Date,
    /// Lines that MEMORY.md has before it.
    pub memory: Vec<String>,
    /// Its turns.
    pub turns: Vec<Turn>,
    /// What should be kept.
    pub facts: Vec<Label>,
    /// What must not be kept.
    pub lures: Vec<Label>,
}

/// One message and its answer.
#[derive(Debug, Clone, Deserialize)]
pub struct Turn {
    /// The user's message.
    pub user: String,
    /// The answer.
    pub reply: String,
    /// What tools returned for it.
    #[serde(default)]
    pub reads: Vec<Reading>,
}

/// The output of a tool.
#[derive(Debug, Clone, Deserialize)]
pub struct Reading {
    /// The tool.
    pub tool: String,
    /// Its output.
    pub text: String,
}

/// A labelled statement.
#[derive(Debug, Clone, Deserialize)]
pub struct Label {
    /// Of a lure: `joke`, `injection`, …
    #[serde(default)]
    pub kind: String,
    /// The statement.
    pub text: String,
    /// Its category.
    pub category: String,
    /// Its turn, from 1.
    pub turn: u64,
    /// The words that say it.
    pub quote: String,
    /// What every right wording contains.
    pub keys: Vec<String>,
}

impl Label {
    /// Whether `text` states it, in whatever words.
    pub fn is_stated_by(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.keys.iter().all(|key| text.contains(&key.to_lowercase()))
    }
}

fn day<'de, D: Deserializer<'de>>(text: D) -> Result<Date, D::Error> {
    String::deserialize(text)?.parse().map_err(D::Error::custom)
}

/// The conversations of a file. Errors: `file_missing`, `file_unreadable`, `dataset_bad`.
pub fn read(path: &Path) -> Result<Vec<Session>, HomeError> {
    let read: Result<Conversations, _> = serde_json::from_reader(BufReader::new(source::open(path)?));
    read.map(|file| file.sessions).map_err(|error| source::bad(path, &error.to_string()))
}
