//! One request: guard, caller, right, body, operation, answer, in this order.
//!
//! The paths and rights are rows of [`ROUTES`]. Invariant: nothing of the body is read before the caller is known to
//! have the right.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::HttpBody as _;
use axum::extract::{FromRequestParts as _, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use inwit_gate::TokenHolder;
use inwit_model::Code;
use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_wire::routes::{self, Body, ROUTES, RouteRight, RouteSpec, RouteVerb};
use tokio::sync::SemaphorePermit;
use tower_http::compression::CompressionLayer;

use crate::call::{Call, query, values};
use crate::caller::{Caller, needs_token, presented, presented_as_key, refused};
use crate::events;
use crate::exchange::{self, carried, continued};
use crate::limit::{BODY_SECONDS_MAX, JSON_BYTES_MAX, LARGE_ANSWER_BYTES};
use crate::listeners::Via;
use crate::precondition::Expected;
use crate::problem::Problem;
use crate::repeated;
use crate::reply::Reply;
use crate::server::Served;
use crate::verbs;

/// The API: every row of [`ROUTES`].
pub(crate) fn router(served: &Arc<Served>) -> Router {
    let mut by_path: BTreeMap<&str, MethodRouter<Arc<Served>>> = BTreeMap::new();
    for route in ROUTES {
        let of_path = by_path.entry(route.path).or_default();
        let handler = move |State(served): State<Arc<Served>>, request: Request| async move {
            exchange::note(|known| known.route = Some(route));
            let answered = answer(&served, route, request).await;
            let answered = answered.and_then(|reply| placed(&served, reply.into_response()));
            answered.unwrap_or_else(|problem| problem.for_route(route).into_response())
        };
        *of_path = std::mem::take(of_path).merge(on(filter(route.method), handler));
    }
    let mut router = Router::new();
    for (path, methods) in by_path {
        let allowed = allowed(path);
        let methods = methods.fallback(move |method: Method| async move {
            let message = format!("This route has no method {method}.");
            Problem::new(Code::MethodRefused, message).with(header::ALLOW, &allowed)
        });
        router = router.route(&path.replace("{path}", "{*path}"), methods);
    }
    let unknown = || async { Problem::new(Code::RouteUnknown, "There is no such route.") };
    router
        .fallback(unknown)
        .layer(CompressionLayer::new().gzip(true).zstd(true))
        .layer(from_fn_with_state(Arc::clone(served), guarded))
        .layer(from_fn_with_state(Arc::clone(served), exchange::traced))
        .with_state(Arc::clone(served))
}

fn filter(method: routes::Method) -> MethodFilter {
    match method {
        routes::Method::Get => MethodFilter::GET,
        routes::Method::Put => MethodFilter::PUT,
        routes::Method::Post => MethodFilter::POST,
        routes::Method::Patch => MethodFilter::PATCH,
        routes::Method::Delete => MethodFilter::DELETE,
    }
}

/// The methods of a path, for the header `Allow`.
fn allowed(path: &str) -> String {
    let rows = ROUTES.iter().filter(|row| row.path == path);
    let methods = rows.map(|row| match row.method {
        routes::Method::Get => "GET, HEAD",
        method => method.word(),
    });
    methods.collect::<Vec<_>>().join(", ")
}

/// Headers of every answer: nothing is interpreted, framed or loaded from elsewhere.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        ),
    ),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Lets in what the guard admits, also for unknown routes.
async fn guarded(State(served): State<Arc<Served>>, mut request: Request, next: Next) -> Response {
    // A client that accepts no plain answer gets one anyway: the change that it asked for may be done by then.
    let accepted = request.headers().get_all(header::ACCEPT_ENCODING).into_iter();
    let mut refusing = accepted.map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase());
    if refusing.any(|value| value.replace(' ', "").contains(";q=0")) {
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    let guard = match via(request.extensions()).is_socket {
        true => &served.socket_guard,
        false => &served.guard,
    };
    let admitted = guard.admit(request.method(), request.uri(), request.headers());
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    HEADERS.into_iter().for_each(|(name, value)| {
        response.headers_mut().insert(name, value);
    });
    response
}

async fn answer(served: &Arc<Served>, route: &'static RouteSpec, request: Request) -> Result<Reply, Problem> {
    let (mut parts, body) = request.into_parts();
    let caller = caller(served, route, &parts)?;
    caller.needs(route.right)?;
    let path = path(&mut parts).await?;
    if let Some(agent) = path.get("agent") {
        caller.agent(agent)?;
    }
    let (scope, sent) = query(route, parts.uri.query().unwrap_or_default())?;
    let scope = caller.scope(scope.as_deref())?;
    if route.is_conditional {
        Expected::of(&parts.headers)?;
    }
    if route.method == routes::Method::Post
        && !route.takes_a_key()
        && !route.is_of_anthropic()
        && repeated::key(&parts.headers)?.is_some()
    {
        return Err(Problem::new(Code::UsageBad, "This route takes no `Idempotency-Key`."));
    }
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let (bytes, _room) = bytes(served, route, &parts.headers, body).await?;
    let values = values(route, &sent, &bytes)?;
    run(served, Call { route, path, values, query, body: bytes, headers: parts.headers, caller, scope }).await
}

/// Who calls. Errors: `token_refused`, `token_missing`, `calls_too_many`.
fn caller(served: &Served, route: &RouteSpec, parts: &Parts) -> Result<Caller, Problem> {
    let headers = &parts.headers;
    let now = served.clock.now();
    let counted = |problem: Problem| {
        served.metrics.token_refused();
        served.failures.count(now).err().unwrap_or(problem)
    };
    let presented = if route.is_of_anthropic() { presented_as_key(headers) } else { presented(headers) };
    match presented.map_err(counted)? {
        Some(token) => {
            let unread = |_| Problem::new(Code::FileUnreadable, "The tokens of this server cannot be read.");
            let rows = served.tokens.rows().map_err(unread)?;
            let holder = TokenHolder::verify(&rows, token, now);
            let holder = holder.map_err(|why| counted(refused(&why.to_string())))?;
            exchange::note(|known| known.token = Some(holder.row().id.clone()));
            Ok(Caller::Holder(holder))
        }
        None if route.right == RouteRight::Nothing => Ok(Caller::Local),
        None if via(&parts.extensions).is_local && !is_forwarded(headers) => Ok(Caller::Local),
        None => Err(needs_token()),
    }
}

/// How the request came in.
fn via(extensions: &Extensions) -> Via {
    extensions.get().copied().unwrap_or(Via { is_socket: false, is_local: false })
}

/// Whether a proxy passed the request on.
fn is_forwarded(headers: &HeaderMap) -> bool {
    ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]
        .iter()
        .any(|name| headers.contains_key(*name))
}

/// The parts of the path. Error: `usage_bad` for escapes that are not UTF-8.
async fn path(parts: &mut Parts) -> Result<BTreeMap<String, String>, Problem> {
    let params = RawPathParams::from_request_parts(parts, &()).await;
    let params = params.map_err(|_| Problem::new(Code::UsageBad, "The address is not UTF-8."))?;
    Ok(params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// The body of a request, and its place in the memory for bodies. Errors: `media_type_refused`, `body_too_large`,
/// `body_stalled`, `body_bad`.
async fn bytes<'s>(
    served: &'s Served,
    route: &RouteSpec,
    headers: &HeaderMap,
    body: axum::body::Body,
) -> Result<(Vec<u8>, Option<SemaphorePermit<'s>>), Problem> {
    let (allowed, limit): (&[&str], usize) = match route.body {
        Body::Nothing => (&[], 0),
        Body::Json(_) | Body::Shape(_) => (&["application/json"], JSON_BYTES_MAX),
        Body::Text => (
            &["text/markdown", "text/plain", "application/octet-stream"],
            usize::try_from(FILE_READ_BYTES_MAX).unwrap_or(usize::MAX),
        ),
    };
    let length =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    // A body that is not there has no type.
    let is_empty =
        length == Some(0) || (length.is_none() && !headers.contains_key(header::TRANSFER_ENCODING));
    if !(allowed.is_empty() || is_empty && matches!(route.body, Body::Json(_))) {
        media_type(headers, allowed)?;
    }
    let too_large = || Problem::new(Code::BodyTooLarge, format!("The body has more than {limit} bytes."));
    let length = usize::try_from(length.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    if length != usize::MAX && length > limit {
        return Err(too_large());
    }
    if is_empty {
        return Ok((Vec::new(), None));
    }
    let mut body = body.into_data_stream();
    let read = async {
        let (mut bytes, mut room): (Vec<u8>, Option<SemaphorePermit<'s>>) = (Vec::new(), None);
        while let Some(part) = body.next().await {
            let part = part.map_err(|_| Problem::new(Code::BodyBad, "The body did not arrive whole."))?;
            if bytes.len() + part.len() > limit {
                return Err(too_large());
            }
            // Room is taken as bytes arrive: a client that announces many and sends few keeps nobody waiting.
            let needed = (bytes.len() + part.len()).div_ceil(KIB) - bytes.len().div_ceil(KIB);
            let more = served.bodies.acquire_many(u32::try_from(needed).unwrap_or(u32::MAX)).await.ok();
            match (&mut room, more) {
                (Some(room), Some(more)) => room.merge(more),
                (room, more) => *room = more,
            }
            bytes.extend_from_slice(&part);
        }
        Ok((bytes, room))
    };
    let stalled = |_| Problem::new(Code::BodyStalled, "The body did not arrive in time.");
    tokio::time::timeout(BODY_SECONDS_MAX, read).await.map_err(stalled)?
}

/// A large answer has a place in the memory for answers until it is sent or its client is gone. Error: `server_busy`.
fn placed(served: &Served, response: Response) -> Result<Response, Problem> {
    let size = response.body().size_hint().exact().unwrap_or(0);
    if size <= LARGE_ANSWER_BYTES {
        return Ok(response);
    }
    let busy = |_| {
        let message = "Too many large answers are being sent already.";
        Problem::new(Code::ServerBusy, message).with(header::RETRY_AFTER, "5")
    };
    let kib = u32::try_from(size.div_ceil(KIB as u64)).unwrap_or(u32::MAX);
    let place = Arc::clone(&served.answers).try_acquire_many_owned(kib).map_err(busy)?;
    let (mut parts, body) = response.into_parts();
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    let body = stream::unfold((body.into_data_stream(), place), |(mut body, place)| async {
        Some((body.next().await?, (body, place)))
    });
    // Its reader may ask again after its end.
    let body = body.fuse();
    Ok(Response::from_parts(parts, axum::body::Body::from_stream(body)))
}

/// Bytes of a KiB.
const KIB: usize = 1024;

fn media_type(headers: &HeaderMap, allowed: &[&str]) -> Result<(), Problem> {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let plain = sent.split(';').next().unwrap_or_default().trim();
    let is_encoded = headers.contains_key(header::CONTENT_ENCODING);
    if !is_encoded && allowed.iter().any(|allowed| plain.eq_ignore_ascii_case(allowed)) {
        return Ok(());
    }
    let message = match is_encoded {
        true => "A body with `Content-Encoding` is not accepted.".to_owned(),
        false => format!("Send the body with `Content-Type: {}`.", allowed[0]),
    };
    Err(Problem::new(Code::MediaTypeRefused, message))
}

/// Runs a call on a thread that may block. A call whose client goes away keeps its place until it ends. Errors:
/// `server_busy`, and those of the call.
async fn run(served: &Arc<Served>, call: Call) -> Result<Reply, Problem> {
    if !call.route.verb.may_block() {
        return verbs::run(served, &call);
    }
    let busy =
        |_| Problem::new(Code::ServerBusy, "Too many requests wait already.").with(header::RETRY_AFTER, "1");
    if call.route.verb == RouteVerb::Events {
        return events::stream(Arc::clone(served), call).await;
    }
    let place = Arc::clone(&served.queue).try_acquire_owned().map_err(busy)?;
    // Callers without a token leave places for those with one.
    let open = match call.caller {
        Caller::Local => {
            let waiting = Arc::clone(&served.open_queue).try_acquire_owned().map_err(busy)?;
            Some((waiting, Arc::clone(&served.open_calls).acquire_owned().await))
        }
        Caller::Holder(_) => None,
    };
    let turn = Arc::clone(&served.calls).acquire_owned().await;
    let failed =
        |_| Problem::new(Code::WriteFailed, "The call failed with an internal error; its effect is unknown.");
    let running = Arc::clone(served);
    if call.route.verb == RouteVerb::Mcp {
        // It goes on if its client goes away, and keeps its place.
        return tokio::spawn(continued(mcp(running, call, (place, open, turn)))).await.map_err(failed)?;
    }
    let done = tokio::task::spawn_blocking(carried(move || {
        let answered = verbs::run(&running, &call);
        drop((place, open, turn));
        answered
    }));
    done.await.map_err(failed)?
}

/// Answers a request of MCP, whose tools run on threads of their own.
async fn mcp<P: Send + 'static>(served: Arc<Served>, call: Call, place: P) -> Result<Reply, Problem> {
    let failed = |_| Problem::new(Code::WriteFailed, "The call failed with an internal error.");
    let _busy = served.upkeep.call();
    let opening = Arc::clone(&served);
    let opening = carried(move || verbs::open(&opening, &call).map(|opened| (opened, call)));
    let (opened, call) = tokio::task::spawn_blocking(opening).await.map_err(failed)??;
    let mut request = axum::http::Request::post(call.route.path);
    for name in [header::HOST, header::ACCEPT, header::CONTENT_TYPE]
        .into_iter()
        .chain(MCP_HEADERS.map(HeaderName::from_static))
    {
        if let Some(value) = call.headers.get(&name) {
            request = request.header(name, value);
        }
    }
    let request = request.body(Bytes::from(call.body));
    let request =
        request.map_err(|_| Problem::new(Code::UsageBad, "The headers of the request are invalid."))?;
    let (scope, writes) = (call.scope, call.caller.may_write());
    let answered = served.agents.mcp(opened, scope, writes, exchange::trace(), request).await;
    drop(place);
    let is_json =
        answered.headers().get(header::CONTENT_TYPE).is_some_and(|media| media == "application/json");
    match answered.status().is_client_error() && !is_json {
        // A request that is none of MCP is answered like any other bad request.
        true => {
            let why = String::from_utf8_lossy(answered.body()).into_owned();
            Err(Problem::new(Code::UsageBad, why).with_status(answered.status()))
        }
        false => Ok(Reply::Mcp(answered)),
    }
}

/// Headers of the protocol that the SDK reads.
const MCP_HEADERS: [&str; 4] = ["mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"];
