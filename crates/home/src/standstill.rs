//! Records that an embedding provider timed out, so that the next command does not wait: a file beside embeddings.db.
//!
//! Written only after a query timed out, read only before a query to an HTTP provider. Invariants: the provider is
//! identified by a hash, so another one is queried immediately; a foreign, damaged, unwritable or future file costs
//! one wait and is no error; a missing home is not created for it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_model::{Clock, Sha256};
use inwit_remote::Standstill;
use inwit_remote::standstill::STANDSTILL_SECONDS;

use crate::own;

/// Its name in an agent's home.
const NAME: &str = "embedding.standstill";

/// The record of one provider in one home.
pub struct StandstillFile {
    path: PathBuf,
    provider: Sha256,
    clock: Box<dyn Clock>,
}

impl StandstillFile {
    /// For the provider of `model` at `url`. Does not access the disk yet.
    pub fn of(home: &Path, url: &str, model: &str, clock: Box<dyn Clock>) -> Self {
        let provider = Sha256::of(format!("{url}\n{model}").as_bytes());
        Self { path: home.join(NAME), provider, clock }
    }
}

impl Standstill for StandstillFile {
    fn left(&self) -> Option<Duration> {
        let text = own::read(&self.path).ok()??;
        let (provider, began) = text.trim().split_once(' ')?;
        let began: i64 = began.parse().ok().filter(|_| provider == self.provider.to_string())?;
        let passed = u64::try_from(self.clock.now().as_millisecond().checked_sub(began)?).ok()?;
        Duration::from_secs(STANDSTILL_SECONDS)
            .checked_sub(Duration::from_millis(passed))
            .filter(|left| !left.is_zero())
    }

    fn began(&self) {
        if self.path.parent().is_some_and(Path::is_dir) {
            let text = format!("{} {}\n", self.provider, self.clock.now().as_millisecond());
            // If it cannot be stored, the next command waits again.
            let _ = own::write(&self.path, text.as_bytes());
        }
    }

    fn ended(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::FixedClock;

    #[test]
    fn it_lasts_for_a_while_and_for_one_provider() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |second: i64, url: &str| {
            let clock = jiff::Timestamp::from_second(1_000 + second).expect("a moment");
            StandstillFile::of(home.path(), url, "m", Box::new(FixedClock(clock)))
        };
        let rest = STANDSTILL_SECONDS as i64;
        assert_eq!(at(0, "http://a").left(), None);
        at(0, "http://a").began();
        assert_eq!(at(0, "http://a").left(), Some(Duration::from_secs(STANDSTILL_SECONDS)));
        assert_eq!(at(rest - 1, "http://a").left(), Some(Duration::from_secs(1)));
        for (second, url) in [(rest, "http://a"), (0, "http://b"), (-1, "http://a")] {
            assert_eq!(at(second, url).left(), None, "{second} {url}");
        }
        at(1, "http://a").ended();
        assert_eq!(at(1, "http://a").left(), None);
        own::write(&home.path().join(NAME), b"no record").expect("written");
        assert_eq!(at(0, "http://a").left(), None);
        let nowhere = home.path().join("nowhere");
        StandstillFile::of(&nowhere, "http://a", "m", Box::new(FixedClock(jiff::Timestamp::UNIX_EPOCH)))
            .began();
        assert!(!nowhere.exists(), "no home is made for it");
    }
}
