//! The command line by which a host calls inwit, and its recognition.
//!
//! Invariant: only a line in the form that we write is ours, with any program path, home and agent. A user's own line
//! that also runs inwit is theirs.

use std::borrow::Cow;

use inwit_wire::Hook;

use super::hosts::ENTRY;

/// The variable that names the home.
pub const HOME: &str = "INWIT_HOME";

/// Options of a call.
const FLAGS: [&str; 3] = ["--agent", "--workspace", "--profile"];

/// Adds `--recalls` to our server: a hook recalls before each prompt. Older entries lack it.
const RECALLS: &str = "--recalls";

/// Our command line.
#[derive(Debug, Clone)]
pub struct Own {
    /// The program: `inwit` if a shell finds this one by that name, else its path.
    pub program: String,
    /// The home, if it is not the default.
    pub home: Option<String>,
    /// Further arguments of every call, such as `--agent` and an id.
    pub arguments: Vec<String>,
}

/// The owner of a shell line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// We write such lines.
    Ours,
    /// A user's, which runs inwit.
    Theirs,
    /// Unrelated.
    Foreign,
}

impl Own {
    /// The arguments of our server: the owner's scope. Our hooks recall before each prompt, so the server gets `--recalls`.
    pub fn server(&self) -> Vec<String> {
        let own = ["mcp", "--main", RECALLS].map(str::to_owned).to_vec();
        [own, self.arguments.clone()].concat()
    }

    /// A shell line. `env` sets the home, since not every shell accepts a variable before a program.
    pub fn command(&self, words: &[&str]) -> String {
        let home = self.home.as_ref().map(|home| format!("{HOME}={}", quoted(home)));
        let before = home.into_iter().flat_map(|home| ["env".to_owned(), home]);
        let words = std::iter::once(self.program.as_str()).chain(words.iter().copied());
        let words = words.chain(self.arguments.iter().map(String::as_str));
        before.chain(words.map(quoted)).collect::<Vec<_>>().join(" ")
    }
}

/// The owner of this line of a hook.
pub fn whose(command: &str) -> Whose {
    let words =
        shlex::split(command).unwrap_or_else(|| command.split_whitespace().map(str::to_owned).collect());
    let is_set = |word: &&str| word.strip_prefix(HOME).is_some_and(|rest| rest.starts_with('='));
    let mut rest = words.iter().map(String::as_str).peekable();
    if rest.next_if_eq(&"env").is_some() && rest.peek().is_none_or(|word| !is_set(word)) {
        return if runs_us(&words) { Whose::Theirs } else { Whose::Foreign };
    }
    let _ = rest.next_if(is_set);
    let is_call = rest.next().is_some_and(is_program)
        && rest.next() == Some("hook")
        && rest.next().is_some_and(|moment| Hook::named(moment).is_some());
    match (is_call && are_flags(rest), runs_us(&words)) {
        (true, _) => Whose::Ours,
        (false, true) => Whose::Theirs,
        (false, false) => Whose::Foreign,
    }
}

/// Whether a program and its arguments are our server as we write it.
pub fn is_server(program: &str, arguments: &[&str]) -> bool {
    let rest = arguments.strip_prefix(&["mcp", "--main"]);
    let rest = rest.map(|rest| rest.strip_prefix(&[RECALLS]).unwrap_or(rest));
    is_program(program) && rest.is_some_and(|rest| are_flags(rest.iter().copied()))
}

/// Whether a word is our program: `inwit` in any folder, or with a version or platform suffix, such as `inwit-1.2`.
pub fn is_program(word: &str) -> bool {
    let name = word.rsplit('/').next().and_then(|name| name.strip_prefix(ENTRY));
    name.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
}

fn are_flags<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    while let Some(word) = words.next() {
        let (flag, value) = word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
        if !FLAGS.contains(&flag) || value.or_else(|| words.next()).is_none() {
            return false;
        }
    }
    true
}

/// Whether `inwit hook` occurs among the words, also in a nested command line.
fn runs_us(words: &[String]) -> bool {
    let is_joined = |c: char| "/&;|({`\"'".contains(c);
    let is_us = |word: &str| word.rsplit(is_joined).next().is_some_and(is_program);
    let in_pairs = words.windows(2).any(|pair| is_us(&pair[0]) && pair[1] == "hook");
    in_pairs
        || words.iter().any(|word| {
            let inner: Vec<&str> = word.split_whitespace().collect();
            inner.windows(2).any(|pair| is_us(pair[0].trim_end_matches(['"', '\''])) && pair[1] == "hook")
        })
}

/// A word quoted for a shell. A word with a NUL byte, which no system accepts, is unchanged.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).unwrap_or(Cow::Borrowed(word)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn own(program: &str, home: Option<&str>, arguments: &[&str]) -> Own {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Own { program: program.into(), home: home.map(Into::into), arguments }
    }

    #[test]
    fn a_command_is_what_a_shell_reads_back() {
        let own = own("/opt/my tools/inwit", Some("/home/$ana"), &["--agent", "bo"]);
        assert_eq!(
            own.command(&["hook", "stop"]),
            "env INWIT_HOME='/home/$ana' '/opt/my tools/inwit' hook stop --agent bo"
        );
    }

    #[test]
    fn only_a_line_of_our_form_is_ours() {
        use Whose::{Foreign, Ours, Theirs};
        for (command, whose_it_is) in [
            ("inwit hook stop", Ours),
            ("/opt/bin/inwit hook stop --agent bo --profile nexo", Ours),
            ("inwit hook stop --agent=bo --profile nexo", Ours),
            ("'/opt/my bin/inwit' hook stop", Ours),
            ("\"$HOME/bin/inwit\" hook user-prompt", Ours),
            ("env INWIT_HOME='/a b' inwit hook stop", Ours),
            ("INWIT_HOME=/a inwit hook stop", Ours),
            ("/opt/bin/inwit-1.2 hook stop", Ours),
            ("/opt/bin/inwit_x86_64 hook stop", Ours),
            ("/opt/bin/inwitness hook stop", Foreign),
            ("inwit hook stop; say done", Theirs),
            ("say done && inwit hook stop", Theirs),
            ("(inwit hook stop)", Theirs),
            ("sh -c 'inwit hook stop'", Theirs),
            ("env RUST_BACKTRACE=1 inwit hook stop", Theirs),
            ("inwit hook stop --json", Theirs),
            ("inwit hook stop 'unclosed", Theirs),
            ("inwit hook", Theirs),
            ("other hook stop", Foreign),
            ("notinwit hook stop", Foreign),
            ("inwit status", Foreign),
            ("env", Foreign),
            ("", Foreign),
        ] {
            assert_eq!(whose(command), whose_it_is, "{command}");
        }
    }

    #[test]
    fn only_a_server_of_our_form_is_ours() {
        assert!(is_server("/opt/bin/inwit", &["mcp", "--main", "--agent", "bo"]));
        assert!(is_server("inwit", &["mcp", "--main", "--recalls", "--agent", "bo"]));
        for (program, arguments) in [
            ("other", &["mcp", "--main"][..]),
            ("inwit", &["mcp", "--room", "kitchen"]),
            ("inwit", &["mcp", "--main", "--agent"]),
            ("inwit", &["mcp", "--main", "--allow", "x"]),
        ] {
            assert!(!is_server(program, arguments), "{program} {arguments:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_a_folder_is_called_our_line_is_ours(folder in "[^\0/]{0,12}", home in "[^\0]{1,12}") {
            let own = own(&format!("/{folder}/inwit"), Some(&home), &["--workspace", &folder]);
            let line = own.command(&["hook", "stop"]);
            prop_assert_eq!(whose(&line), Whose::Ours, "{}", line);
        }
    }
}
