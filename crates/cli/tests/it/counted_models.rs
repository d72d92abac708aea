//! Calls of language models in a pass: what is counted if they are stopped, time out or fail.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use inwit_home::llm::counted_models::CountedModels;
use inwit_home::llm::key::KeySource;
use inwit_home::llm::price::{Price, Prices};
use inwit_home::llm::task::Task;
use inwit_home::llm::usage::{Total, report};
use inwit_home::llm::{Allow, LlmConfig};
use inwit_llm::{Api, ProviderSpec};
use inwit_model::{Code, Question, Scope};
use inwit_outbound::Patience;
use inwit_testkit::server::{Reply, Server};
use jiff::civil::date;
use jiff::tz::TimeZone;

/// A model at `server`, counted in `usage`, at 3 dollars per million tokens.
fn config(server: &Server, usage: &Path) -> LlmConfig {
    LlmConfig {
        provider: ProviderSpec::named("http"),
        area: "llm",
        url: format!("{}/v1", server.url),
        model: "small".to_owned(),
        api: Api::OpenAiChat,
        key: KeySource::Missing,
        is_plain_allowed: false,
        allow: Allow::Nothing,
        day_max: None,
        timeout: None,
        context_tokens: None,
        prices: Prices { input: Price::parse("3"), ..Prices::default() },
        usage: usage.to_owned(),
    }
}

const QUESTION: Question<'_> = Question { rules: "rules", text: "a text", answer_tokens_max: 9 };

fn total(usage: &Path) -> Option<Total> {
    let report = report(usage, date(2026, 1, 1), &TimeZone::UTC).expect("read");
    report.totals.into_values().next()
}

#[test]
fn a_call_that_is_stopped_or_times_out_is_counted_with_an_estimate_of_its_question() {
    let stop = Arc::new(AtomicBool::new(false));
    let stops = Arc::clone(&stop);
    let server = Server::answering(vec![
        Reply::Held(Vec::new()),
        Reply::Of(Box::new(move |_| {
            stops.store(true, Ordering::Relaxed);
            Reply::Held(Vec::new())
        })),
    ]);
    let usage = tempfile::tempdir().expect("a folder");
    let config = config(&server, usage.path());
    let patience = Patience { silence: Duration::from_millis(100), ..Patience::COMPLETION };
    for (patience, code) in [(patience, Code::ModelTimedOut), (Patience::COMPLETION, Code::Stopped)] {
        let models = CountedModels::new(&config, Task::Review, patience, Arc::clone(&stop));
        let model = models.open(&Scope::Main).expect("a model");
        assert_eq!(model.complete(&QUESTION).expect_err("no answer").code, code);
        assert_eq!(models.notice(), None);
    }
    let models = CountedModels::new(&config, Task::Review, Patience::COMPLETION, stop);
    let stopped = models.open_on_use().complete(&QUESTION).expect_err("stopped before");
    assert_eq!((stopped.code, server.requests().len()), (Code::Stopped, 2), "no request");
    let total = total(usage.path()).expect("counted");
    // 11 bytes are 4 tokens.
    assert_eq!((total.calls, total.failed, total.estimated, total.usage.input), (2, 2, 2, 8));
    assert_eq!(total.cost, Some(2 * 4 * 3_000), "as the provider may charge");
}

#[test]
fn a_call_that_reached_no_model_is_counted_without_tokens() {
    let server = Server::answering(vec![Reply::status("404 No")]);
    let usage = tempfile::tempdir().expect("a folder");
    let config = config(&server, usage.path());
    let models = CountedModels::new(&config, Task::Judge, Patience::JUDGE, Arc::default());
    assert_eq!(models.open_on_use().complete(&QUESTION).expect_err("no model").code, Code::ModelAnswerBad);
    let total = total(usage.path()).expect("counted");
    assert_eq!((total.calls, total.failed, total.estimated, total.usage.input), (1, 1, 0, 0));
}
