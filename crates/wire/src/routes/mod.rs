//! The table of HTTP routes.
//!
//! The server routes, authorises and parses by these rows, and `/openapi.json` and `docs/reference/http.md` are
//! generated from them, so none can differ from another. Invariant: a route is in one row, and its right is the right
//! that the server checks. Reading order: [`RouteSpec`], `table` ([`ROUTES`]), [`openapi`] (the document).

pub mod openapi;
mod table;

use inwit_model::words;
use schemars::{Schema, SchemaGenerator};

use crate::tools::Param;

pub use table::ROUTES;

words! {
    /// A method.
    Method {
        /// Reads; changes nothing.
        Get = "GET",
        /// Replaces.
        Put = "PUT",
        /// Adds, or decides.
        Post = "POST",
        /// Changes some values.
        Patch = "PATCH",
        /// Removes.
        Delete = "DELETE",
    }
}

words! {
    /// What a caller needs.
    RouteRight {
        /// Nothing: the route reveals nothing of any agent.
        Nothing = "nothing",
        /// A token to read; on a loopback address no token.
        Read = "read",
        /// A token to write; on a loopback address no token, since what an unknown program writes is a proposal.
        Propose = "propose",
        /// A token to write.
        Write = "write",
        /// A token of a person.
        Approve = "approve",
        /// A token to administer.
        Admin = "admin",
    }
}

/// One route.
#[derive(Debug, Clone, Copy)]
pub struct RouteSpec {
    /// What it does.
    pub verb: RouteVerb,
    /// Its method.
    pub method: Method,
    /// Its path. `{agent}` and such are parts of one segment; `{path}` at the end is the rest of the address, with
    /// slashes.
    pub path: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// What the caller needs.
    pub right: RouteRight,
    /// Parameters after `?`.
    pub query: &'static [Param],
    /// What is sent.
    pub body: Body,
    /// What is answered.
    pub answer: Answer,
    /// Whether a change needs `If-Match` or `If-None-Match`.
    pub is_conditional: bool,
}

/// What is sent with a request.
#[derive(Debug, Clone, Copy)]
pub enum Body {
    /// Nothing.
    Nothing,
    /// A JSON object with these values.
    Json(&'static [Param]),
    /// A JSON object with this schema, as hosts of sessions send it.
    Shape(fn(&mut SchemaGenerator) -> Schema),
    /// The bytes of a text file.
    Text,
}

/// What a route answers if nothing fails.
#[derive(Clone, Copy)]
pub enum Answer {
    /// JSON with this schema.
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// Any JSON object.
    Object,
    /// The bytes of a file, with its ETag.
    File,
    /// A page.
    Html,
    /// Metrics in the text format of Prometheus.
    Metrics,
    /// A stream of server-sent events, whose data has this schema.
    Events(fn(&mut SchemaGenerator) -> Schema),
    /// Nothing.
    Nothing,
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Json(_) => "Json",
            Self::Object => "Object",
            Self::File => "File",
            Self::Html => "Html",
            Self::Metrics => "Metrics",
            Self::Events(_) => "Events",
            Self::Nothing => "Nothing",
        })
    }
}

words! {
    /// What a route does. Its word is the operation id.
    RouteVerb {
        /// Whether the process runs.
        Health = "health",
        /// Whether requests can be answered.
        Ready = "ready",
        /// The version.
        Version = "version",
        /// The OpenAPI document.
        OpenApi = "openapi",
        /// The documentation page.
        Docs = "docs",
        /// Figures of the server.
        Metrics = "metrics",
        /// The agents.
        Agents = "agents",
        /// Creates an agent.
        AgentCreate = "createAgent",
        /// The settings of an agent.
        Settings = "settings",
        /// Changes a setting.
        SettingSet = "changeSetting",
        /// Removes a setting.
        SettingUnset = "removeSetting",
        /// An overview of one agent.
        Status = "status",
        /// The files of an agent.
        Files = "files",
        /// One file.
        FileRead = "readFile",
        /// Creates or replaces one file.
        FileWrite = "writeFile",
        /// Removes one file.
        FileRemove = "removeFile",
        /// Lines of a file.
        Lines = "readLines",
        /// Search.
        Search = "search",
        /// Why a passage was not found.
        WhyNot = "whyNot",
        /// Adds an entry to the memory.
        Remember = "remember",
        /// Adds an entry to the daily log.
        Journal = "journal",
        /// Entries of daily logs.
        Timeline = "timeline",
        /// Facts.
        Facts = "facts",
        /// Adds a fact.
        FactAdd = "addFact",
        /// One fact with its history.
        FactRead = "readFact",
        /// Forgets a fact.
        FactForget = "forgetFact",
        /// Restores a forgotten fact.
        FactRestore = "restoreFact",
        /// Recorded changes.
        History = "history",
        /// Who wrote each line.
        Blame = "blame",
        /// A file as it was.
        Revision = "readRevision",
        /// Restores a file as it was.
        RevisionRestore = "restoreRevision",
        /// Starts a session.
        SessionStart = "startSession",
        /// The prompt of a session.
        SessionPrompt = "sessionPrompt",
        /// A turn of a session.
        SessionTurn = "sessionTurn",
        /// Ends a session.
        SessionEnd = "endSession",
        /// Checks.
        Doctor = "doctor",
        /// What happens, as it happens.
        Events = "events",
        /// MCP.
        Mcp = "mcp",
        /// Anthropic: memory stores.
        Stores = "memoryStores",
        /// Anthropic: one store.
        Store = "memoryStore",
        /// Anthropic: memories.
        StoredMemories = "storedMemories",
        /// Anthropic: creates a memory.
        StoredMemoryCreate = "createStoredMemory",
        /// Anthropic: one memory.
        StoredMemory = "storedMemory",
        /// Anthropic: changes a memory.
        StoredMemoryChange = "changeStoredMemory",
        /// Anthropic: removes a memory.
        StoredMemoryRemove = "removeStoredMemory",
        /// Anthropic: versions.
        StoredVersions = "storedMemoryVersions",
        /// Anthropic: one version.
        StoredVersion = "storedMemoryVersion",
        /// Minara: files.
        MinaraFiles = "minaraFiles",
        /// Minara: one file.
        MinaraRead = "minaraReadFile",
        /// Minara: saves a file.
        MinaraWrite = "minaraWriteFile",
        /// Minara: memories.
        MinaraMemories = "minaraMemories",
        /// Minara: adds a memory.
        MinaraMemoryAdd = "minaraAddMemory",
        /// Minara: changes a memory.
        MinaraMemoryChange = "minaraChangeMemory",
        /// Minara: removes a memory.
        MinaraMemoryRemove = "minaraRemoveMemory",
        /// Minara: restores a memory.
        MinaraMemoryRestore = "minaraRestoreMemory",
        /// Minara: the profile.
        MinaraProfile = "minaraProfile",
        /// Minara: sets values of the profile.
        MinaraProfileWrite = "minaraWriteProfile",
        /// Minara: removes values of the profile.
        MinaraProfileRemove = "minaraRemoveProfile",
        /// Minara: sets a tag.
        MinaraTag = "minaraSetTag",
        /// Minara: sets the user's own instructions.
        MinaraPrompt = "minaraSetPrompt",
        /// MindRoom: files.
        MindroomFiles = "mindroomFiles",
        /// MindRoom: one file.
        MindroomRead = "mindroomReadFile",
        /// MindRoom: saves a file.
        MindroomWrite = "mindroomWriteFile",
        /// MindRoom: removes a file.
        MindroomRemove = "mindroomRemoveFile",
        /// MindRoom: daily logs.
        MindroomDays = "mindroomDays",
        /// MindRoom: the logs of a date.
        MindroomDay = "mindroomDay",
        /// MindRoom: what a prompt is made of.
        MindroomReport = "mindroomReport",
        /// The prompt.
        Prompt = "prompt",
        /// Proposals.
        Proposals = "proposals",
        /// One proposal.
        Proposal = "readProposal",
        /// Approves a proposal.
        Approve = "approveProposal",
        /// Rejects a proposal.
        Reject = "rejectProposal",
        /// Methods.
        Methods = "methods",
        /// One method with its decisions.
        Method = "readMethod",
        /// Adds a method.
        MethodAdd = "addMethod",
        /// Activates a method.
        MethodGraduate = "graduateMethod",
        /// Puts a method back on trial.
        MethodQuarantine = "quarantineMethod",
        /// Archives a method.
        MethodArchive = "archiveMethod",
        /// Restores an archived method.
        MethodRestore = "restoreMethod",
        /// Decisions.
        Decisions = "decisions",
        /// Records a decision.
        Decide = "recordDecision",
        /// Records the outcome of a decision.
        DecisionClose = "closeDecision",
        /// Records an outcome that another program reports.
        Outcome = "outcome",
        /// Roles.
        Roles = "roles",
        /// Sets a role.
        RoleSet = "setRole",
        /// Preferences.
        Preferences = "preferences",
        /// Counts an observation of a preference.
        Observe = "observePreference",
        /// Activates a preference.
        PreferenceActivate = "activatePreference",
        /// Rejects a preference.
        PreferenceReject = "rejectPreference",
        /// Archives a preference.
        PreferenceArchive = "archivePreference",
        /// Changes a fact.
        FactChange = "changeFact",
        /// The entities of a fact.
        FactEdges = "factEdges",
        /// The entities that most facts name.
        Entities = "entities",
        /// The entities around one.
        Entity = "readEntity",
        /// The user profile.
        Profile = "profile",
        /// Sets a value of the user profile.
        ProfileSet = "setProfile",
        /// Removes a value of the user profile.
        ProfileUnset = "unsetProfile",
        /// Sessions with transcripts.
        Transcripts = "transcripts",
        /// Searches transcripts.
        TranscriptSearch = "searchTranscripts",
        /// One transcript.
        Transcript = "readTranscript",
        /// Past passes of dreams.
        Dreams = "dreams",
        /// Starts a pass.
        DreamStart = "startDream",
        /// When the next pass is due, and what is unread.
        DreamStatus = "dreamStatus",
        /// Why passages were promoted or not.
        DreamWhy = "dreamReasons",
        /// Quarantined logs.
        DreamQuarantine = "dreamQuarantine",
        /// Releases quarantined logs.
        DreamClear = "clearQuarantine",
        /// Undoes a pass.
        DreamRevert = "revertDream",
        /// Jobs.
        Jobs = "jobs",
        /// One job.
        Job = "readJob",
        /// Backups.
        Backups = "backups",
        /// Starts a backup.
        BackupStart = "startBackup",
        /// Tokens.
        Tokens = "tokens",
        /// Creates a token.
        TokenCreate = "createToken",
        /// Replaces a token.
        TokenRotate = "rotateToken",
        /// Revokes a token.
        TokenRevoke = "revokeToken",
        /// The difference between two revisions.
        Diff = "diff",
    }
}

impl RouteVerb {
    /// Whether it reads files or waits for anything.
    pub fn may_block(self) -> bool {
        !matches!(self, Self::Health | Self::Ready | Self::Version | Self::OpenApi | Self::Docs)
    }

    /// Its row.
    pub fn spec(self) -> &'static RouteSpec {
        let row = ROUTES.iter().find(|row| row.verb == self);
        row.unwrap_or(&ROUTES[0])
    }
}

impl RouteSpec {
    /// The names in its path, in order.
    pub fn path_names(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Whether it is about one agent, so that a scope applies.
    pub fn is_of_an_agent(&self) -> bool {
        self.path_names().any(|name| name == "agent") || self.is_of_own_agent()
    }

    /// Whether it names no agent: it is about the one of the token, or the only one.
    pub fn is_of_own_agent(&self) -> bool {
        self.is_of_minara() || matches!(self.verb, RouteVerb::Mcp | RouteVerb::Outcome)
    }

    /// Whether it is of Anthropic's memory stores.
    pub fn is_of_anthropic(&self) -> bool {
        self.path.starts_with("/v1/memory_stores")
    }

    /// Whether it is of Minara's API.
    pub fn is_of_minara(&self) -> bool {
        const PREFIXES: [&str; 3] = ["/v1/workspace", "/v1/memory", "/v1/profile"];
        let is_below = |prefix: &&str| {
            self.path.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        PREFIXES.iter().any(is_below)
    }

    /// Whether its requests may have an `Idempotency-Key`. Other changes name the version that they replace or change
    /// nothing, and MCP has its own rules.
    pub fn takes_a_key(&self) -> bool {
        let is_own =
            !self.is_of_anthropic() && !matches!(self.verb, RouteVerb::Mcp | RouteVerb::SessionPrompt);
        self.method == Method::Post && self.is_of_an_agent() && is_own
    }

    /// Whether it is asked about the server itself, again and again.
    pub fn is_probe(&self) -> bool {
        matches!(self.verb, RouteVerb::Health | RouteVerb::Ready | RouteVerb::Metrics)
    }

    /// Whether it changes something.
    pub fn is_change(&self) -> bool {
        self.method != Method::Get
    }
}
