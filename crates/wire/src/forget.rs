//! Erasure: occurrences, their fate, and what remains.

use inwit_engine::forget::{Occurrence, Quotation};

use crate::shape::shape;
use crate::{HintV1, NoticeV1};

shape! {
    /// An erasure, planned or carried out.
    #[derive(Default)]
    pub struct ForgetV1 {
        /// Whether it was done.
        pub applied: bool,
        /// Where the words stand.
        pub places: Vec<StandV1>,
        /// Whether what SQLite keeps beside its files was emptied too; only of what was done.
        pub log_emptied?: Option<bool>,
        /// What was found afterwards.
        pub look?: Option<LookV1>,
        /// What a fact said that is too short to be looked for.
        pub too_short?: Vec<TooShortV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// What a fact said that is too short to be looked for: it goes with the fact, and stands elsewhere where it does.
    pub struct TooShortV1 {
        /// Which version, from 1, oldest first.
        pub version: usize,
        /// What it says; only a plan says it.
        pub text?: Option<String>,
    }

    /// A place where the words stand.
    pub struct StandV1 by
    /// Translates a place; `quotes`: with the text that is found there, which an erasure that was carried out does not repeat.
    pub fn new(stand: &Occurrence, quotes: bool, hint: Option<HintV1>) {
        /// What kind of place.
        pub kind: &'static str = stand.kind,
        /// Which.
        pub name: String = stand.name.clone(),
        /// How often.
        pub count: u64 = stand.count,
        /// What becomes of it, one word.
        pub fate: &'static str = stand.fate.word(),
        /// What stands there; only a plan says it.
        pub shows?: Vec<ShownV1> = stand.shows.iter().filter(|_| quotes).map(ShownV1::from).collect(),
        /// What a person can do about it.
        pub hint?: Option<HintV1> = hint,
    }

    /// A quotation of an occurrence.
    pub struct ShownV1 from quoted: &Quotation {
        /// Its line, from 1, where it has one.
        pub line?: Option<u64> = quoted.line,
        /// The line.
        pub text: String = quoted.text.clone(),
    }

    /// What a look through everything found.
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
        pub spellings?: Vec<String>,
        /// Homes of other agents that hold the words, and in which nothing is erased.
        pub others?: Vec<WhereV1>,
    }

    /// A place of a look.
    pub struct WhereV1 {
        /// The file.
        pub path: String,
        /// How the words occur there, or why that is unknown.
        pub how: String,
    }
}

impl LookV1 {
    /// The words stand nowhere, and everything was looked into.
    pub fn is_clean(&self) -> bool {
        self.stands.is_empty() && self.missed.is_empty()
    }
}
