//! Methods, decisions, roles and preferences.

use inwit_engine::learning::outcome::{Decided, Learnt, Method, Preference};
use inwit_model::MethodId;
use inwit_model::learning::Role;
use inwit_model::time;

use crate::shape::shape;
use crate::{GateFindingV1, NoticeV1};

shape! {
    /// One method and its record.
    pub struct MethodV1 from method: &Method {
        /// Its name.
        pub id: String = method.id.to_string(),
        /// Its number, which is the `id` of the table.
        pub number: i64 = method.number,
        /// What it is about, in lower-case words; `other` where nothing was said.
        pub asset_class: String = method.text.class.to_string(),
        /// `rule`, `checklist`, `indicator`, `playbook`.
        pub kind: &'static str = method.text.kind.word(),
        /// Its words, on one line.
        pub body: String = method.text.body.clone(),
        /// `quarantined`, `graduated`, `archived`.
        pub state: &'static str = method.state.word(),
        /// Outcomes of decisions that rested on it.
        pub times_used: u64 = method.record.uses,
        /// Those of them that were right.
        pub times_correct: u64 = method.record.correct,
        /// Those of them with an exogenous cause.
        pub times_unforeseen: u64 = method.unforeseen,
        /// The lower Wilson bound of its record, 0 to 1.
        pub confidence: f64 = method.record.confidence(),
        /// What decisions that rested on it won or lost, by its part in them.
        pub pnl: f64 = method.pnl,
        /// When it was written, UTC.
        pub created_at: String = time::json(method.created),
        /// When it last changed, UTC.
        pub updated_at: String = time::json(method.updated),
    }

    /// Methods, the surest first.
    pub struct MethodsV1 {
        /// Each of them.
        pub methods: Vec<MethodV1>,
        /// What the reader should know.
        pub notices?: Vec<NoticeV1>,
    }

    /// A method with the decisions that rest on it, the last one first.
    pub struct MethodShownV1 {
        /// The method.
        #[serde(flatten)]
        pub method: MethodV1,
        /// The decisions.
        pub decisions: Vec<DecisionV1>,
        /// There are more than these.
        pub more: bool,
    }

    /// One decision.
    pub struct DecisionV1 from decided: &Decided {
        /// Its name.
        pub id: String = decided.id.to_string(),
        /// Its number, which is the `id` of the table.
        pub number: i64 = decided.number,
        /// What was decided.
        pub statement: String = decided.text.statement.clone(),
        /// In which role.
        pub role: String = decided.text.role.clone(),
        /// About what.
        pub asset?: Option<String> = decided.text.asset.clone(),
        /// The methods that it rests on.
        pub methods: Vec<WeightV1> = decided.text.methods.iter().map(WeightV1::from).collect(),
        /// When it was made, UTC.
        pub made_at: String = time::json(decided.made),
        /// When its outcome can be told, where its role says so, UTC.
        pub due_at?: Option<String> = decided.due.map(time::json),
        /// How it ended.
        pub outcome?: Option<OutcomeToldV1> = decided.outcome.as_ref().map(|(outcome, told)| OutcomeToldV1 {
            key: outcome.key.clone(),
            correct: outcome.is_correct,
            pnl: outcome.pnl,
            class: outcome.class.map(|class| class.word()),
            lesson: outcome.lesson.clone(),
            told_at: told.to_string(),
        }),
    }

    /// A method that a decision rests on.
    pub struct WeightV1 from method: &(MethodId, f64) {
        /// Its name.
        pub id: String = method.0.to_string(),
        /// Its weight beside the others.
        pub weight: f64 = method.1,
    }

    /// How a decision ended.
    pub struct OutcomeToldV1 {
        /// What it is called where it comes from.
        pub key: String,
        /// Whether the decision was right.
        pub correct: bool,
        /// What it won or lost after fees.
        pub pnl?: Option<f64>,
        /// `logic_error`, `missing_data`, `exogenous`, `variance`.
        pub class?: Option<&'static str>,
        /// What is to be learnt.
        pub lesson?: Option<String>,
        /// When it was recorded, UTC.
        pub told_at: String,
    }

    /// Decisions, the last one first.
    pub struct DecisionsV1 {
        /// Each of them.
        pub decisions: Vec<DecisionV1>,
        /// There are more than these.
        pub more: bool,
        /// What the reader should know.
        pub notices?: Vec<NoticeV1>,
    }

    /// One role.
    pub struct RoleV1 from role: &Role {
        /// Its name.
        pub name: String = role.name.clone(),
        /// Hours until an outcome is known; 0 if unknown.
        pub horizon_hours: u32 = role.horizon_hours,
        /// Hours after that when a decision without an outcome is reported.
        pub overdue_hours: u32 = role.overdue_hours,
    }

    /// Roles, by their names.
    pub struct RolesV1 {
        /// Each of them.
        pub roles: Vec<RoleV1>,
        /// What the reader should know.
        pub notices?: Vec<NoticeV1>,
    }

    /// One preference.
    pub struct PreferenceV1 from preference: &Preference {
        /// Its name.
        pub id: String = preference.id.to_string(),
        /// Its number, which is the `id` of the table.
        pub number: i64 = preference.number,
        /// About what.
        pub dimension: &'static str = preference.text.dimension.word(),
        /// Its words.
        pub statement: String = preference.text.statement.clone(),
        /// `observed`, `proposed`, `active`, `archived`, `rejected`.
        pub state: &'static str = preference.state.word(),
        /// How often it was seen.
        pub seen: u64 = preference.seen,
        /// In how many sessions.
        pub sessions: u64 = preference.sessions,
        /// The fact that it became.
        pub fact?: Option<String> = preference.fact.as_ref().map(ToString::to_string),
        /// When it was first seen, UTC.
        pub created_at: String = time::json(preference.created),
        /// When it last changed, UTC.
        pub updated_at: String = time::json(preference.updated),
    }

    /// Preferences, the last seen first.
    pub struct PreferencesV1 {
        /// Each of them.
        pub preferences: Vec<PreferenceV1>,
        /// What the reader should know.
        pub notices?: Vec<NoticeV1>,
    }

    /// Something that was written, or was so already.
    pub struct LearntV1<T> {
        /// As it is now.
        #[serde(flatten)]
        pub what: T,
        /// Whether anything was written.
        pub changed: bool,
        /// What the gate noticed and let pass.
        pub findings?: Vec<GateFindingV1>,
        /// What else should be known.
        pub notices?: Vec<NoticeV1>,
    }
}

impl<T> LearntV1<T> {
    /// What was learnt, as `wire` makes it.
    pub fn new<F>(learnt: &Learnt<F>, wire: impl FnOnce(&F) -> T) -> Self {
        Self {
            what: wire(&learnt.what),
            changed: learnt.is_new,
            findings: learnt.findings.iter().map(GateFindingV1::from).collect(),
            notices: learnt.notices.iter().map(NoticeV1::from).collect(),
        }
    }
}
