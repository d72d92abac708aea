//! The public JSON shapes, each with a version in its name.
//!
//! Domain types may change; these are stable. Invariant: this crate only converts, and no other crate serialises for
//! clients. Its only state is the hint texts of a thread ([`in_voice`]). Reading order: [`error`] and [`hint`] (parts
//! of every answer), [`search`], [`prompt`] and [`files`] (reading), [`receipts`] (results of changes), [`session`]
//! and [`hook`] (input of hosts), [`tools`] (MCP tools), [`routes`] (HTTP), then a module for each other noun.

pub mod agents;
pub mod audit;
pub mod backup;
pub mod doctor;
pub mod dream;
pub mod edges;
pub mod error;
pub mod facts;
pub mod feedback;
pub mod files;
pub mod foreign_api;
pub mod forget;
pub mod hint;
pub mod history;
pub mod hook;
pub mod inbox;
pub mod index;
pub mod job;
pub mod learning;
pub mod llm;
pub mod memory_stores;
pub mod message_id;
pub mod models;
pub mod object;
pub mod project;
pub mod prompt;
pub mod receipts;
pub mod review;
pub mod routes;
pub mod sample;
pub mod search;
pub mod seeding;
pub mod self_report;
pub mod server;
pub mod service;
pub mod session;
pub mod settings;
pub mod setup;
mod shape;
pub mod status;
pub mod surrogates;
pub mod text;
pub mod tools;

pub use agents::{AgentRowV1, AgentsV1};
pub use audit::{AuditRowV1, AuditRowsV1, AuditVerifiedV1};
pub use backup::{AcceptedPlaceV1, BackupV1, RestoreV1, RestoredV1};
pub use doctor::{AnonymousV1, BackV1, CountV1, DoctorV1, FindingV1, FixV1, HealthV1, MendedV1, VectorsV1};
pub use dream::{
    DreamEngineV1, DreamReasonsV1, DreamRowV1, DreamRunV1, DreamStatusV1, DreamV1, DreamWhyV1, DreamsV1,
    QuarantineClearedV1, QuarantineEntryV1, QuarantineV1, WaitingLogV1,
};
pub use edges::{EdgesV1, EntitiesV1, NeighborhoodV1};
pub use error::{ErrorV1, FailureV1, NoticeV1};
pub use facts::{
    ConsolidationV1, FactHistoryV1, FactOutcomeV1, FactV1, FactsV1, SettlementV1, SettlementsV1,
    UserProfileV1,
};
pub use feedback::{FeedbackForgottenV1, FeedbackV1, RatedV1, TallyV1, VotesV1};
pub use files::{DayV1, ExcerptV1, KnownFileV1, KnownFilesV1};
pub use forget::{ForgetV1, LookV1, StandV1, TooShortV1, WhereV1};
pub use hint::{HintV1, Voice, in_voice};
pub use history::{
    AsOfV1, BlameV1, BlamedLineV1, CommitV1, DiffV1, FactUndoV1, HistoryV1, RevisionV1, UndoV1,
};
pub use hook::{HOOKS, Hook, HookCheck, HookCheckV1, HookId, HookInputV1, HookOutputV1};
pub use inbox::{ApprovedFactV1, ApprovedManyV1, InboxV1, RejectedManyV1, RejectedV1};
pub use index::{EmbeddedV1, RebuiltV1};
pub use job::{BackupsV1, JobV1, JobsV1, MadeBackupV1};
pub use learning::{
    DecisionV1, DecisionsV1, LearntV1, MethodShownV1, MethodV1, MethodsV1, PreferenceV1, PreferencesV1,
    RoleV1, RolesV1,
};
pub use llm::{
    LlmCheckV1, LlmProviderV1, LlmProvidersV1, LlmTaskV1, LlmTasksV1, LlmTokensV1, LlmUsageRowV1, LlmUsageV1,
};
pub use models::{InstalledV1, ModelV1, ModelsV1, RemovedV1};
pub use object::Object;
pub use project::{ProjectMappedV1, ProjectMergedV1, ProjectV1, ProjectsV1};
pub use prompt::{AnthropicV1, OpenAiV1, PromptV1};
pub use receipts::{
    AcceptedV1, CONFIRM_DIGITS, GateFindingV1, OutcomeV1, ProposalV1, ReceiptV1, ShownProposalV1,
};
pub use review::{
    ReviewPartV1, ReviewRangeV1, ReviewReasonsV1, ReviewRowV1, ReviewRunV1, ReviewStatusV1, ReviewWhyV1,
    SkippedRangeV1, WaitingSessionV1,
};
pub use sample::{AskedV1, LaidOutV1, TriedV1};
pub use search::{AnswerV1, BatchAnswerV1, BatchErrorV1, BatchQuestionV1, ExplainV1, HitV1, WhyNotV1};
pub use seeding::{ImportProposedV1, ImportStepV1, ImportV1, InitV1, StepV1};
pub use self_report::{
    KnowledgeV1, MyStatsV1, SessionHitsV1, SessionListV1, SessionReadingV1, SessionRefusalV1, WhoAmIV1,
};
pub use server::{
    FileListV1, ListedFileV1, ProblemV1, ServedAgentsV1, ServerVersionV1, ServingV1, TokenCreatedV1,
    TokenRevokedV1, TokenRowV1, TokensV1,
};
pub use service::{
    ServerReadyV1, ServiceInstalledV1, ServiceLogV1, ServiceRemovedV1, ServiceStatusV1, ServiceUnitV1,
};
pub use session::{
    AskV1, BeganV1, ChatEndV1, ChatTurnV1, EndV1, EndedV1, KeptTurnV1, StartV1, TurnV1, TurnedV1,
};
pub use settings::{
    ProfileDiffV1, ProfileDifferenceV1, ProfileShownV1, ProfileV1, ProfileValueV1, ProfilesV1,
    SettingProblemV1, SettingSetV1, SettingUnsetV1, SettingV1, SettingsV1,
};
pub use setup::{CheckV1, ChecksV1, HostFileV1, HostV1, HostsV1, SetupV1};
pub use status::{StatusFrame, StatusV1};
pub use text::TextV1;
pub use tools::{KeptEntryV1, KeptV1, MomentV1, StatusForV1, TimelineV1, ToolErrorV1};
