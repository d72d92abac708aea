//! Whether a coding agent runs this command in its shell.
//!
//! Such an agent works in repositories of others, and takes what it reads here for its own memory. Invariant: what it runs reads
//! the agent that its hooks and MCP read, and never a workspace that a repository brings along.

/// Variables that coding agents set in their shells: Claude Code, Codex, Gemini, Cursor, opencode; Goose and Amp set `AGENT`.
const VARIABLES: [&str; 8] = [
    "CLAUDECODE", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "GEMINI_CLI",
    "CURSOR_AGENT", "OPENCODE", "AGENT",
];

/// Whether one of [`VARIABLES`] is set to something.
#[expect(
    clippy::disallowed_methods,
    reason = "a coding agent says by its environment that it runs a command"
)]
pub fn is_of_coding_agent() -> bool {
    VARIABLES.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
