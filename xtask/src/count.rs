//! How many tests ran, read from what the runner printed, in one line that looks the same for both.

use std::fmt;

/// Tests that ran, and how they ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Not run.
    pub skipped: usize,
}

/// Who runs the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// `cargo nextest`, which sums up once.
    Nextest,
    /// `cargo test`, which sums up for each binary.
    Libtest,
}

impl Count {
    /// Adds what one line of output says, if it is a summary of `runner` and not one it quotes.
    pub fn read(&mut self, runner: Runner, line: &str) {
        let summary = match runner {
            Runner::Nextest => {
                line.trim_start().strip_prefix("Summary [").and_then(|rest| rest.split_once(" run:"))
            }
            Runner::Libtest => line.strip_prefix("test result:").and_then(|rest| rest.split_once('.')),
        };
        let Some((_, counts)) = summary else { return };
        for part in counts.split([',', ';']) {
            let mut words = part.split_whitespace();
            let (Some(number), Some(what)) = (words.next(), words.next()) else { continue };
            let number: usize = number.parse().unwrap_or_default();
            match what {
                "passed" => self.passed += number,
                "failed" | "timed" => self.failed += number,
                "skipped" | "ignored" => self.skipped += number,
                _ => {}
            }
        }
    }
}

/// The words of `cargo nextest`: `214 tests run: 213 passed, 1 failed, 0 skipped`.
impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed, skipped } = self;
        write!(out, "{} tests run: {passed} passed, ", passed + failed)?;
        if *failed > 0 {
            write!(out, "{failed} failed, ")?;
        }
        write!(out, "{skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(runner: Runner, lines: &[&str]) -> String {
        let mut count = Count::default();
        lines.iter().for_each(|line| count.read(runner, line));
        count.to_string()
    }

    #[test]
    fn both_runners_are_told_in_the_same_words() {
        let nextest = ["     Summary [   4.120s] 214 tests run: 212 passed (1 slow), 2 failed, 3 skipped"];
        assert_eq!(read(Runner::Nextest, &nextest), "214 tests run: 212 passed, 2 failed, 3 skipped");
        let libtest = [
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 5 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s",
        ];
        assert_eq!(read(Runner::Libtest, &libtest), "9 tests run: 8 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn what_a_runner_quotes_is_not_counted_again() {
        let quoted = [
            "    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 2 filtered out",
            "     Summary [   0.100s] 1 test run: 0 passed, 1 failed, 0 skipped",
        ];
        assert_eq!(read(Runner::Nextest, &quoted), "1 tests run: 0 passed, 1 failed, 0 skipped");
    }
}
