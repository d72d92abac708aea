//! The rules that no compiler and no other tool keeps, one file each.
//!
//! A rule reads the [`Tree`] and answers with findings; it never changes anything. To add one, add a
//! file and a row to [`RULES`]. Every rule has a test that plants what it forbids.

mod answers;
mod areas;
mod book;
mod callers;
mod claims;
mod commands;
mod dependencies;
mod excerpts;
mod forgotten;
mod headers;
mod hosts;
mod layers;
mod leftovers;
mod length;
mod model_text;
mod nouns;
mod pages;
mod wording;

use std::path::Path;

use crate::tree::Tree;
use crate::ui;

/// Something a rule does not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, and the line where there is one: `path` or `path:12`.
    pub at: String,
    /// What is wrong and what to do, as a sentence.
    pub says: String,
}

impl Finding {
    /// In a file as a whole.
    pub fn file(path: &str, says: impl Into<String>) -> Self {
        Self { at: path.to_owned(), says: says.into() }
    }

    /// On one line, counted from 1.
    pub fn line(path: &str, line: usize, says: impl Into<String>) -> Self {
        Self { at: format!("{path}:{line}"), says: says.into() }
    }
}

/// A rule: its name, what it keeps, and the check. The error is that it could not be held.
pub struct Rule {
    /// Its name, as it stands before each finding.
    pub name: &'static str,
    /// What holds where it finds nothing.
    pub keeps: &'static str,
    check: fn(&Tree) -> Result<Vec<Finding>, String>,
}

/// Every rule.
pub const RULES: &[Rule] = &[
    Rule {
        name: "layers",
        keeps: "a crate depends on what stands on its row, no more",
        check: layers::check,
    },
    Rule {
        name: "areas",
        keeps: "an area of the engine knows those before it, no more",
        check: areas::check,
    },
    Rule {
        name: "dependencies",
        keeps: "every dependency has its reason written down",
        check: dependencies::check,
    },
    Rule { name: "headers", keeps: "a source begins by saying why it exists", check: headers::check },
    Rule {
        name: "leftovers",
        keeps: "nothing half-made, skipped or printed for debugging",
        check: leftovers::check,
    },
    Rule { name: "forgotten", keeps: "every source is part of a crate", check: forgotten::check },
    Rule {
        name: "claims",
        keeps: "a test proves at most four requirements, all known",
        check: claims::check,
    },
    Rule {
        name: "answers",
        keeps: "an answer to the outside has its shape in `wire`, in camelCase, and is not made by hand",
        check: answers::check,
    },
    Rule {
        name: "model_text",
        keeps: "words of files reach a model as what the mask alone makes",
        check: model_text::check,
    },
    Rule {
        name: "commands",
        keeps: "outside of the CLI no sentence names a command",
        check: commands::check,
    },
    Rule { name: "callers", keeps: "a public function has a caller outside of tests", check: callers::check },
    Rule { name: "nouns", keeps: "a public noun of the model has its word", check: nouns::check },
    Rule { name: "hosts", keeps: "no path of a machine, no private host", check: hosts::check },
    Rule { name: "excerpts", keeps: "an example stands in the source it shows", check: excerpts::check },
    Rule { name: "pages", keeps: "generated pages say what the tables say", check: pages::check },
    Rule { name: "wording", keeps: "sentences use the standard words of the field", check: wording::check },
    Rule { name: "book", keeps: "every page is in the table of contents of the book", check: book::check },
];

/// Holds every rule against the repository at `root`; true where nothing was found.
pub fn run(root: &Path) -> Result<bool, String> {
    let tree = Tree::read(root)?;
    let mut found = 0;
    for rule in RULES {
        let findings = (rule.check)(&tree).map_err(|why| format!("rule {}: {why}", rule.name))?;
        for finding in &findings {
            ui::line(&format!("{}: {}: {}", finding.at, rule.name, finding.says));
        }
        if !findings.is_empty() {
            ui::line(&format!("hint: {} keeps that {}.", rule.name, rule.keeps));
        }
        found += findings.len();
    }
    ui::line(&length::of(&tree).to_string());
    if found > 0 {
        ui::line(&format!("tidy: {found} finding(s)."));
    }
    Ok(found == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_named_once() {
        for (at, rule) in RULES.iter().enumerate() {
            assert!(RULES[at + 1..].iter().all(|other| other.name != rule.name), "{}", rule.name);
        }
    }
}
