//! Taking figures: medians of repeated runs, wall time and peak memory of a process.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Times of repeated runs, sorted.
pub struct Times(Vec<Duration>);

impl Times {
    /// Runs `work` `runs` times; what `work` returns is dropped outside the measured time.
    pub fn of<T>(runs: usize, mut work: impl FnMut(usize) -> T) -> Self {
        let mut times: Vec<Duration> = (0..runs)
            .map(|run| {
                let start = Instant::now();
                let kept = work(run);
                let time = start.elapsed();
                drop(kept);
                time
            })
            .collect();
        times.sort_unstable();
        Self(times)
    }

    /// Times taken elsewhere.
    pub fn from(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// The `percent`-th percentile in milliseconds.
    pub fn ms(&self, percent: usize) -> f64 {
        let at = (self.0.len().saturating_sub(1) * percent).div_ceil(100);
        self.0.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }
}

/// What a process took.
pub struct Process {
    /// Wall times of all runs.
    pub wall: Times,
    /// Largest resident memory of any run, in MiB.
    pub peak_mib: f64,
}

/// Runs `program` with the arguments of each run and only `environment`, `runs` times and once more for its
/// memory, which GNU time tells.
pub fn process(
    program: &Path,
    arguments: &dyn Fn(usize) -> Vec<String>,
    environment: &[(&str, &str)],
    runs: usize,
) -> std::io::Result<Process> {
    process_with(program, arguments, environment, &vec![Vec::new(); runs])
}

/// The same, once for each of `inputs`, which it reads from its stdin.
#[expect(clippy::disallowed_methods, reason = "measuring a command means running it")]
pub fn process_with(
    program: &Path,
    arguments: &dyn Fn(usize) -> Vec<String>,
    environment: &[(&str, &str)],
    inputs: &[Vec<u8>],
) -> std::io::Result<Process> {
    let mut wall = Vec::new();
    let mut peak_mib: f64 = 0.0;
    for (run, input) in inputs.iter().enumerate() {
        let arguments = arguments(run);
        let start = Instant::now();
        let mut child = Command::new(program)
            .args(&arguments)
            .env_clear()
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // Who does not read closes the pipe, which is its right.
            let _ = stdin.write_all(input);
        }
        let status = child.wait()?;
        wall.push(start.elapsed());
        if !status.success() {
            return Err(std::io::Error::other(format!(
                "{} {arguments:?} failed: {status}",
                program.display()
            )));
        }
    }
    let input = inputs.last().map_or(&[][..], Vec::as_slice);
    if let Some(kib) = peak_of(program, &arguments(inputs.len()), environment, input)? {
        peak_mib = peak_mib.max(kib / 1024.0);
    }
    Ok(Process { wall: Times::from(wall), peak_mib })
}

/// Peak resident KiB by GNU time, where it is installed.
#[expect(clippy::disallowed_methods, reason = "measuring a command means running it")]
fn peak_of(
    program: &Path,
    arguments: &[String],
    environment: &[(&str, &str)],
    input: &[u8],
) -> std::io::Result<Option<f64>> {
    let time = Path::new("/usr/bin/time");
    if !time.exists() {
        return Ok(None);
    }
    let mut child = Command::new(time)
        .args(["-f", "%M"])
        .arg(program)
        .args(arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    Ok(said.lines().last().and_then(|line| line.trim().parse().ok()))
}

/// How many processes of `program` run now; `None` where the system does not say.
pub fn running(program: &Path) -> Option<usize> {
    let program = program.canonicalize().ok()?;
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let is_it = |process: &std::fs::DirEntry| {
        std::fs::read_link(process.path().join("exe")).is_ok_and(|exe| exe == program)
    };
    Some(processes.filter(is_it).count())
}

/// Runs `program` as a child of this measurement.
#[expect(clippy::disallowed_methods, reason = "a child that dies is part of what is measured")]
pub fn child(program: &Path, words: &[&str]) -> std::io::Result<ExitStatus> {
    let mut command = Command::new(program);
    command.env_clear().args(words).stdout(Stdio::null()).stderr(Stdio::null()).status()
}

/// How often `program` asks the disk to keep what it holds, by strace; `None` where that is not installed.
#[expect(clippy::disallowed_methods, reason = "syncs are counted, not guessed")]
pub fn syncs(program: &Path, words: &[&str]) -> std::io::Result<Option<usize>> {
    let strace = Path::new("/usr/bin/strace");
    if !strace.exists() {
        return Ok(None);
    }
    let told = tempfile::NamedTempFile::new()?;
    let status = Command::new(strace)
        .args(["-f", "-e", "trace=fsync,fdatasync", "-o"])
        .arg(told.path())
        .arg(program)
        .args(words)
        .env_clear()
        .stdout(Stdio::null())
        .status()?;
    if !status.success() {
        return Err(std::io::Error::other(format!("{} {words:?} failed: {status}", program.display())));
    }
    let lines = std::fs::read_to_string(told.path())?;
    let is_call = |line: &&str| line.contains("fsync(") || line.contains("fdatasync(");
    Ok(Some(lines.lines().filter(is_call).count()))
}

/// The most memory this process ever held, in MiB; `None` where the system does not say.
pub fn peak_mib() -> Option<f64> {
    inwit_bench_suites::machine::peak_memory_bytes().map(|bytes| bytes as f64 / f64::from(1 << 20))
}
