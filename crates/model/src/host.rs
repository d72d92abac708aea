//! What a host says of an agent outside its files, and how far the files override it.
//!
//! A host that had a role and instructions for its agent before there was a workspace keeps them: a file
//! takes the place of its counterpart, and where there is no file everything is as before (R21, R22, R65,
//! R68). The host's own system prompt refines: it comes last and is marked as weaker than the files (X25).

/// A host's words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Host {
    /// Who the agent is, while there is no SOUL.md.
    pub role: String,
    /// How the agent works, while there is no AGENTS.md, or behind it.
    pub instructions: String,
    /// What the host adds at the end.
    pub system_prompt: String,
    /// What AGENTS.md does to the instructions (X24).
    pub agents_md: AgentsMd,
    /// The files are left alone: the prompt is the host's words, as before there was a workspace (R30).
    pub without_files: bool,
}

/// What AGENTS.md does to a host's instructions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum AgentsMd {
    /// It takes their place.
    #[default]
    Replace,
    /// It stands before them.
    Prepend,
}

impl AgentsMd {
    /// Every value, as it is written.
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
