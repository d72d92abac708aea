//! The port to the agents of a home: which there are, and how each is opened.
//!
//! The composition root fills it, since only it reads settings.

use std::pin::Pin;
use std::sync::Arc;

use axum::http::{Request, Response};
use bytes::Bytes;
use inwit_home::{HomeError, OpenAgent};
use inwit_model::{AgentId, Scope, TraceId};

/// The agents of a home.
pub trait Agents: Send + Sync {
    /// Their ids, sorted.
    fn ids(&self) -> Vec<String>;

    /// Opens one; an open one is given again. Errors: `agent_unknown`, and those of its settings and storage.
    fn open(&self, id: &AgentId) -> Result<Arc<OpenAgent>, HomeError>;

    /// How many are open.
    fn open_count(&self) -> usize;

    /// Answers a request of MCP for this agent and scope; `writes` offers the tools that write, which record `trace`.
    fn mcp(
        &self,
        opened: Arc<OpenAgent>,
        scope: Scope,
        writes: bool,
        trace: Option<TraceId>,
        request: Request<Bytes>,
    ) -> McpAnswer;
}

/// The answer to a request of MCP.
pub type McpAnswer = Pin<Box<dyn Future<Output = Response<Bytes>> + Send>>;
