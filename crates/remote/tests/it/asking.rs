//! Embeddings of a provider: what is sent, and what becomes of every odd answer.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use inwit_model::{Code, Embedder as _};
use inwit_outbound::breaker::{FAILURES_MAX, REST_SECONDS};
use inwit_outbound::retry::{RETRY_AFTER_SECONDS_MAX, TRIES_MAX};
use inwit_outbound::{Key, Patience, Plain};
use inwit_remote::embedder::{ANSWER_BYTES_MAX, REQUEST_TEXTS_MAX};
use inwit_remote::standstill::STANDSTILL_SECONDS;
use inwit_remote::{HttpEmbedder, Protocol, Provider, Standstill};
use inwit_testkit::FakePace;
use inwit_testkit::server::{Reply, Server};

/// One vector of two numbers, as OpenAI's form has it.
const ONE: &str = r#"{"data":[{"index":0,"embedding":[3,4]}]}"#;

/// Made when the test runs, so that no secret stands in a source.
fn key() -> String {
    ["sk", "test", "0123456789abcdef"].join("-")
}

fn provider(url: &str) -> Provider {
    Provider {
        protocol: Protocol::OpenAi,
        url: url.to_owned(),
        plain: Plain::Loopback,
        model: "small".into(),
        key: None,
        dimension: Some(2),
        patience: Patience::EMBEDDING,
        question_patience: Patience::QUESTION,
    }
}

fn embedder(provider: Provider) -> (HttpEmbedder, FakePace) {
    let pace = FakePace::default();
    (HttpEmbedder::paced(provider, Box::new(pace.clone())).expect("an address"), pace)
}

/// What a person is told where the server answers so.
#[track_caller]
fn told(replies: Vec<Reply>) -> (String, usize) {
    let server = Server::answering(replies);
    let (embedder, _) =
        embedder(Provider { key: Some(Key::parse(&key()).expect("a key")), ..provider(&server.url) });
    let error = embedder.embed(&["a secret of Ana"]).expect_err("it fails");
    assert_eq!(error.code, Code::ProviderUnanswered);
    assert!(error.message.starts_with("The embedding provider at http://127.0.0.1:"), "{error}");
    assert!(!error.message.contains(&key()) && error.message.ends_with('.'), "{error}");
    (error.message, server.requests().len())
}

#[test]
fn both_forms_are_spoken() {
    let server = Server::answering(vec![Reply::good(ONE), Reply::good(r#"{"embeddings":[[0,2],[4,3]]}"#)]);
    let key = Key::parse(&key()).expect("a key");
    let (open_ai, _) =
        embedder(Provider { key: Some(key.clone()), ..provider(&format!("{}/v1/", server.url)) });
    assert_eq!(open_ai.embed(&["rye"]).expect("embedded"), [[0.6, 0.8]]);
    let (ollama, _) =
        embedder(Provider { protocol: Protocol::Ollama, dimension: None, ..provider(&server.url) });
    assert_eq!(ollama.embed(&["rye", "  "]).expect("embedded"), [[0.0, 1.0], [0.8, 0.6]]);
    assert_eq!((ollama.model(), ollama.dimension()), ("small", 2), "learned, without another request");
    let asked = server.requests();
    assert_eq!(asked[0].line, "POST /v1/embeddings HTTP/1.1");
    assert_eq!(asked[0].body, r#"{"model":"small","input":["rye"]}"#);
    assert!(asked[0].head.contains("authorization: bearer sk-"), "{}", asked[0].head);
    assert_eq!(asked[1].line, "POST /api/embed HTTP/1.1");
    assert_eq!(asked[1].body, r#"{"model":"small","input":["rye","."]}"#);
    assert!(!asked[1].head.contains("authorization"), "{}", asked[1].head);
    assert_eq!(asked.len(), 2);
}

#[test]
fn many_texts_go_in_bounded_requests() {
    let vectors =
        |count: usize| Reply::good(format!("{{\"embeddings\":[{}]}}", vec!["[1,0]"; count].join(",")));
    let server = Server::answering(vec![vectors(REQUEST_TEXTS_MAX), vectors(3)]);
    let (embedder, _) = embedder(Provider { protocol: Protocol::Ollama, ..provider(&server.url) });
    let texts = vec!["a"; REQUEST_TEXTS_MAX + 3];
    assert_eq!(embedder.embed(&texts).expect("embedded").len(), texts.len());
    assert_eq!(embedder.embed(&[]).expect("nothing to do").len(), 0);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn the_dimension_is_learned_by_one_call_and_then_holds() {
    let server =
        Server::answering(vec![Reply::good(ONE), Reply::good(r#"{"data":[{"embedding":[1,0,0]}]}"#)]);
    let (embedder, _) = embedder(Provider { dimension: None, ..provider(&server.url) });
    assert_eq!((embedder.dimension(), embedder.dimension()), (2, 2));
    let error = embedder.embed(&["a"]).expect_err("another dimension");
    assert!(error.message.contains("3 numbers instead of 2"), "{error}");
    assert_eq!(server.requests().len(), 2);
    let (embedder, _) = self::embedder(Provider { dimension: None, ..provider(&server.url) });
    assert_eq!(embedder.dimension(), 0, "it cannot be told");
}

/// Bad input of embeddings: every odd answer is one sentence, after one request.
#[test]
fn every_odd_answer_is_a_sentence() {
    for (reply, why) in [
        (Reply::good("<html>no</html>"), "not JSON"),
        (Reply::good(""), "not JSON"),
        (Reply::good("{\"data\":[]}"), "0 vectors for 1 texts"),
        (Reply::good(r#"{"data":[{"embedding":[1,0]},{"embedding":[1,0]}]}"#), "2 vectors for 1 texts"),
        (Reply::good(r#"{"data":[{"embedding":[1,0,0]}]}"#), "3 numbers instead of 2"),
        (Reply::good(r#"{"data":[{"embedding":[NaN,0]}]}"#), "not JSON"),
        (Reply::good(r#"{"data":[{"embedding":[1e39,0]}]}"#), "an invalid number"),
        (Reply::good(r#"{"data":[{"embedding":[0,0]}]}"#), "a zero vector"),
        (Reply::good(vec![b' '; ANSWER_BYTES_MAX as usize + 1]), "answered more than 32 MiB"),
        (Reply::Bytes(b"SSH-2.0-OpenSSH_9.9\r\n\r\n".to_vec()), "valid HTTP"),
        (
            Reply::with("302 Found", &[("Location", "https://other.example.com/x?token=1")], b""),
            "redirects to https://other.example.com, and",
        ),
        (Reply::with("307 Go", &[("Location", "gopher://x")], b""), "redirects elsewhere"),
        (Reply::with("301 Go", &[], b""), "redirects elsewhere"),
        (
            Reply::with("404 None", &[], br#"{"error":"model \"small\" not found, try pulling it first"}"#),
            "has no such path or model `small`: model",
        ),
        (Reply::status("400 Bad"), "rejected the request (status 400)"),
    ] {
        let (message, requests) = told(vec![reply]);
        assert!(message.contains(why), "{why}: {message}");
        assert_eq!(requests, 1, "{message}");
    }
}

#[test]
fn a_key_that_a_provider_repeats_is_not_told() {
    let complaint = serde_json::json!({ "error": { "message": format!("Incorrect key: {}.\nNo.", key()) } });
    let (message, requests) = told(vec![Reply::with("401 No", &[], complaint.to_string().as_bytes())]);
    assert!(message.ends_with("rejects the key: Incorrect key: …. No."), "{message}");
    assert_eq!(requests, 1);
}

#[test]
fn what_may_work_soon_is_asked_again_with_growing_pauses() {
    let server = Server::answering(vec![Reply::status("503 Busy"), Reply::Closed, Reply::good(ONE)]);
    let (embedder, pace) = embedder(provider(&server.url));
    assert_eq!(embedder.embed(&["a"]).expect("at last").len(), 1);
    assert_eq!(pace.pauses(), [Duration::from_millis(125), Duration::from_millis(250)]);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_provider_that_asks_for_rest_gets_it_within_reason() {
    let busy = |seconds: u64| Reply::with("429 Slow down", &[("Retry-After", &seconds.to_string())], b"");
    let server = Server::answering(vec![busy(7), Reply::good(ONE)]);
    let (embedder, pace) = embedder(provider(&server.url));
    embedder.embed(&["a"]).expect("after seven seconds");
    assert_eq!(pace.pauses(), [Duration::from_secs(7)]);
    let (message, requests) = told(vec![busy(RETRY_AFTER_SECONDS_MAX + 1)]);
    assert!(message.contains("asks to wait 21 s"), "{message}");
    assert_eq!(requests, 1);
    let (message, requests) = told((0..9).map(|_| busy(1)).collect());
    assert!(message.contains("after 3 attempts"), "{message}");
    assert_eq!(requests, TRIES_MAX as usize);
}

#[test]
fn a_provider_that_nobody_reaches_is_told() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    drop(listener);
    let (embedder, pace) = embedder(provider(&url));
    let error = embedder.embed(&["a"]).expect_err("nobody listens");
    assert!(
        error.message.contains("could not be reached") && error.message.contains("3 attempts"),
        "{error}"
    );
    assert_eq!(pace.pauses().len(), TRIES_MAX as usize - 1);
}

#[test]
fn a_slow_provider_ends_with_patience_and_is_not_asked_again() {
    let soon = Duration::from_millis(60);
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\"".to_vec();
    for (patience, held) in [
        (Patience { whole: soon, ..Patience::EMBEDDING }, Vec::new()),
        (Patience { silence: soon, ..Patience::EMBEDDING }, Vec::new()),
        (Patience { whole: soon, ..Patience::EMBEDDING }, half.clone()),
        (Patience { silence: soon, ..Patience::EMBEDDING }, half),
    ] {
        let server = Server::answering(vec![Reply::Held(held)]);
        let (embedder, pace) = embedder(Provider { patience, ..provider(&server.url) });
        let error = embedder.embed(&["a"]).expect_err("too slow");
        assert!(error.message.contains("0.06 s"), "{error}");
        assert_eq!((server.requests().len(), pace.pauses().len()), (1, 0));
    }
}

/// Passages may take a minute and three tries; a person who waits for an answer is told after one.
#[test]
fn a_question_is_asked_once_and_not_waited_for_as_long() {
    let soon = Duration::from_millis(60);
    let server = Server::answering(vec![
        Reply::Held(Vec::new()),
        Reply::status("503 Busy"),
        Reply::good(ONE),
        Reply::good(ONE),
    ]);
    let hasty = Patience { whole: soon, ..Patience::QUESTION };
    let (embedder, pace) = embedder(Provider { question_patience: hasty, ..provider(&server.url) });
    let slow = embedder.ask("where is it?").expect_err("too slow");
    assert!(slow.message.contains("took longer than 0.06 s"), "{slow}");
    let busy = embedder.ask("where is it?").expect_err("busy");
    assert!(busy.message.contains("is unavailable (status 503)"), "{busy}");
    assert_eq!((server.requests().len(), pace.pauses().len()), (2, 0), "each was sent once");
    assert_eq!(embedder.ask("where is it?").expect("embedded"), [0.6, 0.8]);
    assert_eq!(embedder.ask(" ").expect("no words have a vector"), [0.6, 0.8]);
    assert!(Patience::QUESTION.whole < Patience::EMBEDDING.whole);
}

/// A standstill that processes would share.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Option<Duration>>>);

impl Standstill for Shared {
    fn left(&self) -> Option<Duration> {
        *self.0.lock().expect("unpoisoned")
    }

    fn began(&self) {
        *self.0.lock().expect("unpoisoned") = Some(Duration::from_secs(STANDSTILL_SECONDS));
    }

    fn ended(&self) {
        *self.0.lock().expect("unpoisoned") = None;
    }
}

/// A command lives for one question, so without this each would wait for a provider that never answers.
#[test]
fn what_one_question_waited_for_in_vain_the_next_process_does_not_wait_for() {
    let server = Server::answering(vec![
        Reply::status("503 Busy"),
        Reply::Held(Vec::new()),
        Reply::good(ONE),
        Reply::good(ONE),
    ]);
    let hasty = Patience::within(Duration::from_millis(60));
    let shared = Shared::default();
    let process = || {
        let provider = Provider { question_patience: hasty, dimension: None, ..provider(&server.url) };
        embedder(provider).0.minding(Box::new(shared.clone()))
    };
    process().ask("where?").expect_err("busy");
    assert_eq!(shared.left(), None, "it refused at once, so nobody waited");
    process().ask("where?").expect_err("too slow");
    let told = process().ask("where?").expect_err("left alone");
    assert!(told.message.contains("did not answer an earlier query in time"), "{told}");
    assert_eq!(process().dimension(), 0, "nor is it asked for its dimension");
    assert_eq!(server.requests().len(), 2, "nobody was asked");
    process().embed(&["a passage"]).expect("a fill waits for nobody's question");
    assert_eq!(process().ask("where?").expect("it answers again"), [0.6, 0.8]);
}

/// Proves M10.
#[test]
fn a_provider_that_keeps_failing_is_left_alone_for_a_while() {
    let mut replies: Vec<Reply> = (0..FAILURES_MAX).map(|_| Reply::status("401 No")).collect();
    replies.extend([Reply::status("401 No"), Reply::good(ONE)]);
    let server = Server::answering(replies);
    let (embedder, pace) = embedder(provider(&server.url));
    let fails = |why: &str| {
        let error = embedder.embed(&["a"]).expect_err("it fails");
        assert!(error.message.contains(why), "{error}");
    };
    (0..FAILURES_MAX).for_each(|_| fails("rejects the key"));
    fails("failed 3 times in a row and is not called for another 30 s");
    assert_eq!(server.requests().len(), FAILURES_MAX as usize, "nobody was asked");
    pace.pass(Duration::from_secs(REST_SECONDS));
    fails("rejects the key");
    fails("failed 4 times in a row");
    pace.pass(Duration::from_secs(REST_SECONDS));
    embedder.embed(&["a"]).expect("it is back");
    assert_eq!(server.requests().len(), FAILURES_MAX as usize + 2);
}

#[test]
fn texts_that_a_provider_refuses_do_not_close_it_for_others() {
    let mut replies: Vec<Reply> = (0..2 * FAILURES_MAX).map(|_| Reply::status("400 Too long")).collect();
    replies.push(Reply::good(ONE));
    let server = Server::answering(replies);
    let (embedder, _) = embedder(provider(&server.url));
    (0..2 * FAILURES_MAX).for_each(|_| assert!(embedder.embed(&["long"]).is_err()));
    assert!(embedder.embed(&["short"]).is_ok());
}

#[test]
fn what_a_provider_said_of_one_text_is_not_told_with_another() {
    let echo = Reply::with("422 No", &[], br#"{"error":"cannot read: a secret of Ana"}"#);
    let mut replies = vec![echo];
    replies.extend((0..FAILURES_MAX).map(|_| Reply::status("401 No")));
    let server = Server::answering(replies);
    let (embedder, _) = embedder(provider(&server.url));
    assert!(embedder.embed(&["a secret of Ana"]).expect_err("no").message.contains("Ana"));
    for _ in 0..=FAILURES_MAX {
        assert!(!embedder.embed(&["b"]).expect_err("no").message.contains("Ana"));
    }
}

#[test]
fn an_address_that_may_not_be_asked_is_a_bad_setting() {
    for url in ["http://192.168.1.2/v1", "ftp://example.com", "example.com", "https://ana:word@example.com"] {
        let error = HttpEmbedder::new(provider(url)).map(|_| ()).expect_err(url);
        assert_eq!(error.code, Code::SettingBad);
        assert!(!error.message.contains("word@"), "{error}");
    }
    assert!(
        HttpEmbedder::new(Provider { plain: Plain::Anywhere, ..provider("http://192.168.1.2/v1") }).is_ok()
    );
}
