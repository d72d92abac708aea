//! Configuration files of other programs: read and replaced as a whole, keeping the mode.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use inwit_home::own;
use inwit_model::Code;
use inwit_workspace::plain;

use crate::error::CliError;

/// Largest file of a host that is read, in bytes.
const FOREIGN_FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Most links that are followed to one file, as on Linux.
const LINKS_MAX: usize = 40;

/// Reads a file, `None` if it does not exist and can be created. Links are followed.
pub fn read(path: &Path) -> Result<Option<String>, CliError> {
    let file = match plain::open(path) {
        Ok(Some(file)) => file,
        Ok(None) => return target(path).map(|_| None),
        Err(error) => return Err(unfit(path, &error.kind().to_string())),
    };
    let mut bytes = Vec::new();
    let read = file.take(FOREIGN_FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| unfit(path, &error.kind().to_string()))?;
    if bytes.len() as u64 > FOREIGN_FILE_BYTES_MAX {
        return Err(unfit(path, "it has more than 64 MiB"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| unfit(path, "it is not UTF-8"))
}

/// Replaces or creates a file; of a link its target.
pub fn write(path: &Path, text: &str) -> Result<(), CliError> {
    Ok(replace(&target(path)?, text.as_bytes()).map_err(|error| own::failed(path, &error))?)
}

/// The target of links at `path`, even if it does not exist. A link into a missing folder is refused, since a disk
/// may be unmounted.
fn target(path: &Path) -> Result<PathBuf, CliError> {
    let mut at = path.to_owned();
    for _ in 0..LINKS_MAX {
        if let Ok(next) = std::fs::read_link(&at) {
            at = at.parent().unwrap_or(Path::new("/")).join(next);
            continue;
        }
        let above = at.ancestors().skip(1).find(|folder| folder.symlink_metadata().is_ok());
        return match above {
            Some(folder) if !folder.is_dir() => {
                Err(unfit(path, &format!("{} is neither a folder nor a link to one", folder.display())))
            }
            Some(folder) if at != path && Some(folder) != at.parent() => {
                Err(unfit(path, &format!("it is a link to {}, whose folder does not exist", at.display())))
            }
            _ => Ok(at),
        };
    }
    Err(unfit(path, "its links do not resolve"))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    own::make_folder(folder)?;
    let mut file = own::draft_in(folder)?;
    file.write_all(bytes)?;
    if let Ok(before) = path.metadata() {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// Removes drafts beside a file that killed processes of ours left.
pub fn sweep_drafts(path: &Path) -> Result<(), CliError> {
    Ok(own::sweep_drafts(target(path)?.parent().unwrap_or(Path::new("/")))?)
}

/// Removes a file that we created, but not a link to it, and the folders created for it if they are empty.
pub fn remove(path: &Path, folders: &[PathBuf]) -> Result<(), CliError> {
    own::unless_gone(std::fs::remove_file(target(path)?)).map_err(|error| own::failed(path, &error))?;
    for folder in folders {
        if std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

/// The missing parent folders of `path`, deepest first.
pub fn missing_folders(path: &Path) -> Vec<PathBuf> {
    path.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_path_buf).collect()
}

/// The error for an unsuitable file.
pub fn unfit(path: &Path, why: &str) -> CliError {
    CliError::new(Code::SettingBad, format!("{} cannot be used: {why}.", path.display()))
        .hint("Nothing was changed. Fix the file, then run the same command again.")
}
