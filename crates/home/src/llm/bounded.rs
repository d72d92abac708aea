//! A model with a deadline and a stop flag.
//!
//! Each request runs on a thread that ends with the process. Invariants: after the deadline or the stop, no request is
//! made; an answer that comes later is dropped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use inwit_model::{Code, CompleteError, Completer, Completion, Question};

/// How often a waiting caller checks whether to stop, in milliseconds.
const STOP_CHECK_MS: u64 = 50;

/// A model with a deadline, which may also be stopped.
pub struct Bounded<C> {
    inner: Arc<C>,
    /// `None`: there is no deadline.
    until: Option<Instant>,
    stop: Arc<AtomicBool>,
    is_late: AtomicBool,
}

impl<C> Bounded<C> {
    /// `inner` for at most `within`, until `stop` is set.
    pub fn new(inner: Arc<C>, within: Option<Duration>, stop: Arc<AtomicBool>) -> Self {
        let until = within.and_then(|within| Instant::now().checked_add(within));
        Self { inner, until, stop, is_late: AtomicBool::new(false) }
    }

    /// Whether the deadline prevented an answer.
    pub fn is_late(&self) -> bool {
        self.is_late.load(Ordering::SeqCst)
    }

    /// Whether a request may be made or waited for. Errors: `stopped`, `model_timed_out`.
    pub fn check(&self) -> Result<(), CompleteError> {
        if self.stop.load(Ordering::Relaxed) {
            let message = "The call of the language model was stopped.".to_owned();
            return Err(CompleteError { code: Code::Stopped, message });
        }
        if self.until.is_some_and(|until| until <= Instant::now()) {
            self.is_late.store(true, Ordering::SeqCst);
            let message = "The language model did not answer in time.".to_owned();
            return Err(CompleteError { code: Code::ModelTimedOut, message });
        }
        Ok(())
    }
}

impl<C: Completer + 'static> Completer for Bounded<C> {
    fn model(&self) -> &str {
        self.inner.model()
    }

    /// Errors: those of [`check`](Self::check) and those of the model.
    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        self.check()?;
        let answer = self.ask(question);
        loop {
            let pause = Duration::from_millis(STOP_CHECK_MS);
            let left = self.until.map_or(pause, |until| until.saturating_duration_since(Instant::now()));
            match answer.recv_timeout(left.min(pause)) {
                Ok(answer) => return answer,
                Err(mpsc::RecvTimeoutError::Timeout) => self.check()?,
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let message = "The call of the language model failed with an internal error.".to_owned();
                    return Err(CompleteError { code: Code::ModelUnanswered, message });
                }
            }
        }
    }
}

impl<C: Completer + 'static> Bounded<C> {
    fn ask(&self, question: &Question<'_>) -> mpsc::Receiver<Result<Completion, CompleteError>> {
        let (inner, answer_tokens_max) = (Arc::clone(&self.inner), question.answer_tokens_max);
        let (rules, text) = (question.rules.to_owned(), question.text.to_owned());
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let question = Question { rules: &rules, text: &text, answer_tokens_max };
            // The caller may be gone.
            let _ = sender.send(inner.complete(&question));
        });
        receiver
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Answers when the test lets it.
    struct Waits(Mutex<mpsc::Receiver<()>>, Mutex<mpsc::Sender<()>>);

    impl Completer for Waits {
        fn model(&self) -> &str {
            "waits"
        }

        fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
            self.1.lock().expect("a sender").send(()).expect("a receiver");
            self.0.lock().expect("a receiver").recv().expect("a sender");
            Ok(Completion { text: question.text.to_owned(), usage: None, is_cut: false })
        }
    }

    #[test]
    fn a_call_ends_with_its_answer_its_deadline_or_a_stop() {
        let ((go, goes), (begins, begun)) = (mpsc::channel(), mpsc::channel());
        let model = Arc::new(Waits(Mutex::new(goes), Mutex::new(begins)));
        let stop = Arc::new(AtomicBool::new(false));
        let question = Question { rules: "", text: "a", answer_tokens_max: 1 };
        let code = |bounded: &Bounded<Waits>| {
            bounded.complete(&question).map(|answer| answer.text).map_err(|error| error.code)
        };
        let bounded = Bounded::new(Arc::clone(&model), None, Arc::clone(&stop));
        go.send(()).expect("a model");
        assert_eq!((code(&bounded), begun.recv()), (Ok("a".to_owned()), Ok(())));
        let stops = Arc::clone(&stop);
        let stopper = std::thread::spawn(move || {
            begun.recv().expect("a call");
            stops.store(true, Ordering::Relaxed);
            begun
        });
        assert_eq!(code(&bounded), Err(Code::Stopped));
        let begun = stopper.join().expect("no panic");
        assert_eq!((code(&bounded), begun.try_recv().is_err()), (Err(Code::Stopped), true), "no request");
        let late = Bounded::new(model, Some(Duration::ZERO), Arc::default());
        assert_eq!((code(&late), begun.try_recv().is_err()), (Err(Code::ModelTimedOut), true), "no request");
        assert!(late.is_late() && !bounded.is_late());
    }
}
