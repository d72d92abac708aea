//! Keyed hashes of secret values that private turns named: one small file per home.
//!
//! Invariants: it has no values, only hashes with a random key of this home, for the owner only; concurrent hooks add
//! hashes one after the other; an unreadable file counts as empty.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_engine::{EngineError, KnownSecrets};
use inwit_gate::secrets::SecretHashes;
use inwit_model::{Code, Entropy as _};

use crate::entropy::SystemEntropy;
use crate::own;

/// The file in a home.
pub const FILE: &str = "secret-hashes";

/// The file that is locked while hashes are added.
const LOCK: &str = "secret-hashes.lock";

/// How long another process that adds hashes is waited for, in milliseconds.
const LOCK_WAIT_MS: u64 = 50;

/// Largest file that is read, in bytes: far more than the limit of values needs.
const FILE_BYTES_MAX: u64 = 256 * 1024;

/// The file of one home.
pub struct SecretHashFile(PathBuf);

impl SecretHashFile {
    /// In this home; nothing is created yet.
    pub fn of(home: &Path) -> Self {
        Self(home.to_owned())
    }

    fn read(&self) -> Option<SecretHashes> {
        let file = inwit_workspace::plain::open(&self.0.join(FILE)).ok()??;
        let mut text = String::new();
        file.take(FILE_BYTES_MAX).read_to_string(&mut text).ok()?;
        SecretHashes::parse(&text)
    }

    fn write(&self, hashes: &SecretHashes) -> io::Result<()> {
        let mut draft = own::draft_in(&self.0)?;
        draft.write_all(hashes.to_string().as_bytes())?;
        draft.persist(self.0.join(FILE)).map(drop).map_err(|error| error.error)
    }

    fn lock(&self) -> io::Result<File> {
        own::make_folder(&self.0)?;
        let locked = own::lock(&self.0.join(LOCK), Duration::from_millis(LOCK_WAIT_MS));
        locked.map_err(io::Error::from)
    }
}

impl KnownSecrets for SecretHashFile {
    fn load(&self) -> SecretHashes {
        self.read().unwrap_or_else(new)
    }

    fn learn(&self, texts: &[&str]) -> Result<(), EngineError> {
        let learned_from = |mut hashes: SecretHashes| {
            let is_new = texts.iter().filter(|text| hashes.learn(text)).count() > 0;
            is_new.then_some(hashes)
        };
        // Most turns name no secret, and then no lock is taken.
        if learned_from(self.load()).is_none() {
            return Ok(());
        }
        let failed = |error: io::Error| {
            EngineError::new(Code::WriteFailed, format!("{FILE} cannot be written: {}.", error.kind()))
        };
        let _lock = self.lock().map_err(failed)?;
        learned_from(self.load()).map_or(Ok(()), |hashes| self.write(&hashes)).map_err(failed)
    }
}

fn new() -> SecretHashes {
    let [first, second] = [SystemEntropy.sixteen(), SystemEntropy.sixteen()];
    let mut key = [0; 32];
    key.iter_mut().zip(first.iter().chain(&second)).for_each(|(byte, random)| *byte = *random);
    SecretHashes::new(key)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn named(at: usize) -> String {
        format!("My db password is lavendel-{at}-Quark.")
    }

    #[test]
    fn the_file_is_for_the_owner_only_and_has_no_value_in_it() {
        let home = tempfile::tempdir().expect("a folder");
        let secrets = SecretHashFile::of(home.path());
        secrets.learn(&["Where is the peel?"]).expect("nothing to learn");
        assert!(!home.path().join(FILE).exists());
        secrets.learn(&["Where?", &named(8)]).expect("learned");
        let file = home.path().join(FILE);
        assert_eq!(file.metadata().expect("there").permissions().mode() & 0o777, 0o600);
        assert!(!std::fs::read_to_string(&file).expect("text").contains("lavendel"));
        assert_eq!(secrets.load().find("so lavendel-8-Quark.").len(), 1);
        own::write(&file, b"\xff").expect("written");
        assert!(secrets.load().find("so lavendel-8-Quark.").is_empty());
    }

    #[test]
    fn who_cannot_have_the_lock_learns_nothing_and_says_so() {
        let home = tempfile::tempdir().expect("a folder");
        let secrets = SecretHashFile::of(home.path());
        let held = secrets.lock().expect("free");
        assert_eq!(secrets.learn(&[&named(8)]).expect_err("another one learns").code, Code::WriteFailed);
        assert!(!home.path().join(FILE).exists());
        drop(held);
        secrets.learn(&[&named(8)]).expect("learned");
    }

    #[test]
    fn hooks_that_learn_at_once_lose_nothing() {
        let home = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for at in 0..4 {
                let secrets = SecretHashFile::of(home.path());
                scope.spawn(move || while secrets.learn(&[&named(at)]).is_err() {});
            }
        });
        let known = SecretHashFile::of(home.path()).load();
        assert!((0..4).all(|at| known.find(&named(at)).len() == 1), "{known}");
    }
}
