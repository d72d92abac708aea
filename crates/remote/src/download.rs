//! Downloads files with known hashes into a folder.
//!
//! Partial data is in `NAME.part`, so that an interrupted download resumes. Invariants: a file gets its name only
//! when verified and synced; nothing beyond its known size is read; a redirect may lead to another host, since no key
//! is sent and the hash decides, but never to plain http on another machine.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use inwit_model::Sha256;
use inwit_outbound::client::{Answer, Broken, Client};
use inwit_outbound::retry::{self, Pace};
use inwit_outbound::{Address, Patience};
use sha2::{Digest as _, Sha256 as Hasher};

/// Redirects that are followed for one file.
pub const REDIRECTS_MAX: usize = 5;

/// Retries of one file while each attempt makes progress.
pub const DOWNLOAD_TRIES_MAX: u32 = 50;

/// A file, and where it is.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Its name in the folder.
    pub name: String,
    /// Where it is fetched.
    pub address: Address,
    /// Its size.
    pub bytes: u64,
    /// Its hash.
    pub sha256: Sha256,
}

/// Why a file was not fetched.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// No complete answer. Partial data is kept for resuming.
    #[error("{from} {why}.")]
    Unreached {
        /// Scheme, host and port.
        from: String,
        /// The rest of the sentence.
        why: String,
    },
    /// A server answered without the file.
    #[error("{from} does not provide {name}: {why}.")]
    Refused {
        /// Scheme, host and port.
        from: String,
        /// The file.
        name: String,
        /// What it said instead.
        why: String,
    },
    /// What came is another file.
    #[error("The file {from} sent as {name} is a different one: {why}. It was removed.")]
    Wrong {
        /// Scheme, host and port.
        from: String,
        /// The file.
        name: String,
        /// How it differs.
        why: String,
    },
    /// The folder cannot take it.
    #[error("{} cannot be written: {error}.", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Downloads `wanted` into `folder`, which must exist. Intact files are kept. `watch` gets the number of bytes and
/// the total.
pub fn download(
    wanted: &[Wanted],
    folder: &Path,
    patience: Patience,
    pace: &dyn Pace,
    watch: &mut dyn FnMut(u64, u64),
) -> Result<(), DownloadError> {
    let (client, of) = (Client::new(patience), wanted.iter().map(|file| file.bytes).sum());
    let mut before = 0;
    for file in wanted {
        fetch(&client, file, folder, pace, &mut |done| watch(before + done, of))?;
        before += file.bytes;
        watch(before, of);
    }
    Ok(())
}

fn fetch(
    client: &Client,
    wanted: &Wanted,
    folder: &Path,
    pace: &dyn Pace,
    watch: &mut dyn FnMut(u64),
) -> Result<(), DownloadError> {
    let target = folder.join(&wanted.name);
    if is_whole(&target, wanted).map_err(disk(&target))? {
        return Ok(());
    }
    let path = folder.join(format!("{}.part", wanted.name));
    let mut part = Part::open(&path, wanted).map_err(disk(&path))?;
    let (mut tries, mut idle) = (0, 0);
    while part.bytes < wanted.bytes {
        let had = part.bytes;
        match part.go_on(client, wanted, watch) {
            Ok(()) => {}
            Err(Cut::Ends(error)) => {
                if matches!(error, DownloadError::Wrong { .. }) {
                    fs::remove_file(&path).map_err(disk(&path))?;
                }
                return Err(error);
            }
            Err(Cut::Again { why, asked }) => {
                (tries, idle) = (tries + 1, if part.bytes > had { 1 } else { idle + 1 });
                let pause = retry::pause(idle, asked, pace.chance()).filter(|_| tries < DOWNLOAD_TRIES_MAX);
                let Some(pause) = pause else {
                    return Err(DownloadError::Unreached { from: wanted.address.to_string(), why });
                };
                pace.wait(pause);
            }
        }
    }
    let found = part.hash();
    if found != wanted.sha256 {
        fs::remove_file(&path).map_err(disk(&path))?;
        let why = format!("its SHA-256 is {found}, not {}", wanted.sha256);
        return Err(wrong(wanted, why));
    }
    part.file.sync_all().map_err(disk(&path))?;
    fs::rename(&path, &target).map_err(disk(&target))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(disk(folder))
}

/// Why a request brought no whole file.
enum Cut {
    /// Asking again may help.
    Again { why: String, asked: Option<std::time::Duration> },
    /// It does not.
    Ends(DownloadError),
}

/// What came of a file so far.
struct Part {
    path: PathBuf,
    file: File,
    bytes: u64,
    hasher: Hasher,
}

impl Part {
    /// Opens what an earlier fetch left, or begins.
    fn open(path: &Path, wanted: &Wanted) -> io::Result<Self> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
        let (mut hasher, mut bytes, mut piece) = (Hasher::new(), 0, vec![0; 64 * 1024]);
        // One that has more than the whole file is none of its parts.
        if file.metadata()?.len() > wanted.bytes {
            file.set_len(0)?;
        }
        loop {
            match file.read(&mut piece)? {
                0 => break,
                count => {
                    hasher.update(&piece[..count]);
                    bytes += count as u64;
                }
            }
        }
        Ok(Self { path: path.to_owned(), file, bytes, hasher })
    }

    /// Asks for what is missing and keeps what comes.
    fn go_on(&mut self, client: &Client, wanted: &Wanted, watch: &mut dyn FnMut(u64)) -> Result<(), Cut> {
        let answer = followed(client, wanted, self.bytes)?;
        match answer.status {
            206 if begins_at(&answer, self.bytes) => {}
            // A server without range support restarts, and so do we.
            200 => self.begin_anew().map_err(Cut::disk(&self.path))?,
            416 => {
                self.begin_anew().map_err(Cut::disk(&self.path))?;
                return Err(Cut::Again { why: "has no more data of it".into(), asked: None });
            }
            status if status == 429 || status >= 500 => {
                let asked = retry::asked(answer.header("Retry-After"));
                return Err(Cut::Again {
                    why: format!("is unavailable or limits requests (status {status})"),
                    asked,
                });
            }
            status => return Err(Cut::Ends(refused(wanted, format!("status {status}")))),
        }
        let (mut failed, mut is_longer) = (None, false);
        let ended = answer.pieces(&mut |piece| {
            is_longer = self.bytes + piece.len() as u64 > wanted.bytes;
            if is_longer {
                return false;
            }
            failed = self.file.write_all(piece).err();
            if failed.is_some() {
                return false;
            }
            self.hasher.update(piece);
            self.bytes += piece.len() as u64;
            watch(self.bytes);
            true
        });
        if let Some(error) = failed {
            return Err(Cut::disk(&self.path)(error));
        }
        if is_longer {
            return Err(Cut::Ends(wrong(wanted, format!("it has more than {} bytes", wanted.bytes))));
        }
        ended.map_err(Cut::broken)?;
        if self.bytes < wanted.bytes {
            return Err(Cut::Again {
                why: format!("ended after {} of {} bytes", self.bytes, wanted.bytes),
                asked: None,
            });
        }
        Ok(())
    }

    fn begin_anew(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        (self.bytes, self.hasher) = (0, Hasher::new());
        Ok(())
    }

    fn hash(&self) -> Sha256 {
        Sha256(self.hasher.clone().finalize().into())
    }
}

/// The answer at the end of redirects.
fn followed(client: &Client, wanted: &Wanted, from: u64) -> Result<Answer, Cut> {
    let mut address = wanted.address.clone();
    for _ in 0..=REDIRECTS_MAX {
        let answer = client.get(&address, from).map_err(Cut::broken)?;
        if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
            return Ok(answer);
        }
        let to = answer.header("Location").map(|location| address.redirected(location));
        address = match to {
            Some(Ok(to)) => to,
            Some(Err(error)) => {
                return Err(Cut::Ends(refused(wanted, format!("it redirects, but {error}"))));
            }
            None => {
                return Err(Cut::Ends(refused(wanted, "it redirects without an address".into())));
            }
        };
    }
    Err(Cut::Ends(refused(wanted, format!("it redirects more than {REDIRECTS_MAX} times"))))
}

/// Whether a part of the file begins at `from`: `Content-Range: bytes FROM-TO/SIZE`.
fn begins_at(answer: &Answer, from: u64) -> bool {
    let range = answer.header("Content-Range").and_then(|text| text.strip_prefix("bytes "));
    range.and_then(|range| range.split('-').next()?.parse().ok()) == Some(from)
}

/// Whether `path` is the file that is wanted; `false` where there is none.
fn is_whole(path: &Path, wanted: &Wanted) -> io::Result<bool> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    Ok(file.metadata()?.len() == wanted.bytes
        && Sha256::copy(&mut file, &mut io::sink())? == (wanted.bytes, wanted.sha256))
}

impl Cut {
    fn broken(broken: Broken) -> Self {
        Self::Again { why: broken.why, asked: None }
    }

    fn disk(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let failed = disk(path);
        |error| Self::Ends(failed(error))
    }
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> DownloadError {
    let path = path.to_owned();
    |error| DownloadError::Disk { path, error }
}

fn refused(wanted: &Wanted, why: String) -> DownloadError {
    DownloadError::Refused { from: wanted.address.to_string(), name: wanted.name.clone(), why }
}

fn wrong(wanted: &Wanted, why: String) -> DownloadError {
    DownloadError::Wrong { from: wanted.address.to_string(), name: wanted.name.clone(), why }
}
