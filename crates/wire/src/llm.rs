//! Language models: providers, tasks, a check, and counts.

use crate::shape::shape;

shape! {
    /// The table of providers.
    pub struct LlmProvidersV1 {
        /// Each provider.
        pub providers: Vec<LlmProviderV1>,
    }

    /// One provider.
    pub struct LlmProviderV1 {
        /// Its name.
        pub name: &'static str,
        /// What it is.
        pub about: &'static str,
        /// The API that it speaks by default.
        pub api: &'static str,
        /// Its default address; `null` if it needs one.
        pub url: Option<&'static str>,
        /// Environment variables that may contain its key.
        pub key_env: Vec<&'static str>,
        /// Whether one of them is set.
        pub has_key: bool,
        /// Whether it is the configured one.
        pub configured: bool,
    }

    /// The configured provider, which answered.
    pub struct LlmCheckV1 {
        /// Its name.
        pub provider: &'static str,
        /// Scheme, host and port of its address.
        pub address: String,
        /// The model.
        pub model: String,
        /// The API that it speaks.
        pub api: &'static str,
        /// Where its key is; `null` if it has none.
        pub key: Option<String>,
        /// Time until the first part of the answer.
        pub first_ms: u64,
        /// Time until its end.
        pub whole_ms: u64,
        /// Its tokens; `null` if the provider sent no counts.
        pub tokens: Option<LlmTokensV1>,
        /// The cost; `null` if it is unknown.
        pub cost_usd: Option<f64>,
        /// The answer.
        pub answer: String,
        /// Whether it stopped at the limit of tokens.
        pub cut: bool,
    }

    /// Tokens of one or more calls.
    pub struct LlmTokensV1 from usage: &inwit_model::Usage {
        /// All tokens of the questions, including cached ones.
        pub input: u64 = usage.input,
        /// Those of them that were read from the provider's cache.
        pub cache_read: u64 = usage.cache_read,
        /// Those of them that were written to it.
        pub cache_write: u64 = usage.cache_write,
        /// Tokens of the answers.
        pub output: u64 = usage.output,
    }

    /// The tasks for language models.
    pub struct LlmTasksV1 {
        /// Each task.
        pub tasks: Vec<LlmTaskV1>,
    }

    /// One task.
    pub struct LlmTaskV1 {
        /// Its name.
        pub name: &'static str,
        /// What it does.
        pub about: &'static str,
        /// Its provider; `null` if it has none, so that it does not run.
        pub provider: Option<&'static str>,
        /// Its model; `null` if it has none.
        pub model: Option<String>,
        /// Most tokens of one answer.
        pub answer_tokens_max: u32,
    }

    /// The counts of a home.
    pub struct LlmUsageV1 {
        /// The first day.
        pub since: String,
        /// Per day, task, provider and model.
        pub rows: Vec<LlmUsageRowV1>,
        /// Lines of the log that cannot be read.
        pub unread: u64,
    }

    /// The counts of one day, task, provider and model.
    pub struct LlmUsageRowV1 {
        /// The day.
        pub day: String,
        /// The task.
        pub task: String,
        /// The provider.
        pub provider: String,
        /// The model.
        pub model: String,
        /// Number of calls.
        pub calls: u64,
        /// Those that gave no answer.
        pub failed: u64,
        /// Those of the failed ones that were stopped or timed out: `tokens` has an estimate of their questions.
        pub estimated: u64,
        /// Those with an answer whose tokens the provider did not count.
        pub uncounted: u64,
        /// Tokens of the others, as far as they are known.
        pub tokens: LlmTokensV1,
        /// Their cost; `null` if it is unknown.
        pub cost_usd: Option<f64>,
    }
}
