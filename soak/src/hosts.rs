//! Days of real sessions of Claude Code and Codex with inwit set up in them, against a stub of their providers.
//!
//! The clients are the released ones, where `.ci/deps` has put them. They run in a network namespace of their own, so
//! that only the stub on its loopback can be reached. Invariant: judged are the request bodies that the clients sent
//! and the files that stay behind, never what inwit reports of itself. Where a client or the namespace is missing, the
//! campaign is skipped, and its row names what is missing.
//! Reading order: [`script`] (what is typed and answered), [`stub`], [`answers`] (both wire formats), [`user`] (the
//! home and its files), [`session`] (one run of a client), [`trust`], [`days`] (the runs in order), [`checks`].

pub mod answers;
pub mod checks;
pub mod days;
pub mod requests;
pub mod script;
pub mod session;
pub mod stub;
pub mod trust;
pub mod user;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::child::{self, PATH};
use crate::{Place, Plan, Report};

/// Before a line of the child that names a violation.
const BROKE: &str = "broke\t";

/// Before a line of the child with a figure: its name, a tab, its value.
const FIGURE: &str = "figure\t";

/// Ways to make a network namespace: as root, and as a user that may map itself to root.
const NAMESPACES: [&[&str]; 2] = [&["--net"], &["--net", "--map-root-user"]];

/// Runs the campaign in a namespace of its own. One case is one day.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let clients = clients(&plan.program);
    let Some(namespace) = namespace() else { return skipped(report, "network namespace (unshare, ip)") };
    if !clients.join("installed").is_file() {
        return skipped(report, "Claude Code and Codex (CI=true .ci/deps installs them)");
    }
    let folder = TempDir::with_prefix("inwit-hosts-").expect("a folder");
    let place = Place::at(&folder.path().canonicalize().expect("a path"));
    let output = inside(namespace, &plan.program, &place, plan);
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(what) = line.strip_prefix(BROKE) {
            report.broke(what);
        } else if let Some((what, figure)) = line.strip_prefix(FIGURE).and_then(|line| line.split_once('\t'))
        {
            report.figure(what, figure);
        }
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    report.holds(output.status.success(), || format!("the days ended early, {}: {stderr}", output.status));
    report
}

/// What the child does: the days, and a line for each violation and each figure. `numbers` are the seed and the days.
///
/// # Panics
/// When the stub or a client cannot be started.
pub fn play(place: &Place, numbers: &[u64]) {
    let [_seed, days] = numbers else { panic!("hosts HOME SEED DAYS") };
    let program = std::env::current_exe().expect("a program has a path");
    let found = days::run(place, &clients(&program), &program, *days);
    for what in found.broken() {
        say(&format!("{BROKE}{}", what.replace('\n', " ")));
    }
    for (what, figure) in found.figures() {
        say(&format!("{FIGURE}{what}\t{figure}"));
    }
}

/// Where the clients are: in the build folder, two above the program.
fn clients(program: &Path) -> PathBuf {
    program.ancestors().nth(2).unwrap_or(Path::new("")).join("clients/hosts")
}

/// The first way to make a namespace that works here and has a loopback that can be switched on.
fn namespace() -> Option<&'static [&'static str]> {
    NAMESPACES.into_iter().find(|words| {
        unshare(words, &["ip", "link", "set", "lo", "up"]).is_ok_and(|output| output.status.success())
    })
}

/// The child of `plan`, in a namespace with a loopback.
#[track_caller]
fn inside(namespace: &[&str], program: &Path, place: &Place, plan: &Plan) -> Output {
    let (program, home) = (program.display().to_string(), place.root().display().to_string());
    let (seed, days) = (plan.seed.to_string(), plan.cases.to_string());
    let begun = ["sh", "-c", "ip link set lo up && exec \"$0\" \"$@\"", &program];
    let words: Vec<&str> = begun.into_iter().chain(["child", "hosts", &home, &seed, &days]).collect();
    unshare(namespace, &words).expect("unshare runs")
}

#[expect(clippy::disallowed_methods, reason = "the clients run where no other machine can be reached")]
fn unshare(namespace: &[&str], words: &[&str]) -> std::io::Result<Output> {
    let mut command = Command::new("unshare");
    command.args(namespace).arg("--").args(words).stdin(Stdio::null());
    command.env_clear().env("PATH", format!("{PATH}:{}", child::SYSTEM_PATH)).output()
}

/// A report of nothing, which names what is missing.
fn skipped(mut report: Report, missing: &str) -> Report {
    report.figure("skipped, this machine has no", missing);
    #[expect(clippy::print_stderr, reason = "a campaign that was skipped says so")]
    {
        eprintln!("skipped: hosts: this machine has no {missing}");
    }
    report
}

#[expect(clippy::print_stdout, reason = "the parent reads it")]
fn say(line: &str) {
    println!("{line}");
}
