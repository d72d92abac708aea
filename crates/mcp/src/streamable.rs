//! MCP over HTTP: one request, answered without a session.
//!
//! The SDK speaks both protocol versions; each request is answered by itself, so a server keeps nothing of a client.
//! Invariant: hosts, origins and tokens are checked before, by the server that owns the address.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::connection::Connection;
use crate::server::Server;

/// Answers `request` for this connection.
pub async fn answer(connection: Connection, request: Request<Bytes>) -> Response<Bytes> {
    let connection = Arc::new(connection);
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(request.body().len().saturating_add(1));
    let service = StreamableHttpService::new(
        move || Ok(Server { connection: Arc::clone(&connection) }),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let (parts, body) = service.handle(request.map(Full::new)).await.into_parts();
    let Ok(body) = body.collect().await;
    Response::from_parts(parts, body.to_bytes())
}
