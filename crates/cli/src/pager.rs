//! A pager for terminal output: `$PAGER`, else `less`, which exits if the output fits on one screen.
//!
//! Invariant: it starts with the first byte of output, after any progress or question.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

/// Options of `less` without `$LESS`: quit if one screen, keep colours, do not clear the screen.
const LESS: &str = "FRX";

/// Output to a pager, or to stdout if none can be started.
pub struct Pager {
    program: String,
    child: Option<Child>,
    has_failed: bool,
}

impl Pager {
    /// The user's pager. `None` if `$PAGER` is empty or `cat`, or the terminal is dumb.
    #[expect(clippy::disallowed_methods, reason = "the person's own program, in their own environment")]
    pub fn of_person() -> Option<Self> {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let program = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
        let is_none = matches!(program.trim(), "" | "cat");
        (!is_dumb && !is_none).then_some(Self { program, child: None, has_failed: false })
    }

    #[expect(clippy::disallowed_methods, reason = "the person's own program, in their own environment")]
    fn start(&mut self) -> io::Result<Child> {
        let mut command = Command::new("/bin/sh");
        // As with editors, users write arguments after the program.
        command.args(["-c", &self.program]).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            command.env("LESS", LESS);
        }
        command.spawn()
    }

    fn is_installed(&self) -> bool {
        let word = self.program.split_whitespace().next().unwrap_or_default();
        which(word)
    }
}

/// Whether a shell would find `program`.
#[expect(clippy::disallowed_methods, reason = "the person's own program, in their own environment")]
fn which(program: &str) -> bool {
    if program.contains('/') {
        return std::path::Path::new(program).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.child.is_none() && !self.has_failed {
            self.child = if self.is_installed() { self.start().ok() } else { None };
            self.has_failed = self.child.is_none();
        }
        match self.child.as_mut().and_then(|child| child.stdin.as_mut()) {
            Some(pipe) => pipe.write(bytes),
            None => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.child.as_mut().and_then(|child| child.stdin.as_mut()) {
            Some(pipe) => pipe.flush(),
            None => io::stdout().flush(),
        }
    }
}

impl Drop for Pager {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}
