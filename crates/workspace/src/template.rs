//! The templates of a new workspace.
//!
//! One table, and one for each domain with separate texts, so that seeding and the detection of untouched files use
//! the same bytes.

use inwit_model::{Domain, FileKind};

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

/// The templates that differ in the domain of finance.
const FINANCE: &[(FileKind, &str)] = &[
    (FileKind::User, include_str!("../templates/finance/USER.md")),
    (FileKind::Bootstrap, include_str!("../templates/finance/BOOTSTRAP.md")),
];

/// The template of a file in the general domain, `None` for what only the engine writes.
pub fn of(kind: FileKind) -> Option<&'static str> {
    find(TEMPLATES, kind)
}

/// The template of a file in `domain`, `None` for what only the engine writes.
pub fn in_domain(kind: FileKind, domain: Domain) -> Option<&'static str> {
    match domain {
        Domain::Finance => find(FINANCE, kind).or_else(|| of(kind)),
        Domain::General => of(kind),
    }
}

/// Whether `bytes` are a template of this file in any domain.
pub fn is_untouched(kind: FileKind, bytes: &[u8]) -> bool {
    let is = |text: &&str| text.as_bytes() == bytes;
    find(FINANCE, kind).as_ref().is_some_and(is) || of(kind).as_ref().is_some_and(is)
}

fn find(table: &[(FileKind, &'static str)], kind: FileKind) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == kind).map(|(_, text)| *text)
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
        for (kind, text) in TEMPLATES.iter().chain(FINANCE) {
            assert!(text.starts_with("# ") && text.ends_with('\n') && !text.contains('\r'), "{kind:?}");
            assert!(is_untouched(*kind, text.as_bytes()) && !is_untouched(*kind, b"# "), "{kind:?}");
        }
    }
}
