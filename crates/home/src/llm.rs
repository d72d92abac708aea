//! Language models of a home: the configured provider, its key, and what its calls cost.
//!
//! Reading order: this file (from configuration to a `Completer`), [`key`], [`metered`] (redaction and counts),
//! [`usage`] (the counts of a home), [`price`], [`task`] (the table of tasks), [`check`]. Invariants: construction
//! makes no request and reads no key file; every question passes the redaction of [`metered`].

pub mod check;
pub mod key;
pub mod metered;
pub mod price;
pub mod task;
pub mod usage;

use std::path::PathBuf;

use inwit_llm::{Api, HttpCompleter, ProviderSpec, Target};
use inwit_model::{Code, CompleteError};
use inwit_outbound::{Address, Patience, Plain};

use key::KeySource;
use metered::Metered;
use price::Prices;
use task::Task;
use usage::UsageLog;

/// A language model, as configured.
#[derive(Clone)]
pub struct LlmConfig {
    /// Its provider; `None` if none is configured.
    pub provider: Option<&'static ProviderSpec>,
    /// The table of its settings, for errors.
    pub area: &'static str,
    /// Its address; empty if unset and the provider has no default.
    pub url: String,
    /// The name of the model; empty if unset.
    pub model: String,
    /// The API that it speaks.
    pub api: Api,
    /// Where its key is.
    pub key: KeySource,
    /// Whether plain http is allowed to other machines.
    pub is_plain_allowed: bool,
    /// What its tokens cost.
    pub prices: Prices,
    /// The folder of the counts of the home.
    pub usage: PathBuf,
}

impl LlmConfig {
    /// The configured provider and model. Errors: `model_unset`, `setting_bad`.
    pub fn chosen(&self) -> Result<&'static ProviderSpec, CompleteError> {
        let unset = |message: String| Err(CompleteError { code: Code::ModelUnset, message });
        let Some(provider) = self.provider else {
            return unset("No language model is configured (`llm.provider` is disabled).".to_owned());
        };
        for (name, text) in [("url", &self.url), ("model", &self.model)] {
            if text.is_empty() {
                let area = self.area;
                return unset(format!("The provider `{}` needs the setting `{area}.{name}`.", provider.name));
            }
        }
        Ok(provider)
    }

    /// Scheme, host and port of its address, which is all of it that is shown. Error: `setting_bad`.
    pub fn host(&self) -> Result<String, CompleteError> {
        let address = Address::parse(&self.url, self.plain());
        address.map(|address| address.to_string()).map_err(|error| CompleteError {
            code: Code::SettingBad,
            message: format!("The setting `{}.url` cannot be used: {error}.", self.area),
        })
    }

    fn plain(&self) -> Plain {
        if self.is_plain_allowed { Plain::Anywhere } else { Plain::Loopback }
    }

    /// A completer for `task`. Makes no request; reads the key. Errors: `model_unset`, `setting_bad`.
    pub fn completer(&self, task: Task, patience: Patience) -> Result<Metered<HttpCompleter>, CompleteError> {
        let provider = self.chosen()?;
        let key = self.key.read().map_err(|message| CompleteError { code: Code::SettingBad, message })?;
        let inner = HttpCompleter::new(Target {
            api: self.api,
            url: self.url.clone(),
            plain: self.plain(),
            model: self.model.clone(),
            key,
            patience,
        })?;
        let log = UsageLog::of(&self.usage);
        Ok(Metered::new(inner, task, provider.name, self.prices, log))
    }
}
