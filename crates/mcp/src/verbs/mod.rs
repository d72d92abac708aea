//! Maps each tool to an engine operation.
//!
//! inwit's own tools by purpose: [`look`], [`tell`], [`logs`], [`keep`]; then equivalents in the formats of other
//! systems: [`nexo`], [`mindroom`], [`openclaw`], [`hermes`], [`minara`]; and [`feedback`], which can be added to any
//! set.

mod feedback;
mod hermes;
mod keep;
mod logs;
mod look;
mod minara;
mod mindroom;
mod nexo;
mod openclaw;
mod tell;

use std::borrow::Cow;

use inwit_engine::{Notice, without_tags};
use inwit_wire::NoticeV1;
use inwit_wire::tools::{Arguments, ToolSpec, Verb};

use crate::call::Answered;
use crate::connection::Connection;

pub(crate) use openclaw::failed as openclaw_failed;

/// Runs the operation of `tool`.
pub(crate) fn ask(connection: &Connection, tool: &ToolSpec, said: &Arguments) -> Answered {
    match tool.verb {
        Verb::Search => look::search(connection, said),
        Verb::Get => look::get(connection, said),
        Verb::Timeline => look::timeline(connection, said),
        Verb::Context => tell::context(connection, said),
        Verb::Status => tell::status(connection),
        Verb::Identity => tell::identity(connection, said),
        Verb::SessionLogs => logs::ask(connection, said),
        Verb::Remember => keep::remember(connection, said),
        Verb::Update => keep::update(connection, said),
        Verb::Forget => keep::forget(connection, said),
        Verb::NexoMemory => nexo::memory(connection, said),
        Verb::WhoAmI => tell::who_am_i(connection),
        Verb::WhatDoIKnow => tell::what_do_i_know(connection, said),
        Verb::MyStats => tell::my_stats(connection),
        Verb::MindroomWrite => mindroom::write(connection, said),
        Verb::OpenclawSearch => openclaw::search(connection, said),
        Verb::OpenclawGet => openclaw::get(connection, said),
        Verb::HermesMemory => hermes::memory(connection, said),
        Verb::FactWrite => minara::write(connection, said),
        Verb::FactSearch => minara::search(connection, said),
        Verb::FactRead => minara::read(connection, said),
        Verb::FactLearn => minara::learn(connection, said),
        Verb::Feedback => feedback::give(connection, said),
    }
}

/// The text of one result among several: lines after the first are quoted, so that none looks like another result,
/// and tags in tainted text are disabled.
fn within(text: &str, taint: Option<&str>) -> String {
    let text = if taint.is_none() { Cow::Borrowed(text) } else { Cow::Owned(without_tags(text)) };
    text.trim_end().split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).collect::<Vec<_>>().join("\n> ")
}

/// Adds the notices of an answer to its short text.
fn with_notices(notices: &[NoticeV1], mut text: String) -> String {
    notices.iter().for_each(|notice| text.push_str(&format!("\nnote: {}", notice.message)));
    text
}

/// Notices in the form of an answer.
fn told<'n>(notices: impl IntoIterator<Item = &'n Notice>) -> Vec<NoticeV1> {
    notices.into_iter().map(NoticeV1::from).collect()
}
