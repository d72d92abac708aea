//! The whole program: one story for each verb proves that the wire is connected.
//!
//! What a verb decides is proven below, in the engine; here it is words, exit statuses, JSON, and that
//! reading writes nothing into a workspace.

mod accepting;
mod answering;
mod asking;
mod carrying;
mod clients;
mod contradicting;
mod damaged;
mod dying;
mod effects;
mod entering;
mod errors;
mod feedback;
mod fitting;
mod forgetting;
mod guiding;
mod hands;
mod homes;
mod hooking;
mod host;
mod hostile;
mod importing;
mod indexes;
mod joined_turns;
mod keeping;
mod knowing;
mod learning;
mod looking;
mod looking_back;
mod making;
mod many_agents;
mod meaning;
mod measuring;
mod mending;
mod missed_turns;
mod modelling;
mod projects;
mod reading;
mod readme;
mod recording;
mod refitting;
mod returning;
mod rewriting;
mod searching;
mod selves;
mod serving;
mod settings;
mod settling;
mod setup;
mod syncing;
mod together;
mod unwritable;
mod weeks;

use inwit_testkit::Cli;

/// Notes of a small household, with what is private and what a room sees.
const NOTES: &str = "
//- SOUL.md
I am Ada and I bake.
//- USER.md
Ana lives in Vigo.
//- MEMORY.md
# Food

- Likes rye bread with caraway.
- Dislikes coriander.
//- memory/2026-11-20.md
- Bought a bread chest.
- It stands under the stairs.
//- rooms/kitchen.md
- The kitchen bakes bread on Fridays.
//- memory/rooms/kitchen/2026-11-20.md
- Tomás brought a sourdough bread.
";

/// A user whose notes lie in `notes`.
fn user() -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_inwit")).workspace("notes", NOTES)
}

/// A user without any notes.
fn newcomer() -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_inwit"))
}

/// A user of a shell.
fn user_of_a_shell() -> Cli {
    Cli::new("/bin/sh").env("PATH", "/usr/bin:/bin")
}

/// Runs `script` in a shell; it finds the program as `$0`.
#[track_caller]
fn shell_on(cli: &Cli, script: &str) -> inwit_testkit::cli::Run {
    cli.run(["-c", script, env!("CARGO_BIN_EXE_inwit")])
}

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
