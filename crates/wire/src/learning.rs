//! Methods, decisions, roles and preferences.

use inwit_engine::learning::outcome::{Decided, Learnt, Method, Preference};
use inwit_model::MethodId;
use inwit_model::learning::Role;
use serde::Serialize;

use crate::{GateFindingV1, NoticeV1};

/// One method and its record.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MethodV1 {
    /// Its name.
    pub id: String,
    /// Its number, which is the `id` of the table.
    pub number: i64,
    /// `crypto`, `equity`, `forex`, `commodity`, `index`, `rates`, `other`.
    pub asset_class: &'static str,
    /// `rule`, `checklist`, `indicator`, `playbook`.
    pub kind: &'static str,
    /// Its words, on one line.
    pub body: String,
    /// `quarantined`, `graduated`, `archived`.
    pub state: &'static str,
    /// Outcomes of decisions that rested on it.
    pub times_used: u64,
    /// Those of them that were right.
    pub times_correct: u64,
    /// Those of them that nobody could have known.
    pub times_unforeseen: u64,
    /// The lower Wilson bound of its record, 0 to 1.
    pub confidence: f64,
    /// What decisions that rested on it won or lost, by its part in them.
    pub pnl: f64,
    /// When it was written, UTC.
    pub created_at: String,
    /// When it last changed, UTC.
    pub updated_at: String,
}

/// Methods, the surest first.
#[derive(Debug, Clone, Serialize)]
pub struct MethodsV1 {
    /// Each of them.
    pub methods: Vec<MethodV1>,
    /// What the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// A method with the decisions that rest on it, the last one first.
#[derive(Debug, Clone, Serialize)]
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
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionV1 {
    /// Its name.
    pub id: String,
    /// Its number, which is the `id` of the table.
    pub number: i64,
    /// What was decided.
    pub statement: String,
    /// In which role.
    pub role: String,
    /// About what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset: Option<String>,
    /// The methods that it rests on.
    pub methods: Vec<WeightV1>,
    /// When it was made, UTC.
    pub made_at: String,
    /// When its outcome can be told, where its role says so, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<String>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeToldV1>,
}

/// A method that a decision rests on.
#[derive(Debug, Clone, Serialize)]
pub struct WeightV1 {
    /// Its name.
    pub id: String,
    /// Its weight beside the others.
    pub weight: f64,
}

/// How a decision ended.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeToldV1 {
    /// What it is called where it comes from.
    pub key: String,
    /// Whether the decision was right.
    pub correct: bool,
    /// What it won or lost after fees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pnl: Option<f64>,
    /// `logic_error`, `missing_data`, `exogenous`, `variance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<&'static str>,
    /// What is to be learnt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<String>,
    /// When it was told, UTC.
    pub told_at: String,
}

/// Decisions, the last one first.
#[derive(Debug, Clone, Serialize)]
pub struct DecisionsV1 {
    /// Each of them.
    pub decisions: Vec<DecisionV1>,
    /// There are more than these.
    pub more: bool,
    /// What the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// One role.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoleV1 {
    /// Its name.
    pub name: String,
    /// Hours until an outcome can be told; 0 where nobody says.
    pub horizon_hours: u32,
    /// Hours after that when a decision without an outcome is reported.
    pub overdue_hours: u32,
}

/// Roles, by their names.
#[derive(Debug, Clone, Serialize)]
pub struct RolesV1 {
    /// Each of them.
    pub roles: Vec<RoleV1>,
    /// What the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// One preference.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreferenceV1 {
    /// Its name.
    pub id: String,
    /// Its number, which is the `id` of the table.
    pub number: i64,
    /// About what.
    pub dimension: &'static str,
    /// Its words.
    pub statement: String,
    /// `observed`, `proposed`, `active`, `archived`, `rejected`.
    pub state: &'static str,
    /// How often it was seen.
    pub seen: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// The fact that it became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    /// When it was first seen, UTC.
    pub created_at: String,
    /// When it last changed, UTC.
    pub updated_at: String,
}

/// Preferences, the last seen first.
#[derive(Debug, Clone, Serialize)]
pub struct PreferencesV1 {
    /// Each of them.
    pub preferences: Vec<PreferenceV1>,
    /// What the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// Something that was written, or was so already.
#[derive(Debug, Clone, Serialize)]
pub struct LearntV1<T> {
    /// As it is now.
    #[serde(flatten)]
    pub what: T,
    /// Whether anything was written.
    pub changed: bool,
    /// What the gate noticed and let pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<GateFindingV1>,
    /// What else should be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
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

impl From<&Method> for MethodV1 {
    fn from(method: &Method) -> Self {
        Self {
            id: method.id.to_string(),
            number: method.number,
            asset_class: method.text.class.word(),
            kind: method.text.kind.word(),
            body: method.text.body.clone(),
            state: method.state.word(),
            times_used: method.record.uses,
            times_correct: method.record.correct,
            times_unforeseen: method.unforeseen,
            confidence: method.record.confidence(),
            pnl: method.pnl,
            created_at: method.created.to_string(),
            updated_at: method.updated.to_string(),
        }
    }
}

impl From<&Decided> for DecisionV1 {
    fn from(decided: &Decided) -> Self {
        let weight = |(id, weight): &(MethodId, f64)| WeightV1 { id: id.to_string(), weight: *weight };
        Self {
            id: decided.id.to_string(),
            number: decided.number,
            statement: decided.text.statement.clone(),
            role: decided.text.role.clone(),
            asset: decided.text.asset.clone(),
            methods: decided.text.methods.iter().map(weight).collect(),
            made_at: decided.made.to_string(),
            due_at: decided.due.map(|at| at.to_string()),
            outcome: decided.outcome.as_ref().map(|(outcome, told)| OutcomeToldV1 {
                key: outcome.key.clone(),
                correct: outcome.is_correct,
                pnl: outcome.pnl,
                class: outcome.class.map(|class| class.word()),
                lesson: outcome.lesson.clone(),
                told_at: told.to_string(),
            }),
        }
    }
}

impl From<&Role> for RoleV1 {
    fn from(role: &Role) -> Self {
        Self { name: role.name.clone(), horizon_hours: role.horizon_hours, overdue_hours: role.overdue_hours }
    }
}

impl From<&Preference> for PreferenceV1 {
    fn from(preference: &Preference) -> Self {
        Self {
            id: preference.id.to_string(),
            number: preference.number,
            dimension: preference.text.dimension.word(),
            statement: preference.text.statement.clone(),
            state: preference.state.word(),
            seen: preference.seen,
            sessions: preference.sessions,
            fact: preference.fact.as_ref().map(ToString::to_string),
            created_at: preference.created.to_string(),
            updated_at: preference.updated.to_string(),
        }
    }
}
