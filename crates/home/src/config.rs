//! The complete configuration of one agent.
//!
//! An interface builds it from its layers of settings: files, environment, arguments. Invariant: values are used as
//! they are; only a missing embedding provider means [`Provider::Auto`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use inwit_engine::Weights;
use inwit_engine::learning::dream::logs::LogLimits;
use inwit_engine::learning::dreaming::DreamSchedule;
use inwit_engine::learning::review::Wanted;
use inwit_gate::Rule;
use inwit_model::{Consolidation, FileClass, Host, Profile, WriteMode};
use inwit_outbound::{Key, Plain};
use inwit_workspace::Extensions;
use inwit_workspace::transcripts::Redaction;
use jiff::tz::TimeZone;

use crate::idle::IdleConfig;
use crate::llm::LlmConfig;
use crate::place::HomePaths;
use crate::provider::Provider;

/// The configuration of one agent.
#[derive(Clone)]
pub struct AgentConfig {
    /// The folders of the user.
    pub paths: HomePaths,
    /// Name of the interface, for a dream lock.
    pub surface: &'static str,
    /// The profile, with values overridden by settings.
    pub profile: Profile,
    /// The time zone of dates.
    pub zone: TimeZone,
    /// The host's own texts about the agent.
    pub host: Host,
    /// Stricter write modes that the owner set.
    pub tighter: BTreeMap<FileClass, WriteMode>,
    /// The owner's own rules (X40).
    pub rules: Vec<Rule>,
    /// Transcripts; `None`: none are written.
    pub transcripts: Option<TranscriptConfig>,
    /// Which engines dream automatically, and how often (X32).
    pub dreams: DreamSchedule,
    /// What the dream engine `logs` reads, and with which model.
    pub dream_logs: DreamLogsConfig,
    /// The review of sessions.
    pub review: ReviewConfig,
    /// Age at which another system's dream lock counts as left behind.
    pub dream_lock_ttl: Duration,
    /// Whether what was recalled is recorded.
    pub records_recall: bool,
    /// How much each part of a score counts when passages are ranked.
    pub weights: Weights,
    /// Default number of results of a search.
    pub search_limit: usize,
    /// File extensions that are read as Markdown.
    pub extensions: Extensions,
    /// The embedding provider.
    pub embedding: EmbeddingConfig,
    /// The folder of the reranker; `None`: results keep the order of the search.
    pub reranker: Option<PathBuf>,
    /// Consolidation and its judge.
    pub judge: JudgeConfig,
    /// When due work runs beside calls.
    pub idle: IdleConfig,
}

/// The dream engine `logs`.
#[derive(Clone)]
pub struct DreamLogsConfig {
    /// Its language model; without a provider the engine does not run.
    pub model: LlmConfig,
    /// Limits of its input.
    pub limits: LogLimits,
    /// Whether they are below those of the settings, because of the context size of the model.
    pub is_reduced: bool,
    /// How long one call may take.
    pub timeout: Duration,
}

/// The review of sessions by a language model.
#[derive(Clone)]
pub struct ReviewConfig {
    /// What is noted automatically.
    pub wanted: Wanted,
    /// The language model.
    pub model: LlmConfig,
}

/// Configuration of transcripts.
#[derive(Clone)]
pub struct TranscriptConfig {
    /// Redaction before a line is written; `None`: none.
    pub redaction: Option<Redaction>,
}

/// The embedding provider.
#[derive(Clone)]
pub struct EmbeddingConfig {
    /// The configured provider; `None` means [`Provider::Auto`].
    pub provider: Option<Provider>,
    /// The HTTP provider, if `provider` is one.
    pub http: HttpConfig,
    /// How long a query waits for its vector.
    pub question_wait: Duration,
    /// Whether very large sets are first scanned by sign bits.
    pub scans_signs_first: bool,
    /// The folder of the local model.
    pub folder: PathBuf,
}

/// Consolidation at the end of a session (M42), and its judge.
#[derive(Clone)]
pub struct JudgeConfig {
    /// The mode of consolidation.
    pub consolidation: Consolidation,
    /// Guidance for the judge.
    pub guidance: String,
    /// The judge; `None` for none.
    pub model: Option<LlmConfig>,
}

/// An HTTP provider. It contains a key, so it has no `Debug`.
#[derive(Clone)]
pub struct HttpConfig {
    /// Its URL; empty if unset.
    pub url: String,
    /// Its model; empty if unset.
    pub model: String,
    /// Dimension of its vectors.
    pub dimension: Option<usize>,
    /// Its key.
    pub key: Option<String>,
    /// The environment variable of the key, for errors.
    pub key_env: String,
    /// Whether plain http is allowed to other machines.
    pub is_plain_allowed: bool,
}

impl HttpConfig {
    /// Checks URL and key of the provider called `what`, configured below `area`. Error: why it cannot be used, as a
    /// sentence.
    pub(crate) fn access(&self, what: &str, area: &str) -> Result<(Plain, Option<Key>), String> {
        for (name, text) in [("url", &self.url), ("model", &self.model)] {
            if text.is_empty() {
                return Err(format!("{what} over HTTP needs the setting `{area}.{name}`."));
            }
        }
        let key = self.key.as_deref().map(Key::parse).transpose();
        let key = key.map_err(|_| format!("The value of `{}` is not a valid key.", self.key_env))?;
        Ok((if self.is_plain_allowed { Plain::Anywhere } else { Plain::Loopback }, key))
    }
}
