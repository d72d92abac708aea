//! The port to the agents of a home: which there are, and how each is opened.
//!
//! The composition root fills it, since only it reads settings.

use std::pin::Pin;
use std::sync::Arc;

use axum::http::{Request, Response};
use bytes::Bytes;
use inwit_home::{HomeError, OpenAgent};
use inwit_model::{AgentId, Scope, TraceId};
use inwit_wire::{InitV1, SettingsV1};

/// The agents of a home.
pub trait Agents: Send + Sync {
    /// Their ids, sorted.
    fn ids(&self) -> Vec<String>;

    /// Opens one; an open one is given again. Errors: `agent_unknown`, and those of its settings and storage.
    fn open(&self, id: &AgentId) -> Result<Arc<OpenAgent>, HomeError>;

    /// Creates one in the home, with its first files. Errors: `agent_exists`, `setting_bad`, those of writing.
    fn create(&self, new: &NewAgent<'_>) -> Result<InitV1, HomeError>;

    /// The settings that apply to an agent, or `only_its_own`: not those of the whole home. Errors: those of
    /// [`open`](Self::open).
    fn settings(&self, id: &AgentId, only_its_own: bool) -> Result<SettingsV1, HomeError>;

    /// Sets one, or removes it with `None`; it applies from the next request on. Once nothing is left to refuse, `record`
    /// is called before the change. Errors: `setting_unknown`, `policy_refused` for one that is changed only on the
    /// machine of the server, `setting_bad`, those of `record`.
    fn set(
        &self,
        id: &AgentId,
        key: &str,
        value: Option<&str>,
        record: &dyn Fn() -> Result<(), HomeError>,
    ) -> Result<(), HomeError>;

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

/// An agent to create.
#[derive(Debug)]
pub struct NewAgent<'a> {
    /// Its id.
    pub id: &'a AgentId,
    /// Its profile.
    pub profile: Option<&'a str>,
    /// The time zone of its days.
    pub timezone: Option<&'a str>,
}

/// The answer to a request of MCP.
pub type McpAnswer = Pin<Box<dyn Future<Output = Response<Bytes>> + Send>>;
