//! Language models of a home: the configured provider, its key, and what its calls cost.
//!
//! Reading order: this file (from configuration to a `Completer`), [`key`], [`metered`] (redaction and counts), [`bounded`] (deadlines),
//! [`counted_models`] (both, for a pass), [`usage`] (the counts of a home), [`price`], [`task`] (the table of tasks), [`check`]. Invariants: construction
//! makes no request and reads no key file; every question passes the redaction of [`metered`].

pub mod bounded;
pub mod check;
pub mod counted_models;
pub mod key;
pub mod metered;
pub mod price;
pub mod task;
pub mod usage;

use std::path::PathBuf;
use std::time::Duration;

use inwit_llm::{Api, HttpCompleter, ProviderSpec, Target};
use inwit_model::{Code, CompleteError, Scope};
use inwit_outbound::{Address, Patience, Plain};

use key::KeySource;
use metered::Metered;
use price::Prices;
use task::Task;
use usage::UsageLog;

inwit_model::words! {
    /// What may be sent to a provider on another machine.
    Allow {
        /// No text of an agent.
        Nothing = "nothing",
        /// Texts that rooms see.
        Shared = "shared",
        /// Private notes too.
        All = "all",
    }
}

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
    /// What may be sent to it, if it is on another machine.
    pub allow: Allow,
    /// Most that the calls of a day may cost, in billionths of a US dollar.
    pub day_max: Option<u64>,
    /// How long one call may take; `None`: as long as its task allows.
    pub timeout: Option<Duration>,
    /// Most tokens of a question and its answer together, if set.
    pub context_tokens: Option<u32>,
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

    /// Refuses texts of `scope` that may not be sent there. Errors: `model_not_allowed`, `setting_bad`.
    fn check_allowed(&self, scope: &Scope) -> Result<(), CompleteError> {
        let is_allowed = match self.allow {
            Allow::Nothing => false,
            Allow::Shared => matches!(scope, Scope::Room(_) | Scope::Shared),
            Allow::All => true,
        };
        let address = Address::parse(&self.url, self.plain());
        if is_allowed || address.as_ref().is_ok_and(Address::is_of_this_machine) {
            return Ok(());
        }
        let (host, allow) = (self.host()?, self.allow.word());
        let texts = if matches!(scope, Scope::Room(_)) { "Texts of rooms" } else { "Private notes" };
        let message = format!("{texts} may not be sent to {host}, because `llm.allow` is `{allow}`.");
        Err(CompleteError { code: Code::ModelNotAllowed, message })
    }

    /// Whether a completer can be made, without running a key command. Errors: as [`completer`](Self::completer).
    pub(crate) fn check_settings(&self, scope: Option<&Scope>) -> Result<(), CompleteError> {
        self.chosen()?;
        self.host()?;
        scope.map_or(Ok(()), |scope| self.check_allowed(scope))?;
        match &self.key {
            KeySource::Command(_) => Ok(()),
            key => {
                let read = key.read().map(drop);
                read.map_err(|message| CompleteError { code: Code::SettingBad, message })
            }
        }
    }

    fn plain(&self) -> Plain {
        if self.is_plain_allowed { Plain::Anywhere } else { Plain::Loopback }
    }

    /// A counted completer for `task` with texts of `scope`; `None` for a task without any. Makes no request; reads the key.
    /// Errors: `model_unset`, `model_not_allowed`, `setting_bad`.
    pub fn completer(
        &self,
        task: Task,
        scope: Option<&Scope>,
        patience: Patience,
    ) -> Result<Metered<HttpCompleter>, CompleteError> {
        self.metered(self.client(scope, patience)?, task)
    }

    /// The provider's client. Errors: as [`completer`](Self::completer).
    fn client(&self, scope: Option<&Scope>, patience: Patience) -> Result<HttpCompleter, CompleteError> {
        self.chosen()?;
        scope.map_or(Ok(()), |scope| self.check_allowed(scope))?;
        let key = self.key.read().map_err(|message| CompleteError { code: Code::SettingBad, message })?;
        HttpCompleter::new(Target {
            api: self.api,
            url: self.url.clone(),
            plain: self.plain(),
            model: self.model.clone(),
            key,
            patience: self.patience(patience),
        })
    }

    /// How long a call may take that has `patience` by default.
    fn patience(&self, patience: Patience) -> Patience {
        let Some(timeout) = self.timeout else { return patience };
        Patience { connect: patience.connect.min(timeout), silence: timeout, whole: timeout }
    }

    /// `inner`, counted for `task`. Error: `model_unset`.
    fn metered<M>(&self, inner: M, task: Task) -> Result<Metered<M>, CompleteError> {
        let log = UsageLog::of(&self.usage);
        Ok(Metered::new(inner, task, self.chosen()?.name, self.prices, log).up_to(self.day_max))
    }
}
