//! Recognises an OpenClaw folder and its generation.
//!
//! In August 2026 TOOLS.md, HEARTBEAT.md and the state file were retired; both kinds of folders are in use. The
//! result is a description for `status` and `import`; nothing else depends on it. Invariant: only names are read.

use inwit_model::{Files, SafeName};

use crate::Landmarks;

/// Looks for the marks. Our own workspaces share most names with OpenClaw's older kind, so the
/// answer is only asked for folders that inwit did not make.
pub fn of(files: &dyn Files, landmarks: &Landmarks) -> Generation {
    let stands = |path: &str| SafeName::parse(path).is_ok_and(|name| !matches!(files.stamp(&name), Ok(None)));
    let mut marks: Vec<&'static str> = OLD_FILES.iter().copied().filter(|path| stands(path)).collect();
    if landmarks.openclaw_state {
        marks.push(".openclaw/workspace-state.json");
    }
    let known = landmarks.openclaw_state || stands("AGENTS.md") || stands("SOUL.md");
    match (known, marks.is_empty()) {
        (false, _) => Generation::NotOpenClaw,
        (true, true) => Generation::Current,
        (true, false) => Generation::Old { marks },
    }
}

/// Files that only the older generation has.
const OLD_FILES: &[&str] = &["TOOLS.md", "HEARTBEAT.md", "memory.md"];

/// Which OpenClaw made a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Generation {
    /// From 2026.8 on.
    Current,
    /// Before 2026.8.
    Old {
        /// The evidence.
        marks: Vec<&'static str>,
    },
    /// It has neither AGENTS.md nor SOUL.md nor a state.
    NotOpenClaw,
}

impl Generation {
    /// The words for a person.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Current => "OpenClaw, 2026.8 or later",
            Self::Old { .. } => "OpenClaw, before 2026.8",
            Self::NotOpenClaw => "not an OpenClaw workspace",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemFiles;

    fn generation(names: &[&str], landmarks: &Landmarks) -> Generation {
        let files = MemFiles::new();
        for name in names {
            files.put(&SafeName::parse(name).expect("a name"), b"x");
        }
        of(&files, landmarks)
    }

    #[test]
    fn the_marks_tell_the_generation() {
        let none = Landmarks::default();
        let state = Landmarks { openclaw_state: true, ..Landmarks::default() };
        assert_eq!(generation(&["AGENTS.md", "SOUL.md", "memory/2026-09-01.md"], &none), Generation::Current);
        assert_eq!(
            generation(&["AGENTS.md", "TOOLS.md"], &none),
            Generation::Old { marks: vec!["TOOLS.md"] }
        );
        assert_eq!(
            generation(&["SOUL.md", "memory.md"], &none),
            Generation::Old { marks: vec!["memory.md"] }
        );
        assert_eq!(
            generation(&[], &state),
            Generation::Old { marks: vec![".openclaw/workspace-state.json"] }
        );
        assert_eq!(generation(&["README.md", "HEARTBEAT.md"], &none), Generation::NotOpenClaw);
    }
}
