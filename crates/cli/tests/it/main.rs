//! The program from outside: what a person types, and what they get.

mod asking;
mod importing;
mod making;
mod setting;

use inwit_testkit::Cli;

/// A new user of the program.
fn inwit() -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_inwit"))
}

/// Runs `script` in a shell; it finds the program as `$0`.
#[track_caller]
fn shell_on(cli: &Cli, script: &str) -> inwit_testkit::cli::Run {
    cli.run(["-c", script, env!("CARGO_BIN_EXE_inwit")])
}

/// A user of a shell.
fn user_of_a_shell() -> Cli {
    Cli::new("/bin/sh").env("PATH", "/usr/bin:/bin")
}
