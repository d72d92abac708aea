//! The rows of all routes, by what they are about.

mod agents;
mod dreams;
mod facts;
mod files;
mod history;
mod jobs;
mod knowledge;
mod learning;
mod memory;
mod memory_stores;
mod minara;
mod mindroom;
mod proposals;
mod reading;
mod server;
mod sessions;
mod tokens;
mod transcripts;

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};

/// Every route.
pub const ROUTES: &[RouteSpec] = &joined::<{ count() }>();

/// The rows of each subject, in the order of the documentation.
const SUBJECTS: &[&[RouteSpec]] = &[
    server::ROWS,
    agents::ROWS,
    files::ROWS,
    reading::ROWS,
    memory::ROWS,
    facts::ROWS,
    knowledge::ROWS,
    learning::ROWS,
    history::ROWS,
    sessions::ROWS,
    transcripts::ROWS,
    dreams::ROWS,
    jobs::ROWS,
    proposals::ROWS,
    tokens::ROWS,
    minara::ROWS,
    memory_stores::ROWS,
    mindroom::ROWS,
];

const fn count() -> usize {
    let (mut count, mut subject) = (0, 0);
    while subject < SUBJECTS.len() {
        count += SUBJECTS[subject].len();
        subject += 1;
    }
    count
}

const fn joined<const COUNT: usize>() -> [RouteSpec; COUNT] {
    let mut rows = [SUBJECTS[0][0]; COUNT];
    let (mut at, mut subject) = (0, 0);
    while subject < SUBJECTS.len() {
        let mut row = 0;
        while row < SUBJECTS[subject].len() {
            rows[at] = SUBJECTS[subject][row];
            at += 1;
            row += 1;
        }
        subject += 1;
    }
    rows
}

/// The schema of a shape.
fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<T>()
}

/// The schema of any object.
fn object(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "object" })
}

/// A row with the usual values: `verb method path right about, query, body, answer`.
const fn row(
    verb: RouteVerb,
    (method, path): (Method, &'static str),
    right: RouteRight,
    about: &'static str,
    answer: Answer,
) -> RouteSpec {
    RouteSpec {
        verb,
        method,
        path,
        about,
        right,
        query: &[],
        body: Body::Nothing,
        answer,
        is_conditional: false,
    }
}
