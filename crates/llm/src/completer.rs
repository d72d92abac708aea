//! The ports for language models over HTTP: one question, or a conversation with tools.
//!
//! Sent: the question or conversation, the model's name, and the key if any. Invariants: nothing is sent to another host, redirects
//! are refused; a request takes bounded time and bytes; a failing provider is not called for a while; once a part of
//! a streamed answer was handed out, the request is not repeated.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inwit_model::{
    ChatModel, Code, CompleteError, Completer, Completion, Conversation, Question, Reply, Step,
};
use inwit_outbound::client::{Answer, Broken, Client, short};
use inwit_outbound::retry::{self, Pace, SystemPace};
use inwit_outbound::{Address, Breaker, Key, Patience, Plain, complaint};

use crate::Api;
use crate::api::{Fault, Partial, Request};
use crate::sse::Reader;

/// Largest answer that is read, in bytes.
pub const COMPLETION_BYTES_MAX: u64 = 256 * 1024;

/// Largest stream that is read, in bytes: each part of the text comes in an event of a few hundred bytes.
pub const STREAM_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Whom to ask. It has no `Debug`: people write secrets into addresses, too.
#[derive(Clone)]
pub struct Target {
    /// The API that it speaks.
    pub api: Api,
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

/// Completions of a [`Target`].
pub struct HttpCompleter {
    api: Api,
    address: Address,
    stream_address: Address,
    model: String,
    key: Option<Key>,
    client: Client,
    pace: Box<dyn Pace>,
    breaker: Mutex<Breaker>,
    /// The model refused `temperature`.
    is_unsteady: AtomicBool,
    /// The model wants `max_completion_tokens`.
    is_new_limit: AtomicBool,
}

/// A request that failed: the end of a sentence that begins with the provider, and what follows from it.
struct Failure {
    why: String,
    code: Code,
    /// Whether the same request may work soon.
    again: bool,
    /// How long the provider asked to wait.
    asked: Option<Duration>,
}

impl HttpCompleter {
    /// Makes no request. Error: `setting_bad`, for an invalid URL or model name.
    pub fn new(target: Target) -> Result<Self, CompleteError> {
        Self::paced(target, Box::<SystemPace>::default())
    }

    /// The same with another time.
    pub fn paced(target: Target, pace: Box<dyn Pace>) -> Result<Self, CompleteError> {
        let bad = |why: String| CompleteError {
            code: Code::SettingBad,
            message: format!("The language model cannot be called: {why}."),
        };
        // It may be a part of the path.
        if !target.model.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#%\\".contains(&byte)) {
            return Err(bad(format!("`{}` is not a name of a model", short(&target.model))));
        }
        let base = Address::parse(&target.url, target.plain).map_err(|error| bad(error.to_string()))?;
        let below = |is_stream| {
            base.below(&target.api.path(&target.model, is_stream)).map_err(|error| bad(error.to_string()))
        };
        Ok(Self {
            api: target.api,
            address: below(false)?,
            stream_address: below(true)?,
            model: target.model,
            key: target.key,
            client: Client::new(target.patience),
            pace,
            breaker: Mutex::default(),
            is_unsteady: AtomicBool::new(false),
            is_new_limit: AtomicBool::new(false),
        })
    }

    fn guarded(
        &self,
        asked: Asked<'_>,
        mut piece: Option<&mut dyn FnMut(&str) -> bool>,
    ) -> Result<Partial, CompleteError> {
        self.breaker().admit(self.pace.elapsed()).map_err(|resting| {
            let seconds = resting.left.as_secs_f64().ceil();
            let rest = format!(
                "failed {} times in a row and is not called for another {seconds} s",
                resting.failures
            );
            self.error(Code::ModelUnanswered, &rest)
        })?;
        let answer = self.ask(asked, &mut piece);
        match &answer {
            // It is up and answers, only not this.
            Ok(_) | Err(Failure { code: Code::ModelRefused, .. }) => self.breaker().worked(),
            Err(_) => self.breaker().failed(self.pace.elapsed()),
        }
        answer.map_err(|failure| self.error(failure.code, &failure.why))
    }

    /// Asks until it works, or asking again is of no use.
    fn ask(
        &self,
        asked: Asked<'_>,
        piece: &mut Option<&mut dyn FnMut(&str) -> bool>,
    ) -> Result<Partial, Failure> {
        let mut tries = 1;
        loop {
            let mut is_begun = false;
            let failure = match self.ask_adapted(asked, piece, &mut is_begun) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let pause = retry::pause(tries, failure.asked, self.pace.chance());
            let goes_on = piece.as_mut().is_none_or(|piece| piece(""));
            match pause.filter(|_| failure.again && !is_begun && goes_on) {
                Some(pause) => self.pace.wait(pause),
                None => return Err(failure),
            }
            tries += 1;
        }
    }

    /// Asks, and asks again without a parameter that the model refuses by name.
    fn ask_adapted(
        &self,
        asked: Asked<'_>,
        piece: &mut Option<&mut dyn FnMut(&str) -> bool>,
        is_begun: &mut bool,
    ) -> Result<Partial, Failure> {
        let mut answer = self.ask_once(asked, piece, is_begun);
        for (name, flag) in
            [("temperature", &self.is_unsteady), ("max_completion_tokens", &self.is_new_limit)]
        {
            let is_named =
                |failure: &Failure| failure.code == Code::ModelRefused && failure.why.contains(name);
            if answer.as_ref().is_err_and(is_named) && !flag.swap(true, Ordering::SeqCst) {
                answer = self.ask_once(asked, piece, is_begun);
            }
        }
        answer
    }

    fn ask_once(
        &self,
        asked: Asked<'_>,
        piece: &mut Option<&mut dyn FnMut(&str) -> bool>,
        is_begun: &mut bool,
    ) -> Result<Partial, Failure> {
        let request = Request {
            model: &self.model,
            talk: asked.talk,
            is_stream: piece.is_some(),
            is_steady: asked.is_steady && !self.is_unsteady.load(Ordering::SeqCst),
            is_new_limit: self.is_new_limit.load(Ordering::SeqCst),
        };
        let address = if request.is_stream { &self.stream_address } else { &self.address };
        let key = self.key.as_ref().map(|key| (self.api.key_header(), key));
        let answer = self.client.post(address, self.api.headers(), key, &self.api.body(&request));
        let answer = answer.map_err(Failure::broken)?;
        if !(200..300).contains(&answer.status) {
            return Err(self.refused(answer));
        }
        let is_stream = answer.header("Content-Type").is_some_and(|kind| kind.contains("text/event-stream"));
        let partial = match piece {
            Some(piece) if is_stream => self.read_stream(answer, *piece, is_begun)?,
            _ => {
                let partial = self.read_whole(answer)?;
                if let Some(piece) = piece {
                    *is_begun = true;
                    piece(&partial.text);
                }
                partial
            }
        };
        self.usable(partial, asked.talk)
    }

    fn read_whole(&self, answer: Answer) -> Result<Partial, Failure> {
        let body = answer.body(COMPLETION_BYTES_MAX).map_err(Failure::broken)?;
        let body = body.ok_or_else(|| too_large(COMPLETION_BYTES_MAX))?;
        self.api.whole(&body).map_err(|fault| self.faulty(fault))
    }

    fn read_stream(
        &self,
        answer: Answer,
        piece: &mut dyn FnMut(&str) -> bool,
        is_begun: &mut bool,
    ) -> Result<Partial, Failure> {
        let (mut reader, mut partial, mut bytes) = (Reader::default(), Partial::default(), 0);
        let (mut fault, mut is_stopped) = (None, false);
        let mut take = |read: &[u8]| -> Result<bool, Failure> {
            bytes += read.len() as u64;
            if bytes > STREAM_BYTES_MAX || partial.bytes() > COMPLETION_BYTES_MAX {
                return Err(too_large(bytes.min(COMPLETION_BYTES_MAX)));
            }
            for event in reader.feed(read).map_err(|_| too_large(STREAM_BYTES_MAX))? {
                let before = partial.text.len();
                self.api.event(&event, &mut partial).map_err(|fault| self.faulty(fault))?;
                *is_begun |= partial.text.len() > before;
                // An event without text asks whether to go on.
                is_stopped = !piece(&partial.text[before..]);
                if is_stopped {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let end = answer.pieces(&mut |read| match take(read) {
            Ok(goes_on) => goes_on,
            Err(failure) => {
                fault = Some(failure);
                false
            }
        });
        if is_stopped {
            return Ok(Partial { is_cut: true, ..partial });
        }
        match (fault, end) {
            (Some(failure), _) => Err(failure),
            (None, Err(broken)) if !partial.is_done => Err(Failure::broken(broken)),
            (None, _) if !partial.is_done => Err(Failure {
                again: true,
                ..Failure::of(Code::ModelUnanswered, "ended its answer early".to_owned())
            }),
            (None, _) => Ok(partial),
        }
    }

    fn usable(&self, partial: Partial, talk: &Conversation<'_>) -> Result<Partial, Failure> {
        if let Some(refusal) = partial.refusal {
            let why = format!("refused: {}", self.without_key(&refusal));
            return Err(Failure::of(Code::ModelRefused, why));
        }
        if partial.bytes() == 0 && partial.is_cut {
            let most = talk.answer_tokens_max;
            let why = format!("used all {most} tokens of its answer without a word of text");
            return Err(Failure::of(Code::ModelAnswerBad, why));
        }
        Ok(Partial { calls: self.api.calls(partial.calls), ..partial })
    }

    /// An answer that is not good, in words.
    fn refused(&self, answer: Answer) -> Failure {
        let (status, asked) = (answer.status, retry::asked(answer.header("Retry-After")));
        let body = answer.body(COMPLETION_BYTES_MAX).ok().flatten();
        let said = body.as_deref().and_then(complaint).map(|said| self.without_key(&said));
        let said = said.filter(|said| !said.is_empty()).map(|said| format!(": {said}")).unwrap_or_default();
        // Gemini rejects a key as an ordinary bad request.
        let is_of_key =
            matches!(status, 401 | 403) || status == 400 && said.to_ascii_lowercase().contains("api key");
        let code = match status {
            _ if is_of_key => Code::ModelKeyRefused,
            400 | 413 | 422 => Code::ModelRefused,
            300..=399 | 404 | 405 => Code::ModelAnswerBad,
            _ => Code::ModelUnanswered,
        };
        let what = match status {
            _ if is_of_key && self.key.is_none() => "requires a key".to_owned(),
            _ if is_of_key => "rejected the key".to_owned(),
            300..=399 => "redirects to another address, which is refused".to_owned(),
            404 => format!("has no such path or no model `{}`", short(&self.model)),
            429 => match asked {
                Some(asked) => format!("limits requests and asks to wait {} s", asked.as_secs()),
                None => "limits requests".to_owned(),
            },
            500.. => "is unavailable".to_owned(),
            _ => "rejected the request".to_owned(),
        };
        let why = format!("{what} (status {status}){said}");
        Failure { why, code, again: status == 429 || status >= 500, asked }
    }

    fn faulty(&self, fault: Fault) -> Failure {
        match fault {
            Fault::Form(why) => Failure::of(Code::ModelAnswerBad, why),
            Fault::Reported(said) => {
                let why = format!("reported an error: {}", self.without_key(&said));
                Failure { again: true, ..Failure::of(Code::ModelUnanswered, why) }
            }
        }
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

/// What is asked.
#[derive(Debug, Clone, Copy)]
struct Asked<'a> {
    talk: &'a Conversation<'a>,
    /// Whether to ask for the most likely words.
    is_steady: bool,
}

impl HttpCompleter {
    /// Asks one question, as a conversation of one step.
    fn answered(
        &self,
        question: &Question<'_>,
        piece: Option<&mut dyn FnMut(&str) -> bool>,
    ) -> Result<Completion, CompleteError> {
        let talk = Conversation {
            system: question.rules,
            steps: &[Step::User(question.text.to_owned())],
            stable: 0,
            tools: &[],
            answer_tokens_max: question.answer_tokens_max,
        };
        let Partial { text, is_cut, usage, .. } =
            self.guarded(Asked { talk: &talk, is_steady: true }, piece)?;
        Ok(Completion { text, is_cut, usage })
    }
}

impl Completer for HttpCompleter {
    fn model(&self) -> &str {
        &self.model
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        self.answered(question, None)
    }

    fn stream(
        &self,
        question: &Question<'_>,
        piece: &mut dyn FnMut(&str),
    ) -> Result<Completion, CompleteError> {
        let mut whole = |part: &str| {
            if !part.is_empty() {
                piece(part);
            }
            true
        };
        self.answered(question, Some(&mut whole))
    }
}

impl ChatModel for HttpCompleter {
    fn model(&self) -> &str {
        &self.model
    }

    fn reply(
        &self,
        talk: &Conversation<'_>,
        piece: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Reply, CompleteError> {
        let Partial { text, calls, is_cut, usage, .. } =
            self.guarded(Asked { talk, is_steady: false }, Some(piece))?;
        Ok(Reply { text, calls, is_cut, usage })
    }
}

fn too_large(bytes: u64) -> Failure {
    Failure::of(Code::ModelAnswerBad, format!("answered more than {} KiB", bytes >> 10))
}

impl Failure {
    fn broken(broken: Broken) -> Self {
        let is_asked = broken.is_late && !broken.is_unreached;
        let code = if is_asked { Code::ModelTimedOut } else { Code::ModelUnanswered };
        Self { again: broken.is_unreached, ..Self::of(code, broken.why) }
    }

    fn of(code: Code, why: String) -> Self {
        Self { why, code, again: false, asked: None }
    }
}
