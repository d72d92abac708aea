//! The one place that starts programs: cargo, always in the repository's folder.

use std::path::Path;
use std::process::{Command, Stdio};

/// The cargo that runs us, with `words`, in `root`.
#[expect(clippy::disallowed_methods, reason = "this is where xtask starts programs")]
pub fn cargo(root: &Path, words: &[&str]) -> Command {
    let cargo = option_env!("CARGO").filter(|path| Path::new(path).exists()).unwrap_or("cargo");
    let mut command = Command::new(cargo);
    command.args(words).current_dir(root).stdin(Stdio::null());
    command
}

/// Whether `cargo <words>` works here, which tests for a component.
pub fn has(root: &Path, words: &[&str]) -> bool {
    let run = cargo(root, words).stdout(Stdio::null()).stderr(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// What `cargo <words>` prints, or what went wrong.
pub fn output(root: &Path, words: &[&str]) -> Result<String, String> {
    let run = cargo(root, words).output().map_err(|error| format!("cargo cannot be run: {error}"))?;
    if run.status.success() {
        Ok(String::from_utf8_lossy(&run.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&run.stderr).trim().to_owned())
    }
}
