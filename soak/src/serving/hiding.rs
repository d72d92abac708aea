//! Nothing private shows over HTTP: two homes that differ in private data alone give the same bytes to the same token.
//!
//! Each case is a pair, asked through routes of the table with a token that may write, in a room, as a stranger, as a
//! subagent or on a schedule. Clock, entropy and trace are the same; status, headers and body are compared.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use inwit_engine::Agent;
use inwit_engine::self_report::Whereabouts;
use inwit_gate::TokenRight;
use inwit_home::access::{TokenWish, Tokens};
use inwit_home::{HomeError, OpenAgent};
use inwit_http::agents::{Agents, McpAnswer, NewAgent};
use inwit_http::local::{HOST, Local};
use inwit_mcp::{Connection, streamable};
use inwit_model::{AgentId, Clock as _, Code, Scope, TraceId};
use inwit_testkit::twins::OnDisk;
use inwit_testkit::{Drawn, FakeClock, NOW, Twins};
use inwit_wire::routes::{Answer, Body, ROUTES, RouteRight, RouteSpec, RouteVerb};
use inwit_wire::tools::{Kind, Param, Set};
use inwit_wire::{InitV1, SettingsV1};
use serde_json::{Map, Value, json};

use crate::{Home, Plan, Report};

/// Routes of one pair.
const ROUTES_EACH: usize = 10;

/// One pair in so many keeps a history in git.
const HISTORY_EACH: u64 = 10;

/// One pair in so many keeps transcripts.
const TRANSCRIPTS_EACH: u64 = 4;

/// The trace of every request.
const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let home = Home::fast("personal", "//- SOUL.md\nI am Ada.\n");
    let around = Arc::new(home.place.open());
    let mut answers = 0;
    for case in 0..u64::from(plan.cases) {
        let on_disk = match case {
            case if case % HISTORY_EACH == 0 => OnDisk::History,
            case if case % TRANSCRIPTS_EACH == 0 => OnDisk::Transcripts,
            _ => OnDisk::Nothing,
        };
        answers += pair(plan.seed + case, on_disk, &around, home.place.root(), &mut report);
    }
    report.figure("answers compared", plan.cases as usize * ROUTES_EACH);
    report.figure("of them successful", answers);
    report.figure("differing", report.violations.len());
    report
}

/// Compares one pair; the number of answers that succeeded, so that a campaign of refusals would show.
fn pair(seed: u64, on_disk: OnDisk, around: &OpenAgent, root: &Path, report: &mut Report) -> usize {
    let mut twins = Twins::keeping(seed, on_disk);
    let scope = twins.scope.clone();
    let token = {
        let wish = TokenWish {
            name: "soak".into(),
            right: TokenRight::Write,
            agent: None,
            scope: scope.clone(),
            expires: None,
        };
        let tokens = Tokens::of(root);
        let (token, row) = tokens.create(wish, FakeClock::at(NOW).now()).expect("a token");
        (token, row.id)
    };
    let routes = sampled(&mut twins);
    let requests: Vec<_> =
        routes.iter().map(|route| (*route, request(route, &mut twins, token.0.text()))).collect();
    let homes = twins.transcripts.clone();
    let home = |side: usize| homes.as_ref().and_then(|homes| homes[side].parent().map(Path::to_owned));
    let [left, right] = twins.agents;
    let sides = [(left, home(0)), (right, home(1))].map(|(agent, home)| local(agent, home, around, root));
    let mut done = 0;
    for (route, (line, request)) in &requests {
        twins.entropy.iter().for_each(|entropy| entropy.start_again(seed));
        let [one, two] = sides.each_ref().map(|side| shown(&side.answer(request.clone())));
        done += usize::from(one.starts_with('2'));
        report.holds(one == two, || {
            format!("seed {seed} {on_disk:?} {scope} {}: {line}: {one} IS NOT {two}", route.path)
        });
    }
    Tokens::of(root).revoke(&token.1).expect("revoked");
    done
}

/// Routes that a token to write may call, some of them twice.
fn sampled(twins: &mut Twins) -> Vec<&'static RouteSpec> {
    let may = |route: &&RouteSpec| {
        route.right <= RouteRight::Write
            && !matches!(route.answer, Answer::Events(_) | Answer::Html | Answer::Metrics)
            && route.verb != RouteVerb::OpenApi
    };
    let all: Vec<&'static RouteSpec> = ROUTES.iter().filter(may).collect();
    (0..ROUTES_EACH).map(|_| *twins.chance.pick(&all)).collect()
}

/// A request of this route, with names and words that exist in some of the homes, and the line that names it.
fn request(route: &RouteSpec, twins: &mut Twins, token: &str) -> (String, Request<Vec<u8>>) {
    let (word, name) = (twins.word(), twins.private_name());
    let number = twins.chance.below(4).to_string();
    let parts = [
        ("{agent}", "ada"),
        ("{path}", name),
        ("{name}", name),
        ("{id}", &number),
        ("{run}", &number),
        ("{key}", "home_language"),
        ("{date}", "2026-11-20"),
        ("{session}", "heard"),
        ("{memory}", "mem_2f323032362d31312d32302e6d64"),
    ];
    let path = parts.iter().fold(route.path.to_owned(), |path, (part, value)| path.replace(part, value));
    let query: Vec<String> = route
        .query
        .iter()
        .filter(|param| param.required || (twins.chance.below(4) == 0 && param.name != "beta"))
        .map(|param| format!("{}={}", param.name, escaped(&value(param, word, name))))
        .collect();
    let uri = if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) };
    let (media, body) = body(route, word, name);
    let request = Request::builder()
        .method(route.method.word())
        .uri(&uri)
        .header("host", HOST)
        .header("authorization", format!("Bearer {token}"))
        .header("traceparent", TRACE)
        .header("accept", "application/json, text/event-stream")
        .header("content-type", media)
        .header("content-length", body.len());
    let request = if route.is_conditional { request.header("if-none-match", "*") } else { request };
    (format!("{} {uri}", route.method), request.body(body).expect("a request"))
}

/// The value of a parameter, as text.
fn value(param: &Param, word: &str, name: &str) -> String {
    match (param.name, param.kind) {
        ("path", _) => name.to_owned(),
        ("since" | "until" | "around" | "as_of", _) => "2026-11-20".to_owned(),
        (_, Kind::Whole { min, .. }) => min.max(1).to_string(),
        (_, Kind::Flag { .. }) => "true".to_owned(),
        (_, Kind::Choice { of, .. }) => of[0].to_owned(),
        _ => word.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The body of a request, with its media type.
fn body(route: &RouteSpec, word: &str, name: &str) -> (&'static str, Vec<u8>) {
    let json = |value: Value| ("application/json", value.to_string().into_bytes());
    match route.body {
        Body::Nothing => ("text/plain", Vec::new()),
        Body::Text => ("text/markdown", format!("{word} again\n").into_bytes()),
        Body::Json(params) => {
            let sent = params.iter().filter(|param| param.required);
            let sent: Map<String, Value> =
                sent.map(|param| (param.name.to_owned(), value(param, word, name).into())).collect();
            json(sent.into())
        }
        Body::Shape(_) => json(match route.verb {
            RouteVerb::SessionStart => json!({ "session": "heard", "surface": "http" }),
            RouteVerb::SessionTurn => {
                json!({ "session": "heard", "key": "1", "user": { "text": word }, "assistant": "Yes." })
            }
            RouteVerb::SessionPrompt => json!({ "session": "heard", "question": word }),
            RouteVerb::SessionEnd => json!({ "session": "heard" }),
            RouteVerb::MinaraWrite => json!({ "content": word, "expected_sha256": null }),
            RouteVerb::MindroomWrite => json!({ "content": word }),
            RouteVerb::MinaraMemoryAdd => json!({ "statement": format!("{word} again") }),
            RouteVerb::MinaraTag => json!({ "value": word }),
            RouteVerb::MinaraPrompt => json!({ "text": word }),
            RouteVerb::MinaraProfileWrite => json!({ "values": { "home_language": word } }),
            RouteVerb::StoredMemoryCreate => json!({ "path": "/x.md", "content": word }),
            RouteVerb::StoredMemoryChange => {
                let stated = json!({ "type": "content_sha256", "content_sha256": "0".repeat(64) });
                json!({ "content": word, "precondition": stated })
            }
            _ => json!({
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": { "name": "memory_search", "arguments": { "query": word } },
            }),
        }),
    }
}

/// Status, headers and body of an answer.
fn shown(answer: &Response<Vec<u8>>) -> String {
    let body = without_counts(&String::from_utf8_lossy(answer.body()));
    format!("{} {:?} {body}", answer.status().as_u16(), answer.headers())
}

/// An answer without the times of files: files in memory count the writes of the whole home instead, from 1970 on.
fn without_counts(body: &str) -> String {
    let mut shown = String::new();
    let mut rest = body;
    while let Some(at) = ["1970-01-01T", "\"mtime\":"].iter().filter_map(|mark| rest.find(mark)).min() {
        let end = rest[at..].find(['Z', ',', '}']).map_or(rest.len(), |end| at + end);
        shown.push_str(&rest[..at]);
        shown.push_str("(time)");
        rest = &rest[end..];
    }
    shown + rest
}

/// The API over one of the twins.
fn local(agent: Agent, home: Option<PathBuf>, around: &OpenAgent, root: &Path) -> Local {
    let home = home.unwrap_or_else(|| around.chosen.home.clone());
    let opened = Arc::new(around.holding(Arc::new(agent), home));
    let clock = Arc::new(FakeClock::at(NOW));
    Local::new(root, Box::new(Twin(opened)), clock, Arc::new(Drawn::of(1))).expect("threads")
}

/// The only agent of a home.
struct Twin(Arc<OpenAgent>);

impl Agents for Twin {
    fn ids(&self) -> Vec<String> {
        vec!["ada".to_owned()]
    }

    fn open(&self, _: &AgentId) -> Result<Arc<OpenAgent>, HomeError> {
        Ok(Arc::clone(&self.0))
    }

    fn create(&self, _: &NewAgent<'_>) -> Result<InitV1, HomeError> {
        Err(HomeError::new(Code::PolicyRefused, "No agent is created here."))
    }

    fn settings(&self, _: &AgentId, _: bool) -> Result<SettingsV1, HomeError> {
        Err(HomeError::new(Code::PolicyRefused, "There are no settings here."))
    }

    fn set(
        &self,
        _: &AgentId,
        _: &str,
        _: Option<&str>,
        _: &dyn Fn() -> Result<(), HomeError>,
    ) -> Result<(), HomeError> {
        Err(HomeError::new(Code::PolicyRefused, "There are no settings here."))
    }

    fn open_count(&self) -> usize {
        1
    }

    fn mcp(
        &self,
        opened: Arc<OpenAgent>,
        scope: Scope,
        _: bool,
        trace: Option<TraceId>,
        request: Request<Bytes>,
    ) -> McpAnswer {
        let whereabouts =
            Whereabouts { agent_id: "ada".into(), model: None, workspace_dir: "/srv/ada".into() };
        let agent = Arc::clone(&opened.agent);
        let connection =
            Connection { sets: vec![Set::Default], trace, ..Connection::new(agent, whereabouts, scope) };
        Box::pin(streamable::answer(connection, request))
    }
}
