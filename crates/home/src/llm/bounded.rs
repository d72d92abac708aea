//! A model with a deadline and a stop flag.
//!
//! Each request runs on a thread that ends with the process. Invariant: after the deadline or the stop, no request is
//! made.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use inwit_model::{Code, CompleteError, Completer, Completion, Question};

/// How often a waiting caller checks whether to stop, in milliseconds.
const STOP_CHECK_MS: u64 = 50;

/// A model with a deadline, which may also be stopped.
pub struct Bounded<C: ?Sized> {
    inner: Arc<C>,
    until: Instant,
    stop: Arc<AtomicBool>,
    is_late: AtomicBool,
}

impl<C: ?Sized> Bounded<C> {
    /// `inner` until `until`, or until `stop` is set.
    pub fn new(inner: Arc<C>, until: Instant, stop: Arc<AtomicBool>) -> Self {
        Self { inner, until, stop, is_late: AtomicBool::new(false) }
    }

    /// Whether the deadline prevented an answer.
    pub fn is_late(&self) -> bool {
        self.is_late.load(Ordering::SeqCst)
    }
}

impl<C: Completer + ?Sized + 'static> Completer for Bounded<C> {
    fn model(&self) -> &str {
        self.inner.model()
    }

    /// Errors: `stopped`, `model_unanswered` after the deadline, and those of the model.
    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        let mut answer = None;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                let message = "The call of the language model was stopped.".to_owned();
                return Err(CompleteError { code: Code::Stopped, message });
            }
            let left = self.until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.is_late.store(true, Ordering::SeqCst);
                let message = "The language model did not answer in time.".to_owned();
                return Err(CompleteError { code: Code::ModelUnanswered, message });
            }
            let receiver = answer.get_or_insert_with(|| self.ask(question));
            match receiver.recv_timeout(left.min(Duration::from_millis(STOP_CHECK_MS))) {
                Ok(answer) => return answer,
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let message = "The call of the language model failed with an internal error.".to_owned();
                    return Err(CompleteError { code: Code::ModelUnanswered, message });
                }
            }
        }
    }
}

impl<C: Completer + ?Sized + 'static> Bounded<C> {
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
        let hour = Instant::now() + Duration::from_secs(3_600);
        let bounded = Bounded::new(Arc::clone(&model), hour, Arc::clone(&stop));
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
        let late = Bounded::new(model, Instant::now(), Arc::default());
        assert_eq!(
            (code(&late), begun.try_recv().is_err()),
            (Err(Code::ModelUnanswered), true),
            "no request"
        );
        assert!(late.is_late() && !bounded.is_late());
    }
}
