//! What a reader of an agent's notes sees: answers, what they hide, and that they are never stale.

mod any_folder;
mod approvals;
mod as_of;
mod consolidation;
mod doctor;
mod dreams;
mod edges;
mod fact_boundaries;
mod fact_meaning;
mod fact_undo;
mod facts;
mod facts_in_prompts;
mod feedback;
mod fixtures;
mod forgetting;
mod golden;
mod history;
mod history_flush;
mod hooks;
mod host_text;
mod imports;
mod index_building;
mod index_damage;
mod index_sync;
mod layouts;
mod learning;
mod masked_guesses;
mod masks;
mod meaning;
mod memory_files;
mod nearness;
mod prompt_budgets;
mod prompt_contents;
mod scope_files;
mod scope_isolation;
mod why_not;

mod history_reads;
mod index_watch;
mod missing_files;
mod openclaw;
mod own_reads;
mod parallel;
mod prompt;
mod prompt_recall;
mod prompt_sources;
mod reflecting;
mod reranking;
mod reviews;
mod room_proposals;
mod search;
mod self_report;
mod session_limits;
mod sessions;
mod shared_index;
mod suites;
mod teams;
mod timeline;
mod transcripts;
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
