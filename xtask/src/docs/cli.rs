//! `cli.md`: every command with its arguments, from the very parser the program runs.

use clap::builder::StyledStr;
use clap::{Arg, Command, CommandFactory as _};

use super::markdown::{code, head, table};

/// The page.
pub fn page() -> String {
    let mut root = inwit_cli::args::Cli::command().term_width(100);
    root.build();
    let mut text = head("Commands", "the arguments in `crates/cli/src/args.rs` and `commands/`");
    text.push_str(&format!("\n{}\n", long(root.get_long_about(), root.get_about())));
    text.push_str("\nEvery command accepts:\n\n");
    text.push_str(&arguments(root.get_arguments().filter(|arg| arg.is_global_set())));
    if let Some(after) = root.get_after_help() {
        text.push_str(&format!("\n{after}\n"));
    }
    for command in root.get_subcommands_mut().filter(|command| shows(command)) {
        section(command, 2, &mut text);
    }
    text
}

fn shows(command: &Command) -> bool {
    !command.is_hide_set() && command.get_name() != "help"
}

fn section(command: &mut Command, level: usize, text: &mut String) {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    text.push_str(&format!("\n{} {name}\n", "#".repeat(level)));
    text.push_str(&format!("\n{}\n", long(command.get_long_about(), command.get_about())));
    let usage: Vec<&str> = usage.lines().map(str::trim).collect();
    text.push_str(&format!("\n```text\n{}\n```\n", usage.join("\n")));
    let own: Vec<&Arg> =
        command.get_arguments().filter(|arg| !arg.is_global_set() && !arg.is_hide_set()).collect();
    let own: Vec<&Arg> =
        own.into_iter().filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version")).collect();
    if !own.is_empty() {
        text.push_str(&format!("\n{}", arguments(own.into_iter())));
    }
    if let Some(after) = command.get_after_help() {
        text.push_str(&format!("\n```text\n{after}\n```\n"));
    }
    for below in command.get_subcommands_mut().filter(|command| shows(command)) {
        section(below, level + 1, text);
    }
}

fn long(long: Option<&StyledStr>, short: Option<&StyledStr>) -> String {
    let text = long.or(short).map(ToString::to_string).unwrap_or_default();
    let text: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    text.join("\n")
}

fn arguments<'a>(all: impl Iterator<Item = &'a Arg>) -> String {
    table(&["argument", "what it does"], all.map(|arg| vec![code(&spelling(arg)), about(arg)]))
}

/// As it is typed: `-n, --limit <N>` or `<QUERY>...`.
fn spelling(arg: &Arg) -> String {
    if arg.is_positional() {
        return arg.to_string();
    }
    let short = arg.get_short().map(|letter| format!("-{letter}, ")).unwrap_or_default();
    format!("{short}{arg}")
}

fn about(arg: &Arg) -> String {
    let mut about = long(arg.get_long_help(), arg.get_help());
    let values: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| arg.get_action().takes_values() && !value.is_hide_set())
        .map(|value| code(value.get_name()))
        .collect();
    if !values.is_empty() {
        about.push_str(&format!(". One of {}", values.join(", ")));
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| code(&value.to_string_lossy())).collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        about.push_str(&format!(". Default: {}", defaults.join(", ")));
    }
    about
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_their_usage_and_their_own_arguments() {
        let text = page();
        assert!(text.contains("\n## inwit search\n"), "{text}");
        assert!(text.contains("```text\ninwit search "), "{text}");
        assert!(text.contains("| `-n, --limit <N>` |"), "{text}");
        assert_eq!(text.matches("`--json`").count(), 1, "a global flag is told once");
        assert!(!text.contains("--help"));
    }
}
