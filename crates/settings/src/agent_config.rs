//! Converts the settings to the typed configuration of an agent.
//!
//! Invariant: a key is read here, from the variable that a setting names, and passed nowhere else.

use std::sync::Arc;
use std::time::Duration;

use inwit_gate::{Rule, secrets};
use inwit_home::config::{AgentConfig, EmbeddingConfig, HttpConfig, JudgeConfig, TranscriptConfig};
use inwit_home::meaning::LOCAL_MODEL;
use inwit_home::models;
use inwit_home::provider::Provider;
use inwit_model::{AgentsMd, Consolidation, Host};
use inwit_outbound::QUESTION_WAIT_MS_DEFAULT;
use inwit_workspace::Extensions;

use super::Settings;
use super::resolve::{EMBEDDING_KEY_ENV_DEFAULT, SEARCH_LIMIT_DEFAULT};
use inwit_home::HomeError;

/// The address, the model and the variable of the key that `openai` means by default.
const OPENAI_DEFAULTS: [&str; 3] = ["https://api.openai.com/v1", "text-embedding-3-small", "OPENAI_API_KEY"];

impl Settings {
    /// The configuration of the agent whose file was read, for the interface `surface`. Error: `setting_bad`.
    pub fn agent_config(&self, surface: &'static str) -> Result<AgentConfig, HomeError> {
        let redaction = || self.redaction(Some(Arc::new(secrets::redact_transcript)));
        let transcripts = self.transcripts_enabled().then(redaction).transpose()?;
        // They were read once already, so they can be read.
        let rules = Rule::parse_all(self.text("write.rules")).unwrap_or_default();
        Ok(AgentConfig {
            paths: self.paths.clone(),
            surface,
            profile: self.profile(),
            zone: self.zone().0,
            host: self.host(),
            tighter: self.tighter(),
            rules,
            transcripts: transcripts.map(|redaction| TranscriptConfig { redaction }),
            dreams: self.dream_schedule(),
            dream_logs: self.dream_logs(),
            review: self.review(),
            dream_lock_ttl: self.dream_lock_ttl(),
            records_recall: self.flag("recall.record", true),
            weights: self.weights(),
            extensions: match self.flag("search.text_files", false) {
                true => Extensions::Text,
                false => Extensions::Markdown,
            },
            search_limit: self.count("search.limit").unwrap_or(SEARCH_LIMIT_DEFAULT),
            embedding: self.embedding(),
            reranker: self.folder("recall.reranker"),
            judge: self.judge(),
            idle: self.idle(),
        })
    }

    /// Who makes vectors (X48).
    pub fn embedding(&self) -> EmbeddingConfig {
        let provider = self.layers.text("embedding.provider").and_then(Provider::parse);
        let [url, model, key_env] = match provider {
            Some(Provider::OpenAi) => OPENAI_DEFAULTS,
            _ => ["", "", EMBEDDING_KEY_ENV_DEFAULT],
        };
        let text = |key: &str, default: &str| self.layers.text(key).unwrap_or(default).to_owned();
        let wait = self.layers.text("embedding.question_wait_ms").and_then(|text| text.parse().ok());
        let local = || models::folder(&self.paths.root).join(LOCAL_MODEL);
        EmbeddingConfig {
            provider,
            http: HttpConfig {
                url: text("embedding.url", url),
                model: text("embedding.model", model),
                dimension: self.count("embedding.dimension"),
                is_plain_allowed: self.flag("embedding.plain_http", false),
                ..keyed(text("embedding.key_env", key_env))
            },
            question_wait: Duration::from_millis(wait.unwrap_or(QUESTION_WAIT_MS_DEFAULT)),
            scans_signs_first: self.layers.text("embedding.scan") == Some("signs"),
            folder: self.folder("embedding.folder").unwrap_or_else(local),
        }
    }

    fn judge(&self) -> JudgeConfig {
        let consolidation = self.layers.text("facts.consolidation").and_then(Consolidation::parse);
        JudgeConfig {
            consolidation: consolidation.unwrap_or(Consolidation::On),
            guidance: self.text("judge.guidance").to_owned(),
            model: self.judge_model(),
        }
    }

    fn host(&self) -> Host {
        let text = |key: &str| self.text(key).to_owned();
        Host {
            role: text("host.role"),
            instructions: text("host.instructions"),
            system_prompt: text("host.system_prompt"),
            agents_md: self.layers.text("host.agents_md").and_then(AgentsMd::parse).unwrap_or_default(),
            without_files: !self.flag("workspace_in_prompt", true),
        }
    }

    /// The text of a setting; empty where none is set.
    pub(super) fn text(&self, key: &str) -> &str {
        self.layers.text(key).unwrap_or_default()
    }
}

/// A provider whose key the variable `key_env` holds, and of which nothing else is known.
fn keyed(key_env: String) -> HttpConfig {
    #[expect(clippy::disallowed_methods, reason = "a key stands in no file of ours")]
    let key = std::env::var(&key_env).ok().filter(|key| !key.is_empty());
    HttpConfig {
        url: String::new(),
        model: String::new(),
        dimension: None,
        key,
        key_env,
        is_plain_allowed: false,
    }
}
