//! `inwit`: see the library beside this file.

use std::process::ExitCode;

fn main() -> ExitCode {
    inwit_cli::run()
}
