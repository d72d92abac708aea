//! Requests and answers of every API, as the providers document them.

use inwit_model::{Step, Tool, ToolResult};
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// One question.
fn talk(steps: &[Step]) -> Conversation<'_> {
    Conversation { system: "be strict", steps, stable: 0, tools: &[], answer_tokens_max: 7 }
}

fn asked() -> [Step; 1] {
    [Step::User("data\n".to_owned())]
}

fn sent(api: Api, is_stream: bool) -> Value {
    let asked = asked();
    let request =
        Request { model: "m", talk: &talk(&asked), is_stream, is_steady: true, is_new_limit: false };
    serde_json::from_slice(&api.body(&request)).expect("JSON")
}

fn streamed(api: Api, events: &[Value]) -> Result<Partial, Fault> {
    let mut partial = Partial::default();
    for data in events {
        api.event(&Event { name: String::new(), data: data.to_string() }, &mut partial)?;
    }
    Ok(partial)
}

#[test]
fn each_api_is_asked_in_its_own_form() {
    let anthropic = sent(Api::Anthropic, true);
    assert_eq!(anthropic["system"][0]["cache_control"]["type"], "ephemeral");
    assert_eq!((&anthropic["system"][0]["text"], &anthropic["max_tokens"]), (&json!("be strict"), &json!(7)));
    let chat = sent(Api::OpenAiChat, true);
    assert_eq!(chat["stream_options"]["include_usage"], true);
    assert_eq!(chat["messages"][1], json!({ "role": "user", "content": "data\n" }));
    assert!(sent(Api::OpenAiChat, false).get("stream_options").is_none());
    let responses = sent(Api::OpenAiResponses, false);
    assert_eq!((&responses["instructions"], &responses["store"]), (&json!("be strict"), &json!(false)));
    let gemini = sent(Api::Gemini, false);
    assert_eq!(gemini["generationConfig"], json!({ "maxOutputTokens": 7, "temperature": 0 }));
    assert_eq!(Api::Gemini.path("models/g", true), "models/g:streamGenerateContent?alt=sse");
    assert_eq!(Api::Gemini.path("g", false), "models/g:generateContent");
}

#[test]
fn limits_and_temperature_can_be_said_otherwise() {
    let asked = asked();
    let request =
        Request { model: "m", talk: &talk(&asked), is_stream: false, is_steady: false, is_new_limit: true };
    for api in Api::ALL {
        let body = String::from_utf8(api.body(&request)).expect("text");
        assert!(!body.contains("temperature"), "{body}");
        assert_eq!(body.contains("max_completion_tokens"), *api == Api::OpenAiChat, "{body}");
    }
}

#[test]
fn a_stream_and_a_whole_answer_give_the_same() {
    let usage = Usage { input: 18, cache_read: 10, cache_write: 0, output: 5 };
    let expected =
        |usage| Partial { text: "Hello".into(), usage: Some(usage), is_done: true, ..Partial::default() };
    let counts = json!({ "input_tokens": 5, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 3, "output_tokens": 5 });
    let of_anthropic = Usage { cache_write: 3, ..usage };
    let whole = json!({
        "content": [{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "Hello" }],
        "stop_reason": "end_turn", "usage": counts,
    });
    assert_eq!(anthropic::whole(&whole), Ok(expected(of_anthropic)));
    let mut first = counts.clone();
    first["output_tokens"] = 1.into();
    let events = [
        json!({ "type": "message_start", "message": { "usage": first } }),
        json!({ "type": "ping" }),
        json!({ "type": "content_block_delta", "delta": { "type": "thinking_delta", "thinking": "hm" } }),
        json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": "Hel" } }),
        json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": "lo" } }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ];
    assert_eq!(streamed(Api::Anthropic, &events), Ok(expected(of_anthropic)));

    let counts = json!({ "prompt_tokens": 18, "prompt_tokens_details": { "cached_tokens": 10 }, "completion_tokens": 5 });
    let whole = json!({ "choices": [{ "message": { "content": "Hello" }, "finish_reason": "stop" }], "usage": counts });
    assert_eq!(openai_chat::whole(&whole), Ok(expected(usage)));
    let events = [
        json!({ "choices": [{ "delta": { "role": "assistant", "content": "" } }], "usage": null }),
        json!({ "choices": [{ "delta": { "content": "Hel" } }] }),
        json!({ "choices": [{ "delta": { "content": "lo" }, "finish_reason": "stop" }] }),
        json!({ "choices": [], "usage": counts }),
    ];
    assert_eq!(streamed(Api::OpenAiChat, &events), Ok(expected(usage)));

    let response = json!({
        "status": "completed", "error": null, "incomplete_details": null,
        "output": [{ "type": "reasoning" }, { "type": "message", "content": [{ "type": "output_text", "text": "Hello" }] }],
        "usage": { "input_tokens": 18, "input_tokens_details": { "cached_tokens": 10 }, "output_tokens": 5 },
    });
    assert_eq!(openai_responses::whole(&response), Ok(expected(usage)));
    let events = [
        json!({ "type": "response.created" }),
        json!({ "type": "response.output_text.delta", "delta": "Hel" }),
        json!({ "type": "response.output_text.delta", "delta": "lo" }),
        json!({ "type": "response.completed", "response": response }),
    ];
    assert_eq!(streamed(Api::OpenAiResponses, &events), Ok(expected(usage)));

    let counts = json!({ "promptTokenCount": 18, "cachedContentTokenCount": 10, "candidatesTokenCount": 2, "thoughtsTokenCount": 3 });
    let parts = json!([{ "text": "hm", "thought": true }, { "text": "Hello" }]);
    let whole = json!({ "candidates": [{ "content": { "parts": parts }, "finishReason": "STOP" }], "usageMetadata": counts });
    assert_eq!(gemini::whole(&whole), Ok(expected(usage)));
    let events = [
        json!({ "candidates": [{ "content": { "parts": [{ "text": "Hel" }] } }], "usageMetadata": { "promptTokenCount": 18 } }),
        json!({ "candidates": [{ "content": { "parts": [{ "text": "lo" }] }, "finishReason": "STOP" }], "usageMetadata": counts }),
    ];
    assert_eq!(streamed(Api::Gemini, &events), Ok(expected(usage)));
}

#[test]
fn limits_refusals_and_errors_are_recognised() {
    let cut = |partial: Result<Partial, Fault>| partial.expect("read").is_cut;
    assert!(cut(anthropic::whole(&json!({ "content": [], "stop_reason": "max_tokens" }))));
    assert!(cut(openai_chat::whole(
        &json!({ "choices": [{ "message": { "content": "" }, "finish_reason": "length" }] })
    )));
    assert!(cut(openai_responses::whole(
        &json!({ "output": [], "incomplete_details": { "reason": "max_output_tokens" } })
    )));
    assert!(cut(gemini::whole(&json!({ "candidates": [{ "finishReason": "MAX_TOKENS" }] }))));
    let refusal = |partial: Result<Partial, Fault>| partial.expect("read").refusal.expect("refused");
    assert!(
        refusal(gemini::whole(&json!({ "promptFeedback": { "blockReason": "SAFETY" } }))).contains("SAFETY")
    );
    assert_eq!(
        refusal(openai_chat::whole(&json!({ "choices": [{ "message": { "refusal": "No." } }] }))),
        "No."
    );
    let busy = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "busy" } });
    for api in Api::ALL {
        assert_eq!(streamed(*api, std::slice::from_ref(&busy)), Err(Fault::Reported("busy".into())), "{api}");
        for bad in ["{}", "[]", "7", "no json", "{\"choices\":[]}", "{\"content\":7}"] {
            assert!(matches!(api.whole(bad.as_bytes()), Err(Fault::Form(_))), "{api} {bad}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,80}") {
        for api in Api::ALL {
            let _ = api.whole(&bytes);
            let _ = api.event(&Event { name: String::new(), data: text.clone() }, &mut Partial::default());
        }
    }
}

/// A turn with a tool: what was asked, called and answered, and what is asked now.
fn steps() -> [Step; 4] {
    let call = ToolCall {
        id: "c1".into(),
        name: "memory_get".into(),
        arguments: r#"{"path":"MEMORY.md"}"#.into(),
        signature: Some("s".into()),
    };
    let result =
        ToolResult { id: "c1".into(), name: "memory_get".into(), text: "- rye".into(), is_failed: false };
    [
        Step::User("what?".into()),
        Step::Assistant { text: String::new(), calls: vec![call] },
        Step::Results(vec![result]),
        Step::User("and now?".into()),
    ]
}

#[test]
fn a_conversation_with_tools_is_sent_in_each_form() {
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    let tools = [Tool { name: "memory_get".into(), about: "Read".into(), schema: schema.to_string() }];
    let steps = steps();
    let talk = Conversation { tools: &tools, stable: 3, ..talk(&steps) };
    let sent = |api: Api| -> Value {
        let request =
            Request { model: "m", talk: &talk, is_stream: true, is_steady: false, is_new_limit: false };
        serde_json::from_slice(&api.body(&request)).expect("JSON")
    };
    let args = json!({ "path": "MEMORY.md" });

    let anthropic = sent(Api::Anthropic);
    assert_eq!(
        anthropic["tools"],
        json!([{ "name": "memory_get", "description": "Read", "input_schema": schema }])
    );
    assert_eq!(
        anthropic["messages"][1]["content"],
        json!([{ "type": "tool_use", "id": "c1", "name": "memory_get", "input": args }])
    );
    let result = &anthropic["messages"][2]["content"][0];
    assert_eq!((&result["tool_use_id"], &result["content"]), (&json!("c1"), &json!("- rye")));
    assert_eq!(result["cache_control"]["type"], "ephemeral", "the last stable step");
    assert!(anthropic["messages"][3]["content"][0].get("cache_control").is_none());

    let chat = sent(Api::OpenAiChat);
    let call = &chat["messages"][2]["tool_calls"][0];
    assert_eq!((&call["id"], &call["function"]["arguments"]), (&json!("c1"), &json!(args.to_string())));
    assert_eq!(chat["messages"][3], json!({ "role": "tool", "tool_call_id": "c1", "content": "- rye" }));
    assert_eq!(chat["tools"][0]["function"]["parameters"], schema);

    let responses = sent(Api::OpenAiResponses);
    assert_eq!(responses["input"][1]["type"], "function_call");
    assert_eq!(
        responses["input"][2],
        json!({ "type": "function_call_output", "call_id": "c1", "output": "- rye" })
    );
    assert_eq!(responses["tools"][0]["name"], "memory_get");

    let gemini = sent(Api::Gemini);
    let part = &gemini["contents"][1]["parts"][0];
    assert_eq!((&part["functionCall"]["args"], &part["thoughtSignature"]), (&args, &json!("s")));
    assert_eq!(
        gemini["contents"][2]["parts"][0]["functionResponse"],
        json!({ "name": "memory_get", "response": { "output": "- rye" }, "id": "c1" })
    );
    assert_eq!(gemini["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"], schema);
}

#[test]
fn a_reply_with_too_many_calls_is_refused() {
    let calls: Vec<Value> =
        (0..=CALLS_MAX).map(|at| json!({ "id": at.to_string(), "function": { "name": "x" } })).collect();
    let answer = json!({ "choices": [{ "message": { "content": null, "tool_calls": calls } }] });
    assert_eq!(Api::OpenAiChat.whole(answer.to_string().as_bytes()), Err(too_many_calls()));
    let late = json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 1u64 << 60, "id": "a" }] } }] });
    assert_eq!(streamed(Api::OpenAiChat, &[late]), Err(too_many_calls()));
}

/// Servers number the parts of calls in different ways.
#[test]
fn parts_of_calls_are_joined_whatever_their_index() {
    let part = |index: Option<u64>, id: Option<&str>, name: Option<&str>, arguments: &str| {
        let mut call = json!({ "function": { "arguments": arguments } });
        if let Some(index) = index {
            call["index"] = index.into();
        }
        if let Some(id) = id {
            call["id"] = id.into();
        }
        if let Some(name) = name {
            call["function"]["name"] = name.into();
        }
        json!({ "choices": [{ "delta": { "tool_calls": [call] } }] })
    };
    let both = [("a", "x", "{\"p\":1}"), ("b", "y", "{}")];
    for parts in [
        // Each at its index, in parts.
        vec![
            part(Some(0), Some("a"), Some("x"), "{\"p\""),
            part(Some(0), None, None, ":1}"),
            part(Some(1), Some("b"), Some("y"), "{}"),
        ],
        // All at index 0.
        vec![part(Some(0), Some("a"), Some("x"), "{\"p\":1}"), part(Some(0), Some("b"), Some("y"), "{}")],
        // Without an index, and with id and name repeated.
        vec![
            part(None, Some("a"), Some("x"), "{\"p\""),
            part(None, Some("a"), Some("x"), ":1}"),
            part(None, Some("b"), Some("y"), "{}"),
        ],
        // From index 1.
        vec![part(Some(1), Some("a"), Some("x"), "{\"p\":1}"), part(Some(2), Some("b"), Some("y"), "{}")],
    ] {
        let partial = streamed(Api::OpenAiChat, &parts).expect("read");
        let calls = Api::OpenAiChat.calls(partial.calls);
        let read: Vec<(&str, &str, &str)> = calls
            .iter()
            .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str()))
            .collect();
        assert_eq!(read, both, "{parts:?}");
    }
    let partial = streamed(Api::OpenAiChat, &[part(Some(0), None, Some("x"), "{}")]).expect("read");
    assert_eq!(Api::OpenAiChat.calls(partial.calls)[0].id, "call_1", "a result needs an id");
}

/// A step without words is never sent, since providers refuse it.
#[test]
fn arguments_are_objects_and_texts_have_words() {
    let calls = vec![ToolCall { name: "x".into(), arguments: "null".into(), ..ToolCall::default() }];
    let steps = [Step::User("a".into()), Step::Assistant { text: "\n\n".into(), calls }];
    for api in [Api::Anthropic, Api::Gemini] {
        let request = Request {
            model: "m",
            talk: &talk(&steps),
            is_stream: false,
            is_steady: false,
            is_new_limit: false,
        };
        let body = String::from_utf8(api.body(&request)).expect("text");
        assert!(!body.contains("\\n\\n") && !body.contains("null"), "{body}");
    }
}
