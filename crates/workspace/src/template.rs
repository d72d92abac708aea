//! The texts that a new workspace begins with.
//!
//! One table, so that seeding, "restore template" and the comparison with an untouched file (W20)
//! read the same bytes.

use inwit_model::FileKind;

/// File and text of every template.
const TEMPLATES: &[(FileKind, &str)] = &[
    (FileKind::Soul, include_str!("../templates/SOUL.md")),
    (FileKind::Agents, include_str!("../templates/AGENTS.md")),
    (FileKind::Identity, include_str!("../templates/IDENTITY.md")),
    (FileKind::User, include_str!("../templates/USER.md")),
    (FileKind::Memory, include_str!("../templates/MEMORY.md")),
    (FileKind::Core, include_str!("../templates/CORE.md")),
    (FileKind::Tools, include_str!("../templates/TOOLS.md")),
    (FileKind::Heartbeat, include_str!("../templates/HEARTBEAT.md")),
    (FileKind::Bootstrap, include_str!("../templates/BOOTSTRAP.md")),
];

/// The template of a file, `None` for what only the engine writes.
pub fn of(kind: FileKind) -> Option<&'static str> {
    TEMPLATES.iter().find(|(known, _)| *known == kind).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves W20.
    #[test]
    fn every_file_but_the_diary_has_a_template() {
        for row in inwit_model::FILES {
            assert_eq!(of(row.kind).is_some(), row.kind != FileKind::Dreams, "{}", row.path);
        }
        for (kind, text) in TEMPLATES {
            assert!(text.starts_with("# ") && text.ends_with('\n') && !text.contains('\r'), "{kind:?}");
        }
    }
}
