//! One process of a race for the dream lock; see `inwit_testkit::race`. It communicates by lines.

use std::path::Path;
use std::process::ExitCode;

#[expect(clippy::disallowed_methods, reason = "this is where arguments enter")]
fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let [workspace, state] = words.as_slice() else { return ExitCode::from(2) };
    let (told, out) = (std::io::stdin().lock(), std::io::stdout().lock());
    match inwit_testkit::race::race_until_told(Path::new(workspace), Path::new(state), told, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
