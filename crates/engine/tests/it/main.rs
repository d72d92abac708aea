//! What a reader of an agent's notes sees: answers, what they hide, and that they are never stale.

mod building;
mod damage;
mod fixtures;
mod following;
mod golden;
mod hiding;
mod hosting;
mod layouts;
mod prompting;
mod searching;
mod sharing;

use inwit_engine::sync::sync;
use inwit_model::{Clock, Files, Scope};
use inwit_store::{Index, SetKey};
use inwit_store_sqlite::SqliteIndex;
use inwit_testkit::FakeClock;
use inwit_workspace::Workspace;
use std::sync::Arc;

/// Brings `index` up to date with what `scope` sees of `files`, and tells all it holds.
fn dump(files: &Arc<dyn Files>, index: &mut SqliteIndex, scope: &Scope) -> String {
    let view = Workspace::new(Arc::clone(files)).view(scope.clone());
    let clock: Arc<dyn Clock> = Arc::new(FakeClock::at(inwit_testkit::NOW));
    sync(&view, index, clock.as_ref(), &mut |_, _| {}).expect("in step with the files");
    index.dump(&SetKey::of(scope)).expect("a dump")
}

/// The same of an index that knows nothing yet.
fn fresh_dump(files: &Arc<dyn Files>, scope: &Scope) -> String {
    dump(files, &mut SqliteIndex::in_memory().expect("an index"), scope)
}

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
