//! Rows about methods, decisions, roles and preferences.

use inwit_model::learning::{Dimension, MethodKind, OutcomeClass, PreferenceState};

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::Param;
use crate::tools::param::params;
use crate::{
    DecisionV1, DecisionsV1, LearntV1, MethodShownV1, MethodV1, MethodsV1, PreferenceV1, PreferencesV1,
    RoleV1, RolesV1,
};

/// Whether the decision was right.
const CORRECT: Param = only(params! { correct: Flag { default: false }, "Whether it was right."; });

/// What it won or lost.
const PNL: Param =
    only(params! { pnl?: Number { min: -1e15, max: 1e15 }, "Profit after fees; negative for a loss."; });

/// What caused the outcome.
const CLASS: Param =
    only(params! { class?: Choice { of: OutcomeClass::WORDS, default: None }, "What caused the outcome."; });

/// What to learn from it.
const LESSON: Param = only(params! { lesson?: Text, "What to learn from it."; });

/// The id of the outcome.
const KEY: Param = only(
    params! { outcome?: Text, "Id of the outcome in its source, such as the id of a fill; each id counts once [default: the id of the decision].", "key"; },
);

/// The only parameter of a list.
const fn only(params: &[Param]) -> Param {
    params[0]
}

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        query: params! {
            all?: Flag { default: false }, "Archived methods too.";
        },
        ..row(
            RouteVerb::Methods,
            (Method::Get, "/v1/agents/{agent}/methods"),
            RouteRight::Approve,
            "Methods, the surest first.",
            Answer::Json(of::<MethodsV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            text: Text, "The method, in one or two sentences.";
            asset_class?: Text, "Its subject in lower-case words, such as `baking`.", "assetClass" "class";
            kind?: Choice { of: MethodKind::WORDS, default: Some("rule") }, "Its form.";
        }),
        ..row(
            RouteVerb::MethodAdd,
            (Method::Post, "/v1/agents/{agent}/methods"),
            RouteRight::Approve,
            "Adds a method, on trial. Adding the same one again changes nothing.",
            Answer::Json(of::<LearntV1<MethodV1>>),
        )
    },
    row(
        RouteVerb::Method,
        (Method::Get, "/v1/agents/{agent}/methods/{id}"),
        RouteRight::Approve,
        "One method, and the last decisions that rest on it.",
        Answer::Json(of::<MethodShownV1>),
    ),
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::MethodGraduate,
            (Method::Post, "/v1/agents/{agent}/methods/{id}/graduate"),
            RouteRight::Approve,
            "Activates a method in prompts.",
            Answer::Json(of::<LearntV1<MethodV1>>),
        )
    },
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::MethodQuarantine,
            (Method::Post, "/v1/agents/{agent}/methods/{id}/quarantine"),
            RouteRight::Approve,
            "Puts a method back on trial.",
            Answer::Json(of::<LearntV1<MethodV1>>),
        )
    },
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::MethodArchive,
            (Method::Post, "/v1/agents/{agent}/methods/{id}/archive"),
            RouteRight::Approve,
            "Archives a method.",
            Answer::Json(of::<LearntV1<MethodV1>>),
        )
    },
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::MethodRestore,
            (Method::Post, "/v1/agents/{agent}/methods/{id}/restore"),
            RouteRight::Approve,
            "Restores an archived method, on trial.",
            Answer::Json(of::<LearntV1<MethodV1>>),
        )
    },
    RouteSpec {
        query: params! {
            state?: Choice { of: &["open", "closed"], default: None }, "Only those without, or with, an outcome.";
            limit?: Whole { min: 1, max: 1_000, default: Some(50) }, "Maximum number of decisions.";
        },
        ..row(
            RouteVerb::Decisions,
            (Method::Get, "/v1/agents/{agent}/decisions"),
            RouteRight::Approve,
            "Decisions, newest first.",
            Answer::Json(of::<DecisionsV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            text: Text, "What was decided, in one sentence.";
            methods?: Objects(params! {
                id: Text, "Id or number of the method.";
                weight?: Number { min: 0.0, max: 1_000_000.0 }, "Its weight [default: 1].";
            }), "Methods that it rests on.";
            no_method?: Flag { default: false }, "It rests on no method.", "noMethod";
            role?: Text, "Role in which it was made [default: main].";
            asset?: Text, "Its subject, such as `BTC`.";
        }),
        ..row(
            RouteVerb::Decide,
            (Method::Post, "/v1/agents/{agent}/decisions"),
            RouteRight::Approve,
            "Records a decision. Without `methods`, it rests on those that private prompts show now.",
            Answer::Json(of::<LearntV1<DecisionV1>>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            ..CORRECT;
            ..PNL;
            ..CLASS;
            ..LESSON;
            ..KEY;
        }),
        ..row(
            RouteVerb::DecisionClose,
            (Method::Post, "/v1/agents/{agent}/decisions/{id}/outcome"),
            RouteRight::Approve,
            "Records the outcome of a decision. It counts once: the same outcome again changes nothing, and another one is refused with 409.",
            Answer::Json(of::<LearntV1<DecisionV1>>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            decision: Text, "Id or number of the decision.";
            ..CORRECT;
            ..PNL;
            ..CLASS;
            ..LESSON;
            ..KEY;
        }),
        ..row(
            RouteVerb::Outcome,
            (Method::Post, "/v1/outcomes"),
            RouteRight::Approve,
            "Records an outcome that another program reports, as `POST …/decisions/{id}/outcome` does, for the agent of the token.",
            Answer::Json(of::<LearntV1<DecisionV1>>),
        )
    },
    row(
        RouteVerb::Roles,
        (Method::Get, "/v1/agents/{agent}/roles"),
        RouteRight::Approve,
        "Roles in which decisions are made.",
        Answer::Json(of::<RolesV1>),
    ),
    RouteSpec {
        body: Body::Json(params! {
            horizon_hours?: Whole { min: 0, max: 87_600, default: None }, "Hours until an outcome is known; 0 if unknown.", "horizonHours";
            overdue_hours?: Whole { min: 0, max: 87_600, default: None }, "Hours after that until a decision without outcome is reported.", "overdueHours";
        }),
        ..row(
            RouteVerb::RoleSet,
            (Method::Put, "/v1/agents/{agent}/roles/{name}"),
            RouteRight::Approve,
            "Sets when the outcome of decisions of a role is known. A value that is left out stays.",
            Answer::Json(of::<LearntV1<RoleV1>>),
        )
    },
    RouteSpec {
        query: params! {
            state?: Choice { of: PreferenceState::WORDS, default: None }, "Only those in this state.";
        },
        ..row(
            RouteVerb::Preferences,
            (Method::Get, "/v1/agents/{agent}/preferences"),
            RouteRight::Approve,
            "Preferences that were observed.",
            Answer::Json(of::<PreferencesV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            text: Text, "The preference, in one sentence.";
            dimension: Choice { of: Dimension::WORDS, default: None }, "What it is about.";
            session?: Text, "Session in which it was observed.";
        }),
        ..row(
            RouteVerb::Observe,
            (Method::Post, "/v1/agents/{agent}/preferences"),
            RouteRight::Approve,
            "Counts an observation of a preference.",
            Answer::Json(of::<LearntV1<PreferenceV1>>),
        )
    },
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::PreferenceActivate,
            (Method::Post, "/v1/agents/{agent}/preferences/{id}/activate"),
            RouteRight::Approve,
            "Activates a preference: it becomes a fact.",
            Answer::Json(of::<LearntV1<PreferenceV1>>),
        )
    },
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::PreferenceReject,
            (Method::Post, "/v1/agents/{agent}/preferences/{id}/reject"),
            RouteRight::Approve,
            "Rejects a preference; it is not proposed again.",
            Answer::Json(of::<LearntV1<PreferenceV1>>),
        )
    },
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::PreferenceArchive,
            (Method::Post, "/v1/agents/{agent}/preferences/{id}/archive"),
            RouteRight::Approve,
            "Archives a preference.",
            Answer::Json(of::<LearntV1<PreferenceV1>>),
        )
    },
];
