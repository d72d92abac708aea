//! The key of a provider: from the environment, a file or a command.
//!
//! Invariants: a key is read when a completer is made, kept in memory only, and is in no error; a command runs only
//! if the user's own settings name it, and not for long.

use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use inwit_outbound::Key;
use inwit_workspace::process_group;

use crate::own;

/// Longest run of a key command, in seconds: a person may have to unlock a key store.
pub const KEY_COMMAND_SECONDS_MAX: u64 = 10;

/// Where a key is.
#[derive(Clone, PartialEq, Eq)]
pub enum KeySource {
    /// Nowhere.
    Missing,
    /// In the environment: the value, and the name of its variable.
    Value(String, String),
    /// In the file that the named variable contains.
    File(PathBuf, String),
    /// The first line that this shell command prints.
    Command(String),
}

impl KeySource {
    /// Where the key is, without the key.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Missing => None,
            Self::Value(_, name) | Self::File(_, name) => Some(name.clone()),
            Self::Command(_) => Some("llm.key_command".to_owned()),
        }
    }

    /// Reads the key, `None` if there is none. Error: one sentence.
    pub fn read(&self) -> Result<Option<Key>, String> {
        let (text, place) = match self {
            Self::Missing => return Ok(None),
            Self::Value(text, name) => (text.clone(), format!("The value of `{name}`")),
            Self::File(path, name) => {
                let text = own::read(path).map_err(|error| error.message)?;
                let text =
                    text.ok_or_else(|| format!("The file {} of `{name}` does not exist.", path.display()))?;
                (text, format!("The content of the file of `{name}`"))
            }
            Self::Command(line) => (
                printed(line, Duration::from_secs(KEY_COMMAND_SECONDS_MAX))?,
                "The output of `llm.key_command`".to_owned(),
            ),
        };
        Key::parse(&text).map(Some).map_err(|error| format!("{place} is not a valid key: {error}."))
    }
}

/// The first line that the command prints within `wait`; then it is killed with what it started. Its messages are not repeated, because they may contain the key.
#[expect(clippy::disallowed_methods, reason = "the user's own command, in their own environment")]
fn printed(line: &str, wait: Duration) -> Result<String, String> {
    let failed = |why: String| format!("`llm.key_command` failed: {why}.");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.process_group(0).spawn().map_err(|error| failed(own::words(&error)))?;
    let id = child.id();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // The caller may be gone.
        let _ = sender.send(child.wait_with_output());
    });
    let Ok(output) = receiver.recv_timeout(wait) else {
        process_group::end(id);
        return Err(failed(format!("it did not end within {} s", wait.as_secs_f32())));
    };
    let output = output.map_err(|error| failed(own::words(&error)))?;
    if !output.status.success() {
        return Err(failed(format!("it ended with {}", output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use rustix::fs::{FileType, Mode};

    use super::*;

    #[test]
    fn a_command_that_does_not_end_is_killed_with_what_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let fifo = folder.path().join("alive");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
            .expect("made");
        let path = fifo.clone();
        // It reads until nothing has the pipe open for writing.
        let reader = std::thread::spawn(move || std::fs::read(path).expect("read"));
        let line = format!("exec 3>'{}'; tail -f /dev/null & tail -f /dev/null", fifo.display());
        let error = printed(&line, Duration::from_millis(500)).expect_err("too long");
        assert!(error.contains("did not end within 0.5 s"), "{error}");
        reader.join().expect("all writers are gone");
    }

    #[test]
    fn a_key_comes_from_a_value_a_file_or_a_command_and_is_in_no_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        own::write(&path, b"word-7\n").expect("written");
        let expected = Some(Key::parse("word-7").expect("a key"));
        let name = || "X_API_KEY".to_owned();
        for source in [
            KeySource::Value("word-7".into(), name()),
            KeySource::File(path, name()),
            KeySource::Command("echo word-7; echo more".into()),
        ] {
            assert!(source.read() == Ok(expected.clone()));
        }
        assert!(KeySource::Missing.read() == Ok(None));
        for (source, why) in [
            (KeySource::Value("two secrets".into(), name()), "The value of `X_API_KEY` is not a valid key"),
            (KeySource::File(folder.path().join("none"), name()), "does not exist"),
            (KeySource::Command("echo secret two".into()), "is not a valid key"),
            (KeySource::Command("echo secret; echo secret >&2; exit 3".into()), "exit status: 3"),
        ] {
            let error = source.read().expect_err(why);
            assert!(error.contains(why) && !error.contains("secret"), "{error}");
        }
    }
}
