//! Opens a page in the person's browser.
//!
//! Invariant: the browser is not waited for, and a failure ends nothing.

use std::io;
use std::process::{Command, Stdio};

/// The program that opens pages with what the person has chosen.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Opens `url`. Error: the program cannot be started.
#[expect(clippy::disallowed_methods, reason = "the person's own program, in their own environment")]
pub fn open(url: &str) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    // It may live longer than the server, and must not hold its log.
    let mut child =
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    std::thread::spawn(move || child.wait());
    Ok(())
}
