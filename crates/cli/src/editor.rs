//! Edits a private copy of a file in the user's editor.
//!
//! Invariant: only the owner can read the copy; it is removed once its text is in the workspace or unchanged;
//! otherwise it stays and is reported.

use std::ffi::OsString;
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

/// Most names that are tried for a copy per second.
const COPY_NAMES_MAX: u32 = 100;

/// A private copy.
pub struct Draft {
    path: PathBuf,
}

impl Draft {
    /// Copies `bytes` of the file `name` to `edits/` of an agent's home, if there is an editor.
    pub fn of(home: &Path, name: &SafeName, bytes: &[u8]) -> Result<Self, CliError> {
        editor()?;
        let folder = home.join(DRAFTS);
        own::make_folder(&folder).map_err(|error| own::failed(&folder, &error))?;
        let stamp = SystemClock.now().strftime("%Y%m%dT%H%M%SZ").to_string();
        for number in 1..=COPY_NAMES_MAX {
            // The extension is kept for the editor.
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
            format!("{} already has {COPY_NAMES_MAX} copies of this second.", folder.display()),
        ))
    }

    /// Opens it in the editor and returns the saved text. If the editor fails, nothing changes.
    pub fn edited(&self) -> Result<Vec<u8>, CliError> {
        let editor = editor()?;
        let failed = |why: String| {
            CliError::new(Code::UsageBad, format!("The editor `{editor}` {why}; nothing was written."))
                .hint("Set VISUAL or EDITOR to a program that waits until the file is closed.")
        };
        let status = run_editor(&editor, &[self.path.as_os_str().to_owned()])
            .map_err(|error| failed(format!("cannot be started: {error}")))?;
        if !status.success() {
            return Err(failed(format!("exited with {status}")));
        }
        std::fs::read(&self.path).map_err(|error| failed(format!("left no readable file: {error}")))
    }

    /// Whether its content is unchanged.
    pub fn is_untouched(&self, bytes: &[u8]) -> bool {
        std::fs::read(&self.path).is_ok_and(|now| now == bytes)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it.
    pub fn remove(self) {
        // A failure leaves it in the owner's folder, which is harmless.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[expect(clippy::disallowed_methods, reason = "this is where the person's editor enters")]
fn editor() -> Result<String, CliError> {
    let said = |name: &str| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
    said("VISUAL").or_else(|| said("EDITOR")).ok_or_else(|| {
        CliError::new(Code::UsageBad, "No editor is set.")
            .hint("Set VISUAL or EDITOR to the command of your editor.")
    })
}

/// Editors that take `+LINE` before the file.
const PLUS_LINE: &[&str] =
    &["vi", "vim", "nvim", "gvim", "nano", "emacs", "emacsclient", "micro", "kak", "ne", "joe", "mg"];

/// Editors that take `--goto FILE:LINE`.
const GOTO: &[&str] = &["code", "code-insiders", "codium", "cursor", "windsurf"];

/// Editors that take `FILE:LINE`.
const COLON_LINE: &[&str] = &["hx", "helix", "subl", "zed", "lapce"];

/// Opens `path` in the user's editor, at `line` if supported, and waits.
pub fn open_at(path: &Path, line: u32) -> Result<std::process::ExitStatus, CliError> {
    let editor = editor()?;
    let words = words_at(&editor, path, line);
    run_editor(&editor, &words).map_err(|error| {
        CliError::new(Code::UsageBad, format!("The editor `{editor}` cannot be started: {error}."))
            .hint("Set VISUAL or EDITOR to another program.")
    })
}

/// The arguments for `editor`.
fn words_at(editor: &str, path: &Path, line: u32) -> Vec<OsString> {
    let program = editor.split_whitespace().next().unwrap_or_default();
    let program = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let file = path.as_os_str().to_owned();
    let at_line = || {
        let mut place = file.clone();
        place.push(format!(":{line}"));
        place
    };
    match program {
        program if PLUS_LINE.contains(&program) => vec![format!("+{line}").into(), file],
        program if GOTO.contains(&program) => vec!["--goto".into(), at_line()],
        program if COLON_LINE.contains(&program) => vec![at_line()],
        _ => vec![file],
    }
}

/// Runs it through a shell, since users write `EDITOR="code --wait"`.
#[expect(clippy::disallowed_methods, reason = "the person's own program, in their own environment")]
fn run_editor(editor: &str, words: &[OsString]) -> std::io::Result<std::process::ExitStatus> {
    Command::new("/bin/sh").args(["-c", &format!("{editor} \"$@\""), editor]).args(words).status()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_is_given_the_line_in_its_own_way() {
        let words = |editor: &str| {
            let words = words_at(editor, Path::new("/n/a b.md"), 7);
            words.into_iter().map(|word| word.into_string().expect("text")).collect::<Vec<_>>()
        };
        assert_eq!(words("/usr/bin/nvim -f"), ["+7", "/n/a b.md"]);
        assert_eq!(words("code --wait"), ["--goto", "/n/a b.md:7"]);
        assert_eq!(words("hx"), ["/n/a b.md:7"]);
        assert_eq!(words("ed"), ["/n/a b.md"]);
    }
}
