//! The port for embeddings over HTTP.
//!
//! Sent: the texts, the model's name, and the key if any. Invariants: nothing is sent to another host, redirects are
//! refused; a provider that is down costs bounded time a few times and then nothing; an error about one caller's
//! texts is returned to that caller only.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use inwit_model::{Code, EmbedError, Embedder};
use inwit_outbound::breaker::{Breaker, Resting};
use inwit_outbound::client::{Answer, Broken, Client, short};
use inwit_outbound::retry::{self, Pace, SystemPace};
use inwit_outbound::{Address, Key, KeyHeader, Patience, Plain, complaint};

use crate::Protocol;
use crate::standstill::{Forgetful, Standstill};

/// Texts in one request.
pub const REQUEST_TEXTS_MAX: usize = 64;

/// Bytes of the texts in one request. A text that is longer goes alone: nothing is cut here, and a provider
/// that cannot take it says so.
pub const REQUEST_BYTES_MAX: usize = 256 * 1024;

/// Largest answer that is read, in bytes: 64 vectors of 16,384 numbers as JSON.
pub const ANSWER_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Largest answer to a request that failed of which anything is read, in bytes.
const COMPLAINT_BYTES_MAX: u64 = 64 * 1024;

/// What is sent for a text without words: providers refuse an empty one.
const NO_WORDS: &str = ".";

/// Whom to ask. It has no `Debug`: people write secrets into addresses, too.
#[derive(Clone)]
pub struct Provider {
    /// The form it speaks.
    pub protocol: Protocol,
    /// Its address, such as `https://api.example.com/v1` or `http://localhost:11434`.
    pub url: String,
    /// Whether plain http may leave this machine.
    pub plain: Plain,
    /// The name of the model, as the provider calls it; vectors are kept under it.
    pub model: String,
    /// The key, where it wants one.
    pub key: Option<Key>,
    /// Numbers in a vector; `None` learns it from the first answer.
    pub dimension: Option<usize>,
    /// How long a request for passages may take.
    pub patience: Patience,
    /// How long one for a question may take, which is tried once.
    pub question_patience: Patience,
}

/// Embeddings of a [`Provider`].
pub struct HttpEmbedder {
    protocol: Protocol,
    address: Address,
    model: String,
    key: Option<Key>,
    dimension: OnceLock<usize>,
    client: Client,
    /// For questions.
    hasty: Client,
    pace: Box<dyn Pace>,
    breaker: Mutex<Breaker>,
    standstill: Box<dyn Standstill>,
}

/// A request that failed.
struct Failure {
    /// The end of a sentence that begins with the provider.
    why: String,
    /// Whether the same request may work soon.
    again: bool,
    /// How long the provider asked to be left alone.
    asked: Option<Duration>,
    /// Whether it says that the provider is out of order, and not these texts.
    is_providers: bool,
    /// Whether the patience was used up over it.
    is_late: bool,
}

impl HttpEmbedder {
    /// Makes no request. Error: `setting_bad`, for an invalid URL.
    pub fn new(provider: Provider) -> Result<Self, EmbedError> {
        Self::paced(provider, Box::<SystemPace>::default())
    }

    /// The same with another time.
    pub fn paced(provider: Provider, pace: Box<dyn Pace>) -> Result<Self, EmbedError> {
        let address = Address::parse(&provider.url, provider.plain)
            .and_then(|address| address.below(provider.protocol.path()))
            .map_err(|error| EmbedError {
                code: Code::SettingBad,
                message: format!("The embedding provider cannot be called: {error}."),
            })?;
        Ok(Self {
            protocol: provider.protocol,
            address,
            model: provider.model,
            key: provider.key,
            dimension: provider.dimension.map(OnceLock::from).unwrap_or_default(),
            client: Client::new(provider.patience),
            hasty: Client::new(provider.question_patience),
            pace,
            breaker: Mutex::default(),
            standstill: Box::new(Forgetful),
        })
    }

    /// The same, whose questions mind what a question of another process waited for in vain.
    pub fn minding(self, standstill: Box<dyn Standstill>) -> Self {
        Self { standstill, ..self }
    }

    fn embed_batch(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.guarded(|| self.ask_patiently(texts))
    }

    /// Does `ask` where the provider is not left alone, and remembers whether it worked.
    fn guarded(
        &self,
        ask: impl FnOnce() -> Result<Vec<Vec<f32>>, Failure>,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.breaker().admit(self.pace.elapsed()).map_err(|resting| self.left_alone(resting))?;
        match ask() {
            Ok(vectors) => {
                self.breaker().worked();
                self.standstill.ended();
                Ok(vectors)
            }
            Err(failure) => {
                if failure.is_providers {
                    self.breaker().failed(self.pace.elapsed());
                } else {
                    self.breaker().worked();
                }
                Err(self.error(format!("{}.", failure.why)))
            }
        }
    }

    /// Asks until it works, or asking again is of no use.
    fn ask_patiently(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let question = self.protocol.question(&self.model, texts);
        let mut tries = 1;
        loop {
            let failure = match self.ask_once(&self.client, &question, texts.len()) {
                Ok(vectors) => return Ok(vectors),
                Err(failure) => failure,
            };
            let pause = retry::pause(tries, failure.asked, self.pace.chance());
            match pause.filter(|_| failure.again) {
                Some(pause) => self.pace.wait(pause),
                None if tries > 1 => {
                    return Err(Failure {
                        why: format!("{}, after {tries} attempts", failure.why),
                        ..failure
                    });
                }
                None => return Err(failure),
            }
            tries += 1;
        }
    }

    fn ask_once(&self, client: &Client, question: &[u8], count: usize) -> Result<Vec<Vec<f32>>, Failure> {
        let key = self.key.as_ref().map(|key| (KeyHeader::Bearer, key));
        let answer = client.post(&self.address, &[], key, question).map_err(Failure::broken)?;
        if !(200..300).contains(&answer.status) {
            return Err(self.refused(answer));
        }
        let body = answer.body(ANSWER_BYTES_MAX).map_err(Failure::broken)?;
        let body = body.ok_or_else(|| {
            Failure::of_provider(format!("answered more than {} MiB", ANSWER_BYTES_MAX >> 20))
        })?;
        let vectors = self.protocol.vectors(&body, count, self.dimension.get().copied());
        let vectors = vectors.map_err(Failure::of_provider)?;
        if let Some(vector) = vectors.first() {
            // Of two concurrent first answers one wins; the other is compared with it.
            let dimension = *self.dimension.get_or_init(|| vector.len());
            if vector.len() != dimension {
                let why =
                    format!("answered with a vector of {} numbers instead of {dimension}", vector.len());
                return Err(Failure::of_provider(why));
            }
        }
        Ok(vectors)
    }

    /// An answer that is not good, in words.
    fn refused(&self, answer: Answer) -> Failure {
        let (status, asked) = (answer.status, retry::asked(answer.header("Retry-After")));
        if (300..400).contains(&status) {
            let to = answer.header("Location").and_then(|location| self.address.redirected(location).ok());
            let to = to.map_or_else(|| "elsewhere".to_owned(), |address| format!("to {address}"));
            return Failure::of_provider(format!("redirects {to}, and inwit does not send texts there"));
        }
        let said = answer.body(COMPLAINT_BYTES_MAX).ok().flatten();
        let said = said.and_then(|body| complaint(&body)).map(|said| self.without_key(&said));
        let said = said.filter(|said| !said.is_empty()).map(|said| format!(": {said}")).unwrap_or_default();
        let what = match status {
            401 | 403 => "rejects the key".to_owned(),
            404 => format!("has no such path or model `{}`", short(&self.model)),
            429 => match asked {
                Some(asked) => format!("limits requests and asks to wait {} s", asked.as_secs()),
                None => "limits requests".to_owned(),
            },
            500.. => format!("is unavailable (status {status})"),
            _ => format!("rejected the request (status {status})"),
        };
        Failure {
            why: format!("{what}{said}"),
            again: status == 429 || status >= 500,
            asked,
            // Those are said of the texts that were sent.
            is_providers: !matches!(status, 400 | 413 | 422),
            is_late: false,
        }
    }

    fn without_key(&self, text: &str) -> String {
        short(&self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hidden_in(text)))
    }

    fn left_alone(&self, Resting { left, failures }: Resting) -> EmbedError {
        let seconds = left.as_secs_f64().ceil();
        self.error(format!("failed {failures} times in a row and is not called for another {seconds} s."))
    }

    fn error(&self, rest: String) -> EmbedError {
        let message = format!("The embedding provider at {} {rest}", self.address);
        EmbedError { code: Code::ProviderUnanswered, message }
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Embedder for HttpEmbedder {
    fn model(&self) -> &str {
        &self.model
    }

    /// Queries the provider if it is not configured; 0 while unknown.
    fn dimension(&self) -> usize {
        if self.dimension.get().is_none() {
            // Errors are reported when vectors are requested.
            let _ = self.ask(NO_WORDS);
        }
        self.dimension.get().copied().unwrap_or_default()
    }

    fn sends_texts(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts: Vec<&str> = texts.iter().map(|text| sent(text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in batches(&texts) {
            vectors.extend(self.embed_batch(batch)?);
        }
        Ok(vectors)
    }

    fn ask(&self, question: &str) -> Result<Vec<f32>, EmbedError> {
        if let Some(left) = self.standstill.left() {
            let seconds = left.as_secs_f64().ceil();
            return Err(self.error(format!(
                "did not answer an earlier query in time and is not called for another {seconds} s."
            )));
        }
        let body = self.protocol.question(&self.model, &[sent(question)]);
        let vectors = self.guarded(|| {
            let asked = self.ask_once(&self.hasty, &body, 1);
            if asked.as_ref().is_err_and(|failure| failure.is_late) {
                self.standstill.began();
            }
            asked
        })?;
        vectors.into_iter().next().ok_or_else(|| self.error("returned no vector.".to_owned()))
    }
}

/// What is sent for a text.
fn sent(text: &str) -> &str {
    if text.trim().is_empty() { NO_WORDS } else { text }
}

impl Failure {
    fn broken(broken: Broken) -> Self {
        let Broken { why, is_unreached, is_late } = broken;
        Self { why, again: is_unreached, asked: None, is_providers: true, is_late }
    }

    fn of_provider(why: String) -> Self {
        Self { why, again: false, asked: None, is_providers: true, is_late: false }
    }
}

/// `texts` in runs that one request may hold.
fn batches<'a, 't>(texts: &'a [&'t str]) -> Vec<&'a [&'t str]> {
    let (mut runs, mut begin, mut bytes) = (Vec::new(), 0, 0);
    for (at, text) in texts.iter().enumerate() {
        let is_full = at - begin == REQUEST_TEXTS_MAX || bytes + text.len() > REQUEST_BYTES_MAX;
        if is_full && at > begin {
            runs.push(&texts[begin..at]);
            (begin, bytes) = (at, 0);
        }
        bytes += text.len();
    }
    if begin < texts.len() {
        runs.push(&texts[begin..]);
    }
    runs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn batches_hold_every_text_once_within_their_bounds(
            lengths in proptest::collection::vec(0usize..REQUEST_BYTES_MAX / 8, 0..200),
        ) {
            let long = "x".repeat(REQUEST_BYTES_MAX);
            let texts: Vec<&str> = lengths.iter().map(|length| &long[..*length]).collect();
            let runs = batches(&texts);
            prop_assert_eq!(runs.concat(), texts.as_slice());
            for run in runs {
                prop_assert!((1..=REQUEST_TEXTS_MAX).contains(&run.len()));
                prop_assert!(run.iter().map(|text| text.len()).sum::<usize>() <= REQUEST_BYTES_MAX);
            }
        }
    }

    #[test]
    fn a_text_that_is_too_long_goes_alone() {
        let long = "x".repeat(REQUEST_BYTES_MAX + 1);
        let texts = ["a", &long, "b", "c"];
        assert_eq!(batches(&texts).iter().map(|run| run.len()).collect::<Vec<_>>(), [1, 1, 2]);
    }
}
