//! What the outside sees: JSON shapes that are promises, each with a version in its name.
//!
//! Domain types stay free to change; these do not. Invariant: no behaviour here, only translation,
//! and no other crate serialises for the outside.

pub mod dream;
pub mod edges;
pub mod error;
pub mod facts;
pub mod feedback;
pub mod home;
pub mod hook;
pub mod learning;
pub mod message_id;
pub mod object;
pub mod past;
pub mod project;
pub mod prompt;
pub mod record;
pub mod search;
pub mod self_report;
pub mod session;
pub mod surrogates;
pub mod tools;
pub mod written;

pub use dream::{DreamRowV1, DreamV1, DreamWhyV1};
pub use edges::{EdgesV1, EntitiesV1, NeighborhoodV1};
pub use error::{ErrorV1, NoticeV1};
pub use facts::{
    ConsolidationV1, FactHistoryV1, FactOutcomeV1, FactV1, FactsV1, SettlementV1, SettlementsV1,
    UserProfileV1,
};
pub use feedback::{FeedbackV1, RatedV1, TallyV1, VotesV1};
pub use home::{ExcerptV1, FindingV1, ImportStepV1, StatusFrame, StatusV1, StepV1};
pub use hook::{HOOKS, Hook, HookId, HookInputV1, HookOutputV1};
pub use learning::{
    DecisionV1, DecisionsV1, LearntV1, MethodShownV1, MethodV1, MethodsV1, PreferenceV1, PreferencesV1,
    RoleV1, RolesV1,
};
pub use object::Object;
pub use past::{AsOfV1, BlamedLineV1, CommitV1, RevisionV1};
pub use project::{ProjectV1, ProjectsV1};
pub use prompt::{AnthropicV1, OpenAiV1, PromptV1};
pub use record::AuditRowV1;
pub use search::{AnswerV1, BatchAnswerV1, BatchQuestionV1, ExplainV1, HitV1, WhyNotV1};
pub use self_report::{
    KnowledgeV1, MyStatsV1, SessionHitsV1, SessionListV1, SessionReadingV1, SessionRefusalV1, WhoAmIV1,
};
pub use session::{AskV1, BeganV1, EndV1, EndedV1, StartV1, TurnV1, TurnedV1};
pub use tools::{KeptEntryV1, KeptV1, MomentV1, StatusForV1, TimelineV1, ToolErrorV1};
pub use written::{CONFIRM_DIGITS, GateFindingV1, OutcomeV1, ProposalV1, ReceiptV1, ShownProposalV1};
