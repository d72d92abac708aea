//! Claude Code: its memory files of a project.
//!
//! A model wrote them from untrusted text, so each waits for approval and is in no prompt before.

use std::path::Path;

use inwit_model::{Code, FileError, SafeName, Taint};

use super::{Importer, Source, Stays};

/// See the module documentation.
pub struct ClaudeCode;

/// Target folder in the workspace.
const TARGET_FOLDER: &str = "notes/claude-code";

impl Importer for ClaudeCode {
    fn id(&self) -> &'static str {
        "claude-code"
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn recognises(&self, source: &Source<'_>) -> Option<&'static str> {
        let index = SafeName::parse("MEMORY.md").ok()?;
        source.files.stamp(&index).ok()?.map(|_| "Claude Code's memory of a project")
    }

    fn taint(&self) -> Taint {
        Taint::Import
    }

    fn target(&self, source: &Source<'_>, name: &SafeName) -> Result<SafeName, Stays> {
        SafeName::parse(&format!("{}/{name}", Self::folder(source.path)))
            .map_err(|error| Stays::Failed(FileError { code: Code::NameRefused, message: error.to_string() }))
    }
}

impl ClaudeCode {
    /// The target folder for a source: the name of its project, or its own.
    pub fn folder(source: &Path) -> String {
        format!("{TARGET_FOLDER}/{}", project(source))
    }
}

fn project(source: &Path) -> String {
    let named = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let own = named(source).unwrap_or_default();
    let name = if own == "memory" { source.parent().and_then(named).unwrap_or(own) } else { own };
    let name = slug(&name);
    let name = name.trim_matches('-');
    if name.is_empty() { "memory".to_owned() } else { name.to_owned() }
}

/// A path as Claude Code names its project: everything but ASCII letters and digits is a hyphen, one for
/// each UTF-16 unit.
pub fn slug(path: &str) -> String {
    let unit = |unit: u16| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    };
    path.encode_utf16().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_named_as_claude_code_names_it() {
        assert_eq!(slug("/home/ana/my_app.rs"), "-home-ana-my-app-rs");
        assert_eq!(slug("/ñ/😀"), "-----");
        assert_eq!(project(Path::new("/h/.claude/projects/-home-ana-app/memory")), "home-ana-app");
        assert_eq!(project(Path::new("/backup/of app")), "of-app");
        assert_eq!(project(Path::new("/")), "memory");
    }
}
