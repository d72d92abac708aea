//! A host's own texts about an agent, and how workspace files override them.
//!
//! A host that had a role and instructions before there was a workspace keeps them: a file replaces its counterpart,
//! and without the file nothing changes (R21, R22, R65, R68). The host's system prompt comes last and is marked as
//! weaker than the files (X25).

/// The texts of a host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Host {
    /// The agent's role, used while there is no SOUL.md.
    pub role: String,
    /// How the agent works: used while there is no AGENTS.md, or after it.
    pub instructions: String,
    /// Text that the host appends.
    pub system_prompt: String,
    /// How AGENTS.md combines with the instructions (X24).
    pub agents_md: AgentsMd,
    /// Ignores the workspace files: the prompt is only the host's texts (R30).
    pub without_files: bool,
}

/// How AGENTS.md combines with a host's instructions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum AgentsMd {
    /// It replaces them.
    #[default]
    Replace,
    /// It comes before them.
    Prepend,
}

impl AgentsMd {
    /// All written values.
    pub const WORDS: &[&str] = &["replace", "prepend"];

    /// Parses a written value.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "replace" => Some(Self::Replace),
            "prepend" => Some(Self::Prepend),
            _ => None,
        }
    }
}
