//! The commands of a conversation that begin with `/`.
//!
//! Most are command lines of inwit. Invariants: each row is in `/help`, and each command line parses; what is typed
//! behind a command is never a flag of its command line, since a flag may read a file or rate a result.

/// The action of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlashAction {
    /// Runs this command line of inwit, with what was typed behind it. It shows what the owner sees.
    Runs(&'static [&'static str]),
    /// The same for a command line that takes `--room`, so that in a room it shows what the room sees.
    RunsInRoom(&'static [&'static str]),
    /// As [`Runs`](Self::Runs), but it changes something, so it must be typed at a terminal.
    Changes(&'static [&'static str]),
    /// Ends the session and starts another one.
    New,
    /// Prints the id of the session, and how many turns it has.
    Session,
    /// Lists the commands.
    Help,
    /// Ends the conversation.
    Exit,
}

/// Every command: name, arguments, what it does, and its line in `/help`.
pub const COMMANDS: &[(&str, &str, SlashAction, &str)] = &[
    ("soul", "", SlashAction::Runs(&["show", "soul"]), "Print SOUL.md"),
    ("identity", "", SlashAction::Runs(&["show", "identity"]), "Print IDENTITY.md"),
    ("profile", "", SlashAction::Runs(&["show", "user"]), "Print USER.md"),
    ("memory", "", SlashAction::Runs(&["show", "memory"]), "Print the long-term memory"),
    ("heartbeat", "", SlashAction::Runs(&["show", "heartbeat"]), "Print HEARTBEAT.md"),
    ("workspace", "[FILE]", SlashAction::Runs(&["show"]), "Print a file of the workspace, such as `agents`"),
    ("prompt", "", SlashAction::RunsInRoom(&["prompt"]), "Print the prompt as a new session would get it"),
    ("search", "WORDS", SlashAction::RunsInRoom(&["search"]), "Search the notes"),
    (
        "why",
        "WORDS",
        SlashAction::Runs(&["dream", "why"]),
        "Explain why a passage was promoted to the memory or not",
    ),
    ("inbox", "", SlashAction::Runs(&["inbox"]), "List proposals that wait for your approval"),
    ("approve", "N", SlashAction::Changes(&["inbox", "approve"]), "Approve a proposal"),
    ("deny", "N", SlashAction::Changes(&["inbox", "reject"]), "Reject a proposal"),
    ("undo", "", SlashAction::Changes(&["undo"]), "Undo the last change"),
    ("rules", "", SlashAction::Runs(&["config", "get", "write.rules"]), "Print your rules for writes"),
    (
        "skills",
        "",
        SlashAction::RunsInRoom(&["prompt", "--report"]),
        "Print the parts of the prompt, with the skills",
    ),
    ("new", "", SlashAction::New, "End this session and start another one"),
    ("reset", "", SlashAction::New, "The same as /new"),
    ("session", "", SlashAction::Session, "Print the id of this session and its turns"),
    ("help", "", SlashAction::Help, "Print this list"),
    ("exit", "", SlashAction::Exit, "End the conversation (Ctrl-D)"),
    ("quit", "", SlashAction::Exit, "The same as /exit"),
];

/// The command in a line, and its arguments; `None` if the line is a message. Errors: an unknown command, a flag, and
/// words that the command does not take.
pub fn parse(line: &str) -> Option<Result<(SlashAction, Vec<String>), String>> {
    let typed = line.trim().strip_prefix('/')?;
    let words = shlex::split(typed).unwrap_or_else(|| typed.split_whitespace().map(str::to_owned).collect());
    let (name, arguments) = words.split_first()?;
    // `/usr/bin is full` is a message.
    if name.contains('/') {
        return None;
    }
    let found = COMMANDS.iter().find(|(known, ..)| known == name);
    let flag = arguments.iter().find(|word| is_flag(word));
    Some(match (found, flag) {
        (None, _) => Err(format!("There is no command `/{name}`. /help lists the commands.")),
        (_, Some(flag)) => {
            Err(format!("`/{name}` takes no flags, such as `{flag}`. Use the command line for them."))
        }
        (Some((_, "", ..)), None) if !arguments.is_empty() => Err(format!("`/{name}` takes no words.")),
        (Some((_, _, does, _)), None) => Ok((*does, arguments.to_vec())),
    })
}

/// Whether a command line would take the word as a flag, or as stdin. `-5` is a number.
fn is_flag(word: &str) -> bool {
    word.starts_with('-') && word.parse::<f64>().is_err()
}

/// The commands that begin with what was typed, for completion.
pub fn beginning_with(typed: &str) -> impl Iterator<Item = String> + '_ {
    let typed = typed.strip_prefix('/');
    let known = COMMANDS.iter().filter(move |(name, ..)| typed.is_some_and(|typed| name.starts_with(typed)));
    known.map(|(name, ..)| format!("/{name}"))
}

/// The lines of `/help`.
pub fn help() -> Vec<String> {
    let width =
        COMMANDS.iter().map(|(name, takes, ..)| name.len() + takes.len()).max().unwrap_or_default() + 2;
    let line = |(name, takes, _, about): &(&str, &str, SlashAction, &str)| {
        let typed = format!("/{name} {takes}");
        format!("{typed:width$}  {about}")
    };
    COMMANDS.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn a_line_is_a_command_or_a_message() {
        assert_eq!(
            parse("/approve 3 4"),
            Some(Ok((SlashAction::Changes(&["inbox", "approve"]), vec!["3".into(), "4".into()])))
        );
        assert_eq!(parse("  /exit"), Some(Ok((SlashAction::Exit, Vec::new()))));
        assert_eq!(parse("what is /etc for?"), None);
        assert_eq!(parse("/usr/bin is full"), None);
        assert!(parse("/sould").is_some_and(|parsed| parsed.is_err()));
        assert_eq!(parse("/"), None);
        assert_eq!(beginning_with("/he").collect::<Vec<_>>(), ["/heartbeat", "/help"]);
        assert_eq!(beginning_with("he").count(), 0, "a message");
    }

    #[test]
    fn what_is_typed_behind_a_command_is_no_flag_of_its_command_line() {
        for line in [
            "/search --batch questions.jsonl --jsonl",
            "/search --rate useful 1",
            "/search kiln -n 3",
            "/search -- kiln",
            "/search -",
            "/approve 1 --confirm 1f2e3d4c5b",
            "/workspace '--root'",
        ] {
            let refused = parse(line).expect("a command").expect_err(line);
            assert!(refused.contains("takes no flags"), "{line}: {refused}");
        }
        assert_eq!(parse("/memory all"), Some(Err("`/memory` takes no words.".into())));
        let words = vec!["kiln".to_owned(), "below".to_owned(), "-5".to_owned()];
        assert_eq!(parse("/search kiln below -5"), Some(Ok((SlashAction::RunsInRoom(&["search"]), words))));
    }

    #[test]
    fn every_command_line_parses() {
        for (name, takes, does, _) in COMMANDS {
            let (words, room) = match does {
                SlashAction::Runs(words) | SlashAction::Changes(words) => (words, None),
                SlashAction::RunsInRoom(words) => (words, Some(["--room", "kitchen"])),
                _ => continue,
            };
            let argument = (!takes.is_empty() && !takes.starts_with('[')).then_some("1");
            let line =
                ["inwit"].iter().chain(*words).copied().chain(room.into_iter().flatten()).chain(argument);
            let parsed = Cli::try_parse_from(line);
            // `show` alone lists what it shows.
            assert!(parsed.is_ok() || *name == "workspace", "/{name}: {:?}", parsed.err());
        }
    }
}
