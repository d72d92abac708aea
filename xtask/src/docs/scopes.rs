//! `scopes.md`: who sees what, computed from the rule of prompts and recall.
//!
//! For each kind of place, each scope is tested with an example file.

use inwit_model::{Place, RoomId, SafeName, Scope};

use super::markdown::{code, head, table};

const ABOUT: &str = "
A scope decides what a session can read. The default is `shared`, which sees the least private text. The command line runs as
the owner, in scope `main`.

**yes**: the scope reads the file and finds it by search. **opened**: it reads the file but does not find it by search. **–**:
for this scope the file does not exist, in prompts, results, counts and errors. Scopes other than main see the name and
description of a skill and cannot open it. A profile can show less in a prompt, never more.

";

/// A file of every kind of place, and what it is.
const EXAMPLES: &[(&str, &str)] = &[
    ("SOUL.md", "character"),
    ("AGENTS.md", "working rules"),
    ("IDENTITY.md", "name and vibe"),
    ("USER.md", "the person"),
    ("MEMORY.md", "lasting memory"),
    ("memory/CORE.md", "lasting memory, under carapace's name"),
    ("memory.md", "lasting memory, its old name"),
    ("TOOLS.md", "notes on the environment"),
    ("HEARTBEAT.md", "memo between sessions"),
    ("BOOTSTRAP.md", "first-run setup"),
    ("DREAMS.md", "diary of dreaming"),
    ("memory/2026-11-21.md", "daily log"),
    ("memory/rooms/kitchen/2026-11-21.md", "daily log of room kitchen"),
    ("rooms/kitchen.md", "page of room kitchen"),
    ("memory/topics/house.md", "topic"),
    ("memory/people.md", "other memory"),
    ("notes/words.md", "note"),
    ("skills/kiln-log/SKILL.md", "skill; other scopes see only its name and description"),
    ("memory/dreaming/deep/2026-11-21.md", "report of a dream"),
    ("recipes/rye.md", "other Markdown file"),
];

/// The page.
pub fn page() -> String {
    let mut text = head("Scopes", "`Scope` in `crates/model/src/scope.rs`");
    text.push_str(ABOUT);
    let scopes = scopes();
    let names: Vec<&str> =
        ["example", "what it is"].into_iter().chain(scopes.iter().map(|(name, _)| *name)).collect();
    let rows = EXAMPLES.iter().filter_map(|(example, about)| {
        let place = place(example)?;
        let cells = scopes.iter().map(|(_, scope)| answer(scope, &place).to_owned());
        Some([code(example), (*about).to_owned()].into_iter().chain(cells).collect())
    });
    text.push_str(&table(&names, rows));
    text
}

fn scopes() -> Vec<(&'static str, Scope)> {
    let room = |id: &str| RoomId::parse(id).map_or(Scope::Shared, Scope::Room);
    vec![
        ("main", Scope::Main),
        ("room kitchen", room("kitchen")),
        ("another room", room("garden")),
        ("shared", Scope::Shared),
        ("subagent", Scope::Subagent),
        ("scheduled", Scope::Scheduled),
    ]
}

fn answer(scope: &Scope, place: &Place) -> &'static str {
    match (scope.sees(place), scope.searches(place)) {
        (false, _) => "–",
        (true, false) => "opened",
        (true, true) => "yes",
    }
}

fn place(name: &str) -> Option<Place> {
    Place::of(&SafeName::parse(name).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new kind of place does not compile until it is counted here.
    fn number(place: &Place) -> usize {
        match place {
            Place::File(kind) => 100 + *kind as usize,
            Place::LegacyMemory => 0,
            Place::Journal(_) => 1,
            Place::Room { .. } => 2,
            Place::RoomMemory { .. } => 3,
            Place::Topic => 4,
            Place::Memory => 5,
            Place::Note => 6,
            Place::Skill { .. } => 7,
            Place::Report => 8,
            Place::Loose => 9,
            Place::Foreign => 10,
        }
    }

    #[test]
    fn every_kind_of_place_has_an_example_but_what_is_left_alone() {
        let mut kinds: Vec<usize> =
            EXAMPLES.iter().map(|(example, _)| number(&place(example).expect(example))).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let wanted: Vec<usize> = (0..10).chain((0..inwit_model::FILES.len()).map(|at| 100 + at)).collect();
        assert_eq!(kinds, wanted);
    }

    #[test]
    fn a_room_sees_its_own_and_no_other() {
        let log = place("memory/rooms/kitchen/2026-11-21.md").expect("a place");
        let answers: Vec<&str> = scopes().iter().map(|(_, scope)| answer(scope, &log)).collect();
        assert_eq!(answers, ["yes", "yes", "–", "–", "–", "–"]);
    }
}
