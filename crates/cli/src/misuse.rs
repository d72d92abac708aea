//! A command line that the parser does not take, as an error with a hint at what was meant.
//!
//! Invariant: only commands that the help shows are suggested.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};
use inwit_model::Code;
use inwit_model::distance::nearest;
use inwit_model::invisible::reveal_line;

use crate::args::{self, Cli};
use crate::error::CliError;

/// Words that other programs use, and the command that does it here.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("search", &["find", "grep", "query", "ask", "lookup"]),
    ("forget", &["delete", "rm", "remove", "erase"]),
    ("remember", &["add", "save", "store", "write", "note"]),
    ("show", &["list", "ls", "cat", "read", "view", "print"]),
    ("edit", &["update", "change", "modify"]),
    ("undo", &["revert", "rollback"]),
    ("status", &["rooms", "info", "files"]),
    ("history log", &["log", "changes"]),
    ("history diff", &["diff"]),
    ("history blame", &["blame"]),
    ("doctor", &["check", "verify", "fix", "repair"]),
    ("init", &["new", "create"]),
    ("setup", &["connect", "install"]),
    ("backup", &["export"]),
    ("agent", &["agents"]),
    ("config", &["set", "settings"]),
];

/// What is wrong with `words`, which lack the program's name.
pub fn told(error: &clap::Error, words: &[OsString]) -> CliError {
    let typed = Typed::of(words);
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(reveal_line(word)),
        _ => None,
    };
    let list = |kind| match error.get(kind) {
        Some(ContextValue::Strings(words)) => words.iter().map(|word| reveal_line(word)).collect(),
        Some(ContextValue::String(word)) => vec![reveal_line(word)],
        _ => Vec::new(),
    };
    let argument = word(ContextKind::InvalidArg).unwrap_or_default();
    // `--limit <N>` is the flag; a positional argument is only a name.
    let name = argument.split_once(" <").map_or(argument.as_str(), |(flag, _)| flag);
    let value = word(ContextKind::InvalidValue).unwrap_or_default();
    let help = format!("Run `{} --help` to see what it takes.", typed.path);
    let (message, hint) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = word(ContextKind::InvalidSubcommand).unwrap_or_default();
            let hint = match suggestion(&word, &typed) {
                Some(meant) => format!("Did you mean `{} {meant}`?", typed.path),
                None if typed.path == PROGRAM => "Run `inwit help` to list the commands.".to_owned(),
                None => help,
            };
            (format!("Unknown command `{word}`."), hint)
        }
        ErrorKind::UnknownArgument if name.starts_with('-') => {
            let near = word(ContextKind::SuggestedArg).map(|near| format!("Did you mean `{near}`? "));
            let literal = error.get(ContextKind::Suggested).filter(|_| near.is_none());
            let literal =
                literal.map_or_else(String::new, |_| format!("Write `-- {name}` to pass it as text. "));
            (format!("Unknown option `{name}`."), format!("{}{literal}{help}", near.unwrap_or_default()))
        }
        ErrorKind::UnknownArgument => (format!("Unexpected argument `{name}`."), help),
        ErrorKind::InvalidValue => {
            let known = list(ContextKind::ValidValue).join(", ");
            match value.is_empty() {
                true => (format!("{name} needs a value."), help),
                false => (format!("`{value}` is not valid for {name}; use one of {known}."), help),
            }
        }
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            let why = reveal_line(why.trim_end_matches('.'));
            match why.starts_with("takes ") {
                true => (format!("{name} {why}, not `{value}`."), help),
                false => (format!("`{value}` is not valid for {name}: {why}."), help),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = list(ContextKind::InvalidArg);
            // The dots of an argument that may be repeated.
            let missing: Vec<&str> = missing.iter().map(|one| one.trim_end_matches("...")).collect();
            let noun = if missing.len() == 1 { "argument" } else { "arguments" };
            (format!("Missing {noun}: {}.", missing.join(", ")), help)
        }
        ErrorKind::ArgumentConflict => {
            let prior = list(ContextKind::PriorArg).join(", ");
            let message = if prior.is_empty() || prior == argument {
                format!("{name} cannot be used more than once.")
            } else {
                format!("{name} cannot be used with {prior}.")
            };
            (message, help)
        }
        _ => (reveal_line(&args::sentence(error)), help),
    };
    CliError::new(Code::UsageBad, message).hint(hint)
}

/// The command that a usage error without a nearer hint sends to.
pub fn help_of(words: &[OsString]) -> String {
    format!("Run `{} --help` to see what it takes.", Typed::of(words).path)
}

/// The program's name, as hints write it.
const PROGRAM: &str = "inwit";

/// The command that was typed, as far as there is one.
struct Typed {
    command: Command,
    path: String,
}

impl Typed {
    fn of(words: &[OsString]) -> Self {
        let mut command = Cli::command();
        command.build();
        let mut path = PROGRAM.to_owned();
        for at in args::bare_words(words) {
            let word = words[at].to_string_lossy();
            // `help` names another command behind it.
            if path == PROGRAM && word == "help" {
                continue;
            }
            let Some(below) = command.find_subcommand(&*word).cloned() else { break };
            path = format!("{path} {}", below.get_name());
            command = below;
        }
        Self { command, path }
    }
}

/// The visible command that `word` probably means, below the one that was typed.
fn suggestion<'t>(word: &str, typed: &'t Typed) -> Option<&'t str> {
    let synonym = SYNONYMS.iter().find(|(_, words)| words.contains(&word)).map(|(meant, _)| *meant);
    let shown = typed.command.get_subcommands().filter(|command| !command.is_hide_set());
    let near = || nearest(word, shown.map(Command::get_name));
    synonym.filter(|_| typed.path == PROGRAM).or_else(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> (String, String) {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let all = std::iter::once(OsString::from(PROGRAM)).chain(words.clone());
        let error = Cli::command().try_get_matches_from(all).expect_err(line);
        let told = told(&error, &words);
        (told.message.clone(), told.hint_said().to_owned())
    }

    #[test]
    fn every_synonym_stands_for_a_visible_command_and_for_one_only() {
        let mut seen = std::collections::BTreeSet::new();
        for (meant, words) in SYNONYMS {
            let mut command = Cli::command();
            for part in meant.split(' ') {
                let below = command.find_subcommand(part).expect(meant).clone();
                assert!(!below.is_hide_set(), "{meant}");
                command = below;
            }
            for word in *words {
                assert!(seen.insert(word) && Cli::command().find_subcommand(word).is_none(), "{word}");
            }
        }
    }

    #[test]
    fn an_unknown_command_names_the_one_that_was_meant() {
        for (line, meant) in [
            ("serach", "Did you mean `inwit search`?"),
            ("help serach", "Did you mean `inwit search`?"),
            ("find", "Did you mean `inwit search`?"),
            ("rm", "Did you mean `inwit forget`?"),
            ("add", "Did you mean `inwit remember`?"),
            ("list", "Did you mean `inwit show`?"),
            ("update", "Did you mean `inwit edit`?"),
            ("log", "Did you mean `inwit history log`?"),
            ("facts lsit", "Did you mean `inwit facts list`?"),
            ("bake", "Run `inwit help` to list the commands."),
            ("facts bake", "Run `inwit facts --help` to see what it takes."),
        ] {
            assert_eq!(said(line).1, meant, "{line}");
        }
    }

    #[test]
    fn a_wrong_argument_is_one_sentence_with_the_values_that_are_valid() {
        for (line, message) in [
            ("search x --limit abc", "--limit takes a whole number from 1 to 1000, not `abc`."),
            ("search x --limit 0", "--limit takes a whole number from 1 to 1000, not `0`."),
            ("search x --limt 3", "Unknown option `--limt`."),
            ("facts list x", "Unexpected argument `x`."),
            ("facts read", "Missing argument: <FACT>."),
            ("learn feedback", "Missing arguments: <--useful|--useless>, <HIT>."),
            ("setup claude-code --check --apply", "--check cannot be used with --apply."),
            (
                "learn methods add x --kind y",
                "`y` is not valid for --kind; use one of rule, checklist, indicator, playbook.",
            ),
        ] {
            assert_eq!(said(line).0, message, "{line}");
        }
        assert!(said("search x --limt 3").1.starts_with("Did you mean `--limit`? Run `inwit search --help`"));
    }
}
