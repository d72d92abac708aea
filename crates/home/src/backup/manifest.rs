//! `manifest.json`: the content of a backup, with typed values.
//!
//! Parsing validates: a [`Manifest`] has safe paths, and hashes, times and sizes within limits, and no path twice or
//! below a file. Version 2 adds modes, times and folders to version 1, which can still be read.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use inwit_model::name::shown;
use inwit_model::{HomeId, Sha256};
use jiff::Timestamp;
use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::path::BackupPath;
use crate::limit::{BACKUP_BYTES_MAX, BACKUP_ENTRIES_MAX, BACKUP_PATH_BYTES_MAX, BACKUP_VERSION_CHARS_MAX};

/// The version that this program writes.
pub const FORMAT: u32 = 2;

/// The versions that this program reads.
const FORMATS: [u32; 2] = [1, FORMAT];

/// The content of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The version, 1 or 2.
    #[serde(deserialize_with = "format")]
    pub format: u32,
    /// The version of inwit that made it.
    #[serde(deserialize_with = "version")]
    pub inwit: String,
    /// Time of the backup.
    #[serde(with = "moment")]
    pub made: Timestamp,
    /// The agent, or the folder without an agent.
    #[serde(with = "home_id")]
    pub agent: HomeId,
    /// The former workspace, `None` if it was in the agent's home.
    pub workspace: Option<FormerPlace>,
    /// Its files.
    pub files: Vec<KeptFile>,
    /// Folders of the workspace below its root, since version 2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<KeptFolder>,
}

/// One file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptFile {
    /// Path in the backup.
    pub path: BackupPath,
    /// Its size.
    pub bytes: u64,
    /// Its sha256.
    #[serde(with = "sha256")]
    pub sha256: Sha256,
    /// Whether its owner may execute it: all that version 1 stores of its mode.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
    /// Its mode, since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Modification time, since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "maybe_moment")]
    pub modified: Option<Timestamp>,
}

impl KeptFile {
    /// Its mode, from its entry or from version 1.
    pub fn mode(&self) -> Mode {
        self.mode.unwrap_or(if self.executable { Mode(0o700) } else { Mode(0o600) })
    }
}

/// One folder of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptFolder {
    /// Path in the backup.
    pub path: BackupPath,
    /// Its mode.
    pub mode: Mode,
    /// Modification time.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "maybe_moment")]
    pub modified: Option<Timestamp>,
}

/// Permission bits of a file or folder, as three or four octal digits. Set-id and sticky bits are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Mode(u32);

impl Mode {
    /// The permission bits of a system mode.
    pub fn of(mode: u32) -> Self {
        Self(mode & 0o777)
    }

    /// The mode of a restored file: readable and writable for its owner, not writable for others.
    pub fn of_file(self) -> u32 {
        self.0 & !0o002 | 0o600
    }

    /// The same for a folder.
    pub fn of_folder(self) -> u32 {
        self.0 & !0o002 | 0o700
    }
}

impl From<Mode> for String {
    fn from(mode: Mode) -> Self {
        format!("{:04o}", mode.0)
    }
}

impl TryFrom<String> for Mode {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_octal =
            (3..=4).contains(&text.len()) && text.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
        let bits = is_octal.then(|| u32::from_str_radix(&text, 8).ok()).flatten();
        bits.filter(|bits| bits & !0o777 == 0)
            .map(Self)
            .ok_or_else(|| format!("`{}` is not a mode such as 0644", shown(&text)))
    }
}

/// The former place of a workspace. It is shown to a person and never used as a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FormerPlace(String);

impl FormerPlace {
    /// The place at `path`. Error: it cannot be in a manifest.
    pub fn of(path: &Path) -> Result<Self, String> {
        let text = path.to_str().ok_or("the path of the workspace is not UTF-8")?;
        Self::try_from(text.to_owned())
    }

    /// The path, for comparison with a chosen one.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(&self.0)
    }
}

impl fmt::Display for FormerPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl From<FormerPlace> for String {
    fn from(place: FormerPlace) -> Self {
        place.0
    }
}

impl TryFrom<String> for FormerPlace {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let fits = text.starts_with('/')
            && text.len() <= BACKUP_PATH_BYTES_MAX
            && !text.chars().any(char::is_control);
        if fits { Ok(Self(text)) } else { Err(format!("`{}` is not the path of a workspace", shown(&text))) }
    }
}

impl Manifest {
    /// Parses the bytes of a manifest. Error: the end of a sentence.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let manifest: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        manifest.checked()
    }

    /// Refuses inconsistent entries: duplicate paths, a path below a file, too many bytes.
    pub fn checked(self) -> Result<Self, String> {
        if self.files.len() + self.folders.len() > BACKUP_ENTRIES_MAX {
            return Err(format!("it names more than {BACKUP_ENTRIES_MAX} files and folders"));
        }
        let total = self.files.iter().try_fold(0, |sum: u64, kept| sum.checked_add(kept.bytes));
        if total.is_none_or(|total| total > BACKUP_BYTES_MAX) {
            return Err(format!("its files have more than {BACKUP_BYTES_MAX} bytes in all"));
        }
        let mut files = HashSet::new();
        if let Some(kept) =
            self.files.iter().find(|kept| !files.insert((kept.path.side(), kept.path.below())))
        {
            return Err(format!("it lists `{}` twice", shown(&kept.path.to_string())));
        }
        let mut folders = HashSet::new();
        if let Some(kept) = self.folders.iter().find(|kept| !folders.insert(&kept.path)) {
            return Err(format!("it lists `{}` twice", shown(&kept.path.to_string())));
        }
        let is_below_file =
            |path: &BackupPath| path.folders().any(|folder| files.contains(&(path.side(), folder)));
        let all = self.files.iter().map(|kept| &kept.path);
        if let Some(path) = all.chain(folders.iter().copied()).find(|path| is_below_file(path)) {
            return Err(format!("`{}` is below a file", shown(&path.to_string())));
        }
        if let Some(path) = folders.iter().find(|path| files.contains(&(path.side(), path.below()))) {
            return Err(format!("`{}` is both a file and a folder", shown(&path.to_string())));
        }
        if self.has_workspace_history() && self.workspace.is_some() {
            return Err("it contains a repository in a workspace that inwit did not create".to_owned());
        }
        Ok(self)
    }

    /// Whether it has a history from the workspace.
    pub fn has_workspace_history(&self) -> bool {
        let files = self.files.iter().map(|kept| &kept.path);
        files.chain(self.folders.iter().map(|kept| &kept.path)).any(BackupPath::is_workspace_history)
    }

    /// Total size of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|kept| kept.bytes).sum()
    }
}

fn format<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let format = u32::deserialize(from)?;
    if FORMATS.contains(&format) {
        return Ok(format);
    }
    Err(D::Error::custom(format!(
        "the backup has format {format}, but this version of inwit reads formats 1 and {FORMAT}; use a \
         newer version"
    )))
}

fn version<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    if (1..=BACKUP_VERSION_CHARS_MAX).contains(&text.len()) && text.chars().all(fits) {
        return Ok(text);
    }
    Err(D::Error::custom(format!("`{}` is not a version", shown(&text))))
}

/// `serde(with)` for a type that is parsed from and printed as text.
macro_rules! as_text {
    ($module:ident, $type:ty, $parse:expr, $what:literal) => {
        mod $module {
            use super::*;

            pub fn serialize<S: Serializer>(value: &$type, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(value)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let text = String::deserialize(from)?;
                $parse(&text)
                    .ok_or_else(|| D::Error::custom(format!(concat!("`{}` is not ", $what), shown(&text))))
            }
        }
    };
}

as_text!(moment, Timestamp, |text: &str| text.parse().ok(), "a time such as 2026-11-21T14:03:00Z");
as_text!(home_id, HomeId, |text: &str| HomeId::parse(text).ok(), "the id of an agent or of a folder");
as_text!(sha256, Sha256, Sha256::parse, "a SHA-256");

mod maybe_moment {
    use super::*;

    pub fn serialize<S: Serializer>(value: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(at) => moment::serialize(at, to),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
        moment::deserialize(from).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn with(format: u32, top: &str, file: &str, more: &str) -> Result<Manifest, String> {
        let text = format!(
            r#"{{"format":{format},"inwit":"0.1.0","made":"2026-11-21T14:03:00Z",{top},
               "files":[{{"path":"workspace/a","bytes":0,"sha256":"{HASH}"{file}}}{more}]}}"#
        );
        Manifest::parse(text.as_bytes())
    }

    const MAIN: &str = r#""agent":"main","workspace":null"#;

    fn file(path: &str, bytes: u64) -> String {
        format!(r#",{{"path":"{path}","bytes":{bytes},"sha256":"{HASH}"}}"#)
    }

    #[test]
    fn the_form_before_is_still_read() {
        let old = with(1, MAIN, r#","executable":true"#, "").expect("read");
        assert_eq!((old.format, old.files[0].mode().of_file(), old.files[0].modified), (1, 0o700, None));
        let new = with(2, MAIN, r#","mode":"0644","modified":"2026-11-20T08:00:00.5Z""#, "").expect("read");
        assert_eq!(new.files[0].mode().of_file(), 0o644);
        let text = serde_json::to_vec(&new).expect("JSON");
        assert_eq!(Manifest::parse(&text), Ok(new), "what is written is read back");
    }

    #[test]
    fn each_value_that_is_not_of_its_type_is_refused() {
        let refused = |read: Result<Manifest, String>, why: &str| {
            let error = read.expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        refused(with(3, MAIN, "", ""), "format 3");
        for agent in ["ws-/../../../x", "../x", "Main", ""] {
            refused(with(2, &format!(r#""agent":"{agent}","workspace":null"#), "", ""), "id of an agent");
        }
        for place in ["notes", "~/notes", "", "/a\\nb"] {
            refused(
                with(2, &format!(r#""agent":"main","workspace":"{place}""#), "", ""),
                "path of a workspace",
            );
        }
        for mode in ["4755", "01777", "x", "0800", "-644", "00644"] {
            refused(with(2, MAIN, &format!(r#","mode":"{mode}""#), ""), "mode such as");
        }
        refused(with(2, MAIN, r#","modified":"yesterday""#, ""), "a time");
        refused(with(2, MAIN, r#","setuid":true"#, ""), "unknown field");
        refused(with(2, MAIN, "", &file("workspace/../x", 0)), "outside the backup");
        refused(with(2, MAIN, "", &file("workspace/a", 0)), "twice");
        refused(with(2, MAIN, "", &file("workspace/a/b", 0)), "below a file");
        refused(with(2, MAIN, "", &file("workspace/b", BACKUP_BYTES_MAX + 1)), "bytes in all");
        refused(
            with(2, MAIN, "", &format!("{}{}", file("workspace/b", u64::MAX), file("workspace/c", 1))),
            "bytes",
        );
        refused(with(2, MAIN, "", &file("workspace/b", 0).replace(HASH, "00")), "a SHA-256");
        let elsewhere = r#""agent":"main","workspace":"/notes""#;
        refused(with(2, elsewhere, "", &file("workspace/.git/HEAD", 0)), "did not create");
    }

    #[test]
    fn others_never_get_the_right_to_write() {
        assert_eq!((Mode::of(0o100_777).of_file(), Mode::of(0o777).of_folder()), (0o775, 0o775));
        assert_eq!((Mode::of(0).of_file(), Mode::of(0o555).of_folder()), (0o600, 0o755));
    }
}
