//! The MCP protocol: requests of the SDK, answered from a connection.
//!
//! The SDK supports both protocol versions: the handshake up to 2025-11-25, and self-contained requests (2026-07-28).
//! Work on files runs on separate threads, so a slow answer blocks no other one. Invariant: clients may cache an
//! answer only for their own user.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use inwit_wire::ToolErrorV1;
use inwit_wire::tools::{ToolSpec, param};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    Implementation, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{RoleServer, ServerHandler, ServiceExt as _};

use crate::connection::Connection;
use crate::fill::{FILL_QUIET_MS, Fill};
use crate::hints::{said, value};
use crate::lines::{Lines, Place, SETTLE_SECONDS_MAX};
use crate::{prompts, resources};

/// Threads that run calls and write answers.
pub const THREADS_MAX: usize = 4;

/// Serves one connection until its input ends or the reader is closed. Error: a sentence, if no thread can be started
/// or the client violates the protocol.
pub fn serve(
    connection: Connection,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), String> {
    serve_settling(connection, input, output, Duration::from_secs(SETTLE_SECONDS_MAX))
}

/// The same; after the input has ended, it waits at most `settle` for each answer to be read.
pub fn serve_settling(
    connection: Connection,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    settle: Duration,
) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(THREADS_MAX)
        .build()
        .map_err(|error| format!("Cannot serve a connection: {error}."))?;
    let idle = Arc::clone(&connection.idle);
    let served = runtime.block_on(async {
        let lines = Lines::new(input, Box::new(output), settle);
        let watched = lines.reader();
        let connection = Arc::new(connection);
        Fill::start(&connection, Duration::from_millis(FILL_QUIET_MS));
        let running = match (Server { connection }).serve(lines).await {
            Ok(running) => running,
            // A client that leaves without a request needs no answer.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(_) if watched.is_gone() => return Ok(()),
            Err(error) => {
                return Err(format!("The client did not initialize as the protocol requires: {error}."));
            }
        };
        running.waiting().await.map(|_| ()).map_err(|error| format!("The connection failed: {error}."))
    });
    // A call that hangs in a system call does not keep the process alive.
    runtime.shutdown_background();
    idle.end();
    served
}

/// The server of one connection.
pub(crate) struct Server {
    pub(crate) connection: Arc<Connection>,
}

impl Server {
    /// Runs `work` of a call on a thread that may block. A call cancelled before its turn is not run.
    async fn beside<T: Send + 'static>(
        &self,
        call: &RequestContext<RoleServer>,
        work: impl FnOnce(&Connection) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let (connection, is_off) = (Arc::clone(&self.connection), call.ct.clone());
        let busy = connection.idle.call();
        let place = call.extensions.get::<Place>().cloned();
        let done = tokio::task::spawn_blocking(move || {
            let work = || match connection.trace {
                Some(trace) => trace.within(|| work(&connection)),
                None => work(&connection),
            };
            let done = (!is_off.is_cancelled()).then(work);
            drop((place, busy));
            done
        });
        let failed = |why: &'static str| ErrorData::internal_error(why, None);
        let done = done
            .await
            .map_err(|_| failed("The call failed with an internal error; its effect is unknown."))?;
        done.ok_or_else(|| failed("The call was cancelled."))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("inwit", env!("CARGO_PKG_VERSION"))
                    .with_title("inwit: memory and identity"),
            )
            .with_instructions(prompts::instructions(&self.connection))
    }

    async fn list_tools(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        whole(asked)?;
        let keeps_facts = self.connection.agent.facts.agents_keep_facts(&self.connection.scope);
        let tools = self.connection.tools().map(|spec| tool(spec, keeps_facts));
        let mut listed = ListToolsResult::with_all_items(tools.collect());
        listed.cache_scope = Some(CacheScope::Private);
        Ok(listed)
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        call: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let called = self
            .beside(&call, move |connection| {
                connection.call(&asked.name, &asked.arguments.unwrap_or_default())
            })
            .await??;
        let content = vec![ContentBlock::text(called.text.into_string())];
        let mut result =
            if called.failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = Some(called.answer);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        asked: Option<PaginatedRequestParams>,
        call: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = asked.and_then(|asked| asked.cursor);
        let listed =
            self.beside(&call, move |connection| resources::list(connection, cursor.as_deref())).await?;
        let (items, next) = listed.map_err(failed)?;
        let mut listed = ListResourcesResult::with_all_items(items);
        listed.next_cursor = next;
        listed.cache_scope = Some(CacheScope::Private);
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        whole(asked)?;
        let mut listed = ListResourceTemplatesResult::with_all_items(resources::templates(&self.connection));
        listed.cache_scope = Some(CacheScope::Private);
        Ok(listed)
    }

    async fn read_resource(
        &self,
        asked: ReadResourceRequestParams,
        call: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.beside(&call, move |connection| resources::read(connection, &asked.uri)).await?;
        let contents = read.map_err(|error| {
            let message = format!("{} {}", error.error.message, error.error.hint.0.said(said));
            match error.error.code {
                "file_missing" | "line_missing" => ErrorData::resource_not_found(message, data(&error)),
                _ => failed(error),
            }
        })?;
        let mut result = ReadResourceResult::new(contents);
        result.cache_scope = Some(CacheScope::Private);
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        asked: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        whole(asked)?;
        let mut listed = ListPromptsResult::with_all_items(prompts::list(&self.connection));
        listed.cache_scope = Some(CacheScope::Private);
        Ok(listed)
    }

    async fn get_prompt(
        &self,
        asked: GetPromptRequestParams,
        call: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = asked.arguments.unwrap_or_default();
        let made =
            self.beside(&call, move |connection| prompts::get(connection, &asked.name, &arguments)).await?;
        Ok(GetPromptResult::new(made.map_err(failed)?).into())
    }

    async fn on_custom_request(
        &self,
        asked: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let message = format!("There is no method `{}`.", inwit_model::name::shown(&asked.method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}

/// A tool in protocol form; `fact` is offered only if facts can be accepted.
fn tool(spec: &ToolSpec, keeps_facts: bool) -> Tool {
    let hints = ToolAnnotations::from_raw(
        None,
        Some(spec.hints.read_only),
        Some(spec.hints.destructive),
        Some(spec.hints.idempotent),
        Some(false),
    );
    let mut input: JsonObject = param::schema(spec.params);
    let kinds = input.get_mut("properties").and_then(|all| all.pointer_mut("/kind/enum"));
    if let Some(kinds) = kinds.and_then(|kinds| kinds.as_array_mut()) {
        kinds.retain(|kind| keeps_facts || kind != "fact");
    }
    Tool::new(spec.name, spec.about, Arc::new(input)).with_title(spec.title).with_annotations(hints)
}

/// Complete lists have no cursor.
fn whole(asked: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match asked.and_then(|asked| asked.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params("This list is not paged; it accepts no cursor.", None)),
    }
}

fn data(error: &ToolErrorV1) -> Option<serde_json::Value> {
    Some(value(error))
}

/// A failure in protocol form, outside of tools.
fn failed(error: ToolErrorV1) -> ErrorData {
    let message = format!("{} {}", error.error.message, error.error.hint.0.said(said));
    match error.error.code {
        "usage_bad" | "name_refused" | "file_missing" | "line_missing" | "query_bad" | "time_bad" => {
            ErrorData::invalid_params(message, data(&error))
        }
        _ => ErrorData::internal_error(message, data(&error)),
    }
}
