//! The port for language models over HTTP, in OpenAI's format.
//!
//! Sent: rules, a text, the model's name, and the key if any. Invariants: nothing is sent to another host, redirects
//! are refused; a request takes bounded time, and a failing provider is not called for a while.

use std::sync::{Mutex, MutexGuard, PoisonError};

use inwit_model::{Code, CompleteError, Completer, Question};
use serde::Deserialize;
use serde_json::json;

use crate::breaker::Breaker;
use crate::client::{Broken, Client, short};
use crate::retry::{self, Pace, SystemPace};
use crate::{Address, Key, Patience, Plain, Protocol};

/// Largest answer that is read, in bytes.
pub const COMPLETION_BYTES_MAX: u64 = 256 * 1024;

/// The path below a provider's address, which ends in `/v1` there.
const PATH: &str = "chat/completions";

/// Whom to ask. It has no `Debug`: people write secrets into addresses, too.
#[derive(Clone)]
pub struct ChatProvider {
    /// Its address, such as `https://api.example.com/v1`.
    pub url: String,
    /// Whether plain http may leave this machine.
    pub plain: Plain,
    /// The name of the model, as the provider calls it.
    pub model: String,
    /// The key, where it wants one.
    pub key: Option<Key>,
    /// How long a request may take.
    pub patience: Patience,
}

/// Completions of a [`ChatProvider`].
pub struct HttpCompleter {
    address: Address,
    model: String,
    key: Option<Key>,
    client: Client,
    pace: Box<dyn Pace>,
    breaker: Mutex<Breaker>,
}

#[derive(Deserialize)]
struct Answer {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: String,
}

/// A request that failed: the end of a sentence that begins with the provider, and whether to ask again.
struct Failure {
    why: String,
    again: bool,
    /// It is said of what was asked, so another question may be answered.
    is_of_question: bool,
}

impl HttpCompleter {
    /// Makes no request. Error: `setting_bad`, for an invalid URL.
    pub fn new(provider: ChatProvider) -> Result<Self, CompleteError> {
        Self::paced(provider, Box::<SystemPace>::default())
    }

    /// The same with another time.
    pub fn paced(provider: ChatProvider, pace: Box<dyn Pace>) -> Result<Self, CompleteError> {
        let address = Address::parse(&provider.url, provider.plain).and_then(|address| address.below(PATH));
        let address = address.map_err(|error| CompleteError {
            code: Code::SettingBad,
            message: format!("The judge model cannot be called: {error}."),
        })?;
        Ok(Self {
            address,
            model: provider.model,
            key: provider.key,
            client: Client::new(provider.patience),
            pace,
            breaker: Mutex::default(),
        })
    }

    /// Asks until it works, or asking again is of no use.
    fn ask(&self, body: &[u8]) -> Result<String, Failure> {
        let mut tries = 1;
        loop {
            let failure = match self.ask_once(body) {
                Ok(text) => return Ok(text),
                Err(failure) => failure,
            };
            match retry::pause(tries, None, self.pace.chance()).filter(|_| failure.again) {
                Some(pause) => self.pace.wait(pause),
                None => return Err(failure),
            }
            tries += 1;
        }
    }

    fn ask_once(&self, body: &[u8]) -> Result<String, Failure> {
        let answer = self.client.post(&self.address, self.key.as_ref(), body).map_err(Failure::broken)?;
        let status = answer.status;
        let body = answer.body(COMPLETION_BYTES_MAX).map_err(Failure::broken)?;
        if !(200..300).contains(&status) {
            let said = body.as_deref().and_then(Protocol::complaint).map(|said| self.without_key(&said));
            let said = said.map(|said| format!(": {said}")).unwrap_or_default();
            let why = format!("rejected the request (status {status}){said}");
            let is_of_question = matches!(status, 400 | 413 | 422);
            return Err(Failure { why, again: status == 429 || status >= 500, is_of_question });
        }
        let body = body
            .ok_or_else(|| Failure::of(format!("answered more than {} KiB", COMPLETION_BYTES_MAX >> 10)))?;
        let read: Option<Answer> = serde_json::from_slice(&body).ok();
        let text = read.and_then(|answer| answer.choices.into_iter().next());
        text.map(|choice| choice.message.content)
            .ok_or_else(|| Failure::of("answered without a completion".to_owned()))
    }

    fn without_key(&self, text: &str) -> String {
        short(&self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hidden_in(text)))
    }

    fn error(&self, code: Code, rest: &str) -> CompleteError {
        CompleteError { code, message: format!("The provider at {} {rest}.", self.address) }
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Completer for HttpCompleter {
    fn model(&self) -> &str {
        &self.model
    }

    fn complete(&self, question: &Question<'_>) -> Result<String, CompleteError> {
        self.breaker().admit(self.pace.elapsed()).map_err(|resting| {
            let seconds = resting.left.as_secs_f64().ceil();
            let rest = format!(
                "failed {} times in a row and is not called for another {seconds} s",
                resting.failures
            );
            self.error(Code::ModelUnanswered, &rest)
        })?;
        let body = json!({
            "model": self.model,
            "messages": [
                { "role": "system", "content": question.rules },
                { "role": "user", "content": question.text },
            ],
            "max_tokens": question.answer_tokens_max,
            "temperature": 0,
            "stream": false,
        });
        match self.ask(body.to_string().as_bytes()) {
            Ok(text) => {
                self.breaker().worked();
                Ok(text)
            }
            // It is up and answers, only not this.
            Err(failure) if failure.is_of_question => {
                self.breaker().worked();
                Err(self.error(Code::ModelRefused, &failure.why))
            }
            Err(failure) => {
                self.breaker().failed(self.pace.elapsed());
                Err(self.error(Code::ModelUnanswered, &failure.why))
            }
        }
    }
}

impl Failure {
    fn broken(broken: Broken) -> Self {
        Self { why: broken.why, again: broken.is_unreached, is_of_question: false }
    }

    fn of(why: String) -> Self {
        Self { why, again: false, is_of_question: false }
    }
}
