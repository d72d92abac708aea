//! The project of each line of MEMORY.md, to hide it in sessions of other projects.
//!
//! The file stays plain text: memory.db stores the project by a hash of the line. A line about the person, such as `I
//! prefer tabs`, belongs to no project. Invariants: an unknown line is shown in every project; so is one that the
//! owner wrote or confirmed.

use std::collections::{HashMap, HashSet};

use inwit_gate::Change;
use inwit_model::{Actor, FileKind, ProjectName, SafeName, Scope, Sha256, Taint};
use inwit_store::memory::Mark;

use crate::core::key::key_of;
use crate::{EngineError, Notes, WriteContext};

/// Words of a line about the person, in any project: English, German, Spanish.
const OF_PERSON: &[&str] = &[
    "i", "my", "me", "mine", "myself", "user", "ich", "mein", "meine", "meinen", "mir", "mich", "yo", "mi",
    "mis", "prefiero",
];

/// The same in Chinese: "I" and "user".
const OF_PERSON_HAN: [&str; 3] = ["我", "用户", "用戶"];

impl Notes {
    /// The marks of the lines that `change` adds to MEMORY.md. An agent's line gets the project of the request; a
    /// replacement only if the replaced lines had it. A line that the owner writes loses its project.
    pub(crate) fn project_marks(&self, change: &Change, current: Option<&[u8]>, result: &[u8]) -> Vec<Mark> {
        let name = &change.target;
        // An undo restores lines as they were.
        if !is_memory(name) || change.undoes.is_some() {
            return Vec::new();
        }
        let old = String::from_utf8_lossy(current.unwrap_or_default());
        let new = String::from_utf8_lossy(result);
        let [before, after] = [&old, &new].map(|text| text.lines().filter_map(said).collect::<HashSet<_>>());
        let mut added = after.difference(&before).copied();
        let projects = self.lines_of_projects(name);
        if change.words_of.unwrap_or(change.author.actor()) == Actor::Owner {
            let known = added.filter(|line| projects.contains_key(&hash_of(line)));
            return known.map(|line| self.project_mark(line, None)).collect();
        }
        let Some(project) = &change.project else { return Vec::new() };
        let is_ours = |line: &&str| projects.get(&hash_of(line)) == Some(project);
        if !before.difference(&after).all(is_ours) {
            return Vec::new();
        }
        let marked = added.by_ref().filter(|line| !is_of_person(line));
        marked.map(|line| self.project_mark(line, Some(project))).collect()
    }

    /// Removes the project of lines of `name` with `text` that are repeated by the owner or in another project.
    pub(crate) fn said_again(
        &self,
        name: &SafeName,
        text: &str,
        behalf: &WriteContext,
    ) -> Result<(), EngineError> {
        let Some(content) =
            self.core.content(name)?.filter(|_| is_memory(name) && behalf.scope == Scope::Main)
        else {
            return Ok(());
        };
        let whole = String::from_utf8_lossy(&content.bytes);
        let key = key_of(text);
        let is_owner = behalf.author.actor() == Actor::Owner;
        let projects = self.lines_of_projects(name);
        let is_elsewhere = |line: &&str| {
            let of = projects.get(&hash_of(line));
            of.is_some() && (is_owner || of != behalf.project.as_ref())
        };
        let same = whole.lines().filter_map(said).filter(|line| key_of(line) == key);
        let marks: Vec<Mark> = same.filter(is_elsewhere).map(|line| self.project_mark(line, None)).collect();
        if marks.is_empty() { Ok(()) } else { Ok(self.core.memory()?.mark_all(&marks)?) }
    }

    fn project_mark(&self, said: &str, project: Option<&ProjectName>) -> Mark {
        let (entry, project) = (hash_of(said), project.cloned());
        Mark { entry, taint: Taint::Owner, session: None, project, at: self.core.clock.now() }
    }

    /// The lines of MEMORY.md with a project, by hash, with its current name; none for other files, and none if the
    /// lookup fails (D11).
    fn lines_of_projects(&self, name: &SafeName) -> HashMap<Sha256, ProjectName> {
        let memory = if is_memory(name) { self.core.memory_if_made().ok().flatten() } else { None };
        let entries = memory.and_then(|memory| memory.entries_of_projects().ok()).unwrap_or_default();
        entries.into_iter().map(|(entry, project)| (entry, self.core.called_now(project))).collect()
    }

    /// `text` of the file `name` without lines of other projects than `project`, and their number. A line that occurs
    /// twice was also written by hand, so it is kept.
    pub(crate) fn without_other_projects(
        &self,
        name: &SafeName,
        text: &str,
        project: Option<&ProjectName>,
    ) -> (String, usize) {
        let projects = self.lines_of_projects(name);
        if projects.is_empty() {
            return (text.to_owned(), 0);
        }
        let mut times: HashMap<&str, usize> = HashMap::new();
        text.lines().filter_map(said).for_each(|line| *times.entry(line).or_default() += 1);
        let mut others = 0;
        let is_ours = |line: &&str| {
            let once = said(line).filter(|line| times.get(line) == Some(&1));
            let of = once.and_then(|line| projects.get(&hash_of(line)));
            let is_ours = of.is_none_or(|of| Some(of) == project);
            others += usize::from(!is_ours);
            is_ours
        };
        let ours: String = text.split_inclusive('\n').filter(is_ours).collect();
        (ours, others)
    }
}

/// The hashes of the lines of MEMORY.md in `bytes`.
pub(crate) fn hashes(name: &SafeName, bytes: &[u8]) -> Vec<Sha256> {
    if is_memory(name) { hashes_of(bytes) } else { Vec::new() }
}

/// The same for lines that may be removed.
pub(crate) fn hashes_of(bytes: &[u8]) -> Vec<Sha256> {
    String::from_utf8_lossy(bytes).lines().filter_map(said).map(hash_of).collect()
}

fn is_memory(name: &SafeName) -> bool {
    FileKind::at(name.as_str()) == Some(FileKind::Memory)
}

/// The text of a line without its bullet; `None` for headings and empty lines.
fn said(line: &str) -> Option<&str> {
    let line = line.trim();
    let words =
        ["- ", "* ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet)).unwrap_or(line).trim_start();
    let says = !line.starts_with('#') && words.chars().any(char::is_alphanumeric);
    says.then_some(words)
}

/// The hash of a line's exact text.
fn hash_of(said: &str) -> Sha256 {
    Sha256::of(format!("line of a project\n{said}").as_bytes())
}

fn is_of_person(line: &str) -> bool {
    let lower = line.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| OF_PERSON.contains(&word)) || OF_PERSON_HAN.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_about_the_person_is_of_no_project() {
        for line in ["- I prefer tabs.", "- The user likes short answers", "- Ich mag Tee.", "- 我喜欢茶"]
        {
            assert!(is_of_person(line), "{line}");
        }
        for line in ["- We use pnpm, never npm.", "- The staging deploy runs on Tuesdays.", "- 使用 pnpm"] {
            assert!(!is_of_person(line), "{line}");
        }
    }

    #[test]
    fn a_line_is_known_by_its_very_words_whatever_bullet_it_has_and_a_heading_is_none() {
        assert_eq!(said("- We use pnpm."), said("  *  We use pnpm. "));
        assert_ne!(said("- We use pnpm.").map(hash_of), said("- we use pnpm").map(hash_of));
        assert_eq!((said("## Facts"), said("---"), said("")), (None, None, None));
    }
}
