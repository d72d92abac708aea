//! `inwit --help`: commands grouped by task.
//!
//! Invariant: each visible command is in one group.

use std::fmt::Write as _;

use clap::Command;

/// The groups in the order for a newcomer, with their commands.
const GROUPS: &[(&str, &[&str])] = &[
    ("Start", &["try", "init", "import", "setup"]),
    ("Talk", &["chat", "run"]),
    ("Find", &["search", "open", "show", "prompt", "journal"]),
    ("Keep", &["remember", "edit", "facts", "learn", "forget"]),
    ("Review", &["inbox", "undo", "history", "dream", "review", "accept"]),
    ("Connect programs", &["mcp", "serve", "service", "token", "hook", "session", "project"]),
    (
        "Maintain",
        &[
            "status", "doctor", "agent", "config", "index", "llm", "backup", "restore", "bench",
            "completions", "help",
        ],
    ),
];

/// `cli` with its commands in groups.
pub fn grouped(mut cli: Command) -> Command {
    cli.build();
    let width = cli.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or_default();
    let mut list = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(list, "{title}:");
        for name in *names {
            let Some(command) = cli.find_subcommand(name) else { continue };
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {name:width$}  {about}");
        }
        list.push('\n');
    }
    // Each subcommand has a copy by now; here these are the only options.
    let cli = cli.mut_args(|arg| arg.help_heading(None));
    cli.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::CommandFactory as _;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn each_command_stands_in_one_group() {
        let mut grouped: BTreeMap<&str, usize> = BTreeMap::new();
        GROUPS.iter().flat_map(|(_, names)| *names).for_each(|name| *grouped.entry(name).or_default() += 1);
        let mut cli = Cli::command();
        cli.build();
        let shown = cli.get_subcommands().filter(|command| !command.is_hide_set());
        let wanted = shown.map(|command| (command.get_name(), 1)).collect::<BTreeMap<_, _>>();
        assert_eq!(grouped, wanted);
    }

    #[test]
    fn a_line_of_the_list_fits_a_terminal() {
        let help = super::grouped(Cli::command()).render_help().to_string();
        let list = help.split("Options:").next().unwrap_or_default();
        let long: Vec<&str> = list.lines().filter(|line| line.chars().count() > 80).collect();
        assert_eq!(long, Vec::<&str>::new());
    }
}
