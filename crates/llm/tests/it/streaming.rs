//! Every form of a provider, whole and streamed, and the faults of each.

use std::time::Duration;

use inwit_llm::completer::{COMPLETION_BYTES_MAX, STREAM_BYTES_MAX};
use inwit_llm::{Api, HttpCompleter, Target};
use inwit_model::{
    ChatModel as _, Code, CompleteError, Completer as _, Completion, Conversation, Question, Step, Usage,
};
use inwit_outbound::{Key, Patience, Plain};
use inwit_testkit::FakePace;
use inwit_testkit::model_server::{CACHED, Form, INPUT, Turn, model_server};
use inwit_testkit::server::Server;
use serde_json::json;

const TEXT: &str = "It works as expected.";

const QUESTION: Question<'_> = Question { rules: "be strict", text: "data\n", answer_tokens_max: 7 };

fn completer(api: &str, server: &Server) -> (HttpCompleter, FakePace) {
    patient(api, server, Patience::COMPLETION)
}

/// A completer of this server and its pace.
fn patient(api: &str, server: &Server, patience: Patience) -> (HttpCompleter, FakePace) {
    let pace = FakePace::default();
    let target = Target {
        api: Api::parse(api).expect("an API"),
        url: format!("{}/v1", server.url),
        plain: Plain::Loopback,
        model: "small".into(),
        key: Some(Key::parse("word-7").expect("a key")),
        patience,
    };
    (HttpCompleter::paced(target, Box::new(pace.clone())).expect("an address"), pace)
}

/// The parts that arrived, and the result.
fn streamed(completer: &HttpCompleter) -> (Vec<String>, Result<Completion, CompleteError>) {
    let mut parts = Vec::new();
    let result = completer.stream(&QUESTION, &mut |part| parts.push(part.to_owned()));
    (parts, result)
}

#[test]
fn every_form_answers_whole_and_as_a_stream() {
    for (form, api, path) in Form::ALL {
        let server = model_server(form, vec![Turn::says(TEXT), Turn::says(TEXT)]);
        let (completer, _) = completer(api, &server);
        let whole = completer.complete(&QUESTION).expect("answered");
        assert_eq!(whole.text, TEXT, "{api}");
        let usage = Usage { input: INPUT, cache_read: CACHED, cache_write: 0, output: 4 };
        assert_eq!((whole.usage, whole.is_cut), (Some(usage), false), "{api}");
        let (parts, result) = streamed(&completer);
        assert_eq!(parts, ["It ", "works ", "as ", "expected."], "{api}");
        assert_eq!(result.expect("answered"), whole, "{api}");
        for request in server.requests() {
            assert!(request.line.starts_with(&format!("POST /v1{path}")), "{}", request.line);
            assert_eq!(request.head.matches("word-7").count(), 1, "{}", request.head);
            assert!(!request.body.contains("word-7") && !request.line.contains("word-7"));
        }
    }
}

/// Whole or streamed in parts, a reply has its text and its calls.
#[test]
fn every_form_calls_tools() {
    let call = ("memory_search", json!({ "query": "rye bread", "limit": 3 }));
    for (form, api, _) in Form::ALL {
        let turn = || Turn::Calls("I see.".into(), vec![call.clone(), ("memory_get", json!({}))]);
        let server = model_server(form, vec![turn()]);
        let (completer, _) = completer(api, &server);
        let steps = [Step::User("what do I bake?".into())];
        let talk =
            Conversation { system: "Ada", steps: &steps, stable: 0, tools: &[], answer_tokens_max: 100 };
        let mut text = String::new();
        let reply = completer.reply(&talk, &mut |part| {
            text.push_str(part);
            true
        });
        let reply = reply.expect("a reply");
        assert_eq!((reply.text.as_str(), text.as_str()), ("I see.", "I see."), "{api}");
        let [first, second] = &reply.calls[..] else { panic!("{api}: {:?}", reply.calls) };
        assert_eq!((first.name.as_str(), second.name.as_str()), ("memory_search", "memory_get"), "{api}");
        let arguments: serde_json::Value = serde_json::from_str(&first.arguments).expect("JSON");
        assert_eq!(arguments, call.1, "{api}");
        let ids = if form == Form::Gemini { ["", ""] } else { ["call_1", "call_2"] };
        assert_eq!([first.id.as_str(), second.id.as_str()], ids, "{api}");
        assert_eq!(first.signature.is_some(), form == Form::Gemini, "{api}");
    }
}

#[test]
fn a_busy_provider_is_asked_again_after_the_time_that_it_names() {
    for (form, api, _) in Form::ALL {
        let busy = Turn::Fails("429 Busy", &[("Retry-After", "7")], "slow down".into());
        let down = Turn::Fails("500 Down", &[], "down".into());
        let server = model_server(form, vec![busy, down, Turn::says(TEXT)]);
        let (completer, pace) = completer(api, &server);
        assert_eq!(streamed(&completer).1.expect("answered").text, TEXT, "{api}");
        let pauses = pace.pauses();
        assert_eq!((pauses[0], pauses.len()), (Duration::from_secs(7), 2), "{api}");
    }
    let late = Turn::Fails("429 Busy", &[("Retry-After", "3600")], "tomorrow".into());
    let server = model_server(Form::Anthropic, vec![late]);
    let (completer, pace) = completer("anthropic", &server);
    let error = completer.complete(&QUESTION).expect_err("an hour is too long");
    assert!(error.message.contains("asks to wait 3600 s (status 429): tomorrow"), "{error}");
    assert!(pace.pauses().is_empty());
}

#[test]
fn a_stalled_a_cut_and_a_garbled_answer_are_errors_and_are_not_repeated() {
    for (form, api, _) in Form::ALL {
        for (turn, code, why) in [
            (Turn::Stalls, Code::ModelTimedOut, "sent nothing for 0.2 s"),
            (Turn::Cuts, Code::ModelUnanswered, "early"),
        ] {
            let server = model_server(form, vec![turn, Turn::says(TEXT)]);
            let patience = Patience { silence: Duration::from_millis(200), ..Patience::COMPLETION };
            let (completer, _) = patient(api, &server, patience);
            let (parts, result) = streamed(&completer);
            let error = result.expect_err(why);
            assert_eq!((parts.concat().as_str(), error.code), ("It ", code), "{api}: {error}");
            assert!(error.message.contains(why), "{api}: {error}");
            assert_eq!(server.requests().len(), 1, "{api}: a part of the answer was handed out");
        }
        let server = model_server(form, vec![Turn::Garbles, Turn::Garbles]);
        let (completer, _) = completer(api, &server);
        let error = streamed(&completer).1.expect_err("garbled");
        assert!(error.code == Code::ModelAnswerBad && error.message.contains("not JSON"), "{api}: {error}");
        assert_eq!(completer.complete(&QUESTION).expect_err("garbled").code, Code::ModelAnswerBad, "{api}");
    }
}

#[test]
fn ten_megabytes_are_not_read_to_the_end() {
    for (form, api, _) in Form::ALL {
        let server = model_server(form, vec![Turn::Floods, Turn::Floods]);
        let (completer, _) = completer(api, &server);
        let (parts, result) = streamed(&completer);
        let error = result.expect_err("too much");
        assert!(
            error.code == Code::ModelAnswerBad && error.message.contains("answered more than"),
            "{error}"
        );
        assert!((parts.concat().len() as u64) < COMPLETION_BYTES_MAX + STREAM_BYTES_MAX / 64, "{api}");
        let error = completer.complete(&QUESTION).expect_err("too much");
        assert!(error.message.contains("more than 256 KiB"), "{error}");
    }
}

#[test]
fn a_parameter_that_the_model_refuses_is_left_out() {
    let refused = |name: &str| Turn::Fails("400 Bad", &[], format!("Unsupported parameter: {name}"));
    let turns = vec![
        refused("temperature"),
        refused("use 'max_completion_tokens'"),
        Turn::says(TEXT),
        Turn::says(TEXT),
    ];
    let server = model_server(Form::OpenAiChat, turns);
    let (completer, pace) = completer("openai_chat", &server);
    for _ in 0..2 {
        assert_eq!(completer.complete(&QUESTION).expect("answered").text, TEXT);
    }
    let requests = server.requests();
    assert!(requests[0].body.contains("\"temperature\":0") && requests[0].body.contains("\"max_tokens\":7"));
    for request in &requests[2..] {
        assert!(!request.body.contains("temperature"), "{}", request.body);
        assert!(request.body.contains("\"max_completion_tokens\":7"), "{}", request.body);
    }
    assert!(pace.pauses().is_empty(), "the provider is not busy");
}

#[test]
fn a_wrong_key_is_never_an_error_of_the_question() {
    let rejected = |status: &'static str| {
        Turn::Fails(status, &[], "API key not valid. Please pass a valid API key.".into())
    };
    for (form, api, _) in Form::ALL {
        for status in ["400 Bad Request", "401 Unauthorized", "403 Forbidden"] {
            let server = model_server(form, vec![rejected(status)]);
            let (completer, _) = completer(api, &server);
            let error = completer.complete(&QUESTION).expect_err(status);
            assert_eq!(error.code, Code::ModelKeyRefused, "{api}: {error}");
            assert!(error.message.contains("rejected the key"), "{api}: {error}");
        }
    }
}

#[test]
fn a_model_name_cannot_change_the_address() {
    let server = model_server(Form::Gemini, Vec::new());
    for model in ["x?key=1", "a b", "x#y", "x%2f"] {
        let target = Target {
            api: Api::Gemini,
            url: server.url.clone(),
            plain: Plain::Loopback,
            model: model.into(),
            key: None,
            patience: Patience::COMPLETION,
        };
        let error = HttpCompleter::new(target).err().expect(model);
        assert_eq!(error.code, Code::SettingBad, "{model}");
    }
}
