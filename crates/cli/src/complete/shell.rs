//! Shells that put a completed name on the command line as it is, without quoting it: bash and PowerShell.
//!
//! A file name in a cloned repository may hold `$(…)`. Invariant: what is offered is one word of the shell, and pressing
//! Enter behind it runs inwit and nothing else. zsh, fish and elvish quote by themselves.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use clap_complete::env::{Bash, EnvCompleter, Powershell};
use inwit_model::invisible::reveal_line;

/// bash, with every name quoted by backslashes.
pub struct QuotedBash;

/// PowerShell, without names that it would have to quote.
pub struct PlainPowershell;

impl EnvCompleter for QuotedBash {
    fn name(&self) -> &'static str {
        Bash.name()
    }

    fn is(&self, name: &str) -> bool {
        Bash.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Bash.write_registration(var, name, bin, completer, out)
    }

    #[expect(clippy::disallowed_methods, reason = "bash asks by its environment")]
    fn write_complete(
        &self,
        command: &mut clap::Command,
        mut words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let at = std::env::var("_CLAP_COMPLETE_INDEX").ok().and_then(|index| index.parse::<usize>().ok());
        if let Some(word) = at.and_then(|at| words.get_mut(at)) {
            *word = unquoted(word);
        }
        let mut offered = Vec::new();
        Bash.write_complete(command, words, folder, &mut offered)?;
        let between = std::env::var("_CLAP_IFS").unwrap_or_else(|_| "\n".to_owned());
        let offered = String::from_utf8_lossy(&offered);
        let names = offered.split(between.as_str()).filter(|name| is_one_line(name));
        let names: Vec<String> = names.map(quoted).collect();
        out.write_all(names.join(&between).as_bytes())
    }
}

impl EnvCompleter for PlainPowershell {
    fn name(&self) -> &'static str {
        Powershell.name()
    }

    fn is(&self, name: &str) -> bool {
        Powershell.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Powershell.write_registration(var, name, bin, completer, out)
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut offered = Vec::new();
        Powershell.write_complete(command, words, folder, &mut offered)?;
        let offered = String::from_utf8_lossy(&offered);
        let is_plain = |line: &&str| {
            let name = line.split('\t').next().unwrap_or_default();
            is_one_line(name) && name.chars().all(is_plain)
        };
        offered.lines().filter(is_plain).try_for_each(|line| writeln!(out, "{line}"))
    }
}

/// Whether a terminal shows the name as it is.
pub fn is_one_line(name: &str) -> bool {
    reveal_line(name) == name
}

/// Whether a character means nothing to a shell.
fn is_plain(char: char) -> bool {
    char.is_alphanumeric() || "_-./:=@%+,".contains(char) || !char.is_ascii() && !char.is_whitespace()
}

/// `name` as one word of bash.
fn quoted(name: &str) -> String {
    name.chars().flat_map(|char| (!is_plain(char)).then_some('\\').into_iter().chain([char])).collect()
}

/// A word without its backslashes, as it was typed.
fn unquoted(word: &OsStr) -> OsString {
    let Some(word) = word.to_str() else { return word.to_owned() };
    let mut plain = String::new();
    let mut chars = word.chars();
    while let Some(char) = chars.next() {
        plain.extend(if char == '\\' { chars.next() } else { Some(char) });
    }
    plain.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "bash says how it reads a word")]
    fn bash_reads_an_offered_name_as_one_word() {
        let names = [
            "My notes.md", "$(touch x).md", "`id`.md", "a;b|c&d.md", "it's \"it\".md", "~x", "什么 é.md",
            "#1 !!",
        ];
        for name in names {
            let line = format!("printf %s {}", quoted(name));
            let printed = std::process::Command::new("bash").args(["-c", &line]).output();
            let printed = printed.map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
            assert_eq!(printed.ok().as_deref(), Some(name));
            assert_eq!(unquoted(OsStr::new(&quoted(name))), OsString::from(name));
        }
    }
}
