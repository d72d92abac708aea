//! What a reader of an agent's notes sees: answers, what they hide, and that they are never stale.

mod ailing;
mod as_of;
mod boundaries;
mod budgets;
mod building;
mod consolidating;
mod contents;
mod damage;
mod deciding;
mod dreams;
mod explaining;
mod fact_meaning;
mod feedback;
mod fixtures;
mod flushing;
mod following;
mod forgetting;
mod golden;
mod guessing;
mod hiding;
mod history;
mod hooking;
mod hosting;
mod imports;
mod knowing;
mod layouts;
mod learning;
mod listeners;
mod masking;
mod meaning;
mod memory;
mod naming;

mod offering;
mod openclaw;
mod optional;
mod own_reads;
mod parallel;
mod prompting;
mod reading_past;
mod recalling;
mod searching;
mod selves;
mod sessions;
mod sharing;
mod sittings;
mod sources;
mod suites;
mod teams;
mod timeline;
mod transcripts;
mod watched;
mod world;

use inwit_engine::core::sync::sync;
use inwit_engine::{Agent, AgentPorts, Part, Prompt};
use inwit_model::{Files, Profile, Scope};
use inwit_store::{Index, SetKey};
use inwit_store_sqlite::SqliteIndex;
use inwit_testkit::{Shelf, parts};
use inwit_workspace::Workspace;
use std::sync::Arc;

/// Brings `index` up to date with what `scope` sees of `files`, and tells all it holds.
fn dump(files: &Arc<dyn Files>, index: &SqliteIndex, scope: &Scope) -> String {
    let view = Workspace::new(Arc::clone(files)).view(scope.clone());
    sync(&view, index, &Agent::new(parts(Arc::clone(files))).core, &mut inwit_model::watch::unwatched)
        .expect("in step with the files");
    index.dump(&SetKey::of(scope)).expect("a dump")
}

/// The same of an index that knows nothing yet.
fn fresh_dump(files: &Arc<dyn Files>, scope: &Scope) -> String {
    dump(files, &SqliteIndex::in_memory().expect("an index"), scope)
}

/// Every profile there is.
const PROFILES: [&str; 6] = ["personal", "openclaw", "minara", "nexo", "mindroom", "carapace"];

fn profile(name: &str) -> Profile {
    inwit_workspace::profile::named(name).expect("a profile")
}

/// An agent of `profile` over `files`, at noon of 21 November 2026.
fn agent(profile: Profile, files: Arc<dyn Files>) -> Agent {
    Agent::new(AgentPorts { profile, ..parts(files) })
}

/// The prompt that `profile` makes for `scope` of the workspace of `fixture`.
fn prompt(name: &str, fixture: &str, scope: &Scope) -> Prompt {
    agent(profile(name), Arc::new(Shelf::of(fixture))).sessions.prompt(scope).expect("a prompt")
}

/// The whole prompt as one text.
fn whole(prompt: &Prompt) -> String {
    [Part::Prefix, Part::UserPrefix, Part::Tail].map(|part| prompt.text(part)).join("\n\n")
}

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
