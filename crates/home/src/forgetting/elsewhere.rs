//! Backups elsewhere: those in the audit log, made by or restored to this agent.
//!
//! They are the owner's, possibly on slow or borrowed disks, and must not be altered. So no erasure reads or changes
//! them; a plan and an erasure list each existing one, since they may contain the texts. Invariant: unlisted ones are
//! counted.

use std::path::{Path, PathBuf};

use inwit_engine::Notice;
use inwit_engine::forget::{Fate, Occurrence, Quotation};
use inwit_model::limit::BACKUPS_NAMED_MAX;
use inwit_model::plural::counted;
use inwit_model::{Hint, name};

use crate::error::HomeError;
use crate::open::OpenAgent;

/// The kind of place.
const KIND: &str = "elsewhere";

/// Operations in the audit log with the folder of a backup.
const VERBS: [&str; 2] = ["backup", "restore"];

/// The reason for each.
const SAID: &str = "made before this, may contain the words, and is not changed";

/// Its hint.
const HINT: Hint = Hint::RestoreWithout;

/// Existing backups in the audit log.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Those listed, newest first.
    pub named: Vec<PathBuf>,
    /// Number of further ones.
    pub more: usize,
}

impl Elsewhere {
    /// The backups of `opened`, without reading them. Errors: those of reading the audit log.
    pub fn of(opened: &OpenAgent) -> Result<Self, HomeError> {
        Ok(Self::among(&opened.agent.core.audit_targets(&VERBS)?))
    }

    /// Those of `targets` that are existing folders.
    fn among(targets: &[String]) -> Self {
        let mut found: Vec<PathBuf> = Vec::new();
        for folder in targets.iter().filter_map(|target| Path::new(target).canonicalize().ok()) {
            if folder.is_dir() && !found.contains(&folder) {
                found.push(folder);
            }
        }
        let more = found.len().saturating_sub(BACKUPS_NAMED_MAX);
        found.truncate(BACKUPS_NAMED_MAX);
        Self { named: found, more }
    }

    /// A line for each in a plan, without a count of occurrences.
    pub fn plan(&self) -> Vec<Occurrence> {
        let stand = |folder: &PathBuf| Occurrence {
            kind: KIND,
            name: shown(folder),
            count: 0,
            fate: Fate::Stays,
            shows: vec![Quotation { line: None, text: SAID.to_owned() }],
        };
        self.named.iter().map(stand).collect()
    }

    /// The notices for each, and for further ones.
    pub fn notices(&self) -> Vec<Notice> {
        let one = |folder: &PathBuf| {
            Notice::new("backup_untouched", format!("A backup was {SAID}: {}", shown(folder)), HINT)
        };
        let more = (self.more > 0).then(|| {
            let message = format!(
                "Not named and not changed: {}, older than those.",
                counted(self.more, "more backup")
            );
            Notice::new("backups_untouched", message, Hint::ShowAudit)
        });
        self.named.iter().map(one).chain(more).collect()
    }
}

fn shown(folder: &Path) -> String {
    name::shown(&folder.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_more_than_are_named_the_number_is_told() {
        let place = tempfile::tempdir().expect("a folder");
        let folders: Vec<String> = (0..BACKUPS_NAMED_MAX + 3)
            .map(|number| place.path().join(format!("{number:03}")).display().to_string())
            .collect();
        folders.iter().for_each(|folder| std::fs::create_dir(folder).expect("made"));
        // One is listed twice, and one no longer exists.
        let targets = [&folders[..], &folders[..1], &[format!("{}/none", folders[0])]].concat();
        let found = Elsewhere::among(&targets);
        assert_eq!((found.named.len(), found.more), (BACKUPS_NAMED_MAX, 3));
        assert!(found.named[0].ends_with("000") && found.named[1].ends_with("001"));
        assert_eq!(found.plan().len(), BACKUPS_NAMED_MAX);
        let last = found.notices().pop().expect("told");
        assert!(last.message.contains("3 more backups"), "{}", last.message);
        assert_eq!(Elsewhere::among(&folders[..2]).notices().len(), 2);
    }
}
