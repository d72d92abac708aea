//! Published question sets: a file or a folder that is read and hashed, never stored.
//!
//! Published sets are large lists (265 MB for 500 questions), so a list is read item by item. Invariant: the reported
//! hash is the `sha256sum` of the file that was read.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader};
use std::marker::PhantomData;
use std::path::Path;

use inwit_home::HomeError;
use inwit_model::{Code, SafeName, Sha256};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, SeqAccess, Visitor};

/// Callback for each item of a list.
type Each<'a, T> = dyn FnMut(T) -> Result<(), HomeError> + 'a;

/// Calls `each` with every item of the JSON list in `path`, in order, holding one at a time.
/// Errors: `file_missing`, `file_unreadable`, `dataset_bad`, and those of `each`.
pub fn each_of_list<T: DeserializeOwned>(path: &Path, each: &mut Each<'_, T>) -> Result<(), HomeError> {
    let mut failed = None;
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(open(path)?));
    let items = Items { each, failed: &mut failed, count: 0, item: PhantomData };
    let read = json.deserialize_seq(items).and_then(|count| json.end().map(|()| count));
    match (failed, read) {
        (Some(error), _) => Err(error),
        (None, Ok(0)) => Err(bad(path, "the list is empty")),
        (None, Ok(_)) => Ok(()),
        (None, Err(error)) => Err(bad(path, &error.to_string())),
    }
}

/// Calls `each` with every line of `path`, each a JSON object; blank lines are left out.
/// Errors: as [`each_of_list`].
pub fn each_line<T: DeserializeOwned>(path: &Path, each: &mut Each<'_, T>) -> Result<(), HomeError> {
    let text = io::BufRead::lines(BufReader::new(open(path)?));
    for (number, line) in (1_usize..).zip(text) {
        let line = line.map_err(|error| unread(path, &error))?;
        if line.trim().is_empty() {
            continue;
        }
        let item = serde_json::from_str(&line);
        each(item.map_err(|error| bad(path, &format!("line {number}: {error}")))?)?;
    }
    Ok(())
}

/// The sha256 of a file, as `sha256sum` prints it. Errors: `file_missing`, `file_unreadable`.
pub fn sha256(path: &Path) -> Result<Sha256, HomeError> {
    let (_, hash) = Sha256::copy(&mut open(path)?, &mut io::sink()).map_err(|error| unread(path, &error))?;
    Ok(hash)
}

/// One hash for several texts with names: of the lines `sha256  name` that `sha256sum` prints for them.
#[derive(Debug, Default)]
pub struct ListHash(String);

impl ListHash {
    /// Adds a text.
    pub fn add(&mut self, name: &str, hash: Sha256) {
        self.0.push_str(&format!("{hash}  {name}\n"));
    }

    /// The hash of all lines.
    pub fn hash(&self) -> Sha256 {
        Sha256::of(self.0.as_bytes())
    }
}

/// Opens a file of the set. Errors: `file_missing`, `file_unreadable`.
pub fn open(path: &Path) -> Result<File, HomeError> {
    let file = File::open(path).map_err(|error| unread(path, &error))?;
    if file.metadata().is_ok_and(|found| found.is_dir()) {
        return Err(unread(path, &io::ErrorKind::IsADirectory.into()));
    }
    Ok(file)
}

/// The error of a file that cannot be read.
pub fn unread(path: &Path, error: &io::Error) -> HomeError {
    let code = match error.kind() {
        io::ErrorKind::NotFound => Code::FileMissing,
        _ => Code::FileUnreadable,
    };
    HomeError::new(code, format!("{} cannot be read: {error}.", path.display()))
        .hint("Name the file or folder as its authors publish it; docs/guides/benchmark.md says which.")
}

/// The error for a file in the wrong format.
pub fn bad(path: &Path, why: &str) -> HomeError {
    HomeError::new(
        Code::DatasetBad,
        format!("{} is no such data: {}.", path.display(), why.trim_end_matches('.')),
    )
}

/// A name from the set, made safe. Error: `dataset_bad`.
pub fn safe_name(path: &Path, name: &str) -> Result<SafeName, HomeError> {
    SafeName::parse(name).map_err(|error| bad(path, &error.to_string()))
}

/// The last part of a path, for manifests, which must not contain paths.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A value that some sets give as a number and others as text.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One text.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl OneOrMany {
    /// All of them.
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

/// The items of a list as they are read.
struct Items<'a, 'e, T> {
    each: &'a mut Each<'e, T>,
    /// The error of `each`, which the parser cannot carry.
    failed: &'a mut Option<HomeError>,
    count: usize,
    item: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Items<'_, '_, T> {
    type Value = usize;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<usize, A::Error> {
        while let Some(item) = items.next_element::<T>()? {
            if let Err(error) = (self.each)(item) {
                *self.failed = Some(error);
                return Err(A::Error::custom("stopped"));
            }
            self.count += 1;
        }
        Ok(self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, HomeError> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        #[expect(clippy::disallowed_methods, reason = "data of a test")]
        std::fs::write(file.path(), text).expect("written");
        let mut seen = Vec::new();
        each_of_list(file.path(), &mut |item: u8| {
            seen.push(item);
            if item == 9 { Err(HomeError::new(Code::UsageBad, "nine.")) } else { Ok(()) }
        })
        .map(|()| seen)
    }

    #[test]
    fn a_list_is_read_item_by_item_and_what_is_none_is_told() {
        assert_eq!(read("[1, 2]").expect("read"), [1, 2]);
        assert_eq!(read("[1, 9, x").expect_err("stopped").code, Code::UsageBad);
        for other in ["", "[]", "{}", "[1, 2", "[1] [2]", "[\"a\"]"] {
            assert_eq!(read(other).expect_err(other).code, Code::DatasetBad);
        }
    }

    #[test]
    fn a_file_that_is_not_there_and_a_folder_are_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(sha256(&folder.path().join("none")).expect_err("none").code, Code::FileMissing);
        assert_eq!(sha256(folder.path()).expect_err("a folder").code, Code::FileUnreadable);
    }
}
