//! Questions over HTTP in OpenAI's chat form: what is sent, and what becomes of every odd answer.

use std::time::Duration;

use inwit_llm::{Api, HttpCompleter, Target};
use inwit_model::{Code, CompleteError, Completer as _, Question};
use inwit_outbound::breaker::{FAILURES_MAX, REST_SECONDS};
use inwit_outbound::retry::TRIES_MAX;
use inwit_outbound::{Key, Patience, Plain};
use inwit_testkit::FakePace;
use inwit_testkit::server::{Reply, Server};

const GOOD: &str = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"{\"x\":1}"}}]}"#;

fn completer(url: &str, key: Option<Key>) -> (HttpCompleter, FakePace) {
    let pace = FakePace::default();
    let target = Target {
        api: Api::OpenAiChat,
        url: url.to_owned(),
        plain: Plain::Loopback,
        model: "small".into(),
        key,
        patience: Patience::JUDGE,
    };
    (HttpCompleter::paced(target, Box::new(pace.clone())).expect("an address"), pace)
}

fn asks(completer: &HttpCompleter) -> Result<String, CompleteError> {
    completer
        .complete(&Question { rules: "be strict", text: "data\n", answer_tokens_max: 7 })
        .map(|completion| completion.text)
}

#[test]
fn a_question_is_sent_in_openais_form_and_its_answer_is_the_text_of_the_first_choice() {
    let server = Server::answering(vec![Reply::good(GOOD)]);
    let key = ["sk", "test", "0123456789abcdef"].join("-");
    let (completer, _) = completer(&format!("{}/v1", server.url), Some(Key::parse(&key).expect("a key")));
    assert_eq!(asks(&completer).expect("answered"), "{\"x\":1}");
    let request = &server.requests()[0];
    assert!(request.line.starts_with("POST /v1/chat/completions "), "{}", request.line);
    assert!(request.head.contains(&format!("authorization: bearer {key}")), "{}", request.head);
    let sent: serde_json::Value = serde_json::from_str(&request.body).expect("JSON");
    assert_eq!(
        (&sent["model"], &sent["temperature"], &sent["max_tokens"]),
        (&"small".into(), &0.into(), &7.into())
    );
    assert_eq!(sent["messages"][0]["content"], "be strict");
    assert_eq!(sent["messages"][1], serde_json::json!({ "role": "user", "content": "data\n" }));
}

#[test]
fn what_is_no_completion_is_told_without_the_key_and_redirects_lead_nowhere() {
    let key = ["sk", "test", "0123456789abcdef"].join("-");
    let complaint = format!("{{\"error\":{{\"message\":\"bad key {key}\"}}}}");
    for (reply, why, code) in [
        (
            Reply::with("401 No", &[], complaint.as_bytes()),
            "rejected the key (status 401): bad key …",
            Code::ModelKeyRefused,
        ),
        (
            Reply::with("302 Found", &[("Location", "http://example.com/")], b""),
            "status 302",
            Code::ModelAnswerBad,
        ),
        (Reply::with("404 No", &[], b""), "no model `small`", Code::ModelAnswerBad),
        (Reply::good("{\"choices\":[]}"), "without a completion", Code::ModelAnswerBad),
        (Reply::good("no json"), "not JSON", Code::ModelAnswerBad),
    ] {
        let server = Server::answering(vec![reply]);
        let (completer, _) = completer(&server.url, Some(Key::parse(&key).expect("a key")));
        let error = asks(&completer).expect_err(why);
        assert_eq!(error.code, code);
        assert!(error.message.contains(why) && !error.message.contains(&key), "{error}");
        assert_eq!(server.requests().len(), 1, "{why}");
    }
}

/// A question that is refused is said of that question: another one is answered, and nobody is left alone for it.
#[test]
fn a_question_that_is_refused_keeps_no_other_from_being_asked() {
    let refused = || Reply::with("400 Bad Request", &[], b"{\"error\":{\"message\":\"filtered\"}}");
    let replies = (0..=FAILURES_MAX).map(|_| refused()).chain([Reply::good(GOOD)]).collect();
    let server = Server::answering(replies);
    let (completer, _) = completer(&server.url, None);
    for _ in 0..=FAILURES_MAX {
        let error = asks(&completer).expect_err("refused");
        assert!(error.code == Code::ModelRefused && error.message.contains("filtered"), "{error}");
    }
    assert!(asks(&completer).is_ok());
}

/// One that is out of order is asked a few times, then left alone, then asked once.
#[test]
fn a_judge_that_is_out_of_order_is_left_alone_for_a_while() {
    let broken = || Reply::status("503 Busy");
    let replies = (0..FAILURES_MAX * TRIES_MAX).map(|_| broken()).chain([Reply::good(GOOD)]).collect();
    let server = Server::answering(replies);
    let (completer, pace) = completer(&server.url, None);
    for _ in 0..FAILURES_MAX {
        assert_eq!(asks(&completer).expect_err("busy").code, Code::ModelUnanswered);
    }
    let asked = server.requests().len();
    let error = asks(&completer).expect_err("it rests");
    assert!(error.message.contains("not called"), "{error}");
    assert_eq!(server.requests().len(), asked);
    pace.pass(Duration::from_secs(REST_SECONDS));
    assert!(asks(&completer).is_ok());
}
