//! The configuration of one agent, with every value decided.
//!
//! An interface makes it from its layers of settings: files, environment, arguments. Invariant: what stands here is
//! used as it is; only a missing provider of embeddings means [`Provider::Auto`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use inwit_engine::Weights;
use inwit_engine::learning::dreaming::DreamSchedule;
use inwit_gate::Rule;
use inwit_model::{Consolidation, FileClass, Host, Profile, WriteMode};
use inwit_remote::{Key, Plain};
use inwit_workspace::Extensions;
use inwit_workspace::transcripts::Redaction;
use jiff::tz::TimeZone;

use crate::place::HomePaths;
use crate::provider::Provider;

/// The configuration of one agent.
#[derive(Clone)]
pub struct AgentConfig {
    /// The folders of the user.
    pub paths: HomePaths,
    /// The interface that opens the agent, as the record of a dream lock names it.
    pub surface: &'static str,
    /// The profile, with every value changed that a setting says.
    pub profile: Profile,
    /// The zone that names days.
    pub zone: TimeZone,
    /// What the host says of the agent outside its files.
    pub host: Host,
    /// What the owner asks for beyond the profile's write policy.
    pub tighter: BTreeMap<FileClass, WriteMode>,
    /// The owner's own rules of writing (X40).
    pub rules: Vec<Rule>,
    /// How sessions are written down; `None`: they are not.
    pub transcripts: Option<TranscriptConfig>,
    /// Which engines dream automatically, and how often (X32).
    pub dreams: DreamSchedule,
    /// Age at which another system's dream lock counts as left behind.
    pub dream_lock_ttl: Duration,
    /// Whether what was recalled is recorded.
    pub records_recall: bool,
    /// How much each part of a score counts when passages are ranked.
    pub weights: Weights,
    /// Most results of a search.
    pub search_limit: usize,
    /// Which files of the workspace are pages.
    pub extensions: Extensions,
    /// Who makes vectors.
    pub embedding: EmbeddingConfig,
    /// What becomes of facts that wait, and who judges them.
    pub judge: JudgeConfig,
}

/// How sessions are written down.
#[derive(Clone)]
pub struct TranscriptConfig {
    /// What is taken out before a line is written; `None`: nothing.
    pub redaction: Option<Redaction>,
}

/// Who makes vectors.
#[derive(Clone)]
pub struct EmbeddingConfig {
    /// The provider that a setting names; `None`: no setting does, which means [`Provider::Auto`].
    pub provider: Option<Provider>,
    /// The provider over HTTP; used where `provider` names one.
    pub http: HttpConfig,
    /// How long a question waits for its vector from that provider.
    pub question_wait: Duration,
    /// Whether very many vectors are scanned by their signs first.
    pub scans_signs_first: bool,
    /// The folder of the local model.
    pub folder: PathBuf,
}

/// What becomes of facts that wait when a session ends (M42), and who judges contradictions.
#[derive(Clone)]
pub struct JudgeConfig {
    /// What becomes of them.
    pub consolidation: Consolidation,
    /// What a judge should mind.
    pub guidance: String,
    /// The judge; `None`: nobody is asked.
    pub http: Option<HttpConfig>,
}

/// A provider over HTTP. It holds a key, so it has no `Debug`.
#[derive(Clone)]
pub struct HttpConfig {
    /// Its address; empty where none is set.
    pub url: String,
    /// Its model; empty where none is set.
    pub model: String,
    /// Numbers in a vector.
    pub dimension: Option<usize>,
    /// Its key.
    pub key: Option<String>,
    /// The environment variable that held the key, for errors.
    pub key_env: String,
    /// Whether plain http may leave this machine.
    pub is_plain_allowed: bool,
}

impl HttpConfig {
    /// Where plain http may go, and the key, of what is called `what` and set below `area`. Error: why it cannot be asked,
    /// as a sentence.
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
