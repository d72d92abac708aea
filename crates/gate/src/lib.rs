//! The gate: validates every read by name and every write.
//!
//! [`readable`] checks a name before anything is opened, so no answer depends on files outside the allow-list (X8).
//! [`judge()`] judges a [`Change`] on its result; it returns an [`Approved`], and the workspace writes nothing else
//! (D2). Invariant: no IO; a verdict is a function of its arguments alone. Reading order: `name` (readable names),
//! `change` (a requested change and its author), `person`, `policy` (who may write what) and `rules` (the owner's
//! own), `judge`, `checks` with [`secrets`], [`hidden`] and [`injection`] (each produces a `finding`), `approved`,
//! `proposal` (changes that wait), `access` (tokens of callers); then `import`, `fact` and `learning` (other kinds of changes), [`typed`] (text
//! that a person typed).
//!
//! ```
//! use inwit_gate::readable;
//! use inwit_model::{Code, SafeName};
//!
//! let passes = |name| readable(&SafeName::parse(name).expect("a safe name")).map_err(|refusal| refusal.code);
//! assert!(passes("memory/2026-11-21.md").is_ok());
//! assert_eq!(passes("skills/bread/notes.md"), Err(Code::NameRefused));
//! ```

pub mod hidden;
pub mod injection;
pub mod secrets;

mod access;
mod approved;
mod change;
mod checks;
mod fact;
mod finding;
mod import;
mod judge;
mod learning;
mod literals;
mod look;
mod name;
mod person;
mod policy;
mod proposal;
mod rules;
#[cfg(test)]
mod testing;
pub mod typed;

pub use access::{NewToken, TOKEN_BYTES, TOKEN_PREFIX, TokenHolder, TokenRefusal, TokenRight, TokenRow};
pub use approved::Approved;
pub use change::{Author, Change, REASON_CHARS_MAX, reason_line};
pub use checks::{MASK_BEGIN, noticed};
pub use fact::{
    FactChange, FactDeed, FactText, FactVerdict, HeldFact, SETTLEMENT_REASON_CHARS_MAX, Settlement,
    StandingFact, approve_fact, fact_name, is_fact_name, judge_fact, judge_settlement, proposed_fact, waits,
};
pub use finding::{Check, Finding, Weight};
pub use import::judge_import;
pub use judge::{Verdict, findings, heard, hold, judge};
pub use learning::{LearningChange, LearningDeed, MethodStep, PreferenceStep, judge_learning};
pub use literals::Literals;
pub use look::NOTICED_BY;
pub use name::{Refusal, readable};
pub use person::{CONFIRM_DIGITS_MIN, HumanConsent};
pub use policy::{Policy, ward_of};
pub use proposal::{HeldChange, PROPOSAL_DAYS_MAX, Proposal, Why, approve, usual_line};
pub use rules::{RULE_BYTES_MAX, RULES_MAX, Rule, flags as rule_flags};
