//! The service manager of this system, and the programs by which it is asked.
//!
//! Invariant: a program is run only where it is found on the path, with the person's own environment; without it the
//! same commands are named, for the person to run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use inwit_model::Code;

use super::{Action, Service, plist, unit};
use crate::error::CliError;

/// The name of the unit for systemd.
const UNIT: &str = "inwit.service";

/// A service manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manager {
    /// systemd of the user.
    Systemd,
    /// launchd of macOS.
    Launchd,
}

/// A program with arguments.
#[derive(Debug, Clone)]
pub struct Ask {
    program: &'static str,
    words: Vec<String>,
}

/// Whether a service runs, as its manager says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Whether the server runs.
    pub is_running: bool,
    /// The state in the words of the manager.
    pub state: String,
    /// Its process.
    pub pid: Option<u32>,
}

impl Ask {
    fn of(program: &'static str, words: &[&str]) -> Self {
        Self { program, words: words.iter().map(|word| (*word).to_owned()).collect() }
    }

    /// As a person types it.
    pub fn line(&self) -> String {
        let words = std::iter::once(self.program).chain(self.words.iter().map(String::as_str));
        shlex::try_join(words).unwrap_or_default()
    }

    /// The program, if it is in one of these folders.
    #[expect(clippy::disallowed_methods, reason = "the service manager's own program")]
    fn command(&self, path: &[PathBuf]) -> Option<Command> {
        let program = path.iter().map(|folder| folder.join(self.program)).find(|path| path.is_file())?;
        let mut command = Command::new(program);
        command.args(&self.words).stdin(Stdio::null());
        Some(command)
    }

    /// Whether its program is in one of these folders.
    pub fn is_there(&self, path: &[PathBuf]) -> bool {
        path.iter().any(|folder| folder.join(self.program).is_file())
    }

    /// Its output. Error: `service_failed`.
    pub fn output(&self, path: &[PathBuf]) -> Result<String, CliError> {
        let mut command = self.command(path).ok_or_else(|| self.failed("the program was not found"))?;
        let output = command.output().map_err(|error| self.failed(&error.to_string()))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let why = if said.is_empty() { output.status.to_string() } else { said };
        Err(self.failed(why.trim_end_matches('.')))
    }

    /// Runs it at the terminal until it ends. Error: `service_failed`.
    pub fn follow(&self, path: &[PathBuf]) -> Result<(), CliError> {
        let mut command = self.command(path).ok_or_else(|| self.failed("the program was not found"))?;
        command.status().map(drop).map_err(|error| self.failed(&error.to_string()))
    }

    fn failed(&self, why: &str) -> CliError {
        CliError::new(Code::ServiceFailed, format!("`{}` failed: {why}.", self.line()))
    }
}

impl Manager {
    /// The one of this system.
    pub const fn of_this_system() -> Self {
        if cfg!(target_os = "macos") { Self::Launchd } else { Self::Systemd }
    }

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Systemd => "systemd",
            Self::Launchd => "launchd",
        }
    }

    /// The file of the unit. `config`: the user's folder of configuration.
    pub fn file(self, config: &Path, user_home: &Path) -> PathBuf {
        match self {
            Self::Systemd => config.join("systemd/user").join(UNIT),
            Self::Launchd => user_home.join(format!("Library/LaunchAgents/{}.plist", plist::LABEL)),
        }
    }

    /// The text of the unit.
    pub fn text(self, service: &Service) -> String {
        match self {
            Self::Systemd => unit::text(service),
            Self::Launchd => plist::text(service),
        }
    }

    /// How a written unit is started, now and at each login. A server with the earlier unit is ended first.
    pub fn start(self, file: &Path, action: Action) -> Vec<Ask> {
        let file = file.display().to_string();
        match self {
            Self::Systemd => {
                let mut asks = vec![systemctl(&["daemon-reload"]), systemctl(&["enable", "--now", UNIT])];
                if action == Action::Replace {
                    asks.push(systemctl(&["restart", UNIT]));
                }
                asks
            }
            Self::Launchd => {
                let unload = (action != Action::Create).then(|| Ask::of("launchctl", &["unload", &file]));
                unload.into_iter().chain([Ask::of("launchctl", &["load", "-w", &file])]).collect()
            }
        }
    }

    /// How it is stopped before its unit is removed.
    pub fn stop(self, file: &Path) -> Vec<Ask> {
        match self {
            Self::Systemd => vec![systemctl(&["disable", "--now", UNIT])],
            Self::Launchd => vec![Ask::of("launchctl", &["unload", "-w", &file.display().to_string()])],
        }
    }

    /// What is done once its unit is removed.
    pub fn forget(self) -> Vec<Ask> {
        match self {
            Self::Systemd => vec![systemctl(&["daemon-reload"])],
            Self::Launchd => Vec::new(),
        }
    }

    /// How it is asked whether the service runs; the answer is read by [`health`](Self::health).
    pub fn asked(self) -> Ask {
        match self {
            Self::Systemd => systemctl(&["show", UNIT, "--property=ActiveState,SubState,MainPID"]),
            Self::Launchd => Ask::of("launchctl", &["list", plist::LABEL]),
        }
    }

    /// What it answered.
    pub fn health(self, answer: &str) -> Health {
        match self {
            Self::Systemd => {
                let value = |name: &str| {
                    let line = answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
                    line.unwrap_or("unknown")
                };
                let (active, sub) = (value("ActiveState"), value("SubState"));
                Health {
                    is_running: active == "active",
                    state: format!("{active} ({sub})"),
                    pid: value("MainPID").parse().ok().filter(|pid| *pid != 0),
                }
            }
            Self::Launchd => {
                let line = answer.lines().find_map(|line| line.trim().strip_prefix("\"PID\" = "));
                let pid = line.and_then(|pid| pid.trim_end_matches(';').parse().ok());
                let state = if pid.is_some() { "running" } else { "not running" };
                Health { is_running: pid.is_some(), state: state.to_owned(), pid }
            }
        }
    }

    /// How its last lines are shown.
    pub fn log(self, lines: u32, is_followed: bool, file: &Path) -> Ask {
        let lines = lines.to_string();
        match self {
            Self::Systemd => {
                let words = ["--user", "--unit", UNIT, "--lines", &lines, "--no-pager", "--output", "cat"];
                let follow = is_followed.then_some("--follow");
                Ask::of("journalctl", &words.into_iter().chain(follow).collect::<Vec<_>>())
            }
            Self::Launchd => {
                let file = file.display().to_string();
                let follow = is_followed.then_some("-f");
                let words = follow.into_iter().chain(["-n", &lines, &file]);
                Ask::of("tail", &words.collect::<Vec<_>>())
            }
        }
    }
}

fn systemctl(words: &[&str]) -> Ask {
    Ask::of("systemctl", &[&["--user"], words].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_of_both_managers_are_read() {
        let health = |is_running, state: &str, pid| Health { is_running, state: state.to_owned(), pid };
        let systemd = |answer| Manager::Systemd.health(answer);
        assert_eq!(
            systemd("MainPID=812\nActiveState=active\nSubState=running\n"),
            health(true, "active (running)", Some(812))
        );
        assert_eq!(
            systemd("MainPID=0\nActiveState=failed\nSubState=failed\n"),
            health(false, "failed (failed)", None)
        );
        assert_eq!(systemd(""), health(false, "unknown (unknown)", None));
        let launchd = |answer| Manager::Launchd.health(answer);
        assert_eq!(
            launchd("{\n\t\"PID\" = 812;\n\t\"Label\" = \"x\";\n};"),
            health(true, "running", Some(812))
        );
        assert_eq!(launchd("{\n\t\"LastExitStatus\" = 256;\n};"), health(false, "not running", None));
    }
}
