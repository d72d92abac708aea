//! Words that are taken out of everything: where they stand, what becomes of each place, what is left.

use inwit_engine::forget::{Occurrence, Quotation};
use serde::Serialize;

use crate::{HintV1, NoticeV1};

/// An erasure, planned or carried out.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForgetV1 {
    /// Whether it was done.
    pub applied: bool,
    /// Where the words stand.
    pub places: Vec<StandV1>,
    /// Whether what SQLite keeps beside its files was emptied too; only of what was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_emptied: Option<bool>,
    /// What was found afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<LookV1>,
    /// What a fact said that is too short to be looked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub too_short: Vec<TooShortV1>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// What a fact said that is too short to be looked for: it goes with the fact, and stands elsewhere where it does.
#[derive(Debug, Clone, Serialize)]
pub struct TooShortV1 {
    /// Which version, from 1, oldest first.
    pub version: usize,
    /// What it says; only a plan says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A place where the words stand.
#[derive(Debug, Clone, Serialize)]
pub struct StandV1 {
    /// What kind of place.
    pub kind: &'static str,
    /// Which.
    pub name: String,
    /// How often.
    pub count: u64,
    /// What becomes of it, one word.
    pub fate: &'static str,
    /// What stands there; only a plan says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shows: Vec<ShownV1>,
    /// What a person can do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<HintV1>,
}

/// What stands in a place.
#[derive(Debug, Clone, Serialize)]
pub struct ShownV1 {
    /// Its line, from 1, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The line.
    pub text: String,
}

/// What a look through everything found.
#[derive(Debug, Clone, Serialize)]
pub struct LookV1 {
    /// Files that were looked into.
    pub files: usize,
    /// Objects of the history that were looked into.
    pub objects: usize,
    /// Where the words stand.
    pub stands: Vec<WhereV1>,
    /// What could not be looked into.
    pub missed: Vec<WhereV1>,
    /// Other ways of writing them that were looked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spellings: Vec<String>,
}

/// A place of a look.
#[derive(Debug, Clone, Serialize)]
pub struct WhereV1 {
    /// The file.
    pub path: String,
    /// How the words occur there, or why that is unknown.
    pub how: String,
}

impl StandV1 {
    /// Translates a place; `quotes`: with the text that is found there, which an erasure that was carried out does not repeat.
    pub fn new(stand: &Occurrence, quotes: bool, hint: Option<HintV1>) -> Self {
        let shown = |quoted: &Quotation| ShownV1 { line: quoted.line, text: quoted.text.clone() };
        Self {
            kind: stand.kind,
            name: stand.name.clone(),
            count: stand.count,
            fate: stand.fate.word(),
            shows: stand.shows.iter().filter(|_| quotes).map(shown).collect(),
            hint,
        }
    }
}

impl LookV1 {
    /// The words stand nowhere, and everything was looked into.
    pub fn is_clean(&self) -> bool {
        self.stands.is_empty() && self.missed.is_empty()
    }
}
