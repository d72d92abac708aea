//! The person's editor, on a private copy of a file.
//!
//! Invariant: the copy lies where only its owner can read it, and it goes only when its text is in the
//! workspace or was never changed; else it stays and is named.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use inwit_home::clock::SystemClock;
use inwit_home::forgetting::home::DRAFTS;
use inwit_home::own;
use inwit_model::{Clock as _, Code, SafeName};

use crate::error::CliError;

/// Names of one second that are tried for a copy.
const COPY_NAMES_MAX: u32 = 100;

/// A private copy.
pub struct Draft {
    path: PathBuf,
}

impl Draft {
    /// Copies `bytes` of the file `name` into `edits/` of an agent's home, where there is an editor for it.
    pub fn of(home: &Path, name: &SafeName, bytes: &[u8]) -> Result<Self, CliError> {
        editor()?;
        let folder = home.join(DRAFTS);
        own::make_folder(&folder).map_err(|error| own::failed(&folder, &error))?;
        let stamp = SystemClock.now().strftime("%Y%m%dT%H%M%SZ").to_string();
        for number in 1..=COPY_NAMES_MAX {
            // The ending stays, so that an editor knows what it opens.
            let path = folder.join(format!("{stamp}-{number}-{}", name.file()));
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Ok(mut file) => {
                    let written = file.write_all(bytes).and_then(|()| file.sync_all());
                    written.map_err(|error| own::failed(&path, &error))?;
                    return Ok(Self { path });
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(own::failed(&path, &error).into()),
            }
        }
        Err(CliError::new(
            Code::FileExists,
            format!("{} is full of copies of this second.", folder.display()),
        ))
    }

    /// Lets the person edit it and gives back what they saved. An editor that fails changes nothing.
    pub fn edited(&self) -> Result<Vec<u8>, CliError> {
        let editor = editor()?;
        let failed = |why: String| {
            CliError::new(Code::UsageBad, format!("The editor `{editor}` {why}; nothing was written."))
                .hint("Set VISUAL or EDITOR to a program that waits until the file is closed.")
        };
        let status =
            started(&editor, &self.path).map_err(|error| failed(format!("does not start: {error}")))?;
        if !status.success() {
            return Err(failed(format!("ended with {status}")));
        }
        std::fs::read(&self.path).map_err(|error| failed(format!("left nothing to read: {error}")))
    }

    /// Whether it still holds what it was made of.
    pub fn is_untouched(&self, bytes: &[u8]) -> bool {
        std::fs::read(&self.path).is_ok_and(|now| now == bytes)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes it away.
    pub fn remove(self) {
        // One that cannot go lies in the owner's own folder and harms nobody.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[expect(clippy::disallowed_methods, reason = "this is where the person's editor enters")]
fn editor() -> Result<String, CliError> {
    let said = |name: &str| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
    said("VISUAL").or_else(|| said("EDITOR")).ok_or_else(|| {
        CliError::new(Code::UsageBad, "No editor is known.")
            .hint("Set VISUAL or EDITOR, or give the text with `--content-from FILE`.")
    })
}

/// Runs it as a shell would, since people write `EDITOR="code --wait"`.
#[expect(clippy::disallowed_methods, reason = "the person's own program, in their own environment")]
fn started(editor: &str, path: &Path) -> std::io::Result<std::process::ExitStatus> {
    Command::new("/bin/sh").args(["-c", &format!("{editor} \"$@\""), editor]).arg(path).status()
}
