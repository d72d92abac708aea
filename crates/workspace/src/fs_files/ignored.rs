//! Which files a listing marks as ignored: by git's rules, by `.inwitignore`, in venvs and caches.
//!
//! The `.gitignore` and `.inwitignore` files of walked folders are read as in git: the nearest folder decides, in a
//! file the last line, and everything below an ignored folder is ignored. In one folder, `.inwitignore` takes
//! precedence. Invariants: only ordinary pages are ignored, never files known by name or folder; ignored files are
//! still listed, so that `forget` reports them.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::limit::IGNORE_FILE_BYTES_MAX;
use crate::syscalls::{DirEntry, Syscalls};

/// Files of rules, the last of which decides.
pub(crate) const IGNORE_FILES: [&str; 2] = [".gitignore", ".inwitignore"];

/// Files that mark a tool's folder: a venv, or a cache by the convention of bford.info/cachedir.
const TOOL_MARKS: [&str; 2] = ["pyvenv.cfg", "CACHEDIR.TAG"];

/// The rules of the folders from the root to the one that is walked.
#[derive(Default)]
pub(super) struct Ignored {
    rules: Vec<FolderRules>,
}

struct FolderRules {
    /// Bytes of the folder's path and the slash behind it.
    prefix: usize,
    rules: Gitignore,
}

impl Ignored {
    /// Reads the rules that `dir` holds, whose path is `path`. Returns whether it has any; then [`leave`](Self::leave)
    /// takes them away.
    pub fn enter<S: Syscalls>(
        &mut self,
        syscalls: &S,
        dir: &S::Dir,
        found: &[DirEntry],
        path: &[u8],
    ) -> bool {
        let mut builder = GitignoreBuilder::new("");
        let mut is_empty = true;
        for file in IGNORE_FILES {
            if !found.iter().any(|one| one.name == file.as_bytes()) {
                continue;
            }
            let Some(text) = read(syscalls, dir, file) else { continue };
            for line in text.trim_start_matches('\u{feff}').lines() {
                // A line that is no pattern is passed over, as git does.
                is_empty &= builder.add_line(None, line).is_err();
            }
        }
        let Some(rules) = builder.build().ok().filter(|_| !is_empty) else { return false };
        self.rules.push(FolderRules { prefix: if path.is_empty() { 0 } else { path.len() + 1 }, rules });
        true
    }

    /// Takes away the rules of the folder that was entered last.
    pub fn leave(&mut self) {
        self.rules.pop();
    }

    /// Whether rules leave `path` out, in a folder that is not left out itself.
    pub fn is_ignored(&self, path: &[u8], is_folder: bool) -> bool {
        let Ok(path) = std::str::from_utf8(path) else { return false };
        let decided = self.rules.iter().rev().find_map(|folder| {
            let matched = folder.rules.matched(path.get(folder.prefix..)?, is_folder);
            (!matched.is_none()).then(|| matched.is_ignore())
        });
        decided.unwrap_or(false)
    }
}

/// Whether a folder that holds `found` is a venv or a cache.
pub(super) fn is_of_a_tool(found: &[DirEntry]) -> bool {
    found.iter().any(|one| TOOL_MARKS.iter().any(|mark| one.name == mark.as_bytes()))
}

/// The text of a file of rules, up to the last whole line within the limit.
fn read<S: Syscalls>(syscalls: &S, dir: &S::Dir, file: &str) -> Option<String> {
    let mut file = syscalls.open_read(dir, file.as_bytes()).ok()?;
    let mut bytes = vec![0; IGNORE_FILE_BYTES_MAX];
    let mut length = 0;
    while length < bytes.len() {
        match syscalls.read(&mut file, &mut bytes[length..]).ok()? {
            0 => break,
            count => length += count,
        }
    }
    if length == bytes.len() {
        length = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    }
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}
