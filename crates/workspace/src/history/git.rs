//! Runs `git`, isolated from configuration and hooks.
//!
//! Configuration, hooks, filters, pagers and remotes can each start a program. So the environment is cleared, no user
//! or system configuration is read, and dangerous settings of the repository are overridden. Invariant: only this
//! module of the crate starts processes; none outlives its deadline or uses the terminal.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::error::HistoryError;
use super::message::inert_line;
use crate::limit::{
    HISTORY_LOCK_SECONDS_MAX, HISTORY_OUTPUT_BYTES_MAX, HISTORY_READ_SECONDS_MAX, HISTORY_SAID_BYTES_MAX,
};
use crate::process_group;

/// Said with every call. A key on the command line wins over every file, and what runs a program is
/// named here although no call of ours should come near it.
const OVERRULED: &[&str] = &[
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null", "core.ignoreCase=false",
    // The history is for its owner, whatever the umask of the person is.
    "core.sharedRepository=0600", "core.logAllRefUpdates=false", "core.quotePath=false", "core.fsync=all",
    "core.fsyncMethod=fsync", "core.filesRefLockTimeout=1000", "protocol.allow=never", "gc.auto=0",
    "maintenance.auto=false", "commit.gpgSign=false", "log.showSignature=false", "blame.ignoreRevsFile=",
    "init.defaultBranch=main",
    // One pack for each flush: few files to sync, and no second program that unpacks them.
    "fastimport.unpackLimit=1",
];

/// The environment of every call, besides `PATH`. There is no `HOME`, so nothing of a person is found.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("LC_ALL", "C"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_DEFAULT_HASH", "sha1"),
    ("GIT_DEFAULT_REF_FORMAT", "files"),
];

/// A `git`, and the repository it works on.
#[derive(Debug, Clone)]
pub(super) struct Git {
    program: PathBuf,
    path: OsString,
    git_dir: PathBuf,
    lock_wait: Duration,
    is_fleeting: bool,
}

/// Writes the standard input of a call, on a separate thread.
pub(super) type Feed<'a> = &'a (dyn Fn(&mut dyn Write) -> io::Result<()> + Sync);

/// How a call ended.
#[derive(Debug)]
pub(super) struct Run {
    /// Whether it said that all went well.
    pub good: bool,
    /// What it wrote, unless that went to a file.
    pub output: Vec<u8>,
    /// What it said, on one line.
    pub said: String,
}

impl Git {
    /// The first `git` on the absolute folders of `PATH`; a relative one could be a workspace.
    #[expect(clippy::disallowed_methods, reason = "programs are looked for where the person's shell does")]
    pub fn find(git_dir: &Path) -> Option<Self> {
        let path = std::env::var_os("PATH")?;
        let folders: Vec<PathBuf> = std::env::split_paths(&path).filter(|one| one.is_absolute()).collect();
        let program = folders.iter().map(|folder| folder.join("git")).find(|file| runs(file))?;
        let path = std::env::join_paths(folders).ok()?;
        // The child works elsewhere, so its repository is named from the root.
        let lock_wait = Duration::from_secs(HISTORY_LOCK_SECONDS_MAX);
        Some(Self {
            program,
            path,
            git_dir: std::path::absolute(git_dir).ok()?,
            lock_wait,
            is_fleeting: false,
        })
    }

    /// The same program on another repository.
    pub fn at(&self, git_dir: &Path) -> Self {
        Self { git_dir: git_dir.to_owned(), ..self.clone() }
    }

    /// The same, waiting at most `wait` for a process that writes to the repository.
    pub fn waiting(self, wait: Duration) -> Self {
        Self { lock_wait: wait, ..self }
    }

    /// The same for a repository that is not needed after a crash.
    pub fn fleeting(self) -> Self {
        Self { is_fleeting: true, ..self }
    }

    /// Whether the repository is gone soon, so that nothing of it needs to be on the disk.
    pub fn is_fleeting(&self) -> bool {
        self.is_fleeting
    }

    /// Longest wait for a process that writes to the repository.
    pub fn lock_wait(&self) -> Duration {
        self.lock_wait
    }

    /// The repository.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// What a call that reads answers. Errors: it failed, took too long or said too much.
    pub fn read<S: AsRef<OsStr>>(&self, words: &[S], feed: Option<Feed>) -> Result<Vec<u8>, HistoryError> {
        let run = self.run(words, feed, None, Duration::from_secs(HISTORY_READ_SECONDS_MAX))?;
        if run.good { Ok(run.output) } else { Err(HistoryError::Failed { said: run.said }) }
    }

    /// Runs `git words…`; with `output`, what it writes goes there.
    pub fn run<S: AsRef<OsStr>>(
        &self,
        words: &[S],
        feed: Option<Feed>,
        output: Option<File>,
        within: Duration,
    ) -> Result<Run, HistoryError> {
        let child = self.start(words, feed.is_some(), output)?;
        let deadline = Instant::now() + within;
        let (status, out, err) = attend(child, feed, deadline).map_err(HistoryError::io("git"))?;
        let Some(status) = status else { return Err(HistoryError::Slow { seconds: within.as_secs() }) };
        if out.len() > HISTORY_OUTPUT_BYTES_MAX {
            return Err(HistoryError::Large { bytes_max: HISTORY_OUTPUT_BYTES_MAX });
        }
        let said = inert_line(String::from_utf8_lossy(&err).trim());
        Ok(Run { good: status.success(), output: out, said })
    }

    /// Runs a call that is asked `lines`, and shows its answer to `visit` until that says that there is no more, however
    /// much it is. Errors: those of `visit`; it failed, or took too long.
    pub fn stream(
        &self,
        words: &[&str],
        lines: &[String],
        within: Duration,
        visit: &mut dyn FnMut(&mut dyn BufRead) -> Result<bool, HistoryError>,
    ) -> Result<(), HistoryError> {
        let mut child = self.start(words, true, None)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let id = child.id();
        thread::scope(|scope| {
            let (done, is_done) = mpsc::channel::<()>();
            let late = scope.spawn(move || {
                let is_late = is_done.recv_timeout(within) == Err(RecvTimeoutError::Timeout);
                if is_late {
                    process_group::end(id);
                }
                is_late
            });
            let said = scope.spawn(move || stderr.map_or_else(Vec::new, drained));
            scope.spawn(move || {
                let Some(pipe) = stdin else { return };
                let mut pipe = BufWriter::new(pipe);
                // A child that ends early closes the pipe; its status says why.
                let _ =
                    lines.iter().try_for_each(|line| writeln!(pipe, "{line}")).and_then(|()| pipe.flush());
            });
            let mut answer = BufReader::new(stdout.ok_or(HistoryError::Odd { asked: "start" })?);
            let mut more = Ok(true);
            while matches!(more, Ok(true)) {
                more = visit(&mut answer);
            }
            let is_all = more.is_ok() && answer.fill_buf().is_ok_and(<[u8]>::is_empty);
            drop(done);
            let is_late = late.join().unwrap_or_default();
            // What is not wanted any more is not waited for.
            if !is_all {
                process_group::end(id);
            }
            let status = child.wait().map_err(HistoryError::io("git"))?;
            let said = inert_line(String::from_utf8_lossy(&said.join().unwrap_or_default()).trim());
            match more {
                _ if is_late => Err(HistoryError::Slow { seconds: within.as_secs() }),
                Ok(_) if is_all && !status.success() => Err(HistoryError::Failed { said }),
                more => more.map(drop),
            }
        })
    }

    /// Starts `git words…` in a separate process group, so that Ctrl-C does not reach it.
    #[expect(clippy::disallowed_methods, reason = "this is where the crate starts its one program")]
    pub fn start<S: AsRef<OsStr>>(
        &self,
        words: &[S],
        fed: bool,
        output: Option<File>,
    ) -> Result<Child, HistoryError> {
        let mut command = Command::new(&self.program);
        command.env_clear().env("PATH", &self.path).envs(ENVIRONMENT.iter().copied());
        // Config is read here, even if a file `commondir` comes to say another place.
        command.env("GIT_COMMON_DIR", &self.git_dir);
        command.arg("--git-dir").arg(&self.git_dir).args(["--bare", "--no-pager"]);
        OVERRULED.iter().for_each(|pair| {
            command.args(["-c", pair]);
        });
        if self.is_fleeting {
            command.args(["-c", "core.fsync=none"]);
        }
        command.args(words);
        // Whatever takes the working folder for a work tree finds none.
        command.current_dir(&self.git_dir).process_group(0);
        command.stdin(if fed { Stdio::piped() } else { Stdio::null() });
        command.stdout(output.map_or_else(Stdio::piped, Stdio::from)).stderr(Stdio::piped());
        let child = command.spawn().map_err(HistoryError::io("git"))?;
        bound_memory(&child);
        Ok(child)
    }
}

/// Most memory of a git, in bytes: a history that came with a backup may have a few objects with billions of paths.
const GIT_MEMORY_BYTES_MAX: u64 = 1 << 30;

/// A git above [`GIT_MEMORY_BYTES_MAX`] ends with an error. It takes long to get there, so it does not matter that the
/// limit comes after its start; where the system has none, the deadline holds alone.
#[cfg(target_os = "linux")]
fn bound_memory(child: &Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(GIT_MEMORY_BYTES_MAX), maximum: Some(GIT_MEMORY_BYTES_MAX) };
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = prlimit(Some(pid), Resource::Data, limit);
    }
}

#[cfg(not(target_os = "linux"))]
fn bound_memory(_child: &Child) {}

fn runs(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Feeds and reads a child until it ends or `deadline` passes; `None` is a child that was ended.
fn attend(
    mut child: Child,
    feed: Option<Feed>,
    deadline: Instant,
) -> io::Result<(Option<ExitStatus>, Vec<u8>, Vec<u8>)> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let (done, ends) = mpsc::channel();
        let ended = done.clone();
        let out = scope.spawn(move || {
            let bytes = stdout.map_or_else(Vec::new, |pipe| taken(pipe, HISTORY_OUTPUT_BYTES_MAX));
            let _ = ended.send(());
            bytes
        });
        let err = scope.spawn(move || {
            let bytes = stderr.map_or_else(Vec::new, drained);
            let _ = done.send(());
            bytes
        });
        if let (Some(pipe), Some(feed)) = (stdin, feed) {
            // A child that ends early closes the pipe; its status says why.
            scope.spawn(move || {
                let mut pipe = BufWriter::new(pipe);
                let _ = feed(&mut pipe).and_then(|()| pipe.flush());
            });
        }
        let left = || deadline.saturating_duration_since(Instant::now());
        let in_time = ends.recv_timeout(left()).and_then(|()| ends.recv_timeout(left())).is_ok();
        if !in_time {
            end(&mut child);
        }
        let status = child.wait()?;
        let joined = |bytes: thread::ScopedJoinHandle<Vec<u8>>| bytes.join().unwrap_or_default();
        Ok((in_time.then_some(status), joined(out), joined(err)))
    })
}

/// Ends a child with all that it started.
pub(super) fn end(child: &mut Child) {
    process_group::end(child.id());
}

/// At most one byte more than `bytes_max`, to detect more. Then the pipe is closed.
fn taken(pipe: impl Read, bytes_max: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.take(bytes_max as u64 + 1).read_to_end(&mut bytes);
    bytes
}

/// The beginning of the output; the rest is read and dropped, so that the process does not block.
fn drained(mut pipe: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.by_ref().take(HISTORY_SAID_BYTES_MAX as u64).read_to_end(&mut bytes);
    let _ = io::copy(&mut pipe, &mut io::sink());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of the test's own in the place of `git`.
    fn program(script: &str) -> (tempfile::TempDir, Git) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("git");
        let mut made = File::create(&file).expect("made");
        let probe = "for word; do :; done; test \"$word\" = probe && exit 0";
        made.write_all(format!("#!/bin/sh\n{probe}\n{script}\n").as_bytes()).expect("written");
        made.set_permissions(PermissionsExt::from_mode(0o700)).expect("runs");
        drop(made);
        let path = OsString::from("/usr/bin:/bin");
        let git = Git {
            program: file,
            path,
            git_dir: folder.path().to_owned(),
            lock_wait: Duration::ZERO,
            is_fleeting: false,
        };
        // A test beside this one that starts a process holds our open file for a moment, and what is
        // open for writing is not run.
        assert!((0..10_000).any(|_| git.read(&["probe"], None).is_ok()), "the program never ran");
        (folder, git)
    }

    const SOON: Duration = Duration::from_millis(100);

    #[test]
    fn a_program_that_does_not_end_is_ended_with_all_it_started() {
        for script in ["exec cat /dev/zero >/dev/null", "cat /dev/zero >/dev/null & wait", "exec cat <&0"] {
            let (_folder, git) = program(script);
            let began = Instant::now();
            // The last one waits for the end of a feed that waits for its reader.
            let feed = |out: &mut dyn Write| io::copy(&mut io::repeat(b'x'), out).map(|_| ());
            let words: [&str; 0] = [];
            let error = git.run(&words, Some(&feed), None, SOON).expect_err("ended");
            let told = matches!(error, HistoryError::Slow { .. } | HistoryError::Large { .. });
            assert!(told, "{script}: {error}");
            assert!(began.elapsed() < Duration::from_secs(20), "{script}");
        }
    }

    fn to_its_end(answer: &mut dyn BufRead) -> Result<bool, HistoryError> {
        let taken = answer.fill_buf().map_err(HistoryError::io("git"))?.len();
        answer.consume(taken);
        Ok(taken > 0)
    }

    #[test]
    fn a_program_that_stalls_in_its_answer_is_ended() {
        for script in ["printf abc; exec tail -f /dev/null", "exec cat /dev/zero"] {
            let (_folder, git) = program(script);
            let read = git.stream(&[], &[], SOON, &mut to_its_end);
            assert!(matches!(read, Err(HistoryError::Slow { .. })), "{script}: {read:?}");
        }
        let (_folder, git) = program("printf abc; echo broken >&2; exit 3");
        let error = git.stream(&[], &[], Duration::from_secs(60), &mut to_its_end).expect_err("failed");
        assert_eq!(error.to_string(), "`git` failed: broken");
        // What is enough is enough, however it would have ended.
        let (_folder, git) = program("exec cat /dev/zero");
        git.stream(&[], &[], Duration::from_secs(60), &mut |_| Ok(false)).expect("enough");
    }

    /// The program waits for its input before it reads its own limits, so that they are set by then.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_has_a_limit_of_memory() {
        let (_folder, git) = program("read -r line; grep 'Max data size' /proc/self/limits");
        let feed = |out: &mut dyn Write| out.write_all(b"go\n");
        let words: [&str; 0] = [];
        let run = git.run(&words, Some(&feed), None, Duration::from_secs(60)).expect("ran");
        let limits = String::from_utf8_lossy(&run.output).into_owned();
        assert!(limits.contains(&format!(" {GIT_MEMORY_BYTES_MAX} ")), "{limits}");
    }

    #[test]
    fn a_program_that_says_too_much_is_told_and_nothing_is_cut_silently() {
        let (_folder, git) = program("exec cat /dev/zero");
        let words: [&str; 0] = [];
        let error = git.run(&words, None, None, Duration::from_secs(60)).expect_err("too much");
        assert!(matches!(error, HistoryError::Large { .. }), "{error}");
        let (_folder, git) = program("printf 'a\\033[31mb\\n' >&2; exit 3");
        let error = git.read(&["x"], None).expect_err("failed");
        assert_eq!(error.to_string(), "`git` failed: a⟦U+001B⟧[31mb");
    }

    #[test]
    fn nothing_of_our_environment_is_seen() {
        let (_folder, git) = program("exec env");
        let output = git.read(&["x"], None).expect("ran");
        let text = String::from_utf8(output).expect("text");
        let mut names: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        names.sort_unstable();
        let mut wanted: Vec<&str> = ENVIRONMENT.iter().map(|(name, _)| *name).collect();
        // The shell of this test adds two.
        wanted.extend(["PATH", "GIT_COMMON_DIR", "PWD", "_"]);
        assert!(names.iter().all(|name| wanted.contains(name)), "{names:?}");
        assert!(!names.contains(&"HOME"), "{names:?}");
    }
}
