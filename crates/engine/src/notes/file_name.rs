//! Which file a person means by the name of a note: a path, or the name without its folders and ending.
//!
//! Invariant: only files that the scope sees are found, and only their names are suggested.

use inwit_gate::readable;
use inwit_model::distance::distance;
use inwit_model::{Code, Place, SafeName, Scope};
use inwit_workspace::ScopedReader as _;

use crate::{EngineError, Notes};

/// Most files that an error names.
const NAMED_MAX: usize = 5;

/// Fewest characters of a name for each letter in which it may be mistyped.
const CHARS_PER_TYPO: usize = 4;

impl Notes {
    /// The file at `path`, else the one file whose name without folders and ending is `path`, in the same case or else in
    /// another. A path that is refused or names no file, and is near no name, is given back as it is: reading it says why.
    /// Error: `file_missing` where several files have the name, or none has and one is near.
    pub fn file_called(&self, scope: &Scope, path: &str) -> Result<String, EngineError> {
        let view = self.core.view(scope);
        let Ok(name) = SafeName::parse(path) else { return Ok(path.to_owned()) };
        if readable(&name).is_ok() && !matches!(view.stamp(&name), Ok(None)) {
            return Ok(path.to_owned());
        }
        // Of a skill, others than the owner know name and description only (D3).
        let is_seen = |name: &SafeName| {
            readable(name).is_ok_and(|place| *scope == Scope::Main || !matches!(place, Place::Skill { .. }))
        };
        let entries = view.list()?.entries;
        let names: Vec<&SafeName> =
            entries.iter().map(|entry| &entry.name).filter(|name| is_seen(name)).collect();
        let lower = path.to_lowercase();
        let called = |is_same: &dyn Fn(&str) -> bool| -> Vec<&SafeName> {
            names.iter().filter(|name| forms(name).into_iter().any(is_same)).copied().collect()
        };
        let mut found = called(&|form| form == path);
        if found.is_empty() {
            found = called(&|form| form.to_lowercase() == lower);
        }
        let missing = |message: String| Err(EngineError::new(Code::FileMissing, message));
        match found.as_slice() {
            [one] => return Ok(one.to_string()),
            [] => {}
            several => {
                let named: Vec<&str> = several.iter().take(NAMED_MAX).map(|name| name.as_str()).collect();
                let more = if several.len() > NAMED_MAX { ", …" } else { "" };
                let (count, named) = (several.len(), named.join(", "));
                return missing(format!(
                    "`{path}` is the name of {count} files; name one by its path: {named}{more}"
                ));
            }
        }
        let typos_max = path.chars().count() / CHARS_PER_TYPO;
        let typos = |name: &&SafeName| {
            forms(name)
                .into_iter()
                .map(|form| distance(&form.to_lowercase(), &lower))
                .min()
                .unwrap_or(usize::MAX)
        };
        match names.into_iter().map(|name| (typos(&name), name)).min() {
            Some((typos, near)) if typos <= typos_max => {
                missing(format!("No file `{path}`. Did you mean {near}?"))
            }
            _ if !path.contains('.') => missing(format!("No file `{path}`.")),
            _ => Ok(path.to_owned()),
        }
    }
}

/// What a person may call a file: its path, the path without ending, its name, and the name without ending.
fn forms(name: &SafeName) -> [&str; 4] {
    let path = name.as_str();
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    let stem = |name: &str| name.rsplit_once('.').map_or(name.len(), |(stem, _)| stem.len());
    [path, &path[..stem(path)], file, &file[..stem(file)]]
}
