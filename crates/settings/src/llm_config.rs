//! Converts the settings to the configuration of language models.
//!
//! Invariant: the environment is read only for keys, from the variables that a setting or the table of providers
//! names; a file or command with a key is not read here.

use std::time::Duration;

use inwit_home::llm::key::KeySource;
use inwit_home::llm::price::{Price, Prices};
use inwit_home::llm::{Allow, LlmConfig, usage};
use inwit_llm::provider::OTHER;
use inwit_llm::{Api, ProviderSpec};

use super::Settings;
use super::resolve::JUDGE_KEY_ENV_DEFAULT;

impl Settings {
    /// The configured language model.
    pub fn llm(&self) -> LlmConfig {
        let provider = ProviderSpec::named(self.text("llm.provider"));
        let api = self.layers.text("llm.api").and_then(Api::parse);
        let key = match self.layers.text("llm.key_command").filter(|line| !line.is_empty()) {
            Some(line) => KeySource::Command(line.to_owned()),
            None => match self.layers.text("llm.key_env") {
                Some(name) => self.key_source(&[name]),
                None => self.key_source(provider.map_or(&[], |provider| provider.key_env)),
            },
        };
        let price = |kind: &str| Price::parse(self.text(&format!("llm.{kind}_usd_per_million")));
        LlmConfig {
            provider,
            area: "llm",
            url: self
                .layers
                .text("llm.url")
                .or_else(|| provider.and_then(|provider| provider.url))
                .unwrap_or_default()
                .to_owned(),
            model: self.text("llm.model").to_owned(),
            api: api.or(provider.map(|provider| provider.api)).unwrap_or(Api::OpenAiChat),
            key,
            is_plain_allowed: self.flag("llm.plain_http", false),
            allow: Allow::parse(self.text("llm.allow")).unwrap_or(Allow::Nothing),
            day_max: Price::parse(self.text("llm.usd_per_day_max")).map(Price::nanos),
            timeout: self.count("llm.timeout_seconds").map(|seconds| Duration::from_secs(seconds as u64)),
            context_tokens: self.count("llm.context_tokens").and_then(|tokens| u32::try_from(tokens).ok()),
            prices: Prices {
                input: price("input"),
                cache_read: price("cache_read"),
                cache_write: price("cache_write"),
                output: price("output"),
            },
            usage: self.paths.root.join(usage::FOLDER),
        }
    }

    /// The language model of the judge, `None` if it has none.
    pub fn judge_model(&self) -> Option<LlmConfig> {
        let model = || self.layers.text("judge.model").map(str::to_owned);
        match self.text("judge.provider") {
            _ if !self.flag("judge.enabled", true) => None,
            "http" => Some(LlmConfig {
                provider: ProviderSpec::named(OTHER),
                area: "judge",
                url: self.text("judge.url").to_owned(),
                model: model().unwrap_or_default(),
                api: Api::OpenAiChat,
                key: self.key_source(&[self.layers.text("judge.key_env").unwrap_or(JUDGE_KEY_ENV_DEFAULT)]),
                is_plain_allowed: self.flag("judge.plain_http", false),
                // Whoever sets this address sends the facts there.
                allow: Allow::All,
                day_max: None,
                timeout: None,
                context_tokens: None,
                prices: Prices::default(),
                usage: self.paths.root.join(usage::FOLDER),
            }),
            "llm" => {
                let configured = self.llm();
                Some(LlmConfig { model: model().unwrap_or(configured.model.clone()), ..configured })
            }
            _ => None,
        }
    }

    /// Where a key is: in one of these variables, or in the file that one of them with `_FILE` at its end names.
    pub fn key_source(&self, names: &[&str]) -> KeySource {
        let file = |name: &str| format!("{name}_FILE");
        names
            .iter()
            .find_map(|name| Some(KeySource::Value(variable(name)?, (*name).to_owned())))
            .or_else(|| {
                names.iter().find_map(|name| {
                    let path = self.expanded(&variable(&file(name))?);
                    Some(KeySource::File(path, file(name)))
                })
            })
            .unwrap_or(KeySource::Missing)
    }
}

#[expect(clippy::disallowed_methods, reason = "a key stands in no file of ours")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}
