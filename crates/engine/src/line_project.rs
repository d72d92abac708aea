//! The project in which a line of MEMORY.md was written, so that the sessions of other projects are not shown it.
//!
//! The file stays plain text: memory.db knows the project by a hash of the line's letters and digits. A line about the
//! person, such as `I prefer tabs`, is of no project. Invariant: a line that is not known is of every project.

use inwit_gate::Change;
use inwit_model::{FileKind, ProjectName, SafeName, Sha256, Taint};
use inwit_store::memory::Mark;

use crate::{Agent, dream};

/// Words of a line about the person, whatever project it was said in: English, German, Spanish.
const OF_PERSON: &[&str] = &[
    "i", "my", "me", "mine", "myself", "user", "ich", "mein", "meine", "meinen", "mir", "mich", "yo", "mi",
    "mis", "prefiero",
];

/// The same in Chinese: "I" and "user".
const OF_PERSON_HAN: [&str; 3] = ["我", "用户", "用戶"];

impl Agent {
    /// The marks of the lines that `change` adds to MEMORY.md, where it was asked for in a project.
    pub(crate) fn project_marks(&self, change: &Change, current: Option<&[u8]>, result: &[u8]) -> Vec<Mark> {
        let (Some(project), true) = (&change.project, is_memory(&change.target)) else { return Vec::new() };
        let old = String::from_utf8_lossy(current.unwrap_or_default());
        let new = String::from_utf8_lossy(result);
        let there: std::collections::HashSet<&str> = old.lines().collect();
        let added = new.lines().filter(|line| !there.contains(line) && !is_of_person(line));
        let mark = |entry| Mark {
            entry,
            taint: Taint::Owner,
            session: None,
            project: Some(project.clone()),
            at: self.clock.now(),
        };
        added.filter_map(hash_of).map(mark).collect()
    }

    /// The project of a line of the file `name`. `None`: it is of every project.
    pub(crate) fn project_of_line(&self, name: &SafeName, line: &str) -> Option<ProjectName> {
        let hash = is_memory(name).then(|| hash_of(line))??;
        let project = self.memory_if_made().ok()??.project_of_entry(&hash).ok()??;
        Some(self.called_now(project))
    }

    /// `text` of the file `name` without the lines of projects other than `project`, and how many those are.
    pub(crate) fn without_other_projects(
        &self,
        name: &SafeName,
        text: &str,
        project: Option<&ProjectName>,
    ) -> (String, usize) {
        let mut others = 0;
        let is_ours = |line: &&str| {
            let is_ours = self.project_of_line(name, line).is_none_or(|of| Some(&of) == project);
            others += usize::from(!is_ours);
            is_ours
        };
        let ours: String = text.split_inclusive('\n').filter(is_ours).collect();
        (ours, others)
    }
}

/// By what the lines of MEMORY.md in `bytes` are known.
pub(crate) fn hashes(name: &SafeName, bytes: &[u8]) -> Vec<Sha256> {
    if !is_memory(name) {
        return Vec::new();
    }
    String::from_utf8_lossy(bytes).lines().filter_map(hash_of).collect()
}

fn is_memory(name: &SafeName) -> bool {
    FileKind::at(name.as_str()) == Some(FileKind::Memory)
}

/// By what a line is known again, whatever bullet it has; `None` for a heading and for one that says nothing.
fn hash_of(line: &str) -> Option<Sha256> {
    let key = dream::key(line);
    let is_known = !key.is_empty() && !line.trim_start().starts_with('#');
    is_known.then(|| Sha256::of(format!("line of a project\n{key}").as_bytes()))
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
    fn a_line_is_known_whatever_bullet_it_has_and_a_heading_is_none() {
        assert_eq!(hash_of("- We use pnpm."), hash_of("  * We use pnpm"));
        assert_ne!(hash_of("- We use pnpm."), hash_of("- We use npm."));
        assert_eq!((hash_of("## Facts"), hash_of("---"), hash_of("")), (None, None, None));
    }
}
