//! What a host is given at its moments, and what of a conversation comes back.

mod hosts;
mod pack;
mod prompt;
mod spool;

use std::sync::Arc;

use inwit_engine::core::project::ProjectFolder;
use inwit_engine::sessions::hook::{Heard, Packed, Prompted, Threshold};
use inwit_model::{Files, ProjectName, SessionId};
use inwit_testkit::Shelf;
use inwit_workspace::{ScopedReader as _, Workspace};

use crate::profile;
use crate::world::{World, world};

const TWO: Threshold = Threshold { words: 2 };

fn home() -> World {
    let shelf = Shelf::default();
    shelf.write("SOUL.md", "# SOUL\n\nBe kind.\n");
    shelf.write("USER.md", "# USER\n\n- Name: Ana\n");
    shelf.write(
        "MEMORY.md",
        "# MEMORY\n\n- Ana likes rye bread with caraway.\n- The boat is called Sirena.\n",
    );
    world(profile("personal"), shelf)
}

fn host(id: &str) -> SessionId {
    SessionId::parse(id).expect("an id")
}

fn heard(user: &str, reply: &str) -> Heard {
    Heard { user: user.into(), reply: reply.into(), place: None, ..Heard::default() }
}

pub fn pack(world: &World) -> String {
    world.agent.sessions.pack(Packed::default()).expect("a pack").text.into_string()
}

fn typed(text: &str) -> Prompted<'_> {
    Prompted { text, session: None, folder: None }
}

fn recalled(world: &World, prompt: &str) -> String {
    world.agent.sessions.recall_in_passing(typed(prompt), TWO).expect("an answer").text.into_string()
}

/// Everything that stands in the workspace.
fn whole(world: &World) -> String {
    let listing = Workspace::new(Arc::clone(&world.shelf) as Arc<dyn Files>).private().list();
    let files = listing.expect("a listing").entries;
    files.iter().map(|file| format!("{}\n{}", file.name, world.text(file.name.as_str()))).collect()
}

fn folder(name: &str) -> ProjectFolder {
    ProjectFolder { path: format!("/srv/{name}"), name: ProjectName::parse(name).expect("a name") }
}

/// A session of a host in `project`, in which the agent answers `reply`.
fn talked(world: &World, id: &str, project: &str, asked: &str, reply: &str) {
    let (id, folder) = (host(id), folder(project));
    world.agent.sessions.hosted_start(Some(&id), Some(&folder), false).expect("a pack");
    world
        .agent
        .sessions
        .hosted_turn(&id, Some(&folder), &heard(asked, reply))
        .expect("kept")
        .expect("a turn");
    world.agent.sessions.hosted_end(&id).expect("ended").expect("it ran");
}

/// What a session of a project begins with.
fn packed_for(world: &World, project: &str) -> String {
    let project = folder(project).name;
    world
        .agent
        .sessions
        .pack(Packed { project: Some(&project), ..Packed::default() })
        .expect("a pack")
        .text
        .into_string()
}

fn recalled_in(world: &World, project: &str, prompt: &str) -> String {
    let folder = folder(project);
    let asked = Prompted { folder: Some(&folder), ..typed(prompt) };
    world.agent.sessions.recall_in_passing(asked, TWO).expect("an answer").text.into_string()
}
