//! The whole program in isolation.
//!
//! Every run has an empty environment except a private `HOME`, private base directories and `TZ=UTC`. It works in its
//! own folder, all in one temporary folder, which is written `$HOME` in output, so that tests can contain it.
//! Invariant: nothing outside the temporary folder is read or written except the program itself.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

pub use run::Run;
pub use running::Running;

mod answer;
mod run;
mod running;

/// A user of the program, with a home.
pub struct Cli {
    program: PathBuf,
    /// Kept so that it is deleted when the test ends.
    _folder: TempDir,
    home: PathBuf,
    environment: Vec<(String, String)>,
    /// The user of a run, if it differs from the test's user.
    user: Option<u32>,
}

/// The unprivileged user for tests that run as root: `nobody`.
const NOBODY: u32 = 65_534;

/// The working folder, below `$HOME`.
const WORK: &str = "work";

impl Cli {
    /// A new user of the program at `program`: `Cli::new(env!("CARGO_BIN_EXE_inwit"))`.
    #[track_caller]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path().canonicalize().expect("a path without links");
        std::fs::create_dir(home.join(WORK)).expect("a folder to work in");
        let below = |path: &str| home.join(path).display().to_string();
        let environment = [
            ("HOME", below("")),
            ("XDG_CONFIG_HOME", below(".config")),
            ("XDG_DATA_HOME", below(".local/share")),
            ("XDG_STATE_HOME", below(".local/state")),
            ("XDG_CACHE_HOME", below(".cache")),
            ("INWIT_HOME", below("inwit")),
            ("TMPDIR", below("tmp")),
            ("TZ", "UTC".to_owned()),
        ];
        let environment = environment.map(|(name, text)| (name.to_owned(), text)).to_vec();
        Self { program: program.into(), _folder: folder, home, environment, user: None }
    }

    /// Writes the workspace of `fixture` to `folder`, below the working folder.
    #[track_caller]
    pub fn workspace(self, folder: &str, fixture: &str) -> Self {
        std::fs::create_dir_all(self.work(folder)).expect("a folder");
        crate::fixture::lay_out(fixture, &self.work(folder));
        self
    }

    /// Writes a file below `$HOME`.
    #[track_caller]
    pub fn write(self, path: &str, text: &str) -> Self {
        crate::fixture::put(&self.home, path, text.as_bytes());
        self
    }

    /// Sets an environment variable; `$HOME` in it means the home.
    pub fn env(mut self, name: &str, text: &str) -> Self {
        let text = text.replace("$HOME", &self.home.display().to_string());
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), text));
        self
    }

    /// Runs from now on as an unprivileged user that owns the home, because permissions do not bind root. `None`,
    /// with a report that the test was skipped, if such a user cannot run the program.
    #[track_caller]
    pub fn bound_by_permissions(mut self) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        if self.home.metadata().expect("made just now").uid() != 0 {
            return Some(self);
        }
        self.user = Some(NOBODY);
        let runs = self.command(&["--version"]).stdout(Stdio::null()).status().is_ok_and(|it| it.success());
        if !crate::is_there(runs, "a program that `nobody` may run") {
            return None;
        }
        fn give(path: &Path) {
            std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY))
                .expect("the administrator gives it away");
            if path.is_dir() && !path.is_symlink() {
                std::fs::read_dir(path).expect("a folder").flatten().for_each(|entry| give(&entry.path()));
            }
        }
        give(&self.home);
        Some(self)
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The environment of a run.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// A path below `$HOME`.
    pub fn home(&self, path: &str) -> PathBuf {
        self.home.join(path)
    }

    /// A path below the working folder.
    pub fn work(&self, path: &str) -> PathBuf {
        self.home.join(WORK).join(path)
    }

    /// Runs a command.
    #[must_use = "say what it prints, says or exits with"]
    #[track_caller]
    pub fn run<const N: usize>(&self, args: [&str; N]) -> Run {
        self.run_with(args, "")
    }

    /// Runs a command in `folder`, below the working folder.
    #[must_use = "say what it prints, says or exits with"]
    #[track_caller]
    pub fn run_in<const N: usize>(&self, folder: &str, args: [&str; N]) -> Run {
        let mut command = self.command(&args);
        command.current_dir(self.work(folder)).stdin(Stdio::null()).stdout(Stdio::piped());
        self.finish(&args, command.spawn().expect("the program starts"))
    }

    /// Runs a command whose arguments are known only at run time.
    #[must_use = "say what it prints, says or exits with"]
    #[track_caller]
    pub fn run_words(&self, args: &[&str]) -> Run {
        self.finish(args, self.start(args, ""))
    }

    /// The same, with `stdin`.
    #[must_use = "say what it prints, says or exits with"]
    #[track_caller]
    pub fn run_words_with(&self, args: &[&str], stdin: &str) -> Run {
        self.finish(args, self.start(args, stdin))
    }

    /// Runs a command with `stdin`.
    #[must_use = "say what it prints, says or exits with"]
    #[track_caller]
    pub fn run_with<const N: usize>(&self, args: [&str; N], stdin: &str) -> Run {
        self.finish(&args, self.start(&args, stdin))
    }

    /// Runs the same command in `count` concurrent processes.
    #[must_use = "say what it prints, says or exits with"]
    #[track_caller]
    pub fn run_at_once<const N: usize>(&self, count: usize, args: [&str; N]) -> Vec<Run> {
        let children: Vec<Child> = (0..count).map(|_| self.start(&args, "")).collect();
        children.into_iter().map(|child| self.finish(&args, child)).collect()
    }

    /// Runs a command and kills it as soon as `is_time`; `false` if it ended before.
    #[track_caller]
    pub fn run_until(&self, args: &[&str], is_time: &dyn Fn() -> bool) -> bool {
        let mut child = self.start(args, "");
        while child.try_wait().expect("a child").is_none() {
            if is_time() {
                child.kill().expect("killed");
                child.wait().expect("it ended");
                return true;
            }
            std::thread::yield_now();
        }
        false
    }

    /// Starts a command whose stdin stays open.
    #[track_caller]
    pub fn running(&self, args: &[&str]) -> Running {
        self.running_with(args, Stdio::piped())
    }

    /// Starts a command with this stdin, such as a socket.
    #[track_caller]
    pub fn running_with(&self, args: &[&str], stdin: impl Into<Stdio>) -> Running {
        let mut command = self.command(args);
        let mut child = command.stdin(stdin).stdout(Stdio::piped()).spawn().expect("the program starts");
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
        let words = args.iter().map(|word| (*word).to_owned()).collect();
        Running { words, child, stdin, stdout, home: self.home.clone() }
    }

    /// Runs a command whose stdout is closed before it starts.
    #[must_use = "say what it prints, says or exits with"]
    #[track_caller]
    pub fn run_unread<const N: usize>(&self, args: [&str; N]) -> Run {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = self.command(&args);
        let child = command.stdin(Stdio::null()).stdout(writer).spawn().expect("started");
        // The command holds the other end of the pipe until it is dropped.
        drop(command);
        self.finish(&args, child)
    }

    /// Runs a command with a terminal as input and output; stderr is included in stdout. Without the program `script`
    /// it returns `None` and reports that the test was skipped.
    #[track_caller]
    pub fn run_at_terminal(&self, args: &[&str]) -> Option<Run> {
        if !crate::is_there(Path::new(SCRIPT).exists(), SCRIPT) {
            return None;
        }
        let words =
            std::iter::once(self.program.to_str().expect("a path of UTF-8")).chain(args.iter().copied());
        let words: Vec<String> = words.map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
        let mut command = self.command_of(Path::new(SCRIPT), &["-qec", &words.join(" "), "/dev/null"]);
        command.env("SHELL", "/bin/sh").stdin(Stdio::null()).stdout(Stdio::piped());
        Some(self.finish(args, command.spawn().expect("the program starts")))
    }

    fn command(&self, args: &[&str]) -> Command {
        self.command_of(&self.program, args)
    }

    #[expect(clippy::disallowed_methods, reason = "the environment is cleared here, for all tests")]
    fn command_of(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(self.environment.iter().cloned()).current_dir(self.work(""));
        command.stderr(Stdio::piped());
        if let Some(user) = self.user {
            use std::os::unix::process::CommandExt as _;
            command.uid(user).gid(user);
        }
        command
    }

    fn start(&self, args: &[&str], stdin: &str) -> Child {
        let mut command = self.command(args);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        // A program may close the pipe before it has read everything.
        let _ = child.stdin.take().expect("piped").write_all(stdin.as_bytes());
        child
    }

    #[track_caller]
    fn finish(&self, args: &[&str], child: Child) -> Run {
        let output = child.wait_with_output().expect("the program ends");
        Run::new(args, &output, &self.home)
    }
}

/// Runs a command on a pseudo-terminal with `script` of util-linux.
const SCRIPT: &str = "/usr/bin/script";

/// Text with the home written as `$HOME`, and the id that a folder gets from its path as `ws-$HASH`.
fn normalised(bytes: &[u8], home: &Path) -> String {
    const HASH_CHARS: usize = 16;
    let text = String::from_utf8_lossy(bytes).replace(&home.display().to_string(), "$HOME");
    let mut pieces = text.split("ws-");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str("ws-");
        match piece.split_at_checked(HASH_CHARS) {
            Some((hash, rest)) if hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                out.push_str("$HASH");
                out.push_str(rest);
            }
            _ => out.push_str(piece),
        }
    }
    out
}

/// Text shortened for a message.
pub(crate) fn short(text: &str) -> String {
    const CHARS_MAX: usize = 200;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
