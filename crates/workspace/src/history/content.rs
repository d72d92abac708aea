//! Past contents: a file at a commit, its former names, and diffs.
//!
//! Invariant: objects are read without filters, so contents are returned byte for byte.

use std::io::{BufRead, Write};
use std::time::Duration;

use inwit_model::SafeName;

use super::error::HistoryError;
use super::{History, MAIN, Oid, Rev};
use crate::diff;
use crate::limit::{HISTORY_OUTPUT_BYTES_MAX, HISTORY_READ_SECONDS_MAX};

impl History {
    /// The bytes of `name` at `at`, `None` where it did not stand then.
    /// Errors: `revision_unknown`, `history_failed`.
    pub fn show(&self, at: &Rev, name: &SafeName) -> Result<Option<Vec<u8>>, HistoryError> {
        let oid = self.resolve(at)?;
        let object = self.objects(&[format!("{oid}:{name}")])?.pop().flatten();
        Ok(object.and_then(Object::blob))
    }

    /// The bytes of `name` at the first of `commits` where `is_it` takes them; `None` where it never does.
    /// Errors: `history_failed`.
    pub fn first(
        &self,
        name: &SafeName,
        commits: &[Oid],
        is_it: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Option<Vec<u8>>, HistoryError> {
        let lines: Vec<String> = commits.iter().map(|oid| format!("{oid}:{name}")).collect();
        let (within, mut found) = (Duration::from_secs(HISTORY_READ_SECONDS_MAX), None);
        self.git.stream(&["cat-file", "--batch"], &lines, within, &mut |answer| {
            let Some(head) = Head::read(answer)? else { return Ok(false) };
            let bytes = head.read_bytes(answer)?;
            if head.is_blob() && is_it(&bytes) {
                found = Some(bytes);
            }
            Ok(found.is_none())
        })?;
        Ok(found)
    }

    /// The files that stood at `at`, in byte order. What a person's own commit holds beside them, such
    /// as `.gitignore`, is no file of a workspace and not among them. Errors: as [`Self::show`].
    pub fn names(&self, at: &Rev) -> Result<Vec<SafeName>, HistoryError> {
        let oid = self.resolve(at)?.to_string();
        let listed = self.git.read(&["ls-tree", "-r", "-z", "--name-only", "--full-tree", &oid], None)?;
        Ok(names(&listed))
    }

    /// The same files, each with the object that holds its bytes and their number. Links and repositories within
    /// are no files. Errors: as [`Self::show`].
    pub fn tree(&self, at: &Rev) -> Result<Vec<(SafeName, Oid, u64)>, HistoryError> {
        let oid = self.resolve(at)?.to_string();
        let listed = self.git.read(&["ls-tree", "-r", "-z", "-l", "--full-tree", &oid], None)?;
        let mut files = Vec::new();
        for row in listed.split(|&byte| byte == 0).filter(|row| !row.is_empty()) {
            let odd = || HistoryError::Odd { asked: "ls-tree" };
            // `100644 blob <object> <size>`, a tab, then the name.
            let tab = row.iter().position(|&byte| byte == b'\t').ok_or_else(odd)?;
            let told = std::str::from_utf8(&row[..tab]).map_err(|_| odd())?;
            let words: Vec<&str> = told.split_ascii_whitespace().collect();
            let [mode, _, object, size] = words.as_slice() else { return Err(odd()) };
            if let (true, Some(name)) = (mode.starts_with("100"), safe_name(&row[tab + 1..])) {
                let object = Oid::parse(object).ok_or_else(odd)?;
                files.push((name, object, size.parse().map_err(|_| odd())?));
            }
        }
        Ok(files)
    }

    /// What changed from `from` to `to`, in unified form, of one file or of all that differ.
    /// Errors: as [`Self::show`].
    pub fn diff(&self, from: &Rev, to: &Rev, name: Option<&SafeName>) -> Result<String, HistoryError> {
        let (from, to) = (self.resolve(from)?, self.resolve(to)?);
        let changed = match name {
            Some(name) => vec![name.clone()],
            None => self.changed(from, to)?,
        };
        let asked: Vec<String> =
            changed.iter().flat_map(|name| [format!("{from}:{name}"), format!("{to}:{name}")]).collect();
        let mut blobs = self.objects(&asked)?.into_iter().map(|object| object.and_then(Object::blob));
        let mut text = String::new();
        for name in &changed {
            let (before, after) = (blobs.next().flatten(), blobs.next().flatten());
            text.push_str(&diff::unified(name.as_str(), before.as_deref(), after.as_deref()));
        }
        Ok(text)
    }

    fn changed(&self, from: Oid, to: Oid) -> Result<Vec<SafeName>, HistoryError> {
        let (from, to) = (from.to_string(), to.to_string());
        let words = ["diff-tree", "-r", "-z", "--name-only", "--no-renames"];
        let words = [words.as_slice(), &["--no-ext-diff", "--no-textconv", &from, &to, "--"]].concat();
        Ok(names(&self.git.read(&words, None)?))
    }

    /// The newest commit. Errors: `history_failed` where the branch is gone.
    pub fn tip(&self) -> Result<Oid, HistoryError> {
        let tip = self.objects(&[MAIN.to_owned()])?.pop().flatten();
        let gone =
            || HistoryError::Failed { said: "the branch `main` of the history is missing.".to_owned() };
        tip.filter(|object| object.kind == "commit").map(|object| object.oid).ok_or_else(gone)
    }

    /// The commit that `rev` points at. Short names are looked up among objects only, so no branch or
    /// tag that a person made can stand in their way.
    pub(super) fn resolve(&self, rev: &Rev) -> Result<Oid, HistoryError> {
        let listed = match rev {
            Rev::Tip => return self.tip(),
            Rev::Commit(oid) => vec![oid.to_string()],
            Rev::Short(digits) => {
                let asked = format!("--disambiguate={}", digits.as_str());
                let listed = self.git.read(&["rev-parse", &asked], None)?;
                String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect()
            }
        };
        let objects = self.objects(&listed)?.into_iter().flatten();
        let commits: Vec<Oid> = objects.filter(|one| one.kind == "commit").map(|one| one.oid).collect();
        match commits.as_slice() {
            [oid] => Ok(*oid),
            [] => Err(HistoryError::NoRev { rev: rev.to_string() }),
            many => Err(HistoryError::ManyRevs { rev: rev.to_string(), count: many.len() }),
        }
    }

    /// Objects by name, in the order asked; `None` for what is not there. No name holds a line end.
    pub(super) fn objects(&self, asked: &[String]) -> Result<Vec<Option<Object>>, HistoryError> {
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let feed = |out: &mut dyn Write| asked.iter().try_for_each(|name| writeln!(out, "{name}"));
        let answer = self.git.read(&["cat-file", "--batch"], Some(&feed))?;
        let mut rest = answer.as_slice();
        let objects = asked.iter().map(|_| Object::next(&mut rest)).collect::<Result<_, _>>()?;
        if rest.is_empty() { Ok(objects) } else { Err(HistoryError::Odd { asked: "cat-file" }) }
    }
}

/// The first line of an answer about an object.
pub(super) enum Head {
    /// There is none of the name that was asked for.
    Missing,
    /// There is one, and so many bytes of it may follow.
    Object { oid: Oid, kind: String, bytes: usize },
}

impl Head {
    /// The next one; `None` at the end. Error: a line that no git gives.
    pub(super) fn read(answer: &mut dyn BufRead) -> Result<Option<Self>, HistoryError> {
        let mut line = String::new();
        if answer.read_line(&mut line).map_err(HistoryError::io("cat-file"))? == 0 {
            return Ok(None);
        }
        if line.ends_with(" missing\n") {
            return Ok(Some(Self::Missing));
        }
        let mut words = line.trim_end().split(' ');
        let object = (|| {
            let oid = Oid::parse(words.next()?)?;
            Some(Self::Object { oid, kind: words.next()?.to_owned(), bytes: words.next()?.parse().ok()? })
        })();
        object.map(Some).ok_or(HistoryError::Odd { asked: "cat-file" })
    }

    /// Takes the bytes behind it. Errors: there are more than one answer may have; the answer ends among them.
    pub(super) fn read_bytes(&self, answer: &mut dyn BufRead) -> Result<Vec<u8>, HistoryError> {
        let Self::Object { bytes: count, .. } = self else { return Ok(Vec::new()) };
        if *count > HISTORY_OUTPUT_BYTES_MAX {
            return Err(HistoryError::Large { bytes_max: HISTORY_OUTPUT_BYTES_MAX });
        }
        // Behind them stands a line end.
        let mut bytes = vec![0; count + 1];
        answer.read_exact(&mut bytes).map_err(|_| HistoryError::Odd { asked: "cat-file" })?;
        bytes.pop();
        Ok(bytes)
    }

    fn is_blob(&self) -> bool {
        matches!(self, Self::Object { kind, .. } if kind == "blob")
    }
}

/// One object of git, whole.
pub(super) struct Object {
    pub oid: Oid,
    kind: String,
    pub bytes: Vec<u8>,
}

impl Object {
    pub(super) fn blob(self) -> Option<Vec<u8>> {
        (self.kind == "blob").then_some(self.bytes)
    }

    /// Takes the next answer off the front; the inner `None`: there is no such object. Error: an answer that no git gives.
    fn next(rest: &mut &[u8]) -> Result<Option<Self>, HistoryError> {
        let head = Head::read(rest)?.ok_or(HistoryError::Odd { asked: "cat-file" })?;
        let bytes = head.read_bytes(rest)?;
        match head {
            Head::Missing => Ok(None),
            Head::Object { oid, kind, .. } => Ok(Some(Self { oid, kind, bytes })),
        }
    }
}

/// The safe ones of names that end in NUL.
fn names(listed: &[u8]) -> Vec<SafeName> {
    listed.split(|&byte| byte == 0).filter_map(safe_name).collect()
}

/// A name as git has it.
pub(super) fn safe_name(raw: &[u8]) -> Option<SafeName> {
    SafeName::parse(std::str::from_utf8(raw).ok()?).ok()
}
