//! Everything a push must pass, as one list; the same here and on a server.
//!
//! A step that fails does not hide the next ones: all run, and the end names each with its time.
//! The tests come last, so that the last line is their count. Invariant: no step needs the network (but `licences`, which
//! may fetch crates for other systems) or changes a file, and what is not installed is named, and on a server (`CI=true`) is a failure unless it is optional.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use crate::count::{Count, Runner};
use crate::{program, tidy, ui};

/// One step that is a call of cargo.
struct Step {
    name: &'static str,
    words: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// What must work for the step to be possible, and how to get it.
    needs: Option<(&'static [&'static str], &'static str)>,
    /// A server may be without it too.
    is_optional: bool,
}

const STEPS: &[Step] = &[
    Step {
        name: "format",
        words: &["fmt", "--all", "--", "--check"],
        environment: &[],
        needs: Some((&["fmt", "--version"], "rustup component add rustfmt")),
        is_optional: false,
    },
    Step {
        name: "lints",
        words: &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"],
        environment: &[],
        needs: Some((&["clippy", "--version"], "rustup component add clippy")),
        is_optional: false,
    },
    Step {
        name: "documents",
        words: &["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"],
        // A crate's first page names its private modules in reading order: those links are meant.
        environment: &[("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links")],
        needs: None,
        is_optional: false,
    },
    Step {
        name: "doctests",
        words: &["test", "--workspace", "--doc", "--quiet"],
        environment: &[],
        needs: None,
        is_optional: false,
    },
    Step {
        name: "licences",
        // Advisories are looked up in a database on the network: `make check` does that.
        words: &["deny", "check", "--hide-inclusion-graph", "bans", "licenses", "sources"],
        environment: &[],
        needs: Some((&["deny", "--version"], "cargo install cargo-deny")),
        is_optional: true,
    },
];

const NEXTEST: &[&str] = &["nextest", "run", "--workspace", "--profile", "ci"];
const LIBTEST: &[&str] = &["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"];

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    Missing(&'static str),
    /// The same, of a step that is done where it can be.
    Absent(&'static str),
}

/// Runs every step; true where all passed.
pub fn run(root: &Path) -> Result<bool, String> {
    let mut table = Vec::new();
    timed("tidy", &mut table, || tidy::run(root).map(of))?;
    for step in STEPS {
        timed(step.name, &mut table, || carry_out(step, root))?;
    }
    let mut count = Count::default();
    let seconds = timed("tests", &mut table, || tests(root, &mut count))?;
    ui::line("");
    for (name, end, seconds) in &table {
        let end = match end {
            End::Passed => "ok".to_owned(),
            End::Failed => "FAILED".to_owned(),
            End::Missing(how) | End::Absent(how) => format!("not installed here; to have it: {how}"),
        };
        ui::line(&format!("{name:>12}  {seconds:7.1} s  {end}"));
    }
    ui::line(&format!("     Summary [{seconds:8.3}s] {count}"));
    Ok(table.iter().all(|(_, end, _)| passes(end, on_a_server())))
}

fn of(good: bool) -> End {
    if good { End::Passed } else { End::Failed }
}

/// A tool that is missing is forgiven to a person, not to a server.
fn passes(end: &End, server: bool) -> bool {
    match end {
        End::Passed | End::Absent(_) => true,
        End::Failed => false,
        End::Missing(_) => !server,
    }
}

#[expect(clippy::disallowed_methods, reason = "CI=true is how every server says what it is")]
fn on_a_server() -> bool {
    std::env::var("CI").is_ok_and(|word| word == "true" || word == "1")
}

type Row = (&'static str, End, f64);

fn timed(
    name: &'static str,
    table: &mut Vec<Row>,
    step: impl FnOnce() -> Result<End, String>,
) -> Result<f64, String> {
    ui::line(&format!("── {name}"));
    let began = Instant::now();
    let end = step()?;
    let seconds = began.elapsed().as_secs_f64();
    table.push((name, end, seconds));
    Ok(seconds)
}

fn carry_out(step: &Step, root: &Path) -> Result<End, String> {
    if let Some((words, how)) = step.needs
        && !program::has(root, words)
    {
        return Ok(if step.is_optional { End::Absent(how) } else { End::Missing(how) });
    }
    let mut command = program::cargo(root, step.words);
    command.envs(step.environment.iter().copied());
    let status = command.status().map_err(|error| format!("cargo cannot be run: {error}"))?;
    Ok(of(status.success()))
}

/// Runs the tests, passing on what they print and counting as it goes by.
fn tests(root: &Path, count: &mut Count) -> Result<End, String> {
    let nextest = program::has(root, &["nextest", "--version"]);
    let runner = if nextest { Runner::Nextest } else { Runner::Libtest };
    let mut command = program::cargo(root, if nextest { NEXTEST } else { LIBTEST });
    // One runner sums up on stderr, the other on stdout; the rest goes straight through.
    match runner {
        Runner::Nextest => command.stderr(Stdio::piped()),
        Runner::Libtest => command.stdout(Stdio::piped()),
    };
    let mut child = command.spawn().map_err(|error| format!("cargo cannot be run: {error}"))?;
    let err = child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn std::io::Read>);
    let pipe = err.or_else(|| child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn std::io::Read>));
    for line in pipe.into_iter().flat_map(|pipe| BufReader::new(pipe).split(b'\n')) {
        let line = line.map_err(|error| format!("the tests cannot be read: {error}"))?;
        let line = String::from_utf8_lossy(&line);
        count.read(runner, &line);
        ui::line(&line);
    }
    let status = child.wait().map_err(|error| format!("the tests did not end: {error}"))?;
    Ok(of(status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_fails_on_a_server_only() {
        assert!(passes(&End::Missing("install it"), false));
        assert!(!passes(&End::Missing("install it"), true));
        assert!(!passes(&End::Failed, false));
        assert!(passes(&End::Absent("install it"), true));
    }

    #[test]
    fn every_step_leaves_its_row_in_order() {
        let mut table = Vec::new();
        timed("one", &mut table, || Ok(End::Passed)).expect("ran");
        timed("two", &mut table, || Ok(End::Failed)).expect("ran");
        let names: Vec<&str> = table.iter().map(|(name, _, _)| *name).collect();
        assert_eq!(names, ["one", "two"]);
    }
}
