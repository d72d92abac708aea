//! Who makes vectors.
//!
//! Invariant: what is not said is `auto`, so that an installed model is used and a missing one is no error (X48).

/// Who makes vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Provider {
    /// The local model, where it is installed.
    #[default]
    Auto,
    /// The local model; where it is missing, each search says so.
    Local,
    /// A provider over HTTP, asked in OpenAI's form.
    Http,
    /// The same, and OpenAI itself where nothing else is said: what configurations of others call `openai` (R34).
    OpenAi,
    /// A provider over HTTP, asked in Ollama's form.
    Ollama,
    /// Nobody: words alone answer.
    Disabled,
}

impl Provider {
    /// Every value as it is written, the default first.
    pub const WORDS: &[&str] = &["auto", "local", "http", "openai", "ollama", "disabled"];

    /// Parses a written value.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "auto" => Some(Self::Auto),
            "local" => Some(Self::Local),
            "http" => Some(Self::Http),
            "openai" => Some(Self::OpenAi),
            "ollama" => Some(Self::Ollama),
            "disabled" => Some(Self::Disabled),
            _ => None,
        }
    }

    /// The written value.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Local => "local",
            Self::Http => "http",
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::Disabled => "disabled",
        }
    }
}
