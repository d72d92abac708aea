//! The table of providers.
//!
//! A new provider is a row here, and a file in [`api`](crate::api) if its form is new. Invariant: a row without an
//! address needs one from the settings.

use crate::Api;

/// One provider.
#[derive(Debug, Clone, Copy)]
pub struct ProviderSpec {
    /// Its name in settings.
    pub name: &'static str,
    /// Its default address, to which the path of the API is added; `None` if it has none.
    pub url: Option<&'static str>,
    /// The API that it speaks by default.
    pub api: Api,
    /// Environment variables that may contain its key, the first one first.
    pub key_env: &'static [&'static str],
    /// What it is.
    pub about: &'static str,
}

/// The name of the row without an address, for any server with OpenAI's chat API.
pub const OTHER: &str = "http";

/// Every provider.
pub const PROVIDERS: &[ProviderSpec] = &[
    ProviderSpec {
        name: "anthropic",
        url: Some("https://api.anthropic.com/v1"),
        api: Api::Anthropic,
        key_env: &["ANTHROPIC_API_KEY"],
        about: "Anthropic",
    },
    ProviderSpec {
        name: "openai",
        url: Some("https://api.openai.com/v1"),
        api: Api::OpenAiResponses,
        key_env: &["OPENAI_API_KEY"],
        about: "OpenAI",
    },
    ProviderSpec {
        name: "gemini",
        url: Some("https://generativelanguage.googleapis.com/v1beta"),
        api: Api::Gemini,
        key_env: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        about: "Google Gemini",
    },
    ProviderSpec {
        name: "openrouter",
        url: Some("https://openrouter.ai/api/v1"),
        api: Api::OpenAiChat,
        key_env: &["OPENROUTER_API_KEY"],
        about: "OpenRouter",
    },
    ProviderSpec {
        name: "ollama",
        url: Some("http://localhost:11434/v1"),
        api: Api::OpenAiChat,
        key_env: &["OLLAMA_API_KEY"],
        about: "Ollama on this machine",
    },
    ProviderSpec {
        name: "vllm",
        url: Some("http://localhost:8000/v1"),
        api: Api::OpenAiChat,
        key_env: &["VLLM_API_KEY"],
        about: "vLLM on this machine",
    },
    ProviderSpec {
        name: "llama.cpp",
        url: Some("http://localhost:8080/v1"),
        api: Api::OpenAiChat,
        key_env: &["LLAMA_API_KEY"],
        about: "The server of llama.cpp on this machine",
    },
    ProviderSpec {
        name: OTHER,
        url: None,
        api: Api::OpenAiChat,
        key_env: &["LLM_API_KEY"],
        about: "Another server with OpenAI's API",
    },
];

/// The names of the table, and `disabled` before them: the values of the setting.
pub const NAMES: &[&str] =
    &["disabled", "anthropic", "openai", "gemini", "openrouter", "ollama", "vllm", "llama.cpp", OTHER];

impl ProviderSpec {
    /// The row of `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        PROVIDERS.iter().find(|row| row.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_rows() {
        let names: Vec<&str> = PROVIDERS.iter().map(|row| row.name).collect();
        assert_eq!(names, NAMES[1..]);
        assert!(PROVIDERS.iter().all(|row| !row.key_env.is_empty()));
    }
}
